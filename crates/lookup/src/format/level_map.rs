//! The head of a level at work, `level-NN.map`: header, roots, and the table of its
//! shards.
//!
//! `docs/format.md` draws the file byte by byte. All numbers are little-endian.

use setrograde_endgame::partition_index::partition_count;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::level_header::{DEEPEST, Fields, HeaderError, MAX_SHARD_PARTITIONS};

/// The first eight bytes of every level at work.
pub const MAGIC: [u8; 8] = *b"setrogw\n";
/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 1;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 64;
/// Bytes of a root.
pub(crate) const ROOT_BYTES: usize = 4;

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
    /// Bytes of the file.
    pub bytes: u64,
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

    /// The first byte of the table with the places of the shards' nodes.
    pub(crate) fn places_at(&self) -> u64 {
        let roots = ROOT_BYTES as u64 * self.partitions;
        HEADER_BYTES as u64 + roots.next_multiple_of(8)
    }

    /// The first byte of the table with the shards' checksums.
    pub(crate) fn checksums_at(&self) -> u64 {
        self.places_at() + 8 * (self.shards() + 1)
    }

    /// The first byte after the tables.
    pub(crate) fn nodes_at(&self) -> u64 {
        self.checksums_at() + 8 * self.shards()
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
        bytes.extend(self.bytes.to_le_bytes());
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
    /// Whatever is wrong with the header. Roots, tables and nodes are not read.
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
        let [partitions, held, source, length, checksum] = [(); 5].map(|()| fields.u64());
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
            bytes: length,
        };
        let expected = length.max(header.nodes_at());
        if found != expected {
            return Err(HeaderError::Length { found, expected });
        }
        Ok(header)
    }
}

/// The checksum of a shard: of its number, its roots, and its nodes.
#[must_use]
pub fn shard_checksum(shard: usize, roots: &[u8], nodes: &[u8]) -> u64 {
    xxh3_64_with_seed(nodes, xxh3_64_with_seed(roots, shard as u64))
}
