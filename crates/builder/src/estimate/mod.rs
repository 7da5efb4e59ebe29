//! Estimates what building a level would take, from a sample of it.
//!
//! ```
//! use setrograde_builder::{Build, Effort, Estimate, Silent, Stop};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let directory = tempfile::tempdir()?;
//! Build::new(directory.path(), 8).run(&Silent, &Stop::default())?;
//! let estimate = Estimate {
//!     database: Some(directory.path().to_owned()),
//!     effort: Effort::Draws(32),
//!     ..Estimate::new(12)
//! };
//! let report = estimate.run(|_, _| (), &Stop::default())?;
//! assert_eq!((report.partitions, report.states), (32_641, 33_920_712));
//! // Each figure has a 95 % confidence interval: 7.9 million in truth.
//! let lookups = report.lookups;
//! println!("{} look-ups ({} to {})", lookups.value, lookups.low, lookups.high);
//! # assert!((1e6..1e8).contains(&lookups.value));
//! # Ok(())
//! # }
//! ```
//!
//! # Method
//!
//! The sample is of *runs*: as many neighbouring partitions as a shard holds,
//! solved and packed as a build would. Runs are drawn with a probability in
//! proportion to their predicted cost (and a padding), in strata of
//! neighbouring runs with equal sums of it, one from each stratum a round.
//! Each draw, weighted by its probability, is an unbiased guess of the total,
//! however bad the prediction is: a bad one only widens the intervals.
//! M. H. Hansen and W. N. Hurwitz, "On the theory of sampling from finite
//! populations", 1943. `docs/estimate.md` compares estimates with levels that
//! were built.
//!
//! A sample is solved on the level below, which a build needs, too.

mod draws;
mod error;
mod report;
pub(crate) mod sample;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::LevelFile;
use setrograde_lookup::format::level_header::DEEPEST;
use setrograde_lookup::format::manifest::Manifest;
use setrograde_parallel::Stop;

use self::draws::{CostLine, DrawnRun, STRATA, Sample};
use self::report::Totals;
use crate::build::pool_of;
use crate::method::Method;
use crate::oracle::stored_level::StoredLevel;
use crate::plan::shard_partitions;

pub use self::error::EstimateError;
pub use self::report::{EstimateReport, Projection};

/// Fewer rounds show nothing about the spread.
const LEAST_ROUNDS: usize = 2;

/// An estimate: its level and the size of its sample.
#[derive(Debug, Clone)]
pub struct Estimate {
    /// The level, in cards of all hands together: 4, 8, …, 32.
    pub cards: usize,
    /// The database with the level below. Only 4 cards need none.
    pub database: Option<PathBuf>,
    /// The method of the level. The level below is used as it is.
    pub method: Method,
    /// The size of the sample.
    pub effort: Effort,
    /// Random seed: the same seed draws the same sample.
    pub seed: u64,
    /// Neighbouring partitions in a run; `None` for a shard up to 24 cards and of a coarse level,
    /// and for a single partition from 28 exact cards on.
    pub run: Option<usize>,
    /// Worker threads, at most [`MOST_THREADS`](crate::MOST_THREADS); `None` for one for each
    /// core.
    pub threads: Option<usize>,
}

/// The size of a sample.
#[derive(Debug, Clone, Copy)]
pub enum Effort {
    /// After this time, which bounds the entire estimate; or when there are as many draws as the
    /// level has runs, if that is sooner.
    Time(Duration),
    /// After the round in which the sample reaches this size, but at least two rounds.
    Draws(usize),
}

impl Estimate {
    /// An estimate from a sample of 64 runs, with all cores and no database.
    pub fn new(cards: usize) -> Estimate {
        Estimate {
            cards,
            database: None,
            method: Method::Refine,
            effort: Effort::Draws(64),
            seed: 1,
            run: None,
            threads: None,
        }
    }

    /// Draws a sample and projects it. `progress` receives the number of finished runs and the time
    /// so far. The sample ends once `stop` is due or the time is over; finished runs count. A sample
    /// of fewer than two rounds has no intervals.
    ///
    /// # Errors
    ///
    /// See [`EstimateError`].
    pub fn run(
        &self,
        progress: impl Fn(usize, Duration) + Sync,
        stop: &Stop,
    ) -> Result<EstimateReport, EstimateError> {
        let start = Instant::now();
        let level = self.cards / 4;
        if !self.cards.is_multiple_of(4) || !(1..=DEEPEST as usize).contains(&level) {
            return Err(EstimateError::Cards {
                cards: self.cards,
                most: 4 * DEEPEST as usize,
            });
        }
        let end = match self.effort {
            Effort::Time(limit) => start.checked_add(limit),
            Effort::Draws(_) => None,
        };
        let stop = end.map_or_else(|| stop.clone(), |end| stop.clone().by(end));
        let pool = pool_of(setrograde_parallel::threads(self.threads))?;
        let below = self.below(level)?;
        let partitions = PartitionIndex::new(level);
        pool.install(|| {
            let run = self
                .run
                .unwrap_or(run_partitions(level, self.method))
                .max(1);
            let sample = Sample {
                line: CostLine::new(&partitions, self.method, run),
                below: &below,
                stop: &stop,
            };
            self.project(&sample, start, &progress)
        })
    }

    /// Opens the level below a level.
    fn below(&self, level: usize) -> Result<StoredLevel, EstimateError> {
        if level == 1 {
            return Ok(StoredLevel::None);
        }
        let missing = EstimateError::NoLevelBelow { cards: 4 * level };
        let Some(directory) = &self.database else {
            return Err(missing);
        };
        let manifest = Manifest::read(directory)?;
        let record = manifest.level(level - 1).ok_or(missing)?;
        let file = LevelFile::open_recorded(directory, record)?;
        Ok(StoredLevel::new(file, true)?)
    }

    fn project(
        &self,
        sample: &Sample<'_>,
        start: Instant,
        progress: &(impl Fn(usize, Duration) + Sync),
    ) -> Result<EstimateReport, EstimateError> {
        let mut random = fastrand::Rng::with_seed(self.seed);
        let mut totals = Totals::default();
        let mut rounds = 0;
        let drawn = AtomicUsize::new(0);
        while self.has_next(sample, rounds, start.elapsed()) {
            let draws: Vec<DrawnRun> = (0..STRATA)
                .map(|stratum| sample.line.draw(stratum, &mut random))
                .collect();
            let solved = sample.solve(draws, || {
                let drawn = drawn.fetch_add(1, Ordering::Relaxed) + 1;
                progress(drawn, start.elapsed());
            })?;
            // An interrupted round has only its cheap runs. They would distort a sample that is
            // large enough without them.
            let is_whole = solved.len() == STRATA;
            if is_whole || rounds < LEAST_ROUNDS {
                for (draw, counts) in &solved {
                    totals.add(draw, counts);
                }
            }
            if !is_whole {
                break;
            }
            rounds += 1;
        }
        if totals.draws() == 0 {
            return Err(EstimateError::NothingFinished {
                cards: self.cards,
                seconds: start.elapsed().as_secs(),
                predicted: sample.line.predicted,
            });
        }
        Ok(totals.report(sample, rounds, start.elapsed()))
    }

    /// Returns true if another round follows.
    fn has_next(&self, sample: &Sample<'_>, rounds: usize, elapsed: Duration) -> bool {
        if sample.stop.is_due() {
            return false;
        }
        let drawn = rounds * STRATA;
        match self.effort {
            Effort::Time(limit) if elapsed >= limit => false,
            _ if rounds < LEAST_ROUNDS => true,
            Effort::Time(limit) => {
                let in_time = elapsed + elapsed / rounds as u32 <= limit;
                in_time && drawn < sample.line.len()
            }
            Effort::Draws(draws) => drawn < draws,
        }
    }
}

/// Partitions in a run: those of a shard as long as a few shards take seconds.
fn run_partitions(level: usize, method: Method) -> usize {
    if level <= 6 || method.is_coarse() {
        shard_partitions(level, method)
    } else {
        1
    }
}
