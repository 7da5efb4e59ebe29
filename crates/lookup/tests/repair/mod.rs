//! A mapped level that no program wrote, with matching checksums.

use setrograde_lookup::format::level_map::{
    BlockLayout, CHECKSUM, ENTRIES, HEADER_BYTES, IndexEntry, LINE_BYTES, MapHeader,
    block_checksum, line_checksum,
};
use xxhash_rust::xxh3::xxh3_64;

/// Makes the checksums fit, and the length in the header, as far as what else is there
/// lies within the file. Changes no other bytes.
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
            let block = entry.map_or(0, IndexEntry::place);
            if block >= header.blocks_at() && block + header.block().head() <= end {
                repair_block(bytes, header.block(), block, end);
            }
        }
    }
}

fn repair_block(bytes: &mut [u8], layout: BlockLayout, block: usize, end: usize) {
    let place = |bytes: &[u8], at: usize| {
        let bytes = &bytes[block + layout.place_at(at)..][..layout.place];
        block
            + bytes
                .iter()
                .rev()
                .fold(0, |n, &byte| n << 8 | usize::from(byte))
    };
    let fit = |bytes: &mut [u8], first: usize, last: usize, at: usize| {
        if first <= last && last <= end {
            let checksum = block_checksum(first, &bytes[first..last]);
            bytes[block + at..block + at + CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        }
    };
    if layout.separate {
        for diagram in 0..layout.diagrams {
            let (first, last) = (place(bytes, diagram), place(bytes, diagram + 1));
            fit(bytes, first, last, layout.checksum_at(diagram));
        }
        fit(bytes, block + CHECKSUM, block + layout.head(), 0);
    } else {
        let last = place(bytes, layout.diagrams);
        fit(bytes, block + CHECKSUM, last, 0);
    }
}
