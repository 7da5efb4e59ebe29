//! From one ending to a consistent set with as many x's as can be.
//!
//! "Setrograde analysis" (2024), sections 5 and 9.1: a binary search on the
//! number of x's in each suit, nested over the suits.

use setrograde_endgame::states::deals_of_suit;

use super::surroundings::Surroundings;
use super::unknown_counts::UnknownCounts;

/// The measure by which one consistent set is better than another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// The number of x's in all suits together: the paper's choice.
    #[default]
    MostXs,
    /// The number of endings in the set.
    MostStates,
}

/// The search for the best set around one ending.
pub(crate) struct Generalization<'a, C> {
    totals: [u8; 4],
    /// For each suit and number of x's, how much they count.
    merits: [[u128; 14]; 4],
    metric: Metric,
    /// Numbers of x's that are known to make a consistent set, and such that
    /// are known not to.
    consistent: Vec<UnknownCounts>,
    inconsistent: &'a mut Vec<UnknownCounts>,
    is_consistent: C,
    best: UnknownCounts,
    best_merit: u128,
}

impl<'a, C: FnMut([u8; 4]) -> bool> Generalization<'a, C> {
    /// A search around an ending. `inconsistent` holds numbers of x's that make
    /// no consistent set; `is_consistent` says of others whether the set in
    /// which that many top cards of each suit are known has one value.
    pub(crate) fn new(
        around: &Surroundings,
        metric: Metric,
        inconsistent: &'a mut Vec<UnknownCounts>,
        is_consistent: C,
    ) -> Generalization<'a, C> {
        let totals = around.totals();
        let mut merits = [[0; 14]; 4];
        // X's of one hand alone are as good as known: they cost nothing.
        let mut free = [0; 4];
        for suit in 0..4 {
            for count in 0..=totals[suit] {
                let xs = around.xs(suit, totals[suit] - count);
                if xs.holders() <= 1 {
                    free[suit] = count;
                }
                merits[suit][usize::from(count)] = match metric {
                    Metric::MostXs => u128::from(count),
                    Metric::MostStates => deals_of_suit(xs),
                };
            }
        }
        let mut search = Generalization {
            totals,
            merits,
            metric,
            consistent: vec![UnknownCounts::of(free)],
            inconsistent,
            is_consistent,
            best: UnknownCounts::of(free),
            best_merit: 0,
        };
        search.best_merit = search.merit(search.best);
        search
    }

    /// Returns the number of top cards of each suit that are known in the best set.
    pub(crate) fn run(mut self, guess: [u8; 4]) -> [u8; 4] {
        self.test(UnknownCounts::of(std::array::from_fn(|suit| {
            self.totals[suit] - guess[suit]
        })));
        self.nested(4, UnknownCounts::of([0; 4]));
        self.known(self.best)
    }

    fn known(&self, xs: UnknownCounts) -> [u8; 4] {
        let xs = xs.counts();
        std::array::from_fn(|suit| self.totals[suit] - xs[suit])
    }

    fn merit(&self, xs: UnknownCounts) -> u128 {
        let xs = xs.counts();
        let each = (0..4).map(|suit| self.merits[suit][usize::from(xs[suit])]);
        match self.metric {
            Metric::MostXs => each.sum(),
            Metric::MostStates => each.product(),
        }
    }

    /// Searches the numbers of x's of the first `suits` suits; those of the
    /// others are chosen. Whether any consistent set was found.
    fn nested(&mut self, suits: usize, xs: UnknownCounts) -> bool {
        let Some(suit) = suits.checked_sub(1) else {
            return self.test(xs);
        };
        let (mut low, mut high) = (self.totals[suit].min(1), self.totals[suit]);
        let mut found = false;
        while low <= high {
            let middle = (low + high).div_ceil(2);
            if self.nested(suit, xs.with(suit, middle)) {
                found = true;
                low = middle + 1;
            } else if middle == 0 {
                break;
            } else {
                high = middle - 1;
            }
        }
        found
    }

    fn test(&mut self, xs: UnknownCounts) -> bool {
        if self.inconsistent.iter().any(|known| known.is_within(xs)) {
            return false;
        }
        if !self.consistent.iter().any(|known| xs.is_within(*known)) {
            let known = self.known(xs);
            if !(self.is_consistent)(known) {
                self.inconsistent.push(xs);
                return false;
            }
            self.consistent.push(xs);
        }
        let merit = self.merit(xs);
        if merit > self.best_merit {
            self.best = xs;
            self.best_merit = merit;
        }
        true
    }
}
