//! Length matrices: partitions that differ only by rotating the table or choosing another trump
//! suit.
//!
//! A search that visits one of these partitions soon visits others of them: the same cards with
//! another hand on lead, or in another strain. A mapped level therefore stores them together.

use crate::partition::{Partition, Shape};
use crate::partition_index::PartitionIndex;
use crate::suit_lengths::SuitLengths;

/// The lengths of the four suits, up to rotations of the table and permutations of the suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Matrix(u64);

/// Number of partitions that one matrix may have: four leaders times five strains.
pub const RELATIVES: usize = 20;

/// A partition among those of its matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Relative {
    /// The matrix.
    pub matrix: Matrix,
    /// Its number there, below [`RELATIVES`]. If suits or hands have equal lengths, some numbers
    /// belong to no partition.
    pub number: usize,
}

impl Matrix {
    /// Returns the lengths of the four suits, the largest first, 16 bits each, the first suit's
    /// highest. It is the smallest of the numbers for the four rotations of the hands.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns all matrices of a level, in ascending order.
    pub fn of_level(partitions: &PartitionIndex) -> impl Iterator<Item = Matrix> + '_ {
        // Partitions at no trump are in the order of their numbers.
        let no_trump = partitions.iter().take(partitions.no_trump_len());
        no_trump.filter_map(|partition| {
            let Relative { matrix, number } = partition.relative();
            (number == 0).then_some(matrix)
        })
    }
}

impl Partition {
    /// Returns the partition's number among those of its matrix.
    ///
    /// The number is four times the index of the strain (0 for no trump, else 1 plus the index of
    /// the trump suit's lengths in the matrix), plus the number of hands from the leader to the
    /// matrix's hand 0.
    #[inline]
    pub fn relative(&self) -> Relative {
        let suits = self.shape.lengths.map(SuitLengths::bits);
        let turned = sorted(suits.map(|suit| [0, 4, 8, 12].map(|turn| suit.rotate_right(turn))));
        let (mut least, mut turn) = (turned[0], 0);
        for (other, bits) in (1..).zip(&turned[1..]) {
            if *bits < least {
                (least, turn) = (*bits, other);
            }
        }
        let strain = if self.trump {
            let trumps = suits[0].rotate_right(4 * turn);
            let is_before = |nth: u32| (least >> (48 - 16 * nth)) as u16 > trumps;
            1 + (0..3).map(|nth| usize::from(is_before(nth))).sum::<usize>()
        } else {
            0
        };
        Relative {
            matrix: Matrix(least),
            number: 4 * strain + turn as usize,
        }
    }
}

/// The lengths of four suits as each of four hands sees them: greatest first, in one number for
/// each hand.
#[inline]
fn sorted([a, b, c, d]: [[u16; 4]; 4]) -> [u64; 4] {
    // All four hands at once: these are vectors.
    let least =
        |a: [u16; 4], b: [u16; 4]| -> [u16; 4] { std::array::from_fn(|at| a[at].min(b[at])) };
    let greatest =
        |a: [u16; 4], b: [u16; 4]| -> [u16; 4] { std::array::from_fn(|at| a[at].max(b[at])) };
    let (a, b) = (greatest(a, b), least(a, b));
    let (c, d) = (greatest(c, d), least(c, d));
    let (a, c) = (greatest(a, c), least(a, c));
    let (b, d) = (greatest(b, d), least(b, d));
    let (b, c) = (greatest(b, c), least(b, c));
    std::array::from_fn(|hand| {
        let suits = [a[hand], b[hand], c[hand], d[hand]];
        suits
            .into_iter()
            .fold(0, |bits, suit| bits << 16 | u64::from(suit))
    })
}

impl Relative {
    /// Returns the partition, if the number belongs to one.
    pub fn partition(&self) -> Option<Partition> {
        let (strain, turn) = (self.number / 4, self.number % 4);
        let lengths = [48, 32, 16, 0].map(|nth| {
            let bits = (self.matrix.0 >> nth) as u16;
            SuitLengths::from_bits(bits).seen_from((4 - turn) & 3)
        });
        let canonical = Shape { lengths }.canonical(strain.checked_sub(1));
        (canonical.partition.relative() == *self).then_some(canonical.partition)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_partition_is_one_of_a_matrix() {
        for (level, count) in [(1, 7), (2, 135), (3, 1_798), (4, 16_178)] {
            let partitions = PartitionIndex::new(level);
            let matrices: Vec<Matrix> = Matrix::of_level(&partitions).collect();
            assert_eq!(matrices.len(), count);
            assert!(matrices.is_sorted());
            let mut met = HashSet::new();
            for partition in partitions.iter() {
                let relative = partition.relative();
                assert!(matrices.binary_search(&relative.matrix).is_ok());
                assert!(relative.number < RELATIVES);
                assert_eq!(relative.partition(), Some(partition));
                assert!(met.insert(relative));
            }
            let all = matrices.iter().flat_map(|&matrix| {
                (0..RELATIVES).filter_map(move |number| Relative { matrix, number }.partition())
            });
            assert_eq!(all.count(), partitions.len());
        }
    }

    #[test]
    fn relatives_have_one_matrix() {
        let [a, b, c, d] = [[2, 1, 0, 1], [1, 0, 3, 1], [0, 2, 0, 1], [0, 0, 0, 0]];
        let suits = [a, b, c, d].map(SuitLengths::new);
        let matrix = Shape { lengths: suits }
            .canonical(None)
            .partition
            .relative();
        for hand in 0..4 {
            let lengths = [2, 0, 3, 1].map(|suit: usize| suits[suit].seen_from(hand));
            for trump in [None, Some(0), Some(3)] {
                let partition = Shape { lengths }.canonical(trump).partition;
                assert_eq!(partition.relative().matrix, matrix.matrix);
            }
        }
    }
}
