//! Unpacking a database: its levels at work, from those at rest.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_map::Origin;
use setrograde_lookup::format::manifest::{Manifest, level_path};
use setrograde_lookup::{Level, LevelFile};
use setrograde_ordered::threads;

use crate::directory::Directory;
use crate::error::BuildError;
use crate::files::{Disk, Files};
use crate::level::file::{remove_superseded, write_map};
use crate::level::part::write_part;
use crate::plan::{DEEPEST, demand};
use crate::system_memory;

/// The levels to unpack.
#[derive(Debug, Clone)]
pub struct Unpack {
    /// The database's directory.
    pub directory: PathBuf,
    /// Worker threads, at most [`MOST_THREADS`](crate::MOST_THREADS); `None` for one
    /// for each core.
    pub threads: Option<usize>,
    /// Unpack again what is there and fits.
    pub force: bool,
    /// The most bytes of a level at work; `None` for half of the machine's memory, or no limit where
    /// that is not known. Of a level
    /// that has more, those shards are unpacked that searches ask for most for each byte, by
    /// [`demand`](crate::demand).
    pub most: Option<u64>,
}

/// A level at work.
#[derive(Debug, Clone, PartialEq)]
pub struct UnpackedLevel {
    /// The level, in cards of all hands together.
    pub cards: usize,
    /// Its file.
    pub path: PathBuf,
    /// Bytes of the file.
    pub bytes: u64,
    /// The partitions that it holds.
    pub held: usize,
    /// The partitions that the level has.
    pub partitions: usize,
    /// The share of the [`demand`](crate::demand) for its partitions that those have which it
    /// holds, from 0 to 1.
    pub demand_share: f64,
    /// The time that it took; `None` if it was there.
    pub took: Option<Duration>,
}

impl Unpack {
    /// Makes the levels at work of a database that are not there, or do not fit: from
    /// the level at rest, or, of the level that a build has not finished, from its
    /// journals. `progress` is told the cards of a level, its shards that are done, and
    /// all its shards.
    ///
    /// Many processes may do so at once, and while a build is running.
    ///
    /// # Errors
    ///
    /// If there is no database, a level at rest is damaged, or a file cannot be written;
    /// [`BuildError::Cancelled`] if `cancel` was set meanwhile. What was there stays.
    pub fn run(
        &self,
        progress: impl FnMut(usize, usize, usize),
        cancel: &AtomicBool,
    ) -> Result<Vec<UnpackedLevel>, BuildError> {
        self.run_with(&Disk, progress, cancel)
    }

    pub(crate) fn run_with(
        &self,
        files: &dyn Files,
        mut progress: impl FnMut(usize, usize, usize),
        cancel: &AtomicBool,
    ) -> Result<Vec<UnpackedLevel>, BuildError> {
        let threads = threads(self.threads);
        let path = &self.directory;
        let manifest = Manifest::read(path)?;
        let directory = Directory { path, files };
        let _lock = directory.lock_to_unpack()?;
        let most = self.most.or_else(|| Some(system_memory::all()? / 2));
        let most = most.unwrap_or(u64::MAX);
        let mut levels = Vec::new();
        let mut below = (0, 0);
        for record in &manifest.levels {
            let level = record.level as usize;
            below = (level, record.checksum);
            let file = LevelFile::open_recorded(&level_path(path, level), record)?;
            let source = Origin::Level(record.checksum);
            let begun = Instant::now();
            let wanted = (file.map_bytes() > most).then(|| most_asked(&file, most));
            let kept = !self.force
                && Level::newest(path, level, source).is_ok_and(|level| {
                    let fits = wanted.is_none() || level.header().bytes() <= most;
                    level.is_whole() == wanted.is_none() && fits
                });
            if kept {
                remove_superseded(files, path, level);
            } else {
                let shards = file.shard_count();
                write_map(files, &file, threads, wanted.as_deref(), |done| {
                    progress(4 * level, done, shards);
                    !cancel.load(Ordering::Relaxed)
                })?;
            }
            levels.push(UnpackedLevel {
                took: (!kept).then(|| begun.elapsed()),
                ..unpacked(path, level, source)?
            });
        }
        let (deepest, checksum) = below;
        if deepest < DEEPEST {
            let (level, begun) = (deepest + 1, Instant::now());
            if write_part(files, path, &PartitionIndex::new(level), checksum)? > 0 {
                levels.push(UnpackedLevel {
                    took: Some(begun.elapsed()),
                    ..unpacked(path, level, Origin::Journals(checksum))?
                });
            }
        }
        Ok(levels)
    }
}

/// The shards of a level that fit in `most` bytes at work: those that searches ask for most
/// for each byte.
fn most_asked(level: &LevelFile, most: u64) -> Vec<bool> {
    let partitions = level.partitions();
    let size = level.header().shard_partitions as usize;
    // The bytes of a shard's nodes at work, as far as their number tells.
    let (all, heads) = (level.map_bytes(), level.map_head_bytes());
    let per_node = (all - heads) as f64 / level.written_nodes().max(1) as f64;
    let mut shards: Vec<(f64, f64, usize)> = (0..level.shard_count())
        .map(|shard| (0.0, per_node * level.shard_nodes(shard) as f64 + 1.0, shard))
        .collect();
    for (number, partition) in partitions.iter().enumerate() {
        shards[number / size].0 += demand(partition);
    }
    shards.sort_by(|(a, a_bytes, _), (b, b_bytes, _)| (b / b_bytes).total_cmp(&(a / a_bytes)));
    let mut wanted = vec![false; shards.len()];
    let mut left = most as f64 - heads as f64;
    for (_, bytes, shard) in shards {
        left -= bytes;
        if left < 0.0 {
            break;
        }
        wanted[shard] = true;
    }
    wanted
}

/// The level at work in a file that was just written, or found.
fn unpacked(directory: &Path, level: usize, source: Origin) -> Result<UnpackedLevel, BuildError> {
    let opened = Level::newest(directory, level, source)?;
    Ok(UnpackedLevel {
        cards: 4 * level,
        path: opened.path().to_owned(),
        bytes: opened.header().bytes(),
        held: opened.held_partitions(),
        partitions: opened.partitions().len(),
        demand_share: demand_share(&opened),
        took: None,
    })
}

/// The share of the demand for a level's partitions that those have which it holds.
#[must_use]
pub fn demand_share(level: &Level) -> f64 {
    if level.is_whole() {
        return 1.0;
    }
    let (mut held, mut all) = (0.0, 0.0);
    for partition in level.partitions().iter() {
        let demand = demand(partition);
        all += demand;
        held += if level.holds(partition) { demand } else { 0.0 };
    }
    held / all
}
