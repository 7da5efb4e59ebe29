//! The boards of a stream in any of the formats.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use crate::dds_list::DdsBoards;
use crate::error::{AtLine, Problem};
use crate::lin::{LinBoards, LinkBoards, is_link};
use crate::lists::{LineBoards, is_sol, plain, sol};
use crate::pbn::{Game, Games};
use crate::text::{BOM, Text, decode_line};
use crate::{Board, RecordError};

/// The bytes of a stream that decide its format.
const LOOK_LIMIT: u64 = 1 << 16;

/// The text of a stream, with its first bytes put back.
pub type Whole<R> = Chain<Cursor<Vec<u8>>, Text<R>>;

/// Options of reading records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// True if boards keep the names of the players.
    pub keep_names: bool,
}

impl Options {
    /// The options with [`keep_names`](Options::keep_names) as given.
    #[must_use]
    pub const fn keep_names(mut self, keep: bool) -> Options {
        self.keep_names = keep;
        self
    }
}

/// The formats of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Portable Bridge Notation.
    Pbn,
    /// Bridge Base Online's format.
    Lin,
    /// Links with a board, one a line: `https://…?lin=…`, or `…?n=…&e=…&s=…&w=…`.
    Links,
    /// A list of the test program of DDS.
    DdsList,
    /// GIB's `.sol`: `DEAL:20 hexadecimal digits` on each line.
    Sol,
    /// A deal, or `STRAIN LEADER DEAL`, on each line.
    Plain,
}

impl Format {
    /// The format that a file which begins with `text` has.
    ///
    /// Looks at the first line that is neither blank nor begins with `#`.
    #[must_use]
    pub fn of(text: &[u8]) -> Format {
        let text = text.strip_prefix(BOM).unwrap_or(text);
        let mut lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
        match first.unwrap_or_default() {
            [b'[' | b'%' | b'{' | b';', ..] => Format::Pbn,
            [a, b, b'|', ..] if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric() => {
                Format::Lin
            }
            line if line.starts_with(b"NUMBER ") || line.starts_with(b"PBN ") => Format::DdsList,
            line if is_link(line) => Format::Links,
            line if is_sol(&decode_line(line)) => Format::Sol,
            _ => Format::Plain,
        }
    }

    /// Recognizes the format of a stream; returns it with the stream, complete again.
    ///
    /// Reads up to the first line that decides the format, and no further.
    ///
    /// # Errors
    ///
    /// An error of the stream.
    pub fn tell<R: BufRead>(reader: R) -> io::Result<(Format, Whole<R>)> {
        let mut reader = Text::new(reader);
        let mut start = Vec::new();
        let mut look = (&mut reader).take(LOOK_LIMIT);
        loop {
            let before = start.len();
            look.read_until(b'\n', &mut start)?;
            let line = start[before..]
                .strip_prefix(BOM)
                .unwrap_or(&start[before..]);
            let line = line.trim_ascii();
            let says_nothing = line.is_empty() || line.starts_with(b"#");
            if start.len() == before || !says_nothing {
                break;
            }
        }
        Ok((Format::of(&start), Cursor::new(start).chain(reader)))
    }
}

/// The boards of a stream, one after another.
///
/// A board that cannot be read gives an error, and the boards after it follow.
/// Only an error of the stream itself ([`Problem::Io`]) ends the iteration.
///
/// ```
/// use setrograde_records::{Format, Records};
///
/// let file = "# two deals\nN:A... K... Q... J...\nN:A... K... Q... A...\n";
/// let mut boards = Records::new(file.as_bytes(), "deals")?;
/// assert_eq!(boards.format(), Format::Plain);
/// assert_eq!(boards.next().unwrap()?.line, 2);
/// assert_eq!(
///     boards.next().unwrap().unwrap_err().to_string(),
///     "deals, line 3, board 2: line \"N:A... K... Q... A...\": \
///      column 18: the ace of spades (SA) is held by both North and West"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Records<R> {
    format: Format,
    file: Arc<str>,
    boards: Boards<R>,
    finished: bool,
}

/// A reader of each format, which gives boards up to the end of the stream or its error.
#[derive(Debug)]
enum Boards<R> {
    Pbn(Box<Games<R>>),
    Lin(Box<LinBoards<R>>),
    Links(Box<LinkBoards<R>>),
    DdsList(Box<DdsBoards<R>>),
    Lines(Box<LineBoards<R>>),
}

impl Records<Whole<BufReader<File>>> {
    /// The boards of a file.
    ///
    /// # Errors
    ///
    /// An error of the file system.
    pub fn open(path: &Path, options: Options) -> io::Result<Self> {
        let file = BufReader::new(File::open(path)?);
        Records::with_options(file, &path.display().to_string(), options)
    }
}

impl<R: BufRead> Records<Whole<R>> {
    /// The boards of a stream, which errors call `file`.
    ///
    /// Reads up to the first line that decides the format, and no further.
    ///
    /// # Errors
    ///
    /// An error of the stream.
    pub fn new(reader: R, file: &str) -> io::Result<Self> {
        Records::with_options(reader, file, Options::default())
    }

    /// The boards of a stream, read with `options`.
    ///
    /// # Errors
    ///
    /// An error of the stream.
    pub fn with_options(reader: R, file: &str, options: Options) -> io::Result<Self> {
        let (format, whole) = Format::tell(reader)?;
        Ok(Records::in_format(format, whole, file, options))
    }
}

impl<R: BufRead> Records<R> {
    /// The boards of a stream in this format, whatever it looks like.
    #[must_use]
    pub fn in_format(format: Format, reader: R, file: &str, options: Options) -> Records<R> {
        let file: Arc<str> = file.into();
        let name = Arc::clone(&file);
        let boards = match format {
            Format::Pbn => Boards::Pbn(Box::new(Games::with_options(reader, &file, options))),
            Format::Lin => Boards::Lin(Box::new(LinBoards::new(reader, name, options))),
            Format::Links => Boards::Links(Box::new(LinkBoards::new(reader, name, options))),
            Format::DdsList => Boards::DdsList(Box::new(DdsBoards::new(reader, name))),
            Format::Sol => Boards::Lines(Box::new(LineBoards::new(reader, name, sol))),
            Format::Plain => Boards::Lines(Box::new(LineBoards::new(reader, name, plain))),
        };
        Records {
            format,
            file,
            boards,
            finished: false,
        }
    }

    /// The format that the stream has.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }
}

impl<R: BufRead> Boards<R> {
    fn read(&mut self) -> io::Result<Option<Result<Board, RecordError>>> {
        match self {
            Boards::Pbn(games) => loop {
                match games.next().transpose()?.map(Game::into_board) {
                    None => return Ok(None),
                    Some(None) => {}
                    Some(board) => return Ok(board),
                }
            },
            Boards::Lin(boards) => boards.read(),
            Boards::Links(boards) => boards.read(),
            Boards::DdsList(boards) => boards.read(),
            Boards::Lines(boards) => boards.read(),
        }
    }

    /// The line that was read to.
    fn line(&self) -> u64 {
        match self {
            Boards::Pbn(games) => games.line(),
            Boards::Lin(boards) => boards.line(),
            Boards::Links(boards) => boards.lines.number(),
            Boards::DdsList(boards) => boards.lines.number(),
            Boards::Lines(boards) => boards.lines.number(),
        }
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Board, RecordError>;

    fn next(&mut self) -> Option<Result<Board, RecordError>> {
        if self.finished {
            return None;
        }
        let board = self.boards.read();
        self.finished = !matches!(board, Ok(Some(_)));
        board.unwrap_or_else(|error| {
            let line = self.boards.line();
            let problem = Problem::Io(error.to_string());
            Some(Err(AtLine { line, problem }.in_file(&self.file, None)))
        })
    }
}
