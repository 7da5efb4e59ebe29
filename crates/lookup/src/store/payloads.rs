//! What a level holds for its partitions: unpacked when it is first asked for, or
//! read afresh.

use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::partition::Partition;

use super::bounded::Bounded;
use super::counted;
use super::kept::{Kept, KeptDiagrams};
use super::level::{Level, Shards};
use super::pinned::{PinnedDiagram, PinnedPayload};
use super::unpack::{Diagrams, NoDiagram, Shard, ShardDiagrams, ShardFacts, Trees};
use crate::error::Error;
use crate::format::level_header::{self, TREES};

impl Level {
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
        let shard = self.shard_of(number).ok_or_else(|| self.not_held(number))?;
        match &self.shards {
            Shards::Diagrams(kept) => {
                let diagram = self.unpacked_diagram(kept, shard, number)?;
                Ok(PinnedPayload::diagram_of(diagram))
            }
            _ => self.other_payload(shard, number),
        }
    }

    /// Apart, so that look-ups in a level that keeps diagrams stay short.
    #[inline(never)]
    fn other_payload(&self, shard: usize, number: usize) -> Result<PinnedPayload<'_>, Error> {
        let place = self.place(shard, number);
        Ok(match &self.shards {
            Shards::Diagrams(kept) => {
                PinnedPayload::diagram_of(self.unpacked_diagram(kept, shard, number)?)
            }
            Shards::Trees(kept) => PinnedPayload::tree(self.unpacked_trees(kept, shard)?, place),
            Shards::Bounded(bounded) => {
                PinnedPayload::held(self.unpacked_shard(bounded, shard)?, place)
            }
        })
    }

    /// What the level holds for the partition of that number, unless its shard must
    /// be unpacked first and has been asked too seldom for that to be worthwhile.
    pub(crate) fn payload_if_worthwhile(
        &self,
        number: usize,
    ) -> Result<Option<PinnedPayload<'_>>, Error> {
        let shard = self.shard_of(number).ok_or_else(|| self.not_held(number))?;
        let place = self.place(shard, number);
        let unpacked = match &self.shards {
            Shards::Diagrams(kept) => kept.get(shard, number).map(PinnedPayload::diagram_of),
            Shards::Trees(kept) => {
                let trees = kept.get(shard);
                trees.map(|trees| PinnedPayload::tree(trees, place))
            }
            Shards::Bounded(bounded) => {
                let held = bounded.get(shard);
                held.map(|held| PinnedPayload::held(held, place))
            }
        };
        let nodes = self.file.entries[shard].nodes;
        match unpacked {
            None if self.demand.is_enough(shard, nodes) => self.payload_at(number).map(Some),
            unpacked => Ok(unpacked),
        }
    }

    /// The diagram of the partition of that number, if the level keeps it and has
    /// unpacked it.
    #[inline]
    pub(crate) fn unpacked_diagram_at(&self, number: usize) -> Option<Diagram<'_>> {
        match &self.shards {
            Shards::Diagrams(kept) => kept.get(self.shard_of(number)?, number),
            _ => None,
        }
    }

    /// The diagram of the partition of that number, if the level keeps what it
    /// unpacks, and holds a sound diagram there.
    #[inline]
    pub(crate) fn kept_diagram(&self, number: usize) -> Option<Diagram<'_>> {
        let Shards::Diagrams(kept) = &self.shards else {
            return None;
        };
        let shard = self.shard_of(number)?;
        match kept.get(shard, number) {
            Some(diagram) => Some(diagram),
            None => self.unpack_diagram(kept, shard, number).ok(),
        }
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
        let shard = self.shard_of(number).ok_or_else(|| self.not_held(number))?;
        let place = || self.place(shard, number);
        let failed = |wrong: NoDiagram| self.no_diagram(number - place(), &wrong);
        match &self.shards {
            Shards::Diagrams(kept) => Ok(self.unpacked_diagram(kept, shard, number)?.into()),
            Shards::Trees(kept) => {
                let trees = self.unpacked_trees(kept, shard)?;
                Ok(trees.unfolded().map_err(failed)?.diagram(place()).into())
            }
            Shards::Bounded(bounded) => {
                let held = self.unpacked_shard(bounded, shard)?;
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
            Shards::Diagrams(kept) => {
                let first = self.shard_partitions(shard).start;
                self.unpacked_diagram(kept, shard, first).map(|_| ())
            }
            Shards::Trees(kept) => self.unpacked_trees(kept, shard).map(|_| ()),
            Shards::Bounded(bounded) => self.unpacked_shard(bounded, shard).map(|_| ()),
        }
    }

    /// A diagram of a shard that is unpacked for good.
    #[inline]
    fn unpacked_diagram<'a>(
        &self,
        kept: &'a KeptDiagrams,
        shard: usize,
        number: usize,
    ) -> Result<Diagram<'a>, Error> {
        match kept.get(shard, number) {
            Some(diagram) => Ok(diagram),
            None => self.unpack_diagram(kept, shard, number),
        }
    }

    #[cold]
    fn unpack_diagram<'a>(
        &self,
        kept: &'a KeptDiagrams,
        shard: usize,
        number: usize,
    ) -> Result<Diagram<'a>, Error> {
        let first = self.shard_partitions(shard).start;
        let diagrams = self.read_diagrams_of(shard, &self.file.streams(shard)?)?;
        kept.insert(shard, first, &diagrams, number)
            .map_err(Error::io(&self.file.path, "unpack"))
    }

    /// The trees of a shard, unpacked for good.
    fn unpacked_trees<'a>(&self, kept: &'a Kept<Trees>, shard: usize) -> Result<&'a Trees, Error> {
        match kept.get(shard) {
            Some(trees) => Ok(trees),
            None => {
                let trees = self.read_trees_of(shard, &self.file.streams(shard)?)?;
                let bytes = trees.bytes();
                Ok(kept.insert(shard, trees, bytes))
            }
        }
    }

    /// A shard, unpacked and held as long as it is used.
    #[inline]
    fn unpacked_shard(&self, bounded: &Bounded, shard: usize) -> Result<counted::Held, Error> {
        match bounded.get(shard) {
            Some(held) => Ok(held),
            None => Ok(bounded.insert(shard, self.read_shard(shard)?)),
        }
    }

    /// The diagrams of a shard, read afresh from the file: the level does not keep
    /// them.
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

    fn read_shard(&self, shard: usize) -> Result<Shard, Error> {
        self.parse_shard(shard, &self.file.streams(shard)?)
    }

    fn parse_shard(&self, shard: usize, streams: &[Vec<u8>; 2]) -> Result<Shard, Error> {
        if self.header().payload == TREES {
            self.read_trees_of(shard, streams).map(Shard::Trees)
        } else {
            self.read_diagrams_of(shard, streams).map(Shard::Diagrams)
        }
    }

    fn read_diagrams_of(&self, shard: usize, streams: &[Vec<u8>; 2]) -> Result<Diagrams, Error> {
        let (partitions, nodes) = self.contents_of(shard);
        Diagrams::parse(streams, self.level(), partitions, nodes)
            .map_err(|problem| self.file.damaged_shard(shard, problem))
    }

    fn read_trees_of(&self, shard: usize, streams: &[Vec<u8>; 2]) -> Result<Trees, Error> {
        let (partitions, nodes) = self.contents_of(shard);
        Trees::parse(streams, self.level(), partitions, nodes)
            .map_err(|problem| self.file.damaged_shard(shard, problem))
    }

    /// The partitions of a shard, and the nodes that it promises.
    fn contents_of(&self, shard: usize) -> (impl Iterator<Item = Partition> + '_, usize) {
        let numbers = self.shard_partitions(shard);
        let partitions = self.partitions.iter_from(numbers.start).take(numbers.len());
        (partitions, self.file.entries[shard].nodes as usize)
    }

    #[cold]
    fn no_diagram(&self, first: usize, wrong: &NoDiagram) -> Error {
        let partition = format!("partition {}", first + wrong.place);
        Error::damaged(&self.file.path, partition, wrong.error.to_string())
    }
}
