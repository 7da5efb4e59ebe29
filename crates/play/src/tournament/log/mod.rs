//! Logs of tournaments: every card at every table.
//!
//! A log begins with a line of JSON that says which tournament it is of. Bridge
//! is logged as PBN 2.1 (the line is a comment there), other games as lines of
//! JSON. A log holds nothing that depends on time or threads, so that the same
//! tournament gives the same bytes.

mod file;
mod json;
mod pbn;
mod record;

pub use file::{Format, Log};
pub use record::{LogError, Logged};
