//! The weights of the last hand's cards.

use super::{Rank, Table};

impl Table {
    pub(super) fn fourth_following(&self, rank: Rank) -> i32 {
        let (winner, best) = self.winning(None);
        let led = self.played[0].0;
        if winner == 1 || (best.0 == led && rank > best.1) {
            30 - rank
        } else {
            14 - rank
        }
    }

    pub(super) fn fourth_discarding(&self, suit: usize, rank: Rank) -> i32 {
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
