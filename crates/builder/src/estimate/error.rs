//! Reasons why there is no estimate.

use setrograde_lookup::Error;

use crate::error::BuildError;

/// An estimate that was not finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EstimateError {
    /// The requested level is out of range.
    #[error("cannot estimate endings of {cards} cards: choose a multiple of 4 from 4 to {most}")]
    Cards {
        /// The number asked for.
        cards: usize,
        /// Maximum of this version.
        most: usize,
    },
    /// The database could not be opened, or the sample could not be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The level below is missing.
    #[error(
        "an estimate of {cards} cards needs the level of {} cards; build it first, or name a \
         database that has it",
        cards - 4
    )]
    NoLevelBelow {
        /// The level, in cards of all hands together.
        cards: usize,
    },
    /// Not a single run of the sample was finished in time, or before the caller
    /// cancelled it.
    #[error(
        "{cards} cards: no run of the sample was finished in {seconds} s; predicted from the \
         shapes alone, the level takes {predicted} look-ups"
    )]
    NothingFinished {
        /// The level, in cards of all hands together.
        cards: usize,
        /// The time that it took.
        seconds: u64,
        /// Look-ups that the level takes, as predicted from the shapes of its
        /// partitions alone.
        predicted: u64,
    },
}

impl From<Error> for EstimateError {
    fn from(error: Error) -> EstimateError {
        EstimateError::Build(error.into())
    }
}
