//! Partitions of a level: counted, enumerated and numbered exactly.
//!
//! A level's partitions are numbered from 0: those at no trump first, each group in ascending order
//! of its lengths. The number of a partition is a sum of three table entries:
//!
//! ```text
//! first[c0] + second[D - c0, c1] + third[D - c0 - c1, c2]        c3 = the rest
//! ```
//!
//! where `D` are the lengths (d, d, d, d). Two entries suffice below the first because three of
//! four lengths with the sum `D` determine the fourth, and because the suits below the first are in
//! descending order: an upper limit on one suit truncates an ascending list and does not change the
//! ranks of the rest.

use crate::lengths_within::lengths_within;
use crate::partition::{Partition, Shape};
use crate::suit_lengths::{SUIT_CARDS, SuitLengths};

/// Number of partitions of each level, from 1 to 13 cards in each hand: at no trump, and in all.
const COUNTS: [(u32, u32); 13] = [
    (15, 52),
    (483, 2_054),
    (6_996, 32_641),
    (64_157, 309_014),
    (411_559, 2_017_115),
    (1_987_370, 9_827_441),
    (7_325_169, 36_423_864),
    (20_544_831, 102_461_379),
    (42_792_548, 213_757_000),
    (63_061_483, 315_176_482),
    (59_441_267, 297_089_318),
    (27_944_326, 139_638_330),
    (1_569_344, 7_831_244),
];

/// Returns the number of partitions of the level of `level` cards in each hand,
/// without the tables of a [`PartitionIndex`]; 0 if there is no such level.
pub fn partition_count(level: usize) -> usize {
    let count = level.checked_sub(1).and_then(|index| COUNTS.get(index));
    count.map_or(0, |&(_, all)| all as usize)
}

/// The numbering of one level's partitions.
#[derive(Debug, Clone)]
pub struct PartitionIndex {
    level: usize,
    ranks: Box<LengthRanks>,
    /// Number of the first partition whose first suit has the given lengths, by
    /// `box_place`; at no trump, and with trumps.
    first: [Vec<u32>; 2],
    /// By `pair_place(whole, c1)`: the number of ways to fill `whole` with three lengths in
    /// descending order whose largest comes before `c1`.
    second: Vec<u32>,
    /// By `pair_place(whole, c2)`: the rank of `c2` among the larger halves of `whole`.
    third: Vec<u16>,
    /// First lengths in ascending order, with the number of their first partition; at no trump, and
    /// with trumps.
    starts: [Vec<(SuitLengths, u32)>; 2],
    counts: [usize; 2],
}

impl PartitionIndex {
    /// Returns the bytes of memory that the numbering of a level takes, about.
    pub fn bytes(level: usize) -> u64 {
        let boxes = 3 * size_of::<u32>() * (level + 1).pow(4);
        (boxes + (size_of::<u32>() + size_of::<u16>()) * pairs(level)) as u64
    }

    /// Makes the numbering of the partitions with `level` cards in each hand.
    ///
    /// Takes time and memory in proportion to `((level + 1)(level + 2) / 2)^4`:
    /// 50,625 table entries at level 4, 614,656 at level 6.
    ///
    /// # Panics
    ///
    /// If `level` is not in 1..=13.
    pub fn new(level: usize) -> PartitionIndex {
        assert!((1..=13).contains(&level), "a level is 1..=13, not {level}");
        let ranks = LengthRanks::of_level(level);
        let pairs = pairs(level);
        let mut index = PartitionIndex {
            level,
            ranks: Box::new(ranks),
            first: [vec![0; (level + 1).pow(4)], vec![0; (level + 1).pow(4)]],
            second: vec![0; pairs],
            third: vec![0; pairs],
            starts: [Vec::new(), Vec::new()],
            counts: [0; 2],
        };
        let full = index.full();
        for whole in lengths_within(full).filter(|whole| whole.total() <= 2 * SUIT_CARDS) {
            let mut before = 0;
            for larger in larger_lengths_within(whole) {
                let at = index.ranks.of_pair(whole, larger);
                index.third[at] = before;
                before += u16::from(are_suits(whole, larger));
            }
        }
        // The ways to fill lengths with three suits.
        let mut fillings = vec![0; (level + 1).pow(4)];
        for whole in lengths_within(full) {
            if whole.total() > 3 * SUIT_CARDS {
                continue;
            }
            let mut before = 0;
            for c1 in lengths_within(whole) {
                let at = index.ranks.of_pair(whole, c1);
                index.second[at] = before;
                if c1.total() <= SUIT_CARDS {
                    before += index.halves_up_to(whole.minus(c1), c1);
                }
            }
            fillings[index.ranks.of_lengths(whole)] = before;
        }
        for trump in [false, true] {
            let mut before = 0;
            for c0 in lengths_within(full) {
                if c0.total() > SUIT_CARDS || (trump && c0 == SuitLengths::EMPTY) {
                    continue;
                }
                let rest = full.minus(c0);
                // At no trump the second suit is not greater than the first.
                let passed = if trump {
                    None
                } else {
                    lengths_within(rest).find(|&c1| c1 > c0)
                };
                let ways = match passed {
                    Some(c1) => index.second[index.ranks.of_pair(rest, c1)],
                    None => fillings[index.ranks.of_lengths(rest)],
                };
                if ways == 0 {
                    continue;
                }
                let at = index.ranks.of_lengths(c0);
                index.first[usize::from(trump)][at] = before;
                index.starts[usize::from(trump)].push((c0, before));
                before += ways;
            }
            index.counts[usize::from(trump)] = before as usize;
        }
        // Partitions with trumps are numbered after those without.
        let offset = index.counts[0] as u32;
        index.first[1]
            .iter_mut()
            .for_each(|number| *number += offset);
        index.starts[1]
            .iter_mut()
            .for_each(|(_, number)| *number += offset);
        index
    }

    /// Cards in each hand.
    pub fn level(&self) -> usize {
        self.level
    }

    /// Returns the number of partitions of the level.
    #[allow(clippy::len_without_is_empty)] // a level is never empty
    pub fn len(&self) -> usize {
        self.counts[0] + self.counts[1]
    }

    /// Returns the number of partitions at no trump; these come first.
    pub(crate) fn no_trump_len(&self) -> usize {
        self.counts[0]
    }

    /// Returns the number of a partition of this level.
    ///
    /// For a partition of another level, or a shape that is not canonical, the
    /// result is the number of some other partition, or a panic.
    #[inline]
    pub fn number(&self, partition: Partition) -> usize {
        let [c0, c1, c2, _] = partition.shape.lengths;
        let below_first = self.full().minus(c0);
        let below_second = below_first.minus(c1);
        let number = self.first[usize::from(partition.trump)][self.ranks.of_lengths(c0)]
            + self.second[self.ranks.of_pair(below_first, c1)]
            + u32::from(self.third[self.ranks.of_pair(below_second, c2)]);
        number as usize
    }

    /// Returns the partition with a number; `None` from [`len`](Self::len) on.
    pub fn partition(&self, number: usize) -> Option<Partition> {
        self.iter_from(number).next()
    }

    /// All partitions in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = Partition> + '_ {
        self.iter_from(0)
    }

    /// The partitions from `number` on.
    pub fn iter_from(&self, number: usize) -> impl Iterator<Item = Partition> + '_ {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        [false, true].into_iter().flat_map(move |trump| {
            let starts = &self.starts[usize::from(trump)];
            let at = starts
                .partition_point(|&(_, start)| start <= number)
                .saturating_sub(1);
            starts[at..].iter().flat_map(move |&(c0, start)| {
                let below_first = self.full().minus(c0);
                let passed = self.seconds_passed(below_first, number.saturating_sub(start));
                lengths_within(below_first)
                    .skip(passed)
                    .filter(move |&c1| c1.total() <= SUIT_CARDS && (trump || c1 <= c0))
                    .flat_map(move |c1| {
                        let start = start + self.second[self.ranks.of_pair(below_first, c1)];
                        let below_second = below_first.minus(c1);
                        let halves = halves(below_second).take_while(move |&c2| c2 <= c1);
                        let passed = number.saturating_sub(start) as usize;
                        halves.skip(passed).map(move |c2| Partition {
                            shape: Shape {
                                lengths: [c0, c1, c2, below_second.minus(c2)],
                            },
                            trump,
                        })
                    })
            })
        })
    }

    /// Returns the number of second lengths before that of a partition, given the number of
    /// partitions before it among those with its first suit.
    fn seconds_passed(&self, below_first: SuitLengths, before: u32) -> usize {
        let (mut first, mut end) = (0, lengths_within(below_first).len());
        while first + 1 < end {
            let middle = first + (end - first) / 2;
            let Some(c1) = lengths_within(below_first).nth(middle) else {
                break;
            };
            if self.second[self.ranks.of_pair(below_first, c1)] <= before {
                first = middle;
            } else {
                end = middle;
            }
        }
        first
    }

    /// Returns the number of larger halves of `whole` that are at most `limit`.
    #[inline]
    fn halves_up_to(&self, whole: SuitLengths, limit: SuitLengths) -> u32 {
        let last = limit.clamped(whole);
        let before = u32::from(self.third[self.ranks.of_pair(whole, last)]);
        before + u32::from((last >= whole.minus(last)) & are_suits(whole, last))
    }

    fn full(&self) -> SuitLengths {
        SuitLengths::new([self.level as u8; 4])
    }
}

/// Returns the number of pairs of lengths of which the second exceeds the first in no hand.
fn pairs(level: usize) -> usize {
    ((level + 1) * (level + 2) / 2).pow(4)
}

/// Ranks of lengths in the tables of a level.
#[derive(Debug, Clone)]
struct LengthRanks {
    /// In a table over all lengths.
    lengths: SumOverHands,
    /// In a table over all pairs of lengths of which the second exceeds the first in no hand: the
    /// contribution of each.
    whole: SumOverHands,
    part: SumOverHands,
}

impl LengthRanks {
    fn of_level(level: usize) -> LengthRanks {
        let lengths = level as u32 + 1;
        let pairs = lengths * (lengths + 1) / 2;
        LengthRanks {
            lengths: SumOverHands::new(|hand, length| length * lengths.pow(hand)),
            whole: SumOverHands::new(|hand, length| length * (length + 1) / 2 * pairs.pow(hand)),
            part: SumOverHands::new(|hand, length| length * pairs.pow(hand)),
        }
    }

    #[inline]
    fn of_lengths(&self, lengths: SuitLengths) -> usize {
        self.lengths.of(lengths) as usize
    }

    #[inline]
    fn of_pair(&self, whole: SuitLengths, part: SuitLengths) -> usize {
        (self.whole.of(whole) + self.part.of(part)) as usize
    }
}

/// A sum over the four hands of a number for each length, looked up two hands at a
/// time.
#[derive(Debug, Clone)]
struct SumOverHands([[u32; 256]; 2]);

impl SumOverHands {
    fn new(number: impl Fn(u32, u32) -> u32) -> SumOverHands {
        SumOverHands([0, 2].map(|hand| {
            std::array::from_fn(|lengths| {
                let lengths = lengths as u32;
                number(hand, lengths & 15) + number(hand + 1, lengths >> 4)
            })
        }))
    }

    #[inline]
    fn of(&self, lengths: SuitLengths) -> u32 {
        let [low, high] = lengths.bits().to_le_bytes();
        self.0[0][usize::from(low)] + self.0[1][usize::from(high)]
    }
}

/// Returns the lengths within `whole` that are at least the rest, in ascending order.
fn larger_lengths_within(whole: SuitLengths) -> impl Iterator<Item = SuitLengths> {
    // The complements are in the reverse order.
    let all = lengths_within(whole);
    let smaller = all.len() / 2;
    all.skip(smaller)
}

/// Returns the larger halves of `whole` in ascending order: the larger of two lengths with this
/// sum, both of which are those of a suit.
fn halves(whole: SuitLengths) -> impl Iterator<Item = SuitLengths> {
    larger_lengths_within(whole).filter(move |&larger| are_suits(whole, larger))
}

/// Returns true if neither `half` nor the rest of `whole` has too many cards for a suit.
#[inline]
fn are_suits(whole: SuitLengths, half: SuitLengths) -> bool {
    let total = half.total();
    (total <= SUIT_CARDS) & (whole.total() - total <= SUIT_CARDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_partitions_are_inverse_and_every_partition_is_canonical() {
        for level in 1..=4 {
            let index = PartitionIndex::new(level);
            let mut seen = 0;
            for (number, partition) in index.iter().enumerate() {
                assert_eq!(index.number(partition), number);
                assert_eq!(partition.shape.level(), Some(level));
                let again = partition.shape.canonical(partition.trump.then_some(0));
                assert_eq!(again.partition, partition);
                assert_eq!(index.partition(number), Some(partition));
                seen += 1;
            }
            assert_eq!(seen, index.len());
            assert_eq!(index.partition(seen), None);
        }
    }

    #[test]
    fn counts_agree_with_the_published_table() {
        // Deeper ones take long: see below.
        for level in 1..=6 {
            counts_agree(level);
        }
        assert_eq!(partition_count(0), 0);
        assert_eq!(partition_count(14), 0);
    }

    /// `cargo test --release -p setrograde-endgame -- --ignored`; takes 1 GB.
    #[test]
    #[ignore = "takes minutes and a gigabyte of memory"]
    fn counts_of_all_levels_are_those_of_their_numbering() {
        for level in 7..=13 {
            counts_agree(level);
        }
    }

    fn counts_agree(level: usize) {
        let index = PartitionIndex::new(level);
        let (no_trump, all) = COUNTS[level - 1];
        assert_eq!(index.no_trump_len(), no_trump as usize);
        assert_eq!(index.len(), all as usize);
        assert_eq!(partition_count(level), index.len());
    }
}
