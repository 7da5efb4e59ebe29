//! The maximal sets of layouts that lines of play win.
//!
//! A line gives a number of tricks in every layout, the minimum against any defence. So it is a set
//! of layouts for each number of tricks.

use std::collections::HashMap;
use std::rc::Rc;

use setrograde_cards::{Holding, Rank};

use super::{MOST, SuitHolding, of_class};

/// Words of a set of layouts.
const WORDS: usize = MOST / 64;

/// Number of steps, each of some layouts, between checks of the clock.
const STEPS: usize = 1 << 10;

/// A set of layouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Set([u64; WORDS]);

impl Set {
    pub(super) fn has(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Set::default()
    }

    pub(super) fn and(&self, other: &Set) -> Set {
        Set(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(super) fn without(&self, other: &Set) -> Set {
        Set(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    pub(super) fn or(&self, other: &Set) -> Set {
        Set(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    pub(crate) fn is_in(&self, other: &Set) -> bool {
        self.without(other).is_empty()
    }
}

/// The state at the start of a trick.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// The cards left in North and South.
    pub hands: [u16; 2],
    /// The cards of each class that East and West have played, four bits each.
    pub played: [u32; 2],
    /// True if East or West has shown out.
    pub void: [bool; 2],
    pub won: usize,
    /// The entries left in North and South; enough if `None`.
    pub entries: [Option<u8>; 2],
    /// The hand that won the last trick, where entries are limited.
    pub inside: Option<usize>,
}

/// A trick under way.
#[derive(Clone, Copy)]
pub(super) struct SuitTrick {
    pub state: State,
    /// The hand that led: 0 North, 1 South.
    pub leader: usize,
    /// The best rank of North and South in the trick, the hand that played it, and the best rank of
    /// the opponents, if they have played any.
    ours: u8,
    best: usize,
    theirs: Option<u8>,
    pub cards: usize,
}

/// A card of an opponent: its class, or none if it shows out.
pub(super) type SeenLayout = Option<usize>;

/// A line by its results: for each target, the layouts in which it takes at least that many tricks
/// in total.
pub(super) type LineSets = Vec<Set>;

/// Lines that do not dominate each other.
type Front = Rc<Vec<LineSets>>;

/// A search for one number of tricks, or for several at once.
pub(super) struct Search<'a> {
    pub holding: &'a SuitHolding,
    /// The numbers of tricks that are sought, the lowest first.
    wanted: Vec<usize>,
    /// For East and West and each class: the layouts in which that hand held at least 0, 1, … of
    /// its cards; none at the end.
    least: [Vec<Vec<Set>>; 2],
    all: Set,
    /// The layouts possible at the start: no line wins another.
    winnable: LineSets,
    /// The layouts of a state in which the tricks can be taken with all cards seen.
    possible: HashMap<State, LineSets>,
    /// The maximum weight of winnable layouts that a line may lose.
    spare: u64,
    fronts: HashMap<State, Front>,
    /// Comparisons of lines, and the number after which the search gives up.
    made: usize,
    pub most: usize,
    /// Counts the attempts to make a plan simpler.
    pub tried: u32,
    steps: usize,
    over: bool,
}

impl<'a> Search<'a> {
    pub(super) fn new(holding: &'a SuitHolding, wanted: Vec<usize>) -> Search<'a> {
        let least: [Vec<Vec<Set>>; 2] = [0, 1].map(|who| {
            let of_class = |class: usize| {
                let most = holding.classes[class].len() as u32 + 1;
                let at_least = |count: u32| {
                    let mut set = Set::default();
                    for (at, layout) in holding.layouts.iter().enumerate() {
                        if holding.held_by(who, layout.east, class) >= count {
                            set.insert(at);
                        }
                    }
                    set
                };
                (0..=most).map(at_least).collect()
            };
            (0..holding.classes.len()).map(of_class).collect()
        });
        let mut all = Set::default();
        (0..holding.layouts.len()).for_each(|at| all.insert(at));
        Search {
            holding,
            winnable: vec![all; wanted.len()],
            wanted,
            all,
            possible: HashMap::new(),
            spare: u64::MAX,
            least,
            fronts: HashMap::new(),
            made: 0,
            most: usize::MAX,
            tried: 0,
            steps: 0,
            over: false,
        }
    }

    /// Returns true if the search has ended; its results must then be discarded.
    pub(super) fn is_over(&mut self) -> bool {
        self.is_over_after(1)
    }

    /// The same after this number of steps.
    fn is_over_after(&mut self, steps: usize) -> bool {
        self.steps += steps;
        if self.steps >= STEPS {
            self.steps = 0;
            self.over |= self.holding.stop.is_due();
        }
        self.over
    }

    /// Counts comparisons; `None` if these are too many, or the search has ended.
    fn compare(&mut self, steps: usize) -> Option<()> {
        self.made += steps;
        (self.made <= self.most && !self.is_over_after(steps)).then_some(())
    }

    /// The lowest number of tricks that is sought.
    pub(super) fn tricks(&self) -> usize {
        self.wanted[0]
    }

    pub(super) fn start(&self) -> State {
        State {
            hands: self.holding.hands.map(Holding::bits),
            played: [0; 2],
            void: [false; 2],
            won: 0,
            entries: self.holding.entries,
            inside: None,
        }
    }

    /// Lines that include those of the maximum weight; `None` if they are not found in time.
    ///
    /// The best line loses little compared with double-dummy play. So the search first looks for
    /// lines that lose nothing, then for lines that lose more and more. A line that loses too much
    /// is dropped at once, because the losses of a line never decrease.
    pub(super) fn best(&mut self) -> Option<Front> {
        let start = self.start();
        self.winnable = self.possible(&start);
        let all = self.holding.weight_of(&self.winnable);
        self.spare = 0;
        loop {
            self.fronts.clear();
            let front = self.front(&start)?;
            if !front.is_empty() {
                return Some(front);
            }
            self.spare = (self.spare + self.spare / 4 + all / 64 + 1).min(all);
        }
    }

    /// All lines that no other line equals or beats everywhere; `None` as in [`best`](Self::best).
    pub(super) fn whole(&mut self) -> Option<Front> {
        self.spare = u64::MAX;
        self.made = 0;
        self.fronts.clear();
        self.front(&self.start())
    }

    /// Returns true if the tricks of a state are all that can be taken from it, for each number
    /// sought.
    fn is_decided(&self, state: &State, possible: &LineSets) -> bool {
        let mut each = self.wanted.iter().zip(possible);
        each.all(|(&tricks, set)| state.won >= tricks || set.is_empty())
    }

    /// The layouts in which the tricks can be taken from the start of a trick with all cards seen.
    fn possible(&mut self, state: &State) -> LineSets {
        let alive = self.alive(state);
        let taken = self.wanted.iter().map(|&tricks| {
            if state.won >= tricks {
                alive
            } else {
                Set::default()
            }
        });
        let mut possible: LineSets = taken.collect();
        let left = state.hands.map(u16::count_ones);
        let most = state.won + left[0].max(left[1]) as usize;
        let open = |&tricks: &usize| state.won < tricks && tricks <= most;
        if !self.wanted.iter().any(open) {
            return possible;
        }
        let like = self.like(state);
        if let Some(possible) = self.possible.get(&like) {
            return possible.clone();
        }
        for (leader, card) in self.leads(state) {
            if possible.iter().all(|set| *set == alive) || self.is_over() {
                break;
            }
            let trick = self.lead(state, leader, card);
            possible = joined(&possible, &self.trick_possible(&trick), Set::or);
        }
        self.possible.insert(like, possible.clone());
        possible
    }

    /// The same inside a trick.
    fn trick_possible(&mut self, trick: &SuitTrick) -> LineSets {
        match trick.cards {
            1 | 3 => {
                let mut possible = vec![self.alive(&trick.state); self.wanted.len()];
                for (seen, with) in self.ways(trick) {
                    let after = self.trick_possible(&self.seen(trick, seen));
                    possible = joined(&possible, &after, |set, after| {
                        set.without(&with.without(after))
                    });
                }
                possible
            }
            2 => {
                let mut possible = vec![Set::default(); self.wanted.len()];
                for card in self.third(trick) {
                    let after = self.trick_possible(&Search::follow(trick, card));
                    possible = joined(&possible, &after, Set::or);
                }
                possible
            }
            _ => self.possible(&Search::finish(trick)),
        }
    }

    /// Returns true if a line's losses among the layouts `alive` are within its limit.
    fn is_spared(&self, alive: &Set, line: &LineSets) -> bool {
        let lost = joined(&self.winnable, line, |winnable, set| {
            alive.and(winnable).without(set)
        });
        lost.iter().all(Set::is_empty) || self.holding.weight_of(&lost) <= self.spare
    }

    /// The layouts that are consistent with the cards played.
    pub(super) fn alive(&self, state: &State) -> Set {
        let mut alive = self.all;
        for who in 0..2 {
            for (class, least) in self.least[who].iter().enumerate() {
                let played = of_class(state.played[who], class) as usize;
                alive = alive.and(&least[played]);
                if state.void[who] {
                    alive = alive.without(&least[played + 1]);
                }
            }
        }
        alive
    }

    /// The front at the start of a trick; `None` if the search gives up.
    fn front(&mut self, state: &State) -> Option<Front> {
        let like = self.like(state);
        if let Some(front) = self.fronts.get(&like) {
            return Some(Rc::clone(front));
        }
        if self.is_over() {
            return None;
        }
        let possible = joined(&self.possible(state), &self.winnable, Set::and);
        let mut front = Vec::new();
        if self.is_spared(&self.alive(state), &possible) {
            if self.is_decided(state, &possible) {
                front.push(possible);
            } else {
                for (leader, card) in self.leads(state) {
                    let trick = self.lead(state, leader, card);
                    for line in self.trick_front(&trick)?.iter() {
                        self.add(&mut front, line.clone())?;
                    }
                    if front.first() == Some(&possible) {
                        break;
                    }
                }
            }
        }
        let front = Rc::new(front);
        self.fronts.insert(like, Rc::clone(&front));
        Some(front)
    }

    /// A state that represents all states won in the same layouts: of cards of a hand between which
    /// the opponents have none, only the number counts.
    pub(super) fn like(&self, state: &State) -> State {
        if self.holding.entries != [None; 2] {
            return *state;
        }
        let mut hands = [0; 2];
        let mut next = [0; 2];
        let mut below = 0;
        for bit in 0..16 {
            let parted = self.below(state, bit);
            if parted != below {
                (next, below) = ([bit; 2], parted);
            }
            for hand in 0..2 {
                let held = state.hands[hand] >> bit & 1;
                hands[hand] |= held << next[hand];
                next[hand] += held as u8;
            }
        }
        State { hands, ..*state }
    }

    /// The different leads: a hand and the lowest of touching cards.
    pub(super) fn leads(&self, state: &State) -> Vec<(usize, u8)> {
        let of_hand = |leader: usize| {
            let cards = self.different(state, leader, None, None);
            cards.into_iter().map(move |card| (leader, card))
        };
        let may = |leader: &usize| self.may_lead(state, *leader);
        (0..2).filter(may).flat_map(of_hand).collect()
    }

    /// Returns true if a hand has won the last trick, or has an entry.
    pub(crate) fn may_lead(&self, state: &State, leader: usize) -> bool {
        state.entries[leader] != Some(0) || state.inside == Some(leader)
    }

    /// The ranks of a hand, the lowest of each run that no card of the opponents parts, and no rank
    /// of a trick under way. Where entries are limited a partner's card parts them, too.
    fn different(
        &self,
        state: &State,
        hand: usize,
        ours: Option<u8>,
        theirs: Option<u8>,
    ) -> Vec<u8> {
        let limited = self.holding.entries != [None; 2];
        let (cards, partners) = (state.hands[hand], state.hands[1 - hand]);
        let mut last = None;
        let mut found = Vec::new();
        for bit in (0..16).filter(|bit| cards >> bit & 1 == 1) {
            let group = (
                self.below(state, bit),
                Some(bit) > theirs,
                limited.then(|| (partners & ((1 << bit) - 1), Some(bit) > ours)),
            );
            if last != Some(group) {
                found.push(bit);
            }
            last = Some(group);
        }
        found
    }

    /// Returns the number of cards of the opponents, not yet played, below a rank's bit.
    fn below(&self, state: &State, bit: u8) -> u32 {
        let classes = self.holding.classes.iter().enumerate();
        let below = classes.filter(|(_, class)| bits_top(**class) < bit);
        let left = below.map(|(at, class)| {
            class.len() as u32 - of_class(state.played[0], at) - of_class(state.played[1], at)
        });
        left.sum()
    }

    pub(super) fn lead(&self, state: &State, leader: usize, card: u8) -> SuitTrick {
        let mut state = *state;
        state.hands[leader] &= !(1 << card);
        if state.inside != Some(leader) {
            state.entries[leader] = state.entries[leader].map(|left| left.saturating_sub(1));
        }
        SuitTrick {
            state,
            leader,
            ours: card,
            best: leader,
            theirs: None,
            cards: 1,
        }
    }

    /// The opponent to play: 0 East, 1 West.
    pub(super) fn opponent(trick: &SuitTrick) -> usize {
        match trick.cards {
            1 => trick.leader,
            _ => 1 - trick.leader,
        }
    }

    /// The front inside a trick.
    fn trick_front(&mut self, trick: &SuitTrick) -> Option<Front> {
        match trick.cards {
            1 | 3 => self.theirs(trick),
            2 => {
                let mut front = Vec::new();
                for card in self.third(trick) {
                    for line in self.trick_front(&Search::follow(trick, card))?.iter() {
                        self.add(&mut front, line.clone())?;
                    }
                }
                Some(Rc::new(front))
            }
            _ => self.front(&Search::finish(trick)),
        }
    }

    /// Returns true if a line from here takes the only number of tricks that is sought in all
    /// layouts of `want`.
    pub(super) fn wins(&mut self, trick: &SuitTrick, want: &Set) -> bool {
        let front = self.trick_front(trick);
        front.is_some_and(|front| front.iter().any(|line| want.is_in(&line[0])))
    }

    /// The different cards of the third hand; none if it has none.
    pub(super) fn third(&self, trick: &SuitTrick) -> Vec<Option<u8>> {
        let hand = 1 - trick.leader;
        if trick.state.hands[hand] == 0 {
            return vec![None];
        }
        let different = self.different(&trick.state, hand, Some(trick.ours), trick.theirs);
        different.into_iter().map(Some).collect()
    }

    pub(super) fn follow(trick: &SuitTrick, card: Option<u8>) -> SuitTrick {
        let mut next = *trick;
        next.cards += 1;
        if let Some(card) = card {
            next.state.hands[1 - trick.leader] &= !(1 << card);
            if card > trick.ours {
                (next.ours, next.best) = (card, 1 - trick.leader);
            }
        }
        next
    }

    /// The trick after an opponent's card.
    pub(super) fn seen(&self, trick: &SuitTrick, seen: SeenLayout) -> SuitTrick {
        let who = Search::opponent(trick);
        let mut next = *trick;
        next.cards += 1;
        match seen {
            Some(class) => {
                next.state.played[who] += 1 << (4 * class);
                next.theirs = next.theirs.max(Some(bits_top(self.holding.classes[class])));
            }
            None => next.state.void[who] = true,
        }
        next
    }

    pub(super) fn finish(trick: &SuitTrick) -> State {
        let mut state = trick.state;
        let won = Search::is_won(trick);
        state.won += usize::from(won);
        let limited = state.entries != [None; 2];
        state.inside = (won && limited).then_some(trick.best);
        state
    }

    /// Returns true if North and South have won a finished trick.
    pub(crate) fn is_won(trick: &SuitTrick) -> bool {
        Some(trick.ours) > trick.theirs
    }

    /// The cards that the opponent to play may show, each with the layouts in which it may.
    pub(super) fn ways(&self, trick: &SuitTrick) -> Vec<(SeenLayout, Set)> {
        let who = Search::opponent(trick);
        let state = &trick.state;
        let alive = self.alive(state);
        let classes = 0..self.holding.classes.len();
        let mut ways: Vec<(SeenLayout, Set)> = Vec::new();
        let mut none = alive;
        for class in classes.rev() {
            let more = of_class(state.played[who], class) as usize + 1;
            let with = alive.and(&self.least[who][class][more]);
            none = none.without(&with);
            if !with.is_empty() {
                ways.push((Some(class), with));
            }
        }
        if !none.is_empty() {
            ways.push((None, none));
        }
        ways
    }

    /// The front where an opponent plays: a layout is won if it is after each of its cards.
    fn theirs(&mut self, trick: &SuitTrick) -> Option<Front> {
        let alive = self.alive(&trick.state);
        let possible = joined(&self.trick_possible(trick), &self.winnable, Set::and);
        let mut front = if self.is_spared(&alive, &possible) {
            vec![possible]
        } else {
            Vec::new()
        };
        for (seen, with) in self.ways(trick) {
            if front.is_empty() {
                break;
            }
            // Where more tricks can be won, fewer can, too.
            if with.and(&self.winnable[0]).is_empty() {
                continue;
            }
            let after = self.trick_front(&self.seen(trick, seen))?;
            let mut both = Vec::new();
            for line in &front {
                for won in after.iter() {
                    self.compare(1)?;
                    let line = joined(line, won, |set, won| set.without(&with).or(&set.and(won)));
                    if self.is_spared(&alive, &line) {
                        self.add(&mut both, line)?;
                    }
                }
            }
            front = both;
        }
        Some(Rc::new(front))
    }

    /// Adds a line unless another is as good everywhere; `None` if the search gives up.
    fn add(&mut self, front: &mut Vec<LineSets>, line: LineSets) -> Option<()> {
        self.compare(front.len() / 8)?;
        let within = |a: &LineSets, b: &LineSets| a.iter().zip(b).all(|(a, b)| a.is_in(b));
        if !front.iter().any(|other| within(&line, other)) {
            front.retain(|other| !within(other, &line));
            front.push(line);
        }
        Some(())
    }
}

/// The line of what `join` makes of two lines' sets for each number of tricks.
fn joined(one: &LineSets, other: &LineSets, join: impl Fn(&Set, &Set) -> Set) -> LineSets {
    one.iter().zip(other).map(|(a, b)| join(a, b)).collect()
}

/// The bit of the highest rank.
fn bits_top(class: Holding) -> u8 {
    class.bits().ilog2() as u8
}

/// The rank of a bit.
pub(super) fn rank(bit: u8) -> Option<Rank> {
    Holding::from_bits(1 << bit).highest()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Touching cards are equal, unless entries are limited.
    #[test]
    fn states_with_equal_cards_are_alike() {
        let mut holding = SuitHolding::read(["AKQ2", "543"], "-", [13, 13]).expect("a suit");
        let without = |holding: &SuitHolding, rank: Rank| {
            let search = Search::new(holding, vec![4]);
            let mut state = search.start();
            state.hands[0] &= !Holding::from_iter([rank]).bits();
            search.like(&state)
        };
        let [ace, queen, deuce] = ["A", "Q", "2"].map(|rank| rank.parse().expect("a rank"));
        assert!(without(&holding, ace) == without(&holding, queen));
        assert!(without(&holding, ace) != without(&holding, deuce));
        holding = holding.with_entries([Some(1), None]);
        assert!(without(&holding, ace) != without(&holding, queen));
    }
}
