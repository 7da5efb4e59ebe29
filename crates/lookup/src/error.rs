//! What can go wrong with a database, and what to do about it.

use std::path::{Path, PathBuf};

use setrograde_endgame::ending::EndingError;

/// A database that cannot be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused something.
    #[error("{}: cannot {action}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried, as in "read".
        action: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A directory without a manifest.
    #[error("{}: no database here (there is no manifest)", path.display())]
    NoDatabase {
        /// The directory.
        path: PathBuf,
    },
    /// A file that is damaged or was never whole.
    #[error("{}: damaged: {place}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in the file, as in "shard 12, bytes 4711..4790".
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// A file of another version of the format.
    #[error("{}: format version {found}, and this program reads version {expected}; rebuild the database, or use the program that wrote it", path.display())]
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
    /// A partition that an unfinished level does not have yet. Nothing is wrong.
    #[error("partition {number} of {cards} cards is not there: its level is unfinished")]
    PartitionNotHeld {
        /// The cards of the level.
        cards: usize,
        /// The number of the partition.
        number: usize,
    },
}

impl Error {
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io {
            path,
            action,
            source,
        }
    }

    pub(crate) fn damaged(
        path: &Path,
        place: impl Into<String>,
        problem: impl Into<String>,
    ) -> Error {
        Error::Damaged {
            path: path.to_owned(),
            place: place.into(),
            problem: problem.into(),
        }
    }
}

/// A question that has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The position is no ending.
    #[error(transparent)]
    Ending(#[from] EndingError),
    /// The database does not hold endings with this number of cards.
    #[error("the ending has {cards} cards; this database holds {}", held(.levels))]
    LevelNotHeld {
        /// Cards in the ending.
        cards: usize,
        /// The levels that the database holds, in cards.
        levels: Vec<usize>,
    },
    /// The database turned out to be damaged.
    #[error(transparent)]
    Database(#[from] Error),
}

impl ProbeError {
    /// Whether the answer is only not there: its level, or its partition, is not
    /// held. A search may go on without it.
    #[must_use]
    pub fn is_not_held(&self) -> bool {
        matches!(
            self,
            ProbeError::LevelNotHeld { .. } | ProbeError::Database(Error::PartitionNotHeld { .. })
        )
    }
}

/// An ending among many that has no value.
#[derive(Debug, thiserror::Error)]
#[error("ending {index} of the batch has no value")]
pub struct ValuesError {
    /// The ending's place in the batch, from 0.
    pub index: usize,
    /// Why it has none.
    pub source: ProbeError,
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
