//! Shapes, and partitions: canonical shapes, with or without a trump suit.

use std::fmt;

use crate::suit_lengths::{SUIT_CARDS, SuitLengths};

/// The 4×4 matrix of suit lengths: one row for each suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Shape {
    /// The lengths of each suit.
    pub lengths: [SuitLengths; 4],
}

impl Shape {
    /// Returns the cards per hand if all four hands have the same number, from 1 to 13, and no suit
    /// has more than 13; otherwise `None`.
    pub(crate) fn level(self) -> Option<usize> {
        // The lengths of all suits added up, hands 0 and 2 in one number, hands
        // 1 and 3 in another, a byte each.
        let (mut even, mut odd) = (0, 0);
        let mut fits = true;
        for suit in self.lengths {
            even += suit.bits() & 0x0f0f;
            odd += suit.bits() >> 4 & 0x0f0f;
            fits &= suit.total() <= SUIT_CARDS;
        }
        let level = u32::from(even & 0xff);
        let equal = even == odd && u32::from(even >> 8) == level;
        (equal && fits && (1..=SUIT_CARDS).contains(&level)).then_some(level as usize)
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.lengths;
        write!(f, "{a:?} {b:?} {c:?} {d:?}")
    }
}

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

/// A shape's partition, and the order of its suits there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The shape with its suits in canonical order, and whether the first one
    /// is trump.
    pub partition: Partition,
    /// The suit of the original shape at each index.
    pub order: SuitOrder,
}

impl Shape {
    /// Returns the canonical order of the suits: the trump suit first if there is one, the rest by
    /// descending lengths. Without a card of the trump suit the partition is at no trump.
    ///
    /// The result names suits of `self`: `order.suit(i)` is the suit at index `i`.
    #[inline]
    pub fn canonical(self, trump: Option<usize>) -> Canonical {
        let trump = trump.filter(|&suit| self.lengths[suit & 3] != SuitLengths::EMPTY);
        // A key is the lengths above the suit's number, so sorting keys sorts the lengths and moves
        // the suits with them. The trump suit is raised above all others.
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

/// The suit of an ending at each index of the canonical order; a permutation of 0..=3.
/// [`Shape::canonical`](crate::partition::Shape::canonical) finds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SuitOrder([u8; 4]);

impl SuitOrder {
    /// The identity permutation.
    pub const IDENTITY: SuitOrder = SuitOrder([0, 1, 2, 3]);

    /// Makes the order with these suits, a permutation of 0..=3.
    #[inline]
    pub(crate) fn new(suits: [u8; 4]) -> SuitOrder {
        debug_assert!((0..4).all(|suit| suits.contains(&suit)));
        SuitOrder(suits)
    }

    /// Returns the ending's suit, 0..=3, at an index of the canonical order, 0..=3.
    #[inline]
    pub const fn suit(self, nth: usize) -> usize {
        // The mask has no effect except to remove bounds checks.
        self.0[nth & 3] as usize & 3
    }

    /// Returns the ending's suits in canonical order.
    #[inline]
    pub(crate) fn suits(self) -> [usize; 4] {
        [0, 1, 2, 3].map(|nth| self.suit(nth))
    }
}

impl fmt::Debug for SuitOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
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

    #[test]
    fn levels_need_equal_hands_and_at_most_thirteen_cards_in_a_suit() {
        let none = [0; 4];
        for (lengths, level) in [
            ([[1; 4], none, none, none], Some(1)),
            ([[2, 1, 1, 1], [0, 1, 1, 1], none, none], Some(2)),
            ([[2, 1, 1, 1], [0, 1, 1, 0], none, none], None),
            ([[4; 4], none, none, none], None),
            ([none; 4], None),
        ] {
            let lengths = lengths.map(SuitLengths::new);
            assert_eq!(Shape { lengths }.level(), level);
        }
    }
}
