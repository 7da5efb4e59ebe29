//! Reading deals, hands and positions from text, and the errors of all readers.
//!
//! Ranks, cards, suits, seats, contracts and vulnerabilities are read where they
//! are written: beside each type. Errors in a text are reported with their column.

mod deal;
pub(crate) mod error;
pub(crate) mod field;
mod hand;
mod position;

pub use error::{TextError, TextProblem};
pub use field::{Field, fields};
