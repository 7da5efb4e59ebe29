//! The transposition table: a result for one state holds for many more.

use rustc_hash::FxHashMap;

use crate::knowledge::case::Case;
use crate::knowledge::state::{Cases, Seating, State};
use crate::lanes::{and_above, count, union};
use crate::search::node::{Node, SearchProof};

/// The leader, and the number of cards of each suit in each visible hand and in the
/// hidden hands together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShapeKey(u64);

impl ShapeKey {
    pub(crate) fn new(state: &State, leader: usize) -> ShapeKey {
        let cards = [state.visible[0], state.visible[1], state.unseen];
        let mut packed = leader as u64;
        for suit in 0..4 {
            for cards in cards {
                packed = packed << 5 | u64::from(count(cards, suit));
            }
        }
        ShapeKey(packed)
    }
}

/// A result for one state of knowledge.
#[derive(Debug)]
struct TableEntry {
    /// In each suit the cards from some rank up. The order of the cards below
    /// did not matter.
    known: u64,
    /// The known cards that each visible hand holds.
    visible: [u64; 2],
    cases: Cases,
    /// Tricks that are sure.
    lo: u8,
    /// No more tricks are sure.
    hi: u8,
}

/// The entries of states with equal [`ShapeKey`]s.
#[derive(Debug, Default)]
struct Shelf {
    entries: Vec<TableEntry>,
    /// The card that was right to lead when one was last found; 0 if none was.
    lead: u64,
}

/// More knowledge never makes fewer tricks sure: a lower bound holds for all
/// states whose layouts are among the entry's, an upper bound for all states
/// whose layouts include the entry's, up to the order of low cards.
#[derive(Debug)]
pub(crate) struct Table {
    /// The seats that the entries are about.
    seating: Option<Seating>,
    shelves: FxHashMap<ShapeKey, Shelf>,
    used: usize,
    memory: usize,
}

impl Table {
    /// An empty table that takes about `memory` bytes.
    pub(crate) fn new(memory: usize) -> Table {
        Table {
            seating: None,
            shelves: FxHashMap::default(),
            used: 0,
            memory,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.shelves.clear();
        self.used = 0;
    }

    /// Prepares for a search; keeps the contents if they are about the same seats.
    pub(crate) fn start(&mut self, seating: Seating) {
        if self.seating != Some(seating) {
            self.clear();
            self.seating = Some(seating);
        }
    }

    /// The card to try first.
    pub(crate) fn lead(&self, shape: &ShapeKey) -> u64 {
        self.shelves.get(shape).map_or(0, |shelf| shelf.lead)
    }

    /// Returns the stored result for `need` tricks, if there is one.
    pub(crate) fn find(
        &mut self,
        shape: &ShapeKey,
        state: &State,
        need: u8,
    ) -> Option<SearchProof> {
        let shelf = self.shelves.get_mut(shape)?;
        for n in 0..shelf.entries.len() {
            let entry = &shelf.entries[n];
            let known = entry.known;
            let alike = |who: usize| state.visible[who] & known == entry.visible[who];
            if !alike(0) || !alike(1) {
                continue;
            }
            let reached = if entry.lo >= need && include(&entry.cases, &state.cases, known) {
                true
            } else if entry.hi < need && include(&state.cases, &entry.cases, known) {
                false
            } else {
                continue;
            };
            let used = known & state.held();
            // A useful entry moves to the front.
            shelf.entries.swap(n, n / 2);
            return Some(SearchProof::at_sight(reached, used));
        }
        None
    }

    /// Notes the proof of a node, and the lead that decided it, 0 if all had to be
    /// tried. Returns the cards whose ranks matter, which may be more than those of
    /// the proof.
    pub(crate) fn store(
        &mut self,
        shape: ShapeKey,
        node: &Node<'_>,
        proof: SearchProof,
        lead: u64,
    ) -> u64 {
        const SIZE: usize = size_of::<TableEntry>() + 16;
        let &Node {
            state, need, left, ..
        } = node;
        if self.used > self.memory {
            self.clear();
        }
        let mut used = proof.used;
        if state.cases.len() > 1 {
            // A single order of the low cards must suit all cases.
            for case in &state.cases {
                used |= union(case.pinned);
            }
        }
        let known = and_above(used);
        let (lo, hi) = if proof.reached {
            (need, left)
        } else {
            (0, need - 1)
        };
        let cases = state.cases.clone();
        self.used += SIZE + if cases.len() > 1 { 24 * cases.len() } else { 0 };
        let shelf = self.shelves.entry(shape).or_default();
        if lead != 0 {
            shelf.lead = lead;
        }
        shelf.entries.push(TableEntry {
            known,
            visible: state.visible.map(|cards| cards & known),
            cases,
            lo,
            hi,
        });
        used
    }
}

/// Returns true if every layout of `others` is one of `cases`, except for the order of the
/// cards that are not `known`.
fn include(cases: &[Case], others: &[Case], known: u64) -> bool {
    // One order of the low cards must do for all of them.
    let in_order = others.len() > 1;
    let covered = |other: &Case| {
        cases
            .iter()
            .any(|case| includes(case, other, known, in_order))
    };
    others.iter().all(covered)
}

#[inline]
fn includes(case: &Case, other: &Case, known: u64, in_order: bool) -> bool {
    let pinned = |who: usize| {
        let (few, many) = (case.pinned[who], other.pinned[who]);
        few & known & !many == 0
            && (few & !known == 0
                || !in_order
                    && (0..4).all(|suit| count(few & !known, suit) <= count(many & !known, suit)))
    };
    case.lengths.includes(&other.lengths) && pinned(0) && pinned(1)
}
