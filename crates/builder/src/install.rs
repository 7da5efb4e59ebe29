//! A level that was built elsewhere, put into a database.

use std::path::{Path, PathBuf};

use setrograde_lookup::LevelFile;
use setrograde_lookup::format::manifest::{LevelRecord, level_path};
use setrograde_ordered::threads;

use crate::build::{compare_checksums, pool_of};
use crate::directory::Directory;
use crate::error::BuildError;
use crate::files::Disk;
use crate::level::file::write_map;
use crate::observer::Silent;

/// A level at rest that was built elsewhere, and its record.
#[derive(Debug, Clone)]
pub struct Install {
    /// The database's directory; it is made if it is not there.
    pub directory: PathBuf,
    /// The level's file, on the disk of the directory; it is moved there.
    pub file: PathBuf,
    /// Its record, as a manifest has it.
    pub record: LevelRecord,
    /// Worker threads, at most [`MOST_THREADS`](crate::MOST_THREADS); `None` for one for each
    /// core.
    pub threads: Option<usize>,
}

impl Install {
    /// Returns true if the database has this very level, and its file is there.
    #[must_use]
    pub fn is_there(directory: &Path, record: &LevelRecord) -> bool {
        let path = level_path(directory, record.level as usize);
        LevelFile::open_recorded(&path, record).is_ok()
    }

    /// Compares the checksum of every shard with what the file says, and the file with its
    /// record, moves it into its place, enters it into the manifest, and puts it to work.
    ///
    /// # Errors
    ///
    /// If it is damaged or not the file of the record, which leaves all as it was; or a file
    /// cannot be written, or another build is running.
    pub fn run(&self) -> Result<(), BuildError> {
        let threads = threads(self.threads);
        let number = self.record.level as usize;
        let directory = Directory {
            path: &self.directory,
            files: &Disk,
        };
        let _lock = directory.lock_alone()?;
        let mut manifest = directory.manifest(&Silent)?;
        directory.check_replaceable(number)?;
        let level = LevelFile::open_recorded(&self.file, &self.record)?;
        compare_checksums(&level, &pool_of(threads)?)?;
        drop(level);
        let path = level_path(&self.directory, number);
        directory.move_into_place(&self.file, &path)?;
        manifest.insert(self.record.clone());
        directory.write_manifest(&manifest)?;
        write_map(&Disk, &LevelFile::open(&path)?, threads, |_| true)
    }
}
