//! A forward double-dummy solver for full deals and any position in the play, which can consult an
//! endgame database.
//!
//! A [`Solver`] finds the [tricks](Solver::tricks) of a position, the cards that
//! [meet a target](Solver::solve), the [table](Solver::table) of a deal's 20 results, from which
//! [`Par`] follows ([`tables`] and [`each_table`] those of many deals), and the tricks that each card
//! of a [play](Solver::analyse) gave away. All answers are exact and do not depend on what was asked
//! before.
//!
//! The search is a zero-window partition search: it proves that a side takes N tricks or does not,
//! and stores each proof for all positions in which the cards that mattered have the same owners (a
//! *position pattern*). `docs/solver.md` describes it, with measurements.
//!
//! # Example
//!
//! ```
//! use setrograde_solver::cards::{Deal, Position, Seat, Strain, Suit, Vulnerability};
//! use setrograde_solver::{Options, Par, Solver, Target, Wanted};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut solver = Solver::new(Options::default());
//!
//! let deal: Deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"
//!     .parse()?;
//! let table = solver.table(&deal)?;
//! assert_eq!(table.tricks(Strain::Trump(Suit::Spades), Seat::East), 11);
//! let par = Par::new(&table, Vulnerability::None, Seat::North);
//! assert_eq!((par.score, par.contracts[0].to_string().as_str()), (-460, "3NT E +2"));
//!
//! // Two tricks left, West led the ace, North to play.
//! let position: Position = "NT W N:K3... Q4... J5... T... played=SA".parse()?;
//! let solution = solver.solve(&position, Target::Most, Wanted::All)?;
//! let best = solution.cards[0];
//! assert_eq!((best.card.to_string().as_str(), best.tricks), ("S3", 1));
//! # Ok(())
//! # }
//! ```
//!
//! # With a database
//!
//! A `setrograde_lookup::Database` goes into [`Options::endgames`]. The search then stops at its
//! depth: it asks for a bound and for the few top cards that prove it, and backs these up like any
//! other cards that mattered. Any other implementation of [`Endgames`] works, too.
//!
//! The types of cards, hands and deals are those of `setrograde_cards`, which is here as [`cards`].
//!
//! # Features
//!
//! `database`, on by default, makes `setrograde_lookup::Database` a source of
//! endgame values. Without it the crate needs `setrograde_cards`, `setrograde_parallel` and
//! `setrograde_endgame` alone, and no files. Only [`tables`],
//! [`each_table`] and [`Solver::table_on`] start threads. `open-search` is for
//! `setrograde-prove`, and may change at any time.
//!
//! # Find your way
//!
//! A question of `solve`, `table`, `reach`, `analyse` or `par` becomes a `root`.
//! `zero_window` asks `search` whether a side takes at least t tricks there, for one
//! t after another, until the number is known. `search` tries cards in the order of
//! `moves`; `proofs`, the `transposition` table and `endgames` avoid most of them.
//!
//! `docs/words.md` of the project defines the terms, with an example.

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod board;
mod checked_proofs;
mod choices;
mod endgames;
mod error;
mod first_guess;
#[doc(hidden)]
pub mod lanes;
mod moves;
mod par;
mod proofs;
mod root;
mod search;
mod shared_result;
mod solve;
mod solver;
mod state;
mod table;
mod transposition;
mod zero_window;

pub use checked_proofs::{CheckedProofs, FalseProof};
pub use choices::{Choice, choices};
pub use endgames::{Endgames, EndgamesError};
pub use error::SolveError;
pub use par::{Par, ParContract};
#[cfg(feature = "open-search")]
#[doc(hidden)]
pub use search::open::OpenSearch;
pub use setrograde_cards as cards;
pub use setrograde_endgame::diagram::Verdict;
pub use setrograde_endgame::ending::Ending;
pub use setrograde_endgame::owners::TopCards;
pub use setrograde_parallel::Stop;
pub use solve::Analysis;
pub use solve::Reach;
pub use solve::{CardTricks, Solution, Target, Wanted};
pub use solver::{Options, Solver};
pub use table::{TrickTable, each_table, tables};
