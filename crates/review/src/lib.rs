//! Boards that were played, judged by the double-dummy solver.
//!
//! [`Review`] says what each card of a play cost and which cards were right, [`Summary`] who
//! made the mistakes in many boards, [`JudgedClaim`] whether a claim was good, and [`heading`] names a board as players do.
//! [`position_line`] and its like write the questions that boards stand for, [`results`] the
//! tags that a PBN file has for a table.
//!
//! # Example
//!
//! ```
//! use setrograde_review::Review;
//! use setrograde_solver::{Options, Solver};
//!
//! let mut solver = Solver::new(Options::default());
//! // South leads towards ace and queen; North must play the queen.
//! let start = "NT S N:AQ... 76... 54... K3...".parse()?;
//! let play = ["S4", "S3", "SA", "S6"].map(|card| card.parse().expect("a card"));
//! let review = Review::new(&mut solver, &start, &play)?;
//! let mistake = review.mistakes().next().expect("one card was wrong");
//! assert_eq!((mistake.card.to_string().as_str(), mistake.cost), ("SA", 1));
//! assert_eq!(mistake.right, ["SQ".parse()?]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/words.md` of the project defines the terms, with one deal drawn through
//! them all.

#![forbid(unsafe_code)]

mod claims;
mod heading;
mod json;
mod mistakes;
mod questions;
mod results;
mod summary;

pub use claims::{JudgedClaim, claimed, no_claim};
pub use heading::{cards_by_suit, heading, outcome, shown, table_in_words};
pub use json::{ReviewObject, SummaryObject};
pub use mistakes::{Ended, Review, Step};
pub use questions::{claim_line, claim_question, deal_line, play_line, position_line, table_deal};
pub use results::results;
pub use summary::{Losses, Summary};
