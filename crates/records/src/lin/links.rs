//! Links to a board, as Bridge Base Online's handviewer has them:
//! `https://…/handviewer.html?lin=pn%7C…`.

use std::io::{self, BufRead, Read};

/// The greatest length of a link, in bytes.
const LINK_LIMIT: u64 = 1 << 16;

/// Whether a line is a link that has a board in LIN.
pub(crate) fn is_link(line: &[u8]) -> bool {
    line.starts_with(b"http") && lin(line).is_some()
}

/// The LIN in a link, with its last field ended; `None` if it has none.
fn lin(line: &[u8]) -> Option<Vec<u8>> {
    let query = line.split(|&byte| byte == b'?').nth(1)?;
    let mut parts = query.split(|&byte| byte == b'&');
    let value = parts.find_map(|part| part.strip_prefix(b"lin="))?;
    let mut text = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [byte, after @ ..] = rest {
        rest = after;
        text.push(match (byte, rest) {
            (b'+', _) => b' ',
            (b'%', [high, low, after @ ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => {
                    rest = after;
                    16 * high + low
                }
                _ => b'%',
            },
            _ => *byte,
        });
    }
    // Each link begins a board of its own, after a line that is not a link, too.
    if !text.starts_with(b"qx|") && !text.windows(4).any(|field| field == b"|qx|") {
        text.splice(..0, *b"qx||");
    }
    if !text.ends_with(b"|") {
        text.push(b'|');
    }
    // A name without a value would take the next line's first name for it.
    if text.iter().filter(|&&byte| byte == b'|').count() % 2 == 1 {
        text.push(b'|');
    }
    Some(text)
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

/// The lines of a stream with the LIN of each link in its place.
#[derive(Debug)]
pub(crate) struct Links<R> {
    reader: R,
    line: Vec<u8>,
    taken: usize,
}

impl<R: BufRead> Links<R> {
    pub fn new(reader: R) -> Links<R> {
        Links {
            reader,
            line: Vec::new(),
            taken: 0,
        }
    }
}

impl<R: BufRead> BufRead for Links<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.line.len() {
            self.line.clear();
            self.taken = 0;
            let mut limited = (&mut self.reader).take(LINK_LIMIT);
            limited.read_until(b'\n', &mut self.line)?;
            let ends = self.line.ends_with(b"\n");
            let line = self.line.trim_ascii();
            if let Some(lin) = lin(line) {
                self.line = lin;
            } else if line.is_empty() || line.starts_with(b"#") {
                self.line.clear();
            } else {
                // Its fault is not the board's before it.
                self.line = [b"qx||", line, b"|"].concat();
            }
            if ends {
                self.line.push(b'\n');
            }
        }
        Ok(&self.line[self.taken..])
    }

    fn consume(&mut self, amount: usize) {
        self.taken += amount;
    }
}

impl<R: BufRead> Read for Links<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut from = self.fill_buf()?;
        let read = from.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
