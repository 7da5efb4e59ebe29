//! What can go wrong.

use setrograde_cards::PlayError;
use setrograde_lookup::ProbeError;
use thiserror::Error;

/// Why a question was not answered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The hands of a deal differ in length.
    #[error("the hands hold {}, {}, {} and {} cards; all four must hold as many", .0[0], .0[1], .0[2], .0[3])]
    UnequalHands([usize; 4]),
    /// The deal has no cards, or the position is finished.
    #[error("there are no cards left to play")]
    NoCards,
    /// A target that no side can be asked for.
    #[error("the target is {target} tricks, but only {left} {} left", if *left == 1 { "is" } else { "are" })]
    TargetTooHigh {
        /// The target.
        target: u8,
        /// The tricks that are left, the one under way included.
        left: u8,
    },
    /// A card of a played deal that could not be played.
    #[error("card {} of the play", place + 1)]
    IllegalCard {
        /// Its place in the play, from 0.
        place: usize,
        /// What is wrong with it.
        source: PlayError,
    },
    /// The search was told to stop.
    #[error("the search was cancelled")]
    Cancelled,
    /// The database could not be read.
    #[error("the database failed")]
    Database(#[from] ProbeError),
}
