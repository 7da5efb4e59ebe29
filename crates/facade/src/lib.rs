//! Questions about a deal and their answers, as text and as JSON.
//!
//! [`ask`] has the questions, each a type with its options. A [`Subject`] is the deal, position or
//! board of a question, read from a line or made from a board. A [`Desk`] answers: it has the
//! database, the searches that remember, threads and limits. A [`Report`] is an answer: its
//! [`Words`] are for people, as an object it is for programs. [`Desk::ask`] does the same from JSON
//! to JSON.
//!
//! [`cards`], [`lookup`] and [`solver`] are the crates of its types.
//!
//! [`Review`] has the cost of each card of a play and the right cards, [`Summary`] the mistakes of
//! each player over many boards, [`JudgedClaim`] the verdict on a claim, and [`LessonAnswer`] the
//! answers to a teacher's questions about a deal.
//!
//! # Examples
//!
//! ```
//! use setrograde::ask::Leads;
//! use setrograde::{Desk, OnLead, QuestionKind, Subject, render};
//!
//! let mut desk = Desk::default();
//! let ask: Leads = serde_json::from_str(r#"{"contract": "3NT", "draw": 20}"#)?;
//! let hand = OnLead::line("K2.QJT94.873.A62").expect("a hand");
//! let leads = desk.answer(&ask, &hand, None)?;
//! let cards = &serde_json::to_value(&leads)?["cards"];
//! assert_eq!(cards.as_array().map(Vec::len), Some(13));
//! let text = render(&leads, "K2.QJT94.873.A62", QuestionKind::Single);
//! assert!(String::from_utf8(text)?.contains("West leads against 3NT"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```
//! use setrograde::Review;
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
//! `docs/words.md` of the project defines the terms, with an example.
//!
//! # Panics
//!
//! Nothing here panics on data: malformed input is an error. An `expect` states why it cannot fail.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

#[doc(hidden)]
pub mod advice;
pub mod ask;
mod chances;
mod claims;
mod compass;
mod desk;
mod entry;
mod explanation;
mod heading;
mod json;
mod lesson;
mod marginals;
mod mistakes;
mod proofs;
mod reader;
mod refusal;
mod reply;
mod result_condition;
mod results;
#[cfg(feature = "schema")]
#[doc(hidden)]
pub mod schema;
#[doc(hidden)]
pub mod source;
mod standings;
mod subjects;
mod summary;
mod tables;
mod teaching;
#[cfg(test)]
mod tests;
mod unique;
mod words;

pub use chances::{CompareAnswer, LeadsAnswer, OddsAnswer, SureTargets, SureTricks};
pub use claims::{AdjudicateAnswer, AnsweredClaim, JudgedClaim, LineAnswer, NoClaim};
pub use desk::{Ask, ClaimProgress, Desk, Example, StyleOption};
pub use json::{QUESTIONS, VERSION};
pub use lesson::LessonAnswer;
pub use mistakes::{Review, Step};
pub use refusal::{At, Refusal, RefusalFault, RefusalKind, RefusalObject, Spelling};
pub use reply::{JsonQuestion, JsonReply};
pub use result_condition::{ResultCondition, Setting};
pub use setrograde_cards as cards;
pub use setrograde_lookup as lookup;
pub use setrograde_records::{Board, DoubleDummy, Doubt};
pub use setrograde_solver as solver;
pub use standings::Session;
pub use subjects::{
    ClaimSubject, HiddenHands, JassHands, Lacks, OnLead, Play, Start, Subject, TwoHands,
};
pub use summary::Summary;
pub use tables::{CardList, OnePar, Pars, PositionTricks, SolvedCard, Table};
pub use words::{QuestionKind, Report, Style, Words, render};

// For the other crates of this project; they change with any version.
#[doc(hidden)]
pub use ask::{DESK, matter};
#[doc(hidden)]
pub use compass::{compass, compass_of, suit_lines};
#[doc(hidden)]
pub use entry::{AskEntry, entry};
#[doc(hidden)]
pub use explanation::set_line;
#[doc(hidden)]
pub use heading::outcome;
#[doc(hidden)]
pub use marginals::marginals;
#[doc(hidden)]
pub use proofs::ProofCheck;
#[doc(hidden)]
pub use result_condition::RESULT_CONDITIONS;
#[doc(hidden)]
pub use results::results;
#[doc(hidden)]
pub use setrograde_beliefs::joined;
#[doc(hidden)]
pub use setrograde_claim::tricks;
#[doc(hidden)]
pub use setrograde_parallel::{cores, lock};
#[doc(hidden)]
pub use standings::Standings;
#[doc(hidden)]
pub use subjects::table_deal;
#[doc(hidden)]
pub use words::{AnyReport, cards_by_suit, causes, grouped, layouts, shown};
