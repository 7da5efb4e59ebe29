//! LIN, the format of Bridge Base Online.
//!
//! A file is a sequence of fields, `name|value|`, where a name has two
//! letters. The fields read here are `md` (dealer and hands), `sv`
//! (vulnerability), `mb` (a call), `pc` (a card), `mc` (the declarer's tricks in
//! a claim), `ah` and `qx` (the board), `pn` (players), and the `vg` and `rs` of
//! a vugraph file (its boards and their results). Others are passed over.

mod draft;
mod fields;
mod links;
mod values;
mod vugraph;

use std::io::{self, BufRead};
use std::sync::Arc;

use self::draft::Draft;
use self::fields::{Field, Fields};
pub(crate) use self::links::{Links, is_link};
use self::values::{names, read_deal, room_and_number, vulnerability};
use self::vugraph::Vugraph;
use crate::board::PlayEnd;
use crate::error::{AtLine, Problem, RecordError};
use crate::{Board, Options};

/// The boards of a LIN file.
#[derive(Debug)]
pub(crate) struct LinBoards<R> {
    fields: Fields<R>,
    file: Arc<str>,
    options: Options,
    /// The board being read.
    draft: Draft,
    vugraph: Vugraph,
}

impl<R: BufRead> LinBoards<R> {
    pub fn new(reader: R, file: Arc<str>, options: Options) -> LinBoards<R> {
        LinBoards {
            fields: Fields::new(reader),
            file,
            options,
            draft: Draft::default(),
            vugraph: Vugraph::default(),
        }
    }

    /// Takes a field in; returns the board that ends before it.
    fn take(&mut self, field: Field) -> Option<Result<Board, RecordError>> {
        let Field { line, name, value } = field;
        let name = name.to_ascii_lowercase();
        let begins = match name.as_str() {
            "qx" | "vg" | "rs" => self.draft.begun,
            "md" | "pn" => self.draft.has_deal,
            _ => false,
        };
        let before = if begins { self.finish() } else { None };
        let draft = &mut self.draft;
        if !draft.begun {
            draft.board.line = line;
        }
        match name.as_str() {
            "pn" => {
                draft.players = names(&value);
                self.vugraph.players.clone_from(&draft.players);
            }
            "vg" => {
                self.vugraph = Vugraph {
                    first_board: value.split(',').nth(3).and_then(|n| n.trim().parse().ok()),
                    ..Vugraph::default()
                };
            }
            "rs" => self.vugraph.results = value.split(',').map(str::to_owned).collect(),
            "qx" => {
                draft.begun = true;
                (draft.board.room, draft.board.number) = room_and_number(&value);
            }
            "ah" => {
                let digits = value.rsplit(|c: char| !c.is_ascii_digit()).next();
                draft.board.number = digits.and_then(|n| n.parse().ok());
            }
            "md" => {
                draft.begun = true;
                draft.has_deal = true;
                if let Err(problem) = read_deal(&value, &mut draft.board) {
                    draft.fail(AtLine { line, problem });
                }
            }
            "sv" => match vulnerability(&value) {
                Ok(vulnerability) => draft.board.vulnerability = vulnerability,
                Err(problem) => draft.fail(AtLine { line, problem }),
            },
            "mb" => draft.take_calls(&value),
            "pc" => {
                if let Err(problem) = draft.take_cards(&value) {
                    draft.fail(AtLine { line, problem });
                }
            }
            "mc" => match value.parse() {
                Ok(tricks @ 0..=13) => {
                    draft.board.claim = Some(tricks);
                    draft.board.play_end = PlayEnd::Stopped;
                }
                _ => {
                    let problem = Problem::expected("mc", &value, "0 to 13 tricks");
                    draft.fail(AtLine { line, problem });
                }
            },
            _ => {}
        }
        before
    }

    /// Ends the board being read, if there is one.
    fn finish(&mut self) -> Option<Result<Board, RecordError>> {
        let draft = std::mem::take(&mut self.draft);
        if !draft.begun {
            return draft
                .error
                .map(|error| Err(error.in_file(&self.file, None)));
        }
        let number = draft.board.number;
        if let Some(error) = draft.error {
            return Some(Err(error.in_file(&self.file, number)));
        }
        Some(Ok(draft.into_board(&self.vugraph, self.options.keep_names)))
    }

    /// The line that was read to.
    pub fn line(&self) -> u64 {
        self.fields.line()
    }

    /// The next board.
    pub fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        while let Some(field) = self.fields.next()? {
            match field {
                Ok(field) => {
                    if let Some(board) = self.take(field) {
                        return Ok(Some(board));
                    }
                }
                Err(error) => self.draft.fail(error),
            }
        }
        Ok(self.finish())
    }
}
