//! A level: its file, the numbering of its partitions, and what is unpacked.

use std::path::Path;

use setrograde_endgame::diagram::{Edge, PackedNodes};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::shallow_tree::TreeNode;

use super::bounded::Bounded;
use super::demand::Demand;
use super::file::LevelFile;
use super::held::Held;
use super::kept::{Kept, KeptDiagrams};
use super::unpack::Trees;
use crate::error::Error;
use crate::format::level_header::{Entry, Header, TREES};

/// The endings with one number of cards: all, or as many as an unfinished build
/// has. Threads may share it.
#[derive(Debug)]
pub struct Level {
    pub(super) file: LevelFile,
    pub(super) partitions: PartitionIndex,
    /// What there is of a level that is not whole.
    pub(super) held: Option<Held>,
    pub(super) shards: Shards,
    pub(super) demand: Demand,
}

/// What is unpacked.
#[derive(Debug)]
pub(super) enum Shards {
    Diagrams(KeptDiagrams),
    Trees(Kept<Trees>),
    /// Of either kind, and not all at once.
    Bounded(Bounded),
}

impl Level {
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

    /// The nodes in a shard, below [`shard_count`](Self::shard_count).
    #[must_use]
    pub fn shard_nodes(&self, shard: usize) -> u64 {
        self.file.entries[shard].nodes.into()
    }

    /// The bytes of memory that the level takes when all its shards are unpacked,
    /// or a little more, without the mapped file. Trees that are unfolded into
    /// diagrams take more: how much, their file does not tell.
    #[must_use]
    pub fn unpacked_bytes(&self) -> u64 {
        let nodes = self.written_nodes();
        let (nodes, partition, shard) = if self.file.header.payload == TREES {
            (
                nodes * size_of::<TreeNode>() as u64,
                size_of::<Partition>() + size_of::<u32>(),
                Kept::<Trees>::SHARD_BYTES,
            )
        } else {
            (
                (nodes as f64 * PackedNodes::NODE_BYTES) as u64,
                size_of::<Edge>(),
                KeptDiagrams::SHARD_BYTES,
            )
        };
        nodes
            + self.file.header.partitions * partition as u64
            + (self.file.entries.len() * (size_of::<Entry>() + shard)) as u64
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

    /// The shard of a partition, if it is held.
    #[inline]
    pub(super) fn shard_of(&self, number: usize) -> Option<usize> {
        match &self.held {
            // Levels have fewer than 2^32 partitions.
            None => Some((number as u32 / self.file.header.shard_partitions) as usize),
            Some(held) => held.shard_of(number),
        }
    }

    /// The place of a partition in its shard.
    #[inline]
    pub(super) fn place(&self, shard: usize, number: usize) -> usize {
        number - self.shard_partitions(shard).start
    }

    #[cold]
    pub(super) fn not_held(&self, number: usize) -> Error {
        Error::PartitionNotHeld {
            cards: 4 * self.level(),
            number,
        }
    }
}
