//! Verifying a database: which checks are made, and in what order.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use setrograde_lookup::format::manifest;
use setrograde_lookup::{Database, Level, LevelFile};

use crate::check::{
    Check, CheckPortion, CheckReport, EXHAUSTIVE_CARDS, LevelSample, Passed, VerifyObserver,
    states_of,
};
use crate::checksums::check_level;
use crate::error::VerifyError;
use crate::reproof::{Chosen, Groups};
use crate::workers::Workers;
use crate::{exhaustive, reproof};

/// A verification: its levels and checks.
#[derive(Debug, Clone, Default)]
pub struct Verify {
    /// Worker threads, at most [`MOST_THREADS`](crate::MOST_THREADS); `None` means one for each
    /// core.
    pub threads: Option<usize>,
    /// Random endings of each level to compare with plain minimax.
    pub sample: usize,
    /// Random seed: the same seed draws the same endings.
    pub seed: u64,
    /// True to compare every ending of the levels up to 12 cards with
    /// plain minimax. Levels beyond have no such check, and none in the
    /// report.
    pub exhaustive: bool,
    /// The levels, in cards per hand; `None` for all levels of the database. The lowest of them is
    /// proved from the level below it, which is assumed to be correct.
    pub levels: Option<RangeInclusive<usize>>,
    /// The part of the deepest of these levels whose sets are proved; `None` for
    /// all. The seed draws it.
    pub part: Option<LevelSample>,
}

/// The checks that were made; all found the database right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The checks in the order in which they were made.
    pub checks: Vec<CheckReport>,
}

impl Verify {
    /// Checks the database, from the lowest level up. Setting `cancel` from
    /// another thread ends this within a second.
    ///
    /// Faults of the manifest, or of a level's header or index,
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
        let deepest = database.levels().map(Level::level).max().unwrap_or(0);
        let levels = self.levels.clone().unwrap_or(1..=deepest);
        let deepest_asked = *levels.end();
        let endings = |units| CheckPortion { units, cost: units };
        let mut report = VerifyReport::default();
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
                |check,
                 all: CheckPortion,
                 of,
                 run: &mut dyn FnMut() -> Result<Passed, VerifyError>| {
                    observer.begun(4 * number, check, all);
                    let start = Instant::now();
                    let Passed { sets, cpu } = run()?;
                    let done = CheckReport {
                        cards: 4 * number,
                        check,
                        units: all.units,
                        of,
                        sets,
                        cpu,
                        wall: start.elapsed(),
                    };
                    observer.finished(&done);
                    report.checks.push(done);
                    Ok::<(), VerifyError>(())
                };
            let groups = Groups::new(level, file.as_ref());
            let all = groups.all();
            checked(Check::Checksums, all, all.units, &mut || {
                check_level(database, level, file.as_ref(), &groups, &workers)
            })?;
            let part = self.part.filter(|_| number == deepest_asked);
            let chosen = Chosen::new(level, &groups, part, self.seed);
            let of = level.partitions().len() as u64;
            checked(Check::Sets, chosen.portion(), of, &mut || {
                reproof::check(level, file.as_ref(), below, &chosen, &workers)
            })?;
            if self.sample > 0 {
                let count = self.sample as u64;
                checked(Check::Sample, endings(count), count, &mut || {
                    exhaustive::check_sample(database, level, self.sample, self.seed, &workers)
                })?;
            }
            if self.exhaustive && 4 * number <= EXHAUSTIVE_CARDS {
                let states = states_of(level) as u64;
                checked(Check::Exhaustive, endings(states), states, &mut || {
                    exhaustive::check_all(database, level, &workers)
                })?;
            }
        }
        Ok(report)
    }
}
