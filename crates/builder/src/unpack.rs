//! Unpacking a database: its mapped levels, from the compressed ones.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use setrograde_lookup::format::manifest::Manifest;
use setrograde_lookup::{Level, LevelFile};
use setrograde_parallel::{Stop, threads};

use crate::directory::Directory;
use crate::error::BuildError;
use crate::files::Disk;
use crate::level::file::{map_fault, remove_superseded, write_map};

/// The levels to unpack.
#[derive(Debug, Clone)]
pub struct Unpack {
    /// The database's directory.
    pub directory: PathBuf,
    /// Worker threads, at most [`MOST_THREADS`](crate::MOST_THREADS); `None` for one
    /// for each core.
    pub threads: Option<usize>,
    /// True to make existing sound maps again.
    pub force: bool,
}

/// A mapped level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackedLevel {
    /// The level, in cards of all hands together.
    pub cards: usize,
    /// Its file.
    pub path: PathBuf,
    /// Bytes of the file.
    pub bytes: u64,
    /// The time taken; `None` if the map existed.
    pub took: Option<Duration>,
}

impl Unpack {
    /// Makes the missing, stale or damaged mapped levels of a database. Reads existing ones
    /// completely.
    /// `progress` receives the cards of a level, its finished shards, and all its
    /// shards.
    ///
    /// Many processes may do so at once, and while a build is running.
    ///
    /// # Errors
    ///
    /// If there is no database, a compressed level is damaged, or a file cannot be written;
    /// [`BuildError::Cancelled`] if `stop` was due. Existing maps stay.
    pub fn run(
        &self,
        mut progress: impl FnMut(usize, usize, usize),
        stop: &Stop,
    ) -> Result<Vec<UnpackedLevel>, BuildError> {
        let threads = threads(self.threads);
        let path = &self.directory;
        let manifest = Manifest::read(path)?;
        let directory = Directory { path, files: &Disk };
        let _lock = directory.lock_to_unpack()?;
        let mut levels = Vec::new();
        for record in &manifest.levels {
            let level = record.level as usize;
            let file = LevelFile::open_recorded(path, record)?;
            let begun = Instant::now();
            let kept = !self.force && map_fault(path, level, record.checksum)?.is_none();
            if kept {
                remove_superseded(&Disk, path, level, record.checksum);
            } else {
                let shards = file.shard_count();
                write_map(&Disk, &file, threads, |done| {
                    progress(4 * level, done, shards);
                    !stop.is_due()
                })?;
            }
            let opened = Level::open(path, level, record.checksum)?;
            levels.push(UnpackedLevel {
                cards: 4 * level,
                path: opened.path().to_owned(),
                bytes: opened.header().bytes(),
                took: (!kept).then(|| begun.elapsed()),
            });
        }
        Ok(levels)
    }
}
