//! The search for one line of play that reaches a number of tricks in each of several layouts.
//!
//! A *goal* is a layout and the tricks wanted in it, counted from the root. One line reaches a set
//! of goals if it takes at least these tricks in these layouts, whatever the opponents do, who see
//! all cards and know the line. At a position of the side one of its cards must reach all goals; at
//! a position of the opponents each reply must, for the goals of the layouts in which it can be
//! made. It is therefore an and-or search, and needs no Pareto fronts of vectors.
//!
//! If no line reaches them, a few of the goals prove that: a *core*. It refutes every set of goals
//! that asks for at least as much in the same layouts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use setrograde_beliefs::{Game, Layout, State, Tally, Whist};
use setrograde_cards::{Card, Hand, Seat, Side, Sorting};
use setrograde_claim::{ClaimError, Claims, Knowledge, refutes, tricks_of_side};
use setrograde_lookup::{Database, ProbeError};
use setrograde_parallel::Stop;
use setrograde_solver::{Endgames, Solver};

use crate::double_dummy::{ending, position, runs};
use crate::error::{SearchError, Visits};
use crate::given::findings::{
    Goals, GoalsVerdict, LayoutGoal, SidePosition, Table, bounds, is_part, least_and_most, union,
};
use crate::given::{LineOptions, Seen};

/// Memory of the solver, in bytes.
const SOLVER_MEMORY: usize = 32 << 20;

/// Minimum number of goals for which a claim is tried; fewer are decided quickly anyway.
const CLAIM_FROM: usize = 8;

/// A search about one side in some layouts.
pub(super) struct Search<'a> {
    pub rules: Whist,
    pub side: Side,
    pub layouts: &'a [Layout],
    /// The tricks left at the root.
    pub tricks: u8,
    /// Sources of the tricks that the side takes with all cards known.
    database: Option<&'a Database>,
    solver: Solver,
    /// Decides whether the side can claim the goals whatever the hidden cards are; the answers are
    /// the same.
    pub claims: Option<&'a mut Claims>,
    pub visits: Visits,
    pub deadline: Option<Instant>,
    /// Extra time after the deadline to find some line.
    pub grace: Duration,
    pub table: Table,
}

impl<'a> Search<'a> {
    /// A search for the view of one side, limited to `most` positions, and its root, where no trick
    /// has been won.
    pub(super) fn new(
        seen: &Seen,
        layouts: &'a [Layout],
        (database, endgames): (Option<&'a Database>, Option<Arc<dyn Endgames>>),
        most: u64,
        stop: &Stop,
    ) -> (Search<'a>, SidePosition) {
        let options = setrograde_solver::Options {
            memory: SOLVER_MEMORY,
            endgames,
            stop: stop.clone(),
        };
        let visits = Visits {
            made: 0,
            most,
            stop: stop.clone(),
        };
        let search = Search {
            rules: Whist::new(seen.strain, Seat::North, 13),
            side: seen.side,
            layouts,
            tricks: seen.sizes().into_iter().max().unwrap_or(0) as u8,
            database,
            solver: Solver::new(options),
            claims: None,
            visits,
            deadline: None,
            grace: Duration::ZERO,
            table: Table::new(64 << 20),
        };
        let root = SidePosition {
            played: Hand::EMPTY,
            state: State::at(seen.hands, seen.trick, Tally::default()),
        };
        (search, root)
    }

    /// Resets the limits of positions and time to those of a new search.
    pub(crate) fn start_again(&mut self, options: &LineOptions) {
        self.visits.most = self.visits.made.saturating_add(options.most_visits);
        self.deadline = options.time.map(|time| Instant::now() + time * 3 / 4);
        self.grace = options.time.unwrap_or_default() / 4;
    }

    /// Returns true if it finds within its limits that one line reaches all these goals.
    pub(super) fn finds(
        &mut self,
        at: &SidePosition,
        goals: &[LayoutGoal],
    ) -> Result<bool, SearchError> {
        match self.together(at, goals) {
            Ok(found) => Ok(found == GoalsVerdict::Reached),
            Err(SearchError::TooLong(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The tricks of the side in a layout with all cards known.
    pub(super) fn double_dummy(
        &mut self,
        at: &SidePosition,
        number: u16,
    ) -> Result<u8, SearchError> {
        let position = position(&self.state(at, number), self.rules.strain());
        Ok(tricks_of_side(&mut self.solver, &position, self.side)?)
    }

    /// Cards of the hand to play that are equal to `card` in all layouts.
    pub(super) fn equals(&self, at: &SidePosition, card: Card) -> Vec<Card> {
        let own = at.state.legal(&self.rules).suit(card.suit);
        let others = self.live(at) - at.state.hand();
        let divided = |other: Card| {
            let (low, high) = (card.min(other), card.max(other));
            others.iter().any(|between| low < between && between < high)
        };
        let equals = own
            .cards()
            .filter(|&other| other != card && !divided(other));
        equals.collect()
    }

    /// Decides whether one line reaches all these goals.
    pub(super) fn together(
        &mut self,
        at: &SidePosition,
        goals: &[LayoutGoal],
    ) -> Result<GoalsVerdict, SearchError> {
        let won = self.won(at);
        if goals.iter().any(|&(_, tricks)| tricks <= won) {
            let left = goals.iter().filter(|&&(_, tricks)| tricks > won);
            return self.wanted(at, &left.copied().collect::<Goals>(), won);
        }
        self.wanted(at, goals, won)
    }

    /// The same for goals that are not reached yet.
    fn wanted(
        &mut self,
        at: &SidePosition,
        goals: &[LayoutGoal],
        won: u8,
    ) -> Result<GoalsVerdict, SearchError> {
        if goals.is_empty() {
            return Ok(GoalsVerdict::Reached);
        }
        let most = won + self.left(at);
        if let Some(&goal) = goals.iter().find(|&&(_, tricks)| tricks > most) {
            return Ok(GoalsVerdict::Refuted(vec![goal]));
        }
        self.count()?;
        let slot = self.table.slot(at);
        if let Some(found) = self.table[slot].find(goals, won) {
            return Ok(found);
        }
        if at.state.trick().is_empty() {
            if let Some(goal) = self.beyond(at, slot, goals, won)? {
                return Ok(GoalsVerdict::Refuted(vec![goal]));
            }
            // With all cards known the side plays as well as double dummy, and in the last
            // trick there is no choice.
            if goals.len() == 1 || self.left(at) == 1 {
                return Ok(GoalsVerdict::Reached);
            }
            let most = goals.iter().map(|goal| goal.1 - won).max();
            if goals.len() >= CLAIM_FROM && self.can_claim(at, slot, most.unwrap_or(0))? {
                return Ok(GoalsVerdict::Reached);
            }
        }
        let first = self.table[slot].best;
        let (found, best) = if self.is_own(at) {
            self.by_own(at, goals, first)?
        } else {
            self.by_reply(at, goals, first)?
        };
        // The table may have been cleared in the meantime.
        let slot = self.table.slot(at);
        self.table.add(slot, goals, &found, won);
        self.table[slot].best = best.or(self.table[slot].best);
        Ok(found)
    }

    /// A card of the side that reaches the goals, or a core of those that refute each.
    fn by_own(
        &mut self,
        at: &SidePosition,
        goals: &[LayoutGoal],
        first: Option<Card>,
    ) -> Result<(GoalsVerdict, Option<Card>), SearchError> {
        let mut cards = self.own_cards(at);
        promote(&mut cards, first, |card| *card);
        let mut core = Goals::new();
        for card in cards {
            match self.together(&self.next(at, card), goals)? {
                GoalsVerdict::Reached => return Ok((GoalsVerdict::Reached, Some(card))),
                GoalsVerdict::Refuted(more) => core = union(&core, &more),
            }
        }
        Ok((GoalsVerdict::Refuted(core), None))
    }

    /// A reply of the opponents that refutes the goals, unless all goals are reached after each.
    fn by_reply(
        &mut self,
        at: &SidePosition,
        goals: &[LayoutGoal],
        first: Option<Card>,
    ) -> Result<(GoalsVerdict, Option<Card>), SearchError> {
        let mut replies = self.replies(at, goals);
        self.leave_out_equals(at, &mut replies);
        replies.in_order_by_key(|(_, goals)| std::cmp::Reverse(goals.len()));
        promote(&mut replies, first, |(card, _)| *card);
        for (card, goals) in replies {
            let found = self.together(&self.next(at, card), &goals)?;
            if let GoalsVerdict::Refuted(_) = found {
                return Ok((found, Some(card)));
            }
        }
        Ok((GoalsVerdict::Reached, None))
    }

    /// Returns whether `need` tricks are sure for any hidden cards, as far as known.
    fn can_claim(&mut self, at: &SidePosition, slot: usize, need: u8) -> Result<bool, SearchError> {
        if self.claims.is_none() {
            return Ok(false);
        }
        let (sure, open) = self.table[slot].claimed.unwrap_or((0, u8::MAX));
        if need <= sure || need >= open {
            return Ok(need <= sure);
        }
        let knowledge = self.knowledge(at);
        let claims = self.claims.as_mut();
        let claimed = match claims.map(|claims| claims.is_sure(&knowledge, need)) {
            Some(Err(ClaimError::Cancelled)) => return Err(SearchError::Cancelled),
            // Without a claim there is no bound.
            claimed => matches!(claimed, Some(Ok(true))),
        };
        self.table[slot].claimed = Some(if claimed { (need, open) } else { (sure, need) });
        Ok(claimed)
    }

    /// The knowledge of the side.
    pub(super) fn knowledge(&self, at: &SidePosition) -> Knowledge {
        let visible = self.side.seats().map(|seat| (seat, at.state.hands()[seat]));
        let (strain, trick) = (self.rules.strain(), **at.state.trick());
        let knowledge = Knowledge::new(strain, trick, visible, self.hidden(at), None);
        knowledge.expect("a position of a layout")
    }

    /// A goal that is out of reach even with all cards known.
    fn beyond(
        &mut self,
        at: &SidePosition,
        slot: usize,
        goals: &[LayoutGoal],
        won: u8,
    ) -> Result<Option<LayoutGoal>, SearchError> {
        self.table.make_room(slot, self.layouts.len());
        // Known values first.
        let mut open = Goals::new();
        for &goal in goals {
            let need = goal.1 - won;
            let bounds = self.table[slot].double_dummy[goal.0 as usize];
            let (least, most) = least_and_most(bounds);
            if most < need {
                return Ok(Some(goal));
            }
            if least < need {
                open.push(goal);
            }
        }
        let left = self.left(at);
        if let Some(database) = self.database
            && usize::from(left) <= database.max_tricks()
        {
            for group in open.chunks(16) {
                let strain = self.rules.strain();
                let endings = group.iter();
                let endings = endings.map(|&(number, _)| ending(&self.state(at, number), strain));
                let values = database
                    .values(&endings.collect::<Vec<_>>())
                    .map_err(ProbeError::from)?;
                let mut beyond = None;
                for (&goal, value) in group.iter().zip(values) {
                    let Some(tricks) = value else {
                        if !self.reaches(at, slot, goal, won)? {
                            beyond = Some(goal);
                        }
                        continue;
                    };
                    let tricks = if at.state.to_play().side() == self.side {
                        tricks
                    } else {
                        left.saturating_sub(tricks)
                    };
                    self.table[slot].double_dummy[goal.0 as usize] = bounds(tricks, tricks);
                    if won + tricks < goal.1 {
                        beyond = Some(goal);
                    }
                }
                if beyond.is_some() {
                    return Ok(beyond);
                }
            }
            return Ok(None);
        }
        for goal in open {
            if !self.reaches(at, slot, goal, won)? {
                return Ok(Some(goal));
            }
        }
        Ok(None)
    }

    /// Returns true if the solver finds the goal within reach with all cards known.
    fn reaches(
        &mut self,
        at: &SidePosition,
        slot: usize,
        goal: LayoutGoal,
        won: u8,
    ) -> Result<bool, SearchError> {
        let need = goal.1 - won;
        let reached = self.takes(&self.state(at, goal.0), need)?;
        let packed = &mut self.table[slot].double_dummy[goal.0 as usize];
        let (least, most) = least_and_most(*packed);
        *packed = if reached {
            bounds(need, most)
        } else {
            bounds(least, need - 1)
        };
        Ok(reached)
    }

    /// Returns whether the side takes at least `need` of the tricks left, which are not fewer, with
    /// all cards known.
    pub(super) fn takes(&mut self, state: &State, need: u8) -> Result<bool, SearchError> {
        let position = position(state, self.rules.strain());
        let refuted = refutes(&mut self.solver, &position, self.side, need)?;
        Ok(refuted.is_none())
    }

    /// The cards that the opponent to play may have, each with the goals of the layouts in
    /// which it may play it.
    pub(super) fn replies(&self, at: &SidePosition, goals: &[LayoutGoal]) -> Vec<(Card, Goals)> {
        let mut replies: Vec<(Card, Goals)> = Vec::with_capacity(16);
        let seat = at.state.to_play();
        for &goal in goals {
            let hand = self.hand(at, seat, goal.0);
            for card in self.rules.legal(hand, at.state.trick()) {
                match replies.iter_mut().find(|(reply, _)| *reply == card) {
                    Some((_, goals)) => goals.push(goal),
                    None => replies.push((card, vec![goal])),
                }
            }
        }
        replies
    }

    /// Omits a card adjacent to another one if the other can be played in every layout in which
    /// this one can. In each of these layouts one hand has both, so they are equal, and the line
    /// after the other card is also a line after this one, with the two exchanged.
    fn leave_out_equals(&self, at: &SidePosition, replies: &mut Vec<(Card, Goals)>) {
        let live = self.live(at).bits();
        replies.in_order_by_key(|(card, _)| *card);
        let mut slot = 0;
        while slot + 1 < replies.len() {
            let [(low, below), (high, above)] = &replies[slot..=slot + 1] else {
                unreachable!("two replies");
            };
            let between = Hand::of(*high).bits() - 2 * Hand::of(*low).bits();
            let touching = low.suit == high.suit && live & between == 0;
            if touching && is_part(below, above) {
                replies.remove(slot);
                // The previous card may now touch the next.
                slot = slot.saturating_sub(1);
            } else if touching && is_part(above, below) {
                replies.remove(slot + 1);
            } else {
                slot += 1;
            }
        }
    }

    /// The side's own cards: the highest of each run that no card outside the hand divides.
    pub(crate) fn own_cards(&self, at: &SidePosition) -> Vec<Card> {
        let others = self.live(at) - at.state.hand();
        let mut cards: Vec<Card> = runs(at.state.legal(&self.rules), others).collect();
        cards.reverse();
        cards
    }

    /// The cards in the hidden hands, which are the same in all layouts.
    fn hidden(&self, at: &SidePosition) -> Hand {
        let hidden = self.layouts.first().into_iter().flatten().copied();
        hidden.collect::<Hand>() - at.played
    }

    /// The cards in hands or on the table.
    fn live(&self, at: &SidePosition) -> Hand {
        self.hidden(at) | at.state.hands().iter().copied().collect() | at.state.trick().set()
    }

    /// The hand of a seat in a layout.
    pub(super) fn hand(&self, at: &SidePosition, seat: Seat, number: u16) -> Hand {
        let hidden = self.layouts[usize::from(number)][seat] - at.played;
        at.state.hands()[seat] | hidden
    }

    /// The position in one of the layouts.
    pub(super) fn state(&self, at: &SidePosition, number: u16) -> State {
        let hands = Seat::ALL.map(|seat| self.hand(at, seat, number));
        State::at(hands, *at.state.trick(), *at.state.tally())
    }

    /// The tricks of the side since the root.
    pub(super) fn won(&self, at: &SidePosition) -> u8 {
        at.state.tally().tricks[self.side.index()]
    }

    /// Remaining tricks, including the current one.
    pub(super) fn left(&self, at: &SidePosition) -> u8 {
        self.tricks - at.state.tally().tricks.iter().sum::<u8>()
    }

    /// Returns true if the side is to play.
    pub(crate) fn is_own(&self, at: &SidePosition) -> bool {
        at.state.to_play().side() == self.side
    }

    /// The position after a card.
    pub(super) fn next(&self, at: &SidePosition, card: Card) -> SidePosition {
        SidePosition {
            played: at.played | card.into(),
            state: at.state.after(&self.rules, card),
        }
    }

    /// Counts a position.
    fn count(&mut self) -> Result<(), SearchError> {
        self.visits.count()?;
        if self.visits.made.is_multiple_of(64)
            && self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(SearchError::TooLong(self.visits.made));
        }
        Ok(())
    }
}

/// Moves the item of the card `first` to the front, if present.
fn promote<T>(items: &mut [T], first: Option<Card>, card: impl Fn(&T) -> Card) {
    if let Some(first) = first
        && let Some(slot) = items.iter().position(|item| card(item) == first)
    {
        items[..=slot].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use setrograde_beliefs::{BridgeView, Strengths, View};

    use super::*;

    fn view(text: &str) -> (BridgeView, Vec<Layout>) {
        let view = View::of_bridge(&text.parse().expect("a question")).expect("a view");
        let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
        let layouts = beliefs.layouts().collect();
        (view, layouts)
    }

    /// The bounds of a layout meet at its value once each number of tricks has been asked for.
    #[test]
    fn bounds_close_on_the_value() {
        let (view, layouts) = view("NT S N:AQT.2.. ? 54.A3.. ? out=KJ76.KQJT..");
        let seen = Seen::of(&view, Side::NorthSouth);
        let stop = Stop::default();
        let (mut search, root) = Search::new(&seen, &layouts, (None, None), u64::MAX, &stop);
        for number in 0..layouts.len() as u16 {
            let value = search.double_dummy(&root, number).expect("a value");
            for tricks in 1..=4 {
                let found = search.together(&root, &[(number, tricks)]);
                let reached = found.expect("an answer") == GoalsVerdict::Reached;
                assert_eq!(reached, tricks <= value, "{number} {tricks}");
            }
            let slot = search.table.slot(&root);
            let (least, most) = least_and_most(search.table[slot].double_dummy[number as usize]);
            assert_eq!((least, most.min(4)), (value, value), "{number}");
        }
    }

    /// The answers about claims follow from stored decisions.
    #[test]
    fn claims_are_remembered() {
        let (view, layouts) = view("NT S N:AQT.2.. ? 54.A3.. ? out=KJ76.KQJT..");
        let seen = Seen::of(&view, Side::NorthSouth);
        let stop = Stop::default();
        let mut claims = Claims::new(setrograde_claim::Options::default());
        let (mut search, root) = Search::new(&seen, &layouts, (None, None), u64::MAX, &stop);
        let slot = search.table.slot(&root);
        assert!(!search.can_claim(&root, slot, 2).expect("nobody to ask"));
        search.claims = Some(&mut claims);
        // Two aces, and no more if the finesse loses.
        for (need, claimed) in [
            (1, (1, u8::MAX)),
            (4, (1, 4)),
            (2, (2, 4)),
            (3, (2, 3)),
            (0, (2, 3)),
            (1, (2, 3)),
            (4, (2, 3)),
        ] {
            let sure = search.can_claim(&root, slot, need);
            assert_eq!(sure.expect("an answer"), need <= 2, "{need}");
            assert_eq!(search.table[slot].claimed, Some(claimed), "{need}");
        }
    }
}
