//! A mapped level that no program wrote, with matching checksums.

use setrograde_endgame::matrix::RELATIVES;
use setrograde_lookup::format::level_map::{
    BlockHead, CHECKSUM, ENTRIES, HEADER_BYTES, IndexEntry, LINE_BYTES, MapHeader, SMALL_BLOCK,
    block_checksum, line_checksum,
};
use xxhash_rust::xxh3::xxh3_64;

/// Corrects the checksums and the length in the header, as far as the parts lie within the file.
/// Changes no other bytes.
pub fn repair(bytes: &mut [u8]) {
    let Some(end) = bytes
        .len()
        .checked_sub(16)
        .filter(|&end| end >= HEADER_BYTES)
    else {
        return;
    };
    bytes[48..56].copy_from_slice(&(end as u64).to_le_bytes());
    let checksum = xxh3_64(&bytes[..56]).to_le_bytes();
    bytes[56..64].copy_from_slice(&checksum);
    let Ok(header) = MapHeader::read(bytes) else {
        return;
    };
    for line in 0..header.lines as usize {
        let first = HEADER_BYTES + LINE_BYTES * line;
        let checksum = line_checksum(line, &bytes[first + 8..first + LINE_BYTES]);
        bytes[first..first + 8].copy_from_slice(&checksum.to_le_bytes());
        for entry in 0..ENTRIES {
            let at = first + 8 + 8 * entry;
            let entry = IndexEntry::read(*bytes[at..].first_chunk().expect("eight bytes"));
            let block = entry.map_or(0, IndexEntry::block);
            if block >= header.blocks_at() && block + header.block().bytes() <= end {
                repair_block(bytes, header.block(), block, end);
            }
        }
    }
}

fn repair_block(bytes: &mut [u8], head: BlockHead, block: usize, end: usize) {
    let mut offsets = [0; RELATIVES + 1];
    for (relative, offset) in offsets.iter_mut().enumerate() {
        let bytes = &bytes[block + head.offset_at(relative)..][..head.offset_bytes];
        let add = |number, &byte| number << 8 | usize::from(byte);
        *offset = bytes.iter().rev().fold(0, add);
    }
    let mut fit = |first: usize, last: usize, at: usize| {
        if first <= last && block + last <= end {
            let checksum = block_checksum(block + first, &bytes[block + first..block + last]);
            bytes[block + at..block + at + CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        }
    };
    let size = offsets[RELATIVES];
    if size <= SMALL_BLOCK {
        fit(CHECKSUM, size, 0);
        return;
    }
    // The checksums of the diagrams are before their roots, perhaps in the head.
    for &root in offsets[..RELATIVES]
        .iter()
        .filter(|&&root| root >= CHECKSUM)
    {
        let next = offsets.iter().filter(|&&next| next > root).min();
        let last = next.map_or(
            root,
            |&next| if next == size { next } else { next - CHECKSUM },
        );
        fit(root, last, root - CHECKSUM);
    }
    fit(CHECKSUM, head.bytes(), 0);
}
