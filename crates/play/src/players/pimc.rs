//! Perfect-information Monte Carlo (Levy, "The million pound bridge program",
//! 1989; Ginsberg, "GIB: Imperfect Information in a Computationally Challenging
//! Game", JAIR 14, 2001).

use std::sync::Arc;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Layout};
use setrograde_cards::{Card, Hand};
use setrograde_lookup::Database;

use super::choice::{effective, forced, sort_worth};
use super::clock::{Clock, Running};
use super::worlds::{KeptWorlds, World};
use crate::inference::Inferring;
use crate::player::{CardWorth, Choice, Player, PlayerError};
use setrograde_games::{Game, Strengths, View};
use setrograde_single_dummy::{Endings, tricks_of_cards, with_tricks};

/// With a database and at most this many tricks left, all layouts are looked
/// at.
const ALL_LAYOUTS: usize = 5;

/// And at most this many of them, spread over all.
const MOST_LAYOUTS: u128 = 20_000;

/// The samples of `pimc`.
#[derive(Clone, Debug)]
pub(super) struct Sampling {
    /// Number of layouts.
    pub worlds: usize,
    /// Bytes of each layout's solver.
    pub memory: usize,
    /// Games without a solver are searched from this many tricks before the end.
    pub exact: usize,
    pub rules: Strengths,
    pub inference: Option<Inferring>,
}

/// Looks at sampled layouts, with all cards known from there on, and plays the
/// card that does best in the mean.
///
/// The layouts are kept from card to card: those that the play contradicts are
/// replaced. Where there are no more than wanted, all are taken.
pub struct Pimc {
    sampling: Sampling,
    database: Option<Arc<Database>>,
    clock: Clock,
    worlds: KeptWorlds,
}

impl Pimc {
    pub(super) fn new(sampling: Sampling, database: Option<Arc<Database>>, clock: Clock) -> Pimc {
        Pimc {
            worlds: KeptWorlds::new(
                sampling.worlds,
                sampling.memory,
                sampling.inference,
                database.clone(),
                clock.cancel.clone(),
            ),
            sampling,
            database,
            clock,
        }
    }
}

impl<G: Game> Player<G> for Pimc {
    fn new_board(&mut self) {
        self.worlds.clear();
    }

    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<Choice, PlayerError> {
        if let Some(choice) = forced(view)? {
            return Ok(choice);
        }
        let beliefs = view.beliefs(&self.sampling.rules)?;
        let clock = self.clock.start();
        let endings = endings(view.game(), self.database.as_deref())
            .filter(|endings| view.tricks_left() <= endings.depth().min(ALL_LAYOUTS));
        match endings {
            Some(endings) => all_layouts(view, &beliefs, &endings, &clock, rng)?,
            None => {
                let worlds = self.worlds.renew(view, &beliefs, &clock, rng)?;
                sampled(view, worlds, self.sampling.exact, &clock)?
            }
        }
        .choice()
    }
}

/// The endings of a game that is played as bridge, if there is a database.
pub(super) fn endings<'a, G: Game>(
    game: &G,
    database: Option<&'a Database>,
) -> Option<Endings<'a>> {
    Some(Endings::new(game.strain()?, database?))
}

/// The worth of each card in the layouts, as many as the time allows.
fn sampled<G: Game>(
    view: &View<G>,
    worlds: &mut [World],
    exact: usize,
    clock: &Running<'_>,
) -> Result<Sums, PlayerError> {
    let game = view.game();
    let party = game.party(view.to_play());
    let mut sums = Sums::new(view.legal());
    for (number, world) in worlds.iter_mut().enumerate() {
        clock.check_cancelled()?;
        if number > 0 && clock.is_over() {
            break;
        }
        let state = view.state(&world.layout);
        sums.weights.push(world.weight);
        if let Some(strain) = game.strain() {
            for (card, tricks) in tricks_of_cards(&mut world.solver, &state, strain)? {
                let left = state.tricks_left() as u8;
                let first = if party == 0 { tricks } else { left - tricks };
                let tally = with_tricks(&state, first);
                sums.add(card, game.utility(&tally, party), world.weight);
            }
        } else {
            for card in view.legal() {
                let margin = world.perfect.margin(game, state.after(game, card), exact);
                let margin = if party == 0 { margin } else { -margin };
                sums.add(card, margin.into(), world.weight);
            }
        }
    }
    Ok(sums)
}

/// Looks up every legal card in all layouts, or in many spread over all.
fn all_layouts<G: Game>(
    view: &View<G>,
    beliefs: &Beliefs,
    endings: &Endings<'_>,
    clock: &Running<'_>,
    rng: &mut Rng,
) -> Result<Sums, PlayerError> {
    let party = view.game().party(view.to_play());
    let mut sums = Sums::new(view.legal());
    let mut look_up = |layout: &Layout, weight: f64| -> Result<(), PlayerError> {
        if sums.weights.len().is_multiple_of(256) {
            clock.check_cancelled()?;
        }
        sums.weights.push(weight);
        let state = view.state(layout);
        for card in view.legal() {
            let tally = endings.finish_with(&state, card)?;
            sums.add(card, view.game().utility(&tally, party), weight);
        }
        Ok(())
    };
    if beliefs.count() <= MOST_LAYOUTS {
        for layout in beliefs.layouts() {
            let weight = beliefs.log_probability(&layout).exp();
            look_up(&layout, weight)?;
        }
    } else {
        for layout in beliefs.stratified(MOST_LAYOUTS as usize, rng) {
            look_up(&layout, 1.0)?;
        }
    }
    Ok(sums)
}

/// Sums of what cards are worth.
struct Sums {
    cards: Vec<(Card, f64, f64, usize)>,
    /// Of the layouts.
    weights: Vec<f64>,
}

impl Sums {
    fn new(legal: Hand) -> Sums {
        Sums {
            cards: legal.iter().map(|card| (card, 0.0, 0.0, 0)).collect(),
            weights: Vec::new(),
        }
    }

    fn add(&mut self, card: Card, value: f64, weight: f64) {
        if let Some((_, sum, weights, count)) = self.cards.iter_mut().find(|(c, ..)| *c == card) {
            *sum += value * weight;
            *weights += weight;
            *count += 1;
        }
    }

    fn choice(self) -> Result<Choice, PlayerError> {
        let mean = |&(card, sum, weights, visits): &(Card, f64, f64, usize)| CardWorth {
            card,
            value: sum / weights,
            visits,
        };
        let mut worth: Vec<CardWorth> = self.cards.iter().map(mean).collect();
        // Sums of equal values in another order may differ in the last bits.
        sort_worth(&mut worth, |of| (of.value * 1e9).round());
        Ok(Choice {
            card: worth.first().ok_or(PlayerError::NothingToPlay)?.card,
            worth,
            worlds: self.weights.len(),
            effective: effective(&self.weights),
        })
    }
}
