//! Portable Bridge Notation (PBN), version 2.1 and below.
//!
//! [`Games`] splits a file into games, each with its bytes as in the file and its board.
//! [`Game::with_double_dummy`] writes a game back with double-dummy results and every other byte
//! kept; [`write()`] writes a board from any source.

mod board;
mod double_dummy;
mod games;
mod rewrite;
mod scan;
mod sections;
mod write;

pub(crate) use double_dummy::read_score;
pub(crate) use games::GameReader;
pub use games::{Game, Games};
pub(crate) use scan::is_tag;
pub use write::{write, write_with};
