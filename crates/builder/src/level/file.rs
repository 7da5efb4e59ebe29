//! Writing a level's file atomically.

use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use setrograde_lookup::format::level_header::Header;
use setrograde_lookup::format::manifest::{map_path, map_paths, new_map_path};
use setrograde_lookup::{
    Error, Level, LevelFile as StoredFile, LevelWriter, ShardDiagrams, ShardFacts, Unpacking,
    unpack,
};
use setrograde_parallel::cores;

use crate::counts::ShardCounts;
use crate::directory::Lock;
use crate::error::BuildError;
use crate::files::{Files, WritableFile, is_ours, is_taken, is_unused};
use crate::shard::PackedShard;

/// The prefix of temporary files. A killed build leaves them behind, and the next one removes them.
pub(crate) const TEMPORARY_PREFIX: &str = ".setrograde-";

/// A level's file while its shards are being written.
pub(crate) struct LevelOutput<'a> {
    path: PathBuf,
    temporary: Temporary<'a>,
    writer: LevelWriter<BufWriter<Box<dyn WritableFile>>>,
    header: Header,
    facts: Vec<ShardFacts>,
    total: ShardCounts,
}

/// A level's file under its final name.
pub(crate) struct SealedLevel<'a> {
    pub(crate) header: Header,
    pub(crate) bytes: u64,
    pub(crate) checksum: u64,
    pub(crate) total: ShardCounts,
    /// Its map, which gets its name after the manifest is written.
    pub(crate) map: WholeMap<'a>,
}

/// A complete and durable map under a temporary name.
pub(crate) struct WholeMap<'a> {
    temporary: Temporary<'a>,
    database: PathBuf,
    level: usize,
}

impl WholeMap<'_> {
    pub(crate) fn put_in_use(self) -> Result<(), BuildError> {
        self.temporary.put_in_use(&self.database, self.level)
    }
}

impl<'a> LevelOutput<'a> {
    /// Starts the file of a level under a temporary name. The header's counts and content are
    /// filled in at the end.
    pub(crate) fn create(
        files: &'a dyn Files,
        path: PathBuf,
        header: Header,
    ) -> Result<LevelOutput<'a>, BuildError> {
        let (temporary, file) = Temporary::beside(files, &path)?;
        let writer = LevelWriter::new(BufWriter::new(file), header.shards as usize)
            .map_err(BuildError::io(&path, "write"))?;
        Ok(LevelOutput {
            path,
            temporary,
            writer,
            header,
            facts: Vec::with_capacity(header.shards as usize),
            total: ShardCounts::default(),
        })
    }

    /// Appends the next shard.
    pub(crate) fn append(&mut self, shard: &PackedShard) -> Result<(), BuildError> {
        self.writer
            .push(&shard.streams, shard.entry(), shard.content)
            .map_err(BuildError::io(&self.path, "write"))?;
        self.facts.push(ShardFacts {
            sets: shard.counts.sets,
            nodes: shard.counts.nodes,
            largest: shard.counts.largest,
            content: shard.content,
        });
        self.total += shard.counts;
        Ok(())
    }

    /// Writes header and index, makes everything durable, reads it back, which also makes the map,
    /// and renames the file to its final name. `journal_of` returns the journal of a shard;
    /// `progress` receives the number of shards read back.
    ///
    /// # Errors
    ///
    /// [`BuildError::Shard`] if a shard differs from its journal, which no build has then written.
    /// The file does not get its final name.
    pub(crate) fn seal(
        self,
        threads: usize,
        journal_of: impl Fn(usize) -> PathBuf + Sync,
        progress: impl Fn(usize),
    ) -> Result<SealedLevel<'a>, BuildError> {
        let header = Header {
            nodes: self.total.nodes,
            sets: self.total.sets,
            content: self.writer.content(),
            ..self.header
        };
        let bytes = self.writer.bytes();
        let io = || BuildError::io(&self.path, "write");
        let (file, checksum) = self.writer.finish(&header).map_err(io())?;
        let mut file = file
            .into_inner()
            .map_err(|error| io()(error.into_error()))?;
        file.sync().map_err(io())?;
        let level = StoredFile::open(&self.temporary.path)?;
        let wrong = |shard, source| BuildError::Shard {
            path: journal_of(shard),
            shard,
            source,
        };
        let read = |shard| match level.survey_shard(shard) {
            Ok((found, diagrams)) if found == self.facts[shard] => Ok(diagrams),
            Ok(_) => Err(wrong(shard, None)),
            // An error of the disk, not of a journal.
            Err(error @ Error::Io { .. }) => Err(error.into()),
            Err(error) => Err(wrong(shard, Some(error))),
        };
        let database = self.path.parent().unwrap_or(Path::new(""));
        let files = self.temporary.files;
        let map = unpacked(files, &level, database, threads, read, |shards| {
            progress(shards);
            true
        })?;
        self.temporary.put_in_place(&self.path)?;
        Ok(SealedLevel {
            header,
            bytes,
            checksum,
            total: self.total,
            map,
        })
    }
}

/// Returns the reason why a level needs a new map: it has none, or some of the map is damaged. All
/// of the map is read.
///
/// # Errors
///
/// If the map cannot be read, which is not damage.
pub(crate) fn map_fault(
    database: &Path,
    level: usize,
    source: u64,
) -> Result<Option<Error>, BuildError> {
    match Level::newest(database, level, source).and_then(|map| map.check()) {
        Ok(()) => Ok(None),
        Err(error @ Error::Io { .. }) => Err(error.into()),
        Err(fault) => Ok(Some(fault)),
    }
}

/// Unpacks a compressed level into a map in the same directory, atomically. `progress` is that of
/// [`unpack`].
pub(crate) fn write_map(
    files: &dyn Files,
    level: &StoredFile,
    threads: usize,
    progress: impl FnMut(usize) -> bool,
) -> Result<(), BuildError> {
    let read = |shard| Ok(level.read_diagrams(shard)?);
    let database = level.path().parent().unwrap_or(Path::new(""));
    unpacked(files, level, database, threads, read, progress)?.put_in_use()
}

/// Makes the map of a level. `read` and `progress` are those of [`unpack`].
fn unpacked<'a>(
    files: &'a dyn Files,
    level: &StoredFile,
    database: &Path,
    threads: usize,
    read: impl Fn(usize) -> Result<ShardDiagrams, BuildError> + Sync,
    progress: impl FnMut(usize) -> bool,
) -> Result<WholeMap<'a>, BuildError> {
    let path = map_path(database, level.level());
    let (temporary, file) = Temporary::beside(files, &path)?;
    let unpacking = Unpacking {
        threads: threads.min(cores()),
        directory: Some(database).filter(|directory| *directory != Path::new("")),
    };
    let io = || BuildError::io(&path, "write");
    let unpacked = unpack(level, file, unpacking, read, progress);
    let mut file = unpacked.map_err(|error| match error {
        // An error of the new file; that of an unreadable level names the level.
        BuildError::Database(Error::Io {
            source,
            action: "unpack",
            ..
        }) if source.kind() == ErrorKind::Interrupted => BuildError::Cancelled,
        BuildError::Database(Error::Io {
            source,
            action: "unpack",
            ..
        }) => io()(source),
        error => error,
    })?;
    file.sync().map_err(io())?;
    drop(file);
    Ok(WholeMap {
        temporary,
        database: database.to_owned(),
        level: level.level(),
    })
}

/// Removes maps that a newer one supersedes, if no program has them open and this project wrote
/// them. Gives the newest map its usual name once that is free.
pub(crate) fn remove_superseded(files: &dyn Files, database: &Path, level: usize) {
    if map_paths(database, level) == [map_path(database, level)] {
        return;
    }
    if let Some(lock) = lock_names(files, database) {
        remove_superseded_locked(files, database, level, &lock);
    }
}

/// Like [`remove_superseded`], under a lock: of two concurrent processes, one could remove the file
/// that the other has just given the usual name.
fn remove_superseded_locked(files: &dyn Files, database: &Path, level: usize, _: &Lock) {
    let mut paths = map_paths(database, level).into_iter();
    let Some(newest) = paths.next() else { return };
    // The next call retries what cannot be removed or renamed now.
    let mut removed_all = true;
    for path in paths {
        let may_go = is_ours(&path).unwrap_or(false) && is_unused(&path);
        removed_all &= may_go && files.remove_file(&path).is_ok();
    }
    let usual = map_path(database, level);
    if removed_all && newest != usual {
        let _ = files.rename_new(&newest, &usual);
    }
}

/// Takes the lock on the names of maps, which is held until it is dropped; `None` if it is not free
/// within some seconds. Processes hold it only for a few file operations.
fn lock_names(files: &dyn Files, database: &Path) -> Option<Lock> {
    let lock = files.open_or_create(&database.join("maps.lock")).ok()?;
    for _ in 0..500 {
        if !is_taken(lock.try_lock()) {
            return Some(lock);
        }
        thread::sleep(Duration::from_millis(10));
    }
    None
}

/// Writes a small file atomically.
pub(crate) fn write_whole(files: &dyn Files, path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let (temporary, mut file) = Temporary::beside(files, path)?;
    file.write_all(bytes)
        .map_err(BuildError::io(path, "write"))?;
    file.sync().map_err(BuildError::io(path, "write"))?;
    temporary.put_in_place(path)
}

/// A temporary file, which is removed unless it gets its final name.
pub(crate) struct Temporary<'a> {
    files: &'a dyn Files,
    path: PathBuf,
    is_placed: bool,
}

impl<'a> Temporary<'a> {
    pub(crate) fn beside(
        files: &'a dyn Files,
        path: &Path,
    ) -> Result<(Temporary<'a>, Box<dyn WritableFile>), BuildError> {
        let directory = path.parent().unwrap_or(Path::new("."));
        let create = || {
            let (file, name) = tempfile::Builder::new()
                .prefix(TEMPORARY_PREFIX)
                .make_in(directory, |path| files.create_new(path))?
                .into_parts();
            let temporary = Temporary {
                files,
                path: name.keep()?,
                is_placed: false,
            };
            Ok((temporary, file))
        };
        create().map_err(BuildError::io(directory, "create a file in"))
    }

    /// Renames a map to an unused name, so no program finds another file under the name of its map.
    /// Removes the maps that it supersedes.
    pub(crate) fn put_in_use(mut self, database: &Path, level: usize) -> Result<(), BuildError> {
        let is_first = map_paths(database, level).is_empty();
        let lock = match is_first {
            true => None,
            false => lock_names(self.files, database),
        };
        loop {
            let path = new_map_path(database, level);
            match self.files.rename_new(&self.path, &path) {
                // Another process has chosen the name at the same moment.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                placed => placed.map_err(BuildError::io(&path, "move into place"))?,
            }
            self.is_placed = true;
            self.sync_directory(&path)?;
            if let Some(lock) = &lock {
                remove_superseded_locked(self.files, database, level, lock);
            }
            return Ok(());
        }
    }

    pub(crate) fn put_in_place(mut self, path: &Path) -> Result<(), BuildError> {
        self.files
            .rename(&self.path, path)
            .map_err(BuildError::io(path, "move into place"))?;
        self.is_placed = true;
        self.sync_directory(path)
    }

    /// Makes the rename durable.
    fn sync_directory(&self, path: &Path) -> Result<(), BuildError> {
        let directory = path.parent().unwrap_or(Path::new("."));
        self.files
            .sync_directory(directory)
            .map_err(BuildError::io(directory, "write"))
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            // The next build removes it if this fails.
            let _ = self.files.remove_file(&self.path);
        }
    }
}
