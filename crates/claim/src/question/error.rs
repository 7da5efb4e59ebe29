//! What is wrong with the text of a question, and where.

use setrograde_cards::TextError;
use thiserror::Error;

use crate::knowledge::error::KnowledgeError;

/// A text that is no question, condition or line of play.
///
/// Written as `column 9: ` followed by the [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
#[error("column {column}: {problem}")]
pub struct QuestionError {
    column: usize,
    problem: Problem,
}

/// What may be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The text ends where something was required.
    #[error("expected {expected}, found nothing")]
    Missing {
        /// What was required.
        expected: &'static str,
    },
    /// A strain, seat, card or hand that cannot be read.
    #[error("{0}")]
    Text(String),
    /// Not two hidden hands.
    #[error("two of the four hands must be '?', found {found}")]
    HiddenCount {
        /// How many hands are hidden.
        found: usize,
    },
    /// Not part of a condition.
    #[error("{found:?} is no condition; expected one as W.S=0-2, S=3-2, S<=3 or E+HK")]
    NotATerm {
        /// The text in its place.
        found: String,
    },
    /// Something that a question does not have.
    #[error("{found:?} is left over")]
    LeftOver {
        /// The text.
        found: String,
    },
    /// Cards that do not fit together.
    #[error("{0}")]
    Knowledge(KnowledgeError),
    /// A card that cannot be played at this point.
    #[error("the {card} cannot be played here")]
    Unplayable {
        /// The card.
        card: setrograde_cards::Card,
    },
}

impl QuestionError {
    pub(crate) fn new(column: usize, problem: Problem) -> QuestionError {
        QuestionError {
            column: column.max(1),
            problem,
        }
    }

    /// Where the problem is: a 1-based count of characters.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// What the problem is.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The same error, `by` characters further right.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> QuestionError {
        self.column = self.column.saturating_add(by);
        self
    }
}

impl From<TextError> for QuestionError {
    fn from(error: TextError) -> QuestionError {
        let column = error.column();
        QuestionError::new(column, Problem::Text(error.problem().to_string()))
    }
}
