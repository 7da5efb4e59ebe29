//! What subcommands print: tables, progress, explanations.

pub mod explain;
pub mod hints;
pub mod level_table;
pub mod progress;
pub mod tables;
pub mod view;
