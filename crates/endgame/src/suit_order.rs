//! The order in which a partition takes the suits of an ending.

use std::fmt;

/// The suit of an ending at each place of the canonical order; a permutation of
/// 0..=3. [`Shape::canonical`](crate::shape::Shape::canonical) finds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SuitOrder([u8; 4]);

impl SuitOrder {
    /// Each suit at its own place.
    pub const IDENTITY: SuitOrder = SuitOrder([0, 1, 2, 3]);

    /// The order with these suits, a permutation of 0..=3.
    #[inline]
    pub(crate) fn new(suits: [u8; 4]) -> SuitOrder {
        debug_assert!((0..4).all(|suit| suits.contains(&suit)));
        SuitOrder(suits)
    }

    /// The ending's suit, 0..=3, at a place of the canonical order, 0..=3.
    #[inline]
    #[must_use]
    pub const fn suit(self, place: usize) -> usize {
        // The mask changes nothing; it spares a reader's bounds checks.
        self.0[place & 3] as usize & 3
    }

    /// The ending's suits, place by place.
    #[inline]
    #[must_use]
    pub fn suits(self) -> [usize; 4] {
        [0, 1, 2, 3].map(|place| self.suit(place))
    }
}

impl fmt::Debug for SuitOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
