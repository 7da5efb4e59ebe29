//! Progress callbacks of a build.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use setrograde_lookup::format::manifest::LevelRecord;

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
    /// Work on a level, or on a chunk of it, begins; it has `partitions`
    /// partitions.
    fn begun(&self, _cards: usize, _partitions: usize) {}
    /// `partitions` of them were finished before.
    fn resumed(&self, _partitions: usize) {}
    /// `partitions` more of the current level are done; they hold `sets` sets.
    fn advanced(&self, _partitions: usize, _sets: u64) {}
    /// A level is sealed and in place. `sealing` is the time on the clock from
    /// the last finished shard on: it gains little from more threads.
    fn finished(&self, _record: &LevelRecord, _sealing: Duration) {}
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl BuildObserver for Silent {}
