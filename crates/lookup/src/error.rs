//! Errors: damage to a database, and questions without an answer.

use std::path::{Path, PathBuf};

use setrograde_endgame::ending::EndingError;

use crate::format::level_header::HeaderError;

/// Maximum number of sets that [`Located::sets`](crate::Located::sets) lists.
pub(crate) const MOST_SETS: u64 = 1 << 24;

/// A database that cannot be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system reported an error.
    #[error("{}: cannot {action}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The action that failed, as in "read".
        action: &'static str,
        /// The reason of the failure.
        source: std::io::Error,
    },
    /// A directory without a manifest and without levels.
    #[error("{}: no database here (there is neither a manifest nor a level)", path.display())]
    NoDatabase {
        /// The directory.
        path: PathBuf,
    },
    /// A file that is damaged or was never complete.
    #[error("{}: damaged: {part}: {cause}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part of the file, as in "shard 12, bytes 4711..4790".
        part: String,
        /// The damage, in words.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file of another version of the format.
    #[error("{}: format version {found}, and this program reads version {expected}{}", path.display(), remedy(path))]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// A level that the manifest names has no file.
    #[error("{}: the level of {cards} cards is missing", path.display())]
    MissingLevel {
        /// The file that should be there.
        path: PathBuf,
        /// Its cards, four times the level.
        cards: usize,
    },
    /// A level has no map.
    #[error("there is no {}", path.display())]
    NoMap {
        /// The file that should be there.
        path: PathBuf,
    },
    /// A map was made from another compressed level.
    #[error("{} belongs to another level", path.display())]
    OtherLevel {
        /// Its file.
        path: PathBuf,
    },
    /// The partition of an ending has too many sets to list.
    #[error("its partition has {sets} sets, and {MOST_SETS} can be listed")]
    TooManySets {
        /// The number of its sets.
        sets: u64,
    },
}

/// Returns the advice for a file of another version. `setrograde db unpack` makes a new map, as a
/// [`Note`](crate::Note) says.
fn remedy(path: &Path) -> &'static str {
    if path.extension().is_some_and(|extension| extension == "map") {
        ""
    } else {
        "; rebuild the database, or use the program that wrote it"
    }
}

impl Error {
    /// Returns the error and its cause in one line.
    pub(crate) fn in_one_line(&self) -> String {
        match std::error::Error::source(self) {
            Some(source) => format!("{self}: {source}"),
            None => self.to_string(),
        }
    }

    /// Wraps the system's error of an action, as in "read", on a file or directory.
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io {
            path,
            action,
            source,
        }
    }

    /// Returns the error of a damaged header; `expected` is the version of the format.
    pub(crate) fn header(path: &Path, expected: u32, error: HeaderError) -> Error {
        match error {
            HeaderError::Version(found) => Error::Version {
                path: path.to_owned(),
                found,
                expected,
            },
            error => Error::damaged(path, "header", error),
        }
    }

    /// Returns the error of damage to a part of a file.
    pub(crate) fn damaged(
        path: &Path,
        part: impl Into<String>,
        cause: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Error {
        Error::Damaged {
            path: path.to_owned(),
            part: part.into(),
            cause: cause.into(),
        }
    }
}

/// A question about a position that has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The position is not an ending.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// The database has no level with this number of cards.
    #[error("the ending has {cards} cards; this database holds {}", held(.levels))]
    LevelNotHeld {
        /// Cards in the ending.
        cards: usize,
        /// The levels of the database, in cards.
        levels: Vec<usize>,
    },
    /// The database turned out to be damaged.
    #[error(transparent)]
    Database(#[from] Error),
}

fn held(levels: &[usize]) -> String {
    match levels {
        [] => "no level".to_owned(),
        levels => {
            let levels: Vec<String> = levels.iter().map(usize::to_string).collect();
            format!("endings of {} cards", levels.join(", "))
        }
    }
}
