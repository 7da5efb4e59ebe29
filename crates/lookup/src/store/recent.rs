//! The most recent diagrams of a thread.
//!
//! More than half of a search's questions are about a partition of one of its last few thousand
//! questions. Their answers need neither the canonical order, nor the index, nor the head of the
//! block.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use setrograde_endgame::ending::Ending;
use setrograde_endgame::partition::SuitOrder;

/// Number of diagrams per thread, a power of two; they take 256 KB.
const DIAGRAMS: usize = 1 << 13;

/// The nodes of a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodesState {
    /// There are none: only the bounds are known.
    None,
    /// Their checksum has not been checked.
    Unchecked,
    /// Their checksum has been checked.
    Sound,
}

/// A diagram, as [`Level::decide`](super::Level::decide) found it.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecentDiagram {
    /// The ending's suits in the diagram's order.
    pub order: SuitOrder,
    /// The minimum and maximum value, encoded as in an edge.
    pub bounds: u8,
    pub nodes: NodesState,
    /// The root's offset in the file.
    pub root: u64,
}

/// A level, and the data that determine a partition and an order of its suits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct RecentKey {
    lengths: u64,
    rest: u64,
}

impl RecentKey {
    #[inline]
    pub(super) fn new(level: u64, ending: &Ending) -> RecentKey {
        let (lengths, turn) = ending.lengths_and_turn();
        let rest = level << 8 | u64::from(turn);
        RecentKey { lengths, rest }
    }

    #[inline]
    fn slot(self) -> usize {
        let mixed = self.lengths ^ self.rest.wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - DIAGRAMS.ilog2())) as usize
    }
}

/// The contents of a slot before its first diagram.
const NOTHING: (RecentKey, RecentDiagram) = {
    let (lengths, rest) = (0, 0);
    let diagram = RecentDiagram {
        order: SuitOrder::IDENTITY,
        bounds: 0,
        nodes: NodesState::None,
        root: 0,
    };
    (RecentKey { lengths, rest }, diagram)
};

/// Returns a unique number for a level in this process, never 0.
pub(super) fn new_level() -> u64 {
    static LEVELS: AtomicU64 = AtomicU64::new(1);
    LEVELS.fetch_add(1, Ordering::Relaxed)
}

/// Places for diagrams.
type Slots = Box<[Cell<(RecentKey, RecentDiagram)>]>;

thread_local! {
    static RECENT: Slots = empty_slots();
}

/// Makes the slots; none if there is no memory.
fn empty_slots() -> Slots {
    let mut slots = Vec::new();
    if slots.try_reserve_exact(DIAGRAMS).is_ok() {
        slots.resize_with(DIAGRAMS, || Cell::new(NOTHING));
    }
    slots.into()
}

/// Returns the diagram with this key, if it is stored.
#[inline]
pub(super) fn get(key: RecentKey) -> Option<RecentDiagram> {
    let found = RECENT.try_with(|recent| recent.get(key.slot()).map(Cell::get));
    // A thread that is ending has no diagrams any more.
    let (of, diagram) = found.ok().flatten()?;
    (of == key).then_some(diagram)
}

/// Stores a diagram, replacing another one.
#[inline]
pub(super) fn put(key: RecentKey, diagram: RecentDiagram) {
    let _ = RECENT.try_with(|recent| {
        if let Some(slot) = recent.get(key.slot()) {
            slot.set((key, diagram));
        }
    });
}
