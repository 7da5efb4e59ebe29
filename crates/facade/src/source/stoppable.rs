//! A reader that ends once work is to end.

use std::io::{self, BufRead, Read};

use setrograde_records::{Board, Options, RecordError, Records};
use setrograde_solver::Stop;

use crate::refusal::Refusal;

/// The lines, or calls of a reader, after which a stop is looked at.
const OFTEN: u32 = 64;

/// The bytes that are handed out at a time, so that readers of a text in memory come back.
const MOST_BYTES: usize = 1 << 12;

/// Reads until work is to end, and then fails.
#[derive(Debug)]
pub(crate) struct Stoppable<R> {
    inner: R,
    stop: Stop,
    calls: u32,
}

impl<R> Stoppable<R> {
    /// Reads from `inner` until `stop` is due.
    pub(crate) fn new(inner: R, stop: &Stop) -> Stoppable<R> {
        Stoppable {
            inner,
            stop: stop.clone(),
            calls: 0,
        }
    }
}

impl<R: BufRead> BufRead for Stoppable<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.calls = self.calls.wrapping_add(1);
        if self.calls.is_multiple_of(OFTEN) && self.stop.is_due() {
            return Err(io::Error::other("interrupted"));
        }
        let bytes = self.inner.fill_buf()?;
        Ok(&bytes[..bytes.len().min(MOST_BYTES)])
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
    }
}

impl<R: BufRead> Read for Stoppable<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut bytes = self.fill_buf()?;
        let read = bytes.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

/// Begins to read the boards of an option's text, until `stop` is due.
pub(crate) fn boards_of<'a>(
    option: &'static str,
    text: &'a str,
    stop: &Stop,
) -> Result<impl Iterator<Item = Result<Board, RecordError>> + use<'a>, Refusal> {
    let options = Options::default().keep_names(true);
    let text = Stoppable::new(text.as_bytes(), stop);
    let boards = Records::with_options(text, option, options);
    boards.map_err(|error| Refusal::option(option, error).unless_due(stop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_until_work_is_to_end() {
        let text = "# a line\n".repeat(100_000);
        let lines = |stop: &Stop| {
            let lines = Stoppable::new(text.as_bytes(), stop).lines();
            lines.take_while(Result::is_ok).count()
        };
        assert_eq!(lines(&Stop::default()), 100_000);
        let due = Stop::default().by(std::time::Instant::now());
        assert!(lines(&due) < 2 * OFTEN as usize);
        let boards = Records::new(Stoppable::new(text.as_bytes(), &due), "text");
        let error = boards.expect_err("interrupted");
        assert_eq!(error.to_string(), "interrupted");
    }
}
