//! The distribution of double-dummy tricks over layouts that are drawn, where there are too
//! many to count.
//!
//! Each layout is drawn from the beliefs by a generator of its own, seeded by its number: the
//! answer is the same for any number of threads, and conditions are met without rejection.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Layout};
use setrograde_cards::{Card, Contract, Deal, Position, Vulnerability, imps};
use setrograde_games::{View, Whist};
use setrograde_ordered::in_order;
use setrograde_solver::{Options, Solver};

use crate::double_dummy::{position, tricks_of_cards};
use crate::error::SearchError;
use crate::odds::Odds;

/// Layouts between two looks at the interval.
const BATCH: usize = 64;

/// The quantile of the normal distribution for intervals of 95 %.
const NORMAL: f64 = 1.959_964;

/// The size of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// The most layouts.
    pub layouts: usize,
    /// The half-width of the 95 % intervals of all chances at which to stop.
    pub until: Option<f64>,
    /// The seed of the layouts.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// Whether [`sampled`] gives the odds of each card, too.
    pub by_card: bool,
}

/// Contracts that are compared.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The contracts.
    pub contracts: &'a [Contract],
    /// The vulnerable sides.
    pub vulnerability: Vulnerability,
}

/// Odds from layouts that were drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// The odds of the side that leads, or led, to the current trick.
    pub all: Odds,
    /// The odds of each card that may be played, for its own side; empty unless asked for.
    pub cards: Vec<(Card, Odds)>,
}

/// A contract's results in layouts that were drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractOdds {
    /// The contract.
    pub contract: Contract,
    /// The odds of its declarer's tricks.
    pub odds: Odds,
    /// The mean score of its side.
    pub score: f64,
    /// The half-width of the mean's 95 % interval.
    pub score_half_width: f64,
    /// The share of matchpoints against each other contract of the list, 0 to 1.
    pub matchpoints: f64,
    /// The mean of IMPs against the first contract of the list.
    pub imps: f64,
}

/// The half-width of the 95 % interval of the mean of `odds`, if they come from layouts that
/// were drawn.
#[must_use]
pub fn mean_half_width(odds: &Odds) -> f64 {
    let mean = odds.mean();
    let chances = odds.chances.iter().enumerate();
    let squares = chances.map(|(tricks, chance)| chance * (tricks as f64 - mean).powi(2));
    half_width(squares.sum(), odds.layouts as f64)
}

/// The half-width of the 95 % interval of a chance of `odds` (Agresti and Coull's, which holds
/// near 0 and 1 too).
#[must_use]
pub fn chance_half_width(chance: f64, drawn: u128) -> f64 {
    let (n, z) = (drawn as f64, NORMAL * NORMAL);
    let p = (chance * n + z / 2.0) / (n + z);
    half_width(p * (1.0 - p), n + z)
}

fn half_width(variance: f64, drawn: f64) -> f64 {
    NORMAL * (variance / drawn.max(1.0)).sqrt()
}

/// The odds over layouts drawn from `beliefs`.
///
/// # Errors
///
/// If the solver fails or is cancelled.
pub fn sampled(
    view: &View<Whist>,
    beliefs: &Beliefs,
    sampling: Sampling,
    options: &Options,
) -> Result<Sampled, SearchError> {
    let strain = view.game().strain();
    let left = view.tricks_left() as u8;
    let leads = view.to_play().side() == view.trick().leader().side();
    let solve = |solver: &mut Solver, layout: &Layout| {
        let state = view.state(layout);
        if !sampling.by_card {
            return Ok((solver.tricks(&position(&state, strain))?, Vec::new()));
        }
        let of_cards = tricks_of_cards(solver, &state, strain)?;
        let best = of_cards
            .iter()
            .map(|&(_, tricks)| tricks)
            .max()
            .unwrap_or(0);
        Ok((if leads { best } else { left - best }, of_cards))
    };
    let mut all = [0; 14];
    let mut by_card: BTreeMap<Card, [u128; 14]> = BTreeMap::new();
    draw(beliefs, sampling, options, solve, |(tricks, of_cards)| {
        all[usize::from(tricks)] += 1;
        for (card, tricks) in of_cards {
            by_card.entry(card).or_default()[usize::from(tricks)] += 1;
        }
        widest(&all)
    })?;
    let cards = by_card.into_iter().rev();
    Ok(Sampled {
        all: Odds::of_counts(all),
        cards: cards
            .map(|(card, counts)| (card, Odds::of_counts(counts)))
            .collect(),
    })
}

/// The results of each of the contracts over layouts drawn from `beliefs`.
///
/// # Errors
///
/// As [`sampled`].
pub fn sampled_contracts(
    view: &View<Whist>,
    beliefs: &Beliefs,
    Compared {
        contracts,
        vulnerability,
    }: Compared<'_>,
    sampling: Sampling,
    options: &Options,
) -> Result<Vec<ContractOdds>, SearchError> {
    let solve = |solver: &mut Solver, layout: &Layout| {
        let deal = Deal::new(*view.state(layout).hands()).expect("a state's hands are disjoint");
        let tricks = contracts.iter().map(|contract| {
            let position = Position::new(contract.strain(), contract.leader(), deal, &[]);
            let position = position.expect("no card is on the table");
            let tricks = deal.cards_per_hand().expect("hands are of one length");
            Ok(tricks as u8 - solver.tricks(&position)?)
        });
        tricks.collect::<Result<Vec<u8>, SearchError>>()
    };
    let mut counts = vec![[0_u128; 14]; contracts.len()];
    let mut sums = vec![[0.0_f64; 4]; contracts.len()];
    draw(beliefs, sampling, options, solve, |tricks| {
        let scores: Vec<i32> = contracts
            .iter()
            .zip(&tricks)
            .map(|(contract, &tricks)| contract.score(tricks, vulnerability, contract.side()))
            .collect();
        for (at, &score) in scores.iter().enumerate() {
            counts[at][usize::from(tricks[at])] += 1;
            let others = || scores.iter().enumerate().filter(|&(other, _)| other != at);
            let points = others().map(|(_, other)| match score.cmp(other) {
                std::cmp::Ordering::Less => 0.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 1.0,
            });
            let won: f64 = points.sum::<f64>() / others().count().max(1) as f64;
            let score = f64::from(score);
            let against_first = f64::from(imps(scores[at] - scores[0]));
            for (sum, term) in sums[at]
                .iter_mut()
                .zip([score, score * score, won, against_first])
            {
                *sum += term;
            }
        }
        counts.iter().map(widest).fold(0.0, f64::max)
    })?;
    let found = contracts.iter().zip(counts).zip(sums);
    Ok(found
        .map(|((&contract, counts), sums)| {
            let odds = Odds::of_counts(counts);
            let drawn = odds.layouts as f64;
            let [score, squares, matchpoints, imps] = sums.map(|sum| sum / drawn);
            ContractOdds {
                contract,
                score,
                score_half_width: half_width(squares - score * score, drawn),
                matchpoints,
                imps,
                odds,
            }
        })
        .collect())
}

/// The widest half-width of the chances of at least some number of tricks.
fn widest(counts: &[u128; 14]) -> f64 {
    let drawn: u128 = counts.iter().sum();
    let mut at_least = 0;
    let widths = counts.iter().rev().map(|count| {
        at_least += count;
        chance_half_width(at_least as f64 / drawn.max(1) as f64, drawn)
    });
    widths.fold(0.0, f64::max)
}

/// Draws layouts, solves each with `solve` on all threads, and hands what it finds to `add` in
/// the order of their numbers, until `add` returns a half-width that is small enough.
fn draw<T: Send>(
    beliefs: &Beliefs,
    sampling: Sampling,
    options: &Options,
    solve: impl Fn(&mut Solver, &Layout) -> Result<T, SearchError> + Sync,
    mut add: impl FnMut(T) -> f64,
) -> Result<(), SearchError> {
    let solver = || Solver::new(options.clone());
    let solve_one = |solver: &mut Solver, number: usize| {
        solve(solver, &drawn(beliefs, sampling.seed, number as u64))
    };
    let (mut count, mut width) = (0, 1.0);
    let numbers = 0..sampling.layouts;
    let end = in_order(numbers, sampling.threads, solver, solve_one, |found| {
        match found {
            None => return ControlFlow::Continue(()),
            Some(Err(error)) => return ControlFlow::Break(Err(error)),
            Some(Ok(found)) => width = add(found),
        }
        count += 1;
        let narrow = sampling.until.is_some_and(|until| width <= until);
        match narrow && count % BATCH == 0 {
            true => ControlFlow::Break(Ok(())),
            false => ControlFlow::Continue(()),
        }
    });
    match end {
        ControlFlow::Break(end) => end,
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// Returns the layout `number`, from 0, of those that `seed` draws from `beliefs`.
#[must_use]
pub fn drawn(beliefs: &Beliefs, seed: u64, number: u64) -> Layout {
    beliefs.sample(&mut Rng::with_seed(mixed(seed, number)))
}

/// A seed for the layout `number` (the finalizer of SplitMix64).
fn mixed(seed: u64, number: u64) -> u64 {
    let mut x = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
