//! The weights of the leader's cards.

use super::{Rank, Table};

/// A suit that may be led, as the leader sees it. Hands are counted from the
/// leader: 0 itself, 1 the next, 2 its partner, 3 the last to play.
struct Suit {
    index: usize,
    /// Cards by hand.
    lengths: [usize; 4],
    /// Who holds the best, the second best and the third best card.
    owners: [Option<usize>; 3],
    /// Whether it is not trump while there are trumps.
    side: bool,
    /// By hand, whether it can ruff.
    ruffs: [bool; 4],
}

impl Suit {
    fn new(table: &Table, index: usize) -> Suit {
        let lengths = [0, 1, 2, 3].map(|n| table.suit(n, index).len());
        let owner = |place| Some((table.owner(index, place)? + 4 - table.seat) & 3);
        let side = table.trump.is_some_and(|trump| trump != index);
        let trumps = |n: usize| {
            table
                .trump
                .is_some_and(|trump| !table.suit(n, trump).is_empty())
        };
        Suit {
            index,
            lengths,
            owners: [owner(0), owner(1), owner(2)],
            side,
            ruffs: [0, 1, 2, 3].map(|n| side && lengths[n] == 0 && trumps(n)),
        }
    }

    fn is(&self, place: usize, owner: usize) -> bool {
        self.owners[place] == Some(owner)
    }

    /// Whether an opponent has nothing but the best card.
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

    /// Whether the last hand's best or second best card speaks against the suit.
    fn under_the_last(&self) -> bool {
        (self.is(0, 3) || self.is(1, 3)) && self.lengths[3] != 1
    }

    /// Whether the suit goes through the best card to partner's second best.
    fn through_the_best(&self) -> bool {
        self.is(0, 1) && self.is(1, 2) && self.lengths[2] != 1
    }

    /// What is added if the leader's side cannot win the trick but has both the
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
    /// The weight of a lead. `equals` tells whether lower cards of the hand touch
    /// it.
    pub(super) fn lead(&self, suit: usize, rank: Rank, equals: bool) -> i32 {
        let ranked = self.ranked(suit);
        let place = ranked.iter().take_while(|card| card.0 > rank).count() as i32 + 1;
        let suit = Suit::new(self, suit);
        let cards = self.hands[self.seat].iter().map(Vec::len).sum();
        let replies = 128 * suit.replies(cards);
        match self.trump {
            None => self.no_trump_lead(&suit, place, equals) - replies / 19,
            Some(_) => self.trump_lead(&suit, rank, place, equals) - replies / 13,
        }
    }

    fn no_trump_lead(&self, suit: &Suit, place: i32, equals: bool) -> i32 {
        let void = if suit.lengths[2] == 0 { -9 } else { 0 };
        if place == 1 || self.partner_tops(suit) {
            let second = match suit.owners[1] {
                Some(3) if suit.lengths[3] != 1 => -28,
                Some(1) if suit.lengths[1] != 1 => -5,
                Some(1) => 16,
                _ => 0,
            };
            return 45 + place + second + void;
        }
        let delta = if suit.under_the_last() {
            -10
        } else if suit.through_the_best() {
            31
        } else {
            0
        };
        let base = if suit.bare_best() {
            28 + place
        } else if suit.is(0, 0) {
            place - 17
        } else if !equals {
            12 + place
        } else if place == 2 {
            48
        } else {
            29 - place
        };
        base + delta + void + suit.next_two(35, 25)
    }

    fn trump_lead(&self, suit: &Suit, rank: Rank, place: i32, equals: bool) -> i32 {
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
        if self.lead_wins(suit, place) {
            return delta + Self::winning_trump_lead(suit, place, equals);
        }
        let base = if suit.bare_best() {
            2 + place
        } else if suit.is(0, 0) && suit.is(1, 2) {
            33 + place
        } else if suit.is(0, 0) {
            if place == 1 { 38 } else { place - 14 }
        } else if suit.is(0, 2) {
            34 + place
        } else if equals && place == 2 {
            35
        } else {
            17 - rank
        };
        base + delta + suit.next_two(20, 13)
    }

    fn winning_trump_lead(suit: &Suit, place: i32, equals: bool) -> i32 {
        if suit.bare_best() {
            35 + place
        } else if suit.is(0, 0) && suit.is(1, 2) {
            48 + place
        } else if suit.is(0, 0) {
            if place == 1 { 31 } else { place - 3 }
        } else if suit.is(0, 2) {
            (if suit.is(1, 0) { 42 } else { 28 }) + place
        } else if equals && place == 2 {
            40
        } else if equals {
            22 + place
        } else {
            11 + place
        }
    }

    /// Whether partner's best card of the suit beats the opponents'.
    fn partner_tops(&self, suit: &Suit) -> bool {
        let top = |n: usize| self.top(n, suit.index);
        top(2) > top(1).max(top(3))
    }

    /// Whether the leader's side wins the trick, all playing as well as they can.
    fn lead_wins(&self, suit: &Suit, place: i32) -> bool {
        let ruff = |n: usize| match self.trump {
            Some(trump) if suit.ruffs[n] => self.top(n, trump),
            _ => 0,
        };
        let (ours, theirs) = (ruff(2), ruff(1).max(ruff(3)));
        if ours > 0 || theirs > 0 {
            ours > theirs
        } else {
            place == 1 || self.partner_tops(suit)
        }
    }
}
