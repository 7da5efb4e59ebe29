//! Writing a level's file: whole or not at all.

use std::io::{BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use setrograde_lookup::format::level_header::{self, Entry, Header};
use setrograde_lookup::{Error, LevelFile as StoredFile, ShardFacts, unpack};

use crate::error::BuildError;
use crate::files::{Files, WritableFile};
use crate::shard::{PackedShard, ShardCounts};

/// Temporary files begin so; a build that was killed leaves them behind, and
/// the next one removes them.
pub(crate) const TEMPORARY_PREFIX: &str = ".setrograde-";

/// A level's file while its shards come in.
pub(crate) struct LevelFile<'a> {
    path: PathBuf,
    temporary: Temporary<'a>,
    file: BufWriter<Box<dyn WritableFile>>,
    header: Header,
    entries: Vec<Entry>,
    offset: u64,
    facts: Vec<ShardFacts>,
    total: ShardCounts,
}

/// A level's file that is in place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SealedLevel {
    pub(crate) header: Header,
    pub(crate) bytes: u64,
    pub(crate) checksum: u64,
    pub(crate) total: ShardCounts,
}

impl<'a> LevelFile<'a> {
    /// Starts the file of a level beside its final place. The header's counts
    /// and content are filled in at the end.
    pub(crate) fn create(
        files: &'a dyn Files,
        path: PathBuf,
        header: Header,
    ) -> Result<LevelFile<'a>, BuildError> {
        let (temporary, file) = Temporary::beside(files, &path)?;
        let offset = (level_header::HEADER_BYTES
            + level_header::ENTRY_BYTES * header.shards as usize) as u64;
        let mut file = BufWriter::new(file);
        file.seek(SeekFrom::Start(offset))
            .map_err(BuildError::io(&path, "write"))?;
        Ok(LevelFile {
            path,
            temporary,
            file,
            header,
            entries: Vec::with_capacity(header.shards as usize),
            offset,
            facts: Vec::with_capacity(header.shards as usize),
            total: ShardCounts::default(),
        })
    }

    /// Appends the next shard.
    pub(crate) fn append(&mut self, shard: &PackedShard) -> Result<(), BuildError> {
        for part in &shard.streams {
            self.file
                .write_all(part)
                .map_err(BuildError::io(&self.path, "write"))?;
        }
        let entry = Entry {
            offset: self.offset,
            checksum: shard.checksum(),
            stored: shard.streams.each_ref().map(|stream| stream.len() as u32),
            plain: shard.plain.map(|length| length as u32),
            nodes: shard.counts.written as u32,
        };
        self.offset += entry.bytes();
        self.entries.push(entry);
        self.facts.push(ShardFacts {
            sets: shard.counts.sets,
            nodes: shard.counts.nodes,
            largest: shard.counts.largest,
            content: shard.content,
        });
        self.total.add(&shard.counts);
        Ok(())
    }

    /// Writes header and index, makes everything durable, reads it back, and
    /// puts the file in its place. `journal_of` names the journal that a shard
    /// came from.
    ///
    /// # Errors
    ///
    /// [`BuildError::Shard`] if a shard does not hold what its journal says:
    /// no build has written it. The file is not put in its place then.
    pub(crate) fn seal(
        mut self,
        pool: &rayon::ThreadPool,
        journal_of: impl Fn(usize) -> PathBuf,
    ) -> Result<SealedLevel, BuildError> {
        let header = Header {
            nodes: self.total.nodes,
            sets: self.total.sets,
            content: level_header::level_content(self.facts.iter().map(|facts| facts.content)),
            ..self.header
        };
        let (head, checksum) = level_header::head_bytes(&header, &self.entries);
        let io = |action| BuildError::io(&self.path, action);
        self.file.seek(SeekFrom::Start(0)).map_err(io("write"))?;
        self.file.write_all(&head).map_err(io("write"))?;
        let mut file = self
            .file
            .into_inner()
            .map_err(|error| io("write")(error.into_error()))?;
        file.sync().map_err(io("write"))?;
        check(&self.temporary.path, &self.facts, pool, journal_of)?;
        self.temporary.put_in_place(&self.path)?;
        Ok(SealedLevel {
            header,
            bytes: self.offset,
            checksum,
            total: self.total,
        })
    }
}

/// Reads every shard of a new level, and compares it with what its journal says
/// of it. Of several wrong ones the first is named.
fn check(
    path: &Path,
    facts: &[ShardFacts],
    pool: &rayon::ThreadPool,
    journal_of: impl Fn(usize) -> PathBuf,
) -> Result<(), BuildError> {
    let level = StoredFile::open(path)?;
    let wrong = pool.install(|| {
        (0..level.shard_count())
            .into_par_iter()
            .find_map_first(|shard| match level.check_shard(shard) {
                Ok(found) if found == facts[shard] => None,
                Ok(_) => Some((shard, None)),
                Err(error) => Some((shard, Some(error))),
            })
    });
    match wrong {
        None => Ok(()),
        // The disk, and nobody's fault.
        Some((_, Some(error @ Error::Io { .. }))) => Err(error.into()),
        Some((shard, source)) => Err(BuildError::Shard {
            path: journal_of(shard),
            shard,
            source,
        }),
    }
}

/// Unpacks a level into its form at work beside it, whole or not at all. `progress` as
/// in [`unpack`].
pub(crate) fn write_map(
    files: &dyn Files,
    level: &StoredFile,
    threads: usize,
    progress: impl FnMut(usize) -> bool,
) -> Result<(), BuildError> {
    let path = level.path().with_extension("map");
    let io = || BuildError::io(&path, "write");
    let (temporary, file) = Temporary::beside(files, &path)?;
    let written = unpack(
        level,
        BufWriter::with_capacity(1 << 20, file),
        threads,
        progress,
    );
    let written = written.map_err(|error| match error {
        Error::Io { source, .. } if source.kind() == ErrorKind::Interrupted => {
            BuildError::Cancelled
        }
        // Of the new file; a level that cannot be read says so itself.
        Error::Io {
            source,
            action: "unpack",
            ..
        } => io()(source),
        error => error.into(),
    })?;
    let mut file = written
        .into_inner()
        .map_err(|error| io()(error.into_error()))?;
    file.sync().map_err(io())?;
    temporary.put_in_place(&path)
}

/// Writes a small file whole or not at all.
pub(crate) fn write_whole(files: &dyn Files, path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let (temporary, mut file) = Temporary::beside(files, path)?;
    file.write_all(bytes)
        .map_err(BuildError::io(path, "write"))?;
    file.sync().map_err(BuildError::io(path, "write"))?;
    temporary.put_in_place(path)
}

/// The name of a file that is not in its place yet; removed if it never gets
/// there.
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

    pub(crate) fn put_in_place(mut self, path: &Path) -> Result<(), BuildError> {
        self.files
            .rename(&self.path, path)
            .map_err(BuildError::io(path, "put in place"))?;
        self.is_placed = true;
        // The rename itself must survive a power cut too.
        let directory = path.parent().unwrap_or(Path::new("."));
        self.files
            .sync_directory(directory)
            .map_err(BuildError::io(directory, "write"))
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            // What stays all the same, the next build removes.
            let _ = self.files.remove_file(&self.path);
        }
    }
}
