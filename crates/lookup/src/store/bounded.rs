//! The shards of a level that need not all fit in memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arc_swap::{ArcSwapOption, Guard};

use super::memory::Memory;
use super::unpack::Shard;

/// By shard, what is unpacked.
pub(super) type Slots = [ArcSwapOption<Counted>];

/// A shard that a question holds on to: it stays in memory, forgotten or not.
pub(super) type Held = Guard<Option<Arc<Counted>>>;

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

/// A shard in memory, counted as long as it lives.
#[derive(Debug)]
pub(super) struct Counted {
    pub(super) shard: Shard,
    /// Whether it was asked since it last stood at the front of the ring.
    asked: AtomicBool,
    /// Its bytes as they were last counted.
    bytes: AtomicU64,
    all_bytes: Arc<AtomicU64>,
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
        self.memory.count_lookup();
        let held = self.slots[shard].load();
        held.as_ref()?.set_asked();
        Some(held)
    }

    /// Puts a shard in, after others had to go as far as there is no room for
    /// it.
    pub(super) fn insert(&self, number: usize, shard: Shard) -> Held {
        self.memory.count_miss();
        let bytes = shard.bytes() as u64;
        self.memory.make_room(bytes);
        let all_bytes = Arc::clone(self.memory.bytes());
        all_bytes.fetch_add(bytes, Ordering::Relaxed);
        let counted = Arc::new(Counted {
            shard,
            asked: AtomicBool::new(false),
            bytes: AtomicU64::new(bytes),
            all_bytes,
        });
        self.memory.enter(&self.slots, number, &counted);
        Guard::from_inner(Some(counted))
    }

    /// Counts a shard again that has grown.
    pub(super) fn recount(&self, counted: &Counted) {
        let bytes = counted.shard.bytes() as u64;
        let before = counted.bytes.swap(bytes, Ordering::Relaxed);
        if bytes > before {
            let more = bytes - before;
            counted.all_bytes.fetch_add(more, Ordering::Relaxed);
            self.memory.make_room(0);
        }
    }
}

impl Counted {
    /// Notes that the shard was asked.
    #[inline]
    fn set_asked(&self) {
        if !self.asked.load(Ordering::Relaxed) {
            self.asked.store(true, Ordering::Relaxed);
        }
    }

    /// Whether it was asked since this was last called.
    pub(super) fn take_asked(&self) -> bool {
        self.asked.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let bytes = *self.bytes.get_mut();
        self.all_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}
