//! One abstract trick over a set: the hands' moves, and the cards played.

use crate::oracle::top_set::{KnownCards, TopSet};

/// Place of an x among the cards of its suit: below all known ones.
pub(crate) const X: u32 = 15;

/// The moves of each hand in each suit: a bit for the place, from the top, of
/// each known card, one for a run of adjacent ones, and bit [`X`] for an x.
pub(crate) struct Moves([[u16; 4]; 4]);

impl Moves {
    pub(crate) fn of(set: &TopSet) -> Moves {
        let mut moves = Moves([[0; 4]; 4]);
        let mut owners = *set.owners();
        for suit in 0..4 {
            let mut previous = 4;
            for place in 0..(set.known() >> (16 * suit)).trailing_ones() {
                let owner = owners.pop(suit);
                if owner != previous {
                    moves.0[owner][suit] |= 1 << place;
                }
                previous = owner;
            }
            let xs = set.xs(suit);
            for hand in 0..4 {
                moves.0[hand][suit] |= u16::from(xs.length(hand) > 0) << X;
            }
        }
        moves
    }

    /// The places that `hand` may play from in `suit`.
    #[inline]
    pub(crate) fn of_hand(&self, hand: usize, suit: usize) -> Places {
        Places(self.0[hand][suit])
    }

    /// The suits that `hand` may play when `led` was led.
    #[inline]
    pub(crate) fn suits(&self, hand: usize, led: usize) -> std::ops::Range<usize> {
        if self.0[hand][led] != 0 {
            led..led + 1
        } else {
            0..4
        }
    }
}

/// Places from the top of a suit, rising.
pub(crate) struct Places(u16);

impl Iterator for Places {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(place)
    }
}

/// A trick under way.
#[derive(Clone, Copy)]
pub(crate) struct AbstractTrick {
    /// The known cards that are still held.
    pub(crate) left: KnownCards,
    /// Suits played, two bits a hand.
    pub(crate) suits: u8,
    /// Who may win the trick: more than one hand only if x's compete for it.
    pub(crate) winners: u8,
    /// The suit and the place of the best card so far.
    pub(crate) best_suit: u8,
    best_place: u8,
}

impl AbstractTrick {
    /// The trick that hand 0 leads to.
    #[inline]
    pub(crate) fn led(known: KnownCards, suit: usize, place: u32) -> AbstractTrick {
        AbstractTrick {
            left: without(known, suit, place),
            suits: suit as u8,
            winners: 1,
            best_suit: suit as u8,
            best_place: place as u8,
        }
    }

    /// The trick after `hand` (1..=3) played to it.
    #[inline]
    pub(crate) fn with(&self, hand: usize, suit: usize, place: u32, trump: bool) -> AbstractTrick {
        let mut next = AbstractTrick {
            left: without(self.left, suit, place),
            suits: self.suits | (suit as u8) << (2 * hand),
            ..*self
        };
        let (suit, place) = (suit as u8, place as u8);
        let beats = if suit == self.best_suit {
            place < self.best_place
        } else {
            trump && suit == 0
        };
        if beats {
            next.best_suit = suit;
            next.best_place = place;
            next.winners = 1 << hand;
        } else if suit == self.best_suit && place == self.best_place {
            // Only x's can share a place.
            next.winners |= 1 << hand;
        }
        next
    }
}

/// An x is not among the known cards: its bit is one that no suit of at most
/// 13 cards uses.
#[inline]
fn without(known: KnownCards, suit: usize, place: u32) -> KnownCards {
    known & !(1 << (16 * suit as u32 + place))
}
