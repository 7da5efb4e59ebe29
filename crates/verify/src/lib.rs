//! Proving a database right.
//!
//! Level by level, from the fewest cards up:
//!
//! 1. [`Check::Checksums`]: every shard is read afresh, and manifest, header
//!    and diagrams must say the same.
//! 2. [`Check::Sets`]: every diagram is walked along all its paths. The paths
//!    must cover the partition, and the value of every set of endings at their
//!    ends is proved from the level below by an oracle of its own, in
//!    three-valued logic. With the level below proved before, this is a
//!    complete proof of the level.
//! 3. [`Check::Sample`]: random endings against plain minimax.
//! 4. [`Check::Exhaustive`], up to [`EXHAUSTIVE_CARDS`]: every single ending
//!    against plain retrograde analysis.
//!
//! The four share no code with the builders, and none with each other beyond
//! reading a database.

mod checksums;
mod cpu_clock;
mod error;
mod exhaustive;
mod known;
mod minimax;
mod parallel;
mod reproof;
mod retrograde;
mod sample;
mod suit_deals;
mod survey;
#[cfg(test)]
mod tests;
mod three_valued;

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use setrograde_lookup::{Database, Level};

pub use error::{PartitionName, VerifyError};
use parallel::Workers;

/// The most cards that [`Check::Exhaustive`] goes up to: 33.9 million endings.
/// Four more cards would be 11.5 thousand million.
pub const EXHAUSTIVE_CARDS: usize = 4 * suit_deals::MOST_CARDS;

/// What to verify, and how thoroughly.
#[derive(Debug, Clone, Default)]
pub struct Verify {
    /// Worker threads; `None` for one a core.
    pub threads: Option<usize>,
    /// Random endings of each level to compare with plain minimax.
    pub sample: usize,
    /// What the random endings come from: same seed, same endings.
    pub seed: u64,
    /// Whether to compare every ending of the levels up to
    /// [`EXHAUSTIVE_CARDS`] with plain retrograde analysis. Levels beyond have
    /// no such check, and none in the report.
    pub exhaustive: bool,
    /// The levels, in cards per hand; `None` for all that the database has.
    /// The lowest of them is proved from the level below it, which is taken
    /// as right.
    pub levels: Option<RangeInclusive<usize>>,
}

/// One of the checks that a level goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Check {
    /// Checksums, and whether manifest, header and diagrams agree.
    Checksums,
    /// Whether every diagram covers its partition, and every set is right.
    Sets,
    /// Random endings against plain minimax.
    Sample,
    /// All endings against plain retrograde analysis.
    Exhaustive,
}

impl Check {
    /// What the check counts, in the plural.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Check::Checksums => "shards",
            Check::Sets => "partitions",
            Check::Sample | Check::Exhaustive => "endings",
        }
    }
}

/// Names the check.
impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Check::Checksums => "checksums",
            Check::Sets => "sets",
            Check::Sample => "sample",
            Check::Exhaustive => "exhaustive",
        })
    }
}

/// Hears how a verification goes. All methods may do nothing.
pub trait VerifyObserver: Sync {
    /// A check of the level with so many cards is begun; it has so many units
    /// (see [`Check::unit`]).
    fn begun(&self, _cards: usize, _check: Check, _units: u64) {}
    /// So many more units of the current check are done.
    fn advanced(&self, _units: u64) {}
    /// The current check is done, and has found nothing wrong.
    fn finished(&self, _report: &CheckReport) {}
}

/// Listens to nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl VerifyObserver for Silent {}

/// A check that found nothing wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckReport {
    /// Cards of the level, in all hands together.
    pub cards: usize,
    /// The check.
    pub check: Check,
    /// How many units it went through, see [`Check::unit`].
    pub units: u64,
    /// For [`Check::Sets`], how many sets of 4-bit owner masks were proved.
    pub sets: u64,
    /// Processor time, summed over the threads.
    pub cpu: Duration,
    /// Time on the clock.
    pub wall: Duration,
}

/// What was checked, and found right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The checks in the order in which they were made.
    pub checks: Vec<CheckReport>,
}

impl Verify {
    /// Checks the database, from the lowest level up. Setting `cancel` from
    /// another thread ends this soon with [`VerifyError::Cancelled`].
    ///
    /// What is wrong with the manifest, or with a level's header or index,
    /// [`Database::open`] has found before.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, see [`VerifyError`]; the same for any
    /// number of threads.
    pub fn run(
        &self,
        database: &Database,
        observer: &impl VerifyObserver,
        cancel: &AtomicBool,
    ) -> Result<VerifyReport, VerifyError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build()?;
        let workers = Workers {
            pool,
            observer,
            cancel,
        };
        let deepest = database.max_level();
        let levels = self.levels.clone().unwrap_or(1..=deepest);
        let mut report = VerifyReport::default();
        let mut retrograde = exhaustive::Exhaustive::new((*levels.end()).min(deepest));
        for number in levels {
            let held = |number| database.level(number).ok_or(missing(number));
            let level = held(number)?;
            let below = if number > 1 {
                Some(held(number - 1)?)
            } else {
                None
            };
            let mut checked = |check, units, work: &mut dyn FnMut() -> CheckResult| {
                observer.begun(4 * number, check, units);
                let start = Instant::now();
                let Work { sets, cpu } = work()?;
                let done = CheckReport {
                    cards: 4 * number,
                    check,
                    units,
                    sets,
                    cpu,
                    wall: start.elapsed(),
                };
                observer.finished(&done);
                report.checks.push(done);
                Ok::<(), VerifyError>(())
            };
            checked(Check::Checksums, level.shard_count() as u64, &mut || {
                checksums::check(database, level, &workers)
            })?;
            checked(Check::Sets, level.partitions().len() as u64, &mut || {
                reproof::check(level, below, &workers)
            })?;
            if self.sample > 0 {
                checked(Check::Sample, self.sample as u64, &mut || {
                    sample::check(database, level, self.sample, self.seed, &workers)
                })?;
            }
            if self.exhaustive && 4 * number <= EXHAUSTIVE_CARDS {
                checked(Check::Exhaustive, states_of(level) as u64, &mut || {
                    retrograde.check(level, &workers)
                })?;
            }
        }
        Ok(report)
    }
}

/// What a check took.
#[derive(Debug, Clone, Copy, Default)]
struct Work {
    sets: u64,
    cpu: Duration,
}

type CheckResult = Result<Work, VerifyError>;

fn missing(level: usize) -> VerifyError {
    VerifyError::LevelNotHeld { cards: 4 * level }
}

fn states_of(level: &Level) -> u128 {
    level
        .partitions()
        .iter()
        .map(setrograde_endgame::states::states_of_partition)
        .sum()
}
