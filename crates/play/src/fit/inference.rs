//! How well others are taken to play.
//!
//! The true layout of a sample stands among others that fit what was seen. The
//! temperature and the share of slips are those under which it is picked out
//! with the greatest probability.

use fastrand::Rng;
use setrograde_beliefs::Layout;
use setrograde_solver::{Options, Solver};

use super::sample::Sample;
use crate::inference::{Inference, Losses, plays_of_others};
use crate::player::PlayerError;
use setrograde_games::{Game, Strengths};

/// The layouts of a sample, the true one first: what the cards that others could
/// have played would have lost in each.
#[derive(Clone, Debug)]
pub struct LineUp(Vec<Vec<Losses>>);

impl LineUp {
    /// The true layout and all others, if there are at most `count` in all; else
    /// `count - 1` others at random. `None` if there is no other, or the game is
    /// not played as bridge. Plays with more than `tricks` tricks left are not
    /// looked at.
    ///
    /// # Errors
    ///
    /// If the solver fails, or the layout does not fit.
    pub fn new<G: Game>(
        sample: &Sample<G>,
        count: usize,
        tricks: usize,
        rng: &mut Rng,
    ) -> Result<Option<LineUp>, PlayerError> {
        let Some(strain) = sample.view.game().strain() else {
            return Ok(None);
        };
        let beliefs = sample.view.beliefs(&Strengths::NONE)?;
        let mut layouts: Vec<Layout> = vec![sample.truth];
        if beliefs.count() <= count as u128 {
            layouts.extend(beliefs.layouts().filter(|layout| *layout != sample.truth));
        } else {
            layouts.extend((1..count).map(|_| beliefs.sample(rng)));
        }
        if layouts.len() < 2 {
            return Ok(None);
        }
        let losses = |layout: &Layout| {
            let options = Options {
                memory: 8 << 20,
                ..Options::default()
            };
            let mut solver = Solver::new(options);
            plays_of_others(&sample.view, layout, 0)
                .filter(|(state, _)| state.tricks_left() <= tricks)
                .map(|(state, card)| Losses::new(&mut solver, &state, strain, card))
                .collect()
        };
        let losses: Result<Vec<Vec<Losses>>, PlayerError> = layouts.iter().map(losses).collect();
        Ok(Some(LineUp(losses?)))
    }

    /// Number of layouts.
    #[must_use]
    pub fn layouts(&self) -> usize {
        self.0.len()
    }

    /// −ln of the probability that is given to the true layout.
    #[must_use]
    pub fn log_loss(&self, inference: &Inference) -> f64 {
        let log = |plays: &Vec<Losses>| -> f64 {
            let logs = plays.iter().map(|play| inference.probability(play).ln());
            logs.sum()
        };
        let logs: Vec<f64> = self.0.iter().map(log).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().map(|log| (log - most).exp()).sum();
        most + sum.ln() - logs.first().copied().unwrap_or(most)
    }
}

/// The mean of the line-ups' log-losses, and of what it would be without
/// inference.
#[must_use]
pub fn log_losses(line_ups: &[LineUp], inference: &Inference) -> (f64, f64) {
    let count = line_ups.len().max(1) as f64;
    let with: f64 = line_ups.iter().map(|of| of.log_loss(inference)).sum();
    let without: f64 = line_ups.iter().map(|of| (of.layouts() as f64).ln()).sum();
    (with / count, without / count)
}

/// The inference under which the true layouts are picked out best: temperatures
/// from 0.1 to 10 in steps of 10 %, slips from 0.01 to 0.5 in steps of 20 %.
/// `None` without line-ups.
#[must_use]
pub fn fit(line_ups: &[LineUp], tricks: usize) -> Option<Inference> {
    let grid = |low: f64, high: f64, step: f64| {
        std::iter::successors(Some(low), move |at| Some(at * step)).take_while(move |at| *at < high)
    };
    let mut best = None;
    let mut least = f64::INFINITY;
    for temperature in grid(0.1, 10.0, 1.1) {
        for slips in grid(0.01, 0.5, 1.2) {
            let inference = Inference {
                temperature,
                slips,
                tricks,
            };
            let (loss, _) = log_losses(line_ups, &inference);
            if loss < least && !line_ups.is_empty() {
                least = loss;
                best = Some(inference);
            }
        }
    }
    best
}
