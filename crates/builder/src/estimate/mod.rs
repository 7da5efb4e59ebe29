//! Estimates: what building a level would take, from a sample of it.
//!
//! The sample is of *runs*: as many neighbouring partitions as a shard holds,
//! solved and packed as a build would. Runs are drawn with a probability in
//! proportion to their predicted cost (and a padding), in strata of
//! neighbouring runs with equal sums of it, one from each stratum a round.
//! Each draw, weighted by its probability, is an unbiased guess of the total,
//! whatever the prediction is worth: a bad one widens the intervals, no more.
//! M. H. Hansen and W. N. Hurwitz, "On the theory of sampling from finite
//! populations", 1943.
//!
//! What a sample needs of the levels below comes from a database, or is built
//! on the spot: only those partitions that the oracle asks for.

mod draws;
mod on_the_fly;
mod projection;

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::format::level_header::{ENTRY_BYTES, HEADER_BYTES};
use setrograde_lookup::{Database, Error};

use self::draws::{Draw, Line, STRATA};
pub use self::on_the_fly::BuiltOnTheFly;
use self::on_the_fly::{SampledLevel, TimedLevel};
pub use self::projection::Projection;
use self::projection::Tally;
use crate::error::BuildError;
use crate::method::Method;
use crate::plan::memory::DIAGRAM_NODE;
use crate::plan::shard_partitions;
use crate::shard::ShardBuilder;
use crate::shard::counts::ShardCounts;

/// The most cards per hand that can be estimated.
const DEEPEST: usize = 8;

/// Fewer rounds tell nothing about the spread.
const LEAST_ROUNDS: usize = 2;

/// What to estimate, and from how much.
#[derive(Debug, Clone)]
pub struct Estimate {
    /// The level, in cards of all hands together: 4, 8, …, 32.
    pub cards: usize,
    /// A database whose levels below are used. What it lacks is built on the
    /// fly.
    pub database: Option<PathBuf>,
    /// When the sample is large enough.
    pub effort: Effort,
    /// Which sample: the same number, the same draws.
    pub seed: u64,
    /// Neighbouring partitions in a run; `None` for a shard up to 24 cards,
    /// and for a single partition from 28 cards on.
    pub run: Option<usize>,
    /// Worker threads; `None` for one a core.
    pub threads: Option<usize>,
}

/// When a sample is large enough. At least two rounds are drawn in any case.
#[derive(Debug, Clone, Copy)]
pub enum Effort {
    /// Before the first round that would probably end later than this; or
    /// when there are as many draws as the level has runs, if that is sooner.
    Time(Duration),
    /// After the round that makes the sample at least so large.
    Draws(usize),
}

/// What building a level by `refine` would take, and what the sample took.
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
    /// How often each stratum was drawn from.
    pub rounds: usize,
    /// What was built of the levels below.
    pub on_the_fly: Vec<BuiltOnTheFly>,
    /// Wall time of the sample.
    pub elapsed: Duration,
}

impl EstimateReport {
    /// Bytes of memory for this level, unpacked: what building the next one
    /// takes.
    #[must_use]
    pub fn unpacked(&self) -> Projection {
        self.written.times(DIAGRAM_NODE as f64)
    }
}

/// Hears how an estimate goes. All methods may do nothing.
pub trait EstimateObserver: Sync {
    /// A round of draws is done.
    fn round(&self, _draws: usize, _elapsed: Duration) {}
}

impl EstimateObserver for crate::Silent {}

/// An estimate that was not finished.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EstimateError {
    /// A level asked for is out of range.
    #[error("cannot estimate endings of {cards} cards: choose a multiple of 4 from 4 to {most}")]
    Cards {
        /// What was asked for.
        cards: usize,
        /// The most that this version estimates.
        most: usize,
    },
    /// The sample could not be built.
    #[error(transparent)]
    Build(BuildError),
    /// The database could not be opened.
    #[error(transparent)]
    Database(#[from] Error),
    /// The caller cancelled it.
    #[error("the estimate was cancelled before its second round; one round tells nothing")]
    Cancelled,
}

impl From<BuildError> for EstimateError {
    fn from(error: BuildError) -> EstimateError {
        match error {
            BuildError::Cancelled => EstimateError::Cancelled,
            error => EstimateError::Build(error),
        }
    }
}

impl Estimate {
    /// Draws a sample and projects it. Setting `cancel` from another thread ends
    /// the sample; the rounds that were finished count if there are two.
    ///
    /// # Errors
    ///
    /// See [`EstimateError`].
    pub fn run(
        &self,
        observer: &impl EstimateObserver,
        cancel: &AtomicBool,
    ) -> Result<EstimateReport, EstimateError> {
        let level = self.cards / 4;
        if !self.cards.is_multiple_of(4) || !(1..=DEEPEST).contains(&level) {
            return Err(EstimateError::Cards {
                cards: self.cards,
                most: 4 * DEEPEST,
            });
        }
        let database = self.database.as_ref().map(Database::open).transpose()?;
        let below = SampledLevel::new(level - 1, database.as_ref(), cancel);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build()
            .map_err(BuildError::from)?;
        let partitions = PartitionIndex::new(level);
        pool.install(|| {
            let run = self.run.unwrap_or(run_partitions(level)).max(1);
            let sample = Sample {
                line: Line::new(&partitions, run),
                partitions: &partitions,
                below: &below,
                cancel,
            };
            self.project(&sample, observer)
        })
    }

    fn project(
        &self,
        sample: &Sample<'_>,
        observer: &impl EstimateObserver,
    ) -> Result<EstimateReport, EstimateError> {
        let start = Instant::now();
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut totals = Totals::default();
        let mut rounds = 0;
        while rounds < LEAST_ROUNDS || self.goes_on(sample, rounds, start.elapsed()) {
            let draws: Vec<Draw> = (0..STRATA)
                .map(|stratum| sample.line.draw(stratum, &mut random))
                .collect();
            match sample.solve(draws) {
                Ok(solved) => solved
                    .iter()
                    .for_each(|(draw, counts)| totals.add(draw, counts)),
                Err(BuildError::Cancelled) if rounds >= LEAST_ROUNDS => break,
                Err(error) => return Err(error.into()),
            }
            rounds += 1;
            observer.round(rounds * STRATA, start.elapsed());
        }
        Ok(totals.report(sample, rounds, start.elapsed()))
    }

    /// Whether there is to be another round.
    fn goes_on(&self, sample: &Sample<'_>, rounds: usize, elapsed: Duration) -> bool {
        let drawn = rounds * STRATA;
        match self.effort {
            Effort::Time(limit) => {
                let in_time = elapsed + elapsed / rounds as u32 <= limit;
                in_time && drawn < sample.line.len()
            }
            Effort::Draws(draws) => drawn < draws,
        }
    }
}

/// Partitions in a run: those of a shard as long as a few shards take seconds.
fn run_partitions(level: usize) -> usize {
    if level <= 6 {
        shard_partitions(level)
    } else {
        1
    }
}

/// A level to draw from.
struct Sample<'a> {
    line: Line<'a>,
    partitions: &'a PartitionIndex,
    below: &'a SampledLevel<'a>,
    cancel: &'a AtomicBool,
}

impl Sample<'_> {
    fn solve(&self, draws: Vec<Draw>) -> Result<Vec<(Draw, Solved)>, BuildError> {
        let solved = draws
            .into_par_iter()
            .with_max_len(1)
            .map(|draw| self.solve_one(&draw).map(|solved| (draw, solved)))
            .collect();
        self.below.check()?;
        solved
    }

    fn solve_one(&self, draw: &Draw) -> Result<Solved, BuildError> {
        let below = TimedLevel {
            below: self.below,
            time: Cell::default(),
        };
        let mut builder = ShardBuilder::new(Method::Refine, &below, self.partitions, self.cancel);
        let packed = builder.build(draw.partitions.clone())?;
        Ok(Solved {
            bytes: packed.streams.iter().map(Vec::len).sum(),
            cpu: packed.counts.cpu.saturating_sub(below.time.get()),
            counts: packed.counts,
        })
    }
}

/// What a run of the sample holds and took.
struct Solved {
    bytes: usize,
    /// Processor time but for that spent on the levels below.
    cpu: Duration,
    counts: ShardCounts,
}

#[derive(Default)]
struct Totals {
    cpu: Tally,
    lookups: Tally,
    sets: Tally,
    nodes: Tally,
    written: Tally,
    bytes: Tally,
    largest: u64,
}

impl Totals {
    fn add(&mut self, draw: &Draw, solved: &Solved) {
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

    fn report(&self, sample: &Sample<'_>, rounds: usize, elapsed: Duration) -> EstimateReport {
        let partitions = sample.partitions;
        let level = partitions.level();
        let shard = shard_partitions(level);
        let shards = partitions.len().div_ceil(shard);
        let head = HEADER_BYTES + ENTRY_BYTES * shards;
        EstimateReport {
            cards: 4 * level,
            partitions: partitions.len(),
            states: partitions.iter().map(states_of_partition).sum(),
            cpu: self.cpu.projection(),
            lookups: self.lookups.projection(),
            sets: self.sets.projection(),
            nodes: self.nodes.projection(),
            written: self.written.projection(),
            bytes: self.bytes.projection().plus(head as f64),
            largest: self.largest,
            memory: match sample.below {
                SampledLevel::Empty => Some(0),
                SampledLevel::Stored(below) => Some(below.unpacked_bytes()),
                SampledLevel::OnTheFly(_) => None,
            },
            run: sample.line.run(),
            shard,
            draws: rounds * STRATA,
            rounds,
            on_the_fly: sample.below.built(),
            elapsed,
        }
    }
}
