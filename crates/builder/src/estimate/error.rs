//! Errors of an estimate.

use setrograde_lookup::Error;

use crate::error::BuildError;

/// An estimate that was not finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EstimateError {
    /// A level asked for is out of range.
    #[error("cannot estimate endings of {cards} cards: choose a multiple of 4 from 4 to {most}")]
    Cards {
        /// What was asked for.
        cards: usize,
        /// The most that this version estimates.
        most: usize,
    },
    /// The sample could not be built.
    #[error(transparent)]
    Build(BuildError),
    /// The database could not be opened.
    #[error(transparent)]
    Database(#[from] Error),
    /// The caller cancelled it.
    #[error("the estimate was cancelled before its second round; one round tells nothing")]
    Cancelled,
}

impl From<BuildError> for EstimateError {
    fn from(error: BuildError) -> EstimateError {
        match error {
            BuildError::Cancelled => EstimateError::Cancelled,
            error => EstimateError::Build(error),
        }
    }
}
