//! Progress callbacks of a build.

use std::fmt::Display;
use std::path::Path;
use std::time::Duration;

use setrograde_lookup::format::manifest::LevelRecord;

/// A part of a level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Portion {
    /// Its partitions.
    pub partitions: u64,
    /// Its sets.
    pub sets: u64,
    /// Its predicted cost in look-ups, from which its share of the time is estimated. Costs of
    /// partitions differ by a factor of a thousand.
    pub cost: u64,
}

impl std::ops::AddAssign for Portion {
    fn add_assign(&mut self, other: Portion) {
        self.partitions += other.partitions;
        self.sets = self.sets.saturating_add(other.sets);
        self.cost += other.cost;
    }
}

/// Progress callbacks of a build. All methods may do nothing.
pub trait BuildObserver: Sync {
    /// A level exists and is sound.
    fn kept(&self, _record: &LevelRecord) {}
    /// A level of this number of cards exists but cannot be kept. This number of its shards is
    /// built again; all if `shards` is `None`.
    fn unsound(&self, _cards: usize, _shards: Option<usize>, _why: &dyn Display) {}
    /// The map of a sound level is missing or damaged, and is made again.
    fn mapping(&self, _cards: usize, _why: &dyn Display) {}
    /// The manifest was missing or damaged, and was restored from the levels.
    fn recovered(&self, _manifest: &Path, _why: &dyn Display) {}
    /// A journal of finished shards is damaged. `damage` describes the loss; the lost shards are
    /// built again.
    fn damaged(&self, _journal: &Path, _damage: &dyn Display) {}
    /// Work on a level, or on a chunk of it, begins; `all` is its size. The number of its sets is
    /// not known yet.
    fn begun(&self, _cards: usize, _all: Portion) {}
    /// This part of it was finished before.
    fn resumed(&self, _part: Portion) {}
    /// Another part of the current level is finished.
    fn advanced(&self, _part: Portion) {}
    /// This number of shards of the level being sealed has been read back and mapped.
    fn sealing(&self, _shards: usize, _of: usize) {}
    /// A level is sealed. `sealing` is the wall-clock time since the last finished shard.
    fn finished(&self, _record: &LevelRecord, _sealing: Duration) {}
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl BuildObserver for Silent {}
