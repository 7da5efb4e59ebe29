//! The checks of a level, and what they report.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::Level;

use crate::error::VerifyError;

/// The most cards that [`Check::Exhaustive`] goes up to: 33.9 million endings.
/// Four more cards would be 11.5 thousand million.
pub const EXHAUSTIVE_CARDS: usize = 12;

/// One of the checks that a level goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Check {
    /// Checksums, and whether manifest, header and diagrams agree.
    Checksums,
    /// Every diagram covers its partition, and every set is right.
    Sets,
    /// Random endings against plain minimax.
    Sample,
    /// All endings against plain minimax.
    Exhaustive,
}

impl Check {
    /// Returns the unit that the check counts, in the plural.
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

/// A part of a level to prove.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// The share of its partitions that is drawn at random, from 0 to 1.
    pub share: f64,
    /// At least so many partitions more, in whole shards: those with the most nodes.
    pub largest: usize,
}

/// A check that found nothing wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckReport {
    /// Cards of the level, in all hands together.
    pub cards: usize,
    /// The check.
    pub check: Check,
    /// The number of units that it went through, see [`Check::unit`].
    pub units: u64,
    /// The number of units of the level; more than `units` where a [`Part`] was
    /// proved.
    pub of: u64,
    /// For [`Check::Sets`], how many sets of 4-bit owner masks were proved.
    pub sets: u64,
    /// Processor time, summed over the threads.
    pub cpu: Duration,
    /// Time on the clock.
    pub wall: Duration,
}

/// A part of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Portion {
    /// The number of units, see [`Check::unit`].
    pub units: u64,
    /// About what share of the time they take: nodes of diagrams, or endings.
    pub cost: u64,
}

/// Progress callbacks of a verification. All methods may do nothing.
pub trait VerifyObserver: Sync {
    /// A check of the level of `cards` cards begins; `all` is what it has.
    fn begun(&self, _cards: usize, _check: Check, _all: Portion) {}
    /// This part more of the current check is done.
    fn advanced(&self, _part: Portion) {}
    /// The current check is done, and has found nothing wrong.
    fn finished(&self, _report: &CheckReport) {}
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl VerifyObserver for Silent {}

/// The sets that a check has proved, and the processor time that it took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Passed {
    pub(crate) sets: u64,
    pub(crate) cpu: Duration,
}

/// The endings of a level.
pub(crate) fn states_of(level: &Level) -> u128 {
    level.partitions().iter().map(states_of_partition).sum()
}

// Handing the units of a check to all threads.

/// The threads of a verification.
pub(crate) struct Workers<'a, O> {
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) observer: &'a O,
    pub(crate) cancel: &'a AtomicBool,
}

impl<'a, O: VerifyObserver> Workers<'a, O> {
    /// Starts threads: as many as asked for, or one for each core.
    pub(crate) fn start(
        threads: Option<usize>,
        observer: &'a O,
        cancel: &'a AtomicBool,
    ) -> Result<Workers<'a, O>, VerifyError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(setrograde_ordered::threads(threads))
            .build()?;
        Ok(Workers {
            pool,
            observer,
            cancel,
        })
    }

    /// Does `work` on the items `0..count`, all threads together, each with a
    /// state of its own; `work` returns the part of the check that the item was.
    /// Returns the processor time.
    ///
    /// # Errors
    ///
    /// That of the lowest item with an error, whichever thread is first, so
    /// that a wrong database always gets the same answer.
    pub(crate) fn each<S>(
        &self,
        count: usize,
        state: impl Fn() -> S + Sync + Send,
        work: impl Fn(&mut S, usize) -> Result<Portion, VerifyError> + Sync + Send,
    ) -> Result<Duration, VerifyError> {
        let sum = AtomicU64::new(0);
        let failed = self.pool.install(|| {
            (0..count)
                .into_par_iter()
                // Items differ a thousandfold in size: none should wait for
                // the one before it.
                .with_max_len(1)
                .map_init(state, |state, item| {
                    self.check_cancel()?;
                    let start = ThreadTime::now();
                    let done = work(state, item)?;
                    let nanoseconds = start.elapsed().as_nanos() as u64;
                    sum.fetch_add(nanoseconds, Ordering::Relaxed);
                    self.observer.advanced(done);
                    Ok(())
                })
                .find_map_first(Result::err)
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(Duration::from_nanos(sum.into_inner())),
        }
    }

    /// Checks whether the caller has cancelled.
    ///
    /// # Errors
    ///
    /// [`VerifyError::Cancelled`] once the caller has cancelled.
    pub(crate) fn check_cancel(&self) -> Result<(), VerifyError> {
        if self.cancel.load(Ordering::Relaxed) {
            Err(VerifyError::Cancelled)
        } else {
            Ok(())
        }
    }
}
