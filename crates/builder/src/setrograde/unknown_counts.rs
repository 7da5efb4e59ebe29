//! The number of x's of a set in each suit.

/// The number of x's of a set in each suit, one byte a suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownCounts(u32);

/// The top bit of every byte.
const TOPS: u32 = 0x8080_8080;

impl UnknownCounts {
    pub(crate) fn of(counts: [u8; 4]) -> UnknownCounts {
        UnknownCounts(u32::from_le_bytes(counts))
    }

    pub(crate) fn counts(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }

    /// The same numbers but for one suit.
    #[inline]
    pub(crate) fn with(self, suit: usize, count: u8) -> UnknownCounts {
        UnknownCounts(self.0 & !(255 << (8 * suit)) | u32::from(count) << (8 * suit))
    }

    /// Returns true if there are at most as many x's as in `other`, suit by suit.
    #[inline]
    pub(crate) fn is_within(self, other: UnknownCounts) -> bool {
        // Numbers are below 128, so no byte borrows from the next.
        ((other.0 | TOPS) - self.0) & TOPS == TOPS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_is_suit_by_suit() {
        let xs = UnknownCounts::of([1, 0, 13, 4]);
        assert_eq!(xs.with(1, 2).counts(), [1, 2, 13, 4]);
        assert!(xs.is_within(xs));
        assert!(xs.is_within(xs.with(3, 5)));
        assert!(!xs.is_within(xs.with(3, 3)));
        assert!(!xs.with(0, 2).is_within(xs.with(3, 5)));
    }
}
