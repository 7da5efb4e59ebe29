//! What is unpacked of a level.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use setrograde_endgame::diagram::{Diagram, Edge, PackedNodes};

use super::unpack::{Shard, Trees};

/// The shards of a level that are unpacked.
///
/// Threads may share it: shards are unpacked behind a lock of their own, and
/// what is unpacked is never changed or dropped while the level lives. Where a
/// shard is unpacked, readers load and nothing else.
#[derive(Debug)]
pub(super) struct Cache {
    /// By partition, the root of its diagram if its shard is unpacked. They
    /// stand apart from the shards, so that a look-up waits for both at once.
    roots: Vec<AtomicU32>,
    shards: Vec<OnceLock<Unpacked>>,
}

/// A shard that is unpacked.
#[derive(Debug)]
pub(super) enum Unpacked {
    /// The nodes of its diagrams.
    Nodes(PackedNodes),
    /// Its trees.
    Trees(Box<Trees>),
}

impl Cache {
    /// The bytes that each shard takes, unpacked or not.
    pub(super) const SHARD_BYTES: usize = size_of::<OnceLock<Unpacked>>();

    /// A cache of nothing yet; `roots` is the number of partitions that have a
    /// diagram.
    pub(super) fn new(shards: usize, roots: usize) -> Cache {
        let nothing = || AtomicU32::new(Edge::NOTHING.to_bits());
        Cache {
            roots: std::iter::repeat_with(nothing).take(roots).collect(),
            shards: std::iter::repeat_with(OnceLock::new).take(shards).collect(),
        }
    }

    /// How many shards the level has.
    pub(super) fn shard_count(&self) -> usize {
        self.shards.len()
    }

    /// A shard, if it is unpacked.
    #[inline]
    pub(super) fn get(&self, shard: usize) -> Option<&Unpacked> {
        self.shards[shard].get()
    }

    /// Keeps a shard, whose first partition is number `first`.
    pub(super) fn insert(&self, shard: usize, first: usize, unpacked: Shard) -> &Unpacked {
        let unpacked = match unpacked {
            Shard::Trees(trees) => Unpacked::Trees(Box::new(trees)),
            Shard::Diagrams(diagrams) => {
                // A reader looks at the roots once it has seen the nodes, which
                // are published after them.
                for (place, root) in self.roots[first..].iter().zip(diagrams.roots) {
                    place.store(root.to_bits(), Ordering::Relaxed);
                }
                Unpacked::Nodes(diagrams.nodes)
            }
        };
        // Another thread may have been faster; then its equal copy stays.
        self.shards[shard].get_or_init(|| unpacked)
    }

    /// The diagram of a partition among the nodes of its shard.
    #[inline]
    pub(super) fn diagram<'a>(&self, nodes: &'a PackedNodes, number: usize) -> Diagram<'a> {
        let root = self.roots[number].load(Ordering::Relaxed);
        nodes.diagram(Edge::from_bits(root))
    }
}
