//! The distribution of double-dummy tricks over drawn layouts, if there are too many to count.
//!
//! If there are no more layouts than would be drawn, all of them are solved, and the answer is
//! exact. Otherwise each layout is drawn from the beliefs by its own generator, seeded by its number: the answer is
//! the same for any number of threads, and conditions are met without rejection.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fastrand::Rng;
use setrograde_beliefs::{Beliefs, BeliefsError, BridgeView, Layout};
use setrograde_cards::{Card, Hand};
use setrograde_parallel::{Stop, in_order};
use setrograde_solver::{Options, Solver};

use crate::double_dummy::{position, tricks_of_cards};
use crate::error::SearchError;
use crate::odds::{BySplit, LayoutWeights, Odds};

/// Number of layouts between two checks of the interval.
const BATCH: usize = 64;

/// The quantile of the normal distribution for intervals of 95 %.
const NORMAL: f64 = 1.959_964;

/// The size of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Maximum number of layouts.
    pub layouts: usize,
    /// Stop when half the width of all 95 % intervals is at most this.
    pub until: Option<f64>,
    /// The seed of the layouts.
    pub seed: u64,
    /// Number of threads.
    pub threads: usize,
    /// True if [`sampled`] returns the odds of each card, too.
    pub by_card: bool,
}

impl Sampling {
    /// Returns true if all layouts are solved, because there are no more than would be drawn.
    pub fn covers(&self, beliefs: &Beliefs) -> bool {
        // The number after which every interval is narrow enough.
        let enough = |until: f64| (NORMAL / 2.0 / until).powi(2).ceil() as u128;
        let most = (self.layouts as u128).min(self.until.map_or(u128::MAX, enough));
        beliefs.is_exact() && beliefs.count() <= most
    }
}

/// Odds over drawn layouts, or over all if there are no more than would be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// True if these are all layouts.
    pub exact: bool,
    /// The odds of the side that leads, or led, to the current trick; also for each split.
    pub found: BySplit,
    /// The odds of each card that may be played, for its own side, by suit from the highest
    /// down; empty unless asked for. Those of a card of a hidden hand are over the layouts in
    /// which that hand may play it.
    pub cards: Vec<(Card, Odds)>,
}

/// The 95 % interval of a chance that was `share` of `drawn` layouts, from its low end to its
/// high one (Wilson's, which is sound near 0 and 1).
pub fn interval(share: f64, drawn: u128) -> [f64; 2] {
    let n = drawn.max(1) as f64;
    let z = NORMAL * NORMAL / n;
    let middle = (share + z / 2.0) / (1.0 + z);
    let half = NORMAL / (1.0 + z) * (share * (1.0 - share) / n + z / n / 4.0).max(0.0).sqrt();
    // For shares of 0 and 1, rounding may leave a small error.
    let low = if share <= 0.0 { 0.0 } else { middle - half };
    let high = if share >= 1.0 { 1.0 } else { middle + half };
    [low.max(0.0), high.min(1.0)]
}

/// The half-width of the 95 % interval of the mean of `odds`, if they come from drawn layouts.
pub fn mean_half_width(odds: &Odds) -> f64 {
    let mean = odds.mean();
    let chances = odds.chances.iter().enumerate();
    let squares = chances.map(|(tricks, chance)| chance * (tricks as f64 - mean).powi(2));
    half_width(squares.sum(), odds.layouts as f64)
}

/// The half-width of the 95 % interval of a mean over `drawn` layouts.
pub(crate) fn half_width(variance: f64, drawn: f64) -> f64 {
    NORMAL * (variance.max(0.0) / drawn.max(1.0)).sqrt()
}

/// The odds over layouts drawn from `beliefs`, or over all if there are no more than would be
/// drawn.
///
/// # Errors
///
/// If 0 layouts are requested, or the solver fails or is cancelled.
pub fn sampled(
    view: &BridgeView,
    beliefs: &Beliefs,
    sampling: Sampling,
    options: &Options,
) -> Result<Sampled, SearchError> {
    let solved = &mut SolvedLayouts::default();
    sampled_in_parts(
        view,
        beliefs,
        sampling,
        options,
        solved,
        (usize::MAX, &mut |_| {}),
    )
}

/// The first layouts of a sample with their tricks and those of the cards. A larger sample of the
/// same view does not solve them again.
#[derive(Clone, Debug, Default)]
pub struct SolvedLayouts(Vec<SolvedLayout>);

type SolvedLayout = (Layout, u8, Vec<(Card, u8)>);

/// Maximum number of solved layouts.
const MOST_KEPT: usize = 10_000;

/// Returns the odds like [`sampled`]. Takes the layouts in `solved` as they are, and leaves there the
/// first ones of this sample. After every so many layouts, calls a function with the odds so far.
pub(crate) fn sampled_in_parts(
    view: &BridgeView,
    beliefs: &Beliefs,
    sampling: Sampling,
    options: &Options,
    solved: &mut SolvedLayouts,
    (every, part): (usize, &mut dyn FnMut(Sampled)),
) -> Result<Sampled, SearchError> {
    let known = std::mem::take(&mut solved.0);
    let is_known = |(of, _, cards): &&SolvedLayout, layout: &Layout| {
        of == layout && cards.is_empty() != sampling.by_card
    };
    let strain = view.game().strain();
    let left = view.tricks_left() as u8;
    let leads = view.to_play().side() == view.trick().leader().side();
    let solve = |solver: &mut Solver, number: usize, layout: &Layout| {
        if let Some(known) = known.get(number).filter(|of| is_known(of, layout)) {
            return Ok(known.clone());
        }
        let state = view.state(layout);
        if !sampling.by_card {
            let tricks = solver.tricks(&position(&state, strain))?;
            return Ok((*layout, tricks, Vec::new()));
        }
        let of_cards = tricks_of_cards(solver, &state, strain)?;
        let best = of_cards
            .iter()
            .map(|&(_, tricks)| tricks)
            .max()
            .unwrap_or(0);
        let tricks = if leads { best } else { left - best };
        Ok((*layout, tricks, of_cards))
    };
    let exact = sampling.covers(beliefs);
    let weights = exact.then(|| LayoutWeights::new(beliefs));
    let so_far = |found: &BySplit, by_card: &BTreeMap<Card, Odds>| {
        let cards: Hand = by_card.keys().copied().collect();
        let cards = cards.cards();
        Sampled {
            exact,
            found: found.clone().normal(),
            cards: cards
                .map(|card| (card, by_card[&card].clone().normal()))
                .collect(),
        }
    };
    let mut count = 0;
    let mut found = BySplit::none(left.into());
    let mut by_card: BTreeMap<Card, Odds> = BTreeMap::new();
    draw(beliefs, sampling, options, solve, |one| {
        let (layout, tricks, of_cards) = &one;
        let weight = weights.as_ref().map_or(0.0, |weights| weights.of(layout));
        found.add_layout(layout, *tricks, weight);
        for &(card, tricks) in of_cards {
            let odds = by_card.entry(card).or_insert(Odds::none(left.into()));
            odds.add(&Odds::of_one(tricks, weight));
        }
        count += 1;
        if count % every == 0 && count > known.len() {
            part(so_far(&found, &by_card));
        }
        if solved.0.len() < MOST_KEPT {
            solved.0.push(one);
        }
        widest(&found.all.counts)
    })?;
    Ok(so_far(&found, &by_card))
}

/// Half the width of the widest interval of the chances of at least 0, 1, … tricks.
pub(crate) fn widest(counts: &[u128; 14]) -> f64 {
    let drawn: u128 = counts.iter().sum();
    let mut at_least = 0;
    let widths = counts.iter().rev().map(|count| {
        at_least += count;
        let [low, high] = interval(at_least as f64 / drawn.max(1) as f64, drawn);
        (high - low) / 2.0
    });
    widths.fold(0.0, f64::max)
}

/// Draws layouts, solves each by its number with `solve` on all threads, and passes the results to
/// `add` in the order of their numbers, until `add` returns a half-width that is small enough. If there are no
/// more layouts than would be drawn, these are all layouts, each once.
pub(crate) fn draw<T: Send>(
    beliefs: &Beliefs,
    sampling: Sampling,
    options: &Options,
    solve: impl Fn(&mut Solver, usize, &Layout) -> Result<T, SearchError> + Sync,
    mut add: impl FnMut(T) -> f64,
) -> Result<(), SearchError> {
    if sampling.layouts == 0 {
        return Err(SearchError::NoLayouts);
    }
    let stop = &options.stop;
    let covers = sampling.covers(beliefs);
    let mut all = covers.then(|| beliefs.layouts().until(stop));
    let items = (0..sampling.layouts).map_while(move |number| match &mut all {
        Some(all) => Some((number, Some(all.next()?))),
        None => Some((number, None)),
    });
    let solver = || Solver::new(options.clone());
    let solve_one = |solver: &mut Solver, (number, listed): (usize, Option<Layout>)| {
        SearchError::if_due(stop)?;
        let layout = match listed {
            Some(layout) => layout,
            None => drawn(beliefs, sampling.seed, number as u64, stop)
                .map_err(|_| SearchError::Cancelled)?,
        };
        solve(solver, number, &layout)
    };
    let until = sampling.until.filter(|_| !covers);
    let (mut count, mut width) = (0, 1.0);
    let end = in_order(items, sampling.threads, solver, solve_one, |found| {
        match found {
            None => return ControlFlow::Continue(()),
            Some(Err(error)) => return ControlFlow::Break(Err(error)),
            Some(Ok(found)) => width = add(found),
        }
        count += 1;
        let narrow = until.is_some_and(|until| width <= until);
        if narrow && count % BATCH == 0 {
            ControlFlow::Break(Ok(()))
        } else {
            ControlFlow::Continue(())
        }
    });
    match end {
        ControlFlow::Break(end) => end,
        // The list of all layouts ends early, too.
        ControlFlow::Continue(()) if covers => SearchError::if_due(stop),
        ControlFlow::Continue(()) => Ok(()),
    }
}

/// Returns the layout `number`, from 0, of those that `seed` draws from `beliefs`.
///
/// # Errors
///
/// [`BeliefsError::Stopped`] once `stop` is due.
pub fn drawn(
    beliefs: &Beliefs,
    seed: u64,
    number: u64,
    stop: &Stop,
) -> Result<Layout, BeliefsError> {
    beliefs.sample_until(&mut Rng::with_seed(mixed(seed, number)), stop)
}

/// A seed for the layout `number` (the finalizer of SplitMix64).
fn mixed(seed: u64, number: u64) -> u64 {
    let mut x = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
