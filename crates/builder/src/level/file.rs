//! Writing a level and its map atomically.

use std::fs;
use std::io::{BufWriter, IntoInnerError};
use std::path::{Path, PathBuf};

use setrograde_endgame::diagram::census::DiagramCounts;
use setrograde_lookup::format::level_header::Header;
use setrograde_lookup::format::manifest::{Manifest, map_path, map_paths};
use setrograde_lookup::{Error, Level, LevelFile, LevelWriter, ShardDiagrams, UnpackError, unpack};
use setrograde_parallel::cores;

use crate::counts::ShardCounts;
use crate::error::{AtPath, BuildError};
use crate::files::temporary::{Temporary, check_ours};
use crate::files::{Files, WritableFile, is_ours, is_unused};
use crate::shard::PackedShard;

/// The prefix of maps that were replaced while a program had them mapped.
const ASIDE_PREFIX: &str = ".setrograde-old-";

/// A level's file while its shards are being written.
pub(crate) struct NewLevel<'a> {
    path: PathBuf,
    temporary: Temporary<'a>,
    writer: LevelWriter<BufWriter<Box<dyn WritableFile>>>,
    header: Header,
    /// The counts of each shard, and the hash of its content.
    promised: Vec<(DiagramCounts, u64)>,
    total: ShardCounts,
}

/// A complete and durable map under a temporary name.
pub(crate) struct NewMap<'a> {
    temporary: Temporary<'a>,
    database: PathBuf,
    level: usize,
    source: u64,
}

impl NewMap<'_> {
    /// Gives the map its name. Programs that have a damaged map of that name mapped keep it under
    /// another name, so no file changes under a program. Removes the maps that this one supersedes.
    pub(crate) fn put_in_use(self) -> Result<(), BuildError> {
        let NewMap {
            temporary,
            database,
            level,
            source,
        } = self;
        let files = temporary.files;
        let path = map_path(&database, level, source);
        check_ours(&path, "it is not a mapped level")?;
        if !is_unused(&path) {
            let aside = tempfile::Builder::new()
                .prefix(ASIDE_PREFIX)
                .make_in(database_or_here(&database), |aside| {
                    files.set_aside(&path, aside)
                });
            let aside = aside.at(&path, "set aside")?;
            let kept = aside.into_temp_path().keep();
            kept.map_err(|error| error.error).at(&path, "set aside")?;
        }
        temporary.put_in_place(&path)?;
        remove_superseded(files, &database, level, source);
        Ok(())
    }
}

impl<'a> NewLevel<'a> {
    /// Starts the file of a level under a temporary name. The header's counts and content are
    /// filled in at the end.
    pub(crate) fn create(
        files: &'a dyn Files,
        path: PathBuf,
        header: Header,
    ) -> Result<NewLevel<'a>, BuildError> {
        let (temporary, file) = Temporary::beside(files, &path)?;
        let writer =
            LevelWriter::new(BufWriter::new(file), header.shards as usize).at(&path, "write")?;
        Ok(NewLevel {
            path,
            temporary,
            writer,
            header,
            promised: Vec::with_capacity(header.shards as usize),
            total: ShardCounts::default(),
        })
    }

    /// Appends the next shard.
    pub(crate) fn append(&mut self, shard: &PackedShard) -> Result<(), BuildError> {
        self.writer
            .push(&shard.streams, shard.entry(), shard.content)
            .at(&self.path, "write")?;
        self.promised.push((shard.counts.diagrams(), shard.content));
        self.total += shard.counts;
        Ok(())
    }

    /// Writes header and index, makes everything durable, reads it back, which also makes the map,
    /// and renames the file to its final name. Returns the file, as it was read back, the counts of
    /// all shards, and the map, which gets its name after the manifest is written. `journal_of`
    /// returns the journal of a shard; `progress` receives the number of shards read back.
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
    ) -> Result<(LevelFile, ShardCounts, NewMap<'a>), BuildError> {
        let header = Header {
            nodes: self.total.nodes,
            sets: self.total.sets,
            content: self.writer.content(),
            ..self.header
        };
        let (file, _) = self.writer.finish(&header).at(&self.path, "write")?;
        let file = file.into_inner().map_err(IntoInnerError::into_error);
        file.and_then(|mut file| file.sync())
            .at(&self.path, "write")?;
        let level = LevelFile::open(&self.temporary.path)?;
        let wrong = |shard, source| BuildError::Shard {
            path: journal_of(shard),
            shard,
            source,
        };
        let survey = |shard| level.shard(shard)?.survey();
        let read = |shard| match survey(shard) {
            Ok((diagrams, counts, content)) if (counts, content) == self.promised[shard] => {
                Ok(diagrams)
            }
            Ok(_) => Err(wrong(shard, None)),
            // An error of the disk, not of a journal.
            Err(error @ Error::Io { .. }) => Err(error.into()),
            Err(Error::Damaged { part, cause, .. }) => {
                let path = journal_of(shard);
                let error = Error::Damaged { path, part, cause };
                Err(wrong(shard, Some(error)))
            }
            Err(error) => Err(wrong(shard, Some(error))),
        };
        let database = self.path.parent().unwrap_or(Path::new(""));
        let files = self.temporary.files;
        let map = unpacked(files, &level, database, threads, read, |shards| {
            progress(shards);
            true
        })?;
        self.temporary.put_in_place(&self.path)?;
        Ok((level, self.total, map))
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
    match Level::open(database, level, source).and_then(|map| map.check()) {
        Ok(()) => Ok(None),
        Err(error @ Error::Io { .. }) => Err(error.into()),
        Err(fault) => Ok(Some(fault)),
    }
}

/// Unpacks a compressed level into a map in the same directory, atomically. `progress` is that of
/// [`unpack`].
pub(crate) fn write_map(
    files: &dyn Files,
    level: &LevelFile,
    threads: usize,
    progress: impl FnMut(usize) -> bool,
) -> Result<(), BuildError> {
    let read = |shard| Ok(level.shard(shard)?.diagrams()?);
    let database = level.path().parent().unwrap_or(Path::new(""));
    unpacked(files, level, database, threads, read, progress)?.put_in_use()
}

/// Makes the map of a level. `read` and `progress` are those of [`unpack`].
fn unpacked<'a>(
    files: &'a dyn Files,
    level: &LevelFile,
    database: &Path,
    threads: usize,
    read: impl Fn(usize) -> Result<ShardDiagrams, BuildError> + Sync,
    progress: impl FnMut(usize) -> bool,
) -> Result<NewMap<'a>, BuildError> {
    let path = map_path(database, level.level(), level.checksum());
    let (temporary, file) = Temporary::beside(files, &path)?;
    let threads = threads.min(cores());
    let directory = Some(database).filter(|directory| *directory != Path::new(""));
    let unpacked = unpack(level, file, threads, directory, read, progress);
    let mut file = unpacked.map_err(|error| match error {
        UnpackError::Read(error) => error,
        UnpackError::Write(source) => BuildError::io(&path, "write")(source),
        _ => BuildError::Cancelled,
    })?;
    file.sync().at(&path, "write")?;
    drop(file);
    Ok(NewMap {
        temporary,
        database: database.to_owned(),
        level: level.level(),
        source: level.checksum(),
    })
}

/// Removes the maps of a level that were not made from its compressed level, whose checksum is
/// `source`, and maps that were set aside, if no program has them open and this project wrote them.
pub(crate) fn remove_superseded(files: &dyn Files, database: &Path, level: usize, source: u64) {
    // Another process may have replaced the level in the meantime.
    let manifest = Manifest::read_file(database).unwrap_or_default();
    if manifest.level(level).map(|record| record.checksum) != Some(source) {
        return;
    }
    let own = map_path(database, level, source);
    let maps = map_paths(database, level).into_iter();
    let entries = fs::read_dir(database_or_here(database)).into_iter();
    let entries = entries.flatten().flatten();
    let aside = entries.filter(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with(ASIDE_PREFIX)
    });
    let superseded = maps.filter(|path| *path != own);
    for path in superseded.chain(aside.map(|entry| entry.path())) {
        if is_ours(&path).unwrap_or(false) && is_unused(&path) {
            // The next call retries what cannot be removed now.
            let _ = files.remove_file(&path);
        }
    }
}

/// Returns the directory of a database, or `.` if the path is empty.
fn database_or_here(database: &Path) -> &Path {
    if database == Path::new("") {
        Path::new(".")
    } else {
        database
    }
}
