//! Verifying a database: which checks are made, and in what order.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use setrograde_lookup::format::manifest;
use setrograde_lookup::{Database, LevelFile};

use crate::check::{Check, CheckReport, EXHAUSTIVE_CARDS, Passed, VerifyObserver, states_of};
use crate::error::VerifyError;
use crate::exhaustive::Exhaustive;
use crate::parallel::Workers;
use crate::{checksums, reproof, sample};

/// What to verify, and how thoroughly.
#[derive(Debug, Clone, Default)]
pub struct Verify {
    /// Worker threads, at most [`MOST_THREADS`](crate::MOST_THREADS); `None`
    /// for one for each core.
    pub threads: Option<usize>,
    /// Random endings of each level to compare with plain minimax.
    pub sample: usize,
    /// Random seed: the same seed draws the same endings.
    pub seed: u64,
    /// Whether to compare every ending of the levels up to
    /// [`EXHAUSTIVE_CARDS`] with plain retrograde analysis. Levels beyond have
    /// no such check, and none in the report.
    pub exhaustive: bool,
    /// The levels, in cards per hand; `None` for all that the database has, and
    /// what is finished of the next one.
    /// The lowest of them is proved from the level below it, which is taken
    /// as right.
    pub levels: Option<RangeInclusive<usize>>,
}

/// What was checked, and found right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The checks in the order in which they were made.
    pub checks: Vec<CheckReport>,
}

impl Verify {
    /// Checks the database, from the lowest level up. Setting `cancel` from
    /// another thread ends this within a second.
    ///
    /// What is wrong with the manifest, or with a level's header or index,
    /// [`Database::open`] has found before.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, see [`VerifyError`]; the same for any
    /// number of threads. [`VerifyError::Cancelled`] if it was cancelled.
    pub fn run(
        &self,
        database: &Database,
        observer: &impl VerifyObserver,
        cancel: &AtomicBool,
    ) -> Result<VerifyReport, VerifyError> {
        let workers = Workers::start(self.threads, observer, cancel)?;
        let deepest = database.deepest_level();
        let levels = self.levels.clone().unwrap_or(1..=deepest);
        let mut report = VerifyReport::default();
        let mut retrograde = Exhaustive::new((*levels.end()).min(deepest));
        for number in levels {
            let held = |number| {
                database
                    .level(number)
                    .ok_or(VerifyError::LevelNotHeld { cards: 4 * number })
            };
            let level = held(number)?;
            let file = match (database.directory(), database.manifest().level(number)) {
                (Some(directory), Some(record)) => {
                    let path = manifest::level_path(directory, number);
                    Some(LevelFile::open_recorded(&path, record)?)
                }
                _ => None,
            };
            let below = match number {
                0 | 1 => None,
                _ => Some(held(number - 1)?),
            };
            let mut checked =
                |check, units, run: &mut dyn FnMut() -> Result<Passed, VerifyError>| {
                    observer.begun(4 * number, check, units);
                    let start = Instant::now();
                    let Passed { sets, cpu } = run()?;
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
                checksums::check(database, level, file.as_ref(), &workers)
            })?;
            checked(Check::Sets, level.held_partitions() as u64, &mut || {
                reproof::check(level, file.as_ref(), below, &workers)
            })?;
            // What is there of an unfinished level is proved; endings drawn at random
            // are seldom there.
            if !level.is_whole() {
                continue;
            }
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
