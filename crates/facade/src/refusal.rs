//! Refusals: why a question has no answer, and where, as data.
//!
//! The sentence is made last, in the spelling of options of the interface that prints it.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;

use serde::Serialize;
use setrograde_beliefs::{BeliefsError, QuestionError, joined, listed};
use setrograde_cards::{PositionError, TextError, quote};
use setrograde_claim::{ClaimError, KnowledgeError};
use setrograde_lookup::{EndingError, ProbeError};
use setrograde_single_dummy::SearchError;
use setrograde_solver::{SolveError, Stop};

use crate::source::QuestionLocation;
use crate::words::causes;

/// The kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RefusalKind {
    /// The request is wrong, whatever the question: it is not JSON, or one of its options is
    /// unknown, missing or invalid.
    Request,
    /// The question cannot be answered.
    Question,
    /// A limit was reached before the answer was found.
    Limit,
    /// The desk was cancelled.
    Interrupted,
    /// The search or the database failed.
    Failed,
}

impl RefusalKind {
    /// Returns the word of JSON for the kind.
    pub(crate) const fn because(self) -> &'static str {
        match self {
            RefusalKind::Request => "request",
            RefusalKind::Question | RefusalKind::Failed => "question",
            RefusalKind::Limit => "limit",
            RefusalKind::Interrupted => "interrupted",
        }
    }
}

/// The location of a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The option, by its name in JSON.
    pub option: Option<Cow<'static, str>>,
    /// The index of the value in the option's list, counted from 0.
    pub index: Option<usize>,
    /// The column in the text of the option, or else in the line of the question; counted from 1.
    pub column: Option<usize>,
    /// The name of the question's file.
    pub file: Option<String>,
    /// The line in the file, counted from 1.
    pub line: Option<u64>,
    /// The number of the board.
    pub board: Option<u32>,
}

/// A fault, apart from its location.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RefusalFault {
    /// The fault in words, which follow the location and a colon: `expected …, found …`.
    Wrong(String),
    /// A statement about the option, whose words follow its name: `is for …`.
    Is(String),
    /// The option needs one of these.
    Needs(&'static [&'static str]),
    /// These options exclude each other.
    OneOf(&'static [&'static str]),
    /// The option is missing.
    Missing,
    /// The question does not have this option.
    Unknown {
        /// The name of the question.
        question: &'static str,
        /// Its options.
        known: Vec<&'static str>,
    },
    /// The limit in words; the option sets another.
    Limit(String),
    /// A search or the database failed.
    Failed(Arc<dyn Error + Send + Sync>),
}

/// The reason why a question has no answer.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The kind.
    pub kind: RefusalKind,
    /// The location.
    pub at: Box<At>,
    /// The fault.
    pub fault: RefusalFault,
}

/// The spelling of options in a sentence.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Spelling {
    /// As on a command line: `--by-split`.
    CommandLine,
    /// As in JSON: `by_split`.
    Json,
}

impl Spelling {
    fn spell(self, name: &str) -> Cow<'_, str> {
        match self {
            Spelling::CommandLine => format!("--{}", name.replace('_', "-")).into(),
            Spelling::Json => name.into(),
        }
    }

    fn spell_all(self, names: &[&str], last: &str) -> String {
        let names: Vec<_> = names.iter().map(|name| self.spell(name)).collect();
        listed(&names, last)
    }
}

impl Refusal {
    fn new(kind: RefusalKind, fault: RefusalFault) -> Refusal {
        let at = Box::default();
        Refusal { kind, at, fault }
    }

    fn of_option(mut self, name: impl Into<Cow<'static, str>>) -> Refusal {
        self.at.option = Some(name.into());
        self
    }

    fn in_column(mut self, column: usize) -> Refusal {
        self.at.column = Some(column);
        self
    }

    /// Returns the refusal of a wrong request.
    pub(crate) fn request(problem: impl Display) -> Refusal {
        Refusal::new(
            RefusalKind::Request,
            RefusalFault::Wrong(problem.to_string()),
        )
    }

    /// Returns the refusal of a question that cannot be answered.
    pub fn question(problem: impl Display) -> Refusal {
        Refusal::new(
            RefusalKind::Question,
            RefusalFault::Wrong(problem.to_string()),
        )
    }

    /// Returns the refusal of an option's value.
    pub(crate) fn option(name: impl Into<Cow<'static, str>>, problem: impl Display) -> Refusal {
        Refusal::question(problem).of_option(name)
    }

    /// Returns the refusal of an option that does not suit the question: `is for …`.
    pub(crate) fn is(name: &'static str, problem: impl Display) -> Refusal {
        let fault = RefusalFault::Is(problem.to_string());
        Refusal::new(RefusalKind::Question, fault).of_option(name)
    }

    /// Returns the refusal of an option that needs one of others.
    pub(crate) fn needs(name: &'static str, others: &'static [&'static str]) -> Refusal {
        Refusal::new(RefusalKind::Question, RefusalFault::Needs(others)).of_option(name)
    }

    /// Returns the refusal of options that exclude each other.
    pub(crate) fn one_of(names: &'static [&'static str]) -> Refusal {
        Refusal::new(RefusalKind::Question, RefusalFault::OneOf(names))
    }

    /// Returns the refusal of a request without an option that it needs.
    pub(crate) fn missing(name: &'static str) -> Refusal {
        Refusal::new(RefusalKind::Request, RefusalFault::Missing).of_option(name)
    }

    /// Returns the refusal of an option that a question does not have.
    pub(crate) fn unknown(
        question: &'static str,
        name: String,
        known: Vec<&'static str>,
    ) -> Refusal {
        let fault = RefusalFault::Unknown { question, known };
        Refusal::new(RefusalKind::Request, fault).of_option(name)
    }

    /// Returns the refusal of an option that asks for more than the desk allows.
    pub(crate) fn too_many(name: &'static str, count: u32, most: u32) -> Refusal {
        Refusal::request(format_args!("{count}; at most {most}")).of_option(name)
    }

    /// Returns the refusal of a search that reached the limit of an option.
    pub(crate) fn limit(name: &'static str, problem: impl Display) -> Refusal {
        let fault = RefusalFault::Limit(problem.to_string());
        Refusal::new(RefusalKind::Limit, fault).of_option(name)
    }

    /// Returns the refusal at a cancelled desk.
    pub(crate) fn interrupted() -> Refusal {
        let fault = RefusalFault::Wrong("interrupted".to_owned());
        Refusal::new(RefusalKind::Interrupted, fault)
    }

    /// Returns the refusal of a line with a fault in a column.
    pub(crate) fn in_line(column: usize, problem: impl Display) -> Refusal {
        Refusal::question(problem).in_column(column)
    }

    fn failed(error: impl Error + Send + Sync + 'static) -> Refusal {
        Refusal::new(RefusalKind::Failed, RefusalFault::Failed(Arc::new(error)))
    }

    /// Returns the refusal of an invalid condition.
    pub(crate) fn condition(error: &QuestionError) -> Refusal {
        Refusal::in_text_of("if", error)
    }

    /// Returns the refusal of an option whose text has an error.
    pub(crate) fn in_text_of(name: &'static str, error: &QuestionError) -> Refusal {
        Refusal::option(name, error.problem()).in_column(error.column())
    }

    /// Returns the same refusal as one of the request, whatever the question.
    #[must_use]
    pub(crate) fn into_request(self) -> Refusal {
        let kind = RefusalKind::Request;
        Refusal { kind, ..self }
    }

    /// Returns the same refusal, or that the work was interrupted if `stop` is due, which may be the
    /// cause.
    pub(crate) fn unless_due(self, stop: &Stop) -> Refusal {
        if stop.is_due() {
            Refusal::interrupted()
        } else {
            self
        }
    }

    /// Returns the same refusal of the value at an index of a list.
    pub(crate) fn at_index(mut self, index: Option<usize>) -> Refusal {
        self.at.index = index;
        self
    }

    /// Returns the same refusal of a question at a location.
    pub(crate) fn at_location(mut self, location: &QuestionLocation<'_>) -> Refusal {
        self.at.file = location.file.map(str::to_owned);
        self.at.line = location.line;
        self.at.board = location.board.flatten();
        self
    }

    /// Returns the column of the fault in the question's line, if it has one.
    pub fn column(&self) -> Option<usize> {
        self.at.column.filter(|_| self.at.option.is_none())
    }

    /// Returns the fault in a sentence without the location of the question: file, line, board and
    /// column.
    pub fn fault(&self, spelling: Spelling) -> String {
        let name = self.at.option.as_deref().unwrap_or_default();
        let option = spelling.spell(name);
        match &self.fault {
            RefusalFault::Wrong(problem) if name.is_empty() => problem.clone(),
            RefusalFault::Wrong(problem) => match self.at.column {
                Some(column) => format!("{option}: column {column}: {problem}"),
                None => format!("{option}: {problem}"),
            },
            RefusalFault::Is(problem) => format!("{option} {problem}"),
            RefusalFault::Needs(others) => {
                format!("{option} needs {}", spelling.spell_all(others, "or"))
            }
            RefusalFault::OneOf(names) => {
                let names = spelling.spell_all(names, "and");
                format!("{names}: expected one of them")
            }
            RefusalFault::Missing => format!("`{option}` is missing"),
            RefusalFault::Unknown { question, known } => {
                let known = if known.is_empty() {
                    "none".to_owned()
                } else {
                    joined(known.iter().map(|name| spelling.spell(name)), ", ")
                };
                format!(
                    "{question} has no option `{}`; it has {known}",
                    quote(&option)
                )
            }
            RefusalFault::Limit(problem) => format!("{problem}; {option} sets another"),
            RefusalFault::Failed(error) => causes(&**error),
        }
    }

    /// Returns the whole sentence: the location of the question, and the fault.
    pub fn sentence(&self, spelling: Spelling) -> String {
        let location = QuestionLocation {
            file: self.at.file.as_deref(),
            line: self.at.line,
            board: Some(self.at.board),
            ..QuestionLocation::default()
        };
        location.complaint(self.column(), &self.fault(spelling))
    }
}

/// Writes the sentence, with options as in JSON.
impl Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Spelling::Json))
    }
}

impl Error for Refusal {}

impl From<TextError> for Refusal {
    fn from(error: TextError) -> Refusal {
        Refusal::in_line(error.column(), error.problem())
    }
}

impl From<QuestionError> for Refusal {
    fn from(error: QuestionError) -> Refusal {
        if error.in_condition() {
            Refusal::condition(&error)
        } else {
            Refusal::in_line(error.column(), error.problem())
        }
    }
}

/// Errors that have no column.
macro_rules! without_column {
    ($($error:ty),*) => {$(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Refusal {
                Refusal::failed(error)
            }
        }
    )*};
}

without_column!(
    BeliefsError,
    setrograde_lookup::Error,
    EndingError,
    KnowledgeError,
    PositionError,
    ProbeError,
    SolveError
);

impl From<ClaimError> for Refusal {
    fn from(error: ClaimError) -> Refusal {
        match error {
            ClaimError::LimitReached { .. } => Refusal::limit("limit", error),
            error => Refusal::failed(error),
        }
    }
}

impl From<SearchError> for Refusal {
    fn from(error: SearchError) -> Refusal {
        match error {
            SearchError::TooLong(_) => Refusal::limit("limit", error),
            error => Refusal::failed(error),
        }
    }
}

/// A refusal as an object: the reason, and the column of the fault if it is in the line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefusalObject {
    /// The reason.
    pub error: String,
    /// The column, counted from 1.
    pub column: Option<usize>,
    /// The option that has the fault, if one has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// The kind of reason: `request` if an option or the form of the request is wrong, `question`,
    /// `limit` or `interrupted`; on a command line the exit status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<&'static str>,
}

impl Refusal {
    /// Returns the refusal as an object, without the location of the question.
    pub fn object(&self, spelling: Spelling) -> RefusalObject {
        RefusalObject {
            error: self.fault(spelling),
            column: self.column(),
            option: self.at.option.as_deref().map(quote),
            because: Some(self.kind.because()),
        }
    }
}
