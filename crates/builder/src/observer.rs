//! Who hears how a build goes.

use std::fmt::Display;
use std::time::Duration;

use setrograde_lookup::format::manifest::LevelRecord;

/// Hears how a build goes. All methods may do nothing.
pub trait BuildObserver: Sync {
    /// A level is there and sound, and is kept.
    fn kept(&self, _record: &LevelRecord) {}
    /// Something is there but cannot be kept, and is built again: the manifest,
    /// a level, as in "16 cards", or a journal of finished shards.
    fn unsound(&self, _what: &str, _why: &dyn Display) {}
    /// A level, or a chunk of it, is begun.
    fn begun(&self, _cards: usize, _partitions: usize) {}
    /// So many of these partitions were finished before.
    fn resumed(&self, _partitions: usize) {}
    /// So many more partitions of the current level are done.
    fn advanced(&self, _partitions: usize, _sets: u64) {}
    /// A level is finished and in place. Putting it together from its shards
    /// took so long on the clock; only that does not gain from more threads.
    fn finished(&self, _record: &LevelRecord, _together: Duration) {}
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl BuildObserver for Silent {}
