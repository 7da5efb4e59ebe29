//! Reasons why there is no estimate.

use setrograde_lookup::Error;

use super::below::BuiltOnTheFly;
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
    /// The sample could not be built.
    #[error(transparent)]
    Build(BuildError),
    /// The database could not be opened.
    #[error(transparent)]
    Database(#[from] Error),
    /// The thread that watches the clock could not be started.
    #[error("cannot start a thread")]
    Thread(#[source] std::io::Error),
    /// Not a single run of the sample was finished in time, or before the caller
    /// cancelled it.
    #[error(
        "{cards} cards: no run of the sample was finished in {seconds} s; predicted from the \
         shapes alone, the level takes {predicted} look-ups{}",
        needs(missing)
    )]
    NothingFinished {
        /// The level, in cards of all hands together.
        cards: usize,
        /// The time that it took.
        seconds: u64,
        /// Look-ups that the level takes, as predicted from the shapes of its
        /// partitions alone.
        predicted: u64,
        /// The levels below that the database lacks, which were built on the fly.
        missing: Vec<BuiltOnTheFly>,
    },
}

/// The levels that would have to be there, from the deepest up.
fn needs(missing: &[BuiltOnTheFly]) -> String {
    let mut text = String::new();
    for level in missing {
        text += &format!(
            "; {} cards are not in the database, and building them takes {} look-ups",
            level.cards, level.predicted
        );
    }
    text
}

impl From<BuildError> for EstimateError {
    fn from(error: BuildError) -> EstimateError {
        EstimateError::Build(error)
    }
}
