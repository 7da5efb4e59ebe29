//! Errors of records, with the file, the board, the line and the reason.

use std::fmt;
use std::sync::Arc;

use setrograde_cards::{DealError, TextError};
use thiserror::Error;

/// Longest piece of the input that an error quotes, in characters.
const QUOTE_LIMIT: usize = 40;

/// A board that cannot be read. Reading continues with the next board.
///
/// Written as `deals.pbn, line 203, board 17: ` and the [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The name of the file or stream, as given to the reader.
    pub file: Arc<str>,
    /// The line of the problem, from 1.
    pub line: u64,
    /// The number of the board in the record, if it was read.
    pub board: Option<u32>,
    /// The fault.
    pub problem: Problem,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.file, self.line)?;
        if let Some(board) = self.board {
            write!(f, ", board {board}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for RecordError {}

impl RecordError {
    /// The error of the board with this number, if it was read.
    pub(crate) fn of_board(self, board: impl Into<Option<u32>>) -> RecordError {
        let board = board.into();
        RecordError { board, ..self }
    }
}

/// The faults of records.
///
/// Quoted pieces of the input are cut to a short length.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file cannot be read any further.
    #[error("cannot read: {0}")]
    Io(String),
    /// A line, a field or a whole record that is longer than the limit.
    #[error("{what} is longer than {limit} bytes")]
    TooLong {
        /// The part that is too long.
        what: &'static str,
        /// The maximum length.
        limit: usize,
    },
    /// An invalid value.
    #[error("{field} {found:?}: expected {expected}")]
    Expected {
        /// The tag or field.
        field: &'static str,
        /// Its value.
        found: String,
        /// The expected form.
        expected: &'static str,
    },
    /// A value in the text formats of [`setrograde_cards`] with an error.
    #[error("{field} {found:?}: {error}")]
    Text {
        /// The tag or field.
        field: &'static str,
        /// Its value.
        found: String,
        /// The error; its column counts within the value.
        error: Box<TextError>,
    },
    /// A card whose letter means different cards in two languages.
    #[error("{found:?}: {readings}; write A K Q J T")]
    Language {
        /// The text.
        found: String,
        /// The letter, and the cards that it may be, with the languages.
        readings: String,
    },
    /// A document that is not XML.
    #[error("not XML: {0}")]
    Xml(String),
    /// Hands that cannot be one deal.
    #[error("{0}")]
    Deal(DealError),
    /// A bracket, quote or brace without its partner.
    #[error("{0} without its end")]
    Unclosed(&'static str),
    /// A field of a LIN file whose name is not two letters.
    #[error("{found:?} is not the two-letter name of a field")]
    FieldName {
        /// The name.
        found: String,
    },
    /// A list with another number of deals than stated.
    #[error("NUMBER promises {promised} deals, but the list has {found}")]
    Count {
        /// The stated number.
        promised: u64,
        /// The actual number.
        found: u32,
    },
    /// A link without a board: perhaps a short one that leads to it, or one to a server's
    /// own number of the board.
    #[error(
        "the link has no board in it; one of a handviewer has lin= or n=, e=, s=, w= \
         (open a short link in a browser, and take the address that it leads to)"
    )]
    NoBoardInLink,
}

impl Problem {
    pub(crate) fn expected(field: &'static str, found: &str, expected: &'static str) -> Problem {
        Problem::Expected {
            field,
            found: quote(found),
            expected,
        }
    }

    /// The error on this line, of no board yet, in a file without a name.
    pub(crate) fn at(self, line: u64) -> RecordError {
        RecordError {
            file: Arc::default(),
            line,
            board: None,
            problem: self,
        }
    }

    pub(crate) fn text(field: &'static str, found: &str, error: TextError) -> Problem {
        Problem::Text {
            field,
            found: quote(found),
            error: Box::new(error),
        }
    }
}

/// The start of `text`, short enough to quote.
pub(crate) fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTE_LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
