//! Messages to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::printable::printable;

static QUIET: AtomicBool = AtomicBool::new(false);
static JSON: AtomicBool = AtomicBool::new(false);

/// Sets whether progress is hidden, `--quiet`.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Relaxed);
}

/// Returns true if progress is hidden.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Sets whether lines of progress are objects, as `--json` says.
pub fn set_json(json: bool) {
    JSON.store(json, Ordering::Relaxed);
}

/// Returns true if lines of progress are objects.
pub fn is_json() -> bool {
    JSON.load(Ordering::Relaxed)
}

/// Returns true if bars are shown: if standard error is a terminal, unless `--quiet`.
pub fn bars_are_shown() -> bool {
    io::stderr().is_terminal() && !is_quiet()
}

/// Writes a line to standard error. If that fails (the disk is full, the reader is
/// gone) the line is lost and the work continues.
pub fn say(line: impl Display) {
    let line = format!("{line}\n");
    // One write, so lines of several threads do not mix.
    let _ = io::stderr().write_all(printable(&line).as_bytes());
}
