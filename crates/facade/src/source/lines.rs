//! A stream in batches of whole lines.

use std::io::{self, Read};

use setrograde_records::decode_lines;

/// Maximum length of a line, in bytes. Questions have a few hundred.
pub(crate) const LONGEST_LINE: usize = 64 << 10;

/// Bytes that are read at a time.
const BUFFER: usize = 16 * LONGEST_LINE;

/// Lines that came together.
pub(super) struct Batch {
    /// The number of the first line, counted from 1.
    pub first: usize,
    /// Whole lines. One that is longer than [`LONGEST_LINE`] may be cut short, but
    /// stays longer than that.
    pub text: String,
}

/// A reader whose batches contain the available lines, so a program that asks one line at a time
/// gets its answer at once.
pub(super) struct QuestionLines<R> {
    input: R,
    buffer: Vec<u8>,
    filled: usize,
    next_line: usize,
    /// True if the rest of the current line is dropped.
    skipping: bool,
    ended: bool,
}

impl Batch {
    /// The lines with their numbers, in pieces with `count` questions each. Lines that ask
    /// nothing cost nothing: they are part of the piece before them.
    pub(super) fn pieces(&self, count: usize) -> impl Iterator<Item = (usize, &str)> {
        let mut rest = self.text.as_str();
        let mut first = self.first;
        std::iter::from_fn(move || {
            let (mut asked, mut end, mut lines) = (0, 0, 0);
            for line in rest.split_inclusive('\n') {
                asked += usize::from(is_question(line));
                if asked > count {
                    break;
                }
                end += line.len();
                lines += 1;
            }
            let (piece, after) = rest.split_at(end);
            let number = first;
            rest = after;
            first += lines;
            (!piece.is_empty()).then_some((number, piece))
        })
    }
}

/// Returns true if a line is a question: neither blank nor a comment.
pub(crate) fn is_question(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && !text.starts_with('#')
}

impl<R: Read> QuestionLines<R> {
    pub(super) fn new(input: R) -> QuestionLines<R> {
        QuestionLines {
            input,
            buffer: vec![0; BUFFER],
            filled: 0,
            next_line: 1,
            skipping: false,
            ended: false,
        }
    }

    /// The next lines; `None` at the end.
    pub(super) fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        while !self.ended {
            if self.filled == self.buffer.len() {
                // One line fills the buffer.
                self.skipping = true;
                return Ok(Some(self.take(self.filled)));
            }
            let mut before = self.filled;
            match self.input.read(&mut self.buffer[before..]) {
                Ok(0) => self.ended = true,
                Ok(read) => self.filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if self.skipping {
                self.skip();
                before = 0;
            }
            let fresh = &self.buffer[before..self.filled];
            if let Some(end) = fresh.iter().rposition(|&byte| byte == b'\n') {
                return Ok(Some(self.take(before + end + 1)));
            }
        }
        Ok((self.filled > 0).then(|| self.take(self.filled)))
    }

    /// Skips input up to the end of the line.
    fn skip(&mut self) {
        let line_end = self.buffer[..self.filled]
            .iter()
            .position(|&byte| byte == b'\n');
        self.skipping = line_end.is_none();
        let end = line_end.map_or(self.filled, |end| end + 1);
        self.drop(end);
    }

    fn take(&mut self, end: usize) -> Batch {
        let first = self.next_line;
        let text = decode_lines(&self.buffer[..end]).into_owned();
        self.drop(end);
        self.next_line += text.lines().count();
        Batch { first, text }
    }

    fn drop(&mut self, end: usize) {
        self.buffer.copy_within(end..self.filled, 0);
        self.filled -= end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers and the lengths of all lines, read a few bytes at a time.
    fn lines_of(text: &str, step: usize) -> Vec<(usize, usize)> {
        struct Slow<'a>(&'a [u8], usize);
        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let most = self.1.min(buffer.len());
                self.0.read(&mut buffer[..most])
            }
        }
        let mut lines = QuestionLines::new(Slow(text.as_bytes(), step));
        let mut found = Vec::new();
        while let Some(batch) = lines.next_batch().expect("it reads") {
            let numbered = batch.text.lines().enumerate();
            found.extend(numbered.map(|(at, line)| (batch.first + at, line.len())));
        }
        found
    }

    #[test]
    fn lines_are_numbered_however_they_arrive() {
        let text = "one\n\nthree\r\nlast";
        for step in [1, 2, 7, 100] {
            assert_eq!(
                lines_of(text, step),
                [(1, 3), (2, 0), (3, 5), (4, 4)],
                "{step}"
            );
        }
    }

    #[test]
    fn batches_fall_into_pieces() {
        let batch = Batch {
            first: 7,
            text: "a\nb\n\nc\nd".to_owned(),
        };
        let pieces: Vec<_> = batch.pieces(2).collect();
        assert_eq!(pieces, [(7, "a\nb\n\n"), (10, "c\nd")]);
        assert_eq!(batch.pieces(1).count(), 4);
    }

    /// A piece is handed to another thread, which costs far more than to read a line.
    #[test]
    fn lines_that_ask_nothing_are_no_pieces() {
        for line in ["\n", "\r\n", "# no\n", " \n"] {
            let file = line.repeat(1_000_000 / line.len());
            let mut lines = QuestionLines::new(file.as_bytes());
            let mut pieces = 0;
            while let Some(batch) = lines.next_batch().expect("it reads") {
                pieces += batch.pieces(1).count();
            }
            assert!(pieces <= 2, "{pieces}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(lines_of("\u{feff}one\ntwo", 100), [(1, 3), (2, 3)]);
    }

    #[test]
    fn a_line_that_comes_with_the_end_of_an_endless_one_does_not_wait() {
        struct Chunks(Vec<Vec<u8>>);
        impl Read for Chunks {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(!self.0.is_empty(), "it waits for more input");
                let chunk = self.0.remove(0);
                buffer[..chunk.len()].copy_from_slice(&chunk);
                Ok(chunk.len())
            }
        }
        let chunks = vec![vec![b'x'; BUFFER], b"x\nnext\n".to_vec()];
        let mut lines = QuestionLines::new(Chunks(chunks));
        let mut next = || lines.next_batch().expect("it reads").expect("a batch");
        assert_eq!(next().first, 1);
        let batch = next();
        assert_eq!((batch.first, batch.text.as_str()), (2, "next\n"));
    }

    #[test]
    fn endless_lines_are_cut_and_the_next_ones_read() {
        let long = "x".repeat(3 * BUFFER + 17);
        let text = format!("one\n{long}\nthree\n{long}");
        for step in [1 << 12, usize::MAX] {
            let lines = lines_of(&text, step);
            assert_eq!(lines.len(), 4, "{lines:?}");
            assert_eq!((lines[0], lines[2]), ((1, 3), (3, 5)));
            assert!(
                lines[1].1 > LONGEST_LINE && lines[3].1 > LONGEST_LINE,
                "{lines:?}"
            );
        }
    }
}
