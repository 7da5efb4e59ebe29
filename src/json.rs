//! The envelope of the objects that `--json` prints. The answers in it write themselves;
//! docs/json.md describes all of them, with examples.

use std::io::{self, Write};

use serde::Serialize;
use setrograde::VERSION;
use setrograde_records::Note;

use crate::output::printable::acts;
use crate::questions::QuestionLocation;

/// The answer to a question with its location.
#[derive(Serialize)]
pub struct Envelope<'a, T> {
    version: u64,
    #[serde(flatten)]
    location: &'a QuestionLocation<'a>,
    question: Option<&'a str>,
    #[serde(flatten)]
    answer: &'a T,
    /// Doubts about the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

impl<'a, T: Serialize> Envelope<'a, T> {
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
        }
    }
}

/// A doubt, with its line if that is not the board's own.
fn in_words(location: &QuestionLocation<'_>, note: &Note) -> String {
    match location.line == Some(note.line) {
        true => note.to_string(),
        false => format!("line {}: {note}", note.line),
    }
}

/// An object as a line.
pub fn text_of(object: &impl Serialize) -> String {
    let mut text = serde_json::to_string(object).expect("names are text");
    // JSON escapes only some of the characters that a terminal may act on.
    if text.contains(acts) {
        let shown = |c: char| match acts(c) {
            true => format!("\\u{:04x}", u32::from(c)),
            false => c.to_string(),
        };
        text = text.chars().map(shown).collect();
    }
    text + "\n"
}

/// An object that answers no question, as a line with the version.
pub fn versioned(object: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Versioned<'a, T> {
        version: u64,
        #[serde(flatten)]
        object: &'a T,
    }
    text_of(&Versioned {
        version: VERSION,
        object,
    })
}

/// Prints an object on standard output, on its own line.
pub fn print(object: impl Serialize) -> io::Result<()> {
    io::stdout().write_all(versioned(&object).as_bytes())
}
