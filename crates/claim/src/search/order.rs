//! The order in which cards are tried.

use crate::knowledge::seating::Role;
use crate::knowledge::state::State;
use crate::lanes::{lane, suit_of, top};
use crate::search::Search;
use crate::search::moves::{self, Moves};
use crate::search::trick::Trick;

impl Search<'_> {
    /// The cards to try, the likeliest first.
    pub fn moves(&self, state: &State, seat: usize, trick: Option<&Trick>) -> Moves {
        let mut found = match self.seating.roles[seat] {
            Role::Visible(who, _) => moves::of_visible(state, who, trick),
            Role::Hidden(who) => {
                let played = trick.map_or(0, |trick| trick.played);
                let other_to_come = self.seating.other_to_come(seat, played);
                moves::of_hidden(state, who, trick, other_to_come)
            }
        };
        if found.len() > 1 {
            let claimers = self.seating.is_claimers(seat);
            match trick {
                None => moves::sort(&mut found, |card| {
                    i64::from(self.lead_score(state, seat, card))
                }),
                Some(trick) => moves::sort(&mut found, |card| {
                    let score = self.follow_score(trick, card);
                    let history = self.history[seat][trick.played][card.trailing_zeros() as usize];
                    let history = if claimers { history } else { 0 };
                    (i64::from(score > 40) << 40) + i64::from(history) * 64 + i64::from(score)
                }),
            }
        }
        found
    }

    fn lead_score(&self, state: &State, seat: usize, card: u64) -> i32 {
        let suit = suit_of(card);
        let theirs = top(state.unseen & lane(suit));
        let rank = (card.trailing_zeros() % 16) as i32;
        match self.seating.roles[seat] {
            Role::Visible(who, true) => {
                let mine = state.visible[who] & lane(suit);
                let partners = state.visible[1 - who] & lane(suit);
                let trump = i32::from(Some(suit) == self.seating.trump && theirs != 0);
                if card > theirs {
                    100 + 40 * trump - (mine.count_ones() as i32) + rank / 4
                } else if partners > theirs {
                    80 + 40 * trump - rank
                } else {
                    20 - rank
                }
            }
            _ => rank,
        }
    }

    fn follow_score(&self, trick: &Trick, card: u64) -> i32 {
        let rank = (card.trailing_zeros() % 16) as i32;
        if trick.is_beaten_by(card, self.seating.trump) {
            let partners = trick.winner % 2 == trick.to_play() % 2;
            if partners { 10 + rank } else { 60 - rank }
        } else {
            30 - rank
        }
    }
}
