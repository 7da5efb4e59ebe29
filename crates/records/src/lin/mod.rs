//! LIN, the format of Bridge Base Online.
//!
//! A file is a sequence of fields, `name|value|`, where a name has two letters. The fields read
//! here are `md` (dealer and hands), `sv` (vulnerability), `mb` (a call), `an` (its explanation),
//! `pc` (a card), `up` (cards taken back), `mc` (the declarer's tricks in a claim), `ah` and `qx`
//! (the board), `pn` (players), and the `vg` and `rs` of a vugraph file (its boards and their
//! results). Other fields are skipped.

mod draft;
mod fields;
mod links;
mod values;
mod vugraph;
mod write;

use std::io::{self, BufRead};

use self::draft::Draft;
use self::fields::LinField;
pub(crate) use self::links::{LinkBoards, has_board, has_link};
use self::values::{last_number, names, read_deal, room_and_number, vulnerability};
use self::vugraph::Vugraph;
pub use self::write::write;
use crate::Doubt;
use crate::error::{Problem, RecordError, quote};
use crate::lines::{BoardResult, Lines, ReadBoards, number};

/// Maximum number of fields buffered until their board is known.
const HELD_LIMIT: usize = 8;

/// A LIN file as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct LinBoards {
    /// The board being read.
    draft: Draft,
    /// Fields from a `pn` on, after the hands of a board. They belong to this board if calls or
    /// cards follow, to the next one if hands follow.
    held: Vec<LinField>,
    vugraph: Vugraph,
}

impl<R: BufRead> ReadBoards<R> for LinBoards {
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>> {
        while let Some(field) = lines.field()? {
            match field {
                Ok(field) => {
                    if let Some(board) = self.take(field, lines) {
                        return Ok(Some(board));
                    }
                }
                Err(RecordError { line, problem, .. }) => {
                    self.draft.board.doubt(line, problem);
                }
            }
        }
        // Names at the end do not belong to another board.
        let held = std::mem::take(&mut self.held);
        if let Some(next) = held.first().filter(|_| !self.draft.players.is_empty()) {
            let problem = Problem::Unclosed("the next board");
            self.draft.board.doubt(next.line, problem);
        } else {
            held.into_iter().for_each(|field| self.put(field));
        }
        Ok(self.finish(lines))
    }
}

impl LinBoards {
    /// Processes a field; returns the board that ends before it.
    fn take<R>(&mut self, mut field: LinField, lines: &Lines<R>) -> Option<BoardResult> {
        field.name.make_ascii_lowercase();
        let holds = !self.held.is_empty();
        let mut before = None;
        match field.name.as_str() {
            "pn" if self.draft.has_deal => {
                self.held.clear();
                self.held.push(field);
                return None;
            }
            "ah" | "sv" if holds => {
                if self.held.len() < HELD_LIMIT {
                    self.held.push(field);
                }
                return None;
            }
            "qx" | "vg" | "rs" if self.draft.begun => before = self.finish(lines),
            "md" if self.draft.has_deal => before = self.finish(lines),
            "mb" | "pc" | "mc" | "up" => {}
            _ if holds => return None,
            _ => {}
        }
        for held in std::mem::take(&mut self.held) {
            self.put(held);
        }
        self.put(field);
        before
    }

    /// Processes a field of the board being read.
    fn put(&mut self, field: LinField) {
        let LinField { line, name, value } = field;
        let draft = &mut self.draft;
        if !draft.begun {
            draft.board.line = line;
        }
        match name.as_str() {
            "pn" => {
                let (players, known) = names(&value);
                if !known {
                    draft.board.doubt(line, Doubt::Names(quote(&value)));
                }
                draft.players = players;
                self.vugraph.players.clone_from(&draft.players);
            }
            "vg" => {
                self.vugraph = Vugraph {
                    first_board: value.split(',').nth(3).and_then(|n| number(n.trim())),
                    ..Vugraph::default()
                };
            }
            "rs" => self.vugraph.results = value.split(',').map(str::to_owned).collect(),
            "qx" => {
                draft.begun = true;
                (draft.board.room, draft.board.number) = room_and_number(&value);
            }
            "ah" => {
                let read = last_number(&value);
                if let Some(number) = draft.board.understood(line, read).flatten() {
                    draft.board.number = Some(number);
                }
            }
            "md" => {
                draft.begun = true;
                draft.has_deal = true;
                if let Err(problem) = read_deal(&value, line, &mut draft.board) {
                    draft.error.get_or_insert(problem.at(line));
                }
            }
            "sv" => {
                let read = vulnerability(&value);
                let sides = draft.board.understood(line, read).flatten();
                draft.board.vulnerability = sides;
            }
            _ => draft.take(line, &name, &value),
        }
    }

    /// Ends the board being read, if there is one.
    fn finish<R>(&mut self, lines: &Lines<R>) -> Option<BoardResult> {
        let draft = std::mem::take(&mut self.draft);
        if !draft.begun {
            return None;
        }
        let number = draft.board.number;
        if let Some(error) = draft.error {
            return Some(Err(error.of_board(number)));
        }
        Some(Ok(draft.into_board(&self.vugraph, lines.options.keep_names)))
    }
}
