//! The parts of a mapped level: header, index, and the blocks with the diagrams.
//!
//! `docs/format.md` draws the file byte by byte. All numbers are little-endian.

use setrograde_endgame::diagram::PADDING;
use setrograde_endgame::matrix::{Matrix, RELATIVES};
use setrograde_endgame::partition_index::partition_count;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::level_header::{DEEPEST, Fields, HeaderError, impossible};

/// The first eight bytes of every mapped level.
pub const MAGIC: [u8; 8] = *b"setrogw\n";
/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 4;
/// Bytes of the header.
pub const HEADER_BYTES: usize = 64;
/// Bytes of a line of the index: a checksum, and the entries of seven matrices.
pub const LINE_BYTES: usize = 64;
/// The entries of a line.
pub const ENTRIES: usize = 7;
/// The bytes of a checksum in a block.
pub const CHECKSUM: usize = 4;
/// Maximum size in bytes of a block with a single checksum. In a larger one each diagram has its own.
pub const SMALL_BLOCK: usize = 1024;
/// The kinds of level that the header names: an exact one, and a coarse one.
const EXACT: u32 = 1;
const COARSE: u32 = 2;

/// The header of a mapped level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapHeader {
    /// Cards per hand, 1..=8.
    pub level: u32,
    /// The seed with which matrices are found in the index.
    pub seed: u16,
    /// Lines of the index.
    pub lines: u32,
    /// Partitions of the level.
    pub partitions: u64,
    /// Partitions of a coarse level of which anything is known; `None` if the level is exact.
    pub known: Option<u64>,
    /// The checksum of the compressed level that it was made from.
    pub source: u64,
    /// The first byte after the blocks.
    pub end: u64,
}

impl MapHeader {
    /// The first byte of the blocks.
    pub fn blocks_at(&self) -> usize {
        HEADER_BYTES + LINE_BYTES * self.lines as usize
    }

    /// Returns the size of the file in bytes. It ends with unused bytes, so the maximum size of a
    /// node can be read from any offset.
    pub fn bytes(&self) -> u64 {
        self.end + PADDING as u64
    }

    /// The bytes of the header.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.level.to_le_bytes());
        bytes.extend(self.lines.to_le_bytes());
        let kind = if self.known.is_some() { COARSE } else { EXACT };
        bytes.extend(kind.to_le_bytes());
        bytes.extend(self.partitions.to_le_bytes());
        let known = self.known.unwrap_or(self.partitions);
        bytes.extend((known | u64::from(self.seed) << 48).to_le_bytes());
        bytes.extend(self.source.to_le_bytes());
        bytes.extend(self.end.to_le_bytes());
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the header of a mapped level, given all its bytes.
    ///
    /// # Errors
    ///
    /// A [`HeaderError`] if the header is damaged. Nothing else is read.
    pub fn read(bytes: &[u8]) -> Result<MapHeader, HeaderError> {
        MapHeader::read_head(bytes, bytes.len() as u64)
    }

    /// Reads the header from the first bytes of a file that has `found` bytes.
    pub(crate) fn read_head(bytes: &[u8], found: u64) -> Result<MapHeader, HeaderError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(HeaderError::Magic);
        }
        let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
            let expected = HEADER_BYTES as u64;
            return Err(HeaderError::Length { found, expected });
        };
        let mut fields = Fields(&header[MAGIC.len()..]);
        let [version, level, lines, kind] = [(); 4].map(|()| fields.u32());
        let [partitions, known, source, end, checksum] = [(); 5].map(|()| fields.u64());
        if version != VERSION {
            return Err(HeaderError::Version(version));
        }
        if xxh3_64(&header[..HEADER_BYTES - 8]) != checksum {
            return Err(HeaderError::Checksum);
        }
        let (known, seed) = (known & ((1 << 48) - 1), (known >> 48) as u16);
        let is_coarse = kind == COARSE;
        if kind != EXACT && !is_coarse {
            return impossible("kind of level", kind);
        }
        if !(1..=DEEPEST).contains(&level) {
            return impossible("level", level);
        }
        if partitions != partition_count(level as usize) as u64 {
            return impossible("number of partitions", partitions);
        }
        if known > partitions || known < partitions && !is_coarse {
            return impossible("number of partitions known", known);
        }
        let header = MapHeader {
            level,
            seed,
            lines,
            partitions,
            known: is_coarse.then_some(known),
            source,
            end,
        };
        if lines == 0 || !(header.blocks_at() as u64..1 << 40).contains(&end) {
            return impossible("end of the blocks", end);
        }
        let expected = header.bytes();
        if found != expected {
            return Err(HeaderError::Length { found, expected });
        }
        Ok(header)
    }
}

/// A matrix's slot in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexSlot {
    /// The line where the search for it begins.
    pub line: usize,
    /// The bits that distinguish it from other matrices in those lines.
    pub tag: u64,
}

/// An entry of the index. 0 is an empty entry, and ends a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexEntry(u64);

/// The bits of a block's offset. The remaining bits hold the tag.
const OFFSET: u32 = 40;

impl IndexEntry {
    /// The entry in these bytes, if there is one.
    #[inline]
    pub fn read(bytes: [u8; 8]) -> Option<IndexEntry> {
        match u64::from_le_bytes(bytes) {
            0 => None,
            bits => Some(IndexEntry(bits)),
        }
    }

    /// The bytes of the entry.
    pub fn to_bytes(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// Returns the entry of a matrix, given the first byte of its block and its tag.
    pub(crate) fn new(block: u64, tag: u64) -> IndexEntry {
        IndexEntry(block | tag << OFFSET)
    }

    /// The first byte of the block.
    #[inline]
    pub fn block(self) -> usize {
        (self.0 & ((1 << OFFSET) - 1)) as usize
    }

    /// The tag of the matrix.
    #[inline]
    pub(crate) fn tag(self) -> u64 {
        self.0 >> OFFSET
    }
}

/// The hash that spreads matrices over the lines of a level's index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexHash {
    seed: u64,
    lines: u64,
}

impl MapHeader {
    /// Returns the hash of this level's index.
    pub(crate) fn index(&self) -> IndexHash {
        IndexHash {
            seed: self.seed.into(),
            lines: self.lines.into(),
        }
    }
}

impl IndexHash {
    /// Returns a matrix's slot in the index.
    #[inline]
    pub(crate) fn slot(&self, matrix: Matrix) -> IndexSlot {
        let mixed = (matrix.bits() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mixed = mixed ^ mixed >> 32;
        IndexSlot {
            line: (((mixed >> 32) * self.lines) >> 32) as usize,
            tag: mixed & (u64::MAX >> OFFSET),
        }
    }
}

/// The checksum of a line of the index: of its number and its entries.
pub fn line_checksum(line: usize, entries: &[u8]) -> u64 {
    xxh3_64_with_seed(entries, line as u64)
}

/// The first byte of the bounds in a block, after the checksum of the head.
const BOUNDS: usize = CHECKSUM;
/// The first byte of the offsets in a block.
const OFFSETS: usize = BOUNDS + RELATIVES;

/// The head of a block: a checksum, the bounds of each diagram of a matrix, the offset of each
/// diagram's root, and the size of the block. The checksum covers the entire block after it, or
/// only the head if the block is larger than [`SMALL_BLOCK`]. In this case another checksum is
/// directly before each root, and covers the nodes of the diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockHead {
    /// The bytes of an offset.
    pub offset_bytes: usize,
}

impl MapHeader {
    /// The head of this level's blocks.
    pub fn block(&self) -> BlockHead {
        // Blocks of 28 exact cards may have more than 16 MiB.
        let is_large = self.level >= 7 && self.known.is_none();
        BlockHead {
            offset_bytes: if is_large { 4 } else { 3 },
        }
    }
}

impl BlockHead {
    /// Returns the offset in the block of the bounds of a diagram.
    #[inline]
    pub fn bounds_at(&self, diagram: usize) -> usize {
        BOUNDS + diagram
    }

    /// Returns where the offset of a diagram's root is stored, which is 0 for a diagram without
    /// nodes; for [`RELATIVES`], where the size of the block is stored.
    #[inline]
    pub fn offset_at(&self, diagram: usize) -> usize {
        OFFSETS + self.offset_bytes * diagram
    }

    /// The bytes of the head, after which the diagrams begin.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.offset_at(RELATIVES + 1)
    }
}

/// Returns the checksum of a block's bytes, which begin at byte `first` of the file.
pub fn block_checksum(first: usize, bytes: &[u8]) -> u32 {
    xxh3_64_with_seed(bytes, first as u64) as u32
}
