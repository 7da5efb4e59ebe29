//! The bytes of a journal: its header and the head of a record.

use xxhash_rust::xxh3::xxh3_64;

use crate::shard::PackedShard;
use crate::shard::counts::ShardCounts;

const MAGIC: [u8; 8] = *b"setrogj\n";
/// The version of the journal that this program reads and writes.
const VERSION: u64 = 1;
/// Bytes of the two streams of a shard, at most: more is damage.
const MOST_STREAM_BYTES: u64 = u32::MAX as u64;

pub(super) const HEADER_BYTES: usize = 8 * (2 + Recipe::FIELDS + 1);
pub(super) const RECORD_BYTES: usize = 8 * (7 + ShardCounts::FIELDS + 1);

/// All that the bytes of a shard depend on: only shards of one recipe make a
/// level together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// Cards per hand.
    pub(crate) level: u64,
    /// The kind of payload, see [`setrograde_lookup::format::level_header`].
    pub(crate) payload: u64,
    /// Partitions in a shard.
    pub(crate) shard_partitions: u64,
    /// The checksum of the level below; 0 if there is none.
    pub(crate) below: u64,
    /// Hash of the program's version and of the method.
    pub(crate) builder: u64,
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

    /// How another recipe differs from this one, if it does.
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

/// What stands before a shard's streams.
pub(super) struct Record {
    pub(super) shard: u64,
    pub(super) stored: [u64; 2],
    pub(super) plain: [u64; 2],
    pub(super) content: u64,
    pub(super) checksum: u64,
    pub(super) counts: ShardCounts,
}

impl Record {
    pub(super) fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
        let (fields, checksum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(fields) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let (head, counts) = fields.split_at_checked(8 * 7)?;
        let [shard, a, b, c, d, content, checksum] = numbers(head);
        let fit = [a, b, c, d].iter().all(|&bytes| bytes <= MOST_STREAM_BYTES);
        fit.then_some(Record {
            shard,
            stored: [a, b],
            plain: [c, d],
            content,
            checksum,
            counts: ShardCounts::from_fields(numbers(counts)),
        })
    }
}

pub(super) fn record_bytes(shard: usize, packed: &PackedShard) -> Vec<u8> {
    let [a, b] = packed.streams.each_ref().map(|stream| stream.len() as u64);
    let [c, d] = packed.plain.map(|length| length as u64);
    let head = [shard as u64, a, b, c, d, packed.content, packed.checksum()];
    let mut bytes = Vec::with_capacity(RECORD_BYTES + (a + b) as usize);
    push(&mut bytes, &head);
    push(&mut bytes, &packed.counts.fields());
    let head_checksum = xxh3_64(&bytes);
    push(&mut bytes, &[head_checksum]);
    for stream in &packed.streams {
        bytes.extend_from_slice(stream);
    }
    bytes
}

pub(super) fn header_bytes(recipe: &Recipe) -> Vec<u8> {
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
pub(super) fn read_header(bytes: &[u8; HEADER_BYTES]) -> Result<Recipe, &'static str> {
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
pub(super) fn check_header(
    bytes: &[u8; HEADER_BYTES],
    recipe: &Recipe,
) -> Result<(), &'static str> {
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
