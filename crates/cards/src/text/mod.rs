//! Reading the types from text. What is wrong with a text is reported with its
//! column.
//!
//! Writing stands beside each type; reading stands here, since a [`TextError`]
//! names ranks, seats and cards, which must not know of it.

mod card;
mod contract;
mod deal;
mod error;
mod field;
mod hand;
mod position;
mod seat;
mod suit;
mod vulnerability;

pub use error::{TextError, TextProblem};
pub use field::{Field, fields};
