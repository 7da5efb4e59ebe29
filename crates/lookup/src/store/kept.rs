//! The shards of a level that fits in memory.

use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use setrograde_endgame::diagram::{Diagram, Edge, PackedNodes};

use super::arena::Arena;
use super::memory::Memory;
use super::unpack::Diagrams;

/// What is unpacked of each shard of a level, kept for good.
///
/// Threads may share it: shards are unpacked behind a lock of their own, and
/// what is unpacked is never changed or dropped while the level lives. Where a
/// shard is unpacked, readers load and nothing else.
#[derive(Debug)]
pub(super) struct Kept<T> {
    shards: Vec<OnceLock<T>>,
    memory: Arc<Memory>,
}

impl<T> Kept<T> {
    /// The bytes that each shard takes, unpacked or not.
    pub(super) const SHARD_BYTES: usize = size_of::<OnceLock<T>>();

    /// Nothing yet.
    pub(super) fn new(shards: usize, memory: Arc<Memory>) -> Kept<T> {
        Kept {
            shards: std::iter::repeat_with(OnceLock::new).take(shards).collect(),
            memory,
        }
    }

    /// A shard, if it is unpacked.
    #[inline]
    pub(super) fn get(&self, shard: usize) -> Option<&T> {
        self.shards[shard].get()
    }

    /// Keeps a shard, which takes that many bytes elsewhere.
    pub(super) fn insert(&self, number: usize, shard: T, bytes: usize) -> &T {
        let mut new = false;
        // Another thread may have been faster; then its equal copy stays.
        let kept = self.shards[number].get_or_init(|| {
            new = true;
            shard
        });
        if new {
            self.memory.keep(bytes as u64);
        }
        kept
    }
}

/// The diagrams of a level, kept once they are unpacked.
///
/// Roots stand apart from the nodes, so that a look-up waits for both at once,
/// and shards take little room, so that many are in the processor's cache.
#[derive(Debug)]
pub(super) struct KeptDiagrams {
    /// By partition, the root of its diagram if its shard is unpacked.
    roots: Vec<AtomicU32>,
    nodes: Kept<Nodes>,
    /// Has the words of the nodes, and is dropped after them.
    words: Arena,
}

/// The nodes of a shard, in an arena.
type Nodes = PackedNodes<&'static [u16]>;

impl KeptDiagrams {
    /// The bytes that each shard takes, unpacked or not.
    pub(super) const SHARD_BYTES: usize = Kept::<Nodes>::SHARD_BYTES;

    /// Nothing yet; there may be about that many `bytes` of nodes.
    pub(super) fn new(
        shards: usize,
        partitions: usize,
        bytes: u64,
        memory: Arc<Memory>,
    ) -> KeptDiagrams {
        let nothing = || AtomicU32::new(Edge::NOTHING.to_bits());
        KeptDiagrams {
            roots: std::iter::repeat_with(nothing).take(partitions).collect(),
            nodes: Kept::new(shards, memory),
            words: Arena::new(bytes),
        }
    }

    /// The diagram of a partition, if its shard is unpacked.
    #[inline]
    pub(super) fn get(&self, shard: usize, number: usize) -> Option<Diagram<'_>> {
        Some(self.diagram(self.nodes.get(shard)?, number))
    }

    /// Keeps the diagrams of a shard, the first of which belongs to partition
    /// number `first`. Returns that of partition `number`. Fails if there is no memory
    /// left.
    pub(super) fn insert(
        &self,
        shard: usize,
        first: usize,
        diagrams: &Diagrams,
        number: usize,
    ) -> io::Result<Diagram<'_>> {
        // A reader looks at the roots once it has seen the nodes, which are
        // published after them.
        for (place, root) in self.roots[first..].iter().zip(&diagrams.roots) {
            place.store(root.to_bits(), Ordering::Relaxed);
        }
        let nodes = diagrams.nodes.moved(|words| {
            // SAFETY: the nodes live no longer than the arena, a field of the same
            // value, and are lent only as long as that value is.
            unsafe { self.words.keep(words) }
        })?;
        let bytes = nodes.bytes();
        Ok(self.diagram(self.nodes.insert(shard, nodes, bytes), number))
    }

    #[inline]
    fn diagram<'a>(&self, nodes: &'a Nodes, number: usize) -> Diagram<'a> {
        let root = self.roots[number].load(Ordering::Relaxed);
        nodes.diagram(Edge::from_bits(root))
    }
}
