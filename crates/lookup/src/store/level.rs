//! A level at work: its diagrams are walked where its bytes lie.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use setrograde_endgame::diagram::{Bounds, Diagram, Verdict, prefetch};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::matrix::{Matrix, RELATIVES, Relative};
use setrograde_endgame::owners::TopCards;
use setrograde_endgame::partition::{Canonical, Partition};
use setrograde_endgame::partition_index::PartitionIndex;

#[cfg(not(target_family = "wasm"))]
use crate::bytes::DiskReads;
use crate::bytes::{Bits, Bytes, map_file};
use crate::error::{Damage, Error};
use crate::format::level_map::{
    BlockLayout, CHECKSUM, ENTRIES, HEADER_BYTES, IndexEntry, IndexLayout, IndexSlot, LINE_BYTES,
    MapHeader, VERSION, block_checksum, line_checksum,
};
use crate::format::manifest::{map_path, map_paths};
use crate::store::map_writer::NO_NODE;

/// A level at work: the endings with one number of cards.
/// Threads may share it.
///
/// The checksum of a diagram is checked when it is first asked for. Every place that the
/// bytes name is checked whenever it is used, so that no bytes can lead a question
/// astray, or keep it from ending.
#[derive(Debug)]
pub struct Level {
    path: PathBuf,
    bytes: Bytes,
    header: MapHeader,
    index: IndexLayout,
    block: BlockLayout,
    /// Made when it is first asked for: a solver needs none.
    partitions: OnceLock<PartitionIndex>,
    /// The lines of the index whose checksums were found to fit.
    lines: Bits,
    /// The heads of blocks, and diagrams or whole blocks, whose checksums were.
    sound: Bits,
}

/// The number of times that the files of a level are looked for, while others are being replaced.
const ATTEMPTS: usize = 100;

/// See [`Level::reads`].
type Reads = ([Range<usize>; 3], usize);

/// Of each matrix in the index, the bits in [`Level::sound`] for the head of its block and
/// for each diagram. No two blocks begin so close to each other.
const BITS: usize = 1 + RELATIVES;

/// A diagram's place in the file, as the head of its block says, which is sound.
struct DiagramSpan {
    block: Block,
    /// The least and the greatest value, as they stand in an edge.
    bounds: u8,
    /// The first byte of the root.
    root: usize,
    /// The bit of its nodes in [`Level::sound`].
    bit: usize,
}

/// The block of a diagram.
struct Block {
    /// Its first byte.
    first: usize,
    /// The diagram's number there.
    diagram: usize,
    /// The number of its matrix in the index.
    entry: usize,
}

/// A partition's matrix in the index, for look-ups that take their steps side by side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatrixSlot {
    relative: Relative,
    slot: IndexSlot,
}

impl Level {
    /// The level in these bytes, those of a `level-NN.map`; errors call it `path`.
    ///
    /// # Errors
    ///
    /// If the header is damaged, or of another version.
    pub fn new(path: &Path, bytes: Bytes) -> Result<Level, Error> {
        let unsound = |error| Error::header(path, VERSION, error);
        let header = MapHeader::read(&bytes).map_err(unsound)?;
        bytes.read_at_random();
        let block = header.block();
        let bits = match block.alone {
            true => header.lines as usize * ENTRIES * BITS,
            false => bytes.len() / BITS + 1,
        };
        Ok(Level {
            path: path.to_owned(),
            index: header.index(),
            block,
            partitions: OnceLock::new(),
            lines: Bits::new(header.lines as usize),
            sound: Bits::new(bits),
            header,
            bytes,
        })
    }

    /// Maps the file of the level with `level` cards in each hand that was made from
    /// the compressed level with the checksum `source`.
    ///
    /// # Errors
    ///
    /// [`Error::NoMap`] if there is no such file, [`Error::OtherLevel`] if it is another
    /// level's; [`Error::Damaged`], [`Error::Version`] or [`Error::Io`] if it cannot be used.
    pub fn open(path: &Path, level: usize, source: u64) -> Result<Level, Error> {
        let bytes = map_file(path).map_err(|error| match error {
            Error::Io { path, source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Error::NoMap { path }
            }
            error => error,
        })?;
        let opened = Level::new(path, bytes)?;
        if opened.level() != level || opened.header.source != source {
            let path = path.to_owned();
            return Err(Error::OtherLevel { path });
        }
        Ok(opened)
    }

    /// Maps the newest file in a database's directory that holds the level with `level` cards
    /// in each hand and was made from the compressed level with the checksum `source`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), of the newest file.
    pub fn newest(directory: &Path, level: usize, source: u64) -> Result<Level, Error> {
        let path = map_path(directory, level);
        let mut problem = Error::NoMap { path };
        // Files that have gone meanwhile have left their place to a newer one.
        for _ in 0..ATTEMPTS {
            let mut gone = false;
            let mut of_newest = None;
            let paths = map_paths(directory, level);
            // A list made while a file changes its name may have neither.
            if paths.is_empty() {
                return Level::open(&map_path(directory, level), level, source);
            }
            for path in paths {
                match Level::open(&path, level, source) {
                    Ok(level) => return Ok(level),
                    Err(Error::NoMap { .. }) => gone = true,
                    Err(error) => of_newest = of_newest.or(Some(error)),
                }
            }
            problem = of_newest.unwrap_or(problem);
            if !gone {
                break;
            }
        }
        Err(problem)
    }

    /// Chooses how look-ups read what is not in memory.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn set_disk_reads(&mut self, reads: DiskReads) -> Result<(), Error> {
        self.bytes
            .set_disk_reads(reads)
            .map_err(Error::io(&self.path, "read"))
    }

    /// Cards in each hand.
    #[must_use]
    pub fn level(&self) -> usize {
        self.header.level as usize
    }

    /// The file, or what stands for it in errors.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &MapHeader {
        &self.header
    }

    /// The numbering of the level's partitions.
    #[must_use]
    pub fn partitions(&self) -> &PartitionIndex {
        self.partitions
            .get_or_init(|| PartitionIndex::new(self.level()))
    }

    /// The bytes of the diagram of a partition of this level, 0 if it is damaged: about
    /// in proportion to the time that questions about all of it take.
    #[must_use]
    pub fn diagram_bytes(&self, partition: Partition) -> u64 {
        match self.block_of(&self.place_of(partition.relative()), true) {
            Ok(Some(block)) if is_held(self.bounds(&block)) => {
                let nodes = match self.block.alone {
                    true => self.nodes(&block).len(),
                    false => self.nodes(&block).len() / self.block.diagrams,
                };
                1 + nodes as u64
            }
            _ => 0,
        }
    }

    /// Returns true if the level is coarse: leaves of its diagrams may be intervals.
    #[inline]
    #[must_use]
    pub fn is_coarse(&self) -> bool {
        self.header.known.is_some()
    }

    /// The diagram of a partition of this level. Of one of which a coarse level knows nothing
    /// it is an interval.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if it is.
    #[inline]
    pub fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        self.diagram_of(partition, &self.place_of(partition.relative()))
    }

    /// The diagram of a partition with this place.
    #[inline]
    pub(crate) fn diagram_of(
        &self,
        partition: Partition,
        place: &MatrixSlot,
    ) -> Result<Diagram<'_>, Error> {
        let found = self.find(place, true)?;
        let found = found.filter(|found| is_held(found.bounds));
        let diagram = found.map(|found| self.diagram_at(&found, true));
        let diagram = diagram.transpose()?.flatten();
        let (lo, hi) = (0, self.header.level as u8);
        let unknown = || Diagram::unsplit(Bounds { lo, hi });
        let diagram = diagram.or_else(|| self.is_coarse().then(unknown));
        diagram.ok_or_else(|| self.lacks(partition))
    }

    /// The place of the matrix of a relative in the index.
    #[inline]
    pub(crate) fn place_of(&self, relative: Relative) -> MatrixSlot {
        let slot = self.index.slot(relative.matrix);
        MatrixSlot { relative, slot }
    }

    /// Asks the processor for the line of the index where the search for a matrix begins.
    #[inline]
    pub(crate) fn prefetch_line(&self, place: &MatrixSlot) {
        prefetch(&self.bytes, HEADER_BYTES + LINE_BYTES * place.slot.line, 1);
    }

    /// Asks the processor for what [`diagram_of`](Self::diagram_of) will read of the head of
    /// the block.
    #[inline]
    pub(crate) fn prefetch_head(&self, place: &MatrixSlot) {
        if let Ok(Some((entry, _))) = self.entry(place, true) {
            let diagram = RELATIVES * self.index.number(entry) + place.relative.number;
            for at in [self.block.bounds_at(diagram), self.block.place_at(diagram)] {
                prefetch(&self.bytes, entry.place() + at, 1);
            }
        }
    }

    /// Whether the leader's side takes at least `target` tricks in an ending, and the
    /// fewest top cards of each suit that prove it; `None` if to find that out would wait for
    /// the disk: then the bytes are on their way. Of the file no more is read than the answer
    /// needs. A coarse level may know no answer: `None` as well.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if what is read is, or the ending leads nowhere in it.
    #[inline]
    pub(crate) fn decide(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, Error> {
        let Canonical { partition, order } = ending.canonical();
        let found = self.find(&self.place_of(partition.relative()), false)?;
        let Some(found) = found else {
            return Ok(None);
        };
        if !is_held(found.bounds) {
            return match self.is_coarse() {
                true => Ok(None),
                false => Err(self.lacks(partition)),
            };
        }
        let (lo, hi) = (found.bounds & 15, found.bounds >> 4);
        if !(Bounds { lo, hi }).leave_open(target) {
            let known = TopCards::new([0; 4]);
            let reached = lo >= target;
            return Ok(Some(Verdict { reached, known }));
        }
        let Some(diagram) = self.diagram_at(&found, false)? else {
            return Ok(None);
        };
        diagram.prefetch();
        match diagram.decide(ending, order, target) {
            None if !self.is_coarse() => Err(self.leads_nowhere(partition)),
            verdict => Ok(verdict),
        }
    }

    /// The diagram at its place; `None` if that would wait for the disk and may not.
    #[inline]
    fn diagram_at(&self, found: &DiagramSpan, wait: bool) -> Result<Option<Diagram<'_>>, Error> {
        // A block that diagrams share was checked as a whole.
        if self.block.alone && !self.sound.has(found.bit) && !self.check_nodes(found, wait)? {
            return Ok(None);
        }
        if found.root == found.block.first + NO_NODE && self.is_coarse() {
            let (lo, hi) = (found.bounds & 15, found.bounds >> 4);
            return Ok(Some(Diagram::unsplit(Bounds { lo, hi })));
        }
        match self.bytes.get(found.root..) {
            Some(bytes) => Ok(Some(Diagram::packed_at_start(bytes, found.bounds))),
            None => Err(self.outside(found.block.first)),
        }
    }

    /// Checks the nodes of a diagram. Returns false if that would wait for the disk and may
    /// not.
    #[cold]
    fn check_nodes(&self, found: &DiagramSpan, wait: bool) -> Result<bool, Error> {
        let nodes = self.nodes(&found.block);
        if nodes.start > nodes.end || nodes.end > self.header.end as usize {
            return Err(self.outside(found.block.first));
        }
        if !wait && !self.bytes.are_ready(nodes.clone()) {
            return Ok(false);
        }
        let checksum_at = found.block.first + self.block.checksum_at(found.block.diagram);
        self.check_bytes(nodes, checksum_at, found.bit)?;
        Ok(true)
    }

    /// The error of an ending of that partition that has no value.
    #[cold]
    pub(crate) fn leads_nowhere(&self, partition: Partition) -> Error {
        let place = format!("partition {partition}");
        Error::damaged(&self.path, place, "it does not cover an ending")
    }

    /// Checks all checksums, and that every matrix of the level is in the index.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if anything is wrong.
    pub fn check(&self) -> Result<(), Error> {
        let unused = &self.bytes[self.header.end as usize..];
        if unused.iter().any(|&byte| byte != 0) {
            let problem = "they are not those that were written";
            return Err(Error::damaged(&self.path, "last bytes", problem));
        }
        (0..self.header.lines as usize).try_for_each(|line| self.check_line(line))?;
        let mut held = 0_u64;
        for matrix in Matrix::of_level(self.partitions()) {
            for number in 0..RELATIVES {
                let place = self.place_of(Relative { matrix, number });
                if let Some(found) = self.find(&place, true)? {
                    self.diagram_at(&found, true)?;
                    held += u64::from(is_held(found.bounds));
                }
            }
        }
        let promised = self.header.known.unwrap_or(self.header.partitions);
        if held != promised {
            let problem = format!("{held} diagrams where {promised} are promised");
            return Err(Error::damaged(&self.path, "index", problem));
        }
        Ok(())
    }

    /// The bytes of the file that a question about an ending of a partition reads before it
    /// comes to a node: of the index, the head of the block, and what the checksum of the
    /// nodes is of; and the first byte of the root.
    ///
    /// # Errors
    ///
    /// As [`diagram`](Self::diagram).
    #[doc(hidden)]
    pub fn reads(&self, partition: Partition) -> Result<Reads, Error> {
        let block = self.block_of(&self.place_of(partition.relative()), true)?;
        let block = block.ok_or_else(|| self.lacks(partition))?;
        let line = HEADER_BYTES + LINE_BYTES * (block.entry / ENTRIES);
        let head = block.first..block.first + self.block.head();
        let reads = [line..line + LINE_BYTES, head, self.nodes(&block)];
        let root = block.first + self.place(block.first + self.block.place_at(block.diagram));
        Ok((reads, root))
    }

    /// The error of a partition that is not there.
    #[cold]
    fn lacks(&self, partition: Partition) -> Error {
        Error::damaged(
            &self.path,
            format!("partition {partition}"),
            "it is missing",
        )
    }

    /// The place of the diagram of a relative, which may be that of no partition; `None` if to
    /// find it would wait for the disk and may not, or a coarse level knows nothing of it.
    #[inline]
    fn find(&self, place: &MatrixSlot, wait: bool) -> Result<Option<DiagramSpan>, Error> {
        let Some(block) = self.block_of(place, wait)? else {
            return Ok(None);
        };
        Ok(Some(DiagramSpan {
            bounds: self.bounds(&block),
            root: block.first + self.place(block.first + self.block.place_at(block.diagram)),
            bit: BITS * block.entry + 1 + place.relative.number,
            block,
        }))
    }

    /// The block of a relative; `None` as for [`find`](Self::find). Its head was checked, or
    /// all of it if diagrams share their nodes.
    #[inline]
    fn block_of(&self, place: &MatrixSlot, wait: bool) -> Result<Option<Block>, Error> {
        let Some((entry, number)) = self.entry(place, wait)? else {
            return Ok(None);
        };
        let block = Block {
            first: entry.place(),
            diagram: RELATIVES * self.index.number(entry) + place.relative.number,
            entry: number,
        };
        if block.first < self.header.blocks_at()
            || block.first + self.block.head() > self.header.end as usize
            || block.diagram >= self.block.diagrams
        {
            return Err(self.outside(block.first));
        }
        let bit = match self.block.alone {
            true => BITS * number,
            false => block.first / BITS,
        };
        if !self.sound.has(bit) && !self.check_head(&block, bit, wait)? {
            return Ok(None);
        }
        Ok(Some(block))
    }

    /// Checks the head of a block, or all of it if diagrams share their nodes. Returns false
    /// if that would wait for the disk and may not.
    #[cold]
    fn check_head(&self, block: &Block, bit: usize, wait: bool) -> Result<bool, Error> {
        let end = match self.block.alone {
            true => block.first + self.block.head(),
            false => self.nodes(block).end,
        };
        let bytes = block.first + CHECKSUM..end;
        if bytes.is_empty() || end > self.header.end as usize {
            return Err(self.outside(block.first));
        }
        if !wait && !self.bytes.are_ready(block.first..end) {
            return Ok(false);
        }
        self.check_bytes(bytes, block.first, bit)?;
        Ok(true)
    }

    /// The bounds of a block's diagram.
    #[inline]
    fn bounds(&self, block: &Block) -> u8 {
        self.bytes[block.first + self.block.bounds_at(block.diagram)]
    }

    /// The nodes of a block's diagram, or of all that share them.
    #[inline]
    fn nodes(&self, block: &Block) -> Range<usize> {
        let place = |diagram| block.first + self.place(block.first + self.block.place_at(diagram));
        match self.block.alone {
            true => place(block.diagram)..place(block.diagram + 1),
            false => block.first + self.block.head()..place(self.block.diagrams),
        }
    }

    /// The entry of a matrix in the index, and its number there.
    #[inline]
    fn entry(&self, place: &MatrixSlot, wait: bool) -> Result<Option<(IndexEntry, usize)>, Error> {
        let (slot, matrix) = (place.slot, place.relative.matrix);
        let lines = self.header.lines as usize;
        for line in (slot.line..lines).chain(0..slot.line) {
            let first = HEADER_BYTES + LINE_BYTES * line;
            if !self.lines.has(line) {
                if !wait && !self.bytes.are_ready(first..first + LINE_BYTES) {
                    return Ok(None);
                }
                self.check_line(line)?;
            }
            let entries: [u8; 8 * ENTRIES] = self.array(first + 8);
            let entries = entries.as_chunks::<8>().0;
            // Without a branch for each: any of them may be the one.
            let mut fit = 0_u32;
            for (number, &entry) in entries.iter().enumerate() {
                let is_it = |entry| self.index.tag(entry) == slot.tag;
                fit |= u32::from(IndexEntry::read(entry).is_none_or(is_it)) << number;
            }
            let number = fit.trailing_zeros() as usize;
            if let Some(&entry) = entries.get(number) {
                return match IndexEntry::read(entry) {
                    None if self.is_coarse() => Ok(None),
                    entry => {
                        let entry = entry.ok_or_else(|| self.missing(matrix))?;
                        Ok(Some((entry, ENTRIES * line + number)))
                    }
                };
            }
        }
        Err(self.missing(matrix))
    }

    #[cold]
    fn missing(&self, matrix: Matrix) -> Error {
        let problem = format!("a matrix is missing: {:016x}", matrix.bits());
        Error::damaged(&self.path, "index", problem)
    }

    #[cold]
    fn outside(&self, block: usize) -> Error {
        let place = format!("block at byte {block}");
        Error::damaged(&self.path, place, "it lies outside of the file")
    }

    #[cold]
    fn check_line(&self, line: usize) -> Result<(), Error> {
        let first = HEADER_BYTES + LINE_BYTES * line;
        let [checksum, entries] = [first..first + 8, first + 8..first + LINE_BYTES];
        let found = line_checksum(line, &self.bytes[entries]);
        if found.to_le_bytes() != self.bytes[checksum] {
            let place = format!("bytes {first}..{}", first + LINE_BYTES);
            return Err(Error::damaged(&self.path, place, Damage::Checksum));
        }
        self.lines.set(line);
        Ok(())
    }

    #[cold]
    fn check_bytes(
        &self,
        bytes: Range<usize>,
        checksum_at: usize,
        bit: usize,
    ) -> Result<(), Error> {
        let Range { start, end } = bytes;
        let checksum = block_checksum(start, &self.bytes[bytes]);
        if checksum != u32::from_le_bytes(self.array(checksum_at)) {
            let place = format!("bytes {start}..{end}");
            return Err(Error::damaged(&self.path, place, Damage::Checksum));
        }
        self.sound.set(bit);
        Ok(())
    }

    /// The number in a block that tells a place.
    #[inline]
    fn place(&self, at: usize) -> usize {
        let number = u32::from_le_bytes(self.array(at));
        let unused = 32 - 8 * self.block.place as u32;
        (number << unused >> unused) as usize
    }

    /// Bytes before [`PADDING`](setrograde_endgame::diagram::PADDING).
    #[inline]
    fn array<const N: usize>(&self, at: usize) -> [u8; N] {
        *self.bytes[at..]
            .first_chunk()
            .expect("places lie before the unused bytes at the end")
    }
}

/// Returns true if a diagram has these bounds; others stand where there is no partition.
fn is_held(bounds: u8) -> bool {
    bounds & 15 <= bounds >> 4
}

/// The byte that stands for the bounds of a diagram.
pub(super) fn bounds_byte(bounds: Bounds) -> u8 {
    bounds.lo | bounds.hi << 4
}
