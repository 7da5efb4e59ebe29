//! The bytes of a segment of a journal.
//!
//! A segment is a header, followed by one record for each shard in the order of completion. If a
//! shard has two records, the later one is valid. `docs/format.md` has the layout.

use std::path::{Path, PathBuf};

use setrograde_lookup::format::manifest;
use xxhash_rust::xxh3::xxh3_64;

use crate::counts::ShardCounts;
use crate::shard::PackedShard;

const MAGIC: [u8; 8] = *b"setrogj\n";
/// The version of the journal that this crate reads and writes.
const VERSION: u64 = 1;
/// Maximum bytes of a stream of a shard. More is damage.
pub(crate) const MOST_STREAM_BYTES: u64 = u32::MAX as u64;

/// Bytes of the header.
pub(crate) const HEADER_BYTES: usize = 8 * (2 + Recipe::FIELDS + 1);
/// Bytes of a record before its streams.
pub(crate) const RECORD_BYTES: usize = 8 * (7 + COUNTS + 1);
/// Counts in a record.
pub(crate) const COUNTS: usize = ShardCounts::FIELDS;

/// The directory of the journals of a level, in a database's directory.
pub(crate) fn work_directory(database: &Path, level: usize) -> PathBuf {
    manifest::level_path(database, level).with_extension("work")
}

/// Everything that the bytes of a shard depend on. All shards of a level have the same recipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// Cards per hand.
    pub(crate) level: u64,
    /// The kind of payload, see [`level_header`](setrograde_lookup::format::level_header),
    /// and in the upper half the grain of a coarse level.
    pub(crate) payload: u64,
    /// Partitions in a shard.
    pub(crate) shard_partitions: u64,
    /// The checksum of the level below; 0 if there is none.
    pub(crate) below: u64,
    /// Hash of the program's version and of the method.
    pub(crate) builder: u64,
}

impl Recipe {
    pub(crate) const FIELDS: usize = 5;

    pub(crate) fn fields(&self) -> [u64; Self::FIELDS] {
        [
            self.level,
            self.payload,
            self.shard_partitions,
            self.below,
            self.builder,
        ]
    }

    pub(crate) fn from_fields(fields: [u64; Self::FIELDS]) -> Recipe {
        let [level, payload, shard_partitions, below, builder] = fields;
        Recipe {
            level,
            payload,
            shard_partitions,
            below,
            builder,
        }
    }

    /// Returns how another recipe differs from this one; `None` if they are equal.
    pub(crate) fn difference(&self, other: &Recipe) -> Option<&'static str> {
        const NAMES: [&str; Recipe::FIELDS] = [
            "it holds another level",
            "it was made by another method",
            "its shards have another size",
            "it was made from another level below",
            "it was made by another version of the program, or another method",
        ];
        let (own, other) = (self.fields(), other.fields());
        let differs = |&at: &usize| own[at] != other[at];
        (0..Self::FIELDS).find(differs).map(|at| NAMES[at])
    }
}

/// The numbers that precede a shard's streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record {
    /// The number of the shard.
    pub(crate) shard: u64,
    /// Bytes of the two compressed streams, which follow.
    pub(crate) stored: [u64; 2],
    /// Their bytes before compression.
    pub(crate) plain: [u64; 2],
    /// Hash of both streams before compression.
    pub(crate) content: u64,
    /// Hash of both compressed streams.
    pub(crate) checksum: u64,
    /// Partitions, sets, nodes, nodes written, nodes of the largest diagram or tree; then the
    /// counts of the work.
    pub(crate) counts: [u64; COUNTS],
}

/// The bytes of a finished shard's record, streams included.
pub(crate) fn record_bytes(shard: usize, packed: &PackedShard) -> Vec<u8> {
    let record = Record {
        shard: shard as u64,
        stored: packed.streams.each_ref().map(|stream| stream.len() as u64),
        plain: packed.plain.map(|length| length as u64),
        content: packed.content,
        checksum: packed.entry().checksum,
        counts: packed.counts.fields(),
    };
    record.to_bytes(packed.streams.each_ref().map(Vec::as_slice))
}

impl Record {
    /// The record in these bytes; `None` if they are damaged.
    pub(crate) fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
        let (fields, head_checksum) = bytes.split_last_chunk::<8>()?;
        let (head, counts) = fields.split_at_checked(8 * 7)?;
        let [shard, a, b, c, d, content, checksum] = numbers(head);
        // Checked before the checksum, because most bytes that are not a record fail here.
        let fit = [a, b, c, d].iter().all(|&bytes| bytes <= MOST_STREAM_BYTES);
        let is_sound = fit && xxh3_64(fields) == u64::from_le_bytes(*head_checksum);
        is_sound.then_some(Record {
            shard,
            stored: [a, b],
            plain: [c, d],
            content,
            checksum,
            counts: numbers(counts),
        })
    }

    /// The bytes of the record and of its two streams.
    pub(crate) fn to_bytes(self, streams: [&[u8]; 2]) -> Vec<u8> {
        let [a, b] = self.stored;
        let [c, d] = self.plain;
        let head = [self.shard, a, b, c, d, self.content, self.checksum];
        let mut bytes = Vec::with_capacity(RECORD_BYTES + self.stream_bytes() as usize);
        push(&mut bytes, &head);
        push(&mut bytes, &self.counts);
        let head_checksum = xxh3_64(&bytes);
        push(&mut bytes, &[head_checksum]);
        bytes.extend(streams.concat());
        bytes
    }

    /// The bytes of both streams.
    pub(crate) fn stream_bytes(&self) -> u64 {
        self.stored[0].saturating_add(self.stored[1])
    }
}

/// The bytes of a header.
pub(crate) fn header_bytes(recipe: &Recipe) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    push(&mut bytes, &[VERSION]);
    push(&mut bytes, &recipe.fields());
    let checksum = xxh3_64(&bytes);
    push(&mut bytes, &[checksum]);
    bytes
}

/// The recipe in a header.
///
/// # Errors
///
/// A description of the damage.
pub(crate) fn read_header(bytes: &[u8; HEADER_BYTES]) -> Result<Recipe, &'static str> {
    let damaged = "its header is damaged";
    let (fields, checksum) = bytes.split_last_chunk::<8>().ok_or(damaged)?;
    let fields = fields.strip_prefix(&MAGIC).ok_or("it is not a journal")?;
    let [version] = numbers(fields);
    if version != VERSION {
        return Err("it is of another version");
    }
    if xxh3_64(&bytes[..HEADER_BYTES - 8]) != u64::from_le_bytes(*checksum) {
        return Err(damaged);
    }
    Ok(Recipe::from_fields(numbers(&fields[8..])))
}

/// Returns true if these bytes begin like a segment of this version, or are all zero, as after a
/// power failure.
pub(crate) fn is_begun(bytes: &[u8]) -> bool {
    let mut start = MAGIC.to_vec();
    push(&mut start, &[VERSION]);
    let common = bytes.len().min(start.len());
    bytes[..common] == start[..common] || bytes.iter().all(|&byte| byte == 0)
}

/// Checks that a header has this recipe.
///
/// # Errors
///
/// A description of its damage, or of how its recipe differs.
pub(crate) fn check_header(
    bytes: &[u8; HEADER_BYTES],
    recipe: &Recipe,
) -> Result<(), &'static str> {
    let found = read_header(bytes)?;
    recipe.difference(&found).map_or(Ok(()), Err)
}

pub(crate) fn push(bytes: &mut Vec<u8>, numbers: &[u64]) {
    for number in numbers {
        bytes.extend(number.to_le_bytes());
    }
}

/// Returns the first `N` little-endian numbers; missing ones are 0.
pub(crate) fn numbers<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut numbers = [0; N];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    numbers
}
