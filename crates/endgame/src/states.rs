//! How many endings there are, exactly: per partition and per level.

use crate::partition::Partition;
use crate::suit_lengths::{SUIT_CARDS, SuitLengths};

/// Ways to deal a suit's cards to the hands with these lengths: the
/// multinomial coefficient.
#[must_use]
pub fn deals_of_suit(suit_lengths: SuitLengths) -> u128 {
    let mut ways = 1u128;
    let mut cards = 0u128;
    for length in suit_lengths.to_array() {
        for i in 1..=u128::from(length) {
            cards += 1;
            // Exact at every step: after it, `ways` is itself a multinomial
            // coefficient of the cards so far.
            ways = ways * cards / i;
        }
    }
    ways
}

/// The number of endings of a partition: the product over its suits.
///
/// Suits with equal lengths are told apart, as the paper's Table 1 does. At
/// most about 10^28 (level 13), far inside a `u128`.
#[must_use]
pub fn states_of_partition(partition: Partition) -> u128 {
    partition
        .shape
        .lengths
        .iter()
        .map(|&suit_lengths| deals_of_suit(suit_lengths))
        .product()
}

/// How likely an ending drawn at random is in a partition, up to a factor that is
/// the same for its whole level: the ways to draw the cards of each suit from
/// thirteen and to deal them, times the ways in which the suits, one of them trump
/// or none, make this partition.
#[must_use]
pub fn likelihood_of_partition(partition: Partition) -> f64 {
    let lengths = partition.shape.lengths;
    let suit = |suit_lengths: SuitLengths| {
        let cards = suit_lengths.total().min(SUIT_CARDS);
        let drawn = (1..=u64::from(cards)).fold(1, |ways, card| {
            ways * (u64::from(SUIT_CARDS) + 1 - card) / card
        });
        drawn as f64 * deals_of_suit(suit_lengths) as f64
    };
    let ways: f64 = lengths.into_iter().map(suit).product();
    // Four suits in any order, but suits of equal lengths change nothing; with
    // trumps, the three others.
    let free = &lengths[usize::from(partition.trump)..];
    let mut orders = 1;
    for (place, lengths) in free.iter().enumerate() {
        orders *= place + 1;
        orders /= free[..=place]
            .iter()
            .filter(|&other| other == lengths)
            .count();
    }
    let empty = lengths
        .iter()
        .filter(|lengths| lengths.total() == 0)
        .count();
    // Four strains have trumps. A trump suit without cards is no trump.
    let strains = if partition.trump { 4 } else { 1 + empty };
    ways * (orders * strains) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::partition_index::PartitionIndex;

    fn states(level: usize) -> (u128, u128) {
        let index = PartitionIndex::new(level);
        let mut sums = (0, 0);
        for partition in index.iter() {
            let states = states_of_partition(partition);
            if partition.trump {
                sums.1 += states;
            } else {
                sums.0 += states;
            }
        }
        sums
    }

    #[test]
    fn counts_agree_with_the_published_table() {
        assert_eq!(states(1), (73, 136));
        assert_eq!(states(2), (25_089, 62_832));
        assert_eq!(states(3), (8_631_656, 25_289_056));
        assert_eq!(states(4), (2_695_695_489, 8_838_244_872));
        assert_eq!(states(5), (735_550_274_088, 2_586_025_685_376));
    }

    /// Every way to draw one or two cards for each hand, in each strain, is in
    /// one partition.
    #[test]
    fn likelihoods_add_up_to_all_endings_in_all_strains() {
        for (level, cards) in [(1, 4), (2, 8)] {
            let sum: f64 = PartitionIndex::new(level)
                .iter()
                .map(likelihood_of_partition)
                .sum();
            let mut all = 5.0;
            for card in 0..cards {
                all *= f64::from(52 - card);
            }
            let orders = [1.0, 2.0][level - 1];
            all /= f64::powi(orders, 4);
            assert!((sum / all - 1.0).abs() < 1e-12, "{sum} {all}");
        }
    }
}
