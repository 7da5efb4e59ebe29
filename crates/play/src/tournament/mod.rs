//! Duplicate tournaments: every deal is played twice, with the sides exchanged, so luck in the deal
//! falls out.

mod board;
mod log;
mod matches;
mod standing;
mod table;

pub use board::{Board, BoardSeries, BridgeBoards, JassBoards, WhistBoards, par_contract};
pub use log::{Log, LogError, Logged};
pub use matches::{Event, Tournament, TournamentError};
pub use standing::{BoardResult, Standing};
pub use table::{Decisions, Forfeit, TableResult, generator, replay};
