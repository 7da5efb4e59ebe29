//! A mapped level: look-ups walk its diagrams in the mapped bytes.

use std::path::Path;
use std::sync::OnceLock;

use setrograde_endgame::diagram::{Bounds, Diagram, Verdict};
use setrograde_endgame::ending::Ending;
use setrograde_endgame::matrix::{Matrix, RELATIVES, Relative};
use setrograde_endgame::owners::TopCards;
use setrograde_endgame::partition::{Canonical, Partition};
use setrograde_endgame::partition_index::PartitionIndex;

use super::blocks::{Blocks, DiagramSpan, bounds_byte, bounds_of};
use super::index::{InIndex, Index, MatrixSlot};
use super::map_file::MapFile;
use super::recent::{self, NodesState, RecentDiagram, RecentKey};
use crate::bytes::Bytes;
#[cfg(not(target_family = "wasm"))]
use crate::bytes::DiskReads;
use crate::error::Error;
use crate::format::level_map::MapHeader;
use crate::format::manifest::map_path;

/// A mapped level: the endings with one number of cards. Threads may share it.
///
/// The checksum of a diagram is checked at its first use. Every offset in the file is checked at
/// every use, so no file can send a look-up out of bounds or into a loop.
#[derive(Debug)]
pub struct Level {
    /// Its number in the process.
    id: u64,
    file: MapFile,
    index: Index,
    blocks: Blocks,
    /// Made at its first use: a solver needs none.
    partitions: OnceLock<PartitionIndex>,
}

impl Level {
    /// Reads a level from the bytes of a map. Errors name it `path`.
    ///
    /// # Errors
    ///
    /// If the header is damaged, or of another version.
    pub(crate) fn new(path: &Path, bytes: Bytes) -> Result<Level, Error> {
        MapFile::new(path, bytes).map(Level::of)
    }

    fn of(file: MapFile) -> Level {
        let index = Index::new(&file.header);
        let blocks = Blocks::new(&file.header, index.capacity());
        Level {
            id: recent::new_level(),
            index,
            blocks,
            partitions: OnceLock::new(),
            file,
        }
    }

    /// Maps the level with `level` cards in each hand of the database in a directory: the map that
    /// was made from the compressed level with the checksum `source`.
    ///
    /// # Errors
    ///
    /// [`Error::NoMap`] if there is no such file, [`Error::OtherLevel`] if it is another
    /// level's; [`Error::Damaged`], [`Error::Version`] or [`Error::Io`] if it cannot be used.
    pub fn open(directory: &Path, level: usize, source: u64) -> Result<Level, Error> {
        let path = map_path(directory, level, source);
        let opened = MapFile::open(&path).map(Level::of)?;
        if opened.level() != level || opened.file.header.source != source {
            return Err(Error::OtherLevel { path });
        }
        Ok(opened)
    }

    /// Sets how look-ups read bytes that are not in memory.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn set_disk_reads(&mut self, reads: DiskReads) -> Result<(), Error> {
        let set = self.file.bytes.set_disk_reads(reads);
        set.map_err(Error::io(&self.file.path, "read"))
    }

    /// Cards in each hand.
    pub fn level(&self) -> usize {
        self.file.header.level as usize
    }

    /// Returns the file, or its name in errors.
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The header.
    #[doc(hidden)]
    pub fn header(&self) -> &MapHeader {
        &self.file.header
    }

    /// The numbering of the level's partitions.
    #[doc(hidden)]
    pub fn partitions(&self) -> &PartitionIndex {
        self.partitions
            .get_or_init(|| PartitionIndex::new(self.level()))
    }

    /// Returns the size of a partition's diagram in bytes, 0 if it is damaged. The time to prove
    /// the partition is roughly proportional to it.
    #[doc(hidden)]
    pub fn diagram_bytes(&self, partition: Partition) -> u64 {
        match self.find(&self.slot_of(partition.relative()), true) {
            Ok(Some(span)) if span.exists() => {
                1 + self.blocks.nodes(&self.file, &span).len() as u64
            }
            _ => 0,
        }
    }

    /// Returns true if the level is coarse: leaves of its diagrams may be intervals.
    #[inline]
    pub fn is_coarse(&self) -> bool {
        self.file.header.known.is_some()
    }

    /// Returns the diagram of a partition of this level. It is a single interval if a coarse level
    /// knows nothing about the partition.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the diagram is damaged.
    #[inline]
    #[doc(hidden)]
    pub fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        self.diagram_of(partition, &self.slot_of(partition.relative()))
    }

    /// Returns the diagram of a partition, given the slot of its matrix.
    #[inline]
    pub(crate) fn diagram_of(
        &self,
        partition: Partition,
        slot: &MatrixSlot,
    ) -> Result<Diagram<'_>, Error> {
        let span = self.find(slot, true)?.filter(DiagramSpan::exists);
        let diagram = match span {
            Some(span) => self.blocks.diagram(&self.file, &span, true)?,
            None => self
                .is_coarse()
                .then(|| Diagram::unsplit(self.all_values())),
        };
        diagram.ok_or_else(|| self.lacks(partition))
    }

    /// The bounds of an ending about which nothing is known.
    fn all_values(&self) -> Bounds {
        let hi = self.file.header.level as u8;
        Bounds { lo: 0, hi }
    }

    /// Returns the index slot of the matrix of a relative.
    #[inline]
    pub(crate) fn slot_of(&self, relative: Relative) -> MatrixSlot {
        self.index.slot(relative)
    }

    /// Prefetches the line of the index where the search for a matrix begins.
    #[inline]
    pub(crate) fn prefetch_line(&self, slot: &MatrixSlot) {
        self.index.prefetch(&self.file, slot);
    }

    /// Prefetches the bytes of the block's head that [`diagram_of`](Self::diagram_of) will read.
    #[inline]
    pub(crate) fn prefetch_head(&self, slot: &MatrixSlot) {
        if let Ok(InIndex::Block(block)) = self.index.find(&self.file, slot, true) {
            let relative = slot.relative.number;
            self.blocks.prefetch(&self.file, block, relative);
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
        let is_open = |bounds: u8| bounds_of(bounds).leave_open(target);
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
            let reached = bounds_of(bounds).lo >= target;
            return Ok(Some(Verdict { reached, known }));
        }
        if nodes == NodesState::None {
            return Ok(None);
        }
        let bytes = self.file.bytes.get(root as usize..).unwrap_or_default();
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
        let slot = self.slot_of(partition.relative());
        let Some(span) = self.find(&slot, false)? else {
            return Ok(None);
        };
        let mut diagram = RecentDiagram {
            order,
            bounds: span.bounds,
            nodes: NodesState::Unchecked,
            root: span.root.unwrap_or_default() as u64,
        };
        if !span.exists() {
            if !self.is_coarse() {
                return Err(self.lacks(partition));
            }
            (diagram.bounds, diagram.nodes) = (bounds_byte(self.all_values()), NodesState::None);
        } else if is_open(span.bounds) {
            match self.blocks.diagram(&self.file, &span, false)? {
                None => return Ok(None),
                Some(unsplit) if !unsplit.root().is_node() => diagram.nodes = NodesState::None,
                Some(_) => diagram.nodes = NodesState::Sound,
            }
        }
        Ok(Some(diagram))
    }

    /// Returns the error of a diagram that does not cover an ending of the partition.
    #[cold]
    pub(crate) fn leads_nowhere(&self, partition: Partition) -> Error {
        let part = format!("partition {partition}");
        self.file.damaged(part, "it does not cover an ending")
    }

    /// Checks all checksums, and that the index has every matrix of the level.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if anything is wrong.
    pub fn check(&self) -> Result<(), Error> {
        let unused = &self.file.bytes[self.file.end()..];
        if unused.iter().any(|&byte| byte != 0) {
            let problem = "they are not zero";
            return Err(self.file.damaged("last bytes", problem));
        }
        self.index.check(&self.file)?;
        let mut existing = 0_u64;
        for matrix in Matrix::of_level(self.partitions()) {
            let slot = |number| self.slot_of(Relative { matrix, number });
            for number in 0..RELATIVES {
                if let Some(span) = self.find(&slot(number), true)?
                    && span.exists()
                {
                    self.blocks.diagram(&self.file, &span, true)?;
                    existing += 1;
                }
            }
        }
        let header = &self.file.header;
        let promised = header.known.unwrap_or(header.partitions);
        if existing != promised {
            let problem = format!("{existing} diagrams instead of {promised}");
            return Err(self.file.damaged("index", problem));
        }
        Ok(())
    }

    /// Returns the error of a missing partition.
    #[cold]
    fn lacks(&self, partition: Partition) -> Error {
        let part = format!("partition {partition}");
        self.file.damaged(part, "it is missing")
    }

    /// Finds the diagram of a relative. Returns `None` if the search would wait for the disk and
    /// `wait` is false.
    #[inline]
    fn find(&self, slot: &MatrixSlot, wait: bool) -> Result<Option<DiagramSpan>, Error> {
        let relative = slot.relative.number;
        match self.index.find(&self.file, slot, wait)? {
            InIndex::Block(block) => self.blocks.span(&self.file, block, relative, wait),
            InIndex::Nothing => Ok(Some(DiagramSpan::MISSING)),
            InIndex::NotReady => Ok(None),
        }
    }
}
