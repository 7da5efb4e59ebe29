//! The shards of a level that need not all fit in memory.

use std::sync::Arc;

use arc_swap::{ArcSwapOption, Guard};

use super::counted::{Counted, Held, Slots};
use super::memory::Memory;
use super::unpack::Shard;

/// The shards of a level, as far as they are in memory.
///
/// A reader takes hold of a shard without a lock and without writing to what
/// other threads read, but for one flag, once a turn of the ring. To put a shard
/// in, or another out, takes the lock of the [`Memory`].
#[derive(Debug)]
pub(super) struct Bounded {
    slots: Arc<Slots>,
    memory: Arc<Memory>,
}

impl Bounded {
    pub(super) fn new(shards: usize, memory: Arc<Memory>) -> Bounded {
        Bounded {
            slots: (0..shards).map(|_| ArcSwapOption::empty()).collect(),
            memory,
        }
    }

    /// A shard, if it is unpacked.
    #[inline]
    pub(super) fn get(&self, shard: usize) -> Option<Held> {
        let held = self.slots[shard].load();
        held.as_ref()?.set_asked();
        self.memory.count_lookup();
        Some(held)
    }

    /// Puts a shard in, after others had to go as far as there is no room for
    /// it.
    pub(super) fn insert(&self, number: usize, shard: Shard) -> Held {
        self.memory.count_lookup();
        self.memory.count_miss();
        let bytes = shard.bytes() as u64;
        self.memory.make_room(bytes);
        let all_bytes = Arc::clone(self.memory.bytes());
        let counted = Arc::new(Counted::new(shard, bytes, all_bytes));
        self.memory.enter(&self.slots, number, &counted);
        Guard::from_inner(Some(counted))
    }

    /// Counts a shard again that has grown.
    pub(super) fn recount(&self, counted: &Counted) {
        if counted.recount() {
            self.memory.make_room(0);
        }
    }
}
