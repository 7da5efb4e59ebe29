//! The trick under way, as the search sees it.

use crate::lanes::{lane, suit_of};

/// One to four cards on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trick {
    /// The suit that must be followed.
    pub led: usize,
    /// The seat that led.
    pub leader: usize,
    /// The number of cards played.
    pub played: usize,
    /// The seat that is winning, and its card.
    pub winner: usize,
    pub winning: u64,
    /// All cards on the table.
    pub cards: u64,
}

impl Trick {
    /// The trick to which `seat` has led `card`.
    #[inline]
    pub fn new(seat: usize, card: u64) -> Trick {
        Trick {
            led: suit_of(card),
            leader: seat,
            played: 1,
            winner: seat,
            winning: card,
            cards: card,
        }
    }

    /// Whether `card` would win the trick so far.
    #[inline]
    pub fn is_beaten_by(&self, card: u64, trump: Option<usize>) -> bool {
        let suit = suit_of(card);
        if suit == suit_of(self.winning) {
            card > self.winning
        } else {
            Some(suit) == trump
        }
    }

    /// The winning card if another of its suit was played; no card otherwise.
    #[inline]
    pub fn winner_by_rank(&self) -> u64 {
        match self.cards & lane(suit_of(self.winning)) == self.winning {
            true => 0,
            false => self.winning,
        }
    }

    /// The seat that plays next.
    #[inline]
    pub fn to_play(self) -> usize {
        (self.leader + self.played) % 4
    }

    /// The trick with one more card.
    #[inline]
    pub fn with(mut self, card: u64, trump: Option<usize>) -> Trick {
        if self.is_beaten_by(card, trump) {
            self.winner = self.to_play();
            self.winning = card;
        }
        self.played += 1;
        self.cards |= card;
        self
    }
}
