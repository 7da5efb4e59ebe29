//! Setrograde analysis: one independent ending after another is evaluated and
//! generalized to a set of endings that all have its value, until every ending
//! of the partition is in a set.
//!
//! "Setrograde analysis" (2024), Algorithms 2 and 3, sections 3, 5 and 9.
//! `docs/setrograde.md` describes the method, with measurements.

mod generalize;
mod iteration;
mod solved_sets;

use std::time::Instant;

use generalize::{Generalization, Surroundings, UnknownCounts};
use iteration::OpenList;
use setrograde_endgame::card_order::{CardOrder, OrderKey};
use setrograde_endgame::partition::Partition;
use solved_sets::SolvedSets;

use crate::counts::ShardCounts;
use crate::oracle::{LevelBelow, Oracle};

/// Works on one partition at a time.
#[derive(Debug, Default)]
pub(crate) struct PartitionAnalysis {
    found: SolvedSets,
    open: OpenList,
    inconsistent: Vec<UnknownCounts>,
    counts: ShardCounts,
}

impl PartitionAnalysis {
    /// Returns the counts since the last call.
    pub(crate) fn take_counts(&mut self) -> ShardCounts {
        self.counts.generated = std::mem::take(&mut self.open.generated);
        self.counts.longest_open_list = std::mem::take(&mut self.open.longest);
        std::mem::take(&mut self.counts)
    }

    /// Finds the sets of a partition, with their values, in no particular order.
    pub(crate) fn run<L: LevelBelow>(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        partition: Partition,
        level: usize,
    ) -> Vec<(OrderKey, u8)> {
        let begun = Instant::now();
        let lengths = partition.shape.lengths;
        oracle.enter(partition);
        self.found.clear();
        self.open.start(lengths);
        // Neighbours tend to have the same value and the same numbers of x's.
        let (mut value, mut known) = (level as u8 / 2, [0; 4]);
        while let Some(open) = self.open.pop() {
            let around = Surroundings::new(lengths, &open.state);
            let owners = around.owners();
            let covered = self.found.covering(&owners).unwrap_or_else(|| {
                let solving = Instant::now();
                value = evaluate(oracle, &around, level, value);
                known = self.generalize(oracle, &around, value, known);
                self.found.insert(&owners, known, value);
                self.counts.independent += 1;
                self.counts.solving_nanoseconds += solving.elapsed().as_nanos() as u64;
                known
            });
            self.open.push_rest(open, covered);
        }
        self.counts.uncompacted += self.found.len() as u64;
        let sets = self.found.compacted(&CardOrder::new(partition.shape));
        self.counts.elapsed_nanoseconds += begun.elapsed().as_nanos() as u64;
        sets
    }

    /// Returns the number of top cards of each suit that are known in the best
    /// consistent set around an ending of that value, where `likely` is a guess.
    fn generalize<L: LevelBelow>(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        around: &Surroundings,
        value: u8,
        likely: [u8; 4],
    ) -> [u8; 4] {
        let totals = around.totals();
        self.found
            .contradicted(&around.owners(), totals, value, &mut self.inconsistent);
        let mut doubtful = 0;
        let search = Generalization::new(around, &mut self.inconsistent, |known| {
            self.counts.candidates += 1;
            oracle.confirms(&around.set(known), value, &mut doubtful)
        });
        search.run(likely)
    }
}

/// Returns the value of an ending, by one trick over the level below. A good guess saves proofs.
fn evaluate<L: LevelBelow>(
    oracle: &mut Oracle<'_, L>,
    around: &Surroundings,
    level: usize,
    guess: u8,
) -> u8 {
    let set = around.set(around.totals());
    let guess = guess.max(1);
    let (value, _, _) = oracle.bound(&set, 0, false, guess - 1, guess);
    if value == guess {
        oracle.bound(&set, 0, false, value, level as u8).0
    } else {
        oracle.bound(&set, 1, false, 0, value).0
    }
}

#[cfg(test)]
mod tests;
