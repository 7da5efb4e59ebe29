//! Information-set Monte-Carlo tree search with one observer (SO-ISMCTS:
//! Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search",
//! IEEE Transactions on Computational Intelligence and AI in Games 4, 2012).

use std::sync::Arc;

use fastrand::Rng;
use setrograde_beliefs::{Game, State, Strengths, View};
use setrograde_cards::Seat;
use setrograde_lookup::Database;

use super::choice::{Clock, forced};
use super::pimc::endings;
use super::tree::{Search, random_card};
use crate::player::{Player, PlayerChoice, PlayerError};
use crate::thumb;

/// The roll-out to the end of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rollout {
    /// Random legal cards.
    Random,
    /// By the [rules of thumb](crate::thumb).
    Simple,
}

/// SO-ISMCTS: the cards of all seats are nodes of one tree, each node is chosen
/// for the side that moves, and every iteration plays on an exact sample of the
/// layouts. With a database, boards end at its depth.
pub(super) struct Ismcts {
    pub(super) iterations: usize,
    pub(super) exploration: f64,
    pub(super) rollout: Rollout,
    pub(super) rules: Strengths,
    pub(super) database: Option<Arc<Database>>,
    pub(super) clock: Clock,
}

impl<G: Game> Player<G> for Ismcts {
    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<PlayerChoice, PlayerError> {
        if let Some(choice) = forced(view)? {
            return Ok(choice);
        }
        let beliefs = view.beliefs(&self.rules)?;
        let endings = endings(view.game(), self.database.as_deref());
        let rollout = self.rollout;
        let search = Search {
            view,
            iterations: self.iterations,
            exploration: self.exploration,
            layouts: |rng: &mut Rng| beliefs.sample(rng),
            in_tree: |_: Seat| true,
            finish: |game: &G, mut state: State, rng: &mut Rng| {
                while !state.is_over() {
                    if state.trick().is_empty()
                        && let Some(endings) = &endings
                        && state.tricks_left() <= endings.depth()
                    {
                        return Ok(endings.finish(&state)?);
                    }
                    let card = match rollout {
                        Rollout::Random => random_card(state.legal(game), rng),
                        Rollout::Simple => thumb::card_with_all_seen(game, &state),
                    };
                    state.play(game, card);
                }
                Ok(*state.tally())
            },
        };
        search.run(&self.clock.start(), rng)
    }
}
