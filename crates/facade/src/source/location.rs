//! The locations of questions.

use serde::Serialize;
use setrograde_records::{Board, RecordError, Room};

/// The location of a question, if it has one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QuestionLocation<'a> {
    /// The name of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    /// The line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Of a board, its number if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<Option<u32>>,
    /// Of a board of a team match, its room: `open` or `closed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub room: Option<&'static str>,
    /// Of a board, the table at which it was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<&'a str>,
    /// Of a board, the numbers of the pairs: North-South and East-West.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<[&'a str; 2]>,
}

impl<'a> QuestionLocation<'a> {
    /// The location of a board.
    pub fn of_board(file: &'a str, board: &'a Board) -> QuestionLocation<'a> {
        QuestionLocation {
            file: Some(file),
            line: Some(board.line),
            board: Some(board.number),
            room: board.room.map(Room::name),
            table: board.table.as_deref(),
            pairs: match &board.pairs {
                [Some(north_south), Some(east_west)] => Some([north_south, east_west]),
                _ => None,
            },
        }
    }

    /// The location of a board, or of one that cannot be read.
    pub fn of(file: &'a str, board: Result<&'a Board, &RecordError>) -> QuestionLocation<'a> {
        match board {
            Ok(board) => QuestionLocation::of_board(file, board),
            Err(error) => QuestionLocation {
                file: Some(file),
                line: Some(error.line),
                board: Some(error.board),
                ..QuestionLocation::default()
            },
        }
    }

    /// Returns the known parts of the location in words.
    pub fn in_words(&self, column: Option<usize>) -> String {
        let mut parts: Vec<String> = self.file.map(str::to_owned).into_iter().collect();
        parts.extend(self.line.map(|line| format!("line {line}")));
        parts.extend(self.board.flatten().map(|board| format!("board {board}")));
        parts.extend(column.map(|column| format!("column {column}")));
        parts.join(", ")
    }

    /// Returns an error message with its location.
    pub fn complaint(&self, column: Option<usize>, error: &str) -> String {
        match self.in_words(column) {
            location if location.is_empty() => error.to_owned(),
            location => format!("{location}: {error}"),
        }
    }
}
