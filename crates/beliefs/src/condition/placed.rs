//! Terms as they were written: each with its column, and whether it is denied.

use setrograde_cards::{Hand, Seat};

use super::Term;
use crate::question_error::{Location, QuestionError};

/// A term of a condition, whether it holds, and the column in which it was written.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The term.
    pub term: Term,
    /// False if it must not hold.
    pub holds: bool,
    pub(super) column: usize,
}

/// A term that holds, or does not, of no text.
impl From<(Term, bool)> for Placed {
    fn from((term, holds): (Term, bool)) -> Placed {
        Placed {
            term,
            holds,
            column: 1,
        }
    }
}

/// A term that holds.
impl From<Term> for Placed {
    fn from(term: Term) -> Placed {
        (term, true).into()
    }
}

impl Placed {
    /// Returns true if the hands, by seat, are as the term says. `hidden` are the seats that a term
    /// without a seat is about.
    pub fn allows(&self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        self.term.holds(hidden, hands) == self.holds
    }

    /// The hands that the term names.
    pub(crate) fn seats(&self) -> Vec<Seat> {
        self.term.seats().collect()
    }

    /// Checks that the term is about the `hidden` hands and their cards, `unseen`.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn check(&self, hidden: &[Seat], unseen: Hand) -> Result<(), QuestionError> {
        let checked = self.term.check(hidden, unseen);
        checked.map_err(|error| QuestionError::at(Location::Condition(self.column), error))
    }
}

/// Equal if the terms are equal, regardless of their columns.
impl PartialEq for Placed {
    fn eq(&self, other: &Placed) -> bool {
        (self.term, self.holds) == (other.term, other.holds)
    }
}

impl Eq for Placed {}
