//! The owners of an ending's cards, packed.

use std::fmt;

/// For each suit the owners of its cards from the top down, two bits each, the
/// top card's lowest; zero beyond the last card. An owner is a hand, 0..=3;
/// from where hands are counted is the user's to say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PackedOwners([u32; 4]);

impl PackedOwners {
    /// No cards.
    pub const NONE: PackedOwners = PackedOwners([0; 4]);

    /// The owners that these words hold, one word for each suit.
    #[inline]
    #[must_use]
    pub const fn from_words(words: [u32; 4]) -> PackedOwners {
        PackedOwners(words)
    }

    /// One word for each suit.
    #[inline]
    #[must_use]
    pub const fn words(self) -> [u32; 4] {
        self.0
    }

    /// The owner of the card at `place` (0 the top one, at most 15) of a suit.
    #[inline]
    #[must_use]
    pub const fn owner(&self, suit: usize, place: usize) -> usize {
        (self.0[suit & 3] >> (2 * (place & 15))) as usize & 3
    }

    /// Notes the owner of the card at `place` of a suit, which had none yet.
    #[inline]
    pub fn insert(&mut self, suit: usize, place: usize, owner: usize) {
        self.0[suit & 3] |= (owner as u32 & 3) << (2 * (place & 15));
    }

    /// Removes the top card of a suit and returns its owner.
    #[inline]
    pub fn pop(&mut self, suit: usize) -> usize {
        let cards = &mut self.0[suit & 3];
        let owner = *cards as usize & 3;
        *cards >>= 2;
        owner
    }
}

impl fmt::Debug for PackedOwners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0;
        write!(f, "{a:#x} {b:#x} {c:#x} {d:#x}")
    }
}
