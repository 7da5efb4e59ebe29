//! Tables, progress and errors that subcommands print.

pub mod errors;
pub mod level_table;
pub mod printable;
pub mod progress;
pub mod standard;
mod standard_error;
pub mod suggestion;
pub mod tables;
pub mod whole_file;

pub use standard_error::{bars_are_shown, is_json, is_quiet, say, set_json, set_quiet};
