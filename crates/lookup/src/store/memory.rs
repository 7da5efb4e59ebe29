//! A bound on the memory that the unpacked shards of a database take.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::counted::{Counted, Slots};

/// The memory of the unpacked shards of some levels.
///
/// Shards of levels that may be forgotten stand in a ring, in the order in which
/// they came. To make room, those at its front are forgotten, but one that was
/// asked since it came there goes to the back for another turn.
#[derive(Debug)]
pub(crate) struct Memory {
    /// The most bytes; `u64::MAX` for as many as there are.
    limit: u64,
    /// The bytes of all shards that are in memory, also of those forgotten that a
    /// question still holds on to.
    bytes: Arc<AtomicU64>,
    /// The bytes set aside for levels that fit as a whole.
    set_aside: AtomicU64,
    ring: Mutex<VecDeque<Resident>>,
    lookups: [Stripe; STRIPES],
    misses: AtomicU64,
    unpacked: AtomicU64,
    evicted: AtomicU64,
}

/// A shard in memory that may be forgotten.
#[derive(Debug)]
struct Resident {
    slots: Arc<Slots>,
    shard: usize,
}

/// Threads count apart from each other, so that none waits for a line of cache.
const STRIPES: usize = 16;

#[derive(Debug, Default)]
#[repr(align(128))]
struct Stripe(AtomicU64);

/// What a database has in memory of its levels, and has had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryUse {
    /// The most bytes that unpacked shards may take, if there is a bound.
    pub limit: Option<u64>,
    /// The bytes that they take.
    pub bytes: u64,
    /// Shards that were unpacked, some perhaps several times.
    pub unpacked: u64,
    /// Shards that were forgotten to make room.
    pub evicted: u64,
    /// Look-ups in levels that may not fit. Those in levels that fit as a whole
    /// are not counted.
    pub lookups: u64,
    /// Of these look-ups, those that had to unpack a shard.
    pub misses: u64,
}

impl MemoryUse {
    /// The share of the counted look-ups that found their shard in memory; 1 if
    /// there were none.
    #[must_use]
    pub fn hit_rate(&self) -> f64 {
        if self.lookups == 0 {
            return 1.0;
        }
        1.0 - self.misses as f64 / self.lookups as f64
    }
}

impl Memory {
    pub(crate) fn new(limit: Option<u64>) -> Memory {
        Memory {
            limit: limit.unwrap_or(u64::MAX),
            bytes: Arc::default(),
            set_aside: AtomicU64::new(0),
            ring: Mutex::default(),
            lookups: Default::default(),
            misses: AtomicU64::new(0),
            unpacked: AtomicU64::new(0),
            evicted: AtomicU64::new(0),
        }
    }

    /// Whether a level of at most `most` bytes is to be kept as a whole: if it
    /// takes no more than half of what is left, so that others find room too.
    pub(super) fn admit(&self, most: u64) -> bool {
        if self.limit == u64::MAX {
            return true;
        }
        let set_aside = self.set_aside.load(Ordering::Relaxed);
        let fits = most <= (self.limit - set_aside) / 2;
        if fits {
            self.set_aside.store(set_aside + most, Ordering::Relaxed);
        }
        fits
    }

    pub(crate) fn in_use(&self) -> MemoryUse {
        let lookups = self.lookups.iter();
        MemoryUse {
            limit: (self.limit < u64::MAX).then_some(self.limit),
            bytes: self.bytes.load(Ordering::Relaxed),
            unpacked: self.unpacked.load(Ordering::Relaxed),
            evicted: self.evicted.load(Ordering::Relaxed),
            lookups: lookups.map(|stripe| stripe.0.load(Ordering::Relaxed)).sum(),
            misses: self.misses.load(Ordering::Relaxed),
        }
    }

    /// The count of the bytes in memory.
    pub(super) fn bytes(&self) -> &Arc<AtomicU64> {
        &self.bytes
    }

    /// Counts a look-up in a level that may not fit.
    #[inline]
    pub(super) fn count_lookup(&self) {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static STRIPE: usize = THREADS.fetch_add(1, Ordering::Relaxed) % STRIPES;
        }
        let stripe = STRIPE.with(|&stripe| stripe);
        self.lookups[stripe].0.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a look-up that must unpack its shard.
    pub(super) fn count_miss(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a shard that was unpacked and is kept for good.
    pub(super) fn keep(&self, bytes: u64) {
        self.unpacked.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.make_room(0);
    }

    /// Enters a shard, for which room is made, into its slot, unless another
    /// thread was faster.
    pub(super) fn enter(&self, slots: &Arc<Slots>, shard: usize, counted: &Arc<Counted>) {
        self.unpacked.fetch_add(1, Ordering::Relaxed);
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        if slots[shard].load().is_some() {
            return;
        }
        self.forget(&mut ring, 0);
        slots[shard].store(Some(Arc::clone(counted)));
        ring.push_back(Resident {
            slots: Arc::clone(slots),
            shard,
        });
    }

    /// Forgets shards until `bytes` more bytes fit, or none is left to forget.
    pub(super) fn make_room(&self, bytes: u64) {
        if self.too_much(bytes) {
            let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
            self.forget(&mut ring, bytes);
        }
    }

    fn too_much(&self, more: u64) -> bool {
        self.bytes.load(Ordering::Relaxed).saturating_add(more) > self.limit
    }

    fn forget(&self, ring: &mut VecDeque<Resident>, more: u64) {
        // Threads that go on asking could keep every shard in use: two turns are
        // enough.
        let mut turns = 2 * ring.len();
        while self.too_much(more) {
            let Some(resident) = ring.pop_front() else {
                return;
            };
            let slot = &resident.slots[resident.shard];
            let asked = slot.load().as_ref().is_some_and(|shard| shard.take_asked());
            if asked && turns > 0 {
                ring.push_back(resident);
            } else {
                slot.store(None);
                self.evicted.fetch_add(1, Ordering::Relaxed);
            }
            turns = turns.saturating_sub(1);
        }
    }
}
