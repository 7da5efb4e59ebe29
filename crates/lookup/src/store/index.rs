//! The index of a mapped level: finds the block of a matrix.

use setrograde_endgame::diagram::prefetch;
use setrograde_endgame::matrix::{Matrix, Relative};

use super::map_file::MapFile;
use crate::bytes::Bits;
use crate::error::Error;
use crate::format::level_map::{
    ENTRIES, HEADER_BYTES, IndexEntry, IndexHash, IndexSlot, LINE_BYTES, MapHeader, line_checksum,
};

/// The index of a level. Each line is checked at its first use.
#[derive(Debug)]
pub(super) struct Index {
    hash: IndexHash,
    lines: usize,
    /// The lines whose checksums matched.
    sound: Bits,
}

/// The index slot of a partition's matrix, for look-ups that run in parallel steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatrixSlot {
    pub(super) relative: Relative,
    slot: IndexSlot,
}

/// The result of a search in the index.
#[derive(Debug, Clone, Copy)]
pub(super) enum InIndex {
    /// The block of the matrix.
    Block(MatrixBlock),
    /// A coarse level knows nothing about the matrix.
    Nothing,
    /// The search would wait for the disk.
    NotReady,
}

/// The block of a matrix.
#[derive(Debug, Clone, Copy)]
pub(super) struct MatrixBlock {
    /// Its first byte.
    pub first: usize,
    /// The number of its entry in the index.
    pub entry: usize,
}

impl Index {
    pub(super) fn new(header: &MapHeader) -> Index {
        let lines = header.lines as usize;
        Index {
            hash: header.index(),
            lines,
            sound: Bits::new(lines),
        }
    }

    /// Maximum number of entries.
    pub(super) fn capacity(&self) -> usize {
        ENTRIES * self.lines
    }

    /// Returns the slot of the matrix of a relative.
    #[inline]
    pub(super) fn slot(&self, relative: Relative) -> MatrixSlot {
        let slot = self.hash.slot(relative.matrix);
        MatrixSlot { relative, slot }
    }

    /// Prefetches the line where the search for a matrix begins.
    #[inline]
    pub(super) fn prefetch(&self, file: &MapFile, slot: &MatrixSlot) {
        prefetch(&file.bytes, line_at(slot.slot.line), 1);
    }

    /// Finds the block of a matrix. [`InIndex::NotReady`] occurs only if `wait` is false.
    #[inline]
    pub(super) fn find(
        &self,
        file: &MapFile,
        slot: &MatrixSlot,
        wait: bool,
    ) -> Result<InIndex, Error> {
        let MatrixSlot { relative, slot } = slot;
        for line in (slot.line..self.lines).chain(0..slot.line) {
            let first = line_at(line);
            if !self.sound.has(line) {
                if !wait && !file.bytes.are_ready(first..first + LINE_BYTES) {
                    return Ok(InIndex::NotReady);
                }
                self.check_line(file, line)?;
            }
            let entries: [u8; 8 * ENTRIES] = file.array(first + 8);
            let entries = entries.as_chunks::<8>().0;
            // Compared without branches, because any entry is equally likely.
            let mut fit = 0_u32;
            for (number, &entry) in entries.iter().enumerate() {
                let is_it = |entry: IndexEntry| entry.tag() == slot.tag;
                fit |= u32::from(IndexEntry::read(entry).is_none_or(is_it)) << number;
            }
            let number = fit.trailing_zeros() as usize;
            if let Some(&entry) = entries.get(number) {
                return match IndexEntry::read(entry) {
                    Some(entry) => Ok(InIndex::Block(MatrixBlock {
                        first: entry.block(),
                        entry: ENTRIES * line + number,
                    })),
                    None if file.header.known.is_some() => Ok(InIndex::Nothing),
                    None => Err(missing(file, relative.matrix)),
                };
            }
        }
        Err(missing(file, relative.matrix))
    }

    /// Checks all lines.
    pub(super) fn check(&self, file: &MapFile) -> Result<(), Error> {
        (0..self.lines).try_for_each(|line| self.check_line(file, line))
    }

    #[cold]
    fn check_line(&self, file: &MapFile, line: usize) -> Result<(), Error> {
        let first = line_at(line);
        let end = first + LINE_BYTES;
        let found = line_checksum(line, &file.bytes[first + 8..end]);
        if found.to_le_bytes() != file.bytes[first..first + 8] {
            return Err(file.damaged(format!("bytes {first}..{end}"), "checksum mismatch"));
        }
        self.sound.set(line);
        Ok(())
    }
}

/// The first byte of a line.
#[inline]
pub(super) fn line_at(line: usize) -> usize {
    HEADER_BYTES + LINE_BYTES * line
}

#[cold]
fn missing(file: &MapFile, matrix: Matrix) -> Error {
    let problem = format!("a matrix is missing: {:016x}", matrix.bits());
    file.damaged("index", problem)
}
