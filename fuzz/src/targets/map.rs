//! A level at work: the bytes as they are, and with checksums that fit again, as far
//! as its tables can be followed.
//!
//! Whatever the bytes say, every question ends soon, without a panic, and an answer is
//! one that an ending with as many cards may have.

use std::path::Path;

use setrograde_lookup::format::level_map::{HEADER_BYTES, shard_checksum};
use setrograde_lookup::format::manifest::map_path;
use setrograde_lookup::{Database, Level};
use xxhash_rust::xxh3::xxh3_64;

use super::level::survives;
use crate::golden::{CARDS, GOLDEN};

/// Endings that are asked about.
const QUESTIONS: usize = 20;

pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for golden in GOLDEN.iter() {
        for level in 1..=CARDS / 4 {
            let path = map_path(golden.directory.path(), level);
            seeds.push(std::fs::read(path).expect("a level at work"));
        }
    }
    seeds
}

pub fn run(input: &[u8]) {
    for bytes in [input.to_vec(), repaired(input)] {
        let Ok(level) = Level::new(Path::new("map"), bytes.clone().into()) else {
            continue;
        };
        if let number @ 1..=2 = level.level() {
            let database = Database::from_bytes([bytes]).expect("its level opens");
            survives(database, number, QUESTIONS);
        }
    }
}

/// The bytes with the checksums that belong to the header and to all shards whose places
/// lie within them, and with the length that they have.
pub fn repaired(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    if bytes.len() < HEADER_BYTES {
        return bytes;
    }
    let length = bytes.len() as u64;
    bytes[48..56].copy_from_slice(&length.to_le_bytes());
    let checksum = xxh3_64(&bytes[..56]).to_le_bytes();
    bytes[56..64].copy_from_slice(&checksum);
    let number = |bytes: &[u8], at: usize, length: usize| -> Option<usize> {
        let bytes = bytes.get(at..at.checked_add(length)?)?.iter().rev();
        let number = bytes.fold(0, |number, &byte| number << 8 | u64::from(byte));
        usize::try_from(number).ok()
    };
    let tables = |bytes: &[u8]| {
        let (size, partitions) = (number(bytes, 16, 4)?, number(bytes, 24, 8)?);
        let places = partitions.checked_mul(4)?.checked_next_multiple_of(8)? + HEADER_BYTES;
        (size > 0 && places < bytes.len()).then_some((size, partitions, places))
    };
    let Some((size, partitions, places)) = tables(&bytes) else {
        return bytes;
    };
    let shards = partitions.div_ceil(size);
    for shard in 0..shards {
        let checksum = (|| {
            let [start, end] = [0, 8].map(|next| number(&bytes, places + 8 * shard + next, 8));
            let first = HEADER_BYTES + 4 * size * shard;
            let end_of_roots = HEADER_BYTES + 4 * partitions.min(size * (shard + 1));
            let roots = bytes.get(first..end_of_roots)?;
            Some(shard_checksum(shard, roots, bytes.get(start?..end?)?))
        })();
        let at = places + 8 * (shards + 1) + 8 * shard;
        if let (Some(checksum), Some(place)) = (checksum, bytes.get_mut(at..at + 8)) {
            place.copy_from_slice(&checksum.to_le_bytes());
        }
    }
    bytes
}
