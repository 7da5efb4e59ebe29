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
use setrograde_endgame::diagram::TooManyNodes;
use setrograde_endgame::diagram::census::DiagramCounts;
use setrograde_endgame::partition::Partition;
use setrograde_lookup::paper::card_order::{CardOrder, OrderKey};
use setrograde_lookup::paper::tree_codec::TreeStreams;
use solved_sets::SolvedSets;

use crate::counts::ShardCounts;
use crate::oracle::{LevelBelow, Oracle};
use crate::shard::Finder;

/// Works on one partition at a time.
#[derive(Debug, Default)]
pub(crate) struct PartitionAnalysis {
    found: SolvedSets,
    open: OpenList,
    inconsistent: Vec<UnknownCounts>,
    counts: ShardCounts,
    trees: TreeStreams,
}

impl<L: LevelBelow> Finder<L> for PartitionAnalysis {
    fn add(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        partition: Partition,
    ) -> Result<DiagramCounts, TooManyNodes> {
        let mut sets = self.run(oracle, partition);
        Ok(self.trees.push(&mut sets))
    }

    fn take(&mut self, counts: &mut ShardCounts) -> [Vec<u8>; 2] {
        *counts += std::mem::take(&mut self.counts);
        counts.generated = std::mem::take(&mut self.open.generated);
        counts.longest_open_list = std::mem::take(&mut self.open.longest);
        let trees = std::mem::take(&mut self.trees);
        [trees.keys, trees.links]
    }
}

impl PartitionAnalysis {
    /// Finds the sets of a partition, with their values, in no particular order.
    fn run<L: LevelBelow>(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        partition: Partition,
    ) -> Vec<(OrderKey, u8)> {
        let begun = Instant::now();
        let lengths = partition.shape.lengths;
        oracle.enter(partition);
        self.found.clear();
        self.open.start(lengths);
        // Neighbours tend to have the same value and the same numbers of x's.
        let (mut value, mut known) = (oracle.level / 2, [0; 4]);
        while let Some(open) = self.open.pop() {
            let around = Surroundings::new(lengths, &open.state);
            let owners = around.owners();
            let covered = self.found.covering(&owners).unwrap_or_else(|| {
                let solving = Instant::now();
                value = evaluate(oracle, &around, value);
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
fn evaluate<L: LevelBelow>(oracle: &mut Oracle<'_, L>, around: &Surroundings, guess: u8) -> u8 {
    let set = around.set(around.totals());
    let guess = guess.max(1);
    let (value, _, _) = oracle.bound(&set, 0, false, guess - 1, guess);
    if value == guess {
        oracle.bound(&set, 0, false, value, oracle.level).0
    } else {
        oracle.bound(&set, 1, false, 0, value).0
    }
}

#[cfg(test)]
mod tests;
