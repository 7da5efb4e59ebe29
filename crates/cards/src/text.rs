//! Errors in a piece of text, with their columns.
//!
//! Every value is read in the module of its type.

use std::fmt::Display;

use thiserror::Error;

use crate::{Contract, DealError, PositionError, Rank, Seat};

/// Longest piece of the input that an error quotes, in characters.
const QUOTE_LIMIT: usize = 20;

/// A text that does not describe the value asked for.
///
/// Written as `column 9: ` followed by the problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
#[error("column {column}: {problem}")]
pub struct TextError {
    column: usize,
    problem: TextProblem,
}

impl TextError {
    pub(crate) fn new(column: usize, problem: TextProblem) -> Self {
        Self {
            column: column.max(1),
            problem,
        }
    }

    /// Returns the column of the problem: a 1-based count of characters (not bytes)
    /// in the text that was parsed.
    ///
    /// Something missing at the end is reported one past the last character.
    /// Never 0.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Returns the problem, without its column.
    pub fn problem(&self) -> &impl Display {
        &self.problem
    }

    /// The error for a text that continues after the last part of the value, which `after`
    /// names, with `rest`, in that column.
    pub(crate) fn left_over(column: usize, rest: &str, after: &'static str) -> Self {
        let found = quote(rest);
        TextError::new(column, TextProblem::LeftOver { found, after })
    }

    /// Moves the error `by` characters further right: for a caller who parsed
    /// a part of a line and reports on the complete line.
    #[must_use]
    pub fn shifted(mut self, by: usize) -> Self {
        self.column = self.column.saturating_add(by);
        self
    }
}

/// The ways in which a text can be wrong.
///
/// Quoted pieces of the input are cut to a short length.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Error)]
pub(crate) enum TextProblem {
    /// The text ends where something was required.
    #[error("expected {expected}, found nothing")]
    Missing {
        /// The text that was required.
        expected: String,
    },
    /// Not one of the words for a seat, say.
    #[error("{found:?} is not {what}; expected one of {words}")]
    NotOne {
        /// The text found.
        found: String,
        /// The thing that the words name, as in "a seat".
        what: &'static str,
        /// The words, as in "N E S W".
        words: &'static str,
    },
    /// There is more text than the value needs.
    #[error("{found:?} is left over after {after}")]
    LeftOver {
        /// The first remaining one.
        found: String,
        /// The part that was complete before it.
        after: &'static str,
    },
    /// A doubling after the declarer.
    #[error("the declarer comes last, as {right}")]
    DeclarerLast {
        /// The text of the contract.
        right: Contract,
    },
    /// Not a bid.
    #[error("{found:?} is not a bid; expected a level and a strain, as 4S or 3NT")]
    NotABid {
        /// The text found.
        found: String,
    },
    /// Not the letter of a rank.
    #[error("{found:?} {}", match *.found {
        'x' => "names no card; write each low card, as 2",
        _ => "is not a rank; expected one of A K Q J T 9 8 7 6 5 4 3 2",
    })]
    NotARank {
        /// The character found.
        found: char,
    },
    /// A rank that occurs twice in one holding.
    #[error("the {} ({rank}) occurs twice in the same suit of one hand", rank.name())]
    RepeatedRank {
        /// The rank.
        rank: Rank,
    },
    /// A hand that is not four holdings separated by dots.
    #[error("a hand has 4 suits separated by dots (spades.hearts.diamonds.clubs), found {found}")]
    SuitCount {
        /// Number of holdings found: 1 or more, not 4.
        found: usize,
    },
    /// A deal that does not begin with a seat and a colon.
    #[error("{found:?} does not begin a deal; expected the first seat and a colon, as N:")]
    NoFirstSeat {
        /// The text found.
        found: String,
    },
    /// Fewer than four hands.
    #[error("a deal has 4 hands separated by blanks, found {found}")]
    HandCount {
        /// Number of hands found: 0 to 3.
        found: usize,
    },
    /// One hidden hand, which the three other hands do not determine.
    #[error(
        "{}'s hand is hidden; it is known only if the three others have 13 cards each",
        seat.name()
    )]
    OneHidden {
        /// The seat.
        seat: Seat,
    },
    /// The hands cannot be those of one deal.
    #[error("{0}")]
    Deal(DealError),
    /// A position in which all four hands are empty.
    #[error("no cards: all four hands are empty")]
    NoCards,
    /// The cards cannot be those of a position in play.
    #[error("{0}")]
    Position(PositionError),
}

/// Returns the first 20 characters of `text`, and `…` if there are more: enough for an error, which
/// so does not repeat kilobytes.
pub fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTE_LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The error for `expected` not being there at the end of `text`.
pub(crate) fn missing(text: &str, expected: impl Into<String>) -> TextError {
    let expected = expected.into();
    TextError::new(end_column(text), TextProblem::Missing { expected })
}

/// The value of a text that is one of some words, which is `value` if the word is known.
/// An error says `what` was expected, as in "a seat", and which `words` there are.
pub(crate) fn word<T>(
    text: &str,
    what: &'static str,
    words: &'static str,
    value: Option<T>,
) -> Result<T, TextError> {
    value.ok_or_else(|| match text {
        "" => missing(text, format!("{what} ({words})")),
        _ => {
            let found = quote(text);
            TextError::new(1, TextProblem::NotOne { found, what, words })
        }
    })
}

/// The selectors that phones write after the signs of suits; they mean nothing here.
const SELECTORS: [char; 2] = ['\u{fe0e}', '\u{fe0f}'];

/// Reads `text` without its selectors; the column of an error counts them.
pub(crate) fn without_selectors<T>(
    text: &str,
    read: impl FnOnce(&str) -> Result<T, TextError>,
) -> Result<T, TextError> {
    if text.is_ascii() || !text.contains(SELECTORS) {
        return read(text);
    }
    read(&text.replace(SELECTORS, "")).map_err(|mut error| {
        let mut letters = text.chars().enumerate();
        let read = letters.by_ref().filter(|(_, c)| !SELECTORS.contains(c));
        let at = read.map(|(at, _)| at + 1).nth(error.column - 1);
        error.column = at.unwrap_or(end_column(text));
        error
    })
}

/// The value of the longest of `words` that `text` begins with, in upper or lower case, and
/// the word's length.
pub(crate) fn longest<T: Copy>(text: &str, words: &[(&str, T)]) -> Option<(T, usize)> {
    let begins = |word: &str| {
        let start = text.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    let found = words.iter().filter(|(word, _)| begins(word));
    let &(word, value) = found.max_by_key(|(word, _)| word.len())?;
    Some((value, word.len()))
}

/// The letters and digits of `text`, in lower case.
pub(crate) fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// The column just after the last character of `text` that is not whitespace.
pub(crate) fn end_column(text: &str) -> usize {
    text.trim_end().chars().count() + 1
}

/// Checks the errors of texts: a line for each, as in `|text| error`, in which an error that ends
/// with `…` is cut.
#[cfg(test)]
pub(crate) fn assert_errors<T: std::str::FromStr<Err = TextError>>(cases: &str) {
    for case in cases.trim().lines() {
        let case = case
            .trim()
            .strip_prefix('|')
            .expect("the sign before a text");
        let (text, expected) = case.split_once("| ").expect("the sign after a text");
        let error = text.parse::<T>().err().expect(text).to_string();
        match expected.strip_suffix('…') {
            Some(start) => assert!(error.starts_with(start), "{text:?}: {error}"),
            None => assert_eq!(error, expected, "{text:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_start_at_one_and_shift() {
        let error = TextError::new(0, TextProblem::NoCards);
        assert_eq!(error.column(), 1);
        assert_eq!(error.clone().shifted(4).column(), 5);
        assert_eq!(error.shifted(usize::MAX).column(), usize::MAX);
    }

    #[test]
    fn quotes_are_short_and_cut_between_characters() {
        assert_eq!(quote("north"), "north");
        assert_eq!(quote(&"é".repeat(1000)), "é".repeat(QUOTE_LIMIT) + "…");
    }

    #[test]
    fn control_characters_are_escaped() {
        let error = TextError::new(3, TextProblem::NotARank { found: '\n' });
        assert!(error.to_string().starts_with("column 3: '\\n' is not"));
    }
}
