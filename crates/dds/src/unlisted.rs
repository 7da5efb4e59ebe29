//! Cards on the table that the caller does not list, or lists twice.
//!
//! How many cards are on the table follows from the hands. For a card of a seat with none to choose
//! from, DDS assumes one that wins nothing: below the deuce, if it is the card led.

use std::ffi::c_int;

use setrograde_cards::{Card, Deal, Rank, Strain};

use crate::abi::{self, Holdings};
use crate::numbers::{ALL_RANKS, card};

/// Cards that have moved up a rank, so that the deuce of their suit is free for a
/// lead below all of them: those of `suit` below the rank `free`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Raised {
    suit: c_int,
    free: c_int,
}

impl Raised {
    /// The cards that must move for the lead, if it is on the table and not listed, and if the suit
    /// has a card that no hand has.
    pub fn for_lead(deal: &abi::Deal, on_table: usize) -> Raised {
        let (suit, rank) = (deal.trick_suit[0], deal.trick_rank[0]);
        let index = usize::try_from(suit).ok().filter(|&index| index < 4);
        let Some(index) = index.filter(|_| on_table > 0 && rank == 0) else {
            return Raised::default();
        };
        let held = deal.cards.iter().fold(0, |held, hand| held | hand[index]);
        let free = (2..15).find(|rank| held >> rank & 1 == 0).unwrap_or(0);
        Raised { suit, free }
    }

    /// The cards of the position, from those of the deal.
    pub fn cards(self, cards: &Holdings) -> Holdings {
        let below = ALL_RANKS & ((1 << self.free) - 1);
        cards.map(|mut hand| {
            if let Some(bits) = hand.get_mut(self.suit as usize) {
                *bits += *bits & below;
            }
            hand
        })
    }

    /// Converts a rank in the deal to the rank in the position.
    pub fn raise(self, suit: c_int, rank: c_int) -> c_int {
        rank + c_int::from(suit == self.suit && rank < self.free)
    }

    /// Converts a rank in the position to the rank in the deal.
    pub fn lower(self, suit: c_int, rank: c_int) -> c_int {
        rank - c_int::from(suit == self.suit && rank <= self.free)
    }

    /// The same for the bits of a holding.
    pub fn lower_all(self, suit: c_int, bits: c_int) -> c_int {
        let moved = if suit == self.suit {
            bits & ((2 << self.free) - 1)
        } else {
            0
        };
        bits - moved / 2
    }
}

/// The deuce of a suit, unless a hand holds it.
pub fn deuce(held: &Deal, suit: c_int) -> Option<Card> {
    card(suit, 2).filter(|&card| held.owner(card).is_none())
}

/// A card that wins nothing against those on the table. If possible, it is not between two held
/// cards, which would no longer be equivalent.
pub fn harmless(held: &Deal, strain: Strain, played: &[Card]) -> Option<Card> {
    let free = |card: &Card| held.owner(*card).is_none() && !played.contains(card);
    let loses = |card: &Card| {
        let beats = |other: &Card| other.suit == card.suit && other.rank > card.rank;
        let follows = card.suit == played[0].suit || strain.trump() == Some(card.suit);
        !follows || played.iter().any(beats)
    };
    let between = |card: &Card| {
        let held: Vec<Rank> = Rank::all()
            .filter(|&rank| held.owner(Card::new(card.suit, rank)).is_some())
            .collect();
        held.iter().any(|&rank| rank < card.rank) && held.iter().any(|&rank| rank > card.rank)
    };
    let candidates: Vec<Card> = Card::pack().filter(free).filter(loses).collect();
    let outside = candidates.iter().find(|card| !between(card));
    outside.or(candidates.first()).copied()
}
