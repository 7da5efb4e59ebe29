//! The reasons that questions have no answer.

use std::error::Error;
use std::fmt::{self, Display};

use setrograde::LessonError;
use setrograde_beliefs::{BeliefsError, QuestionError};
use setrograde_cards::TextError;
use setrograde_claim::{ClaimError, KnowledgeError};
use setrograde_lookup::{EndingError, ProbeError};
use setrograde_single_dummy::SearchError;
use setrograde_solver::SolveError;

use crate::arguments::condition::described;
use crate::interrupt::is_interrupted;
use crate::output::errors::one_line;

/// The reason that a question has no answer.
pub enum NoAnswer {
    /// It is wrong at this column.
    At { column: usize, problem: String },
    /// It cannot be answered.
    Refused(String),
    /// The program was told to stop.
    Interrupted,
}

impl NoAnswer {
    /// A question that cannot be answered.
    pub fn refused(problem: impl Display) -> NoAnswer {
        NoAnswer::Refused(problem.to_string())
    }
}

impl From<TextError> for NoAnswer {
    fn from(error: TextError) -> NoAnswer {
        NoAnswer::At {
            column: error.column(),
            problem: error.problem().to_string(),
        }
    }
}

impl From<QuestionError> for NoAnswer {
    fn from(error: QuestionError) -> NoAnswer {
        match error.in_condition() {
            true => NoAnswer::Refused(described(&error, true)),
            false => NoAnswer::At {
                column: error.column(),
                problem: error.problem().to_owned(),
            },
        }
    }
}

/// Errors that have no column; an interrupt may be their cause.
macro_rules! without_column {
    ($($error:ty),*) => {$(
        impl From<$error> for NoAnswer {
            fn from(error: $error) -> NoAnswer {
                match is_interrupted() {
                    true => NoAnswer::Interrupted,
                    false => NoAnswer::Refused(one_line(&error)),
                }
            }
        }
    )*};
}

without_column!(
    BeliefsError,
    setrograde_lookup::Error,
    ClaimError,
    EndingError,
    KnowledgeError,
    LessonError,
    ProbeError,
    SearchError,
    SolveError
);

impl Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::At { column, problem } => write!(f, "column {column}: {problem}"),
            NoAnswer::Refused(problem) => f.write_str(problem),
            NoAnswer::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// The failure of a command whose only question has no answer, exit status 3.
#[derive(Debug)]
pub struct Refused(String);

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Refused {}

/// The error that there is no answer to the only question.
pub fn refused(why: impl Display) -> anyhow::Error {
    Refused(why.to_string()).into()
}
