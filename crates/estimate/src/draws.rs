//! Drawing the runs of a sample, and solving them.

use std::cell::Cell;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use cpu_time::ThreadTime;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use setrograde_builder::BuildError;
use setrograde_builder::sample::{
    Counts, LevelBelow, PlainLevel, build_diagram, build_run, predicted_cost,
};
use setrograde_endgame::diagram::{Diagram, Edge, Node};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::manifest::{Manifest, level_path};
use setrograde_lookup::{Error, LevelFile};

/// Strata of a level.
pub(super) const STRATA: usize = 8;

/// Partitions whose sizes are summed up together, about.
const BLOCK: usize = 4_096;

/// A level's runs of neighbouring partitions, laid end to end: each is as long
/// as its *size*, its predicted cost and a padding. A draw is a random point on
/// that line, and the strata are equal pieces of the line, so that a stratum
/// holds runs of neighbours with the same sum of sizes as any other.
///
/// The padding is an eighth of the mean cost. Without it a run whose cost is
/// foreseen far too small would be drawn hardly ever, and weigh all the more.
pub(super) struct Line<'a> {
    partitions: &'a PartitionIndex,
    run: usize,
    padding: u64,
    /// The sum of the predicted costs.
    predicted: u64,
    /// The start of each block on the line, and the end of the line.
    starts: Vec<u64>,
}

/// A run that was drawn.
pub(super) struct Draw {
    pub(super) stratum: usize,
    pub(super) partitions: Range<usize>,
    /// The length of the line over the size of the run: what the run has of
    /// anything, times this, is an unbiased guess of what the level has, if
    /// the point is drawn from the whole line.
    pub(super) weight: f64,
}

impl<'a> Line<'a> {
    /// The line of a level, in runs of `run` partitions (at least 1).
    pub(super) fn new(partitions: &'a PartitionIndex, run: usize) -> Line<'a> {
        let mut line = Line {
            partitions,
            run,
            padding: 0,
            predicted: 0,
            starts: Vec::new(),
        };
        let blocks = partitions.len().div_ceil(line.block());
        let costs: Vec<u64> = (0..blocks)
            .into_par_iter()
            .map(|block| line.runs(block).map(|(_, size)| size).sum())
            .collect();
        line.predicted = costs.iter().sum();
        line.padding = line.predicted / (8 * line.len() as u64) + 1;
        line.starts.push(0);
        let mut end = 0;
        for (block, cost) in costs.into_iter().enumerate() {
            end += cost + line.padding * line.runs_in(block) as u64;
            line.starts.push(end);
        }
        line
    }

    /// The predicted cost of the level, in look-ups.
    pub(super) fn predicted(&self) -> u64 {
        self.predicted
    }

    /// Partitions in a run, but for the last.
    pub(super) fn run(&self) -> usize {
        self.run
    }

    /// Returns the number of runs of the level.
    pub(super) fn len(&self) -> usize {
        self.partitions.len().div_ceil(self.run)
    }

    /// Draws a run from a stratum (below [`STRATA`]).
    pub(super) fn draw(&self, stratum: usize, random: &mut fastrand::Rng) -> Draw {
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
        Draw {
            stratum,
            partitions,
            weight: end as f64 / size as f64,
        }
    }

    /// Partitions of a block: whole runs.
    fn block(&self) -> usize {
        BLOCK.next_multiple_of(self.run)
    }

    fn runs_in(&self, block: usize) -> usize {
        let first = block * self.block();
        let partitions = self.partitions.len().min(first + self.block()) - first;
        partitions.div_ceil(self.run)
    }

    /// The runs of a block and their sizes.
    fn runs(&self, block: usize) -> impl Iterator<Item = (Range<usize>, u64)> + '_ {
        let first = block * self.block();
        let mut costs = self.partitions.iter_from(first).map(predicted_cost);
        (0..self.runs_in(block)).map(move |run| {
            let first = first + run * self.run;
            let numbers = first..self.partitions.len().min(first + self.run);
            let cost: u64 = costs.by_ref().take(numbers.len()).sum();
            (numbers, cost + self.padding)
        })
    }
}

/// A run that was solved.
pub(super) struct Run {
    /// Bytes of its shard.
    pub(super) bytes: usize,
    pub(super) counts: Counts,
    /// Processor time without that of the level below.
    pub(super) cpu: Duration,
}

/// A level to draw from.
pub(super) struct Sample<'a> {
    pub(super) line: Line<'a>,
    pub(super) partitions: &'a PartitionIndex,
    pub(super) below: &'a SampledLevel<'a>,
    pub(super) cancel: &'a AtomicBool,
}

impl Sample<'_> {
    /// Solves these runs, and calls `finished` after each. Returns those that were
    /// finished before it was cancelled.
    pub(super) fn solve(
        &self,
        draws: Vec<Draw>,
        finished: impl Fn() + Sync,
    ) -> Result<Vec<(Draw, Run)>, BuildError> {
        let solved = draws
            .into_par_iter()
            .with_max_len(1)
            .filter_map(|draw| match self.solve_one(&draw) {
                // What a failed level below has said is worthless.
                Ok(_) if self.below.has_failed() => None,
                Ok(solved) => {
                    finished();
                    Some(Ok((draw, solved)))
                }
                Err(BuildError::Cancelled) => None,
                Err(error) => Some(Err(error)),
            })
            .collect::<Result<Vec<_>, BuildError>>()?;
        match self.below.check() {
            Ok(()) | Err(BuildError::Cancelled) => Ok(solved),
            Err(error) => Err(error),
        }
    }

    fn solve_one(&self, draw: &Draw) -> Result<Run, BuildError> {
        let below = TimedLevel {
            below: self.below,
            time: Cell::default(),
        };
        let numbers = draw.partitions.clone();
        let (bytes, counts) = build_run(&below, self.partitions, numbers, self.cancel)?;
        let cpu = counts.cpu().saturating_sub(below.time.get());
        Ok(Run { bytes, counts, cpu })
    }
}

// The levels below, as far as a sample asks for them.

/// A level below: of a database, or built partition by partition.
pub(crate) enum SampledLevel<'a> {
    /// Below the first level no cards are left.
    Empty,
    Stored(Box<PlainLevel>),
    OnTheFly(Box<OnTheFly<'a>>),
}

/// A level whose partitions are solved when they are first asked for.
pub(crate) struct OnTheFly<'a> {
    partitions: PartitionIndex,
    below: SampledLevel<'a>,
    /// By number, in pages that are made when they are first needed.
    pages: Vec<OnceLock<Box<[Slot]>>>,
    cancel: &'a AtomicBool,
    /// The reason why a partition could not be solved. From then on all answers are
    /// worthless, and the caller must ask for the failure.
    failure: Mutex<Option<BuildError>>,
    solved: AtomicU64,
    nodes: AtomicU64,
}

type Slot = OnceLock<SolvedPartition>;

/// A partition's diagram.
struct SolvedPartition {
    root: Edge,
    nodes: Box<[Node]>,
}

const PAGE: usize = 256;

/// A level that the database lacks, and how much of it was built on the fly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltOnTheFly {
    /// The level, in cards of all hands together.
    pub cards: usize,
    /// Its partitions that were solved.
    pub partitions: u64,
    /// Their nodes.
    pub nodes: u64,
    /// All its partitions.
    pub all: usize,
    /// Look-ups that building all of it would take, as predicted from the shapes of
    /// its partitions alone.
    pub predicted: u64,
}

impl<'a> SampledLevel<'a> {
    /// The endings with `level` cards in each hand (0 for none at all): from
    /// the database if it has them.
    pub(crate) fn new(
        level: usize,
        database: Option<(&Path, &Manifest)>,
        cancel: &'a AtomicBool,
    ) -> Result<SampledLevel<'a>, Error> {
        if level == 0 {
            return Ok(SampledLevel::Empty);
        }
        if let Some((directory, manifest)) = database
            && let Some(record) = manifest.level(level)
        {
            let stored = LevelFile::open_recorded(&level_path(directory, level), record)?;
            return Ok(SampledLevel::Stored(Box::new(PlainLevel::new(stored))));
        }
        let partitions = PartitionIndex::new(level);
        let pages = partitions.len().div_ceil(PAGE);
        Ok(SampledLevel::OnTheFly(Box::new(OnTheFly {
            partitions,
            below: SampledLevel::new(level - 1, database, cancel)?,
            pages: (0..pages).map(|_| OnceLock::new()).collect(),
            cancel,
            failure: Mutex::new(None),
            solved: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
        })))
    }

    /// Returns true if a partition that was asked for could not be solved.
    pub(crate) fn has_failed(&self) -> bool {
        let SampledLevel::OnTheFly(level) = self else {
            return false;
        };
        let own = level.failure.lock();
        level.below.has_failed() || own.is_ok_and(|failure| failure.is_some())
    }

    /// Fails if any partition that was asked for could not be solved.
    pub(crate) fn check(&self) -> Result<(), BuildError> {
        let SampledLevel::OnTheFly(level) = self else {
            return Ok(());
        };
        level.below.check()?;
        match level.failure.lock() {
            Ok(mut failure) => failure.take().map_or(Ok(()), Err),
            // Another thread panicked, and takes the program down with it.
            Err(_) => Ok(()),
        }
    }

    /// Returns the levels that the database lacks, from the deepest level up.
    pub(crate) fn built(&self) -> Vec<BuiltOnTheFly> {
        let mut built = Vec::new();
        let mut lower = self;
        while let SampledLevel::OnTheFly(level) = lower {
            built.push(BuiltOnTheFly {
                cards: 4 * level.partitions.level(),
                partitions: level.solved.load(Ordering::Relaxed),
                nodes: level.nodes.load(Ordering::Relaxed),
                all: level.partitions.len(),
                predicted: Line::new(&level.partitions, 1).predicted(),
            });
            lower = &level.below;
        }
        built
    }
}

impl LevelBelow for SampledLevel<'_> {
    fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        match self {
            SampledLevel::Empty => Ok(Diagram::constant(0)),
            SampledLevel::Stored(level) => level.diagram(partition),
            SampledLevel::OnTheFly(level) => Ok(level.diagram(partition)),
        }
    }
}

impl OnTheFly<'_> {
    fn diagram(&self, partition: Partition) -> Diagram<'_> {
        let number = self.partitions.number(partition);
        let page =
            self.pages[number / PAGE].get_or_init(|| (0..PAGE).map(|_| Slot::new()).collect());
        // A partition asks only for partitions of levels below its own, so
        // that threads which wait for each other's never do so in a circle.
        let SolvedPartition { root, nodes } =
            page[number % PAGE].get_or_init(|| self.solved(partition));
        Diagram::new(nodes, *root)
    }

    fn solved(&self, partition: Partition) -> SolvedPartition {
        self.solve(partition).unwrap_or_else(|error| {
            if let Ok(mut failure) = self.failure.lock() {
                failure.get_or_insert(error);
            }
            SolvedPartition {
                root: Edge::leaf(0),
                nodes: Box::default(),
            }
        })
    }

    fn solve(&self, partition: Partition) -> Result<SolvedPartition, BuildError> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(BuildError::Cancelled);
        }
        let (nodes, root) = build_diagram(&self.below, &self.partitions, partition)?;
        self.solved.fetch_add(1, Ordering::Relaxed);
        self.nodes.fetch_add(nodes.len() as u64, Ordering::Relaxed);
        Ok(SolvedPartition { root, nodes })
    }
}

/// A level below that measures the time spent fetching diagrams from it, so
/// that it can be subtracted: a build unpacks each shard once, and a sample
/// would pay for each diagram.
pub(crate) struct TimedLevel<'a> {
    pub(crate) below: &'a SampledLevel<'a>,
    pub(crate) time: Cell<Duration>,
}

impl LevelBelow for TimedLevel<'_> {
    fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        let start = ThreadTime::now();
        let diagram = self.below.diagram(partition);
        self.time.set(self.time.get() + start.elapsed());
        diagram
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_tile_the_line_and_the_level() {
        for (level, run) in [(1, 256), (3, 256), (3, 1), (4, 7)] {
            let partitions = PartitionIndex::new(level);
            let line = Line::new(&partitions, run);
            let (mut end, mut next, mut count) = (0, 0, 0);
            for block in 0..line.starts.len() - 1 {
                assert_eq!(line.starts[block], end);
                for (numbers, size) in line.runs(block) {
                    assert_eq!(numbers.start, next);
                    let costs = partitions.iter_from(next).take(numbers.len());
                    let cost: u64 = costs.map(predicted_cost).sum();
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
        let line = Line::new(&partitions, 100);
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
            // Each run is one run: what it has of runs is 1.
            let mean = sum / f64::from(rounds);
            assert!((mean - 1.0).abs() < 0.3, "run {run}: {mean}");
        }
    }
}
