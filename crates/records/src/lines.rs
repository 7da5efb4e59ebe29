//! Lines of a stream, numbered and of limited length, as all readers of boards take them.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

use crate::Board;
use crate::error::{Problem, RecordError};
use crate::signs::is_symbol;
use crate::text::{BOM, decode_line};

/// Maximum length of a line, in bytes.
pub(crate) const LINE_LIMIT: usize = 1 << 16;

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

/// A board, or why it cannot be read.
pub(crate) type BoardResult = Result<Board, RecordError>;

/// A reader of the boards of one format. It reads no further than the end of the next board.
pub(crate) trait ReadBoards<R>: fmt::Debug + Send {
    /// The next board, or its error; `None` at the end.
    fn read(&mut self, lines: &mut Lines<R>) -> io::Result<Option<BoardResult>>;
}

/// The boards that a reader finds in a text.
pub(crate) fn boards_in<'a>(
    text: &'a str,
    options: Options,
    mut reader: impl ReadBoards<&'a [u8]>,
) -> impl Iterator<Item = BoardResult> {
    let mut lines = Lines::new(text.as_bytes(), "", options);
    std::iter::from_fn(move || reader.read(&mut lines).ok().flatten())
}

/// The lines of a stream, numbered from 1.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    /// The stream, for formats without lines.
    pub stream: R,
    /// Its name.
    file: Arc<str>,
    pub options: Options,
    /// The number of the line read last.
    pub number: u64,
    /// The first line with text that belongs to no board.
    pub between: Option<u64>,
    /// The number of boards.
    pub count: u32,
    /// True if the piece read last ended its line.
    at_start: bool,
    /// Lines that were read too early.
    ahead: VecDeque<Line>,
}

/// A line as bytes, or the part of it up to the limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub number: u64,
    /// With the line break, if it has one.
    pub bytes: Vec<u8>,
    /// True if this is the first part of its line.
    pub starts: bool,
    /// True if the line continues after this part.
    pub cut: bool,
}

/// A line as text, up to the limit, without a byte order mark and the blanks at its end.
#[derive(Debug)]
pub(crate) struct Line {
    pub number: u64,
    pub text: String,
    /// True if it is longer than the limit.
    cut: bool,
}

impl Line {
    /// The text without the spaces at its beginning, and without the quote marks of an e-mail.
    pub(crate) fn start(&self) -> &str {
        let is_mark = |c: char| c.is_ascii_whitespace() || matches!(c, '>' | '\u{a0}');
        self.text.trim_start_matches(is_mark)
    }

    /// The problem of a line beyond the limit.
    pub(crate) fn too_long(&self) -> Option<Problem> {
        self.cut.then_some(Problem::TooLong {
            what: "a line",
            limit: LINE_LIMIT,
        })
    }
}

impl<R: BufRead> Lines<R> {
    /// The lines of a stream; errors call it `file`.
    pub(crate) fn new(stream: R, file: &str, options: Options) -> Lines<R> {
        Lines {
            stream,
            file: file.into(),
            options,
            number: 0,
            between: None,
            count: 0,
            at_start: true,
            ahead: VecDeque::new(),
        }
    }

    /// The next line, or the next part of a line beyond the limit.
    pub(crate) fn piece(&mut self) -> io::Result<Option<Piece>> {
        // Most lines are shorter.
        let mut bytes = Vec::with_capacity(128);
        let limit = LINE_LIMIT as u64;
        (&mut self.stream)
            .take(limit)
            .read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let starts = self.at_start;
        self.number += u64::from(starts);
        self.at_start = bytes.ends_with(b"\n");
        let cut = !self.at_start && bytes.len() == LINE_LIMIT;
        Ok(Some(Piece {
            number: self.number,
            bytes,
            starts,
            cut,
        }))
    }

    /// The next line.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.ahead.pop_front() {
            return Ok(Some(line));
        }
        while let Some(piece) = self.piece()? {
            if piece.starts {
                let bytes = piece.bytes.strip_prefix(BOM).unwrap_or(&piece.bytes);
                return Ok(Some(Line {
                    number: piece.number,
                    text: decode_line(bytes.trim_ascii_end()).into_owned(),
                    cut: piece.cut,
                }));
            }
        }
        Ok(None)
    }

    /// The lines that will be next, up to this many bytes of text.
    pub(crate) fn look_ahead(&mut self, bytes: usize) -> io::Result<impl Iterator<Item = &str>> {
        let mut ahead = std::mem::take(&mut self.ahead);
        let mut length: usize = ahead.iter().map(|line| line.text.len() + 1).sum();
        while length < bytes {
            let Some(line) = self.next()? else { break };
            length += line.text.len() + 1;
            ahead.push_back(line);
        }
        self.ahead = ahead;
        Ok(self.ahead.iter().map(|line| &*line.text))
    }

    /// Passes over a line that belongs to no board.
    pub(crate) fn pass_over(&mut self, line: u64) {
        self.between.get_or_insert(line);
    }

    /// A board that leaves its reader, with the name of the file in its error.
    pub(crate) fn named(&self, mut board: Option<BoardResult>) -> Option<BoardResult> {
        if let Some(Err(error)) = &mut board {
            error.file = Arc::clone(&self.file);
        }
        board
    }

    /// Counts a board, and returns its number in the order of the boards.
    pub(crate) fn count(&mut self) -> u32 {
        self.count = self.count.saturating_add(1);
        self.count
    }
}

/// The words of a text: its letters and digits, without the signs between them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// A text, divided before the first character that `ends` its beginning.
pub(crate) fn divided(text: &str, ends: impl FnMut(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(ends).unwrap_or(text.len()))
}

/// Returns true if a text has digits only, and not too many.
pub(crate) fn is_number(text: &str) -> bool {
    number::<u32>(text).is_some()
}

/// A number of digits only: a sign would mean a difference, not a number of tricks.
pub(crate) fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// A number of tricks: from 0 to 13.
pub(crate) fn tricks_in(text: &str) -> Option<u8> {
    number(text).filter(|&tricks| tricks <= 13)
}

/// The only number in a text, as in `Board 7` or `#7`; none with a sign.
pub(crate) fn only_number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let (before, digits, after) = first_digits(text)?;
    let is_digit = |c: char| c.is_ascii_digit();
    let is_end = |c: char| c.is_whitespace() || ").,;:/]-".contains(c);
    let only = !after.contains(is_digit)
        && may_precede_number(before)
        && (after.is_empty() || after.starts_with(is_end));
    number(digits).filter(|_| only && !text.contains('+'))
}

/// The text before the first digits, these, and the text after them.
pub(crate) fn first_digits(text: &str) -> Option<(&str, &str, &str)> {
    let (before, from) = text.split_at(text.find(|c: char| c.is_ascii_digit())?);
    let (digits, after) = divided(from, |c| !c.is_ascii_digit());
    Some((before, digits, after))
}

/// Returns true if a number may follow a text: `Board `, `#` or `o`, the open room. After the sign of
/// a suit or another letter it is a slip.
pub(crate) fn may_precede_number(text: &str) -> bool {
    const NAMES: [&str; 7] = ["o", "c", "bd", "brd", "board", "no", "nr"];
    if text.is_empty() || text.ends_with(' ') {
        return true;
    }
    let word = text.rsplit(|c: char| !c.is_alphanumeric()).next();
    let word = word.unwrap_or_default();
    let is_name = word.is_empty() || NAMES.iter().any(|name| name.eq_ignore_ascii_case(word));
    let is_sign = |c: char| c.is_ascii_punctuation() && !"#(.:/-[".contains(c) || is_symbol(c);
    let before = text.trim_end_matches(|c: char| c.is_ascii_punctuation());
    let is_apart = before.len() == text.len() || !before.ends_with(|c: char| c.is_ascii_digit());
    !text.ends_with(is_sign) && is_apart && (is_name || !word.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_come_in_parts() {
        let mut text = vec![b'x'; LINE_LIMIT + 10];
        text.extend_from_slice(b"\r\nlast");
        let mut lines = Lines::new(&text[..], "text", Options::default());
        let mut next = || {
            let line = lines.piece().unwrap();
            line.map(|line| (line.number, line.bytes.len(), line.starts, line.cut))
        };
        assert_eq!(next(), Some((1, LINE_LIMIT, true, true)));
        assert_eq!(next(), Some((1, 12, false, false)));
        assert_eq!(next(), Some((2, 4, true, false)));
        assert_eq!(next(), None);
    }
}
