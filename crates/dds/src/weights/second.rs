//! The weights of the second hand's cards.

use super::{Rank, Table};

impl Table {
    /// Whether the second hand's side wins the trick with a card of the second
    /// hand, all playing as well as they can.
    fn second_wins(&self, card: (usize, Rank)) -> bool {
        let (led, lead) = self.played[0];
        let ours = self.beats(card, (led, lead));
        let best = if ours { card } else { (led, lead) };
        self.answers(1).all(|third| {
            let beaten = self.beats(third, best);
            (ours && !beaten) || self.can_beat(2, if beaten { third } else { best })
        })
    }

    /// The weight of a card of the suit led. `equals` tells whether lower cards
    /// of the hand touch it.
    pub(super) fn second_following(&self, rank: Rank, equals: bool) -> i32 {
        let (led, lead) = self.played[0];
        let [third, fourth] = [1, 2].map(|n| self.suit(n, led));
        let [third_top, fourth_top, leader_top] = [1, 2, 3].map(|n| self.top(n, led));
        let below = |hand: &[Rank]| hand.last().is_some_and(|&lowest| rank < lowest);
        let held = self.hands.iter().flat_map(|hand| &hand[led]);
        let place = held.filter(|&&other| other > rank).count() as i32 + 1;
        if self.trump.is_none() {
            return if fourth_top > lead.max(third_top) {
                -rank
            } else if rank > lead.max(third_top) {
                81 - rank
            } else if below(third) || below(fourth) {
                place - 3
            } else if rank < lead {
                place - 11
            } else {
                (if equals { 40 } else { 13 }) - rank
            };
        }
        if self.second_wins((led, rank)) {
            if below(third) {
                40 + place
            } else if lead < fourth_top && fourth_top < leader_top {
                41 + place
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
            place - 9
        } else if rank < lead {
            place - 16
        } else {
            (if equals { 22 } else { 10 }) - rank
        }
    }

    /// The weight of a card of another suit.
    pub(super) fn second_discarding(&self, suit: usize, rank: Rank) -> i32 {
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
