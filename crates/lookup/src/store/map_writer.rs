//! Writing a mapped level.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use setrograde_endgame::diagram::{Bounds, Diagram, NodePacker, PADDING, TooManyNodes};
use setrograde_endgame::matrix::{Matrix, RELATIVES};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_parallel::lock;

use super::blocks::bounds_byte;
use crate::format::level_map::{
    BlockHead, CHECKSUM, ENTRIES, HEADER_BYTES, IndexEntry, IndexSlot, LINE_BYTES, MapHeader,
    SMALL_BLOCK, block_checksum, line_checksum,
};

/// Bytes of memory for each partition of a level, about: the matrices, their blocks and the index.
const MATRIX_BYTES: u64 = 8;

/// Bytes of memory for the work on a few shards, about.
const WORK_BYTES: u64 = 4 << 20;

/// Checks that there is memory, before work begins that would end the process without it. The
/// system only reserves it, so this takes no time.
///
/// # Errors
///
/// [`io::ErrorKind::OutOfMemory`], which names the number of bytes.
pub(super) fn require(bytes: u64) -> io::Result<()> {
    // Unused memory would not be asked for.
    std::hint::black_box(reserved(bytes)?);
    Ok(())
}

/// Reserves memory for this number of bytes.
///
/// # Errors
///
/// As [`require`].
pub(super) fn reserved(bytes: u64) -> io::Result<Vec<u8>> {
    let mut memory = Vec::new();
    let reserved = memory.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX));
    reserved.map_err(|_| {
        let problem = format!("it takes {} MB of memory", bytes.div_ceil(1_000_000));
        io::Error::new(io::ErrorKind::OutOfMemory, problem)
    })?;
    Ok(memory)
}

/// A packed diagram.
#[derive(Debug, Clone)]
pub struct PackedDiagram {
    bounds: u8,
    nodes: Vec<u8>,
}

impl PackedDiagram {
    /// Packs a diagram with a packer, whose memory is reused and whose former nodes are dropped.
    ///
    /// # Errors
    ///
    /// [`TooManyNodes`] if it has too many.
    pub fn new(
        diagram: Diagram<'_>,
        packer: &mut NodePacker,
    ) -> Result<PackedDiagram, TooManyNodes> {
        packer.clear();
        let root = packer.add(diagram)?;
        Ok(PackedDiagram {
            bounds: bounds_byte(root.bounds()),
            nodes: packer.to_bytes(),
        })
    }

    /// Returns its size in a level, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.len()
    }
}

/// Approximate bytes of diagrams that are sorted in memory at once.
const BUCKET: u64 = 64 << 20;

/// Bytes of one write, which ends at a multiple of this number: the system may keep them in one
/// large page, which a new process maps by a single page fault.
const AT_ONCE: usize = 2 << 20;

/// Writes a mapped level. Diagrams arrive in any order, from any number of threads, and are
/// collected in memory or in temporary files.
#[derive(Debug)]
pub struct MapWriter {
    level: usize,
    /// All matrices of the level.
    matrices: Vec<Matrix>,
    partitions: u64,
    source: u64,
    coarse: bool,
    pushed: AtomicU64,
    /// By matrix: true if it has a diagram.
    there: Vec<AtomicBool>,
    /// The diagrams of successive blocks, in each bucket.
    buckets: Vec<Mutex<Bucket>>,
    blocks_in_bucket: usize,
}

/// Collected diagrams.
#[derive(Debug)]
struct Bucket {
    memory: Vec<u8>,
    file: Option<File>,
}

/// The bytes before each diagram in a bucket: its number in the level, its bounds, and its
/// length.
const BEFORE: usize = 4 + 1 + 4;

impl MapWriter {
    /// Begins the map of the compressed level with the checksum `source`, of about this size in
    /// bytes. Diagrams are collected in anonymous files in the directory, or in memory without one.
    /// A `coarse` level has no diagrams without any knowledge.
    ///
    /// # Errors
    ///
    /// Those of creating files.
    pub fn new(
        partitions: &PartitionIndex,
        source: u64,
        bytes: u64,
        directory: Option<&Path>,
        coarse: bool,
    ) -> io::Result<MapWriter> {
        let level = partitions.level();
        let buckets = bytes.div_ceil(BUCKET).clamp(1, 256) as usize;
        // The diagrams of a bucket, and where they begin; and all of them without files.
        let sorted = 2 * bytes.div_ceil(buckets as u64);
        let collected = match directory {
            Some(_) => (AT_ONCE / 8 * buckets) as u64,
            None => bytes,
        };
        let fixed = MATRIX_BYTES * partitions.len() as u64 + WORK_BYTES;
        require(sorted + collected + fixed)?;
        let matrices: Vec<Matrix> = Matrix::of_level(partitions).collect();
        let blocks_in_bucket = matrices.len().div_ceil(buckets);
        let bucket = |_| -> io::Result<Mutex<Bucket>> {
            // A single bucket stays in memory.
            let directory = directory.filter(|_| buckets > 1);
            Ok(Mutex::new(Bucket {
                memory: Vec::new(),
                file: directory.map(temporary).transpose()?,
            }))
        };
        let there = matrices.iter().map(|_| AtomicBool::new(false)).collect();
        Ok(MapWriter {
            level,
            partitions: partitions.len() as u64,
            source,
            coarse,
            pushed: AtomicU64::new(0),
            there,
            buckets: (0..matrices.len().div_ceil(blocks_in_bucket))
                .map(bucket)
                .collect::<io::Result<_>>()?,
            matrices,
            blocks_in_bucket,
        })
    }

    /// Adds the diagrams of partitions of the level, which must be new. Many at once, such as those
    /// of a shard, cost less than one at a time.
    ///
    /// # Errors
    ///
    /// Those of temporary files.
    ///
    /// # Panics
    ///
    /// If the level has no such partition.
    pub fn push(
        &self,
        diagrams: impl IntoIterator<Item = (Partition, PackedDiagram)>,
    ) -> io::Result<()> {
        let mut pushed = 0;
        let mut of_bucket = vec![Vec::new(); self.buckets.len()];
        let nothing = bounds_byte(Bounds {
            lo: 0,
            hi: self.level as u8,
        });
        for (partition, diagram) in diagrams {
            pushed += 1;
            if self.coarse && diagram.bounds == nothing && diagram.nodes.is_empty() {
                continue;
            }
            let relative = partition.relative();
            let matrix = self.matrices.binary_search(&relative.matrix);
            let matrix = matrix.expect("the level has the partition");
            self.there[matrix].store(true, Ordering::Relaxed);
            let bytes = &mut of_bucket[matrix / self.blocks_in_bucket];
            let number = (RELATIVES * matrix + relative.number) as u32;
            bytes.try_reserve(BEFORE + diagram.nodes.len())?;
            bytes.extend(number.to_le_bytes());
            bytes.push(diagram.bounds);
            bytes.extend((diagram.nodes.len() as u32).to_le_bytes());
            bytes.extend(&diagram.nodes);
        }
        self.pushed.fetch_add(pushed, Ordering::Relaxed);
        for (bucket, bytes) in self.buckets.iter().zip(of_bucket) {
            if !bytes.is_empty() {
                let mut bucket = lock(bucket);
                bucket.push(&bytes)?;
            }
        }
        Ok(())
    }

    /// Writes the level from the start of `out`, and returns `out`. It calls `go_on` regularly; if
    /// that returns false, the work ends with [`io::ErrorKind::Interrupted`].
    ///
    /// # Errors
    ///
    /// Those of `out` and of temporary files; [`io::ErrorKind::InvalidData`] if diagrams
    /// of a block have too many nodes, or one is missing.
    pub fn finish<W: Write + Seek>(self, out: W, mut go_on: impl FnMut() -> bool) -> io::Result<W> {
        let pushed = self.pushed.into_inner();
        if pushed != self.partitions {
            let problem = format!("{pushed} diagrams of {}", self.partitions);
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        let mut header = MapHeader {
            level: self.level as u32,
            seed: 0,
            lines: 0,
            partitions: self.partitions,
            known: self.coarse.then_some(0),
            source: self.source,
            end: 0,
        };
        let there = self.there.into_iter().map(AtomicBool::into_inner);
        let matrices = there.filter(|&there| there).count();
        // A fifth of the entries stays empty, to keep searches short.
        header.lines = (10 * matrices).div_ceil(8 * ENTRIES).max(1) as u32;
        header.end = header.blocks_at() as u64;
        let head = header.block();
        let mut out = BlockWriter::new(out, header.end)?;
        // By matrix: the first byte of its block, 0 without one.
        let mut blocks = vec![0; self.matrices.len()];
        let mut block = Vec::new();
        for bucket in self.buckets {
            let bucket = bucket.into_inner().unwrap_or_else(PoisonError::into_inner);
            let diagrams = bucket.read()?;
            if let Some(known) = &mut header.known {
                *known += diagrams.parts.len() as u64;
            }
            let matrix = |diagram: &BucketDiagram| diagram.number / RELATIVES;
            for of_matrix in diagrams.parts.chunk_by(|a, b| matrix(a) == matrix(b)) {
                if !go_on() {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                write_block(head, header.end, &diagrams.bytes, of_matrix, &mut block)?;
                blocks[matrix(&of_matrix[0])] = header.end;
                header.end += block.len() as u64;
                out.push(&block)?;
            }
        }
        out.push(&[0; PADDING])?;
        let index = index(&mut header, &self.matrices, &blocks);
        out.finish(&[header.to_bytes(), index].concat())
    }
}

/// A file whose blocks are written in large pieces, and its header last.
struct BlockWriter<W> {
    out: W,
    /// Blocks that are not written yet, and their end in the file.
    pending: Vec<u8>,
    end: u64,
}

impl<W: Write + Seek> BlockWriter<W> {
    fn new(mut out: W, first: u64) -> io::Result<BlockWriter<W>> {
        out.seek(SeekFrom::Start(first))?;
        Ok(BlockWriter {
            out,
            pending: Vec::new(),
            end: first,
        })
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.pending.try_reserve(bytes.len())?;
        self.pending.extend(bytes);
        self.end += bytes.len() as u64;
        let begun = self.end as usize % AT_ONCE;
        match self.pending.len().checked_sub(begun) {
            Some(whole) if whole > 0 => self.write(whole),
            _ => Ok(()),
        }
    }

    fn write(&mut self, bytes: usize) -> io::Result<()> {
        for piece in self.pending[..bytes].chunks(AT_ONCE) {
            self.out.write_all(piece)?;
        }
        self.pending.drain(..bytes);
        Ok(())
    }

    fn finish(mut self, head: &[u8]) -> io::Result<W> {
        self.write(self.pending.len())?;
        self.out.seek(SeekFrom::Start(0))?;
        for piece in head.chunks(AT_ONCE) {
            self.out.write_all(piece)?;
        }
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Makes an anonymous file in a directory, which disappears with the process.
#[cfg(not(target_family = "wasm"))]
fn temporary(directory: &Path) -> io::Result<File> {
    tempfile::tempfile_in(directory)
}

#[cfg(target_family = "wasm")]
fn temporary(_: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The diagrams of a bucket, in the order of their numbers.
struct Diagrams {
    bytes: Vec<u8>,
    parts: Vec<BucketDiagram>,
}

/// A diagram in a bucket.
struct BucketDiagram {
    number: usize,
    bounds: u8,
    nodes: Range<usize>,
}

fn little_endian(bytes: &[u8]) -> usize {
    let bytes = bytes.iter().rev();
    bytes.fold(0, |number, &byte| number << 8 | usize::from(byte))
}

impl Bucket {
    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.memory.try_reserve(bytes.len())?;
        self.memory.extend(bytes);
        if let Some(file) = &mut self.file
            && self.memory.len() >= AT_ONCE / 8
        {
            file.write_all(&self.memory)?;
            self.memory.clear();
        }
        Ok(())
    }

    fn read(self) -> io::Result<Diagrams> {
        let mut bytes = Vec::new();
        let mut length = self.memory.len() + PADDING;
        if let Some(mut file) = self.file {
            length += file.stream_position()? as usize;
            bytes.try_reserve_exact(length)?;
            file.seek(SeekFrom::Start(0))?;
            file.read_to_end(&mut bytes)?;
        }
        bytes.try_reserve(length - bytes.len())?;
        bytes.extend(self.memory);
        // Readers load the bytes after a node together with it.
        let end = bytes.len();
        bytes.resize(end + PADDING, 0);
        let (mut parts, mut at) = (Vec::new(), 0);
        while at < end {
            let before = &bytes[at..at + BEFORE];
            let first = at + BEFORE;
            at = first + little_endian(&before[5..]);
            parts.try_reserve(1)?;
            parts.push(BucketDiagram {
                number: little_endian(&before[..4]),
                bounds: before[4],
                nodes: first..at,
            });
        }
        parts.sort_unstable_by_key(|part| part.number);
        Ok(Diagrams { bytes, parts })
    }
}

/// Makes the block of a matrix's diagrams, whose nodes are in `bytes`. The block begins at byte
/// `first` of the file.
fn write_block(
    head: BlockHead,
    first: u64,
    bytes: &[u8],
    diagrams: &[BucketDiagram],
    block: &mut Vec<u8>,
) -> io::Result<()> {
    let size = diagrams
        .iter()
        .map(|diagram| diagram.nodes.len())
        .sum::<usize>();
    let is_small = head.bytes() + size <= SMALL_BLOCK;
    let write_checksum = |block: &mut [u8], at: usize, end: usize| {
        let covered = at + CHECKSUM..end;
        let checksum = block_checksum(first as usize + covered.start, &block[covered]);
        block[at..at + CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    };
    let write_offset = |block: &mut [u8], relative: usize, offset: usize| {
        let bytes = &offset.to_le_bytes()[..head.offset_bytes];
        block[head.offset_at(relative)..][..bytes.len()].copy_from_slice(bytes);
    };
    block.clear();
    block.try_reserve(head.bytes() + size + CHECKSUM * diagrams.len())?;
    block.resize(head.bytes(), 0);
    block[head.bounds_at(0)..head.offset_at(0)].fill(bounds_byte(Bounds::NOTHING));
    for diagram in diagrams {
        let relative = diagram.number % RELATIVES;
        block[head.bounds_at(relative)] = diagram.bounds;
        if diagram.nodes.is_empty() {
            continue;
        }
        let checksum_at = block.len();
        if !is_small {
            block.extend([0; CHECKSUM]);
        }
        let root = block.len();
        write_offset(block, relative, root);
        block.extend(&bytes[diagram.nodes.clone()]);
        if !is_small {
            let end = block.len();
            write_checksum(block, checksum_at, end);
        }
    }
    let size = block.len();
    if size >> (8 * head.offset_bytes) != 0 {
        return Err(io::Error::new(io::ErrorKind::InvalidData, TooManyNodes));
    }
    write_offset(block, RELATIVES, size);
    let covered = if is_small { size } else { head.bytes() };
    write_checksum(block, 0, covered);
    Ok(())
}

/// Makes the lines of the index, given for each matrix the first byte of its block, 0 without one.
/// The header gets a seed under which every matrix is found and no missing matrix is mistaken for
/// another.
fn index(header: &mut MapHeader, matrices: &[Matrix], blocks: &[u64]) -> Vec<u8> {
    for seed in 0..=u16::MAX {
        header.seed = seed;
        if let Some(index) = index_by(header, matrices, blocks) {
            return index;
        }
    }
    unreachable!("some seed of 65,536 distinguishes all matrices; most do")
}

fn index_by(header: &MapHeader, matrices: &[Matrix], blocks: &[u64]) -> Option<Vec<u8>> {
    let (hash, lines) = (header.index(), header.lines as usize);
    let mut entries: Vec<Vec<(u64, IndexEntry)>> = vec![Vec::new(); lines];
    // The line where a search ends; `None` if it would find another matrix.
    let end = |entries: &[Vec<(u64, IndexEntry)>], slot: &IndexSlot| {
        let mut line = slot.line;
        loop {
            if entries[line].iter().any(|&(tag, _)| tag == slot.tag) {
                return None;
            }
            if entries[line].len() < ENTRIES {
                return Some(line);
            }
            line = (line + 1) % lines;
        }
    };
    let all = || matrices.iter().zip(blocks);
    for (&matrix, &block) in all().filter(|&(_, &block)| block != 0) {
        let slot = hash.slot(matrix);
        let line = end(&entries, &slot)?;
        let entry = IndexEntry::new(block, slot.tag);
        entries[line].push((slot.tag, entry));
    }
    for (&matrix, _) in all().filter(|&(_, &block)| block == 0) {
        end(&entries, &hash.slot(matrix))?;
    }
    let mut bytes = Vec::with_capacity(LINE_BYTES * lines);
    for (line, entries) in entries.iter().enumerate() {
        let mut of_line = [0; LINE_BYTES - 8];
        for (bytes, (_, entry)) in of_line.chunks_mut(8).zip(entries) {
            bytes.copy_from_slice(&entry.to_bytes());
        }
        bytes.extend(line_checksum(line, &of_line).to_le_bytes());
        bytes.extend(of_line);
    }
    debug_assert_eq!(bytes.len(), header.blocks_at() - HEADER_BYTES);
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::index::{InIndex, Index};
    use super::super::map_file::MapFile;
    use setrograde_endgame::matrix::Relative;

    use super::*;
    use crate::bytes::Bytes;

    #[test]
    fn matrices_beyond_the_last_line_are_found_in_the_first() {
        let partitions = PartitionIndex::new(2);
        let matrices: Vec<Matrix> = Matrix::of_level(&partitions).collect();
        let blocks: Vec<u64> = (1..=matrices.len() as u64).collect();
        let lines = matrices.len().div_ceil(ENTRIES - 1);
        let mut header = MapHeader {
            level: 2,
            seed: 0,
            lines: lines as u32,
            partitions: partitions.len() as u64,
            known: None,
            source: 0,
            end: 0,
        };
        header.end = header.blocks_at() as u64;
        let mut found_in_first = 0;
        for seed in 0..20 {
            header.seed = seed;
            let Some(index) = index_by(&header, &matrices, &blocks) else {
                continue;
            };
            let mut bytes = [header.to_bytes(), index].concat();
            bytes.resize(header.bytes() as usize, 0);
            let file = MapFile::new(Path::new("level"), Bytes::from(bytes)).expect("it is sound");
            let index = Index::new(&header);
            for (&matrix, &block) in matrices.iter().zip(&blocks) {
                let relative = Relative { matrix, number: 0 };
                let found = index.find(&file, &index.slot(relative), true);
                let Ok(InIndex::Block(found)) = found else {
                    panic!("{found:?}");
                };
                assert_eq!(found.first as u64, block);
                let starts_last = header.index().slot(matrix).line == lines - 1;
                found_in_first += u32::from(starts_last && found.entry < ENTRIES);
            }
        }
        assert!(found_in_first > 0);
    }
}
