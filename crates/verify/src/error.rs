//! Errors in a database, with locations for a manual check.

use std::fmt;
use std::path::{Path, PathBuf};

use setrograde_endgame::partition::Partition;
use setrograde_lookup::{Error, ProbeError};

use crate::check::Check;

/// Something wrong with a database, or a verification that did not finish.
///
/// Endings are given as text that `setrograde query` understands. Those of a
/// set or a partition stand in canonical form: North leads, the suits are in
/// the partition's order, and spades are trump if any suit is.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// A file is damaged or cannot be read.
    #[error(transparent)]
    Database(#[from] Error),
    /// The database could not answer a question that it should have answered.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A level to verify, or a level that its proof needs, is missing.
    #[error("the database has no level of {cards} cards")]
    LevelNotHeld {
        /// Cards of the level.
        cards: usize,
    },
    /// A number in the manifest or a header is not what the file holds.
    #[error("{}: the {what} should be {right}, not {stored}", path.display())]
    Count {
        /// The file with the wrong number.
        path: PathBuf,
        /// The thing that the number counts.
        what: &'static str,
        /// The number there.
        stored: u128,
        /// The right one.
        right: u128,
    },
    /// A diagram does not fit its partition.
    #[error("{}: {partition}: after {known}, {problem}", path.display())]
    Cover {
        /// The level's file.
        path: PathBuf,
        /// The partition.
        partition: PartitionName,
        /// The way from the diagram's root: the owners, from the top, of the
        /// cards of each suit that it asks for.
        known: String,
        /// The problem.
        problem: &'static str,
    },
    /// A set holds an ending of another value.
    #[error(
        "{}: {partition}: the endings with {set} are said to be worth {stored}, \
         but this one is worth {right}: {ending}", path.display()
    )]
    WrongSet {
        /// The level's file.
        path: PathBuf,
        /// The partition.
        partition: PartitionName,
        /// The set: the owners of each suit's top cards, then its x's.
        set: String,
        /// An ending of the set.
        ending: String,
        /// The set's value in the file.
        stored: u8,
        /// The ending's value as it follows from the level below.
        right: u8,
    },
    /// An ending has another value.
    #[error(
        "{}: {partition}: {} says {stored} instead of {right} ({check} check)",
        path.display(), ending
    )]
    WrongValue {
        /// The level's file.
        path: PathBuf,
        /// The partition.
        partition: PartitionName,
        /// The ending.
        ending: String,
        /// Its value in the file.
        stored: u8,
        /// Its value by the check.
        right: u8,
        /// The check that found it.
        check: Check,
    },
    /// The caller cancelled it.
    #[error("the verification was cancelled; not everything is proved")]
    Cancelled,
}

impl From<Box<VerifyError>> for VerifyError {
    fn from(error: Box<VerifyError>) -> VerifyError {
        *error
    }
}

/// A partition with its number in its level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartitionName {
    /// The number, from 0.
    pub number: usize,
    /// The partition.
    pub partition: Partition,
}

/// As in `partition 77 (1-1-0-1 0-0-1-0 0-0-0-0 0-0-0-0, trump)`.
impl fmt::Display for PartitionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "partition {} ({})", self.number, self.partition)
    }
}

/// Checks a number in a file against the expected value.
pub(crate) fn same(
    path: &Path,
    what: &'static str,
    stored: impl Into<u128>,
    right: u128,
) -> Result<(), VerifyError> {
    let stored = stored.into();
    if stored == right {
        return Ok(());
    }
    Err(VerifyError::Count {
        path: path.to_owned(),
        what,
        stored,
        right,
    })
}
