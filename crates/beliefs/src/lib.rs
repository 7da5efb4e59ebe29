//! Layouts of unseen cards: counted, drawn and weighted exactly.
//!
//! A player sees some cards, knows the length of each hidden hand, and learns from the play which
//! cards a hand cannot have, or probably does not have. [`Facts`] collects this knowledge;
//! [`Beliefs`] counts the matching layouts, computes the probability of each card in each hand, and
//! draws layouts with exactly the right probability.
//!
//! # How
//!
//! With weights w(s, c) for card c with seat s, the sum of the weights of all layouts in which the
//! seats hold a, b and c cards is the coefficient of xᵃyᵇzᶜ in the product over all cards of w₁x +
//! w₂y + w₃z. Cards with equal weights form a class, so a void in a suit leaves two classes instead
//! of 39 cards. The partial products are kept; walking back through them draws a layout, or finds
//! the one with a given number, and multiplying them with the products from the other end gives the
//! marginals. Limits on suit lengths and high-card points are counted suit by suit first.
//!
//! # Example
//!
//! ```
//! use setrograde_beliefs::{Beliefs, Facts, Reason};
//! use setrograde_cards::{Hand, Seat};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // East and West hold the queen and three small spades between them, two
//! // cards each. How likely is the queen to drop under ace and king?
//! let unseen: Hand = "Q432...".parse()?;
//! let mut facts = Facts::new(unseen.into(), [0, 2, 0, 2]);
//! let beliefs = Beliefs::new(&facts)?;
//! assert_eq!(beliefs.count(), 6);
//!
//! // East has played the deuce, and is three times as likely to do so without
//! // the queen: the layouts with the queen there weigh a third.
//! facts.weigh(Seat::East, Hand::of("SQ".parse()?), 1.0 / 3.0);
//! let beliefs = Beliefs::new(&facts)?;
//! let queen = beliefs.marginals().probability(Seat::East, "SQ".parse()?);
//! assert!((queen - 0.25).abs() < 1e-12);
//!
//! // A layout drawn at random, and one by number.
//! let layout = beliefs.sample(&mut fastrand::Rng::with_seed(1));
//! assert_eq!(layout[Seat::East].len(), 2);
//! assert!(beliefs.layout(5).is_some() && beliefs.layout(6).is_none());
//!
//! // East cannot hold spades at all.
//! facts.deny(Seat::East, unseen.into(), Reason::Play("HA".parse()?));
//! assert_eq!(
//!     Beliefs::new(&facts).unwrap_err().to_string(),
//!     "no layout of the hidden cards is left: what East's play of HA shows does not \
//!      fit what was known before it",
//! );
//! # Ok(())
//! # }
//! ```
//!
//! # The view of a seat
//!
//! A [`View`] is what one seat sees of a board: its own hand, dummy's, and the play. Its facts
//! follow from the rules of the [`Game`]: a seat that did not follow suit has no card of it.
//!
//! ```
//! use setrograde_beliefs::{Question, Strengths, View};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let question: Question = "NT S N:AQ... ? 32... ? out=KJT9... S2 S9".parse()?;
//! let beliefs = View::of_bridge(&question)?.beliefs(&Strengths::NONE)?;
//! assert_eq!(beliefs.count(), 3);
//! # Ok(())
//! # }
//! ```
//!
//! `docs/words.md` of the project defines the terms, with an example.
//!
//! # Panics
//!
//! Nothing here panics on data: malformed input is an error. An `expect` states why it cannot fail.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod beliefs;
mod chain;
mod condition;
mod counters;
mod dealer;
mod facts;
mod filter;
mod games;
mod joint;
mod layouts;
mod limits;
mod question;
mod question_error;
mod subsets;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use beliefs::{Beliefs, Marginals};
pub use condition::{
    Budget, CONDITIONS, Condition, ConditionError, Fitted, Linear, Placed, Shapes, Statement,
    Steps, Summand, Term, alternatives,
};
pub use dealer::{
    Buckets, Expression, ReportPart, Script, ScriptAction, ScriptError, ScriptResult, Values,
};
pub use facts::{BeliefsError, Facts, Given, Reason};
pub use games::{Game, Jass, Mode, Play, Rule, State, Strengths, Tally, Trick, Whist};
pub use layouts::{Layout, Layouts};
pub use limits::{Limits, Measure, card_points, losers, points};
pub use question::{Question, Step, Trump};
pub use question_error::{Location, QuestionError};
pub use text::{counted, joined, listed, number};
pub use view::{BridgeView, NotPlayable, View};
