//! A level at work: its diagrams are walked where its bytes lie.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use setrograde_endgame::diagram::{Bounds, Diagram, Verdict};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::matrix::{Matrix, RELATIVES, Relative};
use setrograde_endgame::owners::TopCards;
use setrograde_endgame::partition::{Canonical, Partition};
use setrograde_endgame::partition_index::PartitionIndex;

use crate::bytes::{Bits, Bytes, map_file};
use crate::error::{Damage, Error};
use crate::format::level_map::{
    BlockLayout, CHECKSUM, ENTRIES, HEADER_BYTES, IndexEntry, LINE_BYTES, MapHeader, NOT_HELD,
    Origin, VERSION, block_checksum, line_checksum,
};
use crate::format::manifest::{map_path, map_paths};

/// A level at work: the endings with one number of cards, all or a part of them.
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
    block: BlockLayout,
    /// Made when it is first asked for: a solver needs none.
    partitions: OnceLock<PartitionIndex>,
    /// The lines of the index whose checksums were found to fit.
    lines: Bits,
    /// The heads of blocks, and diagrams or whole blocks, whose checksums were.
    sound: Bits,
}

/// How often the files of a level are looked for, while others are being replaced.
const ATTEMPTS: usize = 100;

/// See [`Level::reads`].
type Reads = ([Range<usize>; 3], usize);

/// Of each matrix in the index, the bits in [`Level::sound`] for the head of its block and
/// for each diagram. No two blocks begin so close to each other.
const BITS: usize = 1 + RELATIVES;

/// A diagram's place in the file, as the head of its block says, which is sound.
struct Found {
    /// The least and the greatest value, as they stand in an edge.
    bounds: u8,
    /// The first byte of the root.
    root: usize,
    /// What is to be checked before a walk through it.
    nodes: Option<Unchecked>,
}

/// Bytes whose checksum was not found to fit yet.
struct Unchecked {
    bytes: Range<usize>,
    checksum_at: usize,
    /// Their bit in [`Level::sound`].
    bit: usize,
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
            block,
            partitions: OnceLock::new(),
            lines: Bits::new(header.lines as usize),
            sound: Bits::new(bits),
            header,
            bytes,
        })
    }

    /// Maps the file of the level with `level` cards in each hand that was made from
    /// `source`.
    ///
    /// # Errors
    ///
    /// [`Error::NoMap`] if there is no such file, [`Error::OtherLevel`] if it is another
    /// level's; [`Error::Damaged`], [`Error::Version`] or [`Error::Io`] if it cannot be used.
    pub fn open(path: &Path, level: usize, source: Origin) -> Result<Level, Error> {
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
    /// in each hand and was made from `source`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), of the newest file.
    pub fn newest(directory: &Path, level: usize, source: Origin) -> Result<Level, Error> {
        let path = map_path(directory, level);
        let mut problem = Error::NoMap { path };
        // Files that have gone meanwhile have left their place to a newer one.
        for _ in 0..ATTEMPTS {
            let mut gone = false;
            let mut of_newest = None;
            for path in map_paths(directory, level) {
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

    /// Returns true if all partitions of the level are held.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.header.held == self.header.partitions
    }

    /// The number of partitions held.
    #[must_use]
    pub fn held_partitions(&self) -> usize {
        self.header.held as usize
    }

    /// Returns true if a partition of this level is held.
    #[must_use]
    pub fn holds(&self, partition: Partition) -> bool {
        let found = self.find(partition, true);
        found.is_ok_and(|found| found.is_some())
    }

    /// The bytes of the diagram of a partition of this level, 0 if it is not held: about
    /// in proportion to the time that questions about all of it take.
    #[must_use]
    pub fn diagram_bytes(&self, partition: Partition) -> u64 {
        match self.block_of(partition.relative(), true) {
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

    /// The diagram of a partition of this level, or `None` if it is not held, which a whole
    /// level excludes.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if it is.
    #[inline]
    pub fn diagram(&self, partition: Partition) -> Result<Option<Diagram<'_>>, Error> {
        match self.find(partition, true)? {
            Some(found) => self.diagram_at(&found, true),
            None => self.not_held(partition),
        }
    }

    /// Whether the leader's side takes at least `target` tricks in an ending, and the
    /// fewest top cards of each suit that prove it; `None` if its partition is not held, or
    /// if to find that out would wait for the disk and it may not `wait`: then the bytes are
    /// on their way. Of the file no more is read than the answer needs.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if what is read is, or the ending leads nowhere in it.
    #[inline]
    pub(crate) fn decide(
        &self,
        ending: &Ending,
        target: u8,
        wait: bool,
    ) -> Result<Option<Verdict>, Error> {
        let Canonical { partition, order } = ending.canonical();
        let Some(found) = self.find(partition, wait)? else {
            return match wait {
                true => self.not_held(partition).map(|_| None),
                false => Ok(None),
            };
        };
        let (lo, hi) = (found.bounds & 15, found.bounds >> 4);
        if !(Bounds { lo, hi }).leave_open(target) {
            let known = TopCards::new([0; 4]);
            let reached = lo >= target;
            return Ok(Some(Verdict { reached, known }));
        }
        let Some(diagram) = self.diagram_at(&found, wait)? else {
            return Ok(None);
        };
        diagram.prefetch();
        match diagram.decide(ending, order, target) {
            None => Err(self.leads_nowhere(partition)),
            verdict => Ok(verdict),
        }
    }

    /// The diagram at its place; `None` if that would wait for the disk and may not.
    #[inline]
    fn diagram_at(&self, found: &Found, wait: bool) -> Result<Option<Diagram<'_>>, Error> {
        if let Some(nodes) = &found.nodes {
            if !wait && !self.bytes.are_ready(nodes.bytes.clone()) {
                return Ok(None);
            }
            self.check_bytes(nodes)?;
        }
        let bytes = &self.bytes[found.root..];
        Ok(Some(Diagram::packed_at_start(bytes, found.bounds)))
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
        let mut held = 0;
        for matrix in Matrix::of_level(self.partitions()) {
            for number in 0..RELATIVES {
                if let Some(found) = self.find_relative(Relative { matrix, number }, true)? {
                    found
                        .nodes
                        .map_or(Ok(()), |nodes| self.check_bytes(&nodes))?;
                    held += u64::from(is_held(found.bounds));
                }
            }
        }
        if held != self.header.held {
            let problem = format!("{held} diagrams where {} are promised", self.header.held);
            return Err(Error::damaged(&self.path, "index", problem));
        }
        Ok(())
    }

    /// The bytes of the file that a question about an ending of a partition reads before it
    /// comes to a node: of the index, the head of the block, and what the checksum of the
    /// nodes is of; and the first byte of the root. `None` if it is not held.
    ///
    /// # Errors
    ///
    /// As [`diagram`](Self::diagram).
    #[doc(hidden)]
    pub fn reads(&self, partition: Partition) -> Result<Option<Reads>, Error> {
        let Some(block) = self.block_of(partition.relative(), true)? else {
            return Ok(None);
        };
        let line = HEADER_BYTES + LINE_BYTES * (block.entry / ENTRIES);
        let head = block.first..block.first + self.block.head();
        let reads = [line..line + LINE_BYTES, head, self.nodes(&block)];
        let root = block.first + self.place(block.first + self.block.place_at(block.diagram));
        Ok(Some((reads, root)))
    }

    /// The answer for a partition that is not there.
    #[cold]
    fn not_held(&self, partition: Partition) -> Result<Option<Diagram<'_>>, Error> {
        if self.is_whole() {
            let place = format!("partition {partition}");
            let problem = "it is missing in a level that is said to be whole";
            return Err(Error::damaged(&self.path, place, problem));
        }
        Ok(None)
    }

    /// The place of a partition's diagram, if it is held.
    #[inline]
    fn find(&self, partition: Partition, wait: bool) -> Result<Option<Found>, Error> {
        let found = self.find_relative(partition.relative(), wait)?;
        Ok(found.filter(|found| is_held(found.bounds)))
    }

    /// The place of the diagram of a relative, which may be that of no partition; `None` if
    /// its block is not held.
    #[inline]
    fn find_relative(&self, relative: Relative, wait: bool) -> Result<Option<Found>, Error> {
        let Some(block) = self.block_of(relative, wait)? else {
            return Ok(None);
        };
        let root = block.first + self.place(block.first + self.block.place_at(block.diagram));
        let nodes = self.nodes(&block);
        if root > nodes.end || nodes.start > nodes.end || nodes.end > self.header.end as usize {
            return Err(self.outside(block.first));
        }
        // A block that diagrams share was checked as a whole.
        let bit = BITS * block.entry + 1 + relative.number;
        let is_unchecked = self.block.alone && !self.sound.has(bit);
        Ok(Some(Found {
            bounds: self.bounds(&block),
            root,
            nodes: is_unchecked.then(|| Unchecked {
                bytes: nodes,
                checksum_at: block.first + self.block.checksum_at(block.diagram),
                bit,
            }),
        }))
    }

    /// The block of a relative; `None` if it is not held. Its head was checked, or all of it
    /// if diagrams share their nodes.
    #[inline]
    fn block_of(&self, relative: Relative, wait: bool) -> Result<Option<Block>, Error> {
        let Some((entry, number)) = self.entry(relative.matrix, wait)? else {
            return Ok(None);
        };
        let block = Block {
            first: entry.place(),
            diagram: RELATIVES * entry.number(&self.header) + relative.number,
            entry: number,
        };
        if block.first == NOT_HELD as usize {
            return Ok(None);
        }
        let head = block.first..block.first + self.block.head();
        if head.start < self.header.blocks_at()
            || head.end > self.header.end as usize
            || block.diagram >= self.block.diagrams
        {
            return Err(self.outside(block.first));
        }
        let (end, bit) = match self.block.alone {
            true => (head.end, BITS * number),
            false => (self.nodes(&block).end, head.start / BITS),
        };
        if !self.sound.has(bit) {
            let bytes = head.start + CHECKSUM..end;
            if bytes.is_empty() || end > self.header.end as usize {
                return Err(self.outside(block.first));
            }
            if !wait && !self.bytes.are_ready(head.start..end) {
                return Ok(None);
            }
            self.check_bytes(&Unchecked {
                bytes,
                checksum_at: head.start,
                bit,
            })?;
        }
        Ok(Some(block))
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
    fn entry(&self, matrix: Matrix, wait: bool) -> Result<Option<(IndexEntry, usize)>, Error> {
        let slot = self.header.slot(matrix);
        let lines = self.header.lines as usize;
        for line in (slot.line..lines).chain(0..slot.line) {
            if !self.lines.has(line) {
                let first = HEADER_BYTES + LINE_BYTES * line;
                if !wait && !self.bytes.are_ready(first..first + LINE_BYTES) {
                    return Ok(None);
                }
                self.check_line(line)?;
            }
            let first = HEADER_BYTES + LINE_BYTES * line + 8;
            let entries: [u8; 8 * ENTRIES] = self.array(first);
            for (number, entry) in entries.as_chunks::<8>().0.iter().enumerate() {
                match IndexEntry::read(*entry) {
                    Some(entry) if entry.tag(&self.header) == slot.tag => {
                        return Ok(Some((entry, ENTRIES * line + number)));
                    }
                    Some(_) => {}
                    None => return Err(self.missing(matrix)),
                }
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
    fn check_bytes(&self, unchecked: &Unchecked) -> Result<(), Error> {
        let Unchecked {
            bytes: Range { start, end },
            checksum_at,
            bit,
        } = *unchecked;
        let checksum = block_checksum(start, &self.bytes[start..end]);
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

/// The block of a diagram.
struct Block {
    /// Its first byte.
    first: usize,
    /// The diagram's number there.
    diagram: usize,
    /// The number of its matrix in the index.
    entry: usize,
}

/// Returns true if a diagram has these bounds; others stand where none is held.
fn is_held(bounds: u8) -> bool {
    bounds & 15 <= bounds >> 4
}

/// The byte that stands for the bounds of a diagram.
pub(super) fn bounds_byte(bounds: Bounds) -> u8 {
    bounds.lo | bounds.hi << 4
}
