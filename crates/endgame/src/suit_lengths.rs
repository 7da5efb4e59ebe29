//! The lengths of one suit in the four hands.

use std::fmt;

/// Maximum number of cards that a suit can have.
pub(crate) const SUIT_CARDS: u32 = 13;

/// The lengths of one suit in the four hands; hand 0 is the leader, then clockwise.
/// Lengths are 0..=13, one in each nibble, hand 0 lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SuitLengths(u16);

impl SuitLengths {
    /// No cards.
    pub const EMPTY: SuitLengths = SuitLengths(0);

    /// Makes suit lengths from those of the four hands.
    ///
    /// Only the low four bits of a length are used. A length of 14 or 15 is impossible in bridge
    /// but harmless here.
    pub const fn new(lengths: [u8; 4]) -> SuitLengths {
        SuitLengths(
            (lengths[0] as u16 & 15)
                | (lengths[1] as u16 & 15) << 4
                | (lengths[2] as u16 & 15) << 8
                | (lengths[3] as u16 & 15) << 12,
        )
    }

    /// Makes suit lengths from four nibbles, hand 0 lowest.
    pub const fn from_bits(bits: u16) -> SuitLengths {
        SuitLengths(bits)
    }

    /// The four nibbles, hand 0 lowest.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Cards of this suit in `hand` (0..=3).
    #[inline]
    pub const fn length(self, hand: usize) -> u8 {
        (self.0 >> (4 * (hand & 3))) as u8 & 15
    }

    /// All four lengths.
    pub const fn to_array(self) -> [u8; 4] {
        [
            self.length(0),
            self.length(1),
            self.length(2),
            self.length(3),
        ]
    }

    /// Cards of this suit in all hands together.
    #[inline]
    pub const fn total(self) -> u32 {
        let pairs = (self.0 & 0x0f0f) + ((self.0 >> 4) & 0x0f0f);
        ((pairs & 0xff) + (pairs >> 8)) as u32
    }

    /// Returns the lengths as seen from `hand`, which becomes hand 0.
    #[inline]
    #[must_use]
    pub const fn seen_from(self, hand: usize) -> SuitLengths {
        SuitLengths(self.0.rotate_right(4 * (hand as u32 & 3)))
    }

    /// Returns the lengths with one card fewer in `hand`, which must have one.
    #[inline]
    #[must_use]
    pub const fn without_one(self, hand: usize) -> SuitLengths {
        debug_assert!(self.length(hand) > 0);
        SuitLengths(self.0.wrapping_sub(1 << (4 * (hand & 3))))
    }

    /// Returns the number of hands that hold at least one card.
    pub fn holders(self) -> usize {
        self.to_array().iter().filter(|&&length| length > 0).count()
    }

    /// Returns the difference hand by hand; `other` must not be longer in any hand.
    #[inline]
    pub(crate) const fn minus(self, other: SuitLengths) -> SuitLengths {
        SuitLengths(self.0.wrapping_sub(other.0))
    }

    /// Returns the largest lengths that are at most these and exceed `whole` in no hand.
    #[inline]
    pub(crate) const fn clamped(self, whole: SuitLengths) -> SuitLengths {
        /// A byte for each hand.
        const fn spread(lengths: u16) -> u32 {
            let pairs = (lengths as u32 | (lengths as u32) << 8) & 0x00ff_00ff;
            (pairs | pairs << 4) & 0x0f0f_0f0f
        }
        let longer = !((spread(whole.0) | 0x8080_8080) - spread(self.0)) & 0x8080_8080;
        // From the last hand that exceeds `whole`, take the lengths of `whole`.
        let hands = (39 - longer.leading_zeros()) / 8;
        let below = ((1_u32 << (4 * hands)) - 1) as u16;
        SuitLengths(self.0 & !below | whole.0 & below)
    }
}

impl fmt::Debug for SuitLengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.to_array();
        write!(f, "{a}-{b}-{c}-{d}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lengths_within::lengths_within;

    #[test]
    fn suit_lengths_keep_its_lengths() {
        let suit_lengths = SuitLengths::new([1, 0, 13, 4]);
        assert_eq!(suit_lengths.to_array(), [1, 0, 13, 4]);
        assert_eq!(suit_lengths.total(), 18);
        assert_eq!(suit_lengths.holders(), 3);
        assert_eq!(suit_lengths.seen_from(2).to_array(), [13, 4, 1, 0]);
        assert_eq!(suit_lengths.without_one(2).to_array(), [1, 0, 12, 4]);
        assert_eq!(format!("{suit_lengths:?}"), "1-0-13-4");
    }

    #[test]
    fn the_greatest_lengths_within_others() {
        for whole in lengths_within(SuitLengths::new([2, 1, 3, 2])) {
            for limit in lengths_within(SuitLengths::new([3, 2, 4, 3])) {
                let expected = lengths_within(whole)
                    .take_while(|&within| within <= limit)
                    .last();
                assert_eq!(Some(limit.clamped(whole)), expected, "{limit:?} {whole:?}");
            }
        }
        let most = SuitLengths::new([13; 4]);
        assert_eq!(most.clamped(most), most);
        assert_eq!(
            SuitLengths::new([0, 0, 0, 13]).clamped(SuitLengths::EMPTY),
            SuitLengths::EMPTY
        );
    }
}
