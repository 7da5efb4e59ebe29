//! The weights of the third hand's cards.

use super::{Rank, Table};

impl Table {
    pub(super) fn third_following(&self, rank: Rank) -> i32 {
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
    fn forcing(&self) -> Option<Rank> {
        let led = self.played[0].0;
        let (winner, best) = self.winning(None);
        let fourth = self.suit(1, led);
        if fourth.is_empty() || best.0 != led {
            return None;
        }
        let others: Vec<Rank> = [0, 2, 3]
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

    /// Whether the third hand takes over a trick that its partner wins, at no
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

    pub(super) fn third_discarding(&self, suit: usize, rank: Rank) -> i32 {
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
