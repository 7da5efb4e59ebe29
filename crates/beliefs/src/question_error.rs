//! The faults of questions and conditions, and their places.

use std::fmt::Display;

use setrograde_cards::TextError;
use thiserror::Error;

/// The place of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// A column of the text, from 1.
    Column(usize),
    /// A column of a condition that was given beside the text.
    Condition(usize),
}

impl Place {
    /// The place `columns` further right.
    #[must_use]
    pub fn plus(self, columns: usize) -> Place {
        match self {
            Place::Column(column) => Place::Column(column + columns),
            Place::Condition(column) => Place::Condition(column + columns),
        }
    }
}

/// A text that is not a question, condition or line of play; or one that does not fit
/// the cards.
///
/// Written as `column 9: ` followed by the problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
#[error("{}column {}: {problem}", if self.in_condition() { "condition, " } else { "" }, self.column())]
pub struct QuestionError {
    place: Place,
    problem: String,
}

impl QuestionError {
    /// The problem in a column of the text, from 1.
    #[must_use]
    pub fn new(column: usize, problem: impl Display) -> QuestionError {
        QuestionError::at(Place::Column(column.max(1)), problem)
    }

    /// The problem at a place.
    #[must_use]
    pub fn at(place: Place, problem: impl Display) -> QuestionError {
        QuestionError {
            place,
            problem: problem.to_string(),
        }
    }

    /// The column of the problem: a 1-based count of characters.
    #[must_use]
    pub fn column(&self) -> usize {
        match self.place {
            Place::Column(column) | Place::Condition(column) => column,
        }
    }

    /// Whether the column is one of a condition that was given beside the question.
    #[must_use]
    pub fn in_condition(&self) -> bool {
        matches!(self.place, Place::Condition(_))
    }

    /// The problem, without its column.
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// The same error, `columns` further right.
    #[must_use]
    pub fn shifted(mut self, columns: usize) -> QuestionError {
        self.place = self.place.plus(columns);
        self
    }
}

impl From<TextError> for QuestionError {
    fn from(error: TextError) -> QuestionError {
        QuestionError::new(error.column(), error.problem())
    }
}
