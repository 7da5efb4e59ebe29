//! A forward double-dummy solver.

mod board;
mod database;
mod endgames;
mod error;
mod follow_order;
mod guess;
mod lanes;
mod later;
mod lead_order;
mod moves;
mod par;
mod play;
mod question;
mod quick;
mod search;
mod solution;
mod solver;
mod sure_trumps;
mod table;
mod transposition;
mod weights;

pub use endgames::{Boundary, Endgames, Verdict};
pub use error::SolveError;
pub use par::{Par, ParContract, Vulnerability};
pub use play::Analysis;
pub use solution::{CardTricks, Solution, Target, Wanted};
pub use solver::{Options, Solver};
pub use table::TrickTable;
