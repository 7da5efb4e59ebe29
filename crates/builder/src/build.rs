//! The settings of a build.

use std::fmt::Display;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use setrograde_lookup::format::level_header::{DIAGRAMS, TREES};
use setrograde_lookup::format::manifest::LevelRecord;

use crate::error::BuildError;
use crate::plan::Order;
use crate::shard::Work;

/// A build: its level, directory and settings.
#[derive(Debug, Clone)]
pub struct Build {
    /// The database's directory; it is made if it is not there.
    pub directory: PathBuf,
    /// The deepest level, in cards of all hands together: 4, 8, 12, …
    pub cards: usize,
    /// The method for levels that must be built. Levels that are there and
    /// sound are kept, by any method.
    pub method: Method,
    /// Worker threads, at most [`MOST_THREADS`](crate::MOST_THREADS); `None`
    /// for one for each core.
    pub threads: Option<usize>,
    /// The most bytes of memory to use; `None` for what is free.
    pub memory: Option<u64>,
    /// Rebuild levels even if they exist and are sound, and discard what was
    /// finished of them.
    pub force: bool,
    /// In what order the shards of a level are built.
    pub order: Order,
    /// The name and version of the program, for the manifest.
    pub program: String,
}

/// Partitions of a level that were built alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BuiltPartitions {
    /// Their number, without those that were built before.
    pub partitions: usize,
    /// The work on them.
    pub work: Work,
}

/// A chunk of a level that is finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedChunk {
    /// The chunk's shards.
    pub shards: Range<usize>,
    /// The work on them, now and earlier.
    pub work: Work,
}

impl Build {
    /// A build by `refine`, with all cores and the memory that is free.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, cards: usize) -> Build {
        Build {
            directory: directory.into(),
            cards,
            method: Method::default(),
            threads: None,
            memory: None,
            force: false,
            order: Order::default(),
            program: concat!("setrograde-builder ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }
}

/// The method by which sets are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Top-down splitting into decision diagrams.
    #[default]
    Refine,
    /// The paper's method: independent endings, generalized to sets in shallow
    /// trees.
    Setrograde,
}

impl Method {
    /// The method's name, as manifests have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::Refine => "refine",
            Method::Setrograde => "setrograde",
        }
    }

    /// The kind of payload that the method's levels hold.
    pub(crate) fn payload(self) -> u32 {
        match self {
            Method::Refine => DIAGRAMS,
            Method::Setrograde => TREES,
        }
    }
}

/// The most worker threads that a build or an estimate starts.
pub const MOST_THREADS: usize = 1024;

/// The threads to use: as many as asked for, or one for each core.
///
/// # Errors
///
/// [`BuildError::TooManyThreads`] above [`MOST_THREADS`].
pub(crate) fn checked_threads(asked: Option<usize>) -> Result<usize, BuildError> {
    match asked {
        Some(threads) if threads > MOST_THREADS => Err(BuildError::TooManyThreads {
            threads,
            most: MOST_THREADS,
        }),
        Some(threads) => Ok(threads.max(1)),
        None => Ok(available_parallelism()
            .map_or(1, NonZero::get)
            .min(MOST_THREADS)),
    }
}

/// Starts a pool of threads.
pub(crate) fn pool_of(threads: usize) -> Result<ThreadPool, BuildError> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

// Progress callbacks of a build.

/// A part of a level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Portion {
    /// Its partitions.
    pub partitions: u64,
    /// Its sets.
    pub sets: u64,
    /// Its predicted cost, in look-ups: what its share of the time is reckoned by.
    /// Partitions differ a thousandfold in cost.
    pub cost: u64,
}

impl std::ops::AddAssign for Portion {
    fn add_assign(&mut self, other: Portion) {
        self.partitions += other.partitions;
        self.sets = self.sets.saturating_add(other.sets);
        self.cost += other.cost;
    }
}

/// Progress callbacks of a build. All methods may do nothing.
pub trait BuildObserver: Sync {
    /// A level is there already and sound.
    fn kept(&self, _record: &LevelRecord) {}
    /// Something exists but cannot be kept, and is built again: the manifest, or
    /// a level, as in "16 cards".
    fn unsound(&self, _what: &str, _why: &dyn Display) {}
    /// A journal of finished shards is damaged. `damage` says how much of it is
    /// lost; the lost shards are built again.
    fn damaged(&self, _journal: &Path, _damage: &dyn Display) {}
    /// Work on a level, or on a chunk of it, begins; `all` is what it has. Its
    /// sets are not known yet.
    fn begun(&self, _cards: usize, _all: Portion) {}
    /// This part of it was finished before.
    fn resumed(&self, _part: Portion) {}
    /// This part more of the current level is finished.
    fn advanced(&self, _part: Portion) {}
    /// A level is sealed and in place. `sealing` is the time on the clock from
    /// the last finished shard on: it gains little from more threads.
    fn finished(&self, _record: &LevelRecord, _sealing: Duration) {}
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl BuildObserver for Silent {}
