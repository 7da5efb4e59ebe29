//! Questions with what was found, as objects and as texts.

use std::borrow::Cow;
use std::fmt::Display;

use serde::Serialize;
use setrograde_records::{Board, Note};

use super::location::QuestionLocation;
use super::printable::{Escape, escaped};
use crate::heading::heading;
use crate::{AnyReport, QuestionKind, Refusal, RefusalObject, Style, VERSION, Words};

/// An answer, or the reason why there is none.
pub type Found = Result<Box<dyn AnyReport>, Refusal>;

/// A question, its location, and what was found.
pub struct Answered<'a> {
    /// The location; the default one if the question is the only one.
    pub location: QuestionLocation<'a>,
    /// The board of which the question was asked.
    pub board: Option<&'a Board>,
    /// The line of the question, or the equivalent line of a board.
    pub question: Option<Cow<'a, str>>,
    /// Warnings about the line or the board.
    pub notes: Cow<'a, [Note]>,
    /// The answer.
    pub found: Found,
}

impl<'a> Answered<'a> {
    /// Returns a question without a board and without warnings.
    pub(crate) fn new(
        location: QuestionLocation<'a>,
        question: Option<Cow<'a, str>>,
        found: Found,
    ) -> Answered<'a> {
        Answered {
            location,
            board: None,
            question,
            notes: Cow::default(),
            found,
        }
    }

    /// Returns an answer whose question is not repeated.
    pub fn of_options(found: Found) -> Answered<'a> {
        Answered::new(QuestionLocation::default(), None, found)
    }

    /// Returns the refusal of a whole source.
    pub fn of_source(file: &'a str, why: impl Display) -> Answered<'a> {
        let location = QuestionLocation {
            file: Some(file),
            ..QuestionLocation::default()
        };
        Answered::new(location, None, Err(Refusal::question(why)))
    }

    /// True if it is one of many questions.
    fn is_of_many(&self) -> bool {
        self.location != QuestionLocation::default()
    }

    /// Returns the text of its answer.
    pub fn words(&self, answer: &dyn AnyReport, style: Style) -> Vec<u8> {
        let asked = match (self.location.board, self.location.line) {
            (Some(_), _) => QuestionKind::Board,
            (None, Some(_)) => QuestionKind::Line,
            (None, None) => QuestionKind::Single,
        };
        let mut words = Words::new(Style { asked, ..style });
        answer.words(&mut words);
        match self.board.filter(|_| asked == QuestionKind::Board) {
            Some(board) => words.under(&heading(board)),
            None => words.under(self.question.as_deref().unwrap_or_default()),
        }
    }

    /// Returns the object: version, location and question, and the answer with warnings and with its
    /// text in a style, or the refusal as `refused` makes it.
    ///
    /// Serde's `flatten` writes the same object, with a copy of the code that writes each answer.
    pub fn json(&self, text: Option<Style>, refused: &dyn Fn(&Refusal) -> RefusalObject) -> String {
        let mut object = ObjectText::new();
        if self.is_of_many() {
            object.add_names(&to_text(&self.location));
        }
        if self.is_of_many() || self.question.is_some() {
            object.add("question", &self.question);
        }
        match &self.found {
            Ok(answer) => {
                object.add_names(&answer.object());
                if !self.notes.is_empty() {
                    let notes = self.notes.iter().map(|note| self.in_words(note));
                    object.add("notes", &notes.collect::<Vec<_>>());
                }
                if let Some(style) = text {
                    let words = self.words(&**answer, style);
                    object.add("text", &String::from_utf8_lossy(&words));
                }
            }
            Err(refusal) => {
                let mut refusal = refused(refusal);
                // Of a board the column would be one of a line that this program wrote.
                let of_board = self.board.is_some() || self.location.board.is_some();
                refusal.column = refusal.column.filter(|_| !of_board);
                object.add_names(&to_text(&refusal));
            }
        }
        object.finish()
    }

    /// A warning, with its line if that is not the question's own.
    fn in_words(&self, note: &Note) -> String {
        if !self.is_of_many() || self.location.line == Some(note.line) {
            note.to_string()
        } else {
            format!("line {}: {note}", note.line)
        }
    }
}

/// An object of JSON that begins with the version, as text.
struct ObjectText(String);

impl ObjectText {
    fn new() -> ObjectText {
        ObjectText(format!("{{\"version\":{VERSION}"))
    }

    fn add(&mut self, name: &str, value: &impl Serialize) {
        self.0 += &format!(",\"{name}\":{}", to_text(value));
    }

    /// Adds the names of another object.
    fn add_names(&mut self, object: &str) {
        let names = object.strip_prefix('{').and_then(|of| of.strip_suffix('}'));
        let names = names.expect("an answer is an object");
        if !names.is_empty() {
            self.0.push(',');
            self.0 += names;
        }
    }

    /// The whole text, in which no character [acts](super::acts) on a terminal.
    fn finish(mut self) -> String {
        self.0.push('}');
        escaped(self.0.into(), Escape::Json).into_owned()
    }
}

fn to_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("names are text")
}

/// Returns an object as text, in which no character [acts](super::acts) on a terminal.
pub(crate) fn object_text(object: &impl Serialize) -> String {
    escaped(to_text(object).into(), Escape::Json).into_owned()
}

/// Returns an object that answers no question, with the version added.
pub fn versioned(object: &impl Serialize) -> String {
    let mut text = ObjectText::new();
    text.add_names(&to_text(object));
    text.finish()
}
