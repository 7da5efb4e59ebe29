//! The cost of refining a partition, predicted from its suit lengths alone.
//!
//! The cost is the number of look-ups of the oracle, which is proportional to the processor time on
//! any machine. The prediction is a power of two whose exponent is a weighted sum of a few features
//! of the shape. The weights were fitted to the look-ups of all partitions of 12 and 16 cards and
//! of samples at 20 and 24. At no trump two features explain nearly everything: the number of
//! endings, and the number of contested *rounds* of the suits, in which both sides follow.
//!
//! It uses integers only, so plans are the same on every machine.

use std::sync::LazyLock;

use setrograde_endgame::partition::Partition;
use setrograde_endgame::states::deals_of_suit;
use setrograde_endgame::suit_lengths::SuitLengths;

/// A thousandth of a bit: the unit of the exponent.
pub(super) const BIT: i64 = 1_000;

/// The minimum prediction: even a partition that its root decides takes a few proofs.
const LEAST: u64 = 16;

/// Returns the predicted number of look-ups to refine a partition, at least 16. For most of a
/// level's work it is right within a factor of 2.
pub(crate) fn predicted_cost(partition: Partition) -> u64 {
    let suits = partition.shape.lengths.map(features);
    let sum =
        |feature: fn(&Features) -> i64| -> i64 { suits.iter().map(|suit| feature(suit)).sum() };
    let level = sum(|suit| suit.cards) / 4;
    let exponent = if partition.trump {
        let trumps = &suits[0];
        let side_states = sum(|suit| suit.states) - trumps.states;
        let side_rounds = sum(|suit| suit.rounds) - trumps.rounds;
        let side_imbalance = sum(|suit| suit.imbalance) - trumps.imbalance;
        650 + 1_610 * level
            + (305 - 45 * trumps.rounds) * side_states / BIT
            + (1_351 + 148 * trumps.voids) * trumps.states / BIT
            + 657 * side_rounds
            + 440 * trumps.rounds
            - 1_339 * trumps.cards
            - 689 * (trumps.leaders.max(trumps.partners) + trumps.theirs)
            - 331 * trumps.imbalance
            - 203 * side_imbalance
            - 362 * sum(|suit| suit.leaders)
            + 811 * sum(|suit| suit.unopposed)
    } else {
        2_150 - 2_530 * level
            + 723 * sum(|suit| suit.states) / BIT
            + 1_763 * sum(|suit| suit.rounds)
            - 138 * sum(|suit| suit.leaders)
            + 444 * sum(|suit| suit.partners)
            + 381 * sum(|suit| suit.theirs)
            + 486 * sum(|suit| suit.unopposed)
    };
    power_of_two(exponent).max(LEAST)
}

/// Look-ups that a partition of a coarse level will take, about, whose demand is by `excess`
/// thousandths of a bit above that of a set that is just split.
pub(super) fn predicted_coarse_cost(partition: Partition, excess: i64) -> u64 {
    match excess {
        0.. => (COARSE * power_of_two(850 * excess / BIT)).min(predicted_cost(partition)),
        _ => 1,
    }
}

/// Look-ups of a partition of a coarse level that is just split.
const COARSE: u64 = 256;

/// The features of a suit from which its cost is predicted.
pub(super) struct Features {
    cards: i64,
    /// Binary logarithm of the ways to deal the suit, in thousandths.
    pub(super) states: i64,
    /// The number of times that the suit can be led with both sides following: the smaller of the
    /// sides' longest holdings.
    rounds: i64,
    /// Number of cards by which the leader's holding is longer than both holdings of the other
    /// side, or 0.
    leaders: i64,
    /// The same of the leader's partner.
    partners: i64,
    /// Number of cards by which the other side's longest holding is longer than both of the
    /// leader's side, or 0.
    theirs: i64,
    /// The difference between the sides' numbers of cards.
    imbalance: i64,
    /// Number of hands without a card.
    pub(super) voids: i64,
    /// The leader's cards if the other side is void in this suit.
    unopposed: i64,
}

/// Returns the features of a suit in which no hand has more than eight cards, from a table, because
/// a plan needs them for millions of partitions.
pub(super) fn features(suit_lengths: SuitLengths) -> &'static Features {
    static ALL: LazyLock<Vec<Features>> = LazyLock::new(|| {
        let lengths =
            (0..9 * 9 * 9 * 9).map(|number| [1, 9, 81, 729].map(|hand| number / hand % 9));
        lengths
            .map(|lengths| Features::of(SuitLengths::new(lengths.map(|length| length as u8))))
            .collect()
    });
    let [leader, left, partner, right] = suit_lengths.to_array().map(usize::from);
    &ALL[leader + 9 * (left + 9 * (partner + 9 * right))]
}

impl Features {
    fn of(suit_lengths: SuitLengths) -> Features {
        let [leader, left, partner, right] = suit_lengths.to_array().map(i64::from);
        let (us, them) = (leader.max(partner), left.max(right));
        Features {
            cards: leader + left + partner + right,
            states: logarithm(deals_of_suit(suit_lengths)),
            rounds: us.min(them),
            leaders: (leader - them).max(0),
            partners: (partner - them).max(0),
            theirs: (them - us).max(0),
            imbalance: (leader + partner - left - right).abs(),
            voids: 4 - suit_lengths.holders() as i64,
            unopposed: if them == 0 { leader } else { 0 },
        }
    }
}

/// The binary logarithm of a number above 0, in thousandths: exact at powers
/// of two, on a straight line between them (at most 0.09 too small).
fn logarithm(number: u128) -> i64 {
    let whole = number.ilog2();
    let power = 1u128 << whole;
    i64::from(whole) * BIT + (((number - power) * BIT as u128) >> whole) as i64
}

/// The inverse of [`logarithm`], except for rounding; 0 for negative exponents.
pub(super) fn power_of_two(exponent: i64) -> u64 {
    match u32::try_from(exponent / BIT) {
        Ok(whole) => {
            let thousandths = (BIT + exponent % BIT) as u64;
            (thousandths << whole.min(50)) / BIT as u64
        }
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use setrograde_endgame::partition_index::PartitionIndex;

    use super::*;

    #[test]
    fn logarithms_and_powers_are_inverse() {
        for (number, thousandths) in [(1, 0), (2, 1_000), (3, 1_500), (4, 2_000), (1_024, 10_000)] {
            assert_eq!(logarithm(number), thousandths);
            assert_eq!(u128::from(power_of_two(thousandths)), number);
        }
        assert_eq!([-1, -999, -1_000].map(power_of_two), [0; 3]);
        assert_eq!(power_of_two(-5_000), 0);
    }

    #[test]
    fn the_guess_of_a_level_is_near_its_look_ups() {
        // Look-ups of the whole level, from a build's manifest.
        for (level, lookups) in [(3, 7_478_492_u64), (4, 604_773_122)] {
            let guess: u64 = PartitionIndex::new(level).iter().map(predicted_cost).sum();
            let ratio = guess as f64 / lookups as f64;
            assert!((0.8..1.25).contains(&ratio), "{level}: {ratio}");
        }
    }
}
