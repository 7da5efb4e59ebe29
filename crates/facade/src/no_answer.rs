//! The reasons why questions have no answer.

use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;

use setrograde_beliefs::{BeliefsError, QuestionError};
use setrograde_cards::TextError;
use setrograde_claim::{ClaimError, KnowledgeError};
use setrograde_lookup::{EndingError, ProbeError};
use setrograde_single_dummy::SearchError;
use setrograde_solver::SolveError;

use crate::lesson::LessonError;
use crate::words::causes;

/// The reason why a question has no answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The line has an error in this column, counted from 1.
    At {
        /// The column.
        column: usize,
        /// The fault.
        problem: String,
    },
    /// An option is invalid, or contradicts the question.
    Option {
        /// The name of the option.
        name: &'static str,
        /// The fault: `: column 3: …` or ` is for …`, right after the name.
        problem: String,
    },
    /// An option asks for more than the desk allows.
    TooMany {
        /// The name of the option.
        name: &'static str,
        /// The number asked for.
        count: u32,
        /// The maximum.
        most: u32,
    },
    /// The request is wrong, whatever the question: it is not JSON, or one of its options is
    /// unknown, missing or of the wrong kind.
    Request(String),
    /// It cannot be answered.
    Refused(String),
    /// The search or the database failed.
    Failed(Arc<dyn Error + Send + Sync>),
    /// A limit was reached before the answer was found.
    Limit {
        /// The limit, in words.
        problem: String,
        /// The option that sets another limit.
        name: &'static str,
    },
    /// The desk was cancelled.
    Interrupted,
}

impl NoAnswer {
    /// Returns the reason for a question that cannot be answered.
    pub fn refused(problem: impl Display) -> NoAnswer {
        NoAnswer::Refused(problem.to_string())
    }

    /// Returns the reason for an invalid option, a text that follows its name.
    pub(crate) fn option(name: &'static str, problem: impl Display) -> NoAnswer {
        NoAnswer::Option {
            name,
            problem: problem.to_string(),
        }
    }

    /// Returns the reason for a wrong request.
    pub(crate) fn request(problem: impl Display) -> NoAnswer {
        NoAnswer::Request(problem.to_string())
    }

    /// Returns the same reason for options that are wrong whatever the question.
    pub(crate) fn into_request(self) -> NoAnswer {
        NoAnswer::Request(self.parts("").1)
    }

    /// Returns the reason for a search with too many steps.
    fn limit(error: &impl Display) -> NoAnswer {
        NoAnswer::Limit {
            problem: error.to_string(),
            name: "limit",
        }
    }

    /// Returns the reason for an invalid condition.
    #[must_use]
    pub fn condition(error: &QuestionError) -> NoAnswer {
        let (column, problem) = (error.column(), error.problem());
        NoAnswer::option("if", format_args!(": column {column}: {problem}"))
    }

    /// Returns the column of the fault in the line, if it has one, and the fault. `dashes` precede
    /// the name of an option: `--` on a command line.
    #[must_use]
    pub fn parts(self, dashes: &str) -> (Option<usize>, String) {
        let named = |name: &str| match dashes {
            "" => name.to_owned(),
            _ => format!("{dashes}{}", name.replace('_', "-")),
        };
        match self {
            NoAnswer::At { column, problem } => (Some(column), problem),
            NoAnswer::TooMany { name, count, most } => {
                (None, format!("{}: {count}; at most {most}", named(name)))
            }
            NoAnswer::Request(problem) | NoAnswer::Refused(problem) => (None, problem),
            NoAnswer::Failed(error) => (None, causes(&*error)),
            NoAnswer::Option { name, problem } => (None, named(name) + &problem),
            NoAnswer::Limit { problem, name } => {
                (None, format!("{problem}; {} sets another", named(name)))
            }
            NoAnswer::Interrupted => (None, "interrupted".to_owned()),
        }
    }
}

/// Writes the reason in a line, names of options as on a command line.
impl Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.clone().parts("--") {
            (Some(column), problem) => write!(f, "column {column}: {problem}"),
            (None, problem) => f.write_str(&problem),
        }
    }
}

impl Error for NoAnswer {}

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
            true => NoAnswer::condition(&error),
            false => NoAnswer::At {
                column: error.column(),
                problem: error.problem().to_owned(),
            },
        }
    }
}

/// Errors that have no column.
macro_rules! without_column {
    ($($error:ty),*) => {$(
        impl From<$error> for NoAnswer {
            fn from(error: $error) -> NoAnswer {
                NoAnswer::Failed(Arc::new(error))
            }
        }
    )*};
}

without_column!(
    BeliefsError,
    setrograde_lookup::Error,
    EndingError,
    KnowledgeError,
    LessonError,
    ProbeError,
    SolveError
);

impl From<ClaimError> for NoAnswer {
    fn from(error: ClaimError) -> NoAnswer {
        match error {
            ClaimError::LimitReached { .. } => NoAnswer::limit(&error),
            error => NoAnswer::Failed(Arc::new(error)),
        }
    }
}

impl From<SearchError> for NoAnswer {
    fn from(error: SearchError) -> NoAnswer {
        match error {
            SearchError::TooLong(_) => NoAnswer::limit(&error),
            error => NoAnswer::Failed(Arc::new(error)),
        }
    }
}
