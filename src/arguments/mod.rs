//! Arguments that several subcommands share.

pub mod boards;
pub mod chunk;
pub mod condition;
pub mod database;
pub mod draw;
pub mod level;
pub mod numbers;
pub mod output;
pub mod players;
pub mod shared;
pub mod size;
pub mod solver;
