//! The bytes of a level's file: header, shard index, shards.
//!
//! `docs/format.md` draws the file byte by byte. All numbers are little-endian.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// The first eight bytes of every level file.
pub const MAGIC: [u8; 8] = *b"setrogr\n";
/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 2;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 72;
/// Bytes of one entry of the shard index.
pub const ENTRY_BYTES: usize = 40;

/// The payload kind of decision diagrams (see [`codec`](crate::codec)).
pub const DIAGRAMS: u32 = 1;
/// The payload kind of shallow trees (see [`tree_codec`](crate::tree_codec)):
/// keys stand in the place of tokens, links in that of distances.
pub const TREES: u32 = 2;

/// What stands at the head of a level's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Cards per hand, 1..=13.
    pub level: u32,
    /// What the shards hold: [`DIAGRAMS`] or [`TREES`].
    pub payload: u32,
    /// Partitions of the level.
    pub partitions: u64,
    /// Partitions in each shard but perhaps the last, which holds the rest.
    pub shard_partitions: u32,
    /// Number of shards.
    pub shards: u32,
    /// Nodes of all diagrams or trees; a node counts for each diagram that it
    /// belongs to.
    pub nodes: u64,
    /// Sets of 4-bit owner masks in all shards.
    pub sets: u64,
    /// A hash of the diagrams themselves, however they are compressed.
    pub content: u64,
}

/// Where a shard lies in the file, and what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The first byte of the shard in the file.
    pub offset: u64,
    /// Hash (XXH3-64) of the shard's bytes in the file.
    pub checksum: u64,
    /// Bytes of the two compressed streams, which follow each other.
    pub stored: [u32; 2],
    /// Their bytes before compression.
    pub plain: [u32; 2],
    /// Nodes in the shard; those that diagrams share count once.
    pub nodes: u32,
}

impl Entry {
    /// The shard's bytes in the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.stored.into_iter().map(u64::from).sum()
    }
}

/// Why a header or an index is not sound.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// Not a level file at all.
    #[error("the file does not begin as a level of a setrograde database")]
    Magic,
    /// Another version of the format.
    #[error("format version {0}")]
    Version(u32),
    /// The file ends early or late.
    #[error("the file has {found} bytes where {expected} are promised")]
    Length {
        /// Bytes in the file.
        found: u64,
        /// Bytes that the header or index promises.
        expected: u64,
    },
    /// The hash over header and index does not fit.
    #[error("the checksum of header and index does not fit")]
    Checksum,
    /// A field has an impossible value.
    #[error("impossible {field}: {value}")]
    Field {
        /// The field's name.
        field: &'static str,
        /// Its value.
        value: u64,
    },
}

/// The hash of a shard's content: of both its streams before compression.
#[must_use]
pub fn content_hash(streams: [&[u8]; 2]) -> u64 {
    xxh3_64(&streams.map(|stream| xxh3_64(stream).to_le_bytes()).concat())
}

/// The hash of a level's content, from those of its shards in their order.
#[must_use]
pub fn level_content(shards: impl IntoIterator<Item = u64>) -> u64 {
    let mut content = Xxh3::new();
    for shard in shards {
        content.update(&shard.to_le_bytes());
    }
    content.digest()
}

/// The header and the index as bytes, and their checksum, which stands in the
/// header and covers everything but itself.
#[must_use]
pub fn head_bytes(header: &Header, entries: &[Entry]) -> (Vec<u8>, u64) {
    let mut bytes = Vec::with_capacity(HEADER_BYTES + ENTRY_BYTES * entries.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(header.level.to_le_bytes());
    bytes.extend(header.payload.to_le_bytes());
    bytes.extend(header.shard_partitions.to_le_bytes());
    bytes.extend(header.partitions.to_le_bytes());
    bytes.extend(header.shards.to_le_bytes());
    bytes.extend(0u32.to_le_bytes());
    bytes.extend(header.nodes.to_le_bytes());
    bytes.extend(header.sets.to_le_bytes());
    bytes.extend(header.content.to_le_bytes());
    bytes.extend([0; 8]);
    for entry in entries {
        bytes.extend(entry.offset.to_le_bytes());
        bytes.extend(entry.checksum.to_le_bytes());
        for length in entry.stored.into_iter().chain(entry.plain) {
            bytes.extend(length.to_le_bytes());
        }
        bytes.extend(entry.nodes.to_le_bytes());
        bytes.extend(0u32.to_le_bytes());
    }
    let checksum = xxh3_64(&bytes);
    bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&checksum.to_le_bytes());
    (bytes, checksum)
}

/// Reads numbers one after another; the caller has checked the length.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn u32(&mut self) -> u32 {
        let (bytes, rest) = self.0.split_at(4);
        self.0 = rest;
        bytes
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u32::from(byte))
    }

    fn u64(&mut self) -> u64 {
        u64::from(self.u32()) | u64::from(self.u32()) << 32
    }
}

/// Reads and checks the header and the index of a file, given whole. Answers
/// with them and with their checksum, which stands for the whole file: it
/// covers every shard's checksum.
///
/// # Errors
///
/// Whatever is wrong with them. Shards are not read.
pub fn read_head(file: &[u8]) -> Result<(Header, Vec<Entry>, u64), LayoutError> {
    let length = |expected: usize| LayoutError::Length {
        found: file.len() as u64,
        expected: expected as u64,
    };
    if file.len() < MAGIC.len() {
        return Err(length(HEADER_BYTES));
    }
    if file[..MAGIC.len()] != MAGIC {
        return Err(LayoutError::Magic);
    }
    if file.len() < HEADER_BYTES {
        return Err(length(HEADER_BYTES));
    }
    let mut fields = Fields(&file[MAGIC.len()..HEADER_BYTES]);
    let version = fields.u32();
    if version != VERSION {
        return Err(LayoutError::Version(version));
    }
    let level = fields.u32();
    let payload = fields.u32();
    let shard_partitions = fields.u32();
    let partitions = fields.u64();
    let shards = fields.u32();
    let _padding = fields.u32();
    let (nodes, sets, content) = (fields.u64(), fields.u64(), fields.u64());
    let header = Header {
        level,
        payload,
        partitions,
        shard_partitions,
        shards,
        nodes,
        sets,
        content,
    };
    let checksum = fields.u64();
    let head = (shards as usize)
        .checked_mul(ENTRY_BYTES)
        .and_then(|index| index.checked_add(HEADER_BYTES))
        .ok_or(LayoutError::Field {
            field: "number of shards",
            value: u64::from(shards),
        })?;
    if file.len() < head {
        return Err(length(head));
    }
    let mut covered = file[..head].to_vec();
    covered[HEADER_BYTES - 8..HEADER_BYTES].fill(0);
    if xxh3_64(&covered) != checksum {
        return Err(LayoutError::Checksum);
    }
    let mut fields = Fields(&file[HEADER_BYTES..head]);
    let mut entries = Vec::with_capacity(shards as usize);
    let mut offset = head as u64;
    for _ in 0..shards {
        let entry = Entry {
            offset: fields.u64(),
            checksum: fields.u64(),
            stored: [fields.u32(), fields.u32()],
            plain: [fields.u32(), fields.u32()],
            nodes: fields.u32(),
        };
        let _padding = fields.u32();
        if entry.offset != offset {
            return Err(LayoutError::Field {
                field: "shard offset",
                value: entry.offset,
            });
        }
        offset += entry.bytes();
        entries.push(entry);
    }
    if file.len() as u64 != offset {
        return Err(LayoutError::Length {
            found: file.len() as u64,
            expected: offset,
        });
    }
    check_header(&header)?;
    Ok((header, entries, checksum))
}

fn check_header(header: &Header) -> Result<(), LayoutError> {
    let field = |field, value| Err(LayoutError::Field { field, value });
    if !(1..=13).contains(&header.level) {
        return field("level", u64::from(header.level));
    }
    let deepest = match header.payload {
        DIAGRAMS => 13,
        TREES => setrograde_endgame::card_order::DEEPEST as u32,
        _ => 0,
    };
    if header.level > deepest {
        return field("payload kind", u64::from(header.payload));
    }
    if header.shard_partitions == 0
        || header
            .partitions
            .div_ceil(u64::from(header.shard_partitions))
            != u64::from(header.shards)
    {
        return field("partitions per shard", u64::from(header.shard_partitions));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (Header, Vec<Entry>) {
        let header = Header {
            level: 3,
            payload: DIAGRAMS,
            partitions: 5,
            shard_partitions: 4,
            shards: 2,
            nodes: 77,
            sets: 99,
            content: 0x0123_4567_89ab_cdef,
        };
        let first = Entry {
            offset: (HEADER_BYTES + 2 * ENTRY_BYTES) as u64,
            checksum: 5,
            stored: [3, 4],
            plain: [9, 8],
            nodes: 70,
        };
        let second = Entry {
            offset: first.offset + 7,
            stored: [0, 0],
            ..first
        };
        (header, vec![first, second])
    }

    #[test]
    fn what_is_written_is_read_again() -> Result<(), LayoutError> {
        let (header, entries) = sample();
        let (mut file, checksum) = head_bytes(&header, &entries);
        assert_eq!(file.len(), HEADER_BYTES + 2 * ENTRY_BYTES);
        file.extend([0; 7]);
        let (header_again, entries_again, checksum_again) = read_head(&file)?;
        assert_eq!(checksum_again, checksum);
        assert_eq!(header_again, header);
        assert_eq!(entries_again, entries);
        Ok(())
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_found() {
        let (header, entries) = sample();
        let (mut file, _) = head_bytes(&header, &entries);
        for bit in 0..8 * file.len() {
            file[bit / 8] ^= 1 << (bit % 8);
            assert!(read_head(&file).is_err(), "bit {bit}");
            file[bit / 8] ^= 1 << (bit % 8);
        }
        file.extend([0; 7]);
        assert!(read_head(&file).is_ok());
        for length in 0..file.len() {
            assert!(read_head(&file[..length]).is_err(), "{length} bytes");
        }
        file.push(0);
        assert!(read_head(&file).is_err());
    }
}
