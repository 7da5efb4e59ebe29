//! Counts of a shard: what it holds, and the work that it took.

use std::time::Duration;

use crate::oracle::OracleCounts;
use crate::setrograde::AnalysisCounts;

/// Contents of one shard, or of several together, and the work on them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ShardCounts {
    pub(crate) partitions: usize,
    pub(crate) sets: u64,
    pub(crate) nodes: u64,
    /// Nodes written: those that diagrams of a shard share count once.
    pub(crate) written: u64,
    /// Nodes of the largest diagram or tree.
    pub(crate) largest: u64,
    pub(crate) oracle: OracleCounts,
    pub(crate) cpu: Duration,
    pub(crate) analysis: AnalysisCounts,
}

/// The work on shards.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Questions to the level below: the same on every machine.
    pub lookups: u64,
    /// Processor time.
    pub cpu: Duration,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.lookups = self.lookups.saturating_add(other.lookups);
        self.cpu = self.cpu.saturating_add(other.cpu);
    }
}

impl ShardCounts {
    /// The work.
    pub(crate) fn work(&self) -> Work {
        Work {
            lookups: self.oracle.lookups,
            cpu: self.cpu,
        }
    }

    /// The number of fields in a journal.
    pub(crate) const FIELDS: usize = 15;

    /// The numbers for a journal; times in nanoseconds.
    pub(crate) fn fields(&self) -> [u64; Self::FIELDS] {
        let analysis = &self.analysis;
        [
            self.partitions as u64,
            self.sets,
            self.nodes,
            self.written,
            self.largest,
            self.oracle.proofs,
            self.oracle.lookups,
            self.cpu.as_nanos() as u64,
            analysis.generated,
            analysis.independent,
            analysis.longest_open_list,
            analysis.candidates,
            analysis.uncompacted,
            analysis.solving.as_nanos() as u64,
            analysis.elapsed.as_nanos() as u64,
        ]
    }

    /// The counts with those numbers.
    pub(crate) fn from_fields(fields: [u64; Self::FIELDS]) -> ShardCounts {
        let [
            partitions,
            sets,
            nodes,
            written,
            largest,
            proofs,
            lookups,
            cpu,
            generated,
            independent,
            longest_open_list,
            candidates,
            uncompacted,
            solving,
            elapsed,
        ] = fields;
        ShardCounts {
            partitions: partitions as usize,
            sets,
            nodes,
            written,
            largest,
            oracle: OracleCounts { proofs, lookups },
            cpu: Duration::from_nanos(cpu),
            analysis: AnalysisCounts {
                generated,
                independent,
                longest_open_list,
                candidates,
                uncompacted,
                solving: Duration::from_nanos(solving),
                elapsed: Duration::from_nanos(elapsed),
            },
        }
    }

    /// Adds the counts of other shards. Those of a journal that no build has
    /// written may be anything, so the sums stop at the largest number.
    pub(crate) fn add(&mut self, other: &ShardCounts) {
        self.partitions = self.partitions.saturating_add(other.partitions);
        self.sets = self.sets.saturating_add(other.sets);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.written = self.written.saturating_add(other.written);
        self.largest = self.largest.max(other.largest);
        self.oracle.proofs = self.oracle.proofs.saturating_add(other.oracle.proofs);
        self.oracle.lookups = self.oracle.lookups.saturating_add(other.oracle.lookups);
        self.cpu = self.cpu.saturating_add(other.cpu);
        self.analysis.add(&other.analysis);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_lost_on_the_way_through_a_journal() {
        let fields = std::array::from_fn(|at| 1000 + at as u64);
        assert_eq!(ShardCounts::from_fields(fields).fields(), fields);
    }
}
