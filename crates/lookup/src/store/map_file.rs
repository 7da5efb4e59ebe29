//! The bytes of a mapped level, with a checked header.

use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::bytes::{Bytes, map_file, open_regular};
use crate::error::Error;
use crate::format::level_map::{HEADER_BYTES, MapHeader, VERSION, block_checksum};

/// Returns the damage to the header of a file that was not mapped; `None` if it has none, or cannot
/// be read either.
fn header_fault(path: &Path) -> Option<Error> {
    let (file, length) = open_regular(path).ok()?;
    let mut head = Vec::new();
    let read = file.take(HEADER_BYTES as u64).read_to_end(&mut head);
    read.ok()?;
    let fault = MapHeader::read_head(&head, length).err()?;
    Some(Error::header(path, VERSION, fault))
}

/// The bytes of a mapped level, mapped or in memory.
#[derive(Debug)]
pub(super) struct MapFile {
    pub path: PathBuf,
    pub header: MapHeader,
    pub bytes: Bytes,
}

impl MapFile {
    /// Reads the header of a mapped level. Errors name it `path`.
    pub(super) fn new(path: &Path, bytes: Bytes) -> Result<MapFile, Error> {
        let header =
            MapHeader::read(&bytes).map_err(|error| Error::header(path, VERSION, error))?;
        bytes.read_at_random();
        Ok(MapFile {
            path: path.to_owned(),
            header,
            bytes,
        })
    }

    /// Maps a file.
    pub(super) fn open(path: &Path) -> Result<MapFile, Error> {
        let bytes = map_file(path).map_err(|error| match error {
            Error::Io { path, source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Error::NoMap { path }
            }
            // A file that is no map may be too large for the memory, too.
            error => header_fault(path).unwrap_or(error),
        })?;
        MapFile::new(path, bytes)
    }

    /// The first byte after the blocks.
    #[inline]
    pub(super) fn end(&self) -> usize {
        self.header.end as usize
    }

    /// Bytes before [`PADDING`](setrograde_endgame::diagram::PADDING).
    #[inline]
    pub(super) fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        *self.bytes[at..]
            .first_chunk()
            .expect("offsets lie before the unused bytes at the end")
    }

    /// Compares bytes of a block with the checksum at an offset in the file.
    pub(super) fn check_bytes(&self, bytes: Range<usize>, checksum_at: usize) -> Result<(), Error> {
        let Range { start, end } = bytes;
        let checksum = block_checksum(start, &self.bytes[bytes]);
        if checksum == u32::from_le_bytes(self.array(checksum_at)) {
            return Ok(());
        }
        Err(self.damaged(format!("bytes {start}..{end}"), "checksum mismatch"))
    }

    /// Returns the error of damage to a part of the file.
    #[cold]
    pub(super) fn damaged(
        &self,
        part: impl Into<String>,
        damage: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        Error::damaged(&self.path, part, damage)
    }
}
