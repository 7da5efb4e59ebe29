//! The questions and boards of sources, in pieces for the workers.

use std::cell::Cell;
use std::io::{BufRead, Read};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use setrograde_parallel::Stop;
use setrograde_records::pbn::{Game, Games};
use setrograde_records::{Board, Format, Options, Problem, RecordError, Records, Text};

use super::counted::Counted;
use super::lines::{Batch, LONGEST, QuestionLines, is_question};
use super::sources::InputSource;
use crate::arguments::boards::{self, BoardNumbers};

/// Maximum number of boards in a piece: they are larger than lines.
const MOST_BOARDS: usize = 16;

/// The reason that a source without boards is refused.
const NO_BOARD: &str = "no board and no question found; expected PBN, LIN, links to boards, RBN, \
    Duplimate's DUP, lists of DDS, GIB's .sol, hands after their seats, diagrams, or deals or \
    questions, one per line";

/// The period in which waits check for an interrupt.
const WAIT: Duration = Duration::from_millis(50);

/// A worker's share of a source, taken at a time.
pub struct QuestionPiece {
    pub asked: PieceQuestions,
    /// The bytes of the source that it represents.
    pub bytes: u64,
}

/// The questions of a piece.
pub enum PieceQuestions {
    /// Lines, each a question.
    Lines {
        /// The file's name; none for standard input.
        file: Option<Arc<str>>,
        /// Number of the first line, from 1.
        first: usize,
        text: String,
    },
    /// Boards of a record.
    Boards {
        file: Arc<str>,
        boards: Vec<Result<Board, RecordError>>,
    },
    /// A game of a PBN file that is to be written back.
    Game {
        file: Arc<str>,
        game: Box<Game>,
        /// True if it is to be answered, not only written back.
        wanted: bool,
    },
    /// Nothing, for this reason, in a whole source.
    NoQuestion { file: Arc<str>, why: String },
    /// Text that is not a question, beginning in this line.
    Text { file: Arc<str>, line: u64 },
}

impl PieceQuestions {
    /// The name of the source; none for lines of standard input.
    pub fn file(&self) -> Option<&Arc<str>> {
        match self {
            PieceQuestions::Lines { file, .. } => file.as_ref(),
            PieceQuestions::Boards { file, .. }
            | PieceQuestions::Game { file, .. }
            | PieceQuestions::NoQuestion { file, .. }
            | PieceQuestions::Text { file, .. } => Some(file),
        }
    }
}

/// Pieces as they are read. They end with the sources or at an interrupt, which need not
/// wait for the next piece.
pub struct Feed {
    pieces: Receiver<anyhow::Result<QuestionPiece>>,
    /// True if an interrupt has ended them.
    pub interrupted: bool,
    stop: Stop,
}

impl Iterator for Feed {
    type Item = anyhow::Result<QuestionPiece>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.pieces.recv_timeout(WAIT) {
                Err(RecvTimeoutError::Timeout) if self.stop.is_due() => {
                    self.interrupted = true;
                    return None;
                }
                Err(RecvTimeoutError::Timeout) => {}
                piece => return piece.ok(),
            }
        }
    }
}

/// The number of pieces that are read ahead: with fewer, the threads wait for each other at every
/// piece.
const READ_AHEAD: usize = 16;

/// The entrance for pieces of the thread that reads.
type Sink = SyncSender<anyhow::Result<QuestionPiece>>;

/// The way to read sources.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// True if boards are distinguished from lines; otherwise all is lines.
    pub boards: bool,
    /// True if PBN files are cut into games with all their bytes.
    pub games: bool,
    /// The boards that are wanted; all unless set.
    pub wanted: Option<BoardNumbers>,
    /// Lines or boards in a piece.
    pub piece: usize,
    /// True if each line of standard input has a reply, even a blank one.
    pub every_line: bool,
}

/// A summary of the questions of a source read so far.
#[derive(Default)]
struct SourceSummary {
    /// True if any question is wanted.
    any: bool,
    /// Numbers of boards that are not wanted, for a message to the user.
    others: Vec<u32>,
    /// The first line of text that is not a question.
    text: Option<u64>,
}

impl ReadOptions {
    /// The pieces of `sources`, read by a separate thread, until `stop` is due.
    pub fn feed(self, sources: Vec<InputSource>, stop: Stop) -> Feed {
        let (sink, pieces) = sync_channel(READ_AHEAD);
        let failed = sink.clone();
        let read = move || {
            for source in sources {
                match self.read(&source, &sink) {
                    Ok(true) => {}
                    Ok(false) => return,
                    // Nobody reads it any more if the work has ended.
                    Err(error) => return drop(sink.send(Err(error))),
                }
            }
        };
        if let Err(error) = thread::Builder::new().spawn(read) {
            let error = anyhow::Error::from(error).context("cannot start a thread");
            // The channel has room for it.
            drop(failed.send(Err(error)));
        }
        Feed {
            pieces,
            interrupted: false,
            stop,
        }
    }

    /// Reads a source to its end; says whether more is wanted.
    fn read(&self, source: &InputSource, sink: &Sink) -> anyhow::Result<bool> {
        let name = source.name();
        let cannot_read = || format!("{name}: cannot read");
        let taken = Cell::new(0);
        let mut found = SourceSummary::default();
        let stream = Counted {
            inner: source.open()?,
            taken: &taken,
        };
        let mut lines = |stream: &mut dyn Read| {
            let lines = self.lines(source, stream, sink, &mut found);
            lines.with_context(cannot_read)
        };
        let more = if self.boards {
            let (format, mut stream) = Format::detect(stream).with_context(cannot_read)?;
            match format {
                Format::Plain => lines(&mut stream)?,
                Format::Pbn if self.games => self.games(&name, stream, &taken, sink, &mut found)?,
                format => self.records(&name, format, stream, &taken, sink, &mut found)?,
            }
        } else {
            lines(&mut Text::new(stream))?
        };
        if !more {
            return Ok(false);
        }
        if let Some(line) = found.text.filter(|_| found.any) {
            let (asked, bytes) = (PieceQuestions::Text { file: name, line }, 0);
            return Ok(sink.send(Ok(QuestionPiece { asked, bytes })).is_ok());
        }
        if found.any {
            return Ok(true);
        }
        let why = match &self.wanted {
            None if self.boards => NO_BOARD.to_owned(),
            None => "no question found".to_owned(),
            Some(wanted) => {
                let has = boards::in_words(found.others);
                format!("no board {wanted}; it has {has}")
            }
        };
        let (asked, bytes) = (PieceQuestions::NoQuestion { file: name, why }, 0);
        Ok(sink.send(Ok(QuestionPiece { asked, bytes })).is_ok())
    }

    /// Returns true if a board with this number is wanted.
    fn wants(&self, number: Option<u32>, found: &mut SourceSummary) -> bool {
        /// More boards than a file has that somebody made by hand.
        const MOST: usize = 1 << 16;
        let wants = match &self.wanted {
            None => true,
            Some(wanted) => wanted.include(number),
        };
        found.any |= wants;
        if !wants && found.others.len() < MOST {
            found.others.extend(number);
        }
        wants
    }

    fn lines(
        &self,
        source: &InputSource,
        stream: impl Read,
        sink: &Sink,
        found: &mut SourceSummary,
    ) -> std::io::Result<bool> {
        let file = match source {
            InputSource::StandardInput | InputSource::Body(_) => None,
            _ => Some(source.name()),
        };
        let every_line = !self.boards || self.every_line && file.is_none();
        let mut lines = QuestionLines::new(stream);
        while let Some(batch) = lines.next_batch()? {
            // Lines have no numbers of boards.
            if self.wanted.is_some() {
                continue;
            }
            let text = if every_line {
                found.any |= batch.text.lines().any(is_question);
                batch.text
            } else {
                without_text(batch.text, batch.first, found)
            };
            let batch = Batch { text, ..batch };
            for (first, text) in batch.pieces(self.piece) {
                let (file, text) = (file.clone(), text.to_owned());
                let bytes = text.len() as u64;
                let asked = PieceQuestions::Lines { file, first, text };
                if sink.send(Ok(QuestionPiece { asked, bytes })).is_err() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn games(
        &self,
        name: &Arc<str>,
        stream: impl BufRead,
        taken: &Cell<u64>,
        sink: &Sink,
        found: &mut SourceSummary,
    ) -> anyhow::Result<bool> {
        let mut games = Games::new(stream, name);
        while let Some(game) = games.next() {
            found.text = games.text_between();
            let game = Box::new(game.with_context(|| format!("{name}: cannot read"))?);
            let number = game.board().map(|board| match board {
                Ok(board) => board.number,
                Err(error) => error.board,
            });
            let wanted = number.is_some_and(|number| self.wants(number, found));
            let file = Arc::clone(name);
            let asked = PieceQuestions::Game { file, game, wanted };
            let bytes = taken.take();
            if sink.send(Ok(QuestionPiece { asked, bytes })).is_err() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn records(
        &self,
        name: &Arc<str>,
        format: Format,
        stream: impl BufRead,
        taken: &Cell<u64>,
        sink: &Sink,
        found: &mut SourceSummary,
    ) -> anyhow::Result<bool> {
        let mut records =
            Records::in_format(format, stream, name, Options::default().keep_names(true));
        loop {
            let mut boards = Vec::new();
            let mut ended = true;
            for board in records.by_ref().take(self.piece.min(MOST_BOARDS)) {
                ended = false;
                let number = match &board {
                    Err(error) if matches!(error.problem, Problem::Io(_)) => {
                        return Err(board.expect_err("an error").into());
                    }
                    Err(error) => error.board,
                    Ok(board) => board.number,
                };
                if self.wants(number, found) {
                    boards.push(board);
                }
            }
            found.text = records.text_between();
            if ended {
                return Ok(true);
            }
            if boards.is_empty() {
                continue;
            }
            let file = Arc::clone(name);
            let asked = PieceQuestions::Boards { file, boards };
            let bytes = taken.take();
            if sink.send(Ok(QuestionPiece { asked, bytes })).is_err() {
                return Ok(false);
            }
        }
    }
}

/// Lines from number `first` on, of which those that ask nothing are empty.
fn without_text(lines: String, first: usize, found: &mut SourceSummary) -> String {
    // A line that is too long is named.
    let wanted = |line: &str| line.len() > LONGEST || setrograde_records::is_question(line);
    let asks = |line: &str| !is_question(line) || wanted(line);
    let has_text = !lines.lines().all(asks);
    found.any |= lines.lines().any(wanted);
    if !has_text {
        return lines;
    }
    let kept = lines.lines().enumerate().map(|(at, line)| {
        let kept = asks(line);
        if !kept {
            found.text.get_or_insert((first + at) as u64);
        }
        if kept { line } else { "" }
    });
    kept.collect::<Vec<_>>().join("\n") + "\n"
}
