//! One player for the first tricks, another for the rest.

use fastrand::Rng;

use super::ismcts::Ismcts;
use crate::player::{Choice, Player, PlayerError};
use setrograde_games::{Game, View};

/// Plays as `ismcts` until few tricks are left, then hands over. Looking at a
/// layout with all cards known costs two to three times as much for each trick more,
/// a roll-out hardly anything: the same time buys many more layouts of endings.
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

    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<Choice, PlayerError> {
        if view.tricks_left() > self.from {
            self.first.choose(view, rng)
        } else {
            self.second.choose(view, rng)
        }
    }
}
