//! Exact numbers of endings: per partition and per level.

use crate::partition::Partition;
use crate::suit_lengths::SuitLengths;

/// The factorials that fit in 64 bits.
const FACTORIALS: [u64; 21] = {
    let mut factorials = [1; 21];
    let mut n = 1;
    while n < factorials.len() {
        factorials[n] = factorials[n - 1] * n as u64;
        n += 1;
    }
    factorials
};

/// Returns the number of ways to deal a suit's cards to hands of these lengths: the multinomial
/// coefficient.
pub fn deals_of_suit(suit_lengths: SuitLengths) -> u128 {
    let lengths = suit_lengths.to_array();
    // Covers all suits of a pack, because a plan needs them for millions of partitions. A plan
    // also has tables of all lengths of a level, including those that no suit can have.
    if let Some(all) = FACTORIALS.get(suit_lengths.total() as usize) {
        let each = lengths.map(|length| FACTORIALS[usize::from(length)]);
        return (all / each.iter().product::<u64>()).into();
    }
    let mut ways = 1u128;
    let mut cards = 0u128;
    for length in lengths {
        for i in 1..=u128::from(length) {
            cards += 1;
            // Exact at every step: after it, `ways` is itself a multinomial
            // coefficient of the cards so far.
            ways = ways * cards / i;
        }
    }
    ways
}

/// Returns the number of endings of a partition: the product over its suits.
///
/// Suits with equal lengths are distinguished, as in the paper's Table 1. At
/// most about 10^28 (level 13), far inside a `u128`.
pub fn states_of_partition(partition: Partition) -> u128 {
    partition
        .shape
        .lengths
        .iter()
        .map(|&suit_lengths| deals_of_suit(suit_lengths))
        .product()
}

/// Returns the number of ways in which four suits make a partition: the pairs of a strain and
/// lengths of the four suits with this canonical form. Lengths seen from another leader count as
/// the same.
pub fn arrangements_of_partition(partition: Partition) -> usize {
    let lengths = partition.shape.lengths;
    // The permutations of four suits (or three, with trumps), without those of suits with equal
    // lengths.
    let free = &lengths[usize::from(partition.trump)..];
    let mut orders = 1;
    for (nth, suit) in free.iter().enumerate() {
        let equal = free[..=nth].iter().filter(|&other| other == suit);
        orders = orders * (nth + 1) / equal.count();
    }
    let is_empty = |suit: &&SuitLengths| **suit == SuitLengths::EMPTY;
    // Four strains have trumps. Without a card of the trump suit the partition is at no trump.
    let strains = if partition.trump {
        4
    } else {
        1 + lengths.iter().filter(is_empty).count()
    };
    orders * strains
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

    /// A suit of a pack, and the whole pack.
    #[test]
    fn cards_are_dealt_to_four_hands_in_as_many_ways_as_known() {
        let deals = |lengths| deals_of_suit(SuitLengths::new(lengths));
        assert_eq!(deals([4, 3, 3, 3]), 1_201_200);
        assert_eq!(deals([5, 5, 5, 5]), 11_732_745_024);
        assert_eq!(deals([6, 5, 5, 5]), 41_064_607_584);
        assert_eq!(deals([13; 4]), 53_644_737_765_488_792_839_237_440_000);
    }

    /// Every way to draw one or two cards for each hand from a pack, in each
    /// strain, is in one partition.
    #[test]
    fn all_endings_of_a_pack_are_in_some_arrangement() {
        let drawn = |cards: u32| (1..=u128::from(cards)).fold(1, |ways, n| ways * (14 - n) / n);
        for (level, all) in [(1, 5 * 52 * 51 * 50 * 49), (2, 5 * pairs(52, 4))] {
            let sum: u128 = PartitionIndex::new(level)
                .iter()
                .map(|partition| {
                    let suits = partition.shape.lengths;
                    let packs: u128 = suits.iter().map(|suit| drawn(suit.total())).product();
                    packs
                        * states_of_partition(partition)
                        * arrangements_of_partition(partition) as u128
                })
                .sum();
            assert_eq!(sum, all);
        }
    }

    /// The ways to draw two cards for each of some hands.
    fn pairs(cards: u128, hands: u32) -> u128 {
        (0..u128::from(hands))
            .map(|hand| cards - 2 * hand)
            .fold(1, |ways, left| ways * left * (left - 1) / 2)
    }
}
