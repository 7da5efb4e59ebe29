//! Errors for impossible positions and illegal plays.

use thiserror::Error;

use crate::{Card, Seat, Suit};

/// Cards that cannot be those of a position in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// Hands of different lengths, with no card on the table.
    #[error(
        "{} has {first_cards} {}, {} has {second_cards}: \
         all hands must have the same number of cards",
        first.name(), plural(*first_cards), second.name()
    )]
    UnequalHands {
        /// North.
        first: Seat,
        /// The number of cards that `first` has.
        first_cards: usize,
        /// The first seat clockwise with another number of cards.
        second: Seat,
        /// The number of cards that `second` has.
        second_cards: usize,
    },
    /// A hand that does not fit the number of cards on the table.
    #[error(
        "{} has {cards} {}, expected {expected}: a seat that has played to the \
         trick must have one card fewer than a seat that has not",
        seat.name(), plural(*cards)
    )]
    UnfitHand {
        /// The seat.
        seat: Seat,
        /// The number of cards it has.
        cards: usize,
        /// The number it should have, going by the hand of the seat to play.
        expected: usize,
    },
    /// More than three cards on the table.
    #[error("at most 3 cards can be on the table, found {count}")]
    TooManyPlayed {
        /// The number of cards.
        count: usize,
    },
    /// A card that was played to the trick twice.
    #[error("the {} is on the table twice", card.described())]
    PlayedTwice {
        /// The card.
        card: Card,
    },
    /// A card that is both on the table and in a hand.
    #[error("the {} is on the table, but {} still holds it", card.described(), seat.name())]
    PlayedAndHeld {
        /// The card.
        card: Card,
        /// The seat that holds it.
        seat: Seat,
    },
    /// A card on the table with which a seat did not follow suit although it
    /// could have done.
    #[error(
        "{} revoked: it played the {} and still holds {}",
        seat.name(), card.described(), suit.name()
    )]
    Revoke {
        /// The seat that revoked.
        seat: Seat,
        /// The card that was played.
        card: Card,
        /// The suit that was led.
        suit: Suit,
    },
}

/// A card that may not be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The seat to play does not hold the card.
    #[error("{} is to play and does not hold the {}", seat.name(), card.described())]
    NotHeld {
        /// The seat to play.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// The seat to play must follow suit.
    #[error(
        "{} cannot play the {}: it holds {} and must follow suit",
        seat.name(), card.described(), suit.name()
    )]
    MustFollow {
        /// The seat to play.
        seat: Seat,
        /// The card.
        card: Card,
        /// The suit that was led.
        suit: Suit,
    },
}

fn plural(cards: usize) -> &'static str {
    if cards == 1 { "card" } else { "cards" }
}
