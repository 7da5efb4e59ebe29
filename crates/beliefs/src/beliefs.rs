//! All layouts that match the knowledge, without visiting them.

use std::sync::{Arc, OnceLock};

use fastrand::Rng;
use setrograde_cards::{Card, Hand, Seat};
use setrograde_parallel::Stop;

use crate::chain::Number;
use crate::facts::{BeliefsError, FactSummary, Facts, Reason, bit_index};
use crate::filter::{Filter, FilterPart};
use crate::layouts::{Layout, Layouts};
use crate::limits::Limits;
use crate::tables::Tables;

/// All layouts of the hidden cards that match some [`Facts`], each with a weight: the product of
/// the weights of its cards in their hands.
///
/// Set-up takes microseconds; limits on several hands' points, and conditions with alternatives,
/// take longer. All answers are exact: counts are integers, and probabilities are exact up to
/// rounding. Conditions that neither limits nor the joint count of several hands express are an
/// exception: among more than 200,000 candidate layouts, the number of matches is estimated from a
/// sample ([`is_exact`](Self::is_exact)).
#[derive(Debug)]
pub struct Beliefs {
    /// The layouts within all limits.
    span: Arc<Span>,
    /// Further conditions on them.
    filter: Option<Box<Filter>>,
}

/// The layouts that match limits and weights.
#[derive(Debug)]
pub(crate) struct Span {
    pub summary: FactSummary,
    /// True if all weights are 0 or 1.
    is_plain: bool,
    sums: Sums,
    /// The logarithm of the divisor of the weights in `sums`.
    log_scale: f64,
    /// Counts of layouts regardless of weights, if these are not all 0 or 1.
    counts: OnceLock<Tables<u128>>,
}

/// Sums of weights, which are exact integers if the weights are integers of suitable size.
#[derive(Debug)]
enum Sums {
    Whole(Tables<u128>),
    Real(Tables<f64>),
}

/// The probability of each hidden card in each hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals(Shares);

/// A number for each card, by its bit, and each seat.
pub(crate) type Shares = Box<[[f64; 4]; 64]>;

impl Marginals {
    /// Returns the probability that `seat` has `card`: 0 for a visible card.
    pub fn probability(&self, seat: Seat, card: Card) -> f64 {
        self.0[bit_index(card)][seat]
    }
}

/// Minimum size in bytes of sums whose counts are computed together, between two checks of a stop.
const LARGE: usize = 1 << 20;

impl Beliefs {
    /// Makes the layouts that match `facts`.
    ///
    /// # Errors
    ///
    /// If there are none, with the first fact that contradicts the earlier ones; if the hidden
    /// hands are too small or too large for the unseen cards; if a weight is negative or infinite.
    pub fn new(facts: &Facts) -> Result<Beliefs, BeliefsError> {
        Beliefs::until(facts, &Stop::default())
    }

    /// Makes the layouts that match `facts`, like [`new`](Self::new), until `stop` is due. A
    /// condition with many cases takes seconds.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new); [`BeliefsError::Stopped`] once `stop` is due.
    pub fn until(facts: &Facts, stop: &Stop) -> Result<Beliefs, BeliefsError> {
        if !facts.are_costly()
            && let Some(span) = Span::new(facts, stop)?
        {
            let filter = Filter::new(facts, &span, stop)?;
            return Ok(Beliefs { span, filter });
        }
        // Points of this many hands together take too much memory or time.
        let facts = facts.without_points();
        let span = Span::new(&facts, stop)?.expect("without points the sums are small");
        let filter = Filter::new(&facts, &span, stop)?;
        Ok(Beliefs { span, filter })
    }

    /// The unseen cards.
    pub fn unseen(&self) -> Hand {
        self.span.summary.unseen
    }

    /// Returns the number of hidden cards of each seat, from North.
    pub fn sizes(&self) -> [u8; 4] {
        self.span.summary.sizes
    }

    /// Returns the weight of a hidden card in a hand: 0 if it is impossible. Weights of one card
    /// are proportional to those of the facts.
    pub fn weight(&self, seat: Seat, card: Card) -> f64 {
        self.span.summary.weight(seat.index(), card)
    }

    /// The limits on a seat's hidden cards.
    pub fn limits(&self, seat: Seat) -> &Limits {
        &self.span.summary.limits[seat.index()]
    }

    /// Returns the number of layouts whose weight is not 0, approximate unless
    /// [`is_exact`](Self::is_exact).
    pub fn count(&self) -> u128 {
        match &self.filter {
            Some(filter) => filter.count,
            None => self.span.counts().total(),
        }
    }

    /// Returns true if [`count`](Self::count), and everything derived from it, is exact.
    pub fn is_exact(&self) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.exact)
    }

    /// Returns true if limits and weights alone determine the layouts.
    pub const fn is_limits(&self) -> bool {
        self.filter.is_none()
    }

    /// Returns the number of layouts that must be examined to [list](Self::layouts) them all.
    pub fn count_looked_at(&self) -> u128 {
        match &self.filter {
            Some(filter) if filter.looks_through() => self.span.counts().total(),
            _ => self.count(),
        }
    }

    /// Disjoint parts of the layouts that limits can express, if limits cannot express all of them
    /// together; `None` if there are no such parts. Weights of cards are proportional only within a
    /// part.
    pub fn parts(&self) -> Option<Vec<Beliefs>> {
        let parts = self.filter.as_ref()?.parts()?.iter();
        let part = |part: &FilterPart| Beliefs {
            span: part.span(&Stop::default()).expect("it is not stopped"),
            filter: None,
        };
        Some(parts.map(part).collect())
    }

    /// Returns the natural logarithm of the sum of all layouts' weights.
    pub fn log_total(&self) -> f64 {
        let share = self.filter.as_ref().map_or(0.0, |filter| filter.share.ln());
        self.span.log_total() + share
    }

    /// Returns the natural logarithm of the probability of a layout; minus infinity for an
    /// impossible one.
    pub fn log_probability(&self, layout: &Layout) -> f64 {
        match &self.filter {
            None => self.span.log_probability(layout),
            Some(filter) if filter.allows(layout) => {
                self.span.log_probability(layout) - filter.share.ln()
            }
            Some(_) => f64::NEG_INFINITY,
        }
    }

    /// Returns the probability of each hidden card in each hand.
    pub fn marginals(&self) -> Marginals {
        self.marginals_until(&Stop::default())
            .expect("it is not stopped")
    }

    /// Returns the [marginals](Self::marginals), unless `stop` is due first. Limits on the points of
    /// several hands take seconds.
    ///
    /// # Errors
    ///
    /// [`BeliefsError::Stopped`] once `stop` is due.
    pub fn marginals_until(&self, stop: &Stop) -> Result<Marginals, BeliefsError> {
        let shares = match &self.filter {
            None => self.span.marginals(stop),
            Some(filter) => filter.marginals(stop),
        };
        shares.map(Marginals)
    }

    /// Draws a layout with a probability proportional to its weight.
    pub fn sample(&self, rng: &mut Rng) -> Layout {
        let drawn = self.sample_until(rng, &Stop::default());
        drawn.expect("it is not stopped")
    }

    /// Draws a layout like [`sample`](Self::sample), unless `stop` is due first. If few layouts match
    /// the conditions, a draw takes up to some tenths of a second.
    ///
    /// # Errors
    ///
    /// [`BeliefsError::Stopped`] once `stop` is due.
    pub fn sample_until(&self, rng: &mut Rng, stop: &Stop) -> Result<Layout, BeliefsError> {
        match &self.filter {
            None => Ok(self.span.sample(rng)),
            Some(filter) => filter.sample(rng, stop),
        }
    }

    /// Draws `count` layouts that are spread evenly over all of them: each is drawn from its own
    /// `count`-th part of the total weight, so rare and common kinds occur nearly as often as they
    /// should. With weights 0 and 1 a layout is repeated only if `count` exceeds the number of
    /// layouts. Under conditions that limits cannot express, layouts are drawn independently.
    pub fn stratified(&self, count: usize, rng: &mut Rng) -> Vec<Layout> {
        let strata = 0..count;
        strata
            .map(|number| self.stratum(number, count, rng, &Stop::default()))
            .collect::<Result<_, _>>()
            .expect("it is not stopped")
    }

    /// Draws the layout `number`, from 0, of `count` [stratified](Self::stratified) ones, unless
    /// `stop` is due first.
    ///
    /// # Errors
    ///
    /// [`BeliefsError::Stopped`] once `stop` is due.
    ///
    /// # Panics
    ///
    /// If `number` is not less than `count`.
    pub fn stratum(
        &self,
        number: usize,
        count: usize,
        rng: &mut Rng,
        stop: &Stop,
    ) -> Result<Layout, BeliefsError> {
        assert!(number < count, "the stratum {number} of {count}");
        match &self.filter {
            None => Ok(self.span.stratum(number, count, rng)),
            Some(filter) => filter.sample(rng, stop),
        }
    }

    /// All layouts whose weight is not 0, in a fixed order.
    pub fn layouts(&self) -> Layouts<'_> {
        Layouts::new(&self.span, self.filter.as_deref())
    }

    /// The layout numbered `number` in the order of [`layouts`](Self::layouts); `None` if the
    /// number is too large.
    pub fn layout(&self, number: u128) -> Option<Layout> {
        match &self.filter {
            None => self.span.layout(number),
            Some(filter) => match filter.numbered() {
                Some(joint) => (number < joint.total).then(|| joint.nth(number)),
                None => self.layouts().nth(usize::try_from(number).ok()?),
            },
        }
    }
}

impl Span {
    /// Makes the layouts that match the limits and weights of `facts`; `None` if their sums take
    /// too much memory.
    fn new(facts: &Facts, stop: &Stop) -> Result<Option<Arc<Span>>, BeliefsError> {
        let (unseen, sizes) = (facts.unseen(), facts.sizes());
        if unseen.len() != sizes.iter().map(|&size| usize::from(size)).sum::<usize>() {
            return Err(BeliefsError::Sizes {
                cards: unseen.len(),
                sizes,
            });
        }
        let Some(span) = Span::of(facts.summary(facts.count())?, stop)? else {
            return Ok(None);
        };
        if span.total() == 0.0 {
            return Err(culprit(facts, stop)?);
        }
        // They take as long as the sums themselves.
        if span.bytes() >= LARGE && span.whole_counts().is_none() {
            let counts = span.make_counts(stop)?;
            span.counts.get_or_init(|| counts);
        }
        Ok(Some(Arc::new(span)))
    }

    /// Makes the layouts that match a summary, possibly none; `None` if their sums take too much
    /// memory.
    pub(crate) fn of(mut summary: FactSummary, stop: &Stop) -> Result<Option<Span>, BeliefsError> {
        let (is_plain, whole_bits) = (summary.is_plain(), whole_bits(&summary));
        let mut log_scale = 0.0;
        let sums = if whole_bits.is_some_and(|bits| bits < 126.0) {
            Tables::new(&summary, stop)?.map(Sums::Whole)
        } else {
            for card in summary.unseen {
                let weights = &mut summary.weights[bit_index(card)];
                let most = weights.iter().copied().fold(0.0, f64::max);
                if most > 0.0 {
                    log_scale += most.ln();
                    for weight in weights {
                        *weight /= most;
                    }
                }
            }
            Tables::new(&summary, stop)?.map(Sums::Real)
        };
        Ok(sums.map(|sums| Span {
            summary,
            is_plain,
            sums,
            log_scale,
            counts: OnceLock::new(),
        }))
    }

    /// The sum of the weights of all layouts, scaled.
    fn total(&self) -> f64 {
        match &self.sums {
            Sums::Whole(tables) => tables.total().to_f64(),
            Sums::Real(tables) => tables.total(),
        }
    }

    /// The approximate memory of the sums, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        match &self.sums {
            Sums::Whole(tables) => tables.bytes(),
            Sums::Real(tables) => tables.bytes(),
        }
    }

    /// Sums of the layouts whose weight is not 0.
    pub(crate) fn counts(&self) -> &Tables<u128> {
        self.whole_counts().unwrap_or_else(|| {
            self.counts.get_or_init(|| {
                let counts = self.make_counts(&Stop::default());
                counts.expect("they are not stopped")
            })
        })
    }

    /// The sums, if they are the counts.
    fn whole_counts(&self) -> Option<&Tables<u128>> {
        match &self.sums {
            Sums::Whole(tables) if self.is_plain => Some(tables),
            _ => None,
        }
    }

    fn make_counts(&self, stop: &Stop) -> Result<Tables<u128>, BeliefsError> {
        let counts = Tables::new(&self.summary.clone().plain(), stop)?;
        Ok(counts.expect("they take no more room than the weights"))
    }

    /// Returns the natural logarithm of the sum of all layouts' weights.
    pub(crate) fn log_total(&self) -> f64 {
        self.log_scale + self.total().ln()
    }

    /// Returns true if a layout of the unseen cards is within the limits, and no weight is 0.
    pub(crate) fn is_possible(&self, layout: &Layout) -> bool {
        layout.iter().enumerate().all(|(seat, &hand)| {
            let may = |card: Card| self.summary.weight(seat, card) > 0.0;
            (hand.is_empty() || self.summary.limits[seat].allow(hand)) && hand.iter().all(may)
        })
    }

    /// Returns the natural logarithm of the probability of a layout; minus infinity for an
    /// impossible one.
    pub(crate) fn log_probability(&self, layout: &Layout) -> f64 {
        let mut cards = Hand::EMPTY;
        let mut log = 0.0;
        for (seat, &hand) in layout.iter().enumerate() {
            if !(cards & hand).is_empty()
                || hand.len() != usize::from(self.summary.sizes[seat])
                || (!hand.is_empty() && !self.summary.limits[seat].allow(hand))
            {
                return f64::NEG_INFINITY;
            }
            cards |= hand;
            log += hand
                .iter()
                .map(|card| self.summary.weight(seat, card).ln())
                .sum::<f64>();
        }
        if cards != self.summary.unseen {
            return f64::NEG_INFINITY;
        }
        log + self.log_scale - self.log_total()
    }

    /// Returns the probability of each hidden card in each hand.
    pub(crate) fn marginals(&self, stop: &Stop) -> Result<Shares, BeliefsError> {
        match &self.sums {
            Sums::Whole(tables) => tables.shares(stop),
            Sums::Real(tables) => tables.shares(stop),
        }
    }

    /// Draws a layout with a probability proportional to its weight.
    pub(crate) fn sample(&self, rng: &mut Rng) -> Layout {
        match &self.sums {
            Sums::Whole(tables) => tables.sample(rng),
            Sums::Real(tables) => tables.sample(rng),
        }
    }

    /// Draws a layout from the part `stratum` of `count` equal parts of the total weight.
    fn stratum(&self, stratum: usize, count: usize, rng: &mut Rng) -> Layout {
        if let Some(counts) = self.whole_counts() {
            let part = counts.total() / count as u128;
            if part > 0 {
                let rest = counts.total() % count as u128;
                let at = stratum as u128;
                // The first parts are longer by one, to cover everything.
                let first = at * part + at.min(rest);
                let length = part + u128::from(at < rest);
                return counts.nth(first + rng.u128(0..length));
            }
        }
        let quantile = (stratum as f64 + rng.f64()) / count as f64;
        match &self.sums {
            Sums::Whole(tables) if self.is_plain => {
                let number = (tables.total().to_f64() * quantile) as u128;
                tables.nth(number.min(tables.total() - 1))
            }
            Sums::Whole(tables) => tables.sample_at(quantile, rng),
            Sums::Real(tables) => tables.sample_at(quantile, rng),
        }
    }

    fn layout(&self, number: u128) -> Option<Layout> {
        let counts = self.counts();
        (number < counts.total()).then(|| counts.nth(number))
    }
}

/// If all weights are integers: the bits that suffice for any sum of them.
fn whole_bits(summary: &FactSummary) -> Option<f64> {
    summary.unseen.iter().try_fold(0.0, |bits, card| {
        let weights = &summary.weights[bit_index(card)];
        let whole = weights.iter().all(|w| w.fract() == 0.0 && *w < 4e9);
        let sum: f64 = weights.iter().sum();
        whole.then(|| bits + sum.max(1.0).log2())
    })
}

/// Returns the first fact that leaves no layout.
fn culprit(facts: &Facts, stop: &Stop) -> Result<BeliefsError, BeliefsError> {
    let some = |count: usize| -> Result<bool, BeliefsError> {
        let tables = Tables::<u128>::new(&facts.summary(count)?.plain(), stop)?;
        Ok(tables.is_none_or(|tables| tables.total() > 0))
    };
    let (mut fits, mut fails) = (0, facts.count());
    while fits + 1 < fails {
        let middle = usize::midpoint(fits, fails);
        if some(middle)? {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    let (seat, reason) = facts
        .origin(fails.saturating_sub(1))
        .unwrap_or((Seat::North, Reason::Given));
    Ok(BeliefsError::NoLayout { seat, reason })
}
