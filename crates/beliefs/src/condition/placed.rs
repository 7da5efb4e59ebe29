//! Terms as they were written: each with its column, and whether it is denied.

use setrograde_cards::{Hand, Seat};

use super::term::{Relation, Term};
use crate::limits::Measure;
use crate::question_error::{Location, QuestionError};

/// A term of a condition, whether it holds, and the column in which it was written.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub(super) term: Term,
    pub(super) holds: bool,
    pub(super) column: usize,
}

impl Placed {
    /// Returns true if the hands, by seat, are as the term says. `hidden` are the seats that a term
    /// without a seat is about.
    #[must_use]
    pub fn allows(&self, hidden: &[Seat], hands: &[Hand; 4]) -> bool {
        self.term.holds(hidden, hands) == self.holds
    }

    /// The term.
    pub(crate) const fn term(&self) -> Term {
        self.term
    }

    /// Returns true if the term holds, false if it must not.
    pub(crate) const fn is_so(&self) -> bool {
        self.holds
    }

    /// The hands that the term names.
    pub(crate) fn seats(&self) -> Vec<Seat> {
        self.term.seats().collect()
    }

    /// Returns true if values of measures, of which alone the term speaks, are as it says.
    pub(crate) fn holds_for(&self, hidden: &[Seat], value: impl Fn(Seat, Measure) -> u8) -> bool {
        self.term.holds_for(hidden, value) == Some(self.holds)
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

    /// The opposite, without `not` where there are other words for it.
    pub(super) fn opposite(self) -> Placed {
        let term = match self.term {
            _ if !self.holds => {
                return Placed {
                    holds: true,
                    ..self
                };
            }
            Term::Holds { seat, card } => Term::Lack { seat, card },
            Term::Lack { seat, card } => Term::Holds { seat, card },
            Term::Compare {
                left,
                relation,
                right,
                plus,
            } if relation != Relation::Equal => Term::Compare {
                left: right,
                relation: match relation {
                    Relation::Greater => Relation::AtLeast,
                    _ => Relation::Greater,
                },
                right: left,
                plus: -plus,
            },
            Term::Range {
                seat: Some(seat),
                of,
                least,
                most,
            } if let Some((least, most)) = outside((least, most), of.top()) => Term::Range {
                seat: Some(seat),
                of,
                least,
                most,
            },
            Term::Sum { of, least, most }
                if let Some((least, most)) = outside((least, most), of.top()) =>
            {
                Term::Sum { of, least, most }
            }
            _ => {
                return Placed {
                    holds: false,
                    ..self
                };
            }
        };
        Placed { term, ..self }
    }
}

/// The numbers up to `top` outside a range, if these are a range as well.
const fn outside((least, most): (u8, u8), top: u8) -> Option<(u8, u8)> {
    match (least, most) {
        (0, most) if most < top => Some((most + 1, top)),
        (least, most) if least > 0 && most >= top => Some((0, least - 1)),
        _ => None,
    }
}

/// Equal if the terms are equal, regardless of their columns.
impl PartialEq for Placed {
    fn eq(&self, other: &Placed) -> bool {
        (self.term, self.holds) == (other.term, other.holds)
    }
}

impl Eq for Placed {}
