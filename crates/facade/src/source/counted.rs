//! A reader that counts the bytes read.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// Counts the bytes that are taken from a reader.
pub(super) struct Counted<R> {
    pub inner: R,
    pub taken: Rc<Cell<u64>>,
}

impl<R> Counted<R> {
    fn add(&self, bytes: usize) {
        self.taken.set(self.taken.get() + bytes as u64);
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.add(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.add(amount);
        self.inner.consume(amount);
    }
}
