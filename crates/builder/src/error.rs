//! Why a build stops.

use std::path::{Path, PathBuf};

use setrograde_endgame::diagram::TooManyNodes;

/// A build that did not finish. What was finished before stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The operating system refused something.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried, as in "create".
        action: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// Another process builds in the same directory.
    #[error("{}: another build is at work there; wait for it, or choose another directory", path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// A level asked for is out of range.
    #[error("cannot build endings of {cards} cards: choose a multiple of 4 from 4 to {most}")]
    Cards {
        /// What was asked for.
        cards: usize,
        /// The most that this version builds.
        most: usize,
    },
    /// A level below turned out to be damaged.
    #[error(transparent)]
    Database(#[from] setrograde_lookup::Error),
    /// A partition's diagram grew beyond what a reference can name.
    #[error("partition {partition} of {cards} cards: {source}")]
    Diagram {
        /// The partition's number.
        partition: usize,
        /// Its cards.
        cards: usize,
        /// What went wrong.
        source: TooManyNodes,
    },
    /// The pool of threads could not be made.
    #[error("cannot start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The caller asked to stop.
    #[error("interrupted; finished levels are kept, and the same command goes on from there")]
    Interrupted,
}

impl BuildError {
    pub(crate) fn io(
        path: &Path,
        action: &'static str,
    ) -> impl FnOnce(std::io::Error) -> BuildError {
        let path = path.to_owned();
        move |source| BuildError::Io {
            path,
            action,
            source,
        }
    }
}
