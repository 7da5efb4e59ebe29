//! One abstract trick over a set: the hands' moves, and the cards played.

use crate::top_set::TopSet;

/// Place of an x among the cards of its suit: below all known ones.
pub(crate) const X: u32 = 15;

/// The moves of each hand in each suit: a bit for the place, from the top, of
/// each known card, one for a run of adjacent ones, and bit [`X`] for an x.
pub(crate) struct Moves([[u16; 4]; 4]);

impl Moves {
    pub(crate) fn of(set: &TopSet) -> Moves {
        let mut moves = Moves([[0; 4]; 4]);
        for suit in 0..4 {
            let mut owners = set.owners()[suit];
            let mut previous = 4;
            let mut bit = 1;
            while owners > 1 {
                let owner = (owners & 3) as usize;
                if owner != previous {
                    moves.0[owner][suit] |= bit;
                }
                previous = owner;
                bit <<= 1;
                owners >>= 2;
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
        if self.0[hand][led] != 0 { led..led + 1 } else { 0..4 }
    }
}

/// Places from the top of a suit, rising.
#[derive(Clone, Copy)]
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
pub(crate) struct Trick {
    /// Owners of the known cards that are left, as in [`TopSet`].
    pub(crate) owners: [u32; 4],
    /// Places of the known cards that are gone, a bit each.
    gone: [u16; 4],
    /// Suits played, two bits a hand.
    pub(crate) suits: u8,
    /// Who may win the trick: more than one hand only if x's compete for it.
    pub(crate) winners: u8,
    /// The suit and the place of the best card so far.
    pub(crate) best_suit: u8,
    best_place: u8,
}

impl Trick {
    /// The trick that hand 0 leads to.
    #[inline]
    pub(crate) fn led(set: &TopSet, suit: usize, place: u32) -> Trick {
        let mut trick = Trick {
            owners: set.owners(),
            gone: [0; 4],
            suits: suit as u8,
            winners: 1,
            best_suit: suit as u8,
            best_place: place as u8,
        };
        trick.take(suit, place);
        trick
    }

    /// The trick after `hand` (1..=3) played to it.
    #[inline]
    pub(crate) fn with(&self, hand: usize, suit: usize, place: u32, trump: bool) -> Trick {
        let mut next = *self;
        next.suits |= (suit as u8) << (2 * hand);
        next.compete(hand, suit as u8, place as u8, trump);
        next.take(suit, place);
        next
    }

    /// Takes a card from the known ones; an x needs nothing.
    #[inline]
    fn take(&mut self, suit: usize, place: u32) {
        if place != X {
            let above = self.gone[suit] & ((1 << place) - 1);
            let at = 2 * (place - above.count_ones());
            let keep = (1u32 << at) - 1;
            let owners = self.owners[suit];
            self.owners[suit] = owners & keep | owners >> 2 & !keep;
            self.gone[suit] |= 1 << place;
        }
    }

    #[inline]
    fn compete(&mut self, hand: usize, suit: u8, place: u8, trump: bool) {
        if suit == self.best_suit {
            if place < self.best_place {
                self.best_place = place;
                self.winners = 1 << hand;
            } else if place == self.best_place {
                // Only x's can share a place.
                self.winners |= 1 << hand;
            }
        } else if trump && suit == 0 {
            self.best_suit = suit;
            self.best_place = place;
            self.winners = 1 << hand;
        }
    }
}
