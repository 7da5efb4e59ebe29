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
    /// Its predicted cost, in look-ups: what its share of the time is reckoned by.
    /// Partitions differ a thousandfold in cost.
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
    /// A level is there already and sound.
    fn kept(&self, _record: &LevelRecord) {}
    /// A level of so many cards is there but cannot be kept. So many of its shards are built
    /// again; all if `shards` is `None`.
    fn unsound(&self, _cards: usize, _shards: Option<usize>, _why: &dyn Display) {}
    /// The manifest is missing or damaged, and was made again from the levels.
    fn recovered(&self, _manifest: &Path, _why: &dyn Display) {}
    /// A journal of finished shards is damaged. `damage` says how much of it is
    /// lost; the lost shards are built again.
    fn damaged(&self, _journal: &Path, _damage: &dyn Display) {}
    /// Work on a level, or on a chunk of it, begins; `all` is what it has. Its
    /// sets are not known yet.
    fn begun(&self, _cards: usize, _all: Portion) {}
    /// This part of it was finished before.
    fn resumed(&self, _part: Portion) {}
    /// This part more of the current level is finished.
    fn advanced(&self, _part: Portion) {}
    /// So many of the shards of a level that is being sealed were read back and mapped.
    fn sealing(&self, _shards: usize, _of: usize) {}
    /// A level is sealed and in place. `sealing` is the time on the clock from
    /// the last finished shard on: it gains little from more threads.
    fn finished(&self, _record: &LevelRecord, _sealing: Duration) {}
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl BuildObserver for Silent {}
