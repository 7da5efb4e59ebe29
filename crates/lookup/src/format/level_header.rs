//! The bytes of a level's file: header, shard index, shards.
//!
//! `docs/format.md` draws the file byte by byte. All numbers are little-endian.

use setrograde_endgame::diagram::Edge;
use setrograde_endgame::partition_index::partition_count;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::grain::Grain;
use crate::paper::card_order;

/// The first eight bytes of every level file.
pub const MAGIC: [u8; 8] = *b"setrogr\n";
/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 2;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 72;
/// Bytes of one entry of the shard index.
pub const ENTRY_BYTES: usize = 40;
/// The offset of the number of shards in the header.
const SHARDS_AT: usize = 32;

/// The payload kind of decision diagrams (see [`diagram_codec`](super::diagram_codec)).
pub const DIAGRAMS: u32 = 1;
/// The payload kind of diagrams with intervals: a coarse level.
pub const COARSE: u32 = 3;
/// The payload kind of shallow trees (see [`tree_codec`](crate::paper::tree_codec)): keys instead of
/// tokens, links instead of distances.
pub const TREES: u32 = 2;

/// The header of a level's file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Header {
    /// Cards per hand, 1..=8.
    pub level: u32,
    /// The kind of payload in the shards: [`DIAGRAMS`], [`TREES`] or [`COARSE`].
    pub payload: u32,
    /// Partitions of the level.
    pub partitions: u64,
    /// Partitions in each shard; the last may have fewer.
    pub shard_partitions: u32,
    /// Number of shards.
    pub shards: u32,
    /// The grain of a coarse level; [`Grain::EXACT`] for an exact one.
    pub grain: Grain,
    /// Nodes of all diagrams or trees; a node counts for each diagram that it
    /// belongs to.
    pub nodes: u64,
    /// Sets of 4-bit owner masks in all shards.
    pub sets: u64,
    /// A hash of the diagrams before compression.
    pub content: u64,
}

/// An entry of the index: the offset of a shard in the file, and its sizes.
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
    /// Nodes in the shard. Shared nodes count once.
    pub nodes: u32,
}

impl Entry {
    /// The entry of a shard of `nodes` nodes with these compressed streams, of `plain` bytes
    /// before compression. Its offset is 0.
    pub fn new(streams: &[Vec<u8>; 2], plain: [usize; 2], nodes: u32) -> Entry {
        let mut checksum = Xxh3::new();
        streams.iter().for_each(|stream| checksum.update(stream));
        Entry {
            offset: 0,
            checksum: checksum.digest(),
            stored: streams.each_ref().map(|stream| stream.len() as u32),
            plain: plain.map(|length| length as u32),
            nodes,
        }
    }

    /// The shard's bytes in the file.
    pub fn bytes(&self) -> u64 {
        self.stored.into_iter().map(u64::from).sum()
    }
}

/// Damage to the header or index of a compressed or mapped level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// Not a level.
    #[error("the file does not begin as one of a setrograde database")]
    Magic,
    /// Another version of the format.
    #[error("format version {0}")]
    Version(u32),
    /// The file ends early or late.
    #[error("the file has {found} bytes instead of {expected}")]
    Length {
        /// Bytes in the file.
        found: u64,
        /// Bytes according to the header or index.
        expected: u64,
    },
    /// The hash of the header and index does not match.
    #[error("checksum mismatch")]
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

/// The error of a field that no header of a sound level has.
pub(super) fn impossible<T>(field: &'static str, value: impl Into<u64>) -> Result<T, HeaderError> {
    let value = value.into();
    Err(HeaderError::Field { field, value })
}

/// The hash of a shard's content: of both its streams before compression.
pub fn content_hash(streams: [&[u8]; 2]) -> u64 {
    xxh3_64(&streams.map(|stream| xxh3_64(stream).to_le_bytes()).concat())
}

/// The hash of a level's content, from those of its shards in their order.
pub fn level_content(shards: impl IntoIterator<Item = u64>) -> u64 {
    let mut content = Xxh3::new();
    for shard in shards {
        content.update(&shard.to_le_bytes());
    }
    content.digest()
}

/// Returns the header and the index as bytes, and their checksum. The checksum is part of the
/// header and covers everything but itself.
pub fn head_bytes(header: &Header, entries: &[Entry]) -> (Vec<u8>, u64) {
    let mut bytes = Vec::with_capacity(HEADER_BYTES + ENTRY_BYTES * entries.len());
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(header.level.to_le_bytes());
    bytes.extend(header.payload.to_le_bytes());
    bytes.extend(header.shard_partitions.to_le_bytes());
    bytes.extend(header.partitions.to_le_bytes());
    bytes.extend(header.shards.to_le_bytes());
    bytes.extend(header.grain.in_trillionths().to_le_bytes());
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
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl Fields<'_> {
    pub(super) fn u32(&mut self) -> u32 {
        let (bytes, rest) = self.0.split_at(4);
        self.0 = rest;
        bytes
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u32::from(byte))
    }

    pub(super) fn u64(&mut self) -> u64 {
        u64::from(self.u32()) | u64::from(self.u32()) << 32
    }
}

/// Returns the length of a file's header and index in bytes, given the first [`HEADER_BYTES`] of
/// the file (or all, if it has fewer) and its length.
///
/// # Errors
///
/// If these bytes do not begin a level, or the file is too short for its index.
pub fn head_length(start: &[u8], length: u64) -> Result<usize, HeaderError> {
    let cut = |expected| HeaderError::Length {
        found: length,
        expected,
    };
    let Some((magic, rest)) = start.split_first_chunk::<8>() else {
        return Err(cut(HEADER_BYTES as u64));
    };
    if *magic != MAGIC {
        return Err(HeaderError::Magic);
    }
    if start.len() < HEADER_BYTES {
        return Err(cut(HEADER_BYTES as u64));
    }
    let version = Fields(rest).u32();
    if version != VERSION {
        return Err(HeaderError::Version(version));
    }
    let shards = u64::from(Fields(&start[SHARDS_AT..]).u32());
    let head = HEADER_BYTES as u64 + ENTRY_BYTES as u64 * shards;
    if length < head {
        return Err(cut(head));
    }
    Ok(head as usize)
}

/// Reads and checks the header and the index, `head`, of a file of that `length`. Returns them and
/// their checksum. The checksum identifies the file, because it covers every shard's checksum.
///
/// # Errors
///
/// A [`HeaderError`] if they are damaged. Shards are not read, but their sizes are checked for
/// plausibility.
pub fn read_head(head: &[u8], length: u64) -> Result<(Header, Vec<Entry>, u64), HeaderError> {
    let expected = head_length(&head[..head.len().min(HEADER_BYTES)], length)?;
    if head.len() != expected {
        return Err(HeaderError::Length {
            found: head.len() as u64,
            expected: expected as u64,
        });
    }
    let mut fields = Fields(&head[MAGIC.len() + 4..]);
    let header = Header {
        level: fields.u32(),
        payload: fields.u32(),
        shard_partitions: fields.u32(),
        partitions: fields.u64(),
        shards: fields.u32(),
        grain: Grain::new(fields.u32()),
        nodes: fields.u64(),
        sets: fields.u64(),
        content: fields.u64(),
    };
    let checksum = fields.u64();
    let mut covered = Xxh3::new();
    covered.update(&head[..HEADER_BYTES - 8]);
    covered.update(&[0; 8]);
    covered.update(&head[HEADER_BYTES..]);
    if covered.digest() != checksum {
        return Err(HeaderError::Checksum);
    }
    check_header(&header)?;
    let mut entries = Vec::with_capacity(header.shards as usize);
    let mut offset = head.len() as u64;
    // A diagram has no more nodes than its shard.
    let mut most_nodes = 0u64;
    let shard_partitions = u64::from(header.shard_partitions);
    let mut left = header.partitions;
    for _ in 0..header.shards {
        let entry = Entry {
            offset: fields.u64(),
            checksum: fields.u64(),
            stored: [fields.u32(), fields.u32()],
            plain: [fields.u32(), fields.u32()],
            nodes: fields.u32(),
        };
        let _padding = fields.u32();
        if entry.offset != offset {
            return impossible("shard offset", entry.offset);
        }
        let partitions = left.min(shard_partitions);
        left -= partitions;
        check_entry(&entry, header.payload, partitions)?;
        offset += entry.bytes();
        most_nodes = most_nodes.saturating_add(u64::from(entry.nodes) * partitions);
        entries.push(entry);
    }
    if header.nodes > most_nodes {
        return impossible("number of nodes", header.nodes);
    }
    if length != offset {
        return Err(HeaderError::Length {
            found: length,
            expected: offset,
        });
    }
    Ok((header, entries, checksum))
}

/// Maximum level that is read, in cards per hand: one more than the builder builds, and the
/// capacity of a tree.
pub const DEEPEST: u32 = card_order::DEEPEST as u32;
/// Maximum number of partitions in a shard.
pub(crate) const MAX_SHARD_PARTITIONS: u32 = 1 << 12;
/// Maximum ratio of a stream's size to its compressed size, except for small streams.
const MAX_EXPANSION: u64 = 256;
/// Maximum size of a small stream, whose ratio is not limited.
const SMALL_STREAM: u64 = 1 << 12;

/// Checks that the stream sizes of an entry are plausible.
pub(crate) fn check_expansion(entry: &Entry) -> Result<(), HeaderError> {
    for (stored, plain) in entry.stored.into_iter().zip(entry.plain) {
        if u64::from(plain) > MAX_EXPANSION * u64::from(stored) + SMALL_STREAM {
            return impossible("plain size of a stream", plain);
        }
    }
    Ok(())
}

/// Checks that the sizes of an entry are plausible for a shard with this number of partitions. A
/// shard that passes unpacks to little more than 256 times its size in the file.
pub(crate) fn check_entry(entry: &Entry, payload: u32, partitions: u64) -> Result<(), HeaderError> {
    let [first, second] = entry.plain.map(u64::from);
    let nodes = u64::from(entry.nodes);
    check_expansion(entry)?;
    if nodes > Edge::MAX_NODES as u64 {
        return impossible("number of nodes", nodes);
    }
    // Diagrams: a token for each root and each child, of which a node has two to
    // four; a distance of at most four bytes for a token. Trees: two bytes of
    // key and at most one of value for a node, at most four for the number of
    // its children and of the roots, of which a tree has one at least.
    let (fits, others_fit) = match payload {
        TREES => (
            first == 2 * nodes && nodes >= partitions,
            second <= 5 * nodes + 4 * partitions,
        ),
        _ => (
            (partitions + 2 * nodes..=partitions + 4 * nodes).contains(&first),
            second <= 4 * first,
        ),
    };
    if !fits {
        return impossible("size of the first stream", first);
    }
    if !others_fit {
        return impossible("size of the second stream", second);
    }
    Ok(())
}

/// Checks that such a level is possible before anything is allocated for it, because the tables
/// that number partitions grow with the level.
pub(crate) fn check_header(header: &Header) -> Result<(), HeaderError> {
    if !(1..=DEEPEST).contains(&header.level) {
        return impossible("level", header.level);
    }
    if header.partitions != partition_count(header.level as usize) as u64 {
        return impossible("number of partitions", header.partitions);
    }
    if !matches!(header.payload, DIAGRAMS | TREES | COARSE) {
        return impossible("payload kind", header.payload);
    }
    if header.payload != COARSE && header.grain != Grain::EXACT {
        return impossible("grain", header.grain.in_trillionths());
    }
    if header.shard_partitions == 0
        || header.shard_partitions > MAX_SHARD_PARTITIONS
        || header
            .partitions
            .div_ceil(u64::from(header.shard_partitions))
            != u64::from(header.shards)
    {
        return impossible("partitions per shard", header.shard_partitions);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &[u8]) -> Result<(Header, Vec<Entry>, u64), HeaderError> {
        let length = file.len() as u64;
        let head = head_length(&file[..file.len().min(HEADER_BYTES)], length)?;
        read_head(&file[..head], length)
    }

    fn sample() -> (Header, Vec<Entry>) {
        let header = Header {
            level: 1,
            payload: DIAGRAMS,
            partitions: 52,
            shard_partitions: 30,
            shards: 2,
            grain: Grain::EXACT,
            nodes: 77,
            sets: 99,
            content: 0x0123_4567_89ab_cdef,
        };
        let first = Entry {
            offset: (HEADER_BYTES + 2 * ENTRY_BYTES) as u64,
            checksum: 5,
            stored: [3, 4],
            plain: [175, 8],
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
    fn a_coarse_level_has_a_grain() {
        let (mut header, _) = sample();
        header.grain = Grain::new(10_000);
        assert!(check_header(&header).is_err());
        header.payload = COARSE;
        assert!(check_header(&header).is_ok());
        for (text, trillionths) in [
            ("0", 0),
            ("1e-12", 1),
            ("5e-10", 500),
            ("1.4e-9", 1_400),
            ("1e-8", 10_000),
            ("1.234567e-6", 1_234_567),
            ("1e-3", 1_000_000_000),
        ] {
            let grain = Grain::new(trillionths);
            assert_eq!(
                (text.parse(), grain.to_string()),
                (Ok(grain), text.to_owned())
            );
        }
        for text in ["", "x", "-1e-8", "1", "1e-2", "1e-13", "NaN", "inf"] {
            assert!(text.parse::<Grain>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_found() {
        let (header, entries) = sample();
        let (mut file, checksum) = head_bytes(&header, &entries);
        assert_eq!(file.len(), HEADER_BYTES + 2 * ENTRY_BYTES);
        let step = if cfg!(miri) { 61 } else { 1 };
        for bit in (0..8 * file.len()).step_by(step) {
            file[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&file).is_err(), "bit {bit}");
            file[bit / 8] ^= 1 << (bit % 8);
        }
        file.extend([0; 7]);
        assert_eq!(read(&file).ok(), Some((header, entries, checksum)));
        for length in (0..file.len()).step_by(step) {
            assert!(read(&file[..length]).is_err(), "{length} bytes");
        }
        file.push(0);
        assert!(read(&file).is_err());
    }

    #[test]
    fn streams_are_as_long_as_their_nodes_allow() {
        // Ten partitions: the payload, nodes, and the minimum and maximum size of each stream.
        for (payload, nodes, least, most) in [
            (DIAGRAMS, 0, [10, 0], [10, 40]),
            (DIAGRAMS, 7, [24, 0], [38, 4 * 38]),
            (TREES, 10, [20, 0], [20, 90]),
            (TREES, 17, [34, 0], [34, 125]),
        ] {
            let is_sound = |plain: [u32; 2]| {
                let entry = Entry {
                    offset: 0,
                    checksum: 0,
                    stored: plain,
                    plain,
                    nodes,
                };
                check_entry(&entry, payload, 10).is_ok()
            };
            assert!(is_sound(least) && is_sound(most), "{nodes}");
            assert!(!is_sound([least[0] - 1, 0]), "{nodes}");
            assert!(!is_sound([most[0] + 1, 0]), "{nodes}");
            assert!(!is_sound([most[0], most[1] + 1]), "{nodes}");
        }
        let tree = Entry {
            offset: 0,
            checksum: 0,
            stored: [18, 9],
            plain: [18, 9],
            nodes: 9,
        };
        assert!(check_entry(&tree, TREES, 9).is_ok());
        assert!(check_entry(&tree, TREES, 10).is_err());
    }

    #[test]
    fn shards_hold_all_partitions() {
        let (header, _) = sample();
        assert!(check_header(&header).is_ok());
        for (shard_partitions, shards) in [(0, 2), (30, 1), (30, 3), (MAX_SHARD_PARTITIONS + 1, 1)]
        {
            let other = Header {
                shard_partitions,
                shards,
                ..header
            };
            assert!(
                check_header(&other).is_err(),
                "{shards} of {shard_partitions}"
            );
        }
        let one = Header {
            shard_partitions: MAX_SHARD_PARTITIONS,
            shards: 1,
            ..header
        };
        assert!(check_header(&one).is_ok());
    }
}
