//! When a shard is worth unpacking.

use std::sync::atomic::{AtomicU32, Ordering};

/// By shard, the questions that went unanswered because it was not unpacked.
///
/// A search that gets no answer goes on with a trick less, which takes it about a
/// microsecond; to unpack a shard takes some fifty times as long, and most shards
/// are asked seldom. So a shard is unpacked once the searches that it could have
/// spared have taken as long as unpacking will: then both together take at most
/// twice as long as if it had been known from the start which shards are asked
/// often.
#[derive(Debug)]
pub(super) struct Demand(Box<[AtomicU32]>);

/// How many nodes are unpacked in the time that an answer spares.
const NODES_PER_QUESTION: u32 = 24;

impl Demand {
    /// No questions yet.
    pub(super) fn new(shards: usize) -> Demand {
        Demand((0..shards).map(|_| AtomicU32::new(0)).collect())
    }

    /// Counts a question to a shard of that many nodes, which is not unpacked.
    /// Whether it is worth unpacking now; then the count starts again.
    pub(super) fn is_enough(&self, shard: usize, nodes: u32) -> bool {
        let unanswered = &self.0[shard];
        let before = unanswered.fetch_add(1, Ordering::Relaxed);
        let is_enough = before >= nodes / NODES_PER_QUESTION;
        if is_enough {
            unanswered.store(0, Ordering::Relaxed);
        }
        is_enough
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_worth_unpacking_after_so_many_questions() {
        let demand = Demand::new(2);
        let asked: Vec<bool> = (0..8).map(|_| demand.is_enough(1, 72)).collect();
        let (no, yes) = (false, true);
        assert_eq!(asked, [no, no, no, yes, no, no, no, yes]);
        assert!(demand.is_enough(0, 23), "a small one at once");
    }
}
