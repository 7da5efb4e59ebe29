//! Writing a mapped level.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use setrograde_endgame::diagram::{Bounds, Diagram, Edge, NodePacker, PADDING, TooManyNodes};
use setrograde_endgame::matrix::{Matrix, RELATIVES};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_parallel::in_order;

use super::level::bounds_byte;
use crate::format::level_map::{
    BlockLayout, CHECKSUM, ENTRIES, HEADER_BYTES, IndexEntry, IndexSlot, LINE_BYTES, MOST_SHARING,
    MapHeader, block_checksum, line_checksum,
};

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
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.len()
    }
}

/// The largest level in which matrices share blocks: up to here levels are small, and their
/// diagrams have many nodes in common.
pub(super) const MOST_SHARED: usize = 4;

/// Approximate bytes of diagrams that are sorted in memory at once.
const BUCKET: u64 = 64 << 20;

/// Bytes of one write, which ends at a multiple of this number: the system may keep them in one
/// large page, which a new process maps by a single page fault.
const AT_ONCE: usize = 2 << 20;

/// Writes a mapped level. Diagrams arrive in any order, from any number of threads, and are
/// collected in memory or in temporary files. When all are present, several threads make the blocks.
#[derive(Debug)]
pub struct MapWriter {
    level: usize,
    /// All matrices of the level.
    matrices: Vec<Matrix>,
    partitions: u64,
    source: u64,
    sharing: usize,
    /// In a coarse level: partitions so far about which anything is known.
    known: Option<AtomicU64>,
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

/// The offset of the root of a diagram without nodes.
pub(super) const NO_NODE: usize = 0;

impl MapWriter {
    /// Begins the map of the compressed level with the checksum `source`, of about this size in
    /// bytes. Diagrams are collected in anonymous files in the directory, or in memory without one.
    /// From 20 cards on, or if `separate` is set, each diagram has its own nodes. In a `coarse` level
    /// the diagrams of a matrix share nodes, and diagrams without any knowledge are left out.
    ///
    /// # Errors
    ///
    /// Those of creating files.
    pub fn new(
        partitions: &PartitionIndex,
        source: u64,
        bytes: u64,
        directory: Option<&Path>,
        separate: bool,
        coarse: bool,
    ) -> io::Result<MapWriter> {
        let level = partitions.level();
        let matrices: Vec<Matrix> = Matrix::of_level(partitions).collect();
        // As many in each block.
        let sharing = match level <= MOST_SHARED && !separate {
            _ if coarse => 1,
            true => matrices
                .len()
                .div_ceil(matrices.len().div_ceil(MOST_SHARING)),
            false => 0,
        };
        let blocks = matrices.len().div_ceil(sharing.max(1));
        let buckets = bytes.div_ceil(BUCKET).clamp(1, 256) as usize;
        let blocks_in_bucket = blocks.div_ceil(buckets);
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
            matrices,
            partitions: partitions.len() as u64,
            source,
            sharing,
            known: coarse.then(AtomicU64::default),
            pushed: AtomicU64::new(0),
            there,
            buckets: (0..blocks.div_ceil(blocks_in_bucket))
                .map(bucket)
                .collect::<io::Result<_>>()?,
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
        let (mut pushed, mut known) = (0, 0);
        let mut of_bucket = vec![Vec::new(); self.buckets.len()];
        let nothing = bounds_byte(Bounds {
            lo: 0,
            hi: self.level as u8,
        });
        for (partition, diagram) in diagrams {
            pushed += 1;
            if self.known.is_some() && diagram.bounds == nothing && diagram.nodes.is_empty() {
                continue;
            }
            known += 1;
            let relative = partition.relative();
            let matrix = self.matrices.binary_search(&relative.matrix);
            let matrix = matrix.expect("the level has the partition");
            self.there[matrix].store(true, Ordering::Relaxed);
            let bytes = &mut of_bucket[matrix / self.sharing.max(1) / self.blocks_in_bucket];
            let number = (RELATIVES * matrix + relative.number) as u32;
            bytes.extend(number.to_le_bytes());
            bytes.push(diagram.bounds);
            bytes.extend((diagram.nodes.len() as u32).to_le_bytes());
            bytes.extend(&diagram.nodes);
        }
        self.pushed.fetch_add(pushed, Ordering::Relaxed);
        if let Some(all) = &self.known {
            all.fetch_add(known, Ordering::Relaxed);
        }
        for (bucket, bytes) in self.buckets.iter().zip(of_bucket) {
            if !bytes.is_empty() {
                let mut bucket = bucket.lock().unwrap_or_else(PoisonError::into_inner);
                bucket.push(&bytes)?;
            }
        }
        Ok(())
    }

    /// Writes the level from the start of `out`, and returns `out`; `threads` threads make the
    /// blocks. It calls `go_on` regularly; if that returns false, the work ends with
    /// [`io::ErrorKind::Interrupted`].
    ///
    /// # Errors
    ///
    /// Those of `out` and of temporary files; [`io::ErrorKind::InvalidData`] if diagrams
    /// of a block have too many nodes, or one is missing.
    pub fn finish<W: Write + Seek>(
        self,
        out: W,
        threads: usize,
        mut go_on: impl FnMut() -> bool,
    ) -> io::Result<W> {
        let pushed = self.pushed.into_inner();
        if pushed != self.partitions {
            let problem = format!("{pushed} diagrams of {}", self.partitions);
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        let there = self.there.into_iter().map(AtomicBool::into_inner);
        let there: Vec<bool> = there.collect();
        let mut header = MapHeader {
            level: self.level as u32,
            sharing: self.sharing as u16,
            seed: 0,
            lines: 0,
            partitions: self.partitions,
            known: self.known.map(AtomicU64::into_inner),
            source: self.source,
            end: 0,
        };
        let matrices = there.iter().filter(|&&there| there).count();
        // A fifth of the entries stays empty, to keep searches short.
        header.lines = (10 * matrices).div_ceil(8 * ENTRIES).max(1) as u32;
        header.end = header.blocks_at() as u64;
        let layout = header.block();
        let mut out = Blocks::new(out, header.end)?;
        let sharing = self.sharing.max(1);
        let mut places = vec![0; self.matrices.len().div_ceil(sharing)];
        for (number, bucket) in self.buckets.into_iter().enumerate() {
            let first = number * self.blocks_in_bucket;
            let last = (first + self.blocks_in_bucket).min(places.len());
            let bucket = bucket.into_inner().unwrap_or_else(PoisonError::into_inner);
            let diagrams = bucket.read()?;
            let mut of_block = diagrams.parts.as_slice();
            let blocks = (first..last).map(|block| {
                let numbers = RELATIVES * sharing * block..RELATIVES * sharing * (block + 1);
                let count = of_block.partition_point(|part| part.number < numbers.end);
                let (parts, rest) = of_block.split_at(count);
                of_block = rest;
                (block, numbers, parts)
            });
            let make = |packer: &mut NodePacker, (block, numbers, parts): (_, _, &[_])| {
                let bytes = match parts.is_empty() {
                    true => Vec::new(),
                    false => diagrams.block(layout, numbers, parts, packer)?,
                };
                Ok((block, bytes))
            };
            let mut write = |made: io::Result<(usize, Vec<u8>)>| -> io::Result<()> {
                let (block, mut bytes) = made?;
                if !go_on() {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                if !bytes.is_empty() {
                    write_checksums(layout, header.end as usize, &mut bytes);
                    places[block] = header.end;
                    header.end += bytes.len() as u64;
                    out.push(&bytes)?;
                }
                Ok(())
            };
            let written = in_order(blocks, threads, NodePacker::new, make, |made| {
                match made.map_or(Ok(()), &mut write) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(error) => ControlFlow::Break(error),
                }
            });
            if let ControlFlow::Break(error) = written {
                return Err(error);
            }
        }
        out.push(&[0; PADDING])?;
        let places: Vec<(u64, usize)> = (0..self.matrices.len())
            .map(|matrix| (places[matrix / sharing], matrix % sharing))
            .collect();
        let index = index(&mut header, &self.matrices, &places, &there);
        out.finish(&[&header.to_bytes()[..], &index].concat())
    }
}

/// A file whose blocks are written in large pieces, and its header last.
struct Blocks<W> {
    out: W,
    /// Blocks that are not written yet, and their end in the file.
    pending: Vec<u8>,
    end: u64,
}

impl<W: Write + Seek> Blocks<W> {
    fn new(mut out: W, first: u64) -> io::Result<Blocks<W>> {
        out.seek(SeekFrom::Start(first))?;
        Ok(Blocks {
            out,
            pending: Vec::new(),
            end: first,
        })
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
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

impl BucketDiagram {
    /// Returns true if the diagram is an interval without nodes.
    fn is_open(&self) -> bool {
        self.nodes.is_empty() && self.bounds & 15 < self.bounds >> 4
    }
}

fn little_endian(bytes: &[u8]) -> usize {
    let bytes = bytes.iter().rev();
    bytes.fold(0, |number, &byte| number << 8 | usize::from(byte))
}

impl Bucket {
    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
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
        if let Some(mut file) = self.file {
            file.seek(SeekFrom::Start(0))?;
            file.read_to_end(&mut bytes)?;
        }
        bytes.extend(self.memory);
        // Readers load the bytes after a node together with it.
        let end = bytes.len();
        bytes.resize(end + PADDING, 0);
        let (mut parts, mut at) = (Vec::new(), 0);
        while at < end {
            let before = &bytes[at..at + BEFORE];
            let first = at + BEFORE;
            at = first + little_endian(&before[5..]);
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

impl Diagrams {
    /// Makes the block of the diagrams with these numbers, without its checksums; `parts` are those
    /// that exist.
    fn block(
        &self,
        layout: BlockLayout,
        numbers: Range<usize>,
        parts: &[BucketDiagram],
        packer: &mut NodePacker,
    ) -> io::Result<Vec<u8>> {
        let too_many = |TooManyNodes| io::Error::new(io::ErrorKind::InvalidData, TooManyNodes);
        let nodes_at = layout.head();
        let mut bytes = vec![0; nodes_at];
        let nothing = bounds_byte(Bounds::NOTHING);
        bytes[layout.bounds_at(0)..layout.place_at(0)].fill(nothing);
        for part in parts {
            bytes[layout.bounds_at(part.number - numbers.start)] = part.bounds;
        }
        let mut places = vec![nodes_at; layout.diagrams];
        if layout.separate {
            let mut parts = parts.iter().peekable();
            for (place, number) in places.iter_mut().zip(numbers) {
                *place = bytes.len();
                if let Some(part) = parts.next_if(|part| part.number == number) {
                    bytes.extend(&self.bytes[part.nodes.clone()]);
                }
            }
        } else {
            packer.clear();
            let packed = parts.iter().map(|part| {
                let nodes = &self.bytes[part.nodes.start..];
                match part.nodes.is_empty() {
                    true => Ok(Edge::NOTHING),
                    false => packer.add(Diagram::packed_at_start(nodes, part.bounds)),
                }
            });
            let roots: Vec<Edge> = packed.collect::<Result<_, _>>().map_err(too_many)?;
            // Offsets are known only after all nodes are packed.
            for (part, root) in parts.iter().zip(roots) {
                let place = &mut places[part.number - numbers.start];
                *place = match root.is_node() {
                    false if part.is_open() => NO_NODE,
                    _ => nodes_at + packer.offset(root),
                };
            }
            bytes.extend(packer.to_bytes());
        }
        places.push(bytes.len());
        if bytes.len() >> (8 * layout.place) != 0 {
            return Err(too_many(TooManyNodes));
        }
        for (diagram, place) in places.iter().enumerate() {
            let at = layout.place_at(diagram);
            bytes[at..at + layout.place].copy_from_slice(&place.to_le_bytes()[..layout.place]);
        }
        Ok(bytes)
    }
}

/// Writes the checksums of a block that begins at byte `first` of the file.
fn write_checksums(layout: BlockLayout, first: usize, bytes: &mut [u8]) {
    let write = |bytes: &mut [u8], covered: Range<usize>, at: usize| {
        let checksum = block_checksum(first + covered.start, &bytes[covered]);
        bytes[at..at + CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    };
    let covered = match layout.separate {
        true => CHECKSUM..layout.head(),
        false => CHECKSUM..bytes.len(),
    };
    if layout.separate {
        let offsets = bytes[layout.place_at(0)..layout.head()].chunks(layout.place);
        let offsets: Vec<usize> = offsets.map(little_endian).collect();
        for (diagram, nodes) in offsets.windows(2).enumerate() {
            write(bytes, nodes[0]..nodes[1], layout.checksum_at(diagram));
        }
    }
    write(bytes, covered, 0);
}

/// Makes the lines of the index, given for each matrix the offset of its block, its number in the
/// block, and whether it exists. The header gets a seed under which every matrix is found and no
/// missing matrix is mistaken for another.
fn index(
    header: &mut MapHeader,
    matrices: &[Matrix],
    places: &[(u64, usize)],
    there: &[bool],
) -> Vec<u8> {
    for seed in 0..=u16::MAX {
        header.seed = seed;
        if let Some(index) = index_by(header, matrices, places, there) {
            return index;
        }
    }
    unreachable!("some seed of 65,536 distinguishes all matrices; most do")
}

fn index_by(
    header: &MapHeader,
    matrices: &[Matrix],
    places: &[(u64, usize)],
    there: &[bool],
) -> Option<Vec<u8>> {
    let (layout, lines) = (header.index(), header.lines as usize);
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
    let all = || matrices.iter().zip(there);
    for ((&matrix, &there), &(place, number)) in all().zip(places) {
        if there {
            let slot = layout.slot(matrix);
            let line = end(&entries, &slot)?;
            let entry = layout.entry(place, number, slot.tag);
            entries[line].push((slot.tag, entry));
        }
    }
    for (&matrix, _) in all().filter(|(_, there)| !**there) {
        end(&entries, &layout.slot(matrix))?;
    }
    let mut bytes = Vec::with_capacity(LINE_BYTES * lines);
    for (line, entries) in entries.iter().enumerate() {
        let mut of_line = [0; LINE_BYTES - 8];
        for (place, (_, entry)) in of_line.chunks_mut(8).zip(entries) {
            place.copy_from_slice(&entry.to_bytes());
        }
        bytes.extend(line_checksum(line, &of_line).to_le_bytes());
        bytes.extend(of_line);
    }
    debug_assert_eq!(bytes.len(), header.blocks_at() - HEADER_BYTES);
    Some(bytes)
}
