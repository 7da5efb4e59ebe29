//! From the runs of a sample to the figures of a level.

use std::time::Duration;

use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::format::level_header::{ENTRY_BYTES, HEADER_BYTES};
use setrograde_lookup::{Grain, LevelFile};

use super::draws::{DrawnRun, STRATA, Sample};
use super::sample::BuiltRun;
use crate::method::Method;
use crate::plan::shard_partitions;

/// Projected cost and size of a level built by `refine` or a coarse method, with facts about the
/// sample.
#[derive(Debug, Clone)]
pub struct EstimateReport {
    /// The level, in cards of all hands together.
    pub cards: usize,
    /// The grain of a coarse level; `None` for an exact one.
    pub grain: Option<Grain>,
    /// Its partitions.
    pub partitions: usize,
    /// Its endings.
    pub states: u128,
    /// Seconds of processor time on this machine.
    pub cpu: Projection,
    /// Bytes of the map, which building on the level takes of memory, too.
    pub map: Projection,
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
    /// Bytes of memory for the level below, unpacked; a bit less, as far as its diagrams share
    /// nodes.
    pub memory: u64,
    /// Neighbouring partitions in a run of the sample.
    pub run: usize,
    /// Partitions of a shard, which a build packs together.
    pub shard: usize,
    /// Runs that were drawn, some perhaps twice.
    pub draws: usize,
    /// Number of draws from each stratum; below 2 there are no intervals.
    pub rounds: usize,
    /// Wall time of the sample.
    pub elapsed: Duration,
}

/// Bytes of a partition that is split in the index, the heads of blocks and the checksums of a map.
/// Up to 16 cards most blocks have a single checksum. Of coarse levels, 5.8 bytes at 24 cards and
/// 5.4 at 28.
fn map_head(level: usize, method: Method) -> f64 {
    match level {
        _ if method.is_coarse() => 5.6,
        0..=4 => 6.0,
        _ => 8.0,
    }
}

/// Bytes of a level's journals by those of its file.
const JOURNALS: f64 = 1.05;

impl EstimateReport {
    /// Bytes on the disk while the level is built, sealed and mapped: its journals, its file and
    /// its map, for a moment together.
    pub fn disk_peak(&self) -> Projection {
        let (bytes, map) = (self.bytes.times(1.0 + JOURNALS), self.map);
        Projection {
            value: bytes.value + map.value,
            low: bytes.low + map.low,
            high: bytes.high + map.high,
        }
    }
}

#[derive(Default)]
pub(super) struct Totals {
    cpu: DrawStatistics,
    lookups: DrawStatistics,
    sets: DrawStatistics,
    nodes: DrawStatistics,
    written: DrawStatistics,
    bytes: DrawStatistics,
    map: DrawStatistics,
    largest: u64,
}

impl Totals {
    pub(super) fn add(&mut self, draw: &DrawnRun, run: &BuiltRun) {
        let counts = &run.counts;
        for (tally, of_run) in [
            (&mut self.cpu, counts.cpu().as_secs_f64()),
            (&mut self.lookups, counts.lookups as f64),
            (&mut self.sets, counts.sets as f64),
            (&mut self.nodes, counts.nodes as f64),
            (&mut self.written, counts.written as f64),
            (&mut self.bytes, run.bytes as f64),
            (&mut self.map, run.map_bytes as f64),
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
        let partitions = sample.line.partitions;
        let level = partitions.level();
        let method = sample.line.method;
        let shard = shard_partitions(level, method);
        let shards = partitions.len().div_ceil(shard);
        let head = HEADER_BYTES + ENTRY_BYTES * shards;
        EstimateReport {
            cards: 4 * level,
            grain: match method {
                Method::Coarse(grain) => Some(grain),
                _ => None,
            },
            partitions: partitions.len(),
            states: partitions.iter().map(states_of_partition).sum(),
            cpu: self.cpu.projection(),
            lookups: self.lookups.projection(),
            sets: self.sets.projection(),
            nodes: self.nodes.projection(),
            written: self.written.projection(),
            bytes: self.bytes.projection().plus(head as f64),
            map: self
                .map
                .projection()
                .plus(map_head(level, method) * sample.line.split as f64),
            largest: self.largest,
            memory: sample.below.level().map_or(0, LevelFile::map_bytes),
            run: sample.line.run,
            shard,
            draws: self.draws(),
            rounds,
            elapsed,
        }
    }
}

/// A projected total, and an interval that holds the truth with 95 %
/// confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// The estimate: unbiased, unless the clock stops the sample.
    pub value: f64,
    /// The interval's lower end; 0 if the sample is too small.
    pub low: f64,
    /// The interval's upper end; infinite if the sample is too small.
    pub high: f64,
}

impl Projection {
    /// With a known part added.
    pub(crate) fn plus(self, more: f64) -> Projection {
        Projection {
            value: self.value + more,
            low: self.low + more,
            high: self.high + more,
        }
    }

    /// As many times as much.
    #[must_use]
    pub fn times(self, factor: f64) -> Projection {
        Projection {
            value: self.value * factor,
            low: self.low * factor,
            high: self.high * factor,
        }
    }
}

/// Statistics of the draws so far for one total.
#[derive(Debug, Clone, Default)]
pub(crate) struct DrawStatistics {
    strata: [Moments; STRATA],
    all: Moments,
}

/// Running mean and variance.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    count: f64,
    mean: f64,
    /// Sum of the squared distances from the mean.
    squares: f64,
}

impl Moments {
    fn add(&mut self, number: f64) {
        self.count += 1.0;
        let distance = number - self.mean;
        self.mean += distance / self.count;
        self.squares += distance * (number - self.mean);
    }
}

impl DrawStatistics {
    /// Adds a draw: the total of the level, estimated from its stratum alone.
    pub(crate) fn add(&mut self, stratum: usize, total: f64) {
        self.strata[stratum].add(total);
        self.all.add(total);
    }

    /// Returns the number of draws.
    pub(crate) fn draws(&self) -> usize {
        self.all.count as usize
    }

    /// The total; without bounds from fewer than two draws of some stratum.
    ///
    /// The strata are equal parts of the level. The variance comes from the
    /// spread within them, with Satterthwaite's degrees of freedom. Costs have
    /// a long tail to the right, so the interval is one for the logarithm: the
    /// standard error of that is the relative error of the total. It reaches
    /// farther up than down.
    pub(crate) fn projection(&self) -> Projection {
        if self.strata.iter().any(|moments| moments.count < 2.0) {
            return Projection {
                value: self.all.mean,
                low: 0.0,
                high: f64::INFINITY,
            };
        }
        let share = 1.0 / STRATA as f64;
        let value = share * self.strata.iter().map(|moments| moments.mean).sum::<f64>();
        let mut variance = 0.0;
        let mut fourth = 0.0;
        for Moments { count, squares, .. } in self.strata {
            let degrees = (count - 1.0).max(1.0);
            let of_mean = share * share * squares / degrees / count;
            variance += of_mean;
            fourth += of_mean * of_mean / degrees;
        }
        let factor = if variance > 0.0 && value > 0.0 {
            (student(variance * variance / fourth) * variance.sqrt() / value).exp()
        } else {
            1.0
        };
        Projection {
            value,
            low: value / factor,
            high: value * factor,
        }
    }
}

/// The 97.5 % point of Student's t with `degrees` degrees of freedom, at least 1:
/// Fisher and Cornish's expansion (Abramowitz and Stegun 26.7.5); 1 % too low
/// at 2 degrees of freedom, less above.
fn student(degrees: f64) -> f64 {
    let z: f64 = 1.959_964;
    let power = |exponent: i32| z.powi(exponent);
    let terms = [
        z,
        (power(3) + z) / 4.0,
        (5.0 * power(5) + 16.0 * power(3) + 3.0 * z) / 96.0,
        (3.0 * power(7) + 19.0 * power(5) + 17.0 * power(3) - 15.0 * z) / 384.0,
        (79.0 * power(9) + 776.0 * power(7) + 1_482.0 * power(5) - 1_920.0 * power(3) - 945.0 * z)
            / 92_160.0,
    ];
    terms
        .into_iter()
        .rev()
        .fold(0.0, |sum, term| sum / degrees + term)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_is_that_of_the_tables() {
        for (degrees, table) in [(2.0, 4.303), (4.0, 2.776), (8.0, 2.306), (30.0, 2.042)] {
            let found = student(degrees);
            assert!((found / table - 1.0).abs() < 0.01, "{degrees}: {found}");
        }
    }

    #[test]
    fn equal_draws_leave_no_doubt_and_unequal_ones_do() {
        let mut tally = DrawStatistics::default();
        for stratum in 0..STRATA {
            tally.add(stratum, 10.0);
            tally.add(stratum, 10.0);
        }
        let sure = tally.projection();
        assert_eq!((sure.value, sure.low, sure.high), (10.0, 10.0, 10.0));
        tally.add(0, 40.0);
        tally.add(1, 4.0);
        let unsure = tally.projection();
        // Means of 20 and 8 in two strata of eight.
        assert!((unsure.value - 11.0).abs() < 1e-9);
        assert!(unsure.low < 10.0 && unsure.high > 12.0);
        assert!((unsure.low * unsure.high).sqrt() - 11.0 < 1e-9);
    }
}
