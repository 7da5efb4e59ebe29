//! All layouts that fit what is known, without visiting them.

use std::iter::FusedIterator;
use std::sync::OnceLock;

use fastrand::Rng;
use setrograde_cards::{Card, Hand, Seat};

use crate::chain::Number;
use crate::facts::{BeliefsError, Facts, Reason, Summary};
use crate::limits::Limits;
use crate::tables::{Subject, Tables};

/// All layouts of the hidden cards that fit some [`Facts`], each with a weight:
/// the product of the weights of its cards where they lie.
///
/// Set-up takes microseconds; limits on several hands' points take longer. All
/// answers are exact: counts are whole numbers, and the rest is right to
/// rounding.
#[derive(Debug)]
pub struct Beliefs {
    unseen: Hand,
    sizes: [u8; 4],
    summary: Summary,
    sums: Sums,
    /// The logarithm of what weights were divided by for `sums`.
    log_scale: f64,
    /// Counts of layouts whatever their weights, where these are not all 0 or 1.
    counts: OnceLock<Tables<u128>>,
}

/// Sums of weights: whole ones where they are whole and fit, so that all is
/// exact.
#[derive(Debug)]
enum Sums {
    Whole(Tables<u128>),
    Real(Tables<f64>),
}

/// The probability of each hidden card to be with each seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals(Box<[[f64; 4]; 64]>);

impl Marginals {
    /// The probability that `seat` holds `card`: 0 for a card that is seen.
    #[must_use]
    pub fn probability(&self, seat: Seat, card: Card) -> f64 {
        self.0[Hand::place(card)][seat.index()]
    }
}

impl Beliefs {
    /// The layouts that fit `facts`.
    ///
    /// # Errors
    ///
    /// If none does, naming the first fact that does not fit those before it;
    /// if the hidden hands are too small or too large for the cards that are
    /// not seen; if a weight is negative or infinite.
    pub fn new(facts: &Facts) -> Result<Beliefs, BeliefsError> {
        let (unseen, sizes) = (facts.unseen(), facts.sizes());
        if unseen.len() != sizes.iter().map(|&size| usize::from(size)).sum() {
            return Err(BeliefsError::Sizes {
                cards: unseen.len(),
                sizes,
            });
        }
        let mut summary = facts.summary(facts.count())?;
        let whole_bits = whole_bits(unseen, &summary);
        let mut log_scale = 0.0;
        let sums = if whole_bits.is_some_and(|bits| bits < 126.0) {
            Sums::Whole(tables(unseen, sizes, &summary, |weight| weight))
        } else {
            for card in unseen {
                let weights = &mut summary.weights[Hand::place(card)];
                let most = weights.iter().copied().fold(0.0, f64::max);
                if most > 0.0 {
                    log_scale += most.ln();
                    for weight in weights {
                        *weight /= most;
                    }
                }
            }
            Sums::Real(tables(unseen, sizes, &summary, |weight| weight))
        };
        let some = match &sums {
            Sums::Whole(tables) => tables.total() > 0,
            Sums::Real(tables) => tables.total() > 0.0,
        };
        if !some {
            return Err(culprit(facts)?);
        }
        Ok(Beliefs {
            unseen,
            sizes,
            summary,
            sums,
            log_scale,
            counts: OnceLock::new(),
        })
    }

    /// The cards that are not seen.
    #[must_use]
    pub const fn unseen(&self) -> Hand {
        self.unseen
    }

    /// The number of hidden cards of each seat, from North.
    #[must_use]
    pub const fn sizes(&self) -> [u8; 4] {
        self.sizes
    }

    /// The weight of a hidden card with a seat: 0 where it cannot be. Weights of
    /// one card are in proportion to those of the facts.
    #[must_use]
    pub fn weight(&self, seat: Seat, card: Card) -> f64 {
        self.summary.weight(seat.index(), card)
    }

    /// The limits on a seat's hidden cards.
    #[must_use]
    pub const fn limits(&self, seat: Seat) -> &Limits {
        &self.summary.limits[seat.index()]
    }

    /// The number of layouts whose weight is not 0.
    #[must_use]
    pub fn count(&self) -> u128 {
        self.counts().total()
    }

    fn counts(&self) -> &Tables<u128> {
        let plain = |weights: &[f64; 4]| weights.iter().all(|&w| w == 0.0 || w == 1.0);
        match &self.sums {
            Sums::Whole(tables)
                if self
                    .unseen
                    .iter()
                    .all(|card| plain(&self.summary.weights[Hand::place(card)])) =>
            {
                tables
            }
            _ => self.counts.get_or_init(|| {
                let support = |weight: f64| f64::from(u8::from(weight > 0.0));
                tables(self.unseen, self.sizes, &self.summary, support)
            }),
        }
    }

    /// The natural logarithm of the sum of all layouts' weights.
    #[must_use]
    pub fn log_total(&self) -> f64 {
        self.log_scale
            + match &self.sums {
                Sums::Whole(tables) => tables.total().to_f64().ln(),
                Sums::Real(tables) => tables.total().ln(),
            }
    }

    /// The natural logarithm of the probability of a layout; minus infinity for
    /// one that does not fit.
    #[must_use]
    pub fn log_probability(&self, layout: &Layout) -> f64 {
        let mut cards = Hand::EMPTY;
        let mut log = 0.0;
        for (seat, &hand) in layout.iter().enumerate() {
            if !(cards & hand).is_empty()
                || hand.len() != usize::from(self.sizes[seat])
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
        if cards != self.unseen {
            return f64::NEG_INFINITY;
        }
        log + self.log_scale - self.log_total()
    }

    /// The probability of each hidden card to be with each seat.
    #[must_use]
    pub fn marginals(&self) -> Marginals {
        let mut marginals = Box::new([[0.0; 4]; 64]);
        let mut tell = |total: f64, cards: &[Card], sums: [f64; 4]| {
            let each = sums.map(|sum| sum / total / cards.len() as f64);
            for &card in cards {
                marginals[Hand::place(card)] = each;
            }
        };
        match &self.sums {
            Sums::Whole(tables) => {
                let total = tables.total().to_f64();
                tables.for_each_class_sum(|cards, sums| tell(total, cards, sums));
            }
            Sums::Real(tables) => {
                let total = tables.total();
                tables.for_each_class_sum(|cards, sums| tell(total, cards, sums));
            }
        }
        Marginals(marginals)
    }

    /// Draws a layout with a probability in proportion to its weight.
    #[must_use]
    pub fn sample(&self, rng: &mut Rng) -> Layout {
        match &self.sums {
            Sums::Whole(tables) => tables.sample(rng),
            Sums::Real(tables) => tables.sample(rng),
        }
    }

    /// Draws `count` layouts that are spread evenly over all of them: each is
    /// drawn from its own `count`-th part of the total weight, so that rare and
    /// common kinds occur nearly as often as they should. With weights 0 and 1
    /// the same layout comes twice only if `count` is more than there are.
    #[must_use]
    pub fn stratified(&self, count: usize, rng: &mut Rng) -> Vec<Layout> {
        let layouts = self.layouts();
        (0..count)
            .map(|stratum| {
                match &self.sums {
                    Sums::Whole(tables) if std::ptr::eq(tables, layouts.tables()) => {
                        let part = tables.total() / count as u128;
                        if part > 0 {
                            let rest = tables.total() % count as u128;
                            let at = stratum as u128;
                            // The first parts are one longer, so that all is covered.
                            let first = at * part + at.min(rest);
                            let length = part + u128::from(at < rest);
                            return tables.nth(first + rng.u128(0..length));
                        }
                        let quantile = (stratum as f64 + rng.f64()) / count as f64;
                        let number = (tables.total().to_f64() * quantile) as u128;
                        tables.nth(number.min(tables.total() - 1))
                    }
                    Sums::Whole(tables) => {
                        tables.sample_at((stratum as f64 + rng.f64()) / count as f64, rng)
                    }
                    Sums::Real(tables) => {
                        tables.sample_at((stratum as f64 + rng.f64()) / count as f64, rng)
                    }
                }
            })
            .collect()
    }

    /// All layouts whose weight is not 0, in a fixed order.
    #[must_use]
    pub fn layouts(&self) -> Layouts<'_> {
        Layouts::new(self.counts())
    }

    /// The layout numbered `number` in the order of [`layouts`](Self::layouts);
    /// `None` if there are not that many.
    #[must_use]
    pub fn layout(&self, number: u128) -> Option<Layout> {
        let counts = self.counts();
        (number < counts.total()).then(|| counts.nth(number))
    }
}

fn tables<N: Number>(
    unseen: Hand,
    sizes: [u8; 4],
    summary: &Summary,
    weight: fn(f64) -> f64,
) -> Tables<N> {
    Tables::new(&Subject {
        unseen,
        sizes,
        summary,
        weight,
    })
}

/// If all weights are whole: the bits that suffice for any sum of them.
fn whole_bits(unseen: Hand, summary: &Summary) -> Option<f64> {
    unseen.iter().try_fold(0.0, |bits, card| {
        let weights = &summary.weights[Hand::place(card)];
        let whole = weights.iter().all(|w| w.fract() == 0.0 && *w < 4e9);
        let sum: f64 = weights.iter().sum();
        whole.then(|| bits + sum.max(1.0).log2())
    })
}

/// The first fact with which no layout is left.
fn culprit(facts: &Facts) -> Result<BeliefsError, BeliefsError> {
    let some = |count: usize| -> Result<bool, BeliefsError> {
        let summary = facts.summary(count)?;
        let support = |weight: f64| f64::from(u8::from(weight > 0.0));
        let tables: Tables<u128> = tables(facts.unseen(), facts.sizes(), &summary, support);
        Ok(tables.total() > 0)
    };
    let (mut fits, mut fails) = (0, facts.count());
    while fits + 1 < fails {
        let middle = (fits + fails) / 2;
        if some(middle)? {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    let (seat, reason) = facts
        .origin(fails.saturating_sub(1))
        .unwrap_or((Seat::North, Reason::Told));
    Ok(BeliefsError::NoLayout { seat, reason })
}

/// The hidden hands, by seat from North; empty for hands that are seen.
pub type Layout = [Hand; 4];

/// All layouts that fit some facts, in a fixed order; from
/// [`Beliefs::layouts`](crate::Beliefs::layouts).
#[derive(Clone, Debug)]
pub struct Layouts<'a> {
    tables: &'a Tables<u128>,
    next: u128,
}

impl<'a> Layouts<'a> {
    pub(crate) fn new(tables: &'a Tables<u128>) -> Layouts<'a> {
        Layouts { tables, next: 0 }
    }

    pub(crate) fn tables(&self) -> &'a Tables<u128> {
        self.tables
    }
}

impl Iterator for Layouts<'_> {
    type Item = Layout;

    fn next(&mut self) -> Option<Layout> {
        if self.next >= self.tables.total() {
            return None;
        }
        let layout = self.tables.nth(self.next);
        self.next += 1;
        Some(layout)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.tables.total() - self.next);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}

impl FusedIterator for Layouts<'_> {}
