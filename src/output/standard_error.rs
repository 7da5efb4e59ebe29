//! Messages to standard error.

use std::fmt::Display;
use std::io::{self, IsTerminal, StderrLock, Write};
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

/// Writes a line to standard error. If that fails (the disk is full, the reader is gone or reads
/// nothing) the line is lost and the work continues.
pub fn say(line: impl Display) {
    let line = format!("{}\n", printable(&line.to_string()));
    // Lines of several threads do not mix.
    let mut out = io::stderr().lock();
    for piece in line.as_bytes().chunks(PIECE) {
        if !takes_a_piece(&out) || out.write_all(piece).is_err() {
            return;
        }
    }
}

/// Bytes that a pipe takes at once if it takes any.
const PIECE: usize = 512;

/// Returns true if standard error takes some bytes, within a second the first time that it does
/// not.
#[cfg(unix)]
fn takes_a_piece(out: &StderrLock<'_>) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    static IS_FULL: AtomicBool = AtomicBool::new(false);
    let patience = Timespec {
        tv_sec: i64::from(!IS_FULL.load(Ordering::Relaxed)),
        tv_nsec: 0,
    };
    let mut polled = [PollFd::new(out, PollFlags::OUT)];
    // An interrupted poll, or one that the system does not know, decides nothing.
    let is_full = poll(&mut polled, Some(&patience)) == Ok(0);
    IS_FULL.store(is_full, Ordering::Relaxed);
    !is_full
}

#[cfg(not(unix))]
fn takes_a_piece(_: &StderrLock<'_>) -> bool {
    true
}
