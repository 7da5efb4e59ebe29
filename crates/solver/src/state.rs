//! The position that the search changes: the cards in the hands, in four words, and the current
//! trick.

use crate::lanes::{LANE, suit_mask, suit_of};

/// Calls a function with the number of cards on the trick, 1 to 3, as its constant.
macro_rules! with_played {
    ($played:expr, $($function:ident)::+($($argument:expr),*)) => {
        match $played {
            1 => $($function)::+::<1>($($argument),*),
            2 => $($function)::+::<2>($($argument),*),
            _ => $($function)::+::<3>($($argument),*),
        }
    };
}
pub(crate) use with_played;

/// A trick under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trick {
    /// The seat that led.
    pub leader: usize,
    /// All cards of the suit that was led.
    pub led_mask: u64,
    /// The cards on the table.
    pub played: u64,
    /// The card that is winning, and whose it is.
    pub best: u64,
    pub winner: usize,
}

impl Trick {
    /// The trick after a lead.
    #[inline]
    pub(crate) fn new(leader: usize, card: u64) -> Trick {
        Trick {
            leader,
            led_mask: suit_mask(suit_of(card)),
            played: card,
            best: card,
            winner: leader,
        }
    }

    /// The trick after one more card.
    #[inline]
    pub(crate) fn with(self, seat: usize, card: u64, trumps: u64) -> Trick {
        let mut trick = self;
        trick.played |= card;
        if self.is_beaten_by(card, trumps) {
            trick.best = card;
            trick.winner = seat;
        }
        trick
    }

    /// Returns true if the card beats the best one so far.
    ///
    /// If the best card is a trump, no card of the suit led is higher.
    #[inline]
    pub(crate) fn is_beaten_by(&self, card: u64, trumps: u64) -> bool {
        card > self.best && card & (self.led_mask | trumps) != 0
    }
}

/// The position that a search plays on and that orders its moves.
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

/// The part of a shape for one card of this hand and suit.
#[inline]
pub(crate) const fn shape_unit(seat: usize, suit: usize) -> u64 {
    1 << ((4 * (4 * suit + seat)) & 63)
}

impl State {
    /// The length of a suit in a hand.
    #[inline]
    pub(crate) const fn length(&self, seat: usize, suit: usize) -> u32 {
        (self.shape >> ((4 * (4 * suit + seat)) & 63)) as u32 & 15
    }

    /// Returns true if any trump is in play.
    #[inline]
    pub(crate) const fn has_trumps(&self) -> bool {
        self.all & self.trumps != 0
    }

    /// Takes a card out of a hand.
    #[inline]
    pub(crate) fn play(&mut self, seat: usize, card: u64) {
        self.hands[seat] ^= card;
        self.shape -= shape_unit(seat, suit_of(card));
    }

    /// Puts a card back.
    #[inline]
    pub(crate) fn take_back(&mut self, seat: usize, card: u64) {
        self.hands[seat] ^= card;
        self.shape += shape_unit(seat, suit_of(card));
    }
}

/// Returns true if this seat is North or South.
#[inline]
pub(crate) const fn is_north_south(seat: usize) -> bool {
    seat & 1 == 0
}

/// The word of a shape's lengths of one suit: North's lowest, then clockwise.
#[inline]
pub(crate) const fn suit_lengths(shape: u64, suit: usize) -> u16 {
    (shape >> (LANE as usize * suit)) as u16
}
