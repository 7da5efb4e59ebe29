//! Drawing the runs of a sample, and solving them.

use std::cell::Cell;
use std::ops::Range;

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_parallel::Stop;

use super::sample::{BuiltRun, TimedLevel, build_run};
use crate::error::BuildError;
use crate::method::Method;
use crate::oracle::stored_level::StoredLevel;
use crate::plan::predicted_costs;

/// Strata of a level.
pub(super) const STRATA: usize = 8;

/// The predicted cost of a partition of a coarse level that is not split.
const UNSPLIT: u64 = 1;

/// Partitions whose sizes are summed up together, about.
const BLOCK: usize = 4_096;

/// A level's runs of neighbouring partitions, laid end to end: each is as long as its *size*, its
/// predicted cost and a padding. A draw is a random point on that line, and the strata are equal
/// pieces of the line, so a stratum holds runs of neighbours with the same sum of sizes as any
/// other.
///
/// The padding is an eighth of the mean cost. Without it a run whose predicted cost is far too
/// small would rarely be drawn, and have a huge weight.
pub(super) struct CostLine<'a> {
    pub(super) partitions: &'a PartitionIndex,
    /// The method that builds the level.
    pub(super) method: Method,
    /// Partitions in a run, except the last.
    pub(super) run: usize,
    padding: u64,
    /// The sum of the predicted costs, in look-ups.
    pub(super) predicted: u64,
    /// The partitions that are split, as predicted: all of an exact level.
    pub(super) split: usize,
    /// The start of each block on the line, and the end of the line.
    starts: Vec<u64>,
}

/// A run that was drawn.
pub(super) struct DrawnRun {
    pub(super) stratum: usize,
    pub(super) partitions: Range<usize>,
    /// The length of the line over the size of the run: a count in the run, times this, is an
    /// unbiased estimate of the same count in the level, if the point is drawn from the entire
    /// line.
    pub(super) weight: f64,
}

impl<'a> CostLine<'a> {
    /// The line of a level that is built by this method, in runs of `run` partitions (at least 1).
    pub(super) fn new(partitions: &'a PartitionIndex, method: Method, run: usize) -> CostLine<'a> {
        let mut line = CostLine {
            partitions,
            method,
            run,
            padding: 0,
            predicted: 0,
            split: 0,
            starts: Vec::new(),
        };
        let blocks = partitions.len().div_ceil(line.block());
        let sums: Vec<(u64, usize)> = (0..blocks)
            .into_par_iter()
            .map(|block| {
                line.costs(block).fold((0, 0), |(sum, split), cost| {
                    (sum + cost, split + usize::from(cost > UNSPLIT))
                })
            })
            .collect();
        line.predicted = sums.iter().map(|&(cost, _)| cost).sum();
        line.split = sums.iter().map(|&(_, split)| split).sum();
        line.padding = line.predicted / (8 * line.len() as u64) + 1;
        line.starts.push(0);
        let mut end = 0;
        for (block, (cost, _)) in sums.into_iter().enumerate() {
            end += cost + line.padding * line.runs_in(block) as u64;
            line.starts.push(end);
        }
        line
    }

    /// Returns the number of runs of the level.
    pub(super) fn len(&self) -> usize {
        self.partitions.len().div_ceil(self.run)
    }

    /// Draws a run from a stratum (below [`STRATA`]).
    pub(super) fn draw(&self, stratum: usize, random: &mut fastrand::Rng) -> DrawnRun {
        let end = self.starts.last().copied().unwrap_or(0);
        let cut = |at: usize| (u128::from(end) * at as u128 / STRATA as u128) as u64;
        let point = random.u64(cut(stratum)..cut(stratum + 1).max(cut(stratum) + 1));
        let block = self.starts.partition_point(|&start| start <= point) - 1;
        let mut before = self.starts[block];
        let mut drawn = (0..0, 1);
        for (partitions, size) in self.runs(block) {
            drawn = (partitions, size);
            before += size;
            if point < before {
                break;
            }
        }
        let (partitions, size) = drawn;
        DrawnRun {
            stratum,
            partitions,
            weight: end as f64 / size as f64,
        }
    }

    /// Partitions of a block: complete runs.
    fn block(&self) -> usize {
        BLOCK.next_multiple_of(self.run)
    }

    fn runs_in(&self, block: usize) -> usize {
        let first = block * self.block();
        let partitions = self.partitions.len().min(first + self.block()) - first;
        partitions.div_ceil(self.run)
    }

    /// The predicted costs of the partitions of a block.
    fn costs(&self, block: usize) -> impl Iterator<Item = u64> + '_ {
        let cost = predicted_costs(self.partitions.level(), self.method);
        let from = self.partitions.iter_from(block * self.block());
        from.take(self.block()).map(cost)
    }

    /// The runs of a block and their sizes.
    fn runs(&self, block: usize) -> impl Iterator<Item = (Range<usize>, u64)> + '_ {
        let first = block * self.block();
        let mut costs = self.costs(block);
        (0..self.runs_in(block)).map(move |run| {
            let first = first + run * self.run;
            let numbers = first..self.partitions.len().min(first + self.run);
            let cost: u64 = costs.by_ref().take(numbers.len()).sum();
            (numbers, cost + self.padding)
        })
    }
}

/// A level to draw from.
pub(super) struct Sample<'a> {
    pub(super) line: CostLine<'a>,
    pub(super) below: &'a StoredLevel,
    pub(super) stop: &'a Stop,
}

impl Sample<'_> {
    /// Solves these runs, and calls `finished` after each. Returns those that were
    /// finished before it was cancelled.
    pub(super) fn solve(
        &self,
        draws: Vec<DrawnRun>,
        finished: impl Fn() + Sync,
    ) -> Result<Vec<(DrawnRun, BuiltRun)>, BuildError> {
        draws
            .into_par_iter()
            .with_max_len(1)
            .filter_map(|draw| match self.solve_one(&draw) {
                Ok(solved) => {
                    finished();
                    Some(Ok((draw, solved)))
                }
                Err(BuildError::Cancelled) => None,
                Err(error) => Some(Err(error)),
            })
            .collect()
    }

    /// Its processor time is without that of the level below.
    fn solve_one(&self, draw: &DrawnRun) -> Result<BuiltRun, BuildError> {
        let below = TimedLevel {
            below: self.below,
            time: Cell::default(),
        };
        let numbers = draw.partitions.clone();
        let CostLine {
            partitions, method, ..
        } = self.line;
        let mut built = build_run(&below, partitions, method, numbers, self.stop)?;
        let cpu = built.counts.cpu().saturating_sub(below.time.get());
        built.counts.cpu_nanoseconds = cpu.as_nanos() as u64;
        Ok(built)
    }
}

#[cfg(test)]
mod tests {
    use setrograde_lookup::Grain;

    use super::*;

    #[test]
    fn runs_tile_the_line_and_the_level() {
        let coarse = Method::Coarse(Grain::new(1_000_000));
        for (level, method, run) in [
            (1, Method::Refine, 256),
            (3, Method::Refine, 256),
            (3, coarse, 1),
            (4, Method::Refine, 7),
        ] {
            let partitions = PartitionIndex::new(level);
            let line = CostLine::new(&partitions, method, run);
            let (mut end, mut next, mut count) = (0, 0, 0);
            for block in 0..line.starts.len() - 1 {
                assert_eq!(line.starts[block], end);
                for (numbers, size) in line.runs(block) {
                    assert_eq!(numbers.start, next);
                    let costs = partitions.iter_from(next).take(numbers.len());
                    let cost: u64 = costs.map(predicted_costs(level, method)).sum();
                    assert_eq!(size, cost + line.padding);
                    end += size;
                    next = numbers.end;
                    count += 1;
                }
            }
            assert_eq!(line.starts.last(), Some(&end));
            assert_eq!((next, count), (partitions.len(), line.len()));
        }
    }

    #[test]
    fn every_run_is_drawn_as_often_as_its_weight_says() {
        let partitions = PartitionIndex::new(2);
        let line = CostLine::new(&partitions, Method::Refine, 100);
        assert_eq!(line.len(), 21);
        let mut random = fastrand::Rng::with_seed(1);
        let rounds = 800;
        let mut drawn = vec![0.0; line.len()];
        for _ in 0..rounds {
            for stratum in 0..STRATA {
                let draw = line.draw(stratum, &mut random);
                assert!(draw.partitions.len() <= 100);
                drawn[draw.partitions.start / 100] += draw.weight / STRATA as f64;
            }
        }
        for (run, sum) in drawn.into_iter().enumerate() {
            // Each run counts as one run.
            let mean = sum / f64::from(rounds);
            assert!((mean - 1.0).abs() < 0.3, "run {run}: {mean}");
        }
    }
}
