//! From the runs of a sample to the figures of a level.

use std::time::Duration;

use setrograde_endgame::diagram::PackedNodes;
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::format::level_header::{ENTRY_BYTES, HEADER_BYTES};

use super::LEAST_ROUNDS;
use super::draws::{Draw, Sample, Solved};
use super::on_the_fly::{BuiltOnTheFly, SampledLevel};
use super::projection::{Projection, Tally};
use crate::plan::shard_partitions;

/// Projected cost and size of a level built by `refine`, with facts about the
/// sample.
#[derive(Debug, Clone)]
pub struct EstimateReport {
    /// The level, in cards of all hands together.
    pub cards: usize,
    /// Its partitions.
    pub partitions: usize,
    /// Its endings.
    pub states: u128,
    /// Seconds of processor time on this machine.
    pub cpu: Projection,
    /// Questions of the oracle to the level below: the same on every machine.
    pub lookups: Projection,
    /// Sets of 4-bit owner masks.
    pub sets: Projection,
    /// Nodes of the diagrams; a node counts for each diagram that it belongs
    /// to.
    pub nodes: Projection,
    /// Nodes written; those that diagrams of a shard share count once.
    pub written: Projection,
    /// Bytes of the level's file.
    pub bytes: Projection,
    /// Nodes of the largest diagram of the sample; the level's is larger.
    pub largest: u64,
    /// Bytes of memory for the level below, unpacked, if the database has it;
    /// a bit less, as far as its diagrams share nodes.
    pub memory: Option<u64>,
    /// Neighbouring partitions in a run of the sample.
    pub run: usize,
    /// Partitions of a shard, which a build packs together.
    pub shard: usize,
    /// Runs that were drawn, some perhaps twice.
    pub draws: usize,
    /// The number of draws from each stratum; below 2 there are no intervals.
    pub rounds: usize,
    /// The levels below that the database lacks.
    pub on_the_fly: Vec<BuiltOnTheFly>,
    /// Wall time of the sample.
    pub elapsed: Duration,
}

impl EstimateReport {
    /// Bytes of memory for this level, unpacked: what building the next one
    /// takes.
    #[must_use]
    pub fn unpacked(&self) -> Projection {
        self.written.times(PackedNodes::NODE_BYTES)
    }
}

#[derive(Default)]
pub(super) struct Totals {
    cpu: Tally,
    lookups: Tally,
    sets: Tally,
    nodes: Tally,
    written: Tally,
    bytes: Tally,
    largest: u64,
}

impl Totals {
    pub(super) fn add(&mut self, draw: &Draw, solved: &Solved) {
        let Solved { bytes, cpu, counts } = solved;
        for (tally, of_run) in [
            (&mut self.cpu, cpu.as_secs_f64()),
            (&mut self.lookups, counts.oracle.lookups as f64),
            (&mut self.sets, counts.sets as f64),
            (&mut self.nodes, counts.nodes as f64),
            (&mut self.written, counts.written as f64),
            (&mut self.bytes, *bytes as f64),
        ] {
            tally.add(draw.stratum, draw.weight * of_run);
        }
        self.largest = self.largest.max(counts.largest);
    }

    /// Returns the number of runs in the sample.
    pub(super) fn draws(&self) -> usize {
        self.cpu.draws()
    }

    pub(super) fn report(
        &self,
        sample: &Sample<'_>,
        rounds: usize,
        elapsed: Duration,
    ) -> EstimateReport {
        let partitions = sample.partitions;
        let level = partitions.level();
        let shard = shard_partitions(level);
        let shards = partitions.len().div_ceil(shard);
        let project = |tally: &Tally| {
            if rounds < LEAST_ROUNDS {
                tally.rough()
            } else {
                tally.projection()
            }
        };
        let head = HEADER_BYTES + ENTRY_BYTES * shards;
        EstimateReport {
            cards: 4 * level,
            partitions: partitions.len(),
            states: partitions.iter().map(states_of_partition).sum(),
            cpu: project(&self.cpu),
            lookups: project(&self.lookups),
            sets: project(&self.sets),
            nodes: project(&self.nodes),
            written: project(&self.written),
            bytes: project(&self.bytes).plus(head as f64),
            largest: self.largest,
            memory: match sample.below {
                SampledLevel::Empty => Some(0),
                SampledLevel::Stored(below, _) => Some(below.map_bytes()),
                SampledLevel::OnTheFly(_) => None,
            },
            run: sample.line.run(),
            shard,
            draws: self.draws(),
            rounds,
            on_the_fly: sample.below.built(),
            elapsed,
        }
    }
}
