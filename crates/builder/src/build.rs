//! The settings of a build.

use std::ops::Range;
use std::path::PathBuf;

use crate::method::Method;
use crate::plan::order::Order;
use crate::shard::counts::Work;

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
    /// Build levels anew even if they are there and sound, and from nothing
    /// that was finished of them.
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
