//! Errors of a build.

use std::path::{Path, PathBuf};

use setrograde_endgame::diagram::TooManyNodes;
use setrograde_lookup::Error;

use crate::method::Method;
use crate::plan::Chunk;

/// A build that did not finish. Finished work is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A foreign file has the name of a file to write.
    #[error("{}: {why}; move it away, or choose {choose}", path.display())]
    NotOurs {
        /// The file. It is left as it is.
        path: PathBuf,
        /// The difference, as in "it is not a manifest".
        why: String,
        /// The other way out, as in "another directory".
        choose: &'static str,
    },
    /// A directory holds other files, and no database.
    #[error("{}: there are files here, but no database; choose an empty or a new directory", path.display())]
    NoDatabaseHere {
        /// The directory. It is left as it is.
        path: PathBuf,
    },
    /// The file to resume is not a journal, or was written with another recipe.
    #[error("{}: {why}; left unchanged; resume with the program and method that started it, or move it away to start over", path.display())]
    Journal {
        /// The file. It is left as it is.
        path: PathBuf,
        /// The difference.
        why: &'static str,
    },
    /// A journal holds a shard that no build has written.
    #[error("{}: shard {shard} was not written by a build; remove this file, and its shards are built again", path.display())]
    Shard {
        /// The journal.
        path: PathBuf,
        /// The shard.
        shard: usize,
        /// The damage, if it cannot be read.
        source: Option<Error>,
    },
    /// Files of finished chunks that cannot be sealed.
    #[error(
        "{}; build these chunks again, or leave the files out; nothing was sealed",
        first_of(faults, "; ")
    )]
    ChunkFiles {
        /// Each file with its fault.
        faults: Vec<String>,
    },
    /// Another process builds in the same directory.
    #[error("{}: another build is running there; wait for it, or choose another directory", path.display())]
    Busy {
        /// The directory.
        path: PathBuf,
    },
    /// The requested level is out of range.
    #[error("cannot build endings of {cards} cards: choose a multiple of 4 from 4 to {most}")]
    Cards {
        /// The number asked for.
        cards: usize,
        /// Maximum that this version builds.
        most: usize,
    },
    /// The operating system reported an error, or a file of the database is damaged.
    #[error(transparent)]
    Database(#[from] Error),
    /// A partition's diagram has more nodes than a reference can address.
    #[error("partition {partition} of {cards} cards cannot be built")]
    Diagram {
        /// The partition's number.
        partition: usize,
        /// Its cards.
        cards: usize,
        /// The reason.
        source: TooManyNodes,
    },
    /// More chunks than a level has shards, or none.
    #[error("cannot cut {cards} cards into {chunks} chunks: choose 1 to {most}")]
    Chunks {
        /// The level's cards.
        cards: usize,
        /// The number asked for.
        chunks: u32,
        /// The level's shards.
        most: usize,
    },
    /// An exact level is requested, and the existing level is coarse.
    #[error(
        "the level of {cards} cards is coarse; name the first coarse level, as in --coarse-from {cards}, or build again with --force"
    )]
    Coarse {
        /// The cards of the level.
        cards: usize,
    },
    /// A chunk needs the level below, which does not exist.
    #[error("{}: the level of {cards} cards is missing; build it first", path.display())]
    NoLevelBelow {
        /// The database's directory.
        path: PathBuf,
        /// The cards of the level that is missing.
        cards: usize,
    },
    /// Not all shards of a level are finished.
    #[error(
        "{}: {cards} cards: {shards} shards are not finished; missing chunks: {}",
        path.display(),
        list(chunks)
    )]
    Unfinished {
        /// The database's directory.
        path: PathBuf,
        /// The level's cards.
        cards: usize,
        /// The method that builds it.
        method: Method,
        /// The number of missing shards.
        shards: usize,
        /// The chunks that they belong to.
        chunks: Vec<Chunk>,
        /// True if files of other chunks were named.
        from_files: bool,
    },
    /// The build needs more memory than it may use.
    #[error(
        "{cards} cards need {} MiB of memory, but only {} MiB {}",
        needed.div_ceil(1 << 20),
        allowed >> 20,
        if *free { "are free" } else { "may be used" },
    )]
    Memory {
        /// The level's cards.
        cards: usize,
        /// Bytes that it needs.
        needed: u64,
        /// Bytes that it may have.
        allowed: u64,
        /// True if that is the free memory, rather than the caller's limit.
        free: bool,
    },
    /// The disk does not have enough space to seal a level.
    #[error(
        "{}: sealing {cards} cards takes {} MB there, and only {} MB are free",
        path.display(),
        needed.div_ceil(1_000_000),
        free / 1_000_000
    )]
    Space {
        /// The database's directory.
        path: PathBuf,
        /// The level's cards.
        cards: usize,
        /// Bytes that the level and its map take.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The threads could not be started.
    #[error("cannot start the threads")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// The caller cancelled it.
    #[error("cancelled; finished work is kept")]
    Cancelled,
}

/// A result of the system.
pub(crate) trait AtPath<T> {
    /// Adds the file and the action to its error.
    fn at(self, path: &Path, action: &'static str) -> Result<T, BuildError>;
}

impl<T> AtPath<T> for std::io::Result<T> {
    fn at(self, path: &Path, action: &'static str) -> Result<T, BuildError> {
        self.map_err(BuildError::io(path, action))
    }
}

impl BuildError {
    pub(crate) fn io(
        path: &Path,
        action: &'static str,
    ) -> impl FnOnce(std::io::Error) -> BuildError {
        let path = path.to_owned();
        move |source| {
            let error = Error::Io {
                path,
                action,
                source,
            };
            error.into()
        }
    }
}

/// The first few chunks of a list.
fn list(chunks: &[Chunk]) -> String {
    let chunks: Vec<String> = chunks.iter().map(Chunk::to_string).collect();
    first_of(&chunks, ", ")
}

/// The first few of several texts.
fn first_of(texts: &[String], between: &str) -> String {
    const SHOWN: usize = 10;
    let mut shown = texts[..texts.len().min(SHOWN)].join(between);
    if texts.len() > SHOWN {
        shown.push_str(&format!("{between}… ({} in all)", texts.len()));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_missing_chunks_ten_are_named() {
        let text = |chunks: u32| {
            let chunks = (1..=chunks).filter_map(|number| Chunk::new(number, 20));
            let error = BuildError::Unfinished {
                path: "db".into(),
                cards: 12,
                method: Method::Refine,
                shards: 30,
                chunks: chunks.collect(),
                from_files: false,
            };
            error.to_string()
        };
        let ten = "db: 12 cards: 30 shards are not finished; missing chunks: \
                   1/20, 2/20, 3/20, 4/20, 5/20, 6/20, 7/20, 8/20, 9/20, 10/20";
        assert_eq!(text(10), ten);
        assert_eq!(text(12), format!("{ten}, … (12 in all)"));
    }

    #[test]
    fn memory_is_given_in_mebibytes_and_no_need_is_rounded_down() {
        for (free, how) in [(true, "are free"), (false, "may be used")] {
            let error = BuildError::Memory {
                cards: 8,
                needed: (5 << 20) + 1,
                allowed: (5 << 20) - 1,
                free,
            };
            let expected = format!("8 cards need 6 MiB of memory, but only 4 MiB {how}");
            assert_eq!(error.to_string(), expected);
        }
    }
}
