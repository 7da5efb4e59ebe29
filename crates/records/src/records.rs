//! The boards of a stream in any of the formats.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Chain, Cursor, Read};
use std::path::Path;

use setrograde_cards::Deal;

use crate::dds_list::{DdsBoards, is_dds};
use crate::diagram::{DiagramBoards, is_part, may_be_part, readings};
use crate::dlm::{DlmBoards, is_dlm};
use crate::dup::{DupBoards, is_dup};
use crate::error::Problem;
use crate::facts::has_facts;
use crate::lin::{LinBoards, LinkBoards, has_board, has_link};
use crate::lines::{LINE_LIMIT, Lines, ReadBoards};
use crate::lists::{LineBoards, is_question, is_sol, plain, sol};
use crate::markup::without_markup;
use crate::pbn::{GameReader, is_tag};
use crate::rbn::{RbnBoards, is_rbn};
use crate::text::{BOM, Text, decode_line, line_start};
use crate::usebio::{UsebioBoards, is_usebio};
use crate::{Board, Options, RecordError};

/// The bytes of a stream that decide its format.
const LOOK_LIMIT: u64 = 1 << 16;

/// Maximum number of lines that are read in all languages for the format.
const FOREIGN_LIMIT: usize = 64;

/// The text of a stream, with its first bytes put back, and without the markup of pages if boards
/// are in it.
#[derive(Debug)]
pub struct PrefixedText<R> {
    inner: Chain<Cursor<Vec<u8>>, Text<R>>,
    /// True if lines are read without markup.
    is_marked: bool,
    /// A line without markup, of which the bytes from `at` on are not read yet.
    line: Vec<u8>,
    at: usize,
}

impl<R: BufRead> BufRead for PrefixedText<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.is_marked {
            return self.inner.fill_buf();
        }
        while self.at == self.line.len() {
            let mut line = Vec::new();
            let mut part = (&mut self.inner).take(LINE_LIMIT as u64);
            if part.read_until(b'\n', &mut line)? == 0 {
                break;
            }
            let ends = line.ends_with(b"\n");
            let text = decode_line(line.trim_ascii_end());
            self.line = without_markup(&text).into_owned().into_bytes();
            self.line.extend(ends.then_some(b'\n'));
            self.at = 0;
        }
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        if self.is_marked {
            self.at += amount;
        } else {
            self.inner.consume(amount);
        }
    }
}

impl<R: BufRead> Read for PrefixedText<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.fill_buf()?;
        let read = bytes.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// The formats of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Portable Bridge Notation.
    Pbn,
    /// Bridge Base Online's format.
    Lin,
    /// Links with a board, one per line: `https://…?lin=…`, or `…?n=…&e=…&s=…&w=…`.
    Links,
    /// Richard Pavlicek's notation: each line begins with a letter, such as `H` for the hands.
    Rbn,
    /// Duplimate's DLM: a letter for two cards each.
    Dlm,
    /// Duplimate's DUP and BRI: the hands as numbers of cards, in 78, 128 or 156 bytes.
    Dup,
    /// The XML of scoring programs, with the results of all tables.
    Usebio,
    /// A list of the test program of DDS.
    DdsList,
    /// GIB's `.sol`: `DEAL:20 hexadecimal digits` on each line.
    Sol,
    /// Hands after the names of their seats or in a diagram, as people type and print them.
    Diagram,
    /// A deal, or `STRAIN LEADER DEAL`, on each line.
    Plain,
}

/// A format for people and tests. The page's engine, which is kept small, has none.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Copy, Debug)]
pub struct FormatGuide {
    /// The line of the help.
    pub line: &'static str,
    /// A file with one board.
    pub example: &'static str,
}

/// A reader of a format, at its beginning.
type NewReader<R> = fn() -> Box<dyn ReadBoards<R> + Send>;

/// A format, its name in a sentence, whether a line belongs to no other, and its reader.
type Kind<R> = (Format, &'static str, fn(&str) -> bool, NewReader<R>);

/// All formats. A line belongs to the first that is sure of it, and otherwise to a text.
fn kinds<R: BufRead>() -> [Kind<R>; 11] {
    fn new<R, T: ReadBoards<R> + Default + Send + 'static>() -> Box<dyn ReadBoards<R> + Send> {
        Box::<T>::default()
    }
    let of_text = |_: &str| false;
    [
        (Format::Pbn, "PBN", is_tag, new::<R, GameReader>),
        (Format::Lin, "LIN", is_lin, new::<R, LinBoards>),
        (
            Format::Links,
            "links to boards",
            has_board,
            new::<R, LinkBoards>,
        ),
        (Format::Rbn, "RBN", is_rbn, new::<R, RbnBoards>),
        (Format::Dlm, "Duplimate's DLM", is_dlm, new::<R, DlmBoards>),
        (Format::Dup, "DUP, BRI", is_dup, new::<R, DupBoards>),
        (Format::Usebio, "USEBIO", is_usebio, new::<R, UsebioBoards>),
        (Format::DdsList, "lists of DDS", is_dds, new::<R, DdsBoards>),
        (Format::Sol, "GIB's .sol", is_sol, || {
            Box::new(LineBoards::of(sol))
        }),
        (
            Format::Diagram,
            "hands after their seats, diagrams",
            of_text,
            new::<R, DiagramBoards>,
        ),
        (
            Format::Plain,
            "deals or questions, one per line",
            of_text,
            || Box::new(LineBoards::of(plain)),
        ),
    ]
}

impl Format {
    /// All formats, with their names as a sentence has them.
    pub fn all() -> impl Iterator<Item = (Format, &'static str)> {
        let all = kinds::<&[u8]>().into_iter();
        all.map(|(format, name, ..)| (format, name))
    }

    /// The format for people and tests.
    #[cfg(not(target_family = "wasm"))]
    #[rustfmt::skip]
    pub const fn guide(self) -> FormatGuide {
        let (line, example) = match self {
            Format::Pbn => (
                "PBN          boards with tags in brackets",
                "[Board \"1\"]\n[Deal \"N:AQ... 76... 54... K3...\"]\n",
            ),
            Format::Lin => (
                "LIN          boards of Bridge Base Online",
                "qx|o1|md|3SA972HK874DA53CT4,S5HQ96DKJ9872CK95,SKQJT64HAJ52D6CA3,|sv|o|\n",
            ),
            Format::Links => (
                "links        links to boards, in any text: with lin=, or with n=, e=, s=, w=",
                "https://x.example/?n=saq&e=s76&s=s54&w=sk3\n",
            ),
            Format::Rbn => (
                "RBN          Richard Pavlicek's format",
                "H N:AQ:76:54:K3\n",
            ),
            Format::Dlm => (
                "DLM          Duplimate's format",
                "From board=1\nTo board=1\nDuplicates 01=1\nBoard 01=fnbkmmincldklcfcofoiefnapm018\n",
            ),
            Format::Dup => (
                "DUP, BRI     formats of dealing machines",
                "010203040506070809101112131415161718192021222324252627282930313233343536373839\n",
            ),
            Format::Usebio => (
                "USEBIO       the XML of scoring programs, with the results of all tables",
                "<USEBIO><EVENT EVENT_TYPE='PAIRS'><BOARD><BOARD_NUMBER>1</BOARD_NUMBER><HAND>\
                 <DIRECTION>N</DIRECTION><SPADES>AK</SPADES></HAND></BOARD></EVENT></USEBIO>",
            ),
            Format::DdsList => (
                "DDS lists    the files of DDS's test program",
                "PBN 0 0 4 0 \"N:AQ... 76... 54... K3...\"\n",
            ),
            Format::Sol => (
                ".sol         GIB's library of solved deals",
                "AQ... 76... 54... K3...:65658888888843433232\n",
            ),
            Format::Diagram => (
                "diagrams     hands labelled with their seats, or laid out as in a newspaper",
                "North: AQ...\nEast: 76...\nSouth: 54...\nWest: K3...\n",
            ),
            Format::Plain => (
                "lines        one question per line; empty lines and lines that begin with `#`\n             are skipped",
                "N:AQ... 76... 54... K3...\n",
            ),
        };
        FormatGuide { line, example }
    }

    /// The format that a file which begins with `text` has: that of the first line that belongs
    /// to one. Lines before it are text.
    pub fn of(text: &[u8]) -> Format {
        let detected = Format::detect(text);
        detected.expect("a slice can be read").0
    }

    /// Recognizes the format of a stream; returns it with the stream, complete again.
    ///
    /// Reads up to the first line that decides the format, and no further.
    ///
    /// # Errors
    ///
    /// An error of the stream.
    pub fn detect<R: BufRead>(reader: R) -> io::Result<(Format, PrefixedText<R>)> {
        let mut reader = Text::new(reader);
        let available = reader.fill_buf()?;
        let mut start = Vec::new();
        let (format, is_marked) = if let Some(deal) = wrapped_deal(available) {
            let read = available.len();
            reader.consume(read);
            start = deal;
            (Format::Plain, false)
        } else {
            let mut signs = Signs::default();
            let mut look = (&mut reader).take(LOOK_LIMIT);
            loop {
                let before = start.len();
                look.read_until(b'\n', &mut start)?;
                if start.len() == before {
                    break (signs.else_format(), signs.is_marked);
                }
                if let Some(found) = signs.look(&start[before..]) {
                    break found;
                }
            }
        };
        let text = PrefixedText {
            inner: Cursor::new(start).chain(reader),
            is_marked,
            line: Vec::new(),
            at: 0,
        };
        Ok((format, text))
    }
}

/// A deal that a mail has wrapped, in one line, if it is the whole text.
fn wrapped_deal(text: &[u8]) -> Option<Vec<u8>> {
    /// More than four hands have, with tens as `10`.
    const LONGEST: usize = 100;
    let deal = text.trim_ascii();
    if deal.len() > LONGEST || !deal.contains(&b'\n') {
        return None;
    }
    decode_line(deal).parse::<Deal>().ok()?;
    let in_line = |&byte: &u8| {
        if matches!(byte, b'\n' | b'\r') {
            b' '
        } else {
            byte
        }
    };
    Some(deal.iter().map(in_line).chain([b'\n']).collect())
}

/// The signs of formats in the lines of a stream.
#[derive(Default)]
struct Signs {
    /// True if a line may be a part of a diagram.
    has_part: bool,
    /// The format of a question with a slip, or of the first line that may have another format.
    weak: Option<Format>,
    /// True if a line had markup.
    is_marked: bool,
    /// The number of lines that were read in other languages, too.
    foreign: usize,
}

impl Signs {
    /// The format that this line decides, if it does, and whether that takes lines without markup.
    fn look(&mut self, line: &[u8]) -> Option<(Format, bool)> {
        let text = decode_line(line_start(line.strip_prefix(BOM).unwrap_or(line)));
        let found = self.add(&text);
        let is_text = |format: &Format| matches!(format, Format::Diagram | Format::Plain);
        if let Some(format) = found.filter(|format| !is_text(format)) {
            return Some((format, false));
        }
        if let Cow::Owned(plain) = without_markup(&text) {
            self.is_marked = true;
            let start = line_start(plain.as_bytes());
            if let Some(format) = self.add(&decode_line(start)) {
                return Some((format, true));
            }
            return found.map(|format| (format, false));
        }
        found.map(|format| (format, self.is_marked || format != Format::Plain))
    }

    /// The format if no line has decided it.
    fn else_format(&self) -> Format {
        if self.has_part {
            return Format::Diagram;
        }
        self.weak.unwrap_or(Format::Plain)
    }

    /// The format that this line decides, if it does.
    fn add(&mut self, line: &str) -> Option<Format> {
        let line = line.trim_ascii_end();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let mut kinds = kinds::<&[u8]>().into_iter();
        if let Some((format, ..)) = kinds.find(|(_, _, is_sure, _)| is_sure(line)) {
            return Some(format);
        }
        if has_link(line) {
            self.weak.get_or_insert(Format::Links);
            return None;
        }
        self.add_text(line)
    }

    /// The format that a line of text decides, if it does.
    fn add_text(&mut self, line: &str) -> Option<Format> {
        let readings = readings(line, self.foreign < FOREIGN_LIMIT);
        self.foreign += usize::from(readings.len() > 1);
        if is_part(&readings) {
            return Some(Format::Diagram);
        }
        if is_question(line) {
            if plain(line).is_ok() {
                // Facts and the names of seats above a deal belong to it.
                let is_part = self.has_part || has_facts(line);
                return Some(if is_part {
                    Format::Diagram
                } else {
                    Format::Plain
                });
            }
            self.weak = Some(Format::Plain);
        } else if !self.has_part && may_be_part(&readings) {
            // Other weak signs may be headings of one.
            self.has_part = true;
        } else if line.starts_with(['[', '%', '{', ';']) {
            self.weak.get_or_insert(Format::Pbn);
        }
        None
    }
}

/// Returns true if a line begins with a field of LIN, or has a board in it after other text.
fn is_lin(line: &str) -> bool {
    let is_board = |field: &str| {
        let at = line.find(field);
        let before = at.and_then(|at| line[..at].chars().next_back());
        before.is_some_and(|letter| !letter.is_alphanumeric())
    };
    let begins = match line.as_bytes() {
        [a, b, b'|', ..] => a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric(),
        _ => false,
    };
    begins || ["md|", "qx|", "pn|", "vg|"].into_iter().any(is_board) && !has_link(line)
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
    lines: Lines<R>,
    reader: Box<dyn ReadBoards<R> + Send>,
    finished: bool,
}

impl Records<PrefixedText<BufReader<File>>> {
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

impl<R: BufRead> Records<PrefixedText<R>> {
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
        let (format, whole) = Format::detect(reader)?;
        Ok(Records::in_format(format, whole, file, options))
    }
}

impl<R: BufRead> Records<R> {
    /// The boards of a stream in this format, without detection.
    pub fn in_format(format: Format, reader: R, file: &str, options: Options) -> Records<R> {
        let kind = kinds().into_iter().find(|(of_kind, ..)| *of_kind == format);
        let (.., new) = kind.expect("each format is among them");
        Records {
            format,
            lines: Lines::new(reader, file, options),
            reader: new(),
            finished: false,
        }
    }

    /// The first line of those read with text that belongs to no board, which is passed over.
    pub fn text_between(&self) -> Option<u64> {
        self.lines.between
    }

    /// The format that the stream has.
    pub fn format(&self) -> Format {
        self.format
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Board, RecordError>;

    fn next(&mut self) -> Option<Result<Board, RecordError>> {
        if self.finished {
            return None;
        }
        let board = self.reader.read(&mut self.lines);
        self.finished = !matches!(board, Ok(Some(_)));
        let board = board.unwrap_or_else(|error| {
            let problem = Problem::Io(error.to_string());
            Some(Err(problem.at(self.lines.number)))
        });
        self.lines.named(board)
    }
}
