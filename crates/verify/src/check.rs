//! The checks of a level, and their reports.

use std::fmt;
use std::time::Duration;

use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::Level;

/// Maximum number of cards for [`Check::Exhaustive`]: 33.9 million endings. Four more cards would
/// be 11.5 thousand million.
pub(crate) const EXHAUSTIVE_CARDS: usize = 12;

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
pub struct LevelSample {
    /// The share of its partitions that is drawn at random, from 0 to 1.
    pub share: f64,
    /// At least this many further partitions, in whole shards: those with the most nodes.
    pub largest: usize,
}

/// A check that found nothing wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckReport {
    /// Cards of the level, in all hands together.
    pub cards: usize,
    /// The check.
    pub check: Check,
    /// Number of units that it went through, see [`Check::unit`].
    pub units: u64,
    /// Number of units of the level; more than `units` where a [`LevelSample`] was proved.
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
pub struct CheckPortion {
    /// Number of units, see [`Check::unit`].
    pub units: u64,
    /// About what share of the time they take: nodes of diagrams, or endings.
    pub cost: u64,
}

/// Progress callbacks of a verification. All methods may do nothing.
pub trait VerifyObserver: Sync {
    /// A check of the level of `cards` cards begins; `all` is what it has.
    fn begun(&self, _cards: usize, _check: Check, _all: CheckPortion) {}
    /// This part more of the current check is done.
    fn advanced(&self, _part: CheckPortion) {}
    /// The current check is done, and has found nothing wrong.
    fn finished(&self, _report: &CheckReport) {}
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct SilentCheck;

impl VerifyObserver for SilentCheck {}

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
