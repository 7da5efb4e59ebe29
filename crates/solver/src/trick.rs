//! A trick under way, as the search has it.

use crate::lanes::{suit_mask, suit_of};

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
    pub fn new(leader: usize, card: u64) -> Trick {
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
    pub fn with(self, seat: usize, card: u64, trumps: u64) -> Trick {
        let mut trick = self;
        trick.played |= card;
        if self.is_beaten_by(card, trumps) {
            trick.best = card;
            trick.winner = seat;
        }
        trick
    }

    /// Whether the card beats the best one so far.
    ///
    /// If the best card is a trump, no card of the suit led is higher.
    #[inline]
    pub fn is_beaten_by(&self, card: u64, trumps: u64) -> bool {
        card > self.best && card & (self.led_mask | trumps) != 0
    }
}
