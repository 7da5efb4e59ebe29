//! Partitions: canonical shapes, with or without a trump suit.

use std::fmt;

use crate::shape::Shape;
use crate::suit_lengths::SuitLengths;
use crate::suit_order::SuitOrder;

/// A canonical shape and whether its first suit is trump: the unit of work, of
/// storage and of look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partition {
    /// The suit lengths, in canonical order of the suits.
    pub shape: Shape,
    /// True if the first suit is a trump suit.
    pub trump: bool,
}

impl fmt::Display for Partition {
    /// As in `1-1-0-1 0-0-1-0 0-0-0-0 0-0-0-0, trump`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strain = if self.trump { "trump" } else { "no trump" };
        write!(f, "{:?}, {strain}", self.shape)
    }
}

/// A shape's partition, and the order that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The shape with its suits in canonical order, and whether the first one
    /// is trump.
    pub partition: Partition,
    /// The suit of the original shape at each place.
    pub order: SuitOrder,
}

impl Shape {
    /// The canonical order of the suits: the trump suit first if there is one,
    /// the others by falling lengths. A trump suit without cards is no trump.
    ///
    /// The answer names suits of `self`: `order.suit(i)` is the suit at place `i`.
    #[inline]
    #[must_use]
    pub fn canonical(self, trump: Option<usize>) -> Canonical {
        let trump = trump.filter(|&suit| self.lengths[suit & 3] != SuitLengths::EMPTY);
        // The key is the lengths above the suit's number, so that sorting whole
        // keys sorts lengths and carries the suits along; the trump suit is
        // lifted above all others.
        let mut keys = [0u32; 4];
        for (suit, key) in keys.iter_mut().enumerate() {
            *key = u32::from(self.lengths[suit].bits()) << 2 | suit as u32;
        }
        if let Some(suit) = trump {
            keys[suit & 3] |= 1 << 18;
        }
        let mut sort_pair = |a: usize, b: usize| {
            let (x, y) = (keys[a], keys[b]);
            keys[a] = x.max(y);
            keys[b] = x.min(y);
        };
        sort_pair(0, 1);
        sort_pair(2, 3);
        sort_pair(0, 2);
        sort_pair(1, 3);
        sort_pair(1, 2);
        Canonical {
            partition: Partition {
                shape: Shape {
                    lengths: keys.map(|key| SuitLengths::from_bits((key >> 2) as u16)),
                },
                trump: trump.is_some(),
            },
            order: SuitOrder::new(keys.map(|key| key as u8 & 3)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trump_suit_comes_first_and_an_empty_one_is_no_trump() {
        let shape = Shape {
            lengths: [[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]].map(SuitLengths::new),
        };
        let trump = shape.canonical(Some(0));
        assert!(trump.partition.trump);
        assert_eq!(trump.order.suits(), [0, 2, 3, 1]);
        let plain = shape.canonical(Some(1));
        assert!(!plain.partition.trump);
        assert_eq!(plain.order.suits(), [2, 3, 0, 1]);
        assert_eq!(
            plain.partition.shape.lengths[0],
            SuitLengths::new([1, 0, 0, 1])
        );
    }
}
