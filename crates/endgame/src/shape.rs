//! Shapes: the suit lengths of all four suits.

use std::fmt;

use crate::suit_lengths::{SUIT_CARDS, SuitLengths};

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
}
