//! The shards of a level that fits in memory.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use setrograde_endgame::diagram::{Diagram, Edge};

use super::memory::Memory;
use super::unpack::Shard;

/// The shards of a level, kept once they are unpacked.
///
/// Threads may share it: shards are unpacked behind a lock of their own, and
/// what is unpacked is never changed or dropped while the level lives. Where a
/// shard is unpacked, readers load and nothing else.
#[derive(Debug)]
pub(super) struct Kept {
    /// By partition, the root of its diagram if its shard is unpacked. They
    /// stand apart from the shards, so that a look-up waits for both at once.
    roots: Vec<AtomicU32>,
    shards: Vec<OnceLock<Shard>>,
    memory: Arc<Memory>,
}

impl Kept {
    /// The bytes that each shard takes, unpacked or not.
    pub(super) const SHARD_BYTES: usize = size_of::<OnceLock<Shard>>();

    /// Nothing yet; `roots` is the number of partitions that have a diagram.
    pub(super) fn new(shards: usize, roots: usize, memory: Arc<Memory>) -> Kept {
        let nothing = || AtomicU32::new(Edge::NOTHING.to_bits());
        Kept {
            roots: std::iter::repeat_with(nothing).take(roots).collect(),
            shards: std::iter::repeat_with(OnceLock::new).take(shards).collect(),
            memory,
        }
    }

    /// A shard, if it is unpacked.
    #[inline]
    pub(super) fn get(&self, shard: usize) -> Option<&Shard> {
        self.shards[shard].get()
    }

    /// Keeps a shard, whose first partition is number `first`.
    pub(super) fn insert(&self, number: usize, first: usize, mut shard: Shard) -> &Shard {
        if let Shard::Diagrams(diagrams) = &mut shard {
            // A reader looks at the roots once it has seen the nodes, which are
            // published after them.
            for (place, root) in self.roots[first..].iter().zip(diagrams.take_roots()) {
                place.store(root.to_bits(), Ordering::Relaxed);
            }
        }
        let bytes = shard.bytes() as u64;
        let mut new = false;
        // Another thread may have been faster; then its equal copy stays.
        let kept = self.shards[number].get_or_init(|| {
            new = true;
            shard
        });
        if new {
            self.memory.keep(bytes);
        }
        kept
    }

    /// The diagram of a partition among those of its shard.
    #[inline]
    pub(super) fn diagram<'a>(&self, shard: &'a Shard, number: usize) -> Option<Diagram<'a>> {
        match shard {
            Shard::Diagrams(diagrams) => {
                let root = self.roots[number].load(Ordering::Relaxed);
                Some(diagrams.nodes().diagram(Edge::from_bits(root)))
            }
            Shard::Trees(_) => None,
        }
    }
}
