//! A mapped level: look-ups walk its diagrams in the mapped bytes.

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
use crate::store::recent::{self, NodesState, RecentDiagram, RecentKey};

/// A mapped level: the endings with one number of cards. Threads may share it.
///
/// The checksum of a diagram is checked at its first use. Every offset in the file is checked at
/// every use, so no file can send a look-up out of bounds or into a loop.
#[derive(Debug)]
pub struct Level {
    path: PathBuf,
    /// Its number in the process.
    id: u64,
    bytes: Bytes,
    header: MapHeader,
    index: IndexLayout,
    block: BlockLayout,
    /// Made at its first use: a solver needs none.
    partitions: OnceLock<PartitionIndex>,
    /// The lines of the index whose checksums matched.
    lines: Bits,
    /// The heads of blocks, the diagrams and the shared blocks whose checksums matched.
    sound: Bits,
}

/// Maximum number of attempts to open a level's map while another program replaces it.
const ATTEMPTS: usize = 100;

/// See [`Level::reads`].
type Reads = ([Range<usize>; 3], usize);

/// Number of bits in [`Level::sound`] for each matrix: one for the head of its block, and one for
/// each diagram.
const BITS: usize = 1 + RELATIVES;

/// The span of a diagram in the file, from the checked head of its block.
struct DiagramSpan {
    block: Block,
    /// The minimum and maximum value, encoded as in an edge.
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

/// The index slot of a partition's matrix, for look-ups that run in parallel steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatrixSlot {
    relative: Relative,
    slot: IndexSlot,
}

impl Level {
    /// Reads a level from the bytes of a `level-NN.map`. Errors name it `path`.
    ///
    /// # Errors
    ///
    /// If the header is damaged, or of another version.
    pub fn new(path: &Path, bytes: Bytes) -> Result<Level, Error> {
        let unsound = |error| Error::header(path, VERSION, error);
        let header = MapHeader::read(&bytes).map_err(unsound)?;
        bytes.read_at_random();
        let block = header.block();
        let bits = match block.separate {
            true => header.lines as usize * ENTRIES * BITS,
            false => bytes.len() / BITS + 1,
        };
        Ok(Level {
            path: path.to_owned(),
            id: recent::new_level(),
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
        // A file that has disappeared in the meantime was replaced by a newer one.
        for _ in 0..ATTEMPTS {
            let mut gone = false;
            let mut of_newest = None;
            let paths = map_paths(directory, level);
            // A listing during a rename may have neither name.
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

    /// Sets how look-ups read bytes that are not in memory.
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

    /// Returns the file, or its name in errors.
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

    /// Returns the size of a partition's diagram in bytes, 0 if it is damaged. The time to prove
    /// the partition is roughly proportional to it.
    #[must_use]
    pub fn diagram_bytes(&self, partition: Partition) -> u64 {
        match self.block_of(&self.place_of(partition.relative()), true) {
            Ok(Some(block)) if is_held(self.bounds(&block)) => {
                let nodes = match self.block.separate {
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

    /// Returns the diagram of a partition of this level. It is a single interval if a coarse level
    /// knows nothing about the partition.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the diagram is damaged.
    #[inline]
    pub fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        self.diagram_of(partition, &self.place_of(partition.relative()))
    }

    /// Returns the diagram of a partition, given the slot of its matrix.
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

    /// Returns the index slot of the matrix of a relative.
    #[inline]
    pub(crate) fn place_of(&self, relative: Relative) -> MatrixSlot {
        let slot = self.index.slot(relative.matrix);
        MatrixSlot { relative, slot }
    }

    /// Prefetches the line of the index where the search for a matrix begins.
    #[inline]
    pub(crate) fn prefetch_line(&self, place: &MatrixSlot) {
        prefetch(&self.bytes, HEADER_BYTES + LINE_BYTES * place.slot.line, 1);
    }

    /// Prefetches the bytes of the block's head that [`diagram_of`](Self::diagram_of) will read.
    #[inline]
    pub(crate) fn prefetch_head(&self, place: &MatrixSlot) {
        if let Ok(Some((entry, _))) = self.entry(place, true) {
            let diagram = RELATIVES * self.index.number(entry) + place.relative.number;
            for at in [self.block.bounds_at(diagram), self.block.place_at(diagram)] {
                prefetch(&self.bytes, entry.place() + at, 1);
            }
        }
    }

    /// Decides whether the leader's side takes at least `target` tricks in an ending, and returns
    /// the fewest top cards of each suit that prove it. Returns `None` if the answer would wait for
    /// the disk, after asking the system for the bytes, or if a coarse level leaves the question
    /// open. It reads only the bytes that the answer needs.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the bytes read are damaged, or the diagram does not cover the ending.
    #[inline]
    pub(crate) fn decide(&self, ending: &Ending, target: u8) -> Result<Option<Verdict>, Error> {
        let key = RecentKey::new(self.id, ending);
        let is_open = |bounds: u8| {
            let (lo, hi) = (bounds & 15, bounds >> 4);
            (Bounds { lo, hi }).leave_open(target)
        };
        let known = |diagram: &RecentDiagram| {
            diagram.nodes != NodesState::Unchecked || !is_open(diagram.bounds)
        };
        let RecentDiagram {
            order,
            bounds,
            nodes,
            root,
        } = match recent::get(key).filter(known) {
            Some(diagram) => diagram,
            None => {
                let Some(diagram) = self.find_recent(ending, is_open)? else {
                    return Ok(None);
                };
                recent::put(key, diagram);
                diagram
            }
        };
        if !is_open(bounds) {
            let known = TopCards::new([0; 4]);
            let reached = bounds & 15 >= target;
            return Ok(Some(Verdict { reached, known }));
        }
        if nodes == NodesState::None {
            return Ok(None);
        }
        let bytes = self.bytes.get(root as usize..).unwrap_or_default();
        let diagram = Diagram::packed_at_start(bytes, bounds);
        diagram.prefetch();
        match diagram.decide(ending, order, target) {
            None if !self.is_coarse() => Err(self.leads_nowhere(ending.canonical().partition)),
            verdict => Ok(verdict),
        }
    }

    /// Finds the diagram of an ending, whose nodes are needed if its bounds are open; `None` if
    /// that would wait for the disk.
    fn find_recent(
        &self,
        ending: &Ending,
        is_open: impl Fn(u8) -> bool,
    ) -> Result<Option<RecentDiagram>, Error> {
        let Canonical { partition, order } = ending.canonical();
        let slot = self.place_of(partition.relative());
        let Some(found) = self.find(&slot, false)? else {
            return Ok(None);
        };
        let mut diagram = RecentDiagram {
            order,
            bounds: found.bounds,
            nodes: NodesState::Unchecked,
            root: found.root as u64,
        };
        if !is_held(found.bounds) {
            if !self.is_coarse() {
                return Err(self.lacks(partition));
            }
            (diagram.bounds, diagram.nodes) = ((self.level() as u8) << 4, NodesState::None);
        } else if is_open(found.bounds) {
            match self.diagram_at(&found, false)? {
                None => return Ok(None),
                Some(unsplit) if !unsplit.root().is_node() => diagram.nodes = NodesState::None,
                Some(_) => diagram.nodes = NodesState::Sound,
            }
        }
        Ok(Some(diagram))
    }

    /// Returns the diagram in a span; `None` if that would wait for the disk and `wait` is false.
    #[inline]
    fn diagram_at(&self, found: &DiagramSpan, wait: bool) -> Result<Option<Diagram<'_>>, Error> {
        // A block of diagrams that share nodes was checked with its head.
        if self.block.separate && !self.sound.has(found.bit) && !self.check_nodes(found, wait)? {
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

    /// Checks the nodes of a diagram. Returns false if that would wait for the disk and `wait` is
    /// false.
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

    /// Returns the error of a diagram that does not cover an ending of the partition.
    #[cold]
    pub(crate) fn leads_nowhere(&self, partition: Partition) -> Error {
        let place = format!("partition {partition}");
        Error::damaged(&self.path, place, "it does not cover an ending")
    }

    /// Checks all checksums, and that the index has every matrix of the level.
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

    /// Returns the byte ranges of the file that a question about a partition reads before the first
    /// node: the line of the index, the head of the block, and the bytes under the checksum of the
    /// nodes. Also returns the offset of the root.
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

    /// Returns the error of a missing partition.
    #[cold]
    fn lacks(&self, partition: Partition) -> Error {
        Error::damaged(
            &self.path,
            format!("partition {partition}"),
            "it is missing",
        )
    }

    /// Finds the diagram of a relative. Returns `None` if the search would wait for the disk and
    /// `wait` is false, or if a coarse level knows nothing about the relative.
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

    /// Returns the block of a relative; `None` as for [`find`](Self::find). Its head is checked, or
    /// all of it if its diagrams share nodes.
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
        let bit = match self.block.separate {
            true => BITS * number,
            false => block.first / BITS,
        };
        if !self.sound.has(bit) && !self.check_head(&block, bit, wait)? {
            return Ok(None);
        }
        Ok(Some(block))
    }

    /// Checks the head of a block, or all of it if its diagrams share nodes. Returns false if that
    /// would wait for the disk and `wait` is false.
    #[cold]
    fn check_head(&self, block: &Block, bit: usize, wait: bool) -> Result<bool, Error> {
        let end = match self.block.separate {
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

    /// Returns the bytes of a diagram's nodes, or of all nodes of a shared block.
    #[inline]
    fn nodes(&self, block: &Block) -> Range<usize> {
        let place = |diagram| block.first + self.place(block.first + self.block.place_at(diagram));
        match self.block.separate {
            true => place(block.diagram)..place(block.diagram + 1),
            false => block.first + self.block.head()..place(self.block.diagrams),
        }
    }

    /// Returns the entry of a matrix in the index, and its number.
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
            // Compared without branches, because any entry is equally likely.
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

    /// Reads an offset stored in a block.
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
            .expect("offsets lie before the unused bytes at the end")
    }
}

/// Returns true if a diagram may have these bounds; other bytes mark missing partitions.
fn is_held(bounds: u8) -> bool {
    bounds & 15 <= bounds >> 4
}

/// Returns the byte that encodes the bounds of a diagram.
pub(super) fn bounds_byte(bounds: Bounds) -> u8 {
    bounds.lo | bounds.hi << 4
}
