//! Players that do not search, and a player that delegates to another.

use fastrand::Rng;
use setrograde_beliefs::{Game, View};
use setrograde_cards::Seat;

use super::choice::plain;
use super::ismcts::Ismcts;
use crate::player::{Player, PlayerChoice, PlayerError};
use crate::thumb;

/// Any legal card, all equally likely.
pub(super) struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<PlayerChoice, PlayerError> {
        let legal = view.legal();
        let at = rng.usize(0..legal.len().max(1));
        plain(legal.iter().nth(at))
    }
}

/// The [rules of thumb](crate::thumb).
pub(super) struct Simple;

impl<G: Game> Player<G> for Simple {
    fn choose(&mut self, view: &View<G>, _: &mut Rng) -> Result<PlayerChoice, PlayerError> {
        let legal = view.legal();
        if legal.is_empty() {
            return Err(PlayerError::NothingToPlay);
        }
        let hand = view.hand(view.to_play()).unwrap_or(legal);
        let partner = Some(view.to_play().partner());
        // Cards of the partner's hand, if visible, are not out.
        let seen_partner = partner
            .filter(|_| view.dummy().is_some())
            .and_then(|p| view.hand(p));
        let mut out = view.unseen();
        for seat in Seat::ALL {
            if seat != view.to_play() && Some(seat) != partner {
                out |= view.hand(seat).unwrap_or_default();
            }
        }
        out -= seen_partner.unwrap_or_default();
        plain(Some(thumb::card(
            view.game(),
            hand,
            legal,
            view.trick(),
            out,
        )))
    }
}

/// Plays as `ismcts` until few tricks are left, then hands over. Solving a layout double dummy
/// costs two to three times as much for each further trick, a roll-out costs almost nothing, so the
/// same time is enough for many more layouts of endings.
pub(super) struct Relay<G> {
    pub first: Ismcts,
    pub second: Box<dyn Player<G>>,
    /// The second plays from this many tricks before the end.
    pub from: usize,
}

impl<G: Game> Player<G> for Relay<G> {
    fn new_board(&mut self) {
        self.second.new_board();
    }

    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<PlayerChoice, PlayerError> {
        if view.tricks_left() > self.from {
            self.first.choose(view, rng)
        } else {
            self.second.choose(view, rng)
        }
    }
}
