//! The bytes of a level's file: header, shard index, shards.
//!
//! `docs/format.md` draws the file byte by byte. All numbers are little-endian.

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

pub use super::head::{DIAGRAMS, Entry, Header, HeaderError, TREES};
use super::limits::{check_entry, check_header};

/// The first eight bytes of every level file.
pub const MAGIC: [u8; 8] = *b"setrogr\n";
/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 2;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 72;
/// Bytes of one entry of the shard index.
pub const ENTRY_BYTES: usize = 40;
/// Where the number of shards stands in the header.
const SHARDS_AT: usize = 32;

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

/// How many bytes of a file are header and index, told from the first
/// [`HEADER_BYTES`] of the file (or all, if it has fewer) and from its length.
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

/// Reads and checks the header and the index, `head`, of a file of that
/// `length`. Returns them and their checksum, which stands for the whole file:
/// it covers every shard's checksum.
///
/// # Errors
///
/// Whatever is wrong with them. Shards are not read, but none may promise more
/// than it can hold.
pub fn read_head(head: &[u8], length: u64) -> Result<(Header, Vec<Entry>, u64), HeaderError> {
    let expected = head_length(&head[..head.len().min(HEADER_BYTES)], length)?;
    if head.len() != expected {
        return Err(HeaderError::Length {
            found: head.len() as u64,
            expected: expected as u64,
        });
    }
    let mut fields = Fields(&head[MAGIC.len() + 4..]);
    let level = fields.u32();
    let payload = fields.u32();
    let shard_partitions = fields.u32();
    let partitions = fields.u64();
    let shards = fields.u32();
    let _padding = fields.u32();
    let header = Header {
        level,
        payload,
        partitions,
        shard_partitions,
        shards,
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
    let mut entries = Vec::with_capacity(shards as usize);
    let mut offset = head.len() as u64;
    for shard in 0..u64::from(shards) {
        let entry = Entry {
            offset: fields.u64(),
            checksum: fields.u64(),
            stored: [fields.u32(), fields.u32()],
            plain: [fields.u32(), fields.u32()],
            nodes: fields.u32(),
        };
        let _padding = fields.u32();
        if entry.offset != offset {
            return Err(HeaderError::Field {
                field: "shard offset",
                value: entry.offset,
            });
        }
        let first = shard * u64::from(shard_partitions);
        let partitions = (partitions - first).min(u64::from(shard_partitions));
        check_entry(&entry, payload, partitions)?;
        offset += entry.bytes();
        entries.push(entry);
    }
    if length != offset {
        return Err(HeaderError::Length {
            found: length,
            expected: offset,
        });
    }
    Ok((header, entries, checksum))
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
    fn what_is_written_is_read_again() -> Result<(), HeaderError> {
        let (header, entries) = sample();
        let (mut file, checksum) = head_bytes(&header, &entries);
        assert_eq!(file.len(), HEADER_BYTES + 2 * ENTRY_BYTES);
        file.extend([0; 7]);
        let (header_again, entries_again, checksum_again) = read(&file)?;
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
            assert!(read(&file).is_err(), "bit {bit}");
            file[bit / 8] ^= 1 << (bit % 8);
        }
        file.extend([0; 7]);
        assert!(read(&file).is_ok());
        for length in 0..file.len() {
            assert!(read(&file[..length]).is_err(), "{length} bytes");
        }
        file.push(0);
        assert!(read(&file).is_err());
    }
}
