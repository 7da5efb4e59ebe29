//! The parts of a level at work, `level-NN.map`: header, the table that numbers
//! partitions, the records of its shards, their nodes, and a checksum for each page.
//!
//! `docs/format.md` draws the file byte by byte. All numbers are little-endian.

use setrograde_endgame::partition_index::{NumberTable, partition_count};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::level_header::{DEEPEST, Fields, HeaderError, MAX_SHARD_PARTITIONS};

/// The first eight bytes of every level at work.
pub const MAGIC: [u8; 8] = *b"setrogw\n";
/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 2;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 64;
/// Bytes of a page, which has a checksum of its own: as much as a system reads at once.
pub const PAGE: usize = 4096;
/// Bytes of a root.
const ROOT_BYTES: usize = 4;

/// The header of a level at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapHeader {
    /// Cards per hand, 1..=8.
    pub level: u32,
    /// Partitions in each shard but perhaps the last, which has the rest.
    pub shard_partitions: u32,
    /// Partitions of the level.
    pub partitions: u64,
    /// Partitions that are here: all, or, of a level that is not whole, fewer.
    pub held: u64,
    /// The source of the level.
    pub source: Origin,
    /// The first byte after the nodes.
    pub nodes_end: u64,
}

/// The source of a level at work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The level at rest with this checksum of header and index.
    Level(u64),
    /// Journals of a build above the level at rest with this checksum; 0 for
    /// none.
    Journals(u64),
}

impl MapHeader {
    /// The number of shards.
    #[must_use]
    pub fn shards(&self) -> u64 {
        self.partitions.div_ceil(u64::from(self.shard_partitions))
    }

    /// The first byte of the records of the shards.
    pub(crate) fn records_at(&self) -> usize {
        (HEADER_BYTES + NumberTable::bytes(self.level as usize)).next_multiple_of(8)
    }

    /// The bytes of the record of a shard: the place of its nodes, and the roots of its
    /// partitions.
    pub(crate) fn record_bytes(&self) -> usize {
        8 + (ROOT_BYTES * self.shard_partitions as usize).next_multiple_of(8)
    }

    /// The place of the root with that number in a shard, in the shard's record.
    #[inline]
    pub(crate) fn root_at(number: usize) -> usize {
        8 + ROOT_BYTES * number
    }

    /// The first byte of the nodes: the records end with one that has only a place, and
    /// nodes begin on a page of their own.
    pub(crate) fn nodes_at(&self) -> usize {
        let records = self.record_bytes() * self.shards() as usize + 8;
        (self.records_at() + records).next_multiple_of(PAGE)
    }

    /// The number of pages.
    pub(crate) fn pages(&self) -> usize {
        (self.nodes_end as usize).div_ceil(PAGE)
    }

    /// Returns the bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.nodes_end + 8 * self.nodes_end.div_ceil(PAGE as u64)
    }

    /// The bytes of the header.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; HEADER_BYTES] {
        let (kind, source) = match self.source {
            Origin::Level(checksum) => (1_u32, checksum),
            Origin::Journals(below) => (2, below),
        };
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.level.to_le_bytes());
        bytes.extend(self.shard_partitions.to_le_bytes());
        bytes.extend(kind.to_le_bytes());
        bytes.extend(self.partitions.to_le_bytes());
        bytes.extend(self.held.to_le_bytes());
        bytes.extend(source.to_le_bytes());
        bytes.extend(self.nodes_end.to_le_bytes());
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        let mut header = [0; HEADER_BYTES];
        header.copy_from_slice(&bytes);
        header
    }

    /// Reads the header at the beginning of a level at work, all of whose bytes are
    /// given.
    ///
    /// # Errors
    ///
    /// A [`HeaderError`] if the header is damaged. Nothing else is read.
    pub fn read(bytes: &[u8]) -> Result<MapHeader, HeaderError> {
        let found = bytes.len() as u64;
        let field = |field, value| Err(HeaderError::Field { field, value });
        if !bytes.starts_with(&MAGIC) {
            return Err(HeaderError::Magic);
        }
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            let expected = HEADER_BYTES as u64;
            return Err(HeaderError::Length { found, expected });
        };
        let mut fields = Fields(&header[MAGIC.len()..]);
        let [version, level, shard_partitions, kind] = [(); 4].map(|()| fields.u32());
        let [partitions, held, source, nodes_end, checksum] = [(); 5].map(|()| fields.u64());
        if version != VERSION {
            return Err(HeaderError::Version(version));
        }
        if xxh3_64(&header[..HEADER_BYTES - 8]) != checksum {
            return Err(HeaderError::Checksum);
        }
        let source = match kind {
            1 => Origin::Level(source),
            2 => Origin::Journals(source),
            _ => return field("kind of source", kind.into()),
        };
        if !(1..=DEEPEST).contains(&level) {
            return field("level", level.into());
        }
        if partitions != partition_count(level as usize) as u64 {
            return field("number of partitions", partitions);
        }
        if held > partitions || matches!(source, Origin::Level(_)) && held < partitions {
            return field("number of partitions held", held);
        }
        if !(1..=MAX_SHARD_PARTITIONS).contains(&shard_partitions) {
            return field("partitions per shard", shard_partitions.into());
        }
        let header = MapHeader {
            level,
            shard_partitions,
            partitions,
            held,
            source,
            nodes_end,
        };
        if !(header.nodes_at() as u64..1 << 60).contains(&nodes_end) {
            return field("end of the nodes", nodes_end);
        }
        let expected = header.bytes();
        if found != expected {
            return Err(HeaderError::Length { found, expected });
        }
        Ok(header)
    }
}

/// The checksum of a page: of its number and its bytes.
#[must_use]
pub fn page_checksum(page: usize, bytes: &[u8]) -> u64 {
    xxh3_64_with_seed(bytes, page as u64)
}
