//! Setrograde analysis: one independent ending after another becomes a set.
//!
//! "Setrograde analysis" (2024), Algorithms 2 and 3, sections 3, 5 and 9.

mod compact;
mod found;
mod generalize;
mod permutation;

use std::collections::{BinaryHeap, HashSet};
use std::time::Duration;

use setrograde_endgame::card_order::{CardOrder, EVERYTHING, Key};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::shape::Column;
use setrograde_lookup::manifest::AnalysisRecord;

pub use generalize::Metric;

use crate::oracle::{LevelBelow, Oracle};
use crate::top_set::TopSet;
use compact::compact;
use found::Found;
use generalize::{Generalization, Xs};
use permutation::Permutation;

/// How the analysis went: the figures of the paper's section 6.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AnalysisCounts {
    /// Endings that were put on the open list.
    pub generated: u64,
    /// Those of them that were in no set yet: each was evaluated and
    /// generalized.
    pub independent: u64,
    /// The most endings on the open list of a partition at one time.
    pub longest_open_list: u64,
    /// Candidate sets that the oracle was asked about.
    pub candidates: u64,
    /// Sets before `compact`.
    pub uncompacted: u64,
    /// Processor time for evaluation and generalization.
    pub solving: Duration,
}

impl AnalysisCounts {
    /// Adds the counts of other partitions.
    pub(crate) fn add(&mut self, other: &AnalysisCounts) {
        self.generated += other.generated;
        self.independent += other.independent;
        self.longest_open_list = self.longest_open_list.max(other.longest_open_list);
        self.candidates += other.candidates;
        self.uncompacted += other.uncompacted;
        self.solving += other.solving;
    }

    /// The counts for a manifest.
    pub(crate) fn record(&self) -> AnalysisRecord {
        AnalysisRecord {
            generated: self.generated,
            independent: self.independent,
            longest_open_list: self.longest_open_list,
            candidates: self.candidates,
            uncompacted: self.uncompacted,
            solving_milliseconds: self.solving.as_millis() as u64,
        }
    }
}

/// A range of endings that is still to be covered, by its first ending: those
/// whose permutations of each suit come no earlier than here and agree with it
/// in the topmost `kept` cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(Debug)]
struct Open {
    state: [Permutation; 4],
    kept: [u8; 4],
}

/// Works on one partition at a time.
#[derive(Debug, Default)]
pub(crate) struct Analysis {
    found: Found,
    open: BinaryHeap<Open>,
    seen: HashSet<Open>,
    counts: AnalysisCounts,
}

/// For experiments.
pub(crate) static PUBLISHED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

impl Analysis {
    /// The counts since this was last asked.
    pub(crate) fn take_counts(&mut self) -> AnalysisCounts {
        std::mem::take(&mut self.counts)
    }

    /// The sets of a partition, with their values, in ascending order.
    pub(crate) fn run<L: LevelBelow>(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        partition: Partition,
        level: usize,
        metric: Metric,
    ) -> Vec<(Key, u8)> {
        let columns = partition.shape.columns;
        let order = CardOrder::new(partition.shape);
        oracle.enter(partition.shape, partition.trump);
        self.found.clear();
        self.open.clear();
        self.seen.clear();
        let published = PUBLISHED.load(std::sync::atomic::Ordering::Relaxed);
        self.open.push(Open { state: columns.map(Permutation::first), kept: [0; 4] });
        self.counts.generated += 1;
        while let Some(open) = self.open.pop() {
            let key = set_key(&order, &open.state, columns.map(|c| c.total() as u8));
            let set = self.found.covering(key).unwrap_or_else(|| {
                self.counts.independent += 1;
                let value = evaluate(oracle, columns, &open.state, level);
                let known = self.generalize(oracle, &order, &open.state, value, metric);
                let set = set_key(&order, &open.state, known);
                self.found.insert(&order, set, value);
                set
            });
            let mut kept = open.kept;
            for suit in 0..4 {
                let known = order.known(set, suit);
                let total = columns[suit].total() as usize;
                if let Some(next) = open.state[suit].after(known, kept[suit].into(), total) {
                    let mut state = open.state;
                    state[suit] = next;
                    let next = Open { state, kept };
                    self.counts.generated += 1;
                    if !published || self.seen.insert(next) {
                        self.open.push(next);
                    }
                }
                if !published {
                    kept[suit] = kept[suit].max(known as u8);
                }
            }
            self.counts.longest_open_list = self.counts.longest_open_list.max(self.open.len() as u64);
        }
        self.counts.uncompacted += self.found.len() as u64;
        compact(&order, self.found.iter())
    }

    /// How many top cards of each suit make a consistent set around `state`.
    fn generalize<L: LevelBelow>(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        order: &CardOrder,
        state: &[Permutation; 4],
        value: u8,
        metric: Metric,
    ) -> [u8; 4] {
        let columns = order.columns();
        let known = |xs: Xs| std::array::from_fn(|suit| columns[suit].total() as u8 - xs[suit]);
        let xs_of = |suit: usize, count: u8| {
            let total = columns[suit].total() as usize;
            let mut lengths = [0; 4];
            for place in total - usize::from(count)..total {
                lengths[state[suit].owner(place)] += 1;
            }
            Column::new(lengths)
        };
        let search = Generalization::new(columns, metric, xs_of, |xs| {
            let known = known(xs);
            if self.found.contradict(set_key(order, state, known), value) {
                return false;
            }
            self.counts.candidates += 1;
            oracle.confirms(&top_set(columns, state, known), value)
        });
        known(search.run())
    }
}

/// The value of one ending, by one trick over the level below.
fn evaluate<L: LevelBelow>(
    oracle: &mut Oracle<'_, L>,
    columns: [Column; 4],
    state: &[Permutation; 4],
    level: usize,
) -> u8 {
    let set = top_set(columns, state, columns.map(|column| column.total() as u8));
    oracle.bound(&set, 0, 0, level as u8).0
}

/// The set of the endings that share so many top cards of each suit.
fn top_set(columns: [Column; 4], state: &[Permutation; 4], known: [u8; 4]) -> TopSet {
    let mut set = TopSet::everything(setrograde_endgame::shape::Shape { columns });
    for suit in 0..4 {
        for place in 0..known[suit] as usize {
            if set.known() >> (16 * suit + place) & 1 == 0 {
                set = set.with(suit, state[suit].owner(place));
            }
        }
    }
    set
}

/// The key of the same set.
fn set_key(order: &CardOrder, state: &[Permutation; 4], known: [u8; 4]) -> Key {
    let mut key = EVERYTHING;
    for suit in 0..4 {
        for place in 0..usize::from(known[suit]) {
            let mask = 1u8 << state[suit].owner(place);
            key &= !(Key::from(!mask & 15) << (4 * order.at(suit, place)));
        }
    }
    key
}

#[cfg(test)]
mod tests;
