//! The weights of the second hand's cards.

use super::{Rank, Table};

impl Table {
    /// The cards that the hand `n` seats on may play to a trick in `led`.
    fn answers(&self, n: usize, led: usize) -> Vec<(usize, Rank)> {
        let follows = !self.suit(n, led).is_empty();
        (0..4)
            .filter(|&suit| !follows || suit == led)
            .flat_map(|suit| self.suit(n, suit).iter().map(move |&rank| (suit, rank)))
            .collect()
    }

    /// Whether the second hand's side wins the trick with a card of the second
    /// hand, all playing as well as they can.
    fn second_wins(&self, card: (usize, Rank)) -> bool {
        let (led, lead) = self.played[0];
        let ours = self.beats(card, (led, lead));
        let best = if ours { card } else { (led, lead) };
        self.answers(1, led).into_iter().all(|third| {
            let beaten = self.beats(third, best);
            (ours && !beaten) || self.can_beat(2, if beaten { third } else { best })
        })
    }

    pub(super) fn second_following(&self, rank: Rank, equals: bool) -> i32 {
        let (led, lead) = self.played[0];
        let (third, fourth, leader) = (self.suit(1, led), self.suit(2, led), self.suit(3, led));
        let lowest = |hand: &[Rank]| hand.last().copied();
        let better = if equals { 15 } else { 0 };
        if self.second_wins((led, rank)) {
            let top = leader.first().copied().unwrap_or(0);
            if lowest(third).is_some_and(|low| low > rank) {
                45 - rank
            } else if fourth.iter().any(|&card| lead < card && card < top) {
                60 - rank
            } else if rank > lead {
                if lowest(fourth).is_some_and(|low| rank < low) {
                    75 - rank
                } else if rank > top {
                    70 - rank
                } else {
                    45 + better - rank
                }
            } else if !fourth.is_empty() && equals {
                50 - rank
            } else {
                45 - rank
            }
        } else if lowest(third).is_some_and(|low| low > rank)
            || lowest(fourth).is_some_and(|low| low > rank)
            || rank < lead
        {
            -rank
        } else if equals {
            20 - rank
        } else {
            10 - rank
        }
    }

    pub(super) fn second_discarding(&self, suit: usize, rank: Rank) -> i32 {
        let bonus = self.length_bonus(suit, 36, 2, 0);
        let ruffs = self.is_trump(suit);
        let base = match (self.second_wins((suit, rank)), ruffs) {
            (true, true) => 30,
            (true, false) => 60,
            (false, true) => 15,
            (false, false) => 0,
        };
        base - rank + bonus
    }
}
