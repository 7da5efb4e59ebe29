//! Bytes as text: UTF-8, UTF-16 or Windows-1252, with any line breaks.

use std::borrow::Cow;
use std::io::{self, BufRead, Read};

/// The byte order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// The characters of Windows-1252 from 0x80 to 0x9f; in Latin-1 they are control characters.
const WINDOWS_1252: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ";

/// Returns true for characters that act on a terminal, or on the text around them, instead of being
/// shown: control characters other than tabs, marks of the direction of writing, separators, and
/// spaces without width.
pub fn acts(c: char) -> bool {
    match c {
        '\t' => false,
        '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{feff}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}' => true,
        _ => c.is_control(),
    }
}

/// A text with blanks for tabs and for characters that [act](acts), as files of boards have it.
pub(crate) fn with_blanks(text: &str) -> String {
    text.replace(|c: char| c == '\t' || acts(c), " ")
}

/// Returns the text of a whole file: UTF-16 if it has the mark of UTF-16 or begins with an
/// ASCII character of two bytes; otherwise UTF-8, and Windows-1252 in lines that are not UTF-8.
///
/// The text has no byte order mark. Its lines end with line feeds, perhaps with carriage
/// returns before them.
///
/// ```
/// use setrograde_records::decode;
///
/// assert_eq!(decode(b"\xef\xbb\xbfO\xe2\x80\x99Neill"), "O’Neill");
/// assert_eq!(decode(b"O\x92Neill"), "O’Neill");
/// assert_eq!(decode(b"\xff\xfeO\0\x19\x20"), "O’");
/// ```
pub fn decode(bytes: &[u8]) -> String {
    let mut all = Vec::with_capacity(bytes.len());
    let read = Text::new(bytes).read_to_end(&mut all);
    read.expect("a slice can be read");
    decode_lines(&all).into_owned()
}

/// Returns lines of a [`Text`] in which lines that are not UTF-8 are Windows-1252, without a
/// byte order mark at the beginning.
pub fn decode_lines(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            let lines = bytes.split_inclusive(|&byte| byte == b'\n');
            Cow::Owned(lines.map(decode_line).collect())
        }
    }
}

/// Returns a line or a part of it, as UTF-8 or else as Windows-1252.
pub(crate) fn decode_line(bytes: &[u8]) -> Cow<'_, str> {
    let narrow = |&byte: &u8| match byte {
        0x80..0xa0 => WINDOWS_1252.chars().nth(usize::from(byte - 0x80)),
        _ => Some(char::from(byte)),
    };
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().filter_map(narrow).collect()),
    }
}

/// A line without the spaces at its beginning, and without the quote marks of an e-mail.
pub(crate) fn line_start(line: &[u8]) -> &[u8] {
    let mut line = line.trim_ascii_start();
    while let [b'>', after @ ..] | [0xc2, 0xa0, after @ ..] = line {
        line = after.trim_ascii_start();
    }
    line
}

/// A stream of text whose lines end with line feeds, and in which UTF-16 is UTF-8; other bytes
/// are as they are.
///
/// The first line break decides whether carriage returns alone end lines. Reads no further than
/// that takes.
#[derive(Debug)]
pub struct Text<R> {
    inner: R,
    state: State,
    /// True if the stream is UTF-16, and then whether its high bytes come first.
    wide: Option<bool>,
    /// Bytes of a character that is not complete.
    part: Vec<u8>,
    /// Bytes to hand out from `at` on, before those of `inner`.
    ready: Vec<u8>,
    at: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing has been read.
    Start,
    /// No line break has been read.
    FirstLine,
    /// Lines end with line feeds.
    Feeds,
    /// Lines end with carriage returns.
    Returns,
}

impl<R: BufRead> Text<R> {
    /// The text of a stream.
    pub fn new(inner: R) -> Text<R> {
        Text {
            inner,
            state: State::Start,
            wide: None,
            part: Vec::new(),
            ready: Vec::new(),
            at: 0,
        }
    }

    /// Returns true if bytes pass unchanged from now on.
    fn passes(&self) -> bool {
        self.at == self.ready.len() && self.state == State::Feeds && self.wide.is_none()
    }

    /// Appends the next bytes to those that are ready; returns false at the end.
    fn append(&mut self) -> io::Result<bool> {
        let before = self.ready.len();
        loop {
            let bytes = self.inner.fill_buf()?;
            let read = bytes.len();
            let Some(high_first) = self.wide else {
                self.ready.extend_from_slice(bytes);
                self.inner.consume(read);
                return Ok(read > 0);
            };
            self.part.extend_from_slice(bytes);
            self.inner.consume(read);
            let unit = |pair: &[u8]| {
                if high_first {
                    u16::from_be_bytes([pair[0], pair[1]])
                } else {
                    u16::from_le_bytes([pair[0], pair[1]])
                }
            };
            let mut units: Vec<u16> = self.part.chunks_exact(2).map(unit).collect();
            // The other half of a pair may come with the next bytes.
            if read > 0 && units.last().is_some_and(|last| last >> 10 == 0x36) {
                units.pop();
            }
            self.part.drain(..2 * units.len());
            for letter in char::decode_utf16(units) {
                let letter = letter.unwrap_or(char::REPLACEMENT_CHARACTER);
                if letter != '\u{feff}' {
                    let mut utf8 = [0; 4];
                    let utf8 = letter.encode_utf8(&mut utf8);
                    self.ready.extend_from_slice(utf8.as_bytes());
                }
            }
            if read == 0 || self.ready.len() > before {
                return Ok(self.ready.len() > before);
            }
        }
    }

    /// Reads the first bytes, and learns whether they are UTF-16.
    fn start(&mut self) -> io::Result<()> {
        while self.ready.len() < 2 && self.append()? {}
        self.wide = match self.ready[..] {
            [0xff, 0xfe, ..] | [1..=0xff, 0, ..] => Some(false),
            [0xfe, 0xff, ..] | [0, 1..=0xff, ..] => Some(true),
            _ => None,
        };
        self.state = State::FirstLine;
        if self.wide.is_some() {
            // They are decoded before what follows.
            self.part = std::mem::take(&mut self.ready);
            self.append()?;
        }
        Ok(())
    }

    /// Learns from the bytes that are ready, from `from` on, what ends lines.
    fn find_break(&mut self, from: usize) -> io::Result<()> {
        let found = self.ready[from..]
            .iter()
            .position(|byte| b"\r\n".contains(byte));
        let Some(at) = found.map(|at| from + at) else {
            return Ok(());
        };
        if self.ready[at] == b'\r' && at + 1 == self.ready.len() {
            self.append()?;
        }
        self.state = match self.ready[at..] {
            [b'\r', after, ..] if after != b'\n' => State::Returns,
            _ => State::Feeds,
        };
        Ok(())
    }

    /// Ends the lines that are ready with line feeds, where carriage returns alone end some.
    fn end_lines(&mut self) -> io::Result<()> {
        // A line feed may come with the next bytes.
        while self.ready.ends_with(b"\r") && self.append()? {}
        for at in 0..self.ready.len() {
            if self.ready[at] == b'\r' && self.ready.get(at + 1) != Some(&b'\n') {
                self.ready[at] = b'\n';
            }
        }
        Ok(())
    }
}

impl<R: BufRead> BufRead for Text<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.passes() {
            return self.inner.fill_buf();
        }
        if self.at == self.ready.len() {
            self.ready.clear();
            self.at = 0;
            match self.state {
                State::Start => self.start()?,
                _ => drop(self.append()?),
            }
            if self.state == State::FirstLine {
                self.find_break(0)?;
            }
            if self.state == State::Returns {
                self.end_lines()?;
            }
        }
        Ok(&self.ready[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        if self.passes() {
            self.inner.consume(amount);
        } else {
            self.at += amount;
        }
    }
}

impl<R: BufRead> Read for Text<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.fill_buf()?;
        let read = bytes.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream that gives a few bytes at a time.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len());
            self.0.read(&mut buffer[..count])
        }
    }

    fn slowly(bytes: &[u8], step: usize) -> Vec<u8> {
        let mut all = Vec::new();
        let reader = io::BufReader::with_capacity(step, Slow(bytes, step));
        Text::new(reader).read_to_end(&mut all).unwrap();
        all
    }

    #[test]
    fn all_encodings_and_line_breaks_give_one_text() {
        let text = "[West \"Šárka O’Neill\"]\n\n[East \"Müller\"]\n𝄞\n";
        for line_break in ["\n", "\r\n", "\r"] {
            let broken = text.replace('\n', line_break);
            let units = || broken.encode_utf16();
            let wide = |mark: &[u8], to: fn(u16) -> [u8; 2]| {
                let bytes = units().flat_map(to);
                mark.iter().copied().chain(bytes).collect::<Vec<u8>>()
            };
            let files = [
                broken.clone().into_bytes(),
                [BOM, broken.as_bytes()].concat(),
                wide(b"\xff\xfe", u16::to_le_bytes),
                wide(b"\xfe\xff", u16::to_be_bytes),
                wide(b"", u16::to_le_bytes),
                wide(b"", u16::to_be_bytes),
            ];
            for file in files {
                let text = decode(&file).replace("\r\n", "\n");
                assert_eq!(text, broken.replace("\r\n", "\n").replace('\r', "\n"));
                for step in [1, 2, 3, 7, 1 << 16] {
                    let slow = slowly(&file, step);
                    let slow = slow.strip_prefix(BOM).unwrap_or(&slow);
                    assert_eq!(String::from_utf8_lossy(slow).replace("\r\n", "\n"), text);
                }
            }
        }
    }

    #[test]
    fn other_bytes_are_windows_1252_line_by_line() {
        assert_eq!(decode(b"\x8a\xe1rka\nM\xc3\xbcller\n"), "Šárka\nMüller\n");
        assert_eq!(decode_line("Malmö".as_bytes()), "Malmö");
        assert_eq!(decode_line(b"Malm\xf6 \x80"), "Malmö €");
        // They pass as they are where lines are kept.
        assert_eq!(slowly(b"M\xfcller\r\nx\ry", 2), b"M\xfcller\r\nx\ry");
        for none in [&b""[..], b"\r", b"\n", b"\xff", b"\xff\xfe", b"\xff\xfea"] {
            assert!(decode(none).trim().chars().count() <= 1);
        }
    }

    #[test]
    fn nothing_is_awaited_once_a_line_is_there() {
        struct Endless(&'static [u8]);
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                assert!(!self.0.is_empty(), "waits for more");
                self.0.read(buffer)
            }
        }
        let mut text = Text::new(io::BufReader::new(Endless(b"a question\r\n")));
        let mut line = String::new();
        text.read_line(&mut line).unwrap();
        assert_eq!(line, "a question\r\n");
    }
}
