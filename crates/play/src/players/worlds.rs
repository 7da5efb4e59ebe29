//! Sampled layouts that are kept from card to card.

use std::sync::Arc;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Layout};
use setrograde_cards::{Hand, Seat};
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options, Solver};

use super::clock::Running;
use crate::inference::{Inferring, Losses, plays_of_others};
use crate::perfect::Perfect;
use crate::player::PlayerError;
use setrograde_games::{Game, View};

/// Layouts of the hidden hands: those that the play contradicts are replaced. A
/// kept layout is still an exact sample of those that fit, and its solver keeps
/// what it has learned. Where there are no more layouts than wanted, all of them
/// are taken.
pub(super) struct KeptWorlds {
    count: usize,
    options: Options,
    inference: Option<Inferring>,
    worlds: Vec<World>,
}

/// A layout that is kept from card to card.
pub(super) struct World {
    /// The hidden hands.
    pub layout: Layout,
    /// The weight of the layout.
    pub weight: f64,
    pub solver: Solver,
    pub perfect: Perfect,
    /// The logarithm of the layout's weight when it was last looked at.
    log_weight: f64,
    /// By how much the layout should have been drawn more often than it was.
    rarity: f64,
    /// The logarithm of the likelihood of the plays of others, up to the play
    /// numbered `plays`.
    log_likelihood: f64,
    plays: usize,
}

impl KeptWorlds {
    /// `count` layouts with `memory` bytes for each one's solver.
    pub fn new(
        count: usize,
        memory: usize,
        inference: Option<Inferring>,
        database: Option<Arc<Database>>,
        cancel: Arc<std::sync::atomic::AtomicBool>,
    ) -> KeptWorlds {
        KeptWorlds {
            count,
            options: Options {
                memory,
                endgames: database.map(|database| database as Arc<dyn Endgames>),
                cancel: Some(cancel),
            },
            inference,
            worlds: Vec::new(),
        }
    }

    /// Forgets all layouts.
    pub fn clear(&mut self) {
        self.worlds.clear();
    }

    /// Layouts that fit `beliefs`, what `view` knows, with their weights. At least
    /// one, also when the time is over.
    pub fn renew<G: Game>(
        &mut self,
        view: &View<G>,
        beliefs: &Beliefs,
        clock: &Running<'_>,
        rng: &mut Rng,
    ) -> Result<&mut [World], PlayerError> {
        self.drop_contradicted(view, beliefs);
        if beliefs.count() <= self.count as u128 {
            self.take_all(beliefs);
        } else {
            // Those drawn now weigh 1.
            let sum: f64 = self.worlds.iter().map(|world| world.rarity).sum();
            let mean = sum / self.worlds.len().max(1) as f64;
            for world in &mut self.worlds {
                world.rarity /= mean;
            }
            while self.worlds.len() < self.count {
                let world = self.world(beliefs, beliefs.sample(rng));
                self.worlds.push(world);
            }
        }
        self.infer(view, clock)?;
        Ok(&mut self.worlds)
    }

    fn drop_contradicted<G: Game>(&mut self, view: &View<G>, beliefs: &Beliefs) {
        let played: Hand = view.history().iter().copied().collect();
        self.worlds.retain_mut(|world| {
            for seat in Seat::ALL {
                let hand = &mut world.layout[seat.index()];
                *hand -= played;
                if let Some(seen) = view.hand(seat) {
                    // Dummy was hidden when the layout was drawn.
                    if !hand.is_empty() && *hand != seen {
                        return false;
                    }
                    *hand = Hand::EMPTY;
                }
            }
            let now = log_weight(beliefs, &world.layout);
            // What was learned since changes weights of layouts; the cards that
            // were played change all of them alike.
            world.rarity *= (now - world.log_weight).exp();
            world.log_weight = now;
            now > f64::NEG_INFINITY
        });
    }

    /// Takes all layouts, those that are kept among them.
    fn take_all(&mut self, beliefs: &Beliefs) {
        let mut kept = std::mem::take(&mut self.worlds);
        for layout in beliefs.layouts() {
            let known = kept.iter().position(|world| world.layout == layout);
            let mut world = match known {
                Some(at) => kept.swap_remove(at),
                None => self.world(beliefs, layout),
            };
            world.rarity = world.log_weight.exp();
            self.worlds.push(world);
        }
    }

    fn world(&self, beliefs: &Beliefs, layout: Layout) -> World {
        World {
            layout,
            weight: 1.0,
            solver: Solver::new(self.options.clone()),
            perfect: Perfect::default(),
            log_weight: log_weight(beliefs, &layout),
            rarity: 1.0,
            log_likelihood: 0.0,
            plays: 0,
        }
    }

    /// Weighs the layouts, by what they make of the play of others too.
    fn infer<G: Game>(&mut self, view: &View<G>, clock: &Running<'_>) -> Result<(), PlayerError> {
        if let (Some(inferring), Some(strain)) = (self.inference, view.game().strain()) {
            let inference = inferring.inference(view.game());
            for number in 0..self.worlds.len() {
                clock.check_cancelled()?;
                if number > 0 && clock.is_over() {
                    self.worlds.truncate(number);
                    break;
                }
                let world = &mut self.worlds[number];
                for (state, card) in plays_of_others(view, &world.layout, world.plays) {
                    if state.tricks_left() <= inference.tricks {
                        let losses = Losses::new(&mut world.solver, &state, strain, card)?;
                        world.log_likelihood += inference.probability(&losses).ln();
                    }
                }
                world.plays = view.history().len();
            }
        }
        let likelihoods = self.worlds.iter().map(|world| world.log_likelihood);
        let most = likelihoods.fold(f64::NEG_INFINITY, f64::max);
        for world in &mut self.worlds {
            world.weight = world.rarity * (world.log_likelihood - most).exp();
        }
        Ok(())
    }
}

/// The logarithm of a layout's weight, by which weights of several moments can
/// be compared.
fn log_weight(beliefs: &Beliefs, layout: &Layout) -> f64 {
    beliefs.log_probability(layout) + beliefs.log_total()
}
