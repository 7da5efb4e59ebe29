//! Errors of questions about claims.

use setrograde_cards::Card;
use setrograde_solver::SolveError;
use thiserror::Error;

use crate::evidence::plan::PlanTooLarge;

/// A question about a claim that has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The limit of nodes was reached.
    #[error("unknown: the limit of {limit} nodes was reached")]
    LimitReached {
        /// The limit.
        limit: u64,
    },
    /// Hidden hands that do not agree with what is known.
    #[error("the hidden hands do not agree with what is known")]
    NotALayout,
    /// A stated line with a card that cannot be played in it.
    #[error("the line: {card} {problem}")]
    StatedCard {
        /// The card.
        card: Card,
        /// The fault.
        problem: &'static str,
    },
    /// A plan was asked for tricks that are not sure.
    #[error("these tricks are not sure")]
    NotSure,
    /// A plan would have too many steps.
    #[error("the tricks are sure, but {0}")]
    PlanTooLarge(#[from] PlanTooLarge),
    /// The search was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The database failed.
    #[error(transparent)]
    Solve(SolveError),
}

impl From<SolveError> for ClaimError {
    fn from(error: SolveError) -> ClaimError {
        match error {
            SolveError::Cancelled => ClaimError::Cancelled,
            error => ClaimError::Solve(error),
        }
    }
}
