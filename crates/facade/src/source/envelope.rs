//! The objects of answers with their locations.

use serde::Serialize;
use setrograde_records::Note;

use super::location::QuestionLocation;
use super::printable::acts;
use crate::VERSION;

/// The answer to a question with its location, as an object.
#[derive(Debug, Serialize)]
pub struct Envelope<'a, T> {
    version: u64,
    #[serde(flatten)]
    location: &'a QuestionLocation<'a>,
    question: Option<&'a str>,
    #[serde(flatten)]
    answer: &'a T,
    /// Warnings about the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl<'a, T: Serialize> Envelope<'a, T> {
    /// Makes the object of an answer, or of a refusal.
    pub fn new(
        location: &'a QuestionLocation<'a>,
        question: Option<&'a str>,
        answer: &'a T,
        notes: &[Note],
    ) -> Envelope<'a, T> {
        Envelope {
            version: VERSION,
            location,
            question,
            answer,
            notes: notes.iter().map(|note| in_words(location, note)).collect(),
            text: None,
        }
    }

    /// Adds the words of the answer.
    #[must_use]
    pub(crate) fn with_text(self, text: Option<String>) -> Envelope<'a, T> {
        Envelope { text, ..self }
    }
}

/// A warning, with its line if that is not the board's own.
fn in_words(location: &QuestionLocation<'_>, note: &Note) -> String {
    if location.line == Some(note.line) {
        note.to_string()
    } else {
        format!("line {}: {note}", note.line)
    }
}

/// Returns an object as text, in which no character [acts] on a terminal.
#[must_use]
pub fn object_text(object: &impl Serialize) -> String {
    escaped(serde_json::to_string(object).expect("names are text"))
}

/// Escapes the characters that [act](acts) on a terminal in a text of JSON, which itself escapes only
/// some of them.
pub(crate) fn escaped(text: String) -> String {
    if !text.contains(acts) {
        return text;
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) {
            shown += &format!("\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Returns an object that answers no question, with the version added.
#[must_use]
pub fn versioned(object: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Versioned<'a, T> {
        version: u64,
        #[serde(flatten)]
        object: &'a T,
    }
    object_text(&Versioned {
        version: VERSION,
        object,
    })
}
