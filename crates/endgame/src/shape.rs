//! Shapes: the suit lengths of all four suits, and their canonical order.

use std::fmt;

use crate::suit_lengths::{SUIT_CARDS, SuitLengths};
use crate::suit_order::SuitOrder;

/// The 4×4 matrix of suit lengths: one row for each suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Shape {
    /// The lengths of each suit.
    pub lengths: [SuitLengths; 4],
}

impl Shape {
    /// Cards per hand if all four hands have equally many, at least one and at
    /// most 13, and no suit has more than 13; otherwise `None`.
    #[must_use]
    pub fn level(self) -> Option<usize> {
        let hand = |h: usize| -> u32 { self.lengths.iter().map(|c| u32::from(c.length(h))).sum() };
        let level = hand(0);
        let equal = (1..4).all(|h| hand(h) == level);
        let fits = self.lengths.iter().all(|c| c.total() <= SUIT_CARDS);
        (equal && fits && (1..=SUIT_CARDS).contains(&level)).then_some(level as usize)
    }

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
            shape: Shape {
                lengths: keys.map(|key| SuitLengths::from_bits((key >> 2) as u16)),
            },
            order: SuitOrder::new(keys.map(|key| key as u8 & 3)),
            trump: trump.is_some(),
        }
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.lengths;
        write!(f, "{a:?} {b:?} {c:?} {d:?}")
    }
}

/// A shape with its suits in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The shape, its suits in canonical order.
    pub shape: Shape,
    /// Which suit of the original shape stands at each place.
    pub order: SuitOrder,
    /// Whether the first suit is a trump suit.
    pub trump: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_need_equal_hands_and_at_most_thirteen_cards_in_a_suit() {
        let shape = |lengths: [[u8; 4]; 4]| Shape {
            lengths: lengths.map(SuitLengths::new),
        };
        let none = [0; 4];
        assert_eq!(shape([[1; 4], none, none, none]).level(), Some(1));
        assert_eq!(
            shape([[2, 1, 1, 1], [0, 1, 1, 1], none, none]).level(),
            Some(2)
        );
        assert_eq!(
            shape([[2, 1, 1, 1], [0, 1, 1, 0], none, none]).level(),
            None
        );
        assert_eq!(shape([[4, 4, 4, 4], none, none, none]).level(), None);
        assert_eq!(shape([none; 4]).level(), None);
    }

    #[test]
    fn the_trump_suit_comes_first_and_an_empty_one_is_no_trump() {
        let shape = Shape {
            lengths: [[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1], [0, 0, 1, 0]].map(SuitLengths::new),
        };
        let trump = shape.canonical(Some(0));
        assert!(trump.trump);
        assert_eq!(trump.order.suits(), [0, 2, 3, 1]);
        let plain = shape.canonical(Some(1));
        assert!(!plain.trump);
        assert_eq!(plain.order.suits(), [2, 3, 0, 1]);
        assert_eq!(plain.shape.lengths[0], SuitLengths::new([1, 0, 0, 1]));
    }
}
