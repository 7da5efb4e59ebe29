//! The owners of an ending's cards, packed.

use std::fmt;

use crate::partition::SuitOrder;

/// For each suit the owners of its cards from the top down, two bits each, the
/// top card's lowest; zero beyond the last card. Owners are hand
/// numbers 0..=3; the caller decides which hand is 0.
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

    /// All bits of the top cards of each suit, `known` many (at most 15), four
    /// bits a suit, suit 0 lowest: where two sets of owners that agree in these
    /// cards have the same bits.
    #[inline]
    #[must_use]
    pub fn mask(known: u16) -> PackedOwners {
        PackedOwners(std::array::from_fn(|suit| {
            (1 << (2 * (known >> (4 * suit) & 15))) - 1
        }))
    }

    /// The owners of the cards that `mask` keeps.
    #[inline]
    #[must_use]
    pub fn masked(self, mask: PackedOwners) -> PackedOwners {
        PackedOwners(std::array::from_fn(|suit| self.0[suit] & mask.0[suit]))
    }

    /// Returns true if both have the same owners of the cards that `mask` keeps.
    #[inline]
    #[must_use]
    pub const fn agree(&self, other: &PackedOwners, mask: &PackedOwners) -> bool {
        let ([a, b, c, d], [e, f, g, h], [i, j, k, l]) = (self.0, other.0, mask.0);
        (a ^ e) & i | (b ^ f) & j | (c ^ g) & k | (d ^ h) & l == 0
    }

    /// The one suit in which these owners differ from `other` in the cards that
    /// `mask` keeps, if there is just one, and they differ there in the lowest card
    /// of `known` alone. `None` also if `mask` keeps a card that `known` does not.
    #[inline]
    #[must_use]
    pub fn differs_in_lowest(
        &self,
        other: &PackedOwners,
        mask: &PackedOwners,
        known: &PackedOwners,
    ) -> Option<usize> {
        let halves = |words: &PackedOwners| {
            let [a, b, c, d] = words.0.map(u64::from);
            [a | b << 32, c | d << 32]
        };
        let ([a, b], [c, d]) = (halves(self), halves(other));
        let ([e, f], [g, h]) = (halves(mask), halves(known));
        let (low, high) = ((a ^ c) & e, (b ^ d) & f);
        // The lowest known card has the two highest bits of each word.
        let lowest = |known: u64| known & !(known >> 2 & 0x3fff_ffff_3fff_ffff);
        let outside = e & !g | f & !h | low & !lowest(g) | high & !lowest(h);
        if outside != 0 || (low == 0) == (high == 0) {
            return None;
        }
        let (both, first) = if low != 0 { (low, 0) } else { (high, 2) };
        match (both as u32, (both >> 32) as u32) {
            (_, 0) => Some(first),
            (0, _) => Some(first + 1),
            _ => None,
        }
    }

    /// The owners in the order of a partition: the suit `order.suit(i)` at place
    /// `i`.
    #[inline]
    #[must_use]
    pub(crate) fn in_order(self, order: SuitOrder) -> PackedOwners {
        PackedOwners(order.suits().map(|suit| self.0[suit]))
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
