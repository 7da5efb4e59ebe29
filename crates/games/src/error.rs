//! What is wrong with hands or cards.

use setrograde_beliefs::CardSet;
use setrograde_cards::Card;
use thiserror::Error;

/// Why a table cannot be, or a card cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// Hands of different lengths.
    #[error("the hands hold {}, {}, {} and {} cards; all four must hold as many, and some", .0[0], .0[1], .0[2], .0[3])]
    UnequalHands([usize; 4]),
    /// A card in two hands.
    #[error("{0} is in two hands")]
    SharedCard(Card),
    /// A card that is not held.
    #[error("{seat} is to play and does not hold {card}")]
    NotHeld {
        /// Who is to play.
        seat: &'static str,
        /// The card.
        card: Card,
    },
    /// A card that the rules do not allow.
    #[error("{seat} may not play {card}; it must play one of {allowed}")]
    NotAllowed {
        /// Who is to play.
        seat: &'static str,
        /// The card.
        card: Card,
        /// The cards that may be played.
        allowed: CardSet,
    },
    /// All cards are played.
    #[error("all cards are played")]
    Over,
}
