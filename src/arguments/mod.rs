//! Arguments that several subcommands share.

pub mod boards;
pub mod condition;
pub mod database;
pub mod draw;
pub mod level;
pub mod players;
pub mod shared;
pub mod size;
pub mod solver;
