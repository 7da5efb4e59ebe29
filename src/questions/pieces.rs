//! The questions and boards of sources, in pieces for the workers.

use std::cell::Cell;
use std::io::{BufRead, Read};
use std::sync::Arc;

use anyhow::Context;
use setrograde_records::pbn::{Game, Games};
use setrograde_records::{Board, Format, Options, Problem, RecordError, Records};

use super::counted::Counted;
use super::lines::Lines;
use super::sources::Source;
use super::workers::{Feed, Sink, feed};

/// The most boards in a piece: they are larger than lines.
const MOST_BOARDS: usize = 16;

/// A worker's share of a source, taken at a time.
pub struct Piece {
    pub asked: Asked,
    /// The bytes of the source that it stands for.
    pub bytes: u64,
}

/// The questions of a piece.
pub enum Asked {
    /// Lines, each a question.
    Lines {
        /// The file's name; none for standard input.
        file: Option<Arc<str>>,
        /// The number of the first line, from 1.
        first: usize,
        text: String,
    },
    /// Boards of a record.
    Boards {
        file: Arc<str>,
        boards: Vec<Result<Board, RecordError>>,
    },
    /// A game of a PBN file that is to be written back.
    Game { file: Arc<str>, game: Box<Game> },
}

/// The way to read sources.
#[derive(Clone, Copy)]
pub struct Reading {
    /// Whether boards are told from lines; otherwise all is lines.
    pub boards: bool,
    /// Whether PBN files are cut into games with all their bytes.
    pub games: bool,
    /// The number of games to skip.
    pub skipped: usize,
    /// Lines or boards in a piece.
    pub piece: usize,
}

impl Reading {
    /// The pieces of `sources`.
    pub fn feed(self, sources: Vec<Source>) -> Feed<anyhow::Result<Piece>> {
        feed(move |sink| {
            for source in sources {
                match self.read(&source, sink) {
                    Ok(true) => {}
                    Ok(false) => return,
                    Err(error) => {
                        sink.give(Err(error));
                        return;
                    }
                }
            }
        })
    }

    /// Reads a source to its end; says whether more is wanted.
    fn read(self, source: &Source, sink: &mut Sink<anyhow::Result<Piece>>) -> anyhow::Result<bool> {
        let name = source.name();
        let cannot_read = || format!("{name}: cannot read");
        let taken = Cell::new(0);
        let stream = Counted {
            inner: source.open()?,
            taken: &taken,
        };
        if !self.boards {
            return self.lines(source, stream, sink).with_context(cannot_read);
        }
        let (format, stream) = Format::tell(stream).with_context(cannot_read)?;
        match format {
            Format::Plain => self.lines(source, stream, sink).with_context(cannot_read),
            Format::Pbn if self.games => {
                for game in Games::new(stream, &name).skip(self.skipped) {
                    let file = Arc::clone(&name);
                    let game = Box::new(game.with_context(cannot_read)?);
                    let asked = Asked::Game { file, game };
                    let bytes = taken.take();
                    if !sink.give(Ok(Piece { asked, bytes })) {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            format => self.records(&name, format, stream, &taken, sink),
        }
    }

    fn lines(
        self,
        source: &Source,
        stream: impl Read,
        sink: &mut Sink<anyhow::Result<Piece>>,
    ) -> std::io::Result<bool> {
        let file = match source {
            Source::StandardInput => None,
            _ => Some(source.name()),
        };
        let mut lines = Lines::new(stream);
        while let Some(batch) = lines.next_batch()? {
            for (first, text) in batch.pieces(self.piece) {
                let (file, text) = (file.clone(), text.to_owned());
                let bytes = text.len() as u64;
                let asked = Asked::Lines { file, first, text };
                if !sink.give(Ok(Piece { asked, bytes })) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn records(
        self,
        name: &Arc<str>,
        format: Format,
        stream: impl BufRead,
        taken: &Cell<u64>,
        sink: &mut Sink<anyhow::Result<Piece>>,
    ) -> anyhow::Result<bool> {
        let mut records =
            Records::in_format(format, stream, name, Options::default().keep_names(true));
        loop {
            let mut boards = Vec::new();
            for board in records.by_ref().take(self.piece.min(MOST_BOARDS)) {
                match board {
                    Err(error) if matches!(error.problem, Problem::Io(_)) => {
                        return Err(error.into());
                    }
                    board => boards.push(board),
                }
            }
            if boards.is_empty() {
                return Ok(true);
            }
            let file = Arc::clone(name);
            let asked = Asked::Boards { file, boards };
            let bytes = taken.take();
            if !sink.give(Ok(Piece { asked, bytes })) {
                return Ok(false);
            }
        }
    }
}
