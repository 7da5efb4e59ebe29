//! Building a database: whole, or a chunk of a level at a time.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use setrograde_lookup::format::manifest::{LevelRecord, Manifest};

use crate::error::BuildError;
use crate::files::Disk;
use crate::method::Method;
use crate::observer::BuildObserver;
use crate::plan::chunk::Chunk;
use crate::session::Session;
use crate::shard::counts::Work;

/// What to build and where.
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
    /// The name and version of the program, for the manifest.
    pub program: String,
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
            program: concat!("setrograde-builder ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    /// Builds all levels up to `cards` that are not there yet, and returns the
    /// database's manifest.
    ///
    /// What others have finished of a level, or an earlier run that was killed,
    /// is used. The bytes of the levels depend on neither, nor on the number of
    /// threads. Setting `cancel` from another thread ends the build soon.
    ///
    /// # Errors
    ///
    /// See [`BuildError`]; [`BuildError::Cancelled`] if it was cancelled. What
    /// was finished before stays, and so does every file that no build has
    /// written.
    pub fn run(
        &self,
        observer: &impl BuildObserver,
        cancel: &AtomicBool,
    ) -> Result<Manifest, BuildError> {
        Session::new(self, &Disk, observer)?.run(cancel)
    }

    /// Builds one chunk of the level of `cards`, whose level below must be
    /// there. Many processes may do so at once, on many machines that share
    /// the directory. What is finished of the chunk is not done again. Returns
    /// `None` if the whole level is in place already.
    ///
    /// # Errors
    ///
    /// [`BuildError::NoLevelBelow`] if the level below is missing, and others
    /// as in [`run`](Self::run).
    pub fn run_chunk(
        &self,
        chunk: Chunk,
        observer: &impl BuildObserver,
        cancel: &AtomicBool,
    ) -> Result<Option<FinishedChunk>, BuildError> {
        Session::new(self, &Disk, observer)?.run_chunk(chunk, cancel)
    }

    /// Makes the level of `cards` from its finished chunks, which must be all
    /// there, however the level was cut; and reads it once whole.
    ///
    /// # Errors
    ///
    /// [`BuildError::Unfinished`] names the chunks that are missing; others as
    /// in [`run`](Self::run).
    pub fn seal(&self, observer: &impl BuildObserver) -> Result<LevelRecord, BuildError> {
        Session::new(self, &Disk, observer)?.seal()
    }
}
