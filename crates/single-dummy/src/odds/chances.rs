//! Distributions of tricks, and the chances that follow from them.

use std::collections::BTreeMap;

use setrograde_beliefs::Layout;
use setrograde_cards::Suit;
use setrograde_lookup::Distribution;

/// What the tricks of layouts are gathered in.
pub(super) trait Gather {
    /// Of no layout.
    fn none() -> Self;

    /// Adds all layouts of these lengths: how many have each number of tricks,
    /// and what they weigh (nothing if all weigh the same).
    fn add_lengths(
        &mut self,
        lengths: &Lengths,
        counts: &Distribution<u128>,
        weights: &Distribution<f64>,
    );

    /// Adds one layout.
    fn add_layout(&mut self, layout: &Layout, tricks: u8, weight: f64);

    /// With chances that sum to 1.
    fn normal(self) -> Self;
}

/// How the tricks of a side are distributed over all layouts.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// How many layouts there are.
    pub layouts: u128,
    /// In how many of them the side takes 0, 1, … 13 of the tricks left.
    pub counts: Distribution<u128>,
    /// The probability of each number of tricks: the counts' shares, unless
    /// layouts have different weights.
    pub chances: Distribution<f64>,
}

impl Odds {
    pub(super) const NONE: Odds = Odds {
        layouts: 0,
        counts: [0; 14],
        chances: [0.0; 14],
    };

    /// The mean number of tricks.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let chances = self.chances.iter().enumerate();
        chances.map(|(tricks, chance)| tricks as f64 * chance).sum()
    }

    /// The chance of at least that many tricks.
    #[must_use]
    pub fn at_least(&self, tricks: usize) -> f64 {
        self.chances.iter().skip(tricks).sum()
    }

    pub(super) fn add(&mut self, tricks: u8, weight: f64) {
        let tricks = usize::from(tricks.min(13));
        self.layouts += 1;
        self.counts[tricks] += 1;
        self.chances[tricks] += weight;
    }

    fn add_counts(&mut self, counts: &Distribution<u128>, weights: &Distribution<f64>) {
        for (sum, count) in self.counts.iter_mut().zip(counts) {
            *sum += count;
            self.layouts += count;
        }
        for (sum, weight) in self.chances.iter_mut().zip(weights) {
            *sum += weight;
        }
    }
}

impl Gather for Odds {
    fn none() -> Odds {
        Odds::NONE
    }

    fn add_lengths(
        &mut self,
        _: &Lengths,
        counts: &Distribution<u128>,
        weights: &Distribution<f64>,
    ) {
        self.add_counts(counts, weights);
    }

    fn add_layout(&mut self, _: &Layout, tricks: u8, weight: f64) {
        self.add(tricks, weight);
    }

    fn normal(mut self) -> Odds {
        if self.chances == [0.0; 14] {
            self.chances = self.counts.map(|count| count as f64);
        }
        let sum: f64 = self.chances.iter().sum();
        self.chances = self.chances.map(|chance| chance / sum);
        self
    }
}

/// The lengths of the hidden hands, by suit.
pub(super) type Lengths = [[u8; 4]; 4];

/// The odds of the side that leads, or led, to the current trick; and for each
/// suit the odds for each way to split it, by the lengths of the hidden hands.
#[derive(Clone, Debug, PartialEq)]
pub struct BySplit {
    /// All layouts together.
    pub all: Odds,
    /// For each suit, by the lengths of the four hands (0 for those that are
    /// seen).
    pub splits: [BTreeMap<[u8; 4], Odds>; 4],
}

impl BySplit {
    /// For each suit the odds of these lengths.
    fn of_lengths<'a>(&'a mut self, lengths: &'a Lengths) -> impl Iterator<Item = &'a mut Odds> {
        let splits = self.splits.iter_mut().zip(lengths);
        splits.map(|(splits, &lengths)| splits.entry(lengths).or_insert(Odds::NONE))
    }
}

impl Gather for BySplit {
    fn none() -> BySplit {
        BySplit {
            all: Odds::NONE,
            splits: Default::default(),
        }
    }

    fn add_lengths(
        &mut self,
        lengths: &Lengths,
        counts: &Distribution<u128>,
        weights: &Distribution<f64>,
    ) {
        self.all.add_counts(counts, weights);
        if *counts != [0; 14] {
            for odds in self.of_lengths(lengths) {
                odds.add_counts(counts, weights);
            }
        }
    }

    fn add_layout(&mut self, layout: &Layout, tricks: u8, weight: f64) {
        self.all.add(tricks, weight);
        let lengths = Suit::ALL.map(|suit| layout.map(|hand| hand.suit(suit).len() as u8));
        for odds in self.of_lengths(&lengths) {
            odds.add(tricks, weight);
        }
    }

    fn normal(self) -> BySplit {
        let normal = |splits: BTreeMap<[u8; 4], Odds>| {
            splits
                .into_iter()
                .map(|(split, odds)| (split, odds.normal()))
                .collect()
        };
        BySplit {
            all: self.all.normal(),
            splits: self.splits.map(normal),
        }
    }
}
