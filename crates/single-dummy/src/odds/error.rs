//! Why there are no odds.

use std::sync::atomic::{AtomicBool, Ordering};

use setrograde_lookup::{EndingError, ProbeError};
use thiserror::Error;

/// Why there are no odds.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OddsError {
    /// The game is not played as bridge.
    #[error("{0} is not played as bridge; the database does not know it")]
    Game(&'static str),
    /// Too many layouts to visit.
    #[error("{0} layouts are too many to visit; at most {MOST_VISITED} are")]
    TooMany(u128),
    /// It was told to stop.
    #[error("the count was cancelled")]
    Cancelled,
    /// What is left is no ending.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// The database has no answer.
    #[error(transparent)]
    Database(#[from] ProbeError),
}

/// The most layouts that are looked up one by one.
pub const MOST_VISITED: u128 = 5_000_000;

/// An error once `cancel` is set.
pub(super) fn check_cancelled(cancel: &AtomicBool) -> Result<(), OddsError> {
    match cancel.load(Ordering::Relaxed) {
        true => Err(OddsError::Cancelled),
        false => Ok(()),
    }
}
