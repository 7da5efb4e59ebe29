//! What subcommands read: arguments that several share, and questions.

pub mod level;
mod lines;
pub mod players;
pub mod questions;
pub mod size;
pub mod solver;
pub mod threads;
