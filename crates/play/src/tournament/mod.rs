//! Duplicate tournaments: every deal is played twice, with the sides exchanged,
//! so that luck in the deal falls out.

mod board;
mod generator;
mod log;
mod matches;
mod standing;
mod table;

pub use board::{Board, Boards, BridgeBoards, HeartsBoards, JassBoards, WhistBoards};
pub use generator::generator;
pub use log::{Format, Log, LogError, Logged};
pub use matches::{Event, Tournament, TournamentError};
pub use standing::{BoardResult, Standing};
pub use table::{Decisions, Forfeit, TableResult, play_table, replay};
