//! The bytes of journals and of files of chunks: a header, and a record for each shard.
//!
//! `docs/format.md` has the layout.

use std::io::{self, BufRead, BufReader, Read, Seek};

use setrograde_lookup::format::level_header::Entry;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::counts::ShardCounts;
use crate::files::is_blank;
use crate::shard::PackedShard;

/// Maximum bytes of a stream of a shard. More is damage.
pub(crate) const MOST_STREAM_BYTES: u64 = u32::MAX as u64;

/// Bytes of a record before its streams.
pub(crate) const RECORD_BYTES: usize = 8 * (7 + COUNTS + 1);
/// Counts in a record.
const COUNTS: usize = ShardCounts::FIELDS;

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

/// A kind of file with records.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileKind {
    /// The first bytes of such a file.
    pub(crate) magic: [u8; 8],
    /// The problem of a file that does not begin so.
    pub(crate) other: &'static str,
}

/// The version of journals and of files of chunks that this crate reads and writes.
const VERSION: u64 = 1;

impl FileKind {
    /// Bytes of a header with `more` numbers after the recipe.
    pub(crate) const fn header_bytes(more: usize) -> usize {
        8 * (2 + Recipe::FIELDS + more + 1)
    }

    /// Returns the first bytes of every file of this kind and version.
    pub(crate) fn start(&self) -> Vec<u8> {
        let mut bytes = self.magic.to_vec();
        push(&mut bytes, &[VERSION]);
        bytes
    }

    /// Returns a header: magic, version, recipe, `more` numbers, and a checksum.
    pub(crate) fn header(&self, recipe: &Recipe, more: &[u64]) -> Vec<u8> {
        let mut bytes = self.start();
        push(&mut bytes, &recipe.fields());
        push(&mut bytes, more);
        let checksum = xxh3_64(&bytes);
        push(&mut bytes, &[checksum]);
        bytes
    }

    /// Returns the recipe and the numbers after it in a complete header.
    ///
    /// # Errors
    ///
    /// A description of the damage.
    pub(crate) fn read<const MORE: usize>(
        &self,
        header: &[u8],
    ) -> Result<(Recipe, [u64; MORE]), &'static str> {
        let damaged = "its header is damaged";
        let numbered = header.strip_prefix(&self.magic).ok_or(self.other)?;
        if header.len() != FileKind::header_bytes(MORE) {
            return Err(self.other);
        }
        let [version] = numbers(numbered);
        if version != VERSION {
            return Err("it is of another version");
        }
        let (fields, checksum) = header.split_last_chunk::<8>().ok_or(damaged)?;
        if xxh3_64(fields) != u64::from_le_bytes(*checksum) {
            return Err(damaged);
        }
        let recipe = Recipe::from_fields(numbers(&numbered[8..]));
        Ok((recipe, numbers(&numbered[8 * (1 + Recipe::FIELDS)..])))
    }
}

/// The record of a shard, without its streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShardRecord {
    /// The number of the shard; `usize::MAX` for all numbers beyond.
    pub(crate) shard: usize,
    /// The first byte of the record in its file.
    pub(crate) offset: u64,
    /// The sizes and the checksum of the two compressed streams, which follow.
    pub(crate) entry: Entry,
    /// Hash of both streams before compression.
    pub(crate) content: u64,
    /// The contents of the shard, and the work on it.
    pub(crate) counts: ShardCounts,
}

/// Returns the bytes of a finished shard's record, streams included.
pub(crate) fn record_bytes(shard: usize, packed: &PackedShard) -> Vec<u8> {
    let record = ShardRecord {
        shard,
        offset: 0,
        entry: packed.entry(),
        content: packed.content,
        counts: packed.counts,
    };
    let mut bytes = record.to_bytes();
    bytes.extend(packed.streams.concat());
    bytes
}

impl ShardRecord {
    /// Reads the record that begins in byte `offset`; `None` if it is damaged.
    pub(crate) fn from_bytes(bytes: &[u8; RECORD_BYTES], offset: u64) -> Option<ShardRecord> {
        let (fields, head_checksum) = bytes.split_last_chunk::<8>()?;
        let (head, counts) = fields.split_at_checked(8 * 7)?;
        let [shard, a, b, c, d, content, checksum] = numbers(head);
        // Checked before the checksum, because most bytes that are not a record fail here.
        let [a, b, c, d] = [a, b, c, d].map(|bytes| u32::try_from(bytes).ok());
        let (stored, plain) = ([a?, b?], [c?, d?]);
        let is_sound = xxh3_64(fields) == u64::from_le_bytes(*head_checksum);
        let counts = ShardCounts::from_fields(numbers(counts));
        is_sound.then_some(ShardRecord {
            shard: usize::try_from(shard).unwrap_or(usize::MAX),
            offset,
            entry: Entry {
                offset: 0,
                checksum,
                stored,
                plain,
                nodes: counts.written as u32,
            },
            content,
            counts,
        })
    }

    /// Returns the bytes of the record, without its streams.
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let Entry {
            checksum,
            stored: [a, b],
            plain: [c, d],
            ..
        } = self.entry;
        let [a, b, c, d] = [a, b, c, d].map(u64::from);
        let mut bytes = Vec::with_capacity(RECORD_BYTES);
        let shard = match self.shard {
            usize::MAX => u64::MAX,
            shard => shard as u64,
        };
        let head = [shard, a, b, c, d, self.content, checksum];
        push(&mut bytes, &head);
        push(&mut bytes, &self.counts.fields());
        let head_checksum = xxh3_64(&bytes);
        push(&mut bytes, &[head_checksum]);
        bytes
    }

    /// The first byte after the record and its streams.
    pub(crate) fn end(&self) -> u64 {
        self.offset + RECORD_BYTES as u64 + self.entry.bytes()
    }
}

/// The reason why no record begins at an offset of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoRecord {
    /// The file ends before the record does.
    Cut,
    /// All bytes up to the end are zero, as after a power failure.
    Zeros,
    /// The bytes are damaged.
    Damaged,
}

/// Reads a file with records, from its start.
pub(crate) struct ShardRecords<'a, F: ?Sized> {
    reader: BufReader<&'a mut F>,
    length: u64,
    /// The first byte that is not read yet.
    pub(crate) offset: u64,
}

impl<'a, F: Read + Seek + ?Sized> ShardRecords<'a, F> {
    /// Reads a file of `length` bytes.
    pub(crate) fn new(file: &'a mut F, length: u64) -> ShardRecords<'a, F> {
        ShardRecords {
            reader: BufReader::with_capacity(1 << 20, file),
            length,
            offset: 0,
        }
    }

    /// Reads the next bytes: this many, or all up to the end of the file.
    pub(crate) fn bytes(&mut self, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let most = (count as u64).min(self.length - self.offset);
        self.reader.by_ref().take(most).read_to_end(&mut bytes)?;
        self.offset += bytes.len() as u64;
        Ok(bytes)
    }

    /// Reads the next record and, if `check` is true, compares the checksum of its streams.
    /// Nothing can be read after a [`NoRecord`].
    pub(crate) fn next(&mut self, check: bool) -> io::Result<Result<ShardRecord, NoRecord>> {
        let Some(left) = (self.length - self.offset).checked_sub(RECORD_BYTES as u64) else {
            return Ok(Err(NoRecord::Cut));
        };
        let mut head = [0; RECORD_BYTES];
        self.reader.read_exact(&mut head)?;
        let Some(record) = ShardRecord::from_bytes(&head, self.offset) else {
            let is_zero = is_blank(&head) && self.is_zero_to_the_end()?;
            let why = if is_zero {
                NoRecord::Zeros
            } else {
                NoRecord::Damaged
            };
            return Ok(Err(why));
        };
        let bytes = record.entry.bytes();
        if bytes > left {
            return Ok(Err(NoRecord::Cut));
        }
        if !check {
            self.reader.seek_relative(bytes.cast_signed())?;
        } else if self.checksum_of_next(bytes)? != record.entry.checksum {
            return Ok(Err(NoRecord::Damaged));
        }
        self.offset = record.end();
        Ok(Ok(record))
    }

    /// Returns true if all bytes from the next one on are zero.
    pub(crate) fn is_zero_to_the_end(&mut self) -> io::Result<bool> {
        loop {
            let part = self.reader.fill_buf()?;
            if part.is_empty() || !is_blank(part) {
                return Ok(part.is_empty());
            }
            let length = part.len();
            self.reader.consume(length);
        }
    }

    fn checksum_of_next(&mut self, bytes: u64) -> io::Result<u64> {
        let mut checksum = Xxh3::new();
        let mut left = bytes as usize;
        let mut buffer = [0; 1 << 14];
        while left > 0 {
            let part = &mut buffer[..left.min(1 << 14)];
            self.reader.read_exact(part)?;
            checksum.update(part);
            left -= part.len();
        }
        Ok(checksum.digest())
    }
}

fn push(bytes: &mut Vec<u8>, numbers: &[u64]) {
    for number in numbers {
        bytes.extend(number.to_le_bytes());
    }
}

/// Returns the first `N` little-endian numbers; missing ones are 0.
fn numbers<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut numbers = [0; N];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    numbers
}
