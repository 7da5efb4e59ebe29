//! The bytes of a journal: the finished shards of a level that a build is at.
//!
//! A journal is a header and then records, one a shard, in the order in which
//! the shards were finished. A record counts when it is whole and its checksums
//! fit: the writer may have been killed in the middle of one, or may still be
//! writing it. Damage costs the record that it hits: [`next_record`] finds the
//! one after it. Of two records of one shard the later one counts.
//! `docs/format.md` draws it.

use std::path::{Path, PathBuf};

use setrograde_lookup::format::manifest;
use xxhash_rust::xxh3::xxh3_64;

use crate::shard::{PackedShard, ShardCounts};

const MAGIC: [u8; 8] = *b"setrogj\n";
/// The version of the journal that this crate reads and writes.
const VERSION: u64 = 1;
/// Bytes of the two streams of a shard, at most: more is damage.
const MOST_STREAM_BYTES: u64 = u32::MAX as u64;

/// Bytes of the header.
pub const HEADER_BYTES: usize = 8 * (2 + Recipe::FIELDS + 1);
/// Bytes of a record before its streams.
pub const RECORD_BYTES: usize = 8 * (7 + COUNTS + 1);
/// Counts in a record.
pub const COUNTS: usize = ShardCounts::FIELDS;

/// The directory of the journals of a level, in a database's directory.
#[must_use]
pub fn work_directory(database: &Path, level: usize) -> PathBuf {
    manifest::level_path(database, level).with_extension("work")
}

/// All that the bytes of a shard depend on: only shards of one recipe make a
/// level together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// Cards per hand.
    pub level: u64,
    /// The kind of payload, see [`level_header`](setrograde_lookup::format::level_header).
    pub payload: u64,
    /// Partitions in a shard.
    pub shard_partitions: u64,
    /// The checksum of the level below; 0 if there is none.
    pub below: u64,
    /// Hash of the program's version and of the method.
    pub builder: u64,
}

impl Recipe {
    const FIELDS: usize = 5;

    fn fields(&self) -> [u64; Self::FIELDS] {
        [
            self.level,
            self.payload,
            self.shard_partitions,
            self.below,
            self.builder,
        ]
    }

    /// The difference of another recipe from this one; `None` if they agree.
    fn difference(&self, other: &Recipe) -> Option<&'static str> {
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
pub struct Record {
    /// The number of the shard.
    pub shard: u64,
    /// Bytes of the two compressed streams, which follow.
    pub stored: [u64; 2],
    /// Their bytes before compression.
    pub plain: [u64; 2],
    /// Hash of both streams before compression.
    pub content: u64,
    /// Hash of both streams as they are stored.
    pub checksum: u64,
    /// Partitions, sets, nodes, nodes written, nodes of the largest diagram or
    /// tree; then what counts the work.
    pub counts: [u64; COUNTS],
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
    #[must_use]
    pub fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
        let (fields, head_checksum) = bytes.split_last_chunk::<8>()?;
        let (head, counts) = fields.split_at_checked(8 * 7)?;
        let [shard, a, b, c, d, content, checksum] = numbers(head);
        // Before the checksum: most bytes that are not a head fail here.
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
    #[must_use]
    pub fn to_bytes(self, streams: [&[u8]; 2]) -> Vec<u8> {
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

    /// A record that holds no shard, in place of `bytes` damaged ones; `checksum` is
    /// that of those after its head. `None` if they are too few or too many.
    #[must_use]
    pub fn void(bytes: u64, checksum: u64) -> Option<Record> {
        let streams = bytes.checked_sub(RECORD_BYTES as u64)?;
        let first = streams.min(MOST_STREAM_BYTES);
        let stored = [first, streams - first];
        (stored[1] <= MOST_STREAM_BYTES).then_some(Record {
            shard: Self::NO_SHARD,
            stored,
            plain: [0, 0],
            content: 0,
            checksum,
            counts: [0; COUNTS],
        })
    }

    /// The number of the shard in a record that holds none.
    pub const NO_SHARD: u64 = u64::MAX;

    /// The bytes of both streams.
    #[must_use]
    pub fn stream_bytes(&self) -> u64 {
        self.stored[0].saturating_add(self.stored[1])
    }
}

/// Finds the first sound head of a record at or after byte `at` of a journal of
/// `length` bytes, such that the whole record lies in the journal. Returns its
/// offset and the record.
///
/// In a sound journal that is the record at `at`. After damage it is the next
/// one, wherever that lies. `read` returns that many bytes of the journal from an
/// offset on.
///
/// # Errors
///
/// Those of `read`.
pub fn next_record<B: AsRef<[u8]>, E>(
    mut at: u64,
    length: u64,
    mut read: impl FnMut(u64, usize) -> Result<B, E>,
) -> Result<Option<(u64, Record)>, E> {
    // Just the head at first: in a sound journal there is no search.
    let mut window = RECORD_BYTES;
    while at + RECORD_BYTES as u64 <= length {
        let bytes = read(at, window.min((length - at) as usize))?;
        for head in bytes.as_ref().windows(RECORD_BYTES) {
            if let Some(record) = head.first_chunk().and_then(Record::from_bytes)
                && record.stream_bytes() <= length - at - RECORD_BYTES as u64
            {
                return Ok(Some((at, record)));
            }
            at += 1;
        }
        window = 1 << 16;
    }
    Ok(None)
}

/// The bytes of a header.
#[must_use]
pub fn header_bytes(recipe: &Recipe) -> Vec<u8> {
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
/// What is wrong with the header.
pub fn read_header(bytes: &[u8; HEADER_BYTES]) -> Result<Recipe, &'static str> {
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
    let [level, payload, shard_partitions, below, builder] = numbers(&fields[8..]);
    Ok(Recipe {
        level,
        payload,
        shard_partitions,
        below,
        builder,
    })
}

/// Checks that a header is that of a recipe.
///
/// # Errors
///
/// What is wrong with it, or how its recipe differs.
pub fn check_header(bytes: &[u8; HEADER_BYTES], recipe: &Recipe) -> Result<(), &'static str> {
    let found = read_header(bytes)?;
    recipe.difference(&found).map_or(Ok(()), Err)
}

fn push(bytes: &mut Vec<u8>, numbers: &[u64]) {
    for number in numbers {
        bytes.extend(number.to_le_bytes());
    }
}

/// The first `N` little-endian numbers; those that are not there are 0.
fn numbers<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut numbers = [0; N];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    numbers
}
