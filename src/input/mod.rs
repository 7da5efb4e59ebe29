//! What subcommands read: arguments that several share, and questions.

pub mod boards;
pub mod database;
pub mod level;
mod lines;
pub mod pieces;
pub mod players;
mod progress;
pub mod questions;
pub mod replies;
pub mod size;
pub mod solver;
pub mod sources;
pub mod threads;
pub mod views;
mod workers;
