//! The position that the search changes: the cards in the hands, in four words.

use crate::lanes::{LANE, suit_of};

/// A position as heuristics see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// The cards in each hand, by seat from North.
    pub hands: [u64; 4],
    /// The cards in play at the start of the trick, those on the table included.
    pub all: u64,
    /// Suit lengths: 4 bits each, hand by hand within suit by suit.
    pub shape: u64,
    /// The trump suit's cards; none at no trump.
    pub trumps: u64,
}

/// The part of a shape that one card of this hand and suit accounts for.
#[inline]
pub(crate) const fn shape_unit(seat: usize, suit: usize) -> u64 {
    1 << ((4 * (4 * suit + seat)) & 63)
}

impl State {
    /// The length of a suit in a hand.
    #[inline]
    pub const fn length(&self, seat: usize, suit: usize) -> u32 {
        (self.shape >> ((4 * (4 * suit + seat)) & 63)) as u32 & 15
    }

    /// Whether any trump is in play.
    #[inline]
    pub const fn has_trumps(&self) -> bool {
        self.all & self.trumps != 0
    }

    /// Takes a card out of a hand.
    #[inline]
    pub fn play(&mut self, seat: usize, card: u64) {
        self.hands[seat] ^= card;
        self.shape -= shape_unit(seat, suit_of(card));
    }

    /// Puts a card back.
    #[inline]
    pub fn take_back(&mut self, seat: usize, card: u64) {
        self.hands[seat] ^= card;
        self.shape += shape_unit(seat, suit_of(card));
    }
}

/// Whether this seat is North or South.
#[inline]
pub(crate) const fn is_north_south(seat: usize) -> bool {
    seat & 1 == 0
}

/// The word of a shape's lengths of one suit: North's lowest, then clockwise.
#[inline]
pub(crate) const fn suit_lengths(shape: u64, suit: usize) -> u16 {
    (shape >> (LANE as usize * suit)) as u16
}
