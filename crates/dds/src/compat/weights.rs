//! The weights by which DDS sorts the moves of a position.

use setrograde_cards::{Position, Seat, Strain, Suit};
use setrograde_solver::Choice;

/// A rank, 2 to 14.
type RankNumber = i32;

/// A position as the weights see it.
pub struct Table {
    /// Ranks from the top by seat and suit.
    hands: [[Vec<RankNumber>; 4]; 4],
    /// The cards on the table.
    played: Vec<(usize, RankNumber)>,
    /// The trump suit, if a card of it is left.
    trump: Option<usize>,
    seat: usize,
    /// The ranks of the suit led that may be played, one of each run.
    runs: Vec<RankNumber>,
}

impl Table {
    /// A position whose legal cards, one of each run, are `legal`.
    pub fn new(position: &Position, legal: &[Choice]) -> Table {
        let hands = Seat::ALL.map(|seat| {
            let hand = position.deal().hand(seat);
            Suit::ALL.map(|suit| {
                let ranks = hand.holding(suit).iter();
                ranks.map(|rank| RankNumber::from(rank.value())).collect()
            })
        });
        let played: Vec<(usize, RankNumber)> = position
            .played()
            .iter()
            .map(|card| (card.suit.index(), RankNumber::from(card.rank.value())))
            .collect();
        let mut table = Table {
            hands,
            played,
            trump: None,
            seat: position.to_play().index(),
            runs: Vec::new(),
        };
        if let Strain::Trump(trump) = position.strain() {
            let left = !table.ranked(trump.index()).is_empty();
            table.trump = left.then_some(trump.index());
        }
        if let Some(&(led, _)) = table.played.first() {
            let runs = legal.iter().filter(|card| card.card.suit.index() == led);
            table.runs = runs
                .map(|card| RankNumber::from(card.card.rank.value()))
                .collect();
        }
        table
    }

    /// The weight of a legal card.
    pub fn weight(&self, card: &Choice) -> i32 {
        let suit = card.card.suit.index();
        let rank = RankNumber::from(card.card.rank.value());
        let follows = self.played.first().is_some_and(|&(led, _)| led == suit);
        match (self.played.len(), follows) {
            (0, _) => self.lead(suit, rank, !card.equals.is_empty()),
            (1, true) => self.second_following(rank, !card.equals.is_empty()),
            (1, false) => self.second_discarding(suit, rank),
            (2, true) => self.third_following(rank),
            (2, false) => self.third_discarding(suit, rank),
            (_, true) => self.fourth_following(rank),
            (_, false) => self.fourth_discarding(suit, rank),
        }
    }

    /// A suit of the hand `n` seats after the one to play.
    fn suit(&self, n: usize, suit: usize) -> &[RankNumber] {
        &self.hands[(self.seat + n) & 3][suit]
    }

    /// The highest rank that this hand holds in a suit, or 0.
    fn top(&self, n: usize, suit: usize) -> RankNumber {
        self.suit(n, suit).first().copied().unwrap_or(0)
    }

    /// A suit's cards from the top with their owners. Cards on the table count
    /// as North's, as in DDS.
    fn ranked(&self, suit: usize) -> Vec<(RankNumber, usize)> {
        let mut ranked: Vec<(RankNumber, usize)> = (0..4)
            .flat_map(|seat| self.hands[seat][suit].iter().map(move |&rank| (rank, seat)))
            .chain(
                self.played
                    .iter()
                    .filter(|card| card.0 == suit)
                    .map(|card| (card.1, 0)),
            )
            .collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        ranked
    }

    /// The holder of the best card of a suit, or of the second best.
    fn owner(&self, suit: usize, nth: usize) -> Option<usize> {
        self.ranked(suit).get(nth).map(|&(_, owner)| owner)
    }

    fn is_trump(&self, suit: usize) -> bool {
        self.trump == Some(suit)
    }

    fn beats(&self, card: (usize, RankNumber), best: (usize, RankNumber)) -> bool {
        if card.0 == best.0 {
            card.1 > best.1
        } else {
            self.is_trump(card.0)
        }
    }

    /// The card that wins so far and who played it, counted from the leader;
    /// `extra` is played last.
    fn winning(&self, extra: Option<(usize, RankNumber)>) -> (usize, (usize, RankNumber)) {
        let mut winner = (0, self.played[0]);
        let played = self.played.iter().copied().chain(extra);
        for (nth, card) in played.enumerate().skip(1) {
            if self.beats(card, winner.1) {
                winner = (nth, card);
            }
        }
        winner
    }

    /// The cards that the hand `n` seats on may play to the trick.
    fn answers(&self, n: usize) -> impl Iterator<Item = (usize, RankNumber)> {
        let led = self.played[0].0;
        let follows = !self.suit(n, led).is_empty();
        (0..4)
            .filter(move |&suit| !follows || suit == led)
            .flat_map(move |suit| self.suit(n, suit).iter().map(move |&rank| (suit, rank)))
    }

    /// Returns true if the hand `n` seats on can beat a card of the trick.
    fn can_beat(&self, n: usize, best: (usize, RankNumber)) -> bool {
        self.answers(n).any(|card| self.beats(card, best))
    }

    /// The part of a discard's weight that comes from the length of its suit: a
    /// part of 64 for each card, less for a guarded second best or a bare best.
    fn length_bonus(&self, suit: usize, divisor: i32, guarded: i32, bare: i32) -> i32 {
        let length = self.suit(0, suit).len() as i32;
        let owns = |nth: usize| self.owner(suit, nth) == Some(self.seat);
        let less = match length {
            1 if owns(0) => bare,
            2 if owns(1) => guarded,
            _ => 0,
        };
        length * 64 / divisor - less
    }
}

// The leader.

/// A suit that may be led, as the leader sees it. Hands are counted from the
/// leader: 0 itself, 1 the next, 2 its partner, 3 the last to play.
struct LedSuit {
    index: usize,
    /// Cards by hand.
    lengths: [usize; 4],
    /// The holders of the best, the second best and the third best card.
    owners: [Option<usize>; 3],
    /// True if it is not trump while there are trumps.
    side: bool,
    /// By hand, whether it can ruff.
    ruffs: [bool; 4],
}

impl LedSuit {
    fn new(table: &Table, index: usize) -> LedSuit {
        let lengths = [0, 1, 2, 3].map(|n| table.suit(n, index).len());
        let owner = |nth| Some((table.owner(index, nth)? + 4 - table.seat) & 3);
        let side = table.trump.is_some_and(|trump| trump != index);
        let trumps = |n: usize| {
            table
                .trump
                .is_some_and(|trump| !table.suit(n, trump).is_empty())
        };
        LedSuit {
            index,
            lengths,
            owners: [owner(0), owner(1), owner(2)],
            side,
            ruffs: [0, 1, 2, 3].map(|n| side && lengths[n] == 0 && trumps(n)),
        }
    }

    fn is(&self, nth: usize, owner: usize) -> bool {
        self.owners[nth] == Some(owner)
    }

    /// Returns true if an opponent has nothing but the best card.
    fn bare_best(&self) -> bool {
        [1, 3]
            .into_iter()
            .any(|n| self.lengths[n] == 1 && self.is(0, n))
    }

    /// The opponents' cards, a hand without any counting as much as all of the
    /// leader's cards: a suit with few replies is searched fast.
    fn replies(&self, hand: usize) -> i32 {
        let count = |length: usize| if length == 0 { hand } else { length } as i32;
        count(self.lengths[1]) + count(self.lengths[3])
    }

    /// Returns true if the last hand's best or second best card speaks against the suit.
    fn under_the_last(&self) -> bool {
        (self.is(0, 3) || self.is(1, 3)) && self.lengths[3] != 1
    }

    /// Returns true if the suit goes through the best card to partner's second best.
    fn through_the_best(&self) -> bool {
        self.is(0, 1) && self.is(1, 2) && self.lengths[2] != 1
    }

    /// The weight added if the leader's side cannot win the trick but has both the
    /// second and the third best card.
    fn next_two(&self, partner: i32, both: i32) -> i32 {
        if self.is(1, 2) && self.is(2, 2) {
            partner
        } else if self.lengths[2] > 1
            && (self.is(1, 0) && self.is(2, 2) || self.is(1, 2) && self.is(2, 0))
        {
            both
        } else {
            0
        }
    }
}

impl Table {
    /// The weight of a lead. `equals`: whether lower cards of the hand touch
    /// it.
    fn lead(&self, suit: usize, rank: RankNumber, equals: bool) -> i32 {
        let ranked = self.ranked(suit);
        let nth = ranked.iter().take_while(|card| card.0 > rank).count() as i32 + 1;
        let suit = LedSuit::new(self, suit);
        let cards = self.hands[self.seat].iter().map(Vec::len).sum();
        let replies = 128 * suit.replies(cards);
        match self.trump {
            None => self.no_trump_lead(&suit, nth, equals) - replies / 19,
            Some(_) => self.trump_lead(&suit, rank, nth, equals) - replies / 13,
        }
    }

    fn no_trump_lead(&self, suit: &LedSuit, nth: i32, equals: bool) -> i32 {
        let void = if suit.lengths[2] == 0 { -9 } else { 0 };
        if nth == 1 || self.partner_tops(suit) {
            let second = match suit.owners[1] {
                Some(3) if suit.lengths[3] != 1 => -28,
                Some(1) if suit.lengths[1] != 1 => -5,
                Some(1) => 16,
                _ => 0,
            };
            return 45 + nth + second + void;
        }
        let delta = if suit.under_the_last() {
            -10
        } else if suit.through_the_best() {
            31
        } else {
            0
        };
        let base = if suit.bare_best() {
            28 + nth
        } else if suit.is(0, 0) {
            nth - 17
        } else if !equals {
            12 + nth
        } else if nth == 2 {
            48
        } else {
            29 - nth
        };
        base + delta + void + suit.next_two(35, 25)
    }

    fn trump_lead(&self, suit: &LedSuit, rank: RankNumber, nth: i32, equals: bool) -> i32 {
        let mut delta = 0;
        if suit.ruffs[1] || suit.ruffs[3] {
            delta -= 12;
        }
        if suit.ruffs[2] && suit.lengths[3] > 0 {
            delta += 17;
        }
        if suit.under_the_last() {
            delta -= 12;
        } else if suit.through_the_best() {
            delta += 27;
        }
        // Partner wins, and may return the suit for a ruff.
        let own_trumps = self
            .trump
            .is_some_and(|trump| !self.suit(0, trump).is_empty());
        let singleton = suit.side && own_trumps && suit.lengths[0] == 1;
        if singleton && suit.is(0, 2) && suit.lengths[2] > 1 {
            delta += 19;
        }
        if self.lead_wins(suit, nth) {
            return delta + Self::winning_trump_lead(suit, nth, equals);
        }
        let base = if suit.bare_best() {
            2 + nth
        } else if suit.is(0, 0) && suit.is(1, 2) {
            33 + nth
        } else if suit.is(0, 0) {
            if nth == 1 { 38 } else { nth - 14 }
        } else if suit.is(0, 2) {
            34 + nth
        } else if equals && nth == 2 {
            35
        } else {
            17 - rank
        };
        base + delta + suit.next_two(20, 13)
    }

    fn winning_trump_lead(suit: &LedSuit, nth: i32, equals: bool) -> i32 {
        if suit.bare_best() {
            35 + nth
        } else if suit.is(0, 0) && suit.is(1, 2) {
            48 + nth
        } else if suit.is(0, 0) {
            if nth == 1 { 31 } else { nth - 3 }
        } else if suit.is(0, 2) {
            (if suit.is(1, 0) { 42 } else { 28 }) + nth
        } else if equals && nth == 2 {
            40
        } else if equals {
            22 + nth
        } else {
            11 + nth
        }
    }

    /// Returns true if partner's best card of the suit beats the opponents'.
    fn partner_tops(&self, suit: &LedSuit) -> bool {
        let top = |n: usize| self.top(n, suit.index);
        top(2) > top(1).max(top(3))
    }

    /// Returns true if the leader's side wins the trick, all playing as well as they can.
    fn lead_wins(&self, suit: &LedSuit, nth: i32) -> bool {
        let ruff = |n: usize| match self.trump {
            Some(trump) if suit.ruffs[n] => self.top(n, trump),
            _ => 0,
        };
        let (ours, theirs) = (ruff(2), ruff(1).max(ruff(3)));
        if ours > 0 || theirs > 0 {
            ours > theirs
        } else {
            nth == 1 || self.partner_tops(suit)
        }
    }
}

// The second hand.

impl Table {
    /// Returns true if the second hand's side wins the trick with a card of the second
    /// hand, all playing as well as they can.
    fn second_wins(&self, card: (usize, RankNumber)) -> bool {
        let (led, lead) = self.played[0];
        let ours = self.beats(card, (led, lead));
        let best = if ours { card } else { (led, lead) };
        self.answers(1).all(|third| {
            let beaten = self.beats(third, best);
            (ours && !beaten) || self.can_beat(2, if beaten { third } else { best })
        })
    }

    /// The weight of a card of the suit led. `equals`: whether lower cards
    /// of the hand touch it.
    fn second_following(&self, rank: RankNumber, equals: bool) -> i32 {
        let (led, lead) = self.played[0];
        let [third, fourth] = [1, 2].map(|n| self.suit(n, led));
        let [third_top, fourth_top, leader_top] = [1, 2, 3].map(|n| self.top(n, led));
        let below = |hand: &[RankNumber]| hand.last().is_some_and(|&lowest| rank < lowest);
        let held = self.hands.iter().flat_map(|hand| &hand[led]);
        let nth = held.filter(|&&other| other > rank).count() as i32 + 1;
        if self.trump.is_none() {
            return if fourth_top > lead.max(third_top) {
                -rank
            } else if rank > lead.max(third_top) {
                81 - rank
            } else if below(third) || below(fourth) {
                nth - 3
            } else if rank < lead {
                nth - 11
            } else {
                (if equals { 40 } else { 13 }) - rank
            };
        }
        if self.second_wins((led, rank)) {
            if below(third) {
                40 + nth
            } else if lead < fourth_top && fourth_top < leader_top {
                41 + nth
            } else if rank < lead {
                (if fourth.is_empty() { 40 } else { 47 }) - rank
            } else if rank < fourth_top {
                78 - rank
            } else if rank > third_top {
                73 - rank
            } else {
                (if equals { 62 } else { 49 }) - rank
            }
        } else if below(third) || below(fourth) {
            nth - 9
        } else if rank < lead {
            nth - 16
        } else {
            (if equals { 22 } else { 10 }) - rank
        }
    }

    /// The weight of a card of another suit.
    fn second_discarding(&self, suit: usize, rank: RankNumber) -> i32 {
        let wins = self.second_wins((suit, rank));
        let bonus = match (self.trump, wins) {
            (None, true) => self.length_bonus(suit, 23, 2, 3),
            (None, false) => self.length_bonus(suit, 33, 6, 8),
            (Some(_), true) => self.length_bonus(suit, 44, 0, 0),
            (Some(_), false) => self.length_bonus(suit, 36, 4, 0),
        };
        let base = match (wins, self.is_trump(suit)) {
            (true, true) => 24,
            (true, false) => 60,
            (false, true) => 15,
            (false, false) => -2,
        };
        base - rank + bonus
    }
}

// The third hand.

impl Table {
    fn third_following(&self, rank: RankNumber) -> i32 {
        let led = self.played[0].0;
        let (winner, best) = self.winning(Some((led, rank)));
        let (winning, _) = self.winning(None);
        let ours = winner != 1;
        if ours && !self.can_beat(1, best) {
            if self.runs.first() == Some(&rank) && self.overtakes() {
                100
            } else {
                60 - rank
            }
        } else if winner == 2
            && (self.forcing() == Some(rank) || (winning == 1 && self.suit(1, led).is_empty()))
        {
            40 - rank
        } else {
            -10 - rank
        }
    }

    /// The cheapest card that makes the last hand spend its top card, where it
    /// could have won with less.
    fn forcing(&self) -> Option<RankNumber> {
        let led = self.played[0].0;
        let (winner, best) = self.winning(None);
        let fourth = self.suit(1, led);
        if fourth.is_empty() || best.0 != led {
            return None;
        }
        let others: Vec<RankNumber> = [0, 2, 3]
            .into_iter()
            .flat_map(|n| self.suit(n, led).iter().copied())
            .chain(
                self.played
                    .iter()
                    .filter(|card| card.0 == led)
                    .map(|card| card.1),
            )
            .collect();
        // The cards below the fourth hand's top run.
        let broken = fourth
            .windows(2)
            .position(|pair| others.iter().any(|&rank| pair[1] < rank && rank < pair[0]))?;
        let rest = &fourth[broken + 1..];
        if !rest.iter().any(|&rank| winner == 1 || rank > best.1) {
            return None;
        }
        let useful = || {
            self.runs
                .iter()
                .copied()
                .filter(|&rank| rank > rest[0] && rank > best.1)
        };
        if useful().any(|rank| rank > fourth[0]) {
            return None;
        }
        useful().min()
    }

    /// Returns true if the third hand takes over a trick that its partner wins, at no
    /// trump with partner out of the suit, to run the rest of it.
    fn overtakes(&self) -> bool {
        let (led, lead) = self.played[0];
        let (fourth, second, own) = (self.suit(1, led), self.suit(3, led), self.suit(0, led));
        let (winner, _) = self.winning(None);
        if self.trump.is_some()
            || winner != 0
            || !self.suit(2, led).is_empty()
            || fourth.iter().any(|&rank| rank > lead)
            || self.runs.len() < 2
        {
            return false;
        }
        let followed = self.played[1].0 == led;
        let most = fourth.len().max(second.len() + usize::from(followed));
        if own[0] < lead {
            return self.seat == 0 && most <= 1;
        }
        let ranked = self.ranked(led);
        let top = ranked.iter().filter(|&&(rank, _)| rank != lead);
        let sure = top.take_while(|&&(rank, _)| own.contains(&rank)).count();
        self.runs[1] < lead && sure >= most
    }

    fn third_discarding(&self, suit: usize, rank: RankNumber) -> i32 {
        let bonus = match self.trump {
            None => self.length_bonus(suit, 24, 4, 4),
            Some(_) => self.length_bonus(suit, 40, 0, 0),
        };
        let (winner, best) = self.winning(Some((suit, rank)));
        let wins = winner != 1 && !self.can_beat(1, best);
        let ruffs = self.is_trump(suit);
        if self.winning(None).0 == 0 {
            match (ruffs, wins) {
                (true, true) => 30 - rank + bonus,
                (true, false) => self.suit(0, suit).len() as i32 - 12 - rank,
                (false, true) => 60 - rank + bonus,
                (false, false) => bonus - rank,
            }
        } else if !ruffs {
            bonus - rank
        } else if winner == 2 {
            (if wins { 200 } else { 100 }) - rank + bonus
        } else {
            -100 - rank
        }
    }
}

// The last hand.

impl Table {
    fn fourth_following(&self, rank: RankNumber) -> i32 {
        let (winner, best) = self.winning(None);
        let led = self.played[0].0;
        if winner == 1 || (best.0 == led && rank > best.1) {
            30 - rank
        } else {
            14 - rank
        }
    }

    fn fourth_discarding(&self, suit: usize, rank: RankNumber) -> i32 {
        let bonus = match self.trump {
            None => self.length_bonus(suit, 27, 6, 8),
            Some(_) => self.length_bonus(suit, 24, 2, 0),
        };
        let (winner, best) = self.winning(None);
        let ruffs = self.is_trump(suit);
        if winner == 1 {
            (if ruffs { 7 } else { 30 }) - rank + bonus
        } else if ruffs && self.beats((suit, rank), best) {
            100 - rank + bonus
        } else if ruffs {
            -100 - rank
        } else {
            14 - rank + bonus
        }
    }
}
