//! The questions and boards of sources, in pieces for the workers.

use std::cell::Cell;
use std::io::{BufRead, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use setrograde_records::pbn::{Game, Games};
use setrograde_records::{Board, Format, Options, Problem, RecordError, Records};

use super::counted::Counted;
use super::lines::Lines;
use super::sources::Source;
use crate::interrupt::is_interrupted;

/// The most boards in a piece: they are larger than lines.
const MOST_BOARDS: usize = 16;

/// The period in which waits check for an interrupt.
const WAIT: Duration = Duration::from_millis(50);

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

/// Pieces as they are read. They end with the sources or at an interrupt, which need not
/// wait for the next piece.
pub struct Feed {
    pieces: Receiver<anyhow::Result<Piece>>,
    /// Whether an interrupt has ended them.
    pub interrupted: bool,
}

impl Iterator for Feed {
    type Item = anyhow::Result<Piece>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.pieces.recv_timeout(WAIT) {
                Err(RecvTimeoutError::Timeout) if is_interrupted() => {
                    self.interrupted = true;
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
                piece => return piece.ok(),
            }
        }
    }
}

/// The entrance for pieces of the thread that reads.
type Sink = SyncSender<anyhow::Result<Piece>>;

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
    /// The pieces of `sources`, read by a thread of its own.
    pub fn feed(self, sources: Vec<Source>) -> Feed {
        let (sink, pieces) = sync_channel(1);
        thread::spawn(move || {
            for source in sources {
                match self.read(&source, &sink) {
                    Ok(true) => {}
                    Ok(false) => return,
                    // Nobody reads it any more if the work has ended.
                    Err(error) => return drop(sink.send(Err(error))),
                }
            }
        });
        Feed {
            pieces,
            interrupted: false,
        }
    }

    /// Reads a source to its end; says whether more is wanted.
    fn read(self, source: &Source, sink: &Sink) -> anyhow::Result<bool> {
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
                    if sink.send(Ok(Piece { asked, bytes })).is_err() {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            format => self.records(&name, format, stream, &taken, sink),
        }
    }

    fn lines(self, source: &Source, stream: impl Read, sink: &Sink) -> std::io::Result<bool> {
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
                if sink.send(Ok(Piece { asked, bytes })).is_err() {
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
        sink: &Sink,
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
            if sink.send(Ok(Piece { asked, bytes })).is_err() {
                return Ok(false);
            }
        }
    }
}
