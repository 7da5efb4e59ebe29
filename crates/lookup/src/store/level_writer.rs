//! Writing a compressed level.

use std::io::{self, Seek, SeekFrom, Write};

use crate::format::level_header::{self, Entry, Header, head_bytes};

/// Writes a compressed level, shard after shard.
#[derive(Debug)]
pub struct LevelWriter<W> {
    out: W,
    offset: u64,
    entries: Vec<Entry>,
    contents: Vec<u64>,
}

impl<W: Write + Seek> LevelWriter<W> {
    /// Begins a level with this number of shards.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn new(mut out: W, shards: usize) -> io::Result<LevelWriter<W>> {
        let head = level_header::HEADER_BYTES + level_header::ENTRY_BYTES * shards;
        let offset = head as u64;
        out.seek(SeekFrom::Start(offset))?;
        Ok(LevelWriter {
            out,
            offset,
            entries: Vec::with_capacity(shards),
            contents: Vec::with_capacity(shards),
        })
    }

    /// Appends the next shard: its compressed streams, their entry without the offset, and the hash
    /// of its content.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn push(&mut self, streams: &[Vec<u8>; 2], entry: Entry, content: u64) -> io::Result<()> {
        for stream in streams {
            self.out.write_all(stream)?;
        }
        let offset = self.offset;
        self.offset += entry.bytes();
        self.entries.push(Entry { offset, ..entry });
        self.contents.push(content);
        Ok(())
    }

    /// Returns the hash of the content of the shards so far, for the header.
    pub fn content(&self) -> u64 {
        level_header::level_content(self.contents.iter().copied())
    }

    /// Writes header and index, and returns their checksum.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn finish(mut self, header: &Header) -> io::Result<(W, u64)> {
        let (head, checksum) = head_bytes(header, &self.entries);
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&head)?;
        self.out.flush()?;
        Ok((self.out, checksum))
    }
}
