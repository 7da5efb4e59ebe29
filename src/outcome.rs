//! How a command ended, and the exit status that says so.

use std::process::ExitCode;

/// How a command ended, short of an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Done,
    SomeUnanswered,
    /// A claim that is not sure.
    NotSure,
    /// A claim of which it is unknown whether it is sure.
    Unknown,
    Interrupted,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        match outcome {
            Outcome::Done => ExitCode::SUCCESS,
            Outcome::NotSure => ExitCode::FAILURE,
            Outcome::SomeUnanswered => ExitCode::from(3),
            Outcome::Unknown => ExitCode::from(4),
            Outcome::Interrupted => ExitCode::from(130),
        }
    }
}
