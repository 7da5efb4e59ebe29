//! Layouts under conditions that limits on each hand cannot express: alternatives, shapes, losers.
//!
//! If a condition splits into a few disjoint cases, these are counted separately; of more, and of
//! points of several hands, all are counted together ([`Joint`]). Layouts are drawn from the limits
//! around all of them until one matches; or, if few would match, from those that were counted.

use std::sync::Arc;

use fastrand::Rng;
use setrograde_parallel::Stop;

use crate::beliefs::{Shares, Span};
use crate::condition::product;
use crate::facts::{BeliefsError, FactSummary, Facts, Given, bit_index, go_on};
use crate::joint::Joint;
use crate::layouts::Layout;
use crate::limits::{ANY_CASE, Case};
use crate::text::joined;

/// Maximum number of cases that are counted one by one: of an ending, and of two whole hands.
const MOST_CASES: usize = 1024;
const FEW_CASES: usize = 32;

/// Maximum number of hidden cards of an ending.
const ENDING: usize = 20;

/// Maximum number of layouts that are examined one by one.
const MOST_LISTED: u128 = 200_000;

/// Maximum size of the sample that estimates the number of matches, and the number of matches that
/// is enough.
const DRAWS: u32 = 100_000;
const ENOUGH: usize = 2_000;

/// The same for layouts that were counted together, which take longer to draw.
const FEWER_DRAWS: u32 = 20_000;
const FEW_ENOUGH: usize = 500;

/// Minimum number of matches in the sample; with fewer, each draw would take too long.
const FEWEST: usize = 20;

/// Minimum share of matches in the limits; with fewer, a case is drawn first.
const RARE: f64 = 0.02;

/// Memory for the stored sums of cases, in bytes.
const KEPT: usize = 64 << 20;

/// Conditions on layouts besides limits.
#[derive(Debug)]
pub(crate) struct Filter {
    given: Vec<Given>,
    /// The layouts within the limits.
    around: Arc<Span>,
    strategy: Strategy,
    /// Number of layouts.
    pub count: u128,
    /// True if that is exact.
    pub exact: bool,
    /// Their share of the weight of all layouts within the limits.
    pub share: f64,
}

/// How the layouts are found.
#[derive(Debug)]
enum Strategy {
    /// In disjoint cases, each counted by itself.
    Parts(Vec<FilterPart>),
    /// One by one.
    Listed,
    /// Counted together, or as a large part of others that are.
    Joint(Joint),
    /// Drawn from the layouts within the limits.
    Drawn,
}

/// The layouts of a case.
#[derive(Debug)]
pub(crate) struct FilterPart {
    summary: FactSummary,
    /// The logarithm of the sum of their weights.
    log_weight: f64,
    kept: Option<Arc<Span>>,
}

impl FilterPart {
    pub(crate) fn span(&self, stop: &Stop) -> Result<Arc<Span>, BeliefsError> {
        if let Some(span) = &self.kept {
            return Ok(Arc::clone(span));
        }
        let span = Span::of(self.summary.clone(), stop)?;
        Ok(Arc::new(
            span.expect("there was room for its sums when it was counted"),
        ))
    }
}

impl Filter {
    /// The conditions of `facts` besides limits; `around` are the layouts within the limits.
    pub(crate) fn new(
        facts: &Facts,
        around: &Arc<Span>,
        stop: &Stop,
    ) -> Result<Option<Box<Filter>>, BeliefsError> {
        if facts.given.is_empty() {
            return Ok(None);
        }
        let mut filter = Filter {
            given: facts.given.clone(),
            around: Arc::clone(around),
            strategy: Strategy::Drawn,
            count: 0,
            exact: true,
            share: 0.0,
        };
        filter.choose(facts, stop)?;
        if filter.count > 0 {
            return Ok(Some(Box::new(filter)));
        }
        let given = facts.given.iter().map(|given| &given.condition);
        Err(BeliefsError::NoneFits {
            condition: joined(given, " and "),
            drawn: !filter.exact,
        })
    }

    /// Counts the layouts in the first way that takes neither too much memory nor too much time.
    fn choose(&mut self, facts: &Facts, stop: &Stop) -> Result<(), BeliefsError> {
        let hidden = facts.sizes().iter().filter(|&&size| size > 0).count();
        let most = match facts.unseen().len() {
            ..=ENDING => MOST_CASES,
            _ if hidden <= 2 => FEW_CASES,
            // Each case takes tens of milliseconds.
            _ => 0,
        };
        if self.count_parts(most, facts, stop)? {
            return Ok(());
        }
        if self.around.counts().total() <= MOST_LISTED {
            return self.count_listed(stop);
        }
        // After cards, or with weights, layouts are not counted together.
        if self.count_joint(facts, stop)? || self.count_parts(MOST_CASES, facts, stop)? {
            return Ok(());
        }
        self.count_drawn(DRAWS, ENOUGH, stop)
    }

    /// Counts the layouts of each case; returns false if there are more than `most`, or the sums of
    /// one take too much memory.
    fn count_parts(
        &mut self,
        most: usize,
        facts: &Facts,
        stop: &Stop,
    ) -> Result<bool, BeliefsError> {
        let Some(cases) = cases(&facts.given, most) else {
            return Ok(false);
        };
        let mut room = KEPT;
        let (mut count, mut parts) = (0, Vec::new());
        for case in cases {
            go_on(stop)?;
            let mut summary = facts.summary(usize::MAX)?;
            for (seat, limits) in case.iter().enumerate() {
                summary.limit(seat, limits);
            }
            let Some(span) = Span::of(summary.clone(), stop)? else {
                return Ok(false);
            };
            let of_case = span.counts().total();
            if of_case > 0 {
                count += of_case;
                let mut part = FilterPart {
                    summary,
                    log_weight: span.log_total(),
                    kept: None,
                };
                if let Some(left) = room.checked_sub(span.bytes()) {
                    room = left;
                    part.kept = Some(Arc::new(span));
                }
                parts.push(part);
            }
        }
        self.count = count;
        let around = self.around.log_total();
        self.share = parts
            .iter()
            .map(|part: &FilterPart| (part.log_weight - around).exp())
            .sum();
        self.strategy = Strategy::Parts(parts);
        Ok(true)
    }

    fn count_listed(&mut self, stop: &Stop) -> Result<(), BeliefsError> {
        let (mut count, mut share) = (0, 0.0);
        self.list(stop, |_, chance| {
            count += 1;
            share += chance;
        })?;
        (self.count, self.share) = (count, share);
        self.strategy = Strategy::Listed;
        Ok(())
    }

    /// Visits each layout that matches, with its share of the weight of those within the limits.
    fn list(&self, stop: &Stop, mut visit: impl FnMut(&Layout, f64)) -> Result<(), BeliefsError> {
        let all = self.around.counts();
        for number in 0..all.total() {
            look_at(stop, number)?;
            let layout = all.nth(number);
            if self.allows(&layout) {
                visit(&layout, self.around.log_probability(&layout).exp());
            }
        }
        Ok(())
    }

    /// Counts all layouts together; returns false if that takes too much time.
    fn count_joint(&mut self, facts: &Facts, stop: &Stop) -> Result<bool, BeliefsError> {
        let summary = facts.summary(usize::MAX)?;
        let fits = |layout: &Layout| self.around.is_possible(layout) && self.allows(layout);
        let joint = Joint::new(&summary, &self.given, &fits, stop)?;
        let Some(joint) = joint else {
            return Ok(false);
        };
        self.count = joint.total;
        self.share = joint.total as f64 / self.around.counts().total() as f64;
        let is_part = !joint.exact && joint.total > 0;
        self.strategy = Strategy::Joint(joint);
        if is_part {
            let (all, of_all) = (self.count as f64, self.share);
            self.count_drawn(FEWER_DRAWS, FEW_ENOUGH, stop)?;
            self.count = (self.share * all) as u128;
            self.share *= of_all;
        }
        Ok(true)
    }

    /// Estimates the number of layouts from no more than `most` of those among which they are, or
    /// from `enough` that match.
    fn count_drawn(&mut self, most: u32, enough: usize, stop: &Stop) -> Result<(), BeliefsError> {
        let (drawn, fit) = self.drawn(most, enough, stop)?;
        self.exact = false;
        self.share = if fit.len() < FEWEST {
            0.0
        } else {
            fit.len() as f64 / f64::from(drawn)
        };
        self.count = (self.around.counts().total() as f64 * self.share) as u128;
        Ok(())
    }

    /// Draws layouts, no more than `most`, until `enough` match: how many, and those.
    fn drawn(
        &self,
        most: u32,
        enough: usize,
        stop: &Stop,
    ) -> Result<(u32, Vec<Layout>), BeliefsError> {
        let mut rng = Rng::with_seed(1);
        let (mut drawn, mut fit) = (0, Vec::new());
        while drawn < most && fit.len() < enough {
            drawn += 1;
            look_at(stop, drawn.into())?;
            let layout = self.draw(&mut rng);
            if self.fits(&layout) {
                fit.push(layout);
            }
        }
        Ok((drawn, fit))
    }

    /// Draws one of the layouts among which those that match are.
    fn draw(&self, rng: &mut Rng) -> Layout {
        match &self.strategy {
            Strategy::Joint(joint) => joint.sample(rng),
            _ => self.around.sample(rng),
        }
    }

    /// Returns true if a layout that was drawn matches.
    fn fits(&self, layout: &Layout) -> bool {
        let is_joint = matches!(self.strategy, Strategy::Joint(_));
        (!is_joint || self.around.is_possible(layout)) && self.allows(layout)
    }

    /// The disjoint cases, if the layouts are counted in such.
    pub(crate) fn parts(&self) -> Option<&[FilterPart]> {
        match &self.strategy {
            Strategy::Parts(parts) => Some(parts),
            _ => None,
        }
    }

    /// The layouts by number, if all of them match.
    pub(crate) fn numbered(&self) -> Option<&Joint> {
        match &self.strategy {
            Strategy::Joint(joint) if joint.exact => Some(joint),
            _ => None,
        }
    }

    /// Returns true if layouts are found by looking through those within the limits.
    pub(crate) fn looks_through(&self) -> bool {
        self.parts().is_none() && self.numbered().is_none()
    }

    /// Returns true if a layout within the limits matches.
    pub(crate) fn allows(&self, layout: &Layout) -> bool {
        self.given.iter().all(|given| given.allows(layout))
    }

    pub(crate) fn sample(&self, rng: &mut Rng, stop: &Stop) -> Result<Layout, BeliefsError> {
        let is_rare = self.share < RARE;
        if let Some(parts) = self.parts().filter(|_| is_rare) {
            return sample_part(parts, rng, stop);
        }
        // There is a matching layout, so this ends.
        let mut number = 0;
        loop {
            look_at(stop, number)?;
            let layout = if is_rare {
                self.draw(rng)
            } else {
                self.around.sample(rng)
            };
            if self.fits(&layout) {
                return Ok(layout);
            }
            number += 1;
        }
    }

    /// The chance of each hidden card to be with each seat.
    pub(crate) fn marginals(&self, stop: &Stop) -> Result<Shares, BeliefsError> {
        let mut sums: Shares = Box::new([[0.0; 4]; 64]);
        let mut add = |shares: &[[f64; 4]; 64], weight: f64| {
            for (sums, shares) in sums.iter_mut().zip(shares) {
                for (sum, share) in sums.iter_mut().zip(shares) {
                    *sum += weight * share;
                }
            }
        };
        match &self.strategy {
            Strategy::Parts(parts) => {
                let around = self.around.log_total();
                for part in parts {
                    let weight = (part.log_weight - around).exp() / self.share;
                    add(&*part.span(stop)?.marginals(stop)?, weight);
                }
            }
            Strategy::Listed => {
                self.list(stop, |layout, chance| {
                    add(&owners(layout), chance / self.share);
                })?;
            }
            Strategy::Joint(joint) if joint.exact => return joint.marginals(stop),
            Strategy::Joint(_) | Strategy::Drawn => {
                let (_, fit) = self.drawn(DRAWS, ENOUGH, stop)?;
                for layout in &fit {
                    add(&owners(layout), 1.0 / fit.len() as f64);
                }
            }
        }
        Ok(sums)
    }
}

/// Draws a layout of one of the disjoint cases.
fn sample_part(parts: &[FilterPart], rng: &mut Rng, stop: &Stop) -> Result<Layout, BeliefsError> {
    let most = parts.iter().map(|part| part.log_weight);
    let most = most.fold(f64::NEG_INFINITY, f64::max);
    let weight = |part: &FilterPart| (part.log_weight - most).exp();
    let mut left = rng.f64() * parts.iter().map(weight).sum::<f64>();
    let after = parts.iter().find(|part| {
        left -= weight(part);
        left < 0.0
    });
    let part = after.or(parts.last()).expect("there is a case");
    Ok(part.span(stop)?.sample(rng))
}

/// The seat that has each card.
fn owners(layout: &Layout) -> [[f64; 4]; 64] {
    let mut held = [[0.0; 4]; 64];
    for (seat, hand) in layout.iter().enumerate() {
        for card in *hand {
            held[bit_index(card)][seat] = 1.0;
        }
    }
    held
}

/// Looks at the stop at some of the layouts.
fn look_at(stop: &Stop, number: u128) -> Result<(), BeliefsError> {
    if number % 256 == 255 {
        go_on(stop)?;
    }
    Ok(())
}

/// All given facts, as disjoint cases; `None` if there are more than `most`.
fn cases(given: &[Given], most: usize) -> Option<Vec<Case>> {
    let all = vec![ANY_CASE];
    given
        .iter()
        .try_fold(all, |all, given| product(&all, given.cases.as_ref()?, most))
}
