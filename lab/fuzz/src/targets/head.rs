//! Header and index of a level: raw bytes, and with a sound
//! checksum.

use setrograde_lookup::format::level_header::{ENTRY_BYTES, HEADER_BYTES, head_bytes};
use xxhash_rust::xxh3::xxh3_64;

use crate::golden::{GOLDEN, read_file_head};

pub fn seeds() -> Vec<Vec<u8>> {
    let levels = GOLDEN.iter().flat_map(|golden| &golden.levels);
    levels.map(|level| level.file.clone()).collect()
}

pub fn run(input: &[u8]) {
    for bytes in [input.to_vec(), repaired(input)] {
        if let Ok((header, entries, checksum)) = read_file_head(&bytes) {
            let (again, same) = head_bytes(&header, &entries);
            // Padding is not kept.
            if bytes.starts_with(&again) {
                assert_eq!(same, checksum);
            }
        }
    }
}

/// The file with the checksum that belongs to its head.
pub fn repaired(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    let Some(shards) = bytes.get(32..36) else {
        return bytes;
    };
    let shards = u32::from_le_bytes([shards[0], shards[1], shards[2], shards[3]]) as usize;
    let head = HEADER_BYTES.saturating_add(ENTRY_BYTES.saturating_mul(shards));
    if head <= bytes.len() {
        bytes[HEADER_BYTES - 8..HEADER_BYTES].fill(0);
        let checksum = xxh3_64(&bytes[..head]).to_le_bytes();
        bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&checksum);
    }
    bytes
}
