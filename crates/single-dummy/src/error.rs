//! Failures of searches.

use setrograde_lookup::ProbeError;
use setrograde_solver::SolveError;
use thiserror::Error;

/// A search that was cancelled, or failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SearchError {
    /// It was told to stop.
    #[error("the search was cancelled")]
    Cancelled,
    /// The solver failed.
    #[error(transparent)]
    Solve(SolveError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] ProbeError),
}

impl From<SolveError> for SearchError {
    fn from(error: SolveError) -> SearchError {
        match error {
            SolveError::Cancelled => SearchError::Cancelled,
            error => SearchError::Solve(error),
        }
    }
}
