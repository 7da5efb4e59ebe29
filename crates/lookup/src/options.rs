//! How a database is opened.

use crate::store::Access;

/// How a database is opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// How its files are read.
    pub access: Access,
    /// The most bytes that its unpacked shards may take, all levels together;
    /// `None`, the default, for as many as there are. What does not fit is
    /// forgotten and unpacked again when it is next asked: answers stay the same,
    /// and take longer. Three things come on top: shards that a question holds at
    /// that moment, tables of 8 to 60 bytes a shard, and the pages of mapped files
    /// that were read, which [`Access::Read`] does without.
    pub memory: Option<u64>,
}

impl From<Access> for Options {
    fn from(access: Access) -> Options {
        Options {
            access,
            memory: None,
        }
    }
}
