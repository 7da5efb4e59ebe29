//! The questions and boards of a source, in pieces for workers.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::rc::Rc;
use std::sync::Arc;

use setrograde_records::pbn::{Game, Games};
use setrograde_records::{
    Board, Format, Options, PrefixedText, Problem, RecordError, Records, Text,
};
use thiserror::Error;

use super::counted::Counted;
use super::lines::{Batch, LONGEST_LINE, QuestionLines, is_question};

/// Maximum number of boards in a piece: they are larger than lines.
const MOST_BOARDS: usize = 16;

/// Returns the reason that a source without questions is refused.
pub fn nothing_found(boards: bool) -> String {
    if !boards {
        return "no question found".to_owned();
    }
    let mut names: Vec<&str> = Format::all().map(|(_, name)| name).collect();
    let last = names.pop().expect("there are formats");
    let others = names.join(", ");
    format!("no board and no question found; expected {others}, or {last}")
}

/// A source that cannot be read.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The stream cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A record cannot be read on.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// A worker's share of a source, taken at a time.
#[derive(Debug)]
pub struct QuestionPiece {
    /// Its questions.
    pub asked: PieceQuestions,
    /// The bytes of the source that it represents.
    pub bytes: u64,
}

/// The questions of a piece.
#[derive(Debug)]
pub enum PieceQuestions {
    /// Lines, each a question unless it is blank or a comment.
    Lines {
        /// The name of the source; `None` unless its lines have one.
        file: Option<Arc<str>>,
        /// Number of the first line, from 1.
        first: usize,
        /// The lines.
        text: String,
    },
    /// Boards of a record.
    Boards {
        /// The name of the source.
        file: Arc<str>,
        /// The boards, and the problems of those that cannot be read.
        boards: Vec<Result<Board, RecordError>>,
    },
    /// A game of a PBN file that is to be written back.
    Game {
        /// The name of the source.
        file: Arc<str>,
        /// The game.
        game: Box<Game>,
        /// True if it is to be answered, not only written back.
        wanted: bool,
    },
    /// No question in a whole source.
    Nothing {
        /// The name of the source.
        file: Arc<str>,
        /// Numbers of boards that are not wanted.
        others: Vec<u32>,
    },
    /// Text that is not a question.
    Text {
        /// The name of the source.
        file: Arc<str>,
        /// The line in which it begins.
        line: u64,
    },
}

impl PieceQuestions {
    /// The name of the source; `None` for lines without one.
    pub fn file(&self) -> Option<&Arc<str>> {
        match self {
            PieceQuestions::Lines { file, .. } => file.as_ref(),
            PieceQuestions::Boards { file, .. }
            | PieceQuestions::Game { file, .. }
            | PieceQuestions::Nothing { file, .. }
            | PieceQuestions::Text { file, .. } => Some(file),
        }
    }
}

/// Returns whether a board with this number is wanted.
type Wants = Box<dyn Fn(Option<u32>) -> bool>;

/// The way to read a source.
pub struct SourceOptions {
    /// True if boards are distinguished from lines; otherwise all is lines. True by default.
    pub boards: bool,
    /// True if PBN files are cut into games with all their bytes.
    pub games: bool,
    /// Lines or boards in a piece; 1 by default.
    pub piece: usize,
    /// True if lines have the name of the source.
    pub named_lines: bool,
    /// True if each line has a reply, even one that is no question.
    pub every_line: bool,
    /// The boards that are wanted, by number; all if not set. Lines have no number.
    pub wants: Option<Wants>,
}

impl Default for SourceOptions {
    fn default() -> SourceOptions {
        SourceOptions {
            boards: true,
            games: false,
            piece: 1,
            named_lines: false,
            every_line: false,
            wants: None,
        }
    }
}

impl fmt::Debug for SourceOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SourceOptions").finish_non_exhaustive()
    }
}

/// A summary of the questions of a source read so far.
#[derive(Default)]
struct SourceSummary {
    /// True if any question is wanted.
    any: bool,
    /// Numbers of boards that are not wanted.
    others: Vec<u32>,
    /// The first line of text that is not a question.
    text: Option<u64>,
}

type Stream<'a> = Counted<Box<dyn BufRead + 'a>>;

enum SourceReader<'a> {
    Lines(QuestionLines<Box<dyn Read + 'a>>),
    Boards(Box<Records<PrefixedText<Stream<'a>>>>),
    Games(Box<Games<PrefixedText<Stream<'a>>>>),
    Ended,
}

/// The pieces of a source, as they are read. Where all is read, a last piece says that there was
/// no question, or text that is none.
pub struct Pieces<'a> {
    name: Arc<str>,
    options: SourceOptions,
    reader: SourceReader<'a>,
    taken: Rc<Cell<u64>>,
    found: SourceSummary,
    ready: VecDeque<QuestionPiece>,
}

impl fmt::Debug for Pieces<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pieces")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl<'a> Pieces<'a> {
    /// Begins to read a source with a name.
    ///
    /// # Errors
    ///
    /// If the beginning of the stream cannot be read.
    pub fn new(
        name: impl Into<Arc<str>>,
        stream: impl BufRead + 'a,
        options: SourceOptions,
    ) -> Result<Pieces<'a>, SourceError> {
        let (name, taken) = (name.into(), Rc::default());
        let stream: Stream<'a> = Counted {
            inner: Box::new(stream),
            taken: Rc::clone(&taken),
        };
        let lines = |stream: Box<dyn Read + 'a>| SourceReader::Lines(QuestionLines::new(stream));
        let reader = if options.boards {
            let (format, stream) = Format::detect(stream)?;
            match format {
                Format::Plain => lines(Box::new(stream)),
                Format::Pbn if options.games => {
                    SourceReader::Games(Box::new(Games::new(stream, &name)))
                }
                format => {
                    let reading = Options::default().keep_names(true);
                    SourceReader::Boards(Box::new(Records::in_format(
                        format, stream, &name, reading,
                    )))
                }
            }
        } else {
            lines(Box::new(Text::new(stream)))
        };
        Ok(Pieces {
            name,
            options,
            reader,
            taken,
            found: SourceSummary::default(),
            ready: VecDeque::new(),
        })
    }

    /// Reads more; false at the end.
    fn read(&mut self) -> Result<bool, SourceError> {
        let found = &mut self.found;
        let wants = self.options.wants.as_ref();
        match &mut self.reader {
            SourceReader::Lines(lines) => {
                let Some(batch) = lines.next_batch()? else {
                    return Ok(false);
                };
                // Lines have no numbers of boards.
                if wants.is_none() {
                    let file = self.options.named_lines.then(|| Arc::clone(&self.name));
                    let every_line = !self.options.boards || self.options.every_line;
                    let batch = kept(batch, every_line, found);
                    for (first, text) in batch.pieces(self.options.piece) {
                        let (file, text) = (file.clone(), text.to_owned());
                        let bytes = text.len() as u64;
                        let asked = PieceQuestions::Lines { file, first, text };
                        self.ready.push_back(QuestionPiece { asked, bytes });
                    }
                }
                Ok(true)
            }
            SourceReader::Boards(records) => {
                let mut boards = Vec::new();
                let mut ended = true;
                for board in records.by_ref().take(self.options.piece.min(MOST_BOARDS)) {
                    ended = false;
                    let number = match &board {
                        Err(error) if matches!(error.problem, Problem::Io(_)) => {
                            return Err(board.expect_err("an error").into());
                        }
                        Err(error) => error.board,
                        Ok(board) => board.number,
                    };
                    if found.note(number, wants) {
                        boards.push(board);
                    }
                }
                found.text = records.text_between();
                if !boards.is_empty() {
                    let file = Arc::clone(&self.name);
                    let asked = PieceQuestions::Boards { file, boards };
                    let bytes = self.taken.take();
                    self.ready.push_back(QuestionPiece { asked, bytes });
                }
                Ok(!ended)
            }
            SourceReader::Games(games) => {
                let Some(game) = games.next() else {
                    return Ok(false);
                };
                found.text = games.text_between();
                let game = Box::new(game?);
                let number = game.board().map(|board| match board {
                    Ok(board) => board.number,
                    Err(error) => error.board,
                });
                let wanted = number.is_some_and(|number| found.note(number, wants));
                let file = Arc::clone(&self.name);
                let asked = PieceQuestions::Game { file, game, wanted };
                let bytes = self.taken.take();
                self.ready.push_back(QuestionPiece { asked, bytes });
                Ok(true)
            }
            SourceReader::Ended => Ok(false),
        }
    }

    /// The last piece, if there is something to say about the whole source.
    fn end(&mut self) -> Option<QuestionPiece> {
        if matches!(self.reader, SourceReader::Ended) {
            return None;
        }
        self.reader = SourceReader::Ended;
        let file = Arc::clone(&self.name);
        let asked = if self.found.any {
            let line = self.found.text?;
            PieceQuestions::Text { file, line }
        } else {
            let others = std::mem::take(&mut self.found.others);
            PieceQuestions::Nothing { file, others }
        };
        Some(QuestionPiece { asked, bytes: 0 })
    }
}

impl Iterator for Pieces<'_> {
    type Item = Result<QuestionPiece, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(Ok(piece));
            }
            match self.read() {
                Ok(true) => {}
                Ok(false) if !self.ready.is_empty() => {}
                Ok(false) => return self.end().map(Ok),
                Err(error) => {
                    self.reader = SourceReader::Ended;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl SourceSummary {
    /// Notes a board, and returns true if it is wanted.
    fn note(&mut self, number: Option<u32>, wants: Option<&Wants>) -> bool {
        /// More boards than a file has that somebody made by hand.
        const MOST: usize = 1 << 16;
        let wanted = wants.is_none_or(|wants| wants(number));
        self.any |= wanted;
        if !wanted && self.others.len() < MOST {
            self.others.extend(number);
        }
        wanted
    }
}

/// Lines, of which those that ask nothing are empty unless every line counts.
fn kept(batch: Batch, every_line: bool, found: &mut SourceSummary) -> Batch {
    if every_line {
        found.any |= batch.text.lines().any(is_question);
        return batch;
    }
    // A line that is too long is named.
    let wanted = |line: &str| line.len() > LONGEST_LINE || setrograde_records::is_question(line);
    let asks = |line: &str| !is_question(line) || wanted(line);
    found.any |= batch.text.lines().any(wanted);
    if batch.text.lines().all(asks) {
        return batch;
    }
    let lines = batch.text.lines().enumerate().map(|(at, line)| {
        let kept = asks(line);
        if !kept {
            found.text.get_or_insert((batch.first + at) as u64);
        }
        if kept { line } else { "" }
    });
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    Batch { text, ..batch }
}
