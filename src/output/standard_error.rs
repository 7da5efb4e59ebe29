//! Messages to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);

/// Sets whether progress is hidden, `--quiet`.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Whether progress is hidden.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Whether bars are shown: if standard error is a terminal, unless `--quiet`.
pub fn bars_are_shown() -> bool {
    io::stderr().is_terminal() && !is_quiet()
}

/// Writes a line to standard error. If that fails (the disk is full, the reader is
/// gone) the line is lost and the work continues.
pub fn say(line: impl Display) {
    // One write, so that lines of several threads do not mix.
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
