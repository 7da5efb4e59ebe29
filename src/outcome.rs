//! The end of a command, and its exit status.

use std::process::ExitCode;

use crate::interrupt;

/// The exit status of a command that the same command continues: `EX_TEMPFAIL` of `sysexits.h`.
pub const AGAIN: u8 = 75;

/// The result of a command that did not fail.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    SomeUnanswered,
    /// A claim that is not sure.
    NotSure,
    /// A claim of which it is unknown whether it is sure.
    Unknown,
    Interrupted,
    /// A build that was stopped, or found a lock taken: the same command continues it.
    Again,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        match outcome {
            Outcome::Done => ExitCode::SUCCESS,
            Outcome::NotSure => ExitCode::FAILURE,
            Outcome::SomeUnanswered => ExitCode::from(3),
            Outcome::Unknown => ExitCode::from(4),
            Outcome::Interrupted => ExitCode::from(interrupt::status()),
            Outcome::Again => ExitCode::from(AGAIN),
        }
    }
}
