//! A bar on a terminal that shows how many of the questions are answered.

use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use indicatif::ProgressBar;
use setrograde::{ClaimProgress, grouped};

use super::sources::InputSource;
use crate::output::progress::simple_bar;
use crate::output::{is_quiet, say};

/// The time after which one question gets a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time after which it has one if there is something to show.
const SOON: Duration = Duration::from_millis(200);

/// The period in which that bar is drawn anew.
const TICK: Duration = Duration::from_millis(100);

/// Does the work for one question, with a line on the terminal that says how long it has
/// taken once that is more than a second; after 0.2 s if there are results so far to show.
/// The line is gone when the work is done. Elsewhere there is a line a minute.
pub fn while_it_lasts<T>(so_far: Option<&ClaimProgress>, work: impl FnOnce() -> T) -> T {
    if is_quiet() {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        let follow = move || {
            let lasts = |time| waiting.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if lasts(so_far.map_or(PATIENCE, |_| SOON)) {
                let bar = simple_bar("{spinner} {elapsed} {msg}", None);
                loop {
                    if let Some(so_far) = so_far {
                        bar.set_message(so_far.to_string());
                    }
                    bar.tick();
                    if !lasts(TICK) {
                        break;
                    }
                }
                bar.finish_and_clear();
            }
        };
        // Without a thread there is no bar.
        let _ = std::thread::Builder::new().spawn_scoped(scope, follow);
        let found = work();
        drop(done);
        found
    })
}

/// A bar on standard error, if that is a terminal where no questions are typed.
pub struct ReadingProgress {
    bar: ProgressBar,
    /// True if answers go to a terminal, too.
    beside_answers: bool,
}

impl ReadingProgress {
    /// A bar for the questions in these sources, whose answers go to a file or to
    /// standard output.
    pub fn new(sources: &[InputSource], to_file: bool) -> ReadingProgress {
        if sources.contains(&InputSource::StandardInput) && io::stdin().is_terminal() {
            return ReadingProgress::hidden();
        }
        let size: Option<u64> = sources.iter().map(InputSource::size).sum();
        let template = match size {
            Some(_) => "[{wide_bar}] {percent} %, {msg} answered, {elapsed}, {eta} left",
            None => "{spinner} {msg} answered, {elapsed}",
        };
        ReadingProgress {
            bar: simple_bar(template, size),
            beside_answers: !to_file && io::stdout().is_terminal(),
        }
    }

    /// No bar.
    pub fn hidden() -> ReadingProgress {
        ReadingProgress {
            bar: ProgressBar::hidden(),
            beside_answers: false,
        }
    }

    /// All is answered that these bytes of the sources ask.
    pub fn add_bytes(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    /// Shows how many questions are answered.
    pub fn show(&self, questions: u64) {
        if !self.bar.is_hidden() {
            self.bar.set_message(grouped(questions));
        }
    }

    /// Writes answers; the bar makes way for them if they go to a terminal.
    pub fn make_way<T>(&self, write: impl FnOnce() -> T) -> T {
        if self.beside_answers {
            self.bar.suspend(write)
        } else {
            write()
        }
    }

    /// Writes a line to standard error, above the bar.
    pub fn say(&self, line: impl Display) {
        self.bar.suspend(|| say(line));
    }
}

impl Drop for ReadingProgress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
