//! The demand for a partition in searches of random deals, and where a coarse level stops
//! splitting.
//!
//! The demand is a power of two whose exponent is a weighted sum of a few features of the lengths:
//! the binary logarithms of the number of endings and of the ways in which suits and strains make
//! the partition, the voids, and a number for the total of each suit. A suit loses its cards four
//! at a time, so a suit of 13, 9, 5 or 1 cards is likely, and one of 10 to 12, 2 or 3 cards is not.
//! The weights were fitted by Poisson regression to the questions of 200 random deals at 24 cards
//! and of 120 at 28 (`docs/coarse.md`).
//!
//! It uses integers only, because these numbers determine the bytes of a coarse level.

use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::{arrangements_of_partition, states_of_partition};
use setrograde_lookup::Grain;

use crate::plan::cost::{BIT, features};

/// The weights of the features of a level, in thousandths, and those of the totals of suits,
/// in thousandths of a bit.
#[derive(Debug)]
struct DemandWeights {
    states: i64,
    arrangements: i64,
    void: i64,
    totals: [i64; 14],
    /// The binary logarithm of the sum over each level that has these weights, in
    /// thousandths.
    levels: &'static [i64],
}

/// Up to 24 cards.
const SMALLER: DemandWeights = DemandWeights {
    states: 1_090,
    arrangements: 2_270,
    void: 1_428,
    totals: [
        -4_328, -2_077, -750, -346, 87, 1_010, 159, 0, 534, 418, -2_121, -1_904, -1_991, -3_246,
    ],
    levels: &[25_565, 35_123, 43_861, 51_943, 59_522, 66_640],
};

/// From 28 cards on.
const LARGER: DemandWeights = DemandWeights {
    states: 1_050,
    arrangements: 2_220,
    void: 1_111,
    totals: [
        -3_664, -2_092, -592, -404, 101, 1_529, 332, 0, 1_154, 1_803, -1_890, -1_169, -303, -765,
    ],
    levels: &[73_397],
};

/// The first level of [`LARGER`].
const FIRST_LARGER: usize = 7;

/// The binary logarithm of the demand for a partition, in thousandths.
fn demand(partition: Partition, weights: &DemandWeights) -> i64 {
    let lengths = partition.shape.lengths;
    let suits = lengths.map(features);
    let states: i64 = suits.iter().map(|suit| suit.states).sum();
    let voids: i64 = suits.iter().map(|suit| suit.voids).sum();
    let totals = lengths.map(|suit| weights.totals[suit.total() as usize]);
    let arrangements = logarithm(arrangements_of_partition(partition) as u64);
    (weights.states * states + weights.arrangements * arrangements) / BIT
        + weights.void * voids
        + totals.iter().sum::<i64>()
}

/// The splitting of a level's partitions by its grain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Splitting {
    weights: &'static DemandWeights,
    /// The binary logarithm of the demand that a set of this grain has, in thousandths;
    /// nothing if all are split.
    least: Option<i64>,
}

impl Splitting {
    pub(crate) fn new(level: usize, grain: Grain) -> Splitting {
        let (weights, at) = match level {
            FIRST_LARGER.. => (&LARGER, level - FIRST_LARGER),
            _ => (&SMALLER, level - 1),
        };
        let of_level = weights.levels[at];
        let grain = u64::from(grain.in_trillionths());
        let least = (grain > 0).then(|| of_level + logarithm(grain) - TRILLION);
        Splitting { weights, least }
    }

    /// The excess of a partition's demand over that of a set at the limit of splitting, in
    /// thousandths of a bit; `None` if all sets are split.
    pub(crate) fn excess(&self, partition: Partition) -> Option<i64> {
        Some(demand(partition, self.weights) - self.least?)
    }

    /// Returns the number of endings below which a set of the partition is not split: 0 if all are
    /// split, as in an exact level, and at least 1 in a coarse one.
    pub(crate) fn least_endings(&self, partition: Partition) -> u128 {
        let Some(excess) = self.excess(partition) else {
            return 0;
        };
        let states = states_of_partition(partition);
        if excess < 0 {
            return states + 1;
        }
        let (whole, part) = (excess / BIT, excess % BIT);
        (((states << 16) / power_of_part(part)) >> whole.min(100)).max(1)
    }
}

/// The binary logarithm of 10^12, in thousandths.
const TRILLION: i64 = 39_863;

/// The binary logarithm of a number above 0, in thousandths, rounded down.
fn logarithm(number: u64) -> i64 {
    let whole = number.ilog2();
    // From 1 to 2, with 62 bits after the point.
    let mut mantissa = u128::from(number) << (62 - whole);
    let mut part = 0_i64;
    for _ in 0..24 {
        mantissa = (mantissa * mantissa) >> 62;
        let carry = mantissa >> 63;
        mantissa >>= carry;
        part = part << 1 | carry as i64;
    }
    BIT * i64::from(whole) + ((BIT * part) >> 24)
}

/// 2 to the power of thousandths below 1000, with 16 bits after the point.
fn power_of_part(thousandths: i64) -> u128 {
    let part = thousandths as u128;
    // A parabola is right to 0.4 %.
    65_536 + part * (43_024_000 + 22_512 * part) / 1_000_000
}

#[cfg(test)]
mod tests {
    use setrograde_endgame::partition_index::PartitionIndex;

    use super::*;
    use crate::plan::DEEPEST;

    /// The binary logarithm of the sum of the demand over a level, in thousandths.
    fn of_level(level: usize) -> i64 {
        let Splitting { weights, .. } = Splitting::new(level, Grain::EXACT);
        let demands = PartitionIndex::new(level);
        let sum: u128 = (demands.iter().map(|partition| demand(partition, weights)))
            .map(|demand| {
                let (whole, part) = (demand.div_euclid(BIT), demand.rem_euclid(BIT));
                power_of_part(part) << (whole + 20)
            })
            .sum();
        let bits = 128 - sum.leading_zeros();
        let shift = bits.saturating_sub(60);
        logarithm((sum >> shift) as u64) + BIT * (i64::from(shift) - 36)
    }

    #[test]
    fn the_demand_of_a_level_is_the_sum_over_its_partitions() {
        for level in 1..=4 {
            levels_agree(level);
        }
    }

    #[test]
    #[ignore = "takes seconds"]
    fn that_of_deep_levels_too() {
        for level in 5..=DEEPEST {
            levels_agree(level);
        }
    }

    fn levels_agree(level: usize) {
        let all = Grain::new(1_000_000_000);
        let Splitting { least, .. } = Splitting::new(level, all);
        let expected = of_level(level) + logarithm(1_000_000_000) - TRILLION;
        assert_eq!(least, Some(expected), "{level}: {}", of_level(level));
    }

    #[test]
    fn logarithms_and_powers_are_right() {
        for number in [1, 2, 3, 7, 1_000, 10_000, 999_999_999_999] {
            let expected = (number as f64).log2() * 1_000.0;
            let found = logarithm(number) as f64;
            assert!(
                (found..=found + 1.0).contains(&expected),
                "{number}: {found}"
            );
        }
        for part in 0..1_000 {
            let expected = (f64::from(part) / 1_000.0).exp2() * 65_536.0;
            let found = power_of_part(part.into()) as f64;
            assert!((found / expected - 1.0).abs() < 0.004, "{part}: {found}");
        }
    }

    /// The number of endings that corresponds to the grain's share of the level's questions.
    #[test]
    fn the_least_endings_have_the_demand_of_the_grain() {
        let level = (of_level(4) as f64 / 1_000.0).exp2();
        for grain in [1_000_000, 10_000_000] {
            let splitting = Splitting::new(4, Grain::new(grain));
            for partition in PartitionIndex::new(4).iter().step_by(97) {
                let states = states_of_partition(partition);
                let least = splitting.least_endings(partition);
                let all = level * f64::from(grain) / 1e12;
                let of_partition = (demand(partition, splitting.weights) as f64 / 1_000.0).exp2();
                let expected = states as f64 * all / of_partition;
                if least > states {
                    assert!(all > of_partition * 0.999);
                } else {
                    assert!(least as f64 <= expected * 1.01 + 1.0);
                }
                assert!(least as f64 > expected.min(states as f64) * 0.99 - 1.0);
            }
        }
        let exact = Splitting::new(4, Grain::EXACT);
        let all_split = |partition| exact.least_endings(partition) == 0;
        assert!(PartitionIndex::new(4).iter().all(all_split));
    }
}
