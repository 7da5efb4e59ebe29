//! A shard in memory that may be forgotten.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arc_swap::{ArcSwapOption, Guard};

use super::unpack::Shard;

/// By shard, what is unpacked.
pub(super) type Slots = [ArcSwapOption<Counted>];

/// A shard that a question holds on to: it stays in memory, forgotten or not.
pub(super) type Held = Guard<Option<Arc<Counted>>>;

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

impl Counted {
    /// Counts a shard of that many bytes.
    pub(super) fn new(shard: Shard, bytes: u64, all_bytes: Arc<AtomicU64>) -> Counted {
        all_bytes.fetch_add(bytes, Ordering::Relaxed);
        Counted {
            shard,
            asked: AtomicBool::new(false),
            bytes: AtomicU64::new(bytes),
            all_bytes,
        }
    }

    /// Counts the shard again; whether it has grown.
    pub(super) fn recount(&self) -> bool {
        let bytes = self.shard.bytes() as u64;
        let before = self.bytes.swap(bytes, Ordering::Relaxed);
        let more = bytes.saturating_sub(before);
        self.all_bytes.fetch_add(more, Ordering::Relaxed);
        more > 0
    }

    /// Notes that the shard was asked.
    #[inline]
    pub(super) fn set_asked(&self) {
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
