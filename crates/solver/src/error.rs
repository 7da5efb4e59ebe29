//! Reasons why a question has no answer.

use setrograde_cards::PlayError;
use thiserror::Error;

use crate::endgames::EndgamesError;

/// The reason why a question was not answered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The hands of a deal differ in length.
    #[error("the hands hold {}, {}, {} and {} cards; all four must be equally long", .0[0], .0[1], .0[2], .0[3])]
    UnequalHands([usize; 4]),
    /// The deal has no cards, or the position is finished.
    #[error("there are no cards left to play")]
    NoCards,
    /// The target is more than the tricks that are left.
    #[error("the target is {} but only {} left", tricks(*target), are(*left))]
    TargetTooHigh {
        /// The target.
        target: u8,
        /// The tricks that are left, the one under way included.
        left: u8,
    },
    /// A card of a played deal that could not be played.
    #[error("card {} of the play", index + 1)]
    IllegalCard {
        /// Its index in the play, from 0.
        index: usize,
        /// The rule that it breaks.
        source: PlayError,
    },
    /// The search was cancelled.
    #[error("the search was cancelled")]
    Cancelled,
    /// The source of endgame values could not be read.
    #[error("the endgame database failed")]
    Endgames(#[source] EndgamesError),
}

fn tricks(count: u8) -> String {
    format!("{count} trick{}", if count == 1 { "" } else { "s" })
}

fn are(count: u8) -> String {
    format!("{count} {}", if count == 1 { "is" } else { "are" })
}
