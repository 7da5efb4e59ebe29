//! Lines of a stream, numbered and of limited length.

use std::io::{self, BufRead, Read};

/// Maximum length of a line, in bytes.
pub(crate) const LINE_LIMIT: usize = 1 << 16;

/// Reads a stream line by line.
#[derive(Debug)]
pub(crate) struct TextLines<R> {
    reader: R,
    /// The number of the line read last.
    number: u64,
    /// True if the piece read last ended its line.
    at_start: bool,
}

/// A line, or the part of it up to the limit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TextLine {
    /// From 1.
    pub number: u64,
    /// With the line break, if it has one.
    pub bytes: Vec<u8>,
    /// True if this is the first part of its line.
    pub starts: bool,
    /// True if the line continues after this part.
    pub cut: bool,
}

impl<R: BufRead> TextLines<R> {
    pub(crate) fn new(reader: R) -> TextLines<R> {
        TextLines {
            reader,
            number: 0,
            at_start: true,
        }
    }

    /// The number of the line read last.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The next line, or the next part of a line beyond the limit.
    pub(crate) fn next(&mut self) -> io::Result<Option<TextLine>> {
        // Most lines are shorter.
        let mut bytes = Vec::with_capacity(128);
        let limit = LINE_LIMIT as u64;
        (&mut self.reader)
            .take(limit)
            .read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let starts = self.at_start;
        self.number += u64::from(starts);
        self.at_start = bytes.ends_with(b"\n");
        let cut = !self.at_start && bytes.len() == LINE_LIMIT;
        Ok(Some(TextLine {
            number: self.number,
            bytes,
            starts,
            cut,
        }))
    }
}

/// A number of digits only: a sign would mean a difference, not a number of tricks.
pub(crate) fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// The only number in a text, as in `Board 7` or `#7`; none with a sign.
pub(crate) fn only_number<T: std::str::FromStr>(text: &str) -> Option<T> {
    let mut words = text.split(|c: char| !c.is_ascii_digit());
    let first = words.by_ref().find(|word| !word.is_empty())?;
    let only = words.all(str::is_empty);
    number(first).filter(|_| only && !text.contains('+'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_come_in_parts() {
        let mut text = vec![b'x'; LINE_LIMIT + 10];
        text.extend_from_slice(b"\r\nlast");
        let mut lines = TextLines::new(&text[..]);
        let mut next = || {
            let line = lines.next().unwrap();
            line.map(|line| (line.number, line.bytes.len(), line.starts, line.cut))
        };
        assert_eq!(next(), Some((1, LINE_LIMIT, true, true)));
        assert_eq!(next(), Some((1, 12, false, false)));
        assert_eq!(next(), Some((2, 4, true, false)));
        assert_eq!(next(), None);
    }
}
