//! A level: its file, the numbering of its partitions, and what is unpacked.

use std::path::Path;
use std::sync::Arc;

use setrograde_endgame::diagram::{Diagram, Edge, PackedNodes};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::shallow_tree::TreeNode;

use super::bounded::Bounded;
use super::counted;
use super::file::{Access, LevelFile};
use super::held::Held;
use super::journals;
use super::kept::Kept;
use super::memory::Memory;
use super::pinned::{PinnedDiagram, PinnedPayload};
use super::unpack::{Diagrams, NoDiagram, Shard, ShardDiagrams, ShardFacts, Trees};
use crate::error::Error;
use crate::format::level_header::{self, Entry, Header, TREES};
use crate::format::manifest::LevelRecord;
use crate::options::Options;

/// The endings with one number of cards: all, or as many as an unfinished build
/// has. Threads may share it.
#[derive(Debug)]
pub struct Level {
    file: LevelFile,
    partitions: PartitionIndex,
    /// What there is of a level that is not whole.
    held: Option<Held>,
    shards: Shards,
}

/// What is unpacked.
#[derive(Debug)]
enum Shards {
    Kept(Kept),
    Bounded(Bounded),
}

impl Level {
    /// Opens a level's file and checks its header and index. The shards are
    /// checked when they are unpacked.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another version, or is damaged.
    pub fn open(path: &Path, options: impl Into<Options>) -> Result<Level, Error> {
        let Options { access, memory } = options.into();
        Level::open_in(path, access, &Arc::new(Memory::new(memory)))
    }

    fn open_in(path: &Path, access: Access, memory: &Arc<Memory>) -> Result<Level, Error> {
        let file = LevelFile::open(path, access)?;
        let partitions = PartitionIndex::new(file.header.level as usize);
        if partitions.len() as u64 != file.header.partitions {
            let problem = format!(
                "{} partitions where the level has {}",
                file.header.partitions,
                partitions.len()
            );
            return Err(Error::damaged(path, "header", problem));
        }
        Ok(Level::new(file, partitions, None, memory))
    }

    fn new(
        file: LevelFile,
        partitions: PartitionIndex,
        held: Option<Held>,
        memory: &Arc<Memory>,
    ) -> Level {
        let shards = file.entries.len();
        let fits = memory.admit(most_bytes(&file, partitions.len()));
        let memory = Arc::clone(memory);
        let shards = if fits {
            let roots = match file.header.payload {
                TREES => 0,
                _ => partitions.len(),
            };
            Shards::Kept(Kept::new(shards, roots, memory))
        } else {
            Shards::Bounded(Bounded::new(shards, memory))
        };
        Level {
            file,
            partitions,
            held,
            shards,
        }
    }

    /// Opens what builds have finished so far of a level of the database in a
    /// directory, above a level with the checksum `below`; `None` if there is
    /// nothing. A build that is at work does not mind.
    ///
    /// Its [`header`](Self::header) sums up what there is; its
    /// [`checksum`](Self::checksum) is 0.
    ///
    /// # Errors
    ///
    /// If the directory of the journals or one of them cannot be read. Files
    /// that are not journals of such a build, and damaged ends of journals, hold
    /// nothing.
    ///
    /// # Panics
    ///
    /// If `level` is not in 1..=13.
    pub fn open_unfinished(
        database: &Path,
        level: usize,
        below: u64,
        options: impl Into<Options>,
    ) -> Result<Option<Level>, Error> {
        let Options { access, memory } = options.into();
        Level::unfinished_in(
            database,
            level,
            below,
            access,
            &Arc::new(Memory::new(memory)),
        )
    }

    /// As [`open_unfinished`](Self::open_unfinished), in the memory of a database.
    pub(crate) fn unfinished_in(
        database: &Path,
        level: usize,
        below: u64,
        access: Access,
        memory: &Arc<Memory>,
    ) -> Result<Option<Level>, Error> {
        let found = journals::read(database, level, below, access)?;
        Ok(found.map(|(file, partitions, held)| Level::new(file, partitions, Some(held), memory)))
    }

    /// Opens a level's file, which must be the one that a manifest's record
    /// names.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); [`Error::Damaged`] if it is another file.
    pub fn open_recorded(
        path: &Path,
        record: &LevelRecord,
        options: impl Into<Options>,
    ) -> Result<Level, Error> {
        let Options { access, memory } = options.into();
        Level::recorded_in(path, record, access, &Arc::new(Memory::new(memory)))
    }

    /// As [`open_recorded`](Self::open_recorded), in the memory of a database.
    pub(crate) fn recorded_in(
        path: &Path,
        record: &LevelRecord,
        access: Access,
        memory: &Arc<Memory>,
    ) -> Result<Level, Error> {
        let level = Level::open_in(path, access, memory)?;
        let header = level.header();
        if header.level != record.level {
            let problem = format!(
                "it holds {} cards, not {}",
                4 * header.level,
                4 * record.level
            );
            return Err(Error::damaged(path, "header", problem));
        }
        if level.checksum() != record.checksum || level.bytes() != record.bytes {
            let problem = "it is not the file that the manifest names";
            return Err(Error::damaged(path, "header and index", problem));
        }
        Ok(level)
    }

    /// Cards in each hand.
    #[must_use]
    pub fn level(&self) -> usize {
        self.file.header.level as usize
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.file.path
    }

    /// The bytes of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.file.length()
    }

    /// What stands at the head of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.file.header
    }

    /// The checksum of header and index, which covers those of all shards.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.file.checksum
    }

    /// The nodes in the file: those that diagrams of a shard share count once.
    #[must_use]
    pub fn written_nodes(&self) -> u64 {
        let nodes = self.file.entries.iter().map(|entry| u64::from(entry.nodes));
        nodes.sum()
    }

    /// The bytes of memory that the level takes when all its shards are
    /// unpacked, or a little more; the mapped file is left aside. Trees that are unfolded into
    /// diagrams take more: how much, their file does not tell.
    #[must_use]
    pub fn unpacked_bytes(&self) -> u64 {
        let nodes = self.written_nodes();
        let (nodes, partition) = if self.file.header.payload == TREES {
            (
                nodes * size_of::<TreeNode>() as u64,
                size_of::<Partition>() + size_of::<u32>(),
            )
        } else {
            (
                (nodes as f64 * PackedNodes::NODE_BYTES) as u64,
                size_of::<Edge>(),
            )
        };
        let shard = size_of::<Entry>() + Kept::SHARD_BYTES;
        nodes
            + self.file.header.partitions * partition as u64
            + (self.file.entries.len() * shard) as u64
            + self.partitions.bytes() as u64
    }

    /// The numbering of the level's partitions.
    #[must_use]
    pub fn partitions(&self) -> &PartitionIndex {
        &self.partitions
    }

    /// Whether all partitions of the level are there.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.held_partitions() == self.partitions.len()
    }

    /// How many of the level's partitions are there.
    #[must_use]
    pub fn held_partitions(&self) -> usize {
        let held = self.held.as_ref().map(Held::partitions);
        held.unwrap_or(self.partitions.len())
    }

    /// Whether the partition of that number is there.
    ///
    /// # Panics
    ///
    /// If the level has no partition of that number.
    #[inline]
    #[must_use]
    pub fn holds(&self, number: usize) -> bool {
        self.shard_of(number).is_some()
    }

    /// The shard that has the partition of that number, and the partition's place
    /// in it.
    ///
    /// # Errors
    ///
    /// [`Error::PartitionNotHeld`] if it is not there.
    ///
    /// # Panics
    ///
    /// As [`holds`](Self::holds).
    pub fn locate(&self, number: usize) -> Result<(usize, usize), Error> {
        let shard = self.shard_of(number).ok_or_else(|| self.not_held(number))?;
        Ok((shard, self.place(shard, number)))
    }

    /// How many shards the level has.
    #[must_use]
    pub fn shard_count(&self) -> usize {
        self.file.entries.len()
    }

    /// The numbers of the partitions in a shard, below
    /// [`shard_count`](Self::shard_count).
    #[must_use]
    pub fn shard_partitions(&self, shard: usize) -> std::ops::Range<usize> {
        if let Some(held) = &self.held {
            return held.shard_partitions(shard);
        }
        let size = self.file.header.shard_partitions as usize;
        let first = shard * size;
        first..self.partitions.len().min(first + size)
    }

    /// What the level holds for a partition of its own.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if its shard is, [`Error::PartitionNotHeld`] if it is
    /// not there.
    #[inline]
    pub fn payload(&self, partition: Partition) -> Result<PinnedPayload<'_>, Error> {
        self.payload_at(self.partitions.number(partition))
    }

    /// What the level holds for the partition of that number.
    ///
    /// # Errors
    ///
    /// As [`payload`](Self::payload).
    ///
    /// # Panics
    ///
    /// If the level has no partition of that number.
    #[inline]
    pub fn payload_at(&self, number: usize) -> Result<PinnedPayload<'_>, Error> {
        let Some(shard) = self.shard_of(number) else {
            return Err(self.not_held(number));
        };
        match &self.shards {
            Shards::Kept(kept) => {
                let unpacked = self.kept(kept, shard)?;
                Ok(match kept.diagram(unpacked, number) {
                    Some(diagram) => PinnedPayload::diagram_of(diagram),
                    None => PinnedPayload::kept(unpacked, self.place(shard, number)),
                })
            }
            Shards::Bounded(bounded) => self.bounded_payload(bounded, shard, number),
        }
    }

    /// The diagram of the partition of that number, if the level keeps what it
    /// unpacks, and holds a sound diagram there.
    #[inline]
    pub(crate) fn kept_diagram(&self, number: usize) -> Option<Diagram<'_>> {
        let shard = self.shard_of(number)?;
        match &self.shards {
            Shards::Kept(kept) => kept.diagram(self.kept(kept, shard).ok()?, number),
            Shards::Bounded(_) => None,
        }
    }

    /// Apart, so that look-ups in a level that is kept stay short.
    #[inline(never)]
    fn bounded_payload(
        &self,
        bounded: &Bounded,
        shard: usize,
        number: usize,
    ) -> Result<PinnedPayload<'_>, Error> {
        let held = self.bounded(bounded, shard)?;
        Ok(PinnedPayload::held(held, self.place(shard, number)))
    }

    /// The diagram of a partition of this level. Trees are unfolded into
    /// diagrams, a shard at a time, when one is first asked for.
    ///
    /// # Errors
    ///
    /// As [`payload`](Self::payload); [`Error::Damaged`] too if the sets of a
    /// tree do not cover their partition or contradict each other.
    #[inline]
    pub fn diagram(&self, partition: Partition) -> Result<PinnedDiagram<'_>, Error> {
        self.diagram_at(self.partitions.number(partition))
    }

    /// The diagram of the partition of that number, as in
    /// [`diagram`](Self::diagram).
    ///
    /// # Errors
    ///
    /// As [`diagram`](Self::diagram).
    ///
    /// # Panics
    ///
    /// If the level has no partition of that number.
    #[inline]
    pub fn diagram_at(&self, number: usize) -> Result<PinnedDiagram<'_>, Error> {
        let Some(shard) = self.shard_of(number) else {
            return Err(self.not_held(number));
        };
        let place = || self.place(shard, number);
        let failed = |wrong: NoDiagram| self.no_diagram(number - place(), &wrong);
        match &self.shards {
            Shards::Kept(kept) => {
                let unpacked = self.kept(kept, shard)?;
                let diagram = match kept.diagram(unpacked, number) {
                    Some(diagram) => diagram,
                    None => unpacked.diagram(place()).map_err(failed)?,
                };
                Ok(diagram.into())
            }
            Shards::Bounded(bounded) => {
                let held = self.bounded(bounded, shard)?;
                if let Some(counted) = &*held
                    && let Shard::Trees(trees) = &counted.shard
                {
                    trees.unfolded().map_err(failed)?;
                    bounded.recount(counted);
                }
                Ok(PinnedDiagram::held(held, place()))
            }
        }
    }

    /// The diagrams of a shard, read afresh from the file, for whoever needs them
    /// but once: the level does not keep them.
    ///
    /// # Errors
    ///
    /// As [`diagram`](Self::diagram).
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn read_diagrams(&self, shard: usize) -> Result<ShardDiagrams, Error> {
        let first = self.shard_partitions(shard).start;
        ShardDiagrams::of(self.read_shard(shard)?).map_err(|wrong| self.no_diagram(first, &wrong))
    }

    #[cold]
    fn no_diagram(&self, first: usize, wrong: &NoDiagram) -> Error {
        let partition = format!("partition {}", first + wrong.place);
        Error::damaged(&self.file.path, partition, wrong.error.to_string())
    }

    /// A shard, unpacked and kept.
    #[inline]
    fn kept<'a>(&self, kept: &'a Kept, shard: usize) -> Result<&'a Shard, Error> {
        match kept.get(shard) {
            Some(unpacked) => Ok(unpacked),
            None => self.keep(kept, shard),
        }
    }

    #[cold]
    fn keep<'a>(&self, kept: &'a Kept, shard: usize) -> Result<&'a Shard, Error> {
        let first = self.shard_partitions(shard).start;
        Ok(kept.insert(shard, first, self.read_shard(shard)?))
    }

    /// A shard, unpacked and held as long as it is used.
    #[inline]
    fn bounded(&self, bounded: &Bounded, shard: usize) -> Result<counted::Held, Error> {
        match bounded.get(shard) {
            Some(held) => Ok(held),
            None => Ok(bounded.insert(shard, self.read_shard(shard)?)),
        }
    }

    #[inline]
    fn shard_of(&self, number: usize) -> Option<usize> {
        match &self.held {
            // Levels have fewer than 2^32 partitions.
            None => Some((number as u32 / self.file.header.shard_partitions) as usize),
            Some(held) => held.shard_of(number),
        }
    }

    /// The place of a partition in its shard.
    #[inline]
    fn place(&self, shard: usize, number: usize) -> usize {
        number - self.shard_partitions(shard).start
    }

    #[cold]
    fn not_held(&self, number: usize) -> Error {
        Error::PartitionNotHeld {
            cards: 4 * self.level(),
            number,
        }
    }

    /// Unpacks a shard unless it is unpacked already, so that later look-ups
    /// in it do not wait.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the shard is.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn load(&self, shard: usize) -> Result<(), Error> {
        match &self.shards {
            Shards::Kept(kept) => self.kept(kept, shard).map(|_| ()),
            Shards::Bounded(bounded) => self.bounded(bounded, shard).map(|_| ()),
        }
    }

    fn read_shard(&self, shard: usize) -> Result<Shard, Error> {
        self.parse_shard(shard, &self.file.streams(shard)?)
    }

    fn parse_shard(&self, shard: usize, streams: &[Vec<u8>; 2]) -> Result<Shard, Error> {
        let numbers = self.shard_partitions(shard);
        let partitions = self.partitions.iter_from(numbers.start).take(numbers.len());
        let nodes = self.file.entries[shard].nodes as usize;
        let parsed = if self.header().payload == TREES {
            Trees::parse(streams, self.level(), partitions, nodes).map(Shard::Trees)
        } else {
            Diagrams::parse(streams, self.level(), partitions, nodes).map(Shard::Diagrams)
        };
        parsed.map_err(|problem| self.file.damaged_shard(shard, problem))
    }

    /// Reads a shard afresh from the file and checks it, whether it is in
    /// memory or not. Returns what it holds.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if it is.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn check_shard(&self, shard: usize) -> Result<ShardFacts, Error> {
        let streams = self.file.streams(shard)?;
        let content = level_header::content_hash([&streams[0], &streams[1]]);
        Ok(self.parse_shard(shard, &streams)?.facts(content))
    }
}

/// The most bytes that the shards of a level may take, unpacked. Trees that are
/// unfolded into diagrams may take any number.
fn most_bytes(file: &LevelFile, partitions: usize) -> u64 {
    if file.header.payload == TREES {
        return u64::MAX;
    }
    let shards = file.entries.iter().map(|entry| {
        let nodes = PackedNodes::most_bytes(entry.nodes.into(), entry.plain[1].into());
        nodes + Kept::SHARD_BYTES as u64
    });
    shards.sum::<u64>() + (partitions * size_of::<Edge>()) as u64
}
