//! How many endings there are, exactly: per partition and per level.

use crate::partition::Partition;
use crate::suit_lengths::SuitLengths;

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
}
