//! What subcommands read: arguments that several share, and questions.

pub mod level;
pub mod players;
pub mod questions;
pub mod solver;
pub mod threads;
