//! The transposition table: what was found for a state holds for more.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use smallvec::SmallVec;

use crate::search::Seating;
use crate::state::{Cases, State};

/// The cards and the leader. What is known besides is compared by inclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key {
    visible: [u64; 2],
    unseen: u64,
    leader: usize,
}

/// What was found for one state of knowledge.
#[derive(Debug)]
struct Entry {
    cases: Cases,
    /// Tricks that are sure.
    lo: u8,
    /// No more tricks are sure.
    hi: u8,
}

/// Who knows more is sure of no fewer tricks: a lower bound holds for all
/// states whose layouts are among the entry's, an upper bound for all states
/// whose layouts include the entry's.
#[derive(Debug)]
pub(crate) struct Table {
    /// What the entries are about.
    seating: Option<Seating>,
    entries: HashMap<Key, SmallVec<[Entry; 1]>, BuildHasherDefault<Mix>>,
    used: usize,
    memory: usize,
}

impl Table {
    /// An empty table that takes about `memory` bytes.
    pub fn new(memory: usize) -> Table {
        Table {
            seating: None,
            entries: HashMap::default(),
            used: 0,
            memory,
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.used = 0;
    }

    /// Prepares for a search; keeps what is known if it is about the same seats.
    pub fn start(&mut self, seating: Seating) {
        if self.seating != Some(seating) {
            self.clear();
            self.seating = Some(seating);
        }
    }

    /// Whether `need` tricks are sure, if that is known.
    pub fn find(&self, state: &State, leader: usize, need: u8) -> Option<bool> {
        let entries = self.entries.get(&Key::new(state, leader))?;
        for entry in entries {
            if entry.lo >= need && State::includes(&entry.cases, &state.cases) {
                return Some(true);
            }
            if entry.hi < need && State::includes(&state.cases, &entry.cases) {
                return Some(false);
            }
        }
        None
    }

    /// Notes whether `need` of the `left` tricks are sure.
    pub fn store(&mut self, state: &State, leader: usize, need: u8, left: u8, reached: bool) {
        const SIZE: usize = size_of::<Key>() + size_of::<Entry>() + 16;
        if self.used > self.memory {
            self.clear();
        }
        let (lo, hi) = if reached { (need, left) } else { (0, need - 1) };
        let entries = self.entries.entry(Key::new(state, leader)).or_default();
        if let Some(entry) = entries.iter_mut().find(|entry| entry.cases == state.cases) {
            entry.lo = entry.lo.max(lo);
            entry.hi = entry.hi.min(hi);
            return;
        }
        let cases = state.cases.clone();
        self.used += SIZE + if cases.len() > 1 { 24 * cases.len() } else { 0 };
        entries.push(Entry { cases, lo, hi });
    }
}

impl Key {
    fn new(state: &State, leader: usize) -> Key {
        Key {
            visible: state.visible,
            unseen: state.unseen,
            leader,
        }
    }
}

/// Mixes words by multiplication.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0.rotate_left(23) ^ word ^ 0x2545_f491_4f6c_dd1d)
            * 0x9e37_79b9_7f4a_7c15;
        self.0 = (product >> 64) as u64 ^ product as u64;
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
