//! The faults of questions and conditions, and their locations.

use std::fmt::Display;

use setrograde_cards::TextError;
use thiserror::Error;

/// The location of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// A column of the text, from 1.
    Column(usize),
    /// A column of a condition that was given separately.
    Condition(usize),
}

impl Location {
    /// The location `columns` further right.
    #[must_use]
    pub fn plus(self, columns: usize) -> Location {
        match self {
            Location::Column(column) => Location::Column(column + columns),
            Location::Condition(column) => Location::Condition(column + columns),
        }
    }
}

/// A text that is not a question, condition or line of play; or one that contradicts the cards.
///
/// Written as `column 9: ` followed by the problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
#[error("{}column {}: {problem}", if self.in_condition() { "condition, " } else { "" }, self.column())]
pub struct QuestionError {
    location: Location,
    problem: String,
}

impl QuestionError {
    /// The problem in a column of the text, from 1.
    pub fn new(column: usize, problem: impl Display) -> QuestionError {
        QuestionError::at(Location::Column(column.max(1)), problem)
    }

    /// The problem at a location.
    pub fn at(location: Location, problem: impl Display) -> QuestionError {
        QuestionError {
            location,
            problem: problem.to_string(),
        }
    }

    /// The column of the problem: a 1-based count of characters.
    pub fn column(&self) -> usize {
        match self.location {
            Location::Column(column) | Location::Condition(column) => column,
        }
    }

    /// Returns true if the column is one of a condition that was given separately.
    pub fn in_condition(&self) -> bool {
        matches!(self.location, Location::Condition(_))
    }

    /// The problem, without its column.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// The same error, `columns` further right.
    #[must_use]
    pub fn shifted(mut self, columns: usize) -> QuestionError {
        self.location = self.location.plus(columns);
        self
    }
}

impl From<TextError> for QuestionError {
    fn from(error: TextError) -> QuestionError {
        QuestionError::new(error.column(), error.problem())
    }
}
