//! Messages to standard error.

use std::fmt::Display;
use std::io::{self, Write};

/// Writes a line to standard error. If that fails (the disk is full, the reader is
/// gone) the line is lost and the work goes on.
pub fn say(line: impl Display) {
    // One write, so that lines of several threads do not mix.
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
