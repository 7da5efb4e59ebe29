//! Verifying a database: which checks are made, and in what order.

use std::ops::RangeInclusive;
use std::time::Instant;

use setrograde_lookup::{Database, Level, LevelFile};
use setrograde_parallel::{Stop, threads};

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
    /// Checks the database, from the lowest level up. It ends within a second once `stop` is due.
    ///
    /// Faults of the manifest, or of a level's header or index,
    /// [`Database::open`] has found before.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, see [`VerifyError`]; the same for any
    /// number of threads. [`VerifyError::Cancelled`] if it was stopped.
    pub fn run(
        &self,
        database: &Database,
        observer: &impl VerifyObserver,
        stop: &Stop,
    ) -> Result<VerifyReport, VerifyError> {
        let workers = Workers {
            threads: threads(self.threads),
            observer,
            stop,
        };
        let deepest = database.levels().map(Level::level).max().unwrap_or(0);
        let levels = self.levels.clone().unwrap_or(1..=deepest);
        let deepest_asked = *levels.end();
        let held = |number| {
            let level = database.level(number);
            level.ok_or(VerifyError::LevelNotHeld { cards: 4 * number })
        };
        let mut report = VerifyReport::default();
        for number in levels {
            let level = held(number)?;
            let file = match (database.directory(), database.manifest().level(number)) {
                (Some(directory), Some(record)) => {
                    Some(LevelFile::open_recorded(directory, record)?)
                }
                _ => None,
            };
            let below = match number {
                0 | 1 => None,
                _ => Some(held(number - 1)?),
            };
            let groups = Groups::new(level, file.as_ref());
            let part = self.part.filter(|_| number == deepest_asked);
            let checked = CheckedLevel {
                verify: self,
                database,
                level,
                file: file.as_ref(),
                below,
                groups: &groups,
                chosen: &Chosen::new(level, &groups, part, self.seed),
            };
            for (check, all, of) in checked.checks() {
                observer.begun(4 * number, check, all);
                let start = Instant::now();
                let Passed { sets, cpu } = checked.run(check, &workers)?;
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
            }
        }
        Ok(report)
    }
}

/// A level of the database, and what its checks need.
struct CheckedLevel<'a> {
    verify: &'a Verify,
    database: &'a Database,
    level: &'a Level,
    file: Option<&'a LevelFile>,
    below: Option<&'a Level>,
    groups: &'a Groups,
    chosen: &'a Chosen<'a>,
}

impl CheckedLevel<'_> {
    /// Returns the checks to make, in their order: each with its size, and the number of units of
    /// the entire level.
    fn checks(&self) -> Vec<(Check, CheckPortion, u64)> {
        let endings = |units| CheckPortion { units, cost: units };
        let all = self.groups.all();
        let partitions = self.level.partitions().len() as u64;
        let mut checks = vec![
            (Check::Checksums, all, all.units),
            (Check::Sets, self.chosen.portion(), partitions),
        ];
        let sample = self.verify.sample as u64;
        if sample > 0 {
            checks.push((Check::Sample, endings(sample), sample));
        }
        if self.verify.exhaustive && 4 * self.level.level() <= EXHAUSTIVE_CARDS {
            let states = states_of(self.level) as u64;
            checks.push((Check::Exhaustive, endings(states), states));
        }
        checks
    }

    fn run<O: VerifyObserver>(
        &self,
        check: Check,
        workers: &Workers<'_, O>,
    ) -> Result<Passed, VerifyError> {
        let (database, level, file) = (self.database, self.level, self.file);
        match check {
            Check::Checksums => check_level(database, level, file, self.groups, workers),
            Check::Sets => reproof::check(level, file, self.below, self.chosen, workers),
            Check::Sample => {
                let Verify { sample, seed, .. } = *self.verify;
                exhaustive::check_sample(database, level, sample, seed, workers)
            }
            Check::Exhaustive => exhaustive::check_all(database, level, workers),
        }
    }
}
