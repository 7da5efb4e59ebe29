//! The end of a command, and its exit status.

use std::process::ExitCode;

/// The end of a command, short of an error.
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
