//! Cards and conditions that contradict each other.

use setrograde_beliefs::ConditionError;
use setrograde_cards::{Card, Seat};
use thiserror::Error;

/// Cards that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum KnowledgeError {
    /// The same seat given twice as visible.
    #[error("{} is given twice; two different hands must be visible", seat.name())]
    SameSeat {
        /// The seat.
        seat: Seat,
    },
    /// A claimer whose hand is hidden.
    #[error("{} claims, but its hand is not visible", seat.name())]
    HiddenClaimer {
        /// The seat.
        seat: Seat,
    },
    /// Two visible opponents, and no claimer named.
    #[error("{} and {} are opponents: say who claims", first.name(), second.name())]
    NoClaimer {
        /// A visible seat.
        first: Seat,
        /// The other one.
        second: Seat,
    },
    /// A card that occurs twice.
    #[error("the {card} is given twice")]
    Twice {
        /// The card.
        card: Card,
    },
    /// A visible hand of the wrong length.
    #[error(
        "{} has {cards} cards, expected {expected}: the hands that have played to the \
         trick have one card fewer than the others", seat.name()
    )]
    UnfitHand {
        /// The seat.
        seat: Seat,
        /// Number of its cards.
        cards: usize,
        /// The number that it should have.
        expected: usize,
    },
    /// Too few or too many unseen cards.
    #[error("{cards} cards are unseen, expected {expected}: the two hidden hands hold that many")]
    UnfitUnseen {
        /// Number of unseen cards.
        cards: usize,
        /// The number that there should be.
        expected: usize,
    },
    /// A visible hand that did not follow suit although it could have.
    #[error("{} revoked: it played the {card} and holds the suit that was led", seat.name())]
    Revoke {
        /// The seat.
        seat: Seat,
        /// The card that it played.
        card: Card,
    },
    /// No layout matches the stated knowledge.
    #[error("no layout of the unseen cards agrees with that")]
    Impossible,
    /// A card that the seat to play cannot have, or may not play.
    #[error("{} cannot play the {card}", seat.name())]
    Unplayable {
        /// The seat to play.
        seat: Seat,
        /// The card.
        card: Card,
    },
    /// A condition that does not fit the unseen cards.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A condition on losers.
    #[error("claims take no condition on losers; say which cards or lengths are known")]
    Losers,
    /// A condition of too many cases.
    #[error(
        "the condition has more than {limit} cases, which is more than claims keep apart: each \
         distribution of honours that makes a difference is one; narrow it by lengths, or by cards \
         as W+HA"
    )]
    TooManyCases {
        /// Maximum.
        limit: usize,
    },
}
