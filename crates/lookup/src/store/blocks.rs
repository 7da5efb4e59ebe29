//! The blocks of a mapped level: a matrix's diagrams.

use std::ops::Range;

use setrograde_endgame::diagram::{Bounds, Diagram, prefetch};
use setrograde_endgame::matrix::RELATIVES;

use super::index::MatrixBlock;
use super::map_file::MapFile;
use crate::bytes::Bits;
use crate::error::Error;
use crate::format::level_map::{BlockHead, CHECKSUM, MapHeader, SMALL_BLOCK};

/// The blocks of a level. Each head and each diagram is checked at its first use; every offset is
/// checked at every use.
#[derive(Debug)]
pub(super) struct Blocks {
    head: BlockHead,
    /// By entry of the index: whether the checksum of the head matched, and those of the diagrams.
    sound: Bits,
}

/// Number of bits in [`Blocks::sound`] for each entry of the index.
const BITS: usize = 1 + RELATIVES;

/// The location of a diagram in the file, from the checked head of its block.
#[derive(Debug)]
pub(super) struct DiagramSpan {
    /// The minimum and maximum value, encoded as in an edge.
    pub bounds: u8,
    /// The first byte of the root; `None` if the bounds are the entire diagram.
    pub root: Option<usize>,
    /// The first byte of the block.
    block: usize,
    /// The bit of the diagram in [`Blocks::sound`].
    bit: usize,
}

impl DiagramSpan {
    /// The span of a diagram that is not in the file.
    pub(super) const MISSING: DiagramSpan = DiagramSpan {
        bounds: bounds_byte(Bounds::NOTHING),
        root: None,
        block: 0,
        bit: 0,
    };

    /// Returns false if the partition does not exist, or a coarse level knows nothing about it.
    #[inline]
    pub(super) fn exists(&self) -> bool {
        let Bounds { lo, hi } = bounds_of(self.bounds);
        lo <= hi
    }
}

impl Blocks {
    /// Returns the blocks of a level whose index has at most this number of entries.
    pub(super) fn new(header: &MapHeader, entries: usize) -> Blocks {
        Blocks {
            head: header.block(),
            sound: Bits::new(BITS * entries),
        }
    }

    /// Prefetches the bytes of a block's head that [`span`](Self::span) reads.
    #[inline]
    pub(super) fn prefetch(&self, file: &MapFile, block: MatrixBlock, relative: usize) {
        for at in [self.head.bounds_at(relative), self.head.offset_at(relative)] {
            prefetch(&file.bytes, block.first + at, 1);
        }
    }

    /// The bytes of a block's head.
    pub(super) fn head(&self, block: MatrixBlock) -> Range<usize> {
        block.first..block.first + self.head.bytes()
    }

    /// Finds the diagram of a relative, 0..20, in the block of its matrix. Returns `None` if that
    /// would wait for the disk and `wait` is false.
    #[inline]
    pub(super) fn span(
        &self,
        file: &MapFile,
        block: MatrixBlock,
        relative: usize,
        wait: bool,
    ) -> Result<Option<DiagramSpan>, Error> {
        let head = self.head(block);
        if head.start < file.header.blocks_at() || head.end > file.end() || relative >= RELATIVES {
            return Err(outside(file, block.first));
        }
        let bit = BITS * block.entry;
        if !self.sound.has(bit) && !self.check_head(file, block, wait)? {
            return Ok(None);
        }
        let offset = self.offset(file, block.first, relative);
        Ok(Some(DiagramSpan {
            bounds: file.bytes[block.first + self.head.bounds_at(relative)],
            root: (offset != 0).then_some(block.first + offset),
            block: block.first,
            bit: bit + 1 + relative,
        }))
    }

    /// Returns the diagram in a span; `None` if that would wait for the disk and `wait` is false.
    #[inline]
    pub(super) fn diagram<'a>(
        &self,
        file: &'a MapFile,
        span: &DiagramSpan,
        wait: bool,
    ) -> Result<Option<Diagram<'a>>, Error> {
        let Some(root) = span.root else {
            let bounds = bounds_of(span.bounds);
            if bounds.lo < bounds.hi && file.header.known.is_none() {
                return Err(without_nodes(file, span.block));
            }
            return Ok(Some(Diagram::unsplit(bounds)));
        };
        if !self.sound.has(span.bit) && !self.check_nodes(file, span, wait)? {
            return Ok(None);
        }
        match file.bytes.get(root..) {
            Some(bytes) => Ok(Some(Diagram::packed_at_start(bytes, span.bounds))),
            None => Err(outside(file, span.block)),
        }
    }

    /// Returns the bytes of a diagram's nodes.
    pub(super) fn nodes(&self, file: &MapFile, span: &DiagramSpan) -> Range<usize> {
        let Some(root) = span.root else { return 0..0 };
        let size = self.offset(file, span.block, RELATIVES);
        let checksum = if size > SMALL_BLOCK { CHECKSUM } else { 0 };
        let roots = (0..RELATIVES).map(|relative| self.offset(file, span.block, relative));
        let next = roots.filter(|&next| next > root - span.block).min();
        let end = next.map_or(size, |next| next.saturating_sub(checksum));
        root..span.block + end
    }

    /// Checks the head of a block, with the diagrams of a small one. Returns false if that would
    /// wait for the disk and `wait` is false.
    #[cold]
    fn check_head(&self, file: &MapFile, block: MatrixBlock, wait: bool) -> Result<bool, Error> {
        let head = self.head(block);
        let size = self.offset(file, block.first, RELATIVES);
        let is_small = size <= SMALL_BLOCK;
        let end = if is_small {
            block.first + size
        } else {
            head.end
        };
        if end < head.end || end > file.end() {
            return Err(outside(file, block.first));
        }
        if !wait && !file.bytes.are_ready(head.start..end) {
            return Ok(false);
        }
        file.check_bytes(head.start + CHECKSUM..end, head.start)?;
        self.sound.set(BITS * block.entry);
        Ok(true)
    }

    /// Checks the nodes of a diagram. Returns false if that would wait for the disk and `wait` is
    /// false.
    #[cold]
    fn check_nodes(&self, file: &MapFile, span: &DiagramSpan, wait: bool) -> Result<bool, Error> {
        if self.offset(file, span.block, RELATIVES) <= SMALL_BLOCK {
            // The checksum in the head covers them.
            self.sound.set(span.bit);
            return Ok(true);
        }
        let nodes = self.nodes(file, span);
        let checksum_at = nodes.start.saturating_sub(CHECKSUM);
        if nodes.start > nodes.end || nodes.end > file.end() || checksum_at < span.block {
            return Err(outside(file, span.block));
        }
        if !wait && !file.bytes.are_ready(checksum_at..nodes.end) {
            return Ok(false);
        }
        file.check_bytes(nodes, checksum_at)?;
        self.sound.set(span.bit);
        Ok(true)
    }

    /// Reads the offset of the root of a relative, or the size of the block.
    #[inline]
    fn offset(&self, file: &MapFile, block: usize, relative: usize) -> usize {
        let number = u32::from_le_bytes(file.array(block + self.head.offset_at(relative)));
        let unused = 32 - 8 * self.head.offset_bytes as u32;
        (number << unused >> unused) as usize
    }
}

#[cold]
fn outside(file: &MapFile, block: usize) -> Error {
    file.damaged(
        format!("block at byte {block}"),
        "it lies outside of the file",
    )
}

#[cold]
fn without_nodes(file: &MapFile, block: usize) -> Error {
    file.damaged(
        format!("block at byte {block}"),
        "a diagram lacks its nodes",
    )
}

/// Returns the byte that encodes the bounds of a diagram.
pub(super) const fn bounds_byte(bounds: Bounds) -> u8 {
    bounds.lo | bounds.hi << 4
}

/// Returns the bounds that a byte encodes.
#[inline]
pub(super) fn bounds_of(byte: u8) -> Bounds {
    let (lo, hi) = (byte & 15, byte >> 4);
    Bounds { lo, hi }
}
