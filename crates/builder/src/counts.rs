//! The counts of a build: the contents of shards, and the work on them.

use std::time::Duration;

use setrograde_endgame::diagram::census::DiagramCounts;
use setrograde_lookup::format::manifest::AnalysisRecord;

/// Defines the counts once, in the order of a journal.
macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The contents of a shard, or of several together, and the work on them.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        pub(crate) struct ShardCounts {
            $($(#[$doc])* pub(crate) $name: u64,)*
        }

        impl ShardCounts {
            /// The number of fields.
            pub(crate) const FIELDS: usize = [$(stringify!($name)),*].len();

            /// Returns the numbers in the order of a journal.
            pub(crate) fn fields(&self) -> [u64; Self::FIELDS] {
                [$(self.$name),*]
            }

            /// The counts with those numbers.
            pub(crate) fn from_fields([$($name),*]: [u64; Self::FIELDS]) -> ShardCounts {
                ShardCounts { $($name),* }
            }
        }
    };
}

counts! {
    /// Partitions.
    partitions,
    /// Sets of 4-bit owner masks.
    sets,
    /// Nodes; a node counts for each diagram that it belongs to.
    nodes,
    /// Nodes written. Nodes shared within a shard count once.
    written,
    /// Nodes of the largest diagram or tree.
    largest,
    /// Proofs that the oracle tried.
    proofs,
    /// Questions to the level below.
    lookups,
    /// Processor time, in nanoseconds.
    cpu_nanoseconds,
    /// In setrograde analysis: endings that were put on the open list.
    generated,
    /// Of those, the endings that were in no set yet. Each was evaluated and generalized.
    independent,
    /// Maximum length of a partition's open list.
    longest_open_list,
    /// Candidate sets put to the oracle.
    candidates,
    /// Sets before they were compacted.
    uncompacted,
    /// Time for evaluation and generalization, in nanoseconds.
    solving_nanoseconds,
    /// Time for all of the analysis, in nanoseconds.
    elapsed_nanoseconds,
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
    /// Processor time.
    pub(crate) fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu_nanoseconds)
    }

    /// Returns the counts for a file: without the times, which vary between runs, if an environment
    /// variable asks for reproducible files:
    /// <https://reproducible-builds.org/specs/source-date-epoch/>.
    pub(crate) fn for_file(self) -> ShardCounts {
        if std::env::var_os("SOURCE_DATE_EPOCH").is_none() {
            return self;
        }
        ShardCounts {
            cpu_nanoseconds: 0,
            solving_nanoseconds: 0,
            elapsed_nanoseconds: 0,
            ..self
        }
    }

    /// The counts of the diagrams or trees.
    pub(crate) fn diagrams(&self) -> DiagramCounts {
        DiagramCounts {
            sets: self.sets,
            nodes: self.nodes,
            largest: self.largest,
        }
    }

    /// The work.
    pub(crate) fn work(&self) -> Work {
        Work {
            lookups: self.lookups,
            cpu: self.cpu(),
        }
    }

    /// Returns the figures of setrograde analysis, for a manifest.
    pub(crate) fn analysis(&self) -> AnalysisRecord {
        AnalysisRecord {
            generated: self.generated,
            independent: self.independent,
            longest_open_list: self.longest_open_list,
            candidates: self.candidates,
            uncompacted: self.uncompacted,
            solving_milliseconds: self.solving_nanoseconds / 1_000_000,
            elapsed_milliseconds: self.elapsed_nanoseconds / 1_000_000,
        }
    }
}

impl std::ops::AddAssign for ShardCounts {
    /// Adds the counts of other shards. A forged journal may have any numbers, so the sums
    /// saturate.
    fn add_assign(&mut self, other: ShardCounts) {
        let (own, more) = (self.fields(), other.fields());
        *self = ShardCounts {
            largest: self.largest.max(other.largest),
            longest_open_list: self.longest_open_list.max(other.longest_open_list),
            ..ShardCounts::from_fields(std::array::from_fn(|at| own[at].saturating_add(more[at])))
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_lost_on_the_way_through_a_journal() {
        let fields = std::array::from_fn(|at| 1000 + at as u64);
        let counts = ShardCounts::from_fields(fields);
        assert_eq!(counts.fields(), fields);
        // All versions of the journal have them at these offsets.
        assert_eq!((counts.partitions, counts.cpu_nanoseconds), (1000, 1007));
        assert_eq!((counts.generated, counts.elapsed_nanoseconds), (1008, 1014));
    }

    #[test]
    fn sums_stop_and_the_largest_stays() {
        let mut sum = ShardCounts {
            sets: u64::MAX,
            largest: 3,
            ..ShardCounts::default()
        };
        sum += ShardCounts {
            sets: 1,
            nodes: 2,
            largest: 2,
            ..ShardCounts::default()
        };
        assert_eq!((sum.sets, sum.nodes, sum.largest), (u64::MAX, 2, 3));
    }

    #[test]
    fn times_have_their_units() {
        let counts = ShardCounts {
            lookups: 7,
            cpu_nanoseconds: 3_500_000_000,
            solving_nanoseconds: 1_999_999,
            elapsed_nanoseconds: 2_500_000_000,
            ..ShardCounts::default()
        };
        let analysis = counts.analysis();
        let milliseconds = (analysis.solving_milliseconds, analysis.elapsed_milliseconds);
        assert_eq!(milliseconds, (1, 2_500));
        let mut work = counts.work();
        work += counts.work();
        assert_eq!((work.lookups, work.cpu), (14, Duration::from_secs(7)));
    }
}
