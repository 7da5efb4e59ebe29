//! Setrograde analysis: one independent ending after another becomes a set.
//!
//! "Setrograde analysis" (2024), Algorithms 2 and 3, sections 3, 5 and 9.

mod compact;
mod found;
mod generalize;
mod permutation;
mod surroundings;
mod xs;

use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use setrograde_endgame::card_order::{CardOrder, Key};
use setrograde_endgame::partition::Partition;
use setrograde_lookup::manifest::AnalysisRecord;

pub use generalize::Metric;

use crate::oracle::{LevelBelow, Oracle};
use found::Found;
use generalize::Generalization;
use permutation::Permutation;
use surroundings::Surroundings;
use xs::Xs;

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
    /// Time for evaluation and generalization.
    pub solving: Duration,
    /// Time for all of the analysis.
    pub elapsed: Duration,
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
        self.elapsed += other.elapsed;
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
            elapsed_milliseconds: self.elapsed.as_millis() as u64,
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
    inconsistent: Vec<Xs>,
    counts: AnalysisCounts,
}

impl Analysis {
    /// The counts since this was last asked.
    pub(crate) fn take_counts(&mut self) -> AnalysisCounts {
        std::mem::take(&mut self.counts)
    }

    /// The sets of a partition, with their values, in no particular
    /// order.
    pub(crate) fn run<L: LevelBelow>(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        partition: Partition,
        level: usize,
        metric: Metric,
    ) -> Vec<(Key, u8)> {
        let begun = Instant::now();
        let order = CardOrder::new(partition.shape);
        oracle.enter(partition.shape, partition.trump);
        self.found.clear();
        self.open.clear();
        self.push(Open { state: partition.shape.columns.map(Permutation::first), kept: [0; 4] });
        let mut guess = level as u8 / 2;
        let mut likely = [0; 4];
        while let Some(open) = self.open.pop() {
            let around = Surroundings::new(&order, &open.state);
            let set = match self.found.covering(around.key(around.totals())) {
                Some(set) => set,
                None => {
                    let solving = Instant::now();
                    self.counts.independent += 1;
                    guess = evaluate(oracle, &around, level, guess);
                    likely = self.generalize(oracle, &order, &around, guess, likely, metric);
                    self.counts.solving += solving.elapsed();
                    let set = around.key(likely);
                    self.found.insert(set, guess);
                    set
                }
            };
            self.push_successors(&order, open, set);
        }
        self.counts.uncompacted += self.found.len() as u64;
        let sets = self.found.compacted(&order);
        self.counts.elapsed += begun.elapsed();
        sets
    }

    fn push(&mut self, open: Open) {
        self.counts.generated += 1;
        self.open.push(open);
        self.counts.longest_open_list = self.counts.longest_open_list.max(self.open.len() as u64);
    }

    /// Puts on the open list what `set`, which holds the first ending of
    /// `open`, leaves of it.
    fn push_successors(&mut self, order: &CardOrder, open: Open, set: Key) {
        let mut kept = open.kept;
        for suit in 0..4 {
            let known = order.known(set, suit);
            let total = order.columns()[suit].total() as usize;
            if let Some(next) = open.state[suit].after(known, kept[suit].into(), total) {
                let mut state = open.state;
                state[suit] = next;
                self.push(Open { state, kept });
            }
            // What differs in this suit is taken care of.
            kept[suit] = kept[suit].max(known as u8);
        }
    }

    /// How many top cards of each suit are known in the best consistent set
    /// around an ending of that value.
    fn generalize<L: LevelBelow>(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        order: &CardOrder,
        around: &Surroundings,
        value: u8,
        likely: [u8; 4],
        metric: Metric,
    ) -> [u8; 4] {
        let state = around.key(around.totals());
        self.found.contradicted(order, state, value, &mut self.inconsistent);
        let mut doubtful = 0;
        let search = Generalization::new(around, metric, &mut self.inconsistent, |known| {
            self.counts.candidates += 1;
            oracle.confirms(&around.set(known), value, &mut doubtful)
        });
        search.run(likely)
    }
}

/// The value of one ending, by one trick over the level below; a good guess
/// saves proofs.
fn evaluate<L: LevelBelow>(
    oracle: &mut Oracle<'_, L>,
    around: &Surroundings,
    level: usize,
    guess: u8,
) -> u8 {
    let set = around.set(around.totals());
    let guess = guess.max(1);
    let (value, _, _) = oracle.bound(&set, 0, guess - 1, guess);
    if value == guess {
        oracle.bound(&set, 0, value, level as u8).0
    } else {
        oracle.bound(&set, 1, 0, value).0
    }
}

#[cfg(test)]
mod tests;
