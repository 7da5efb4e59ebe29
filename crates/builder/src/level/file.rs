//! Writing a level's file: whole or not at all.

use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use setrograde_lookup::layout::{self, Entry, Header};
use tempfile::{NamedTempFile, TempPath};

use crate::error::BuildError;
use crate::shard::PackedShard;
use crate::shard::counts::ShardCounts;

/// Temporary files begin so; a build that was killed leaves them behind, and
/// the next one removes them.
pub(crate) const TEMPORARY_PREFIX: &str = ".setrograde-";

/// A level's file while its shards come in.
pub(crate) struct LevelFile {
    path: PathBuf,
    temporary: TempPath,
    file: BufWriter<File>,
    header: Header,
    entries: Vec<Entry>,
    offset: u64,
    contents: Vec<u64>,
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

impl LevelFile {
    /// Starts the file of a level beside its final place. The header's counts
    /// and content are filled in at the end.
    pub(crate) fn create(path: PathBuf, header: Header) -> Result<LevelFile, BuildError> {
        let (file, temporary) = temporary_beside(&path)?.into_parts();
        let offset = (layout::HEADER_BYTES + layout::ENTRY_BYTES * header.shards as usize) as u64;
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
            contents: Vec::with_capacity(header.shards as usize),
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
        self.contents.push(shard.content);
        self.total.add(&shard.counts);
        Ok(())
    }

    /// Writes header and index, makes everything durable and puts the file in
    /// its place.
    pub(crate) fn seal(mut self) -> Result<SealedLevel, BuildError> {
        let header = Header {
            nodes: self.total.nodes,
            sets: self.total.sets,
            content: layout::level_content(self.contents),
            ..self.header
        };
        let (head, checksum) = layout::head_bytes(&header, &self.entries);
        let io = |action| BuildError::io(&self.path, action);
        self.file.seek(SeekFrom::Start(0)).map_err(io("write"))?;
        self.file.write_all(&head).map_err(io("write"))?;
        let file = self
            .file
            .into_inner()
            .map_err(|error| io("write")(error.into_error()))?;
        file.sync_all().map_err(io("write"))?;
        put_in_place(self.temporary, &self.path)?;
        Ok(SealedLevel {
            header,
            bytes: self.offset,
            checksum,
            total: self.total,
        })
    }
}

/// Writes a small file whole or not at all.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let (mut file, temporary) = temporary_beside(path)?.into_parts();
    file.write_all(bytes)
        .map_err(BuildError::io(path, "write"))?;
    file.sync_all().map_err(BuildError::io(path, "write"))?;
    put_in_place(temporary, path)
}

fn temporary_beside(path: &Path) -> Result<NamedTempFile, BuildError> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        // As any newly written file: readable to others where umask allows it.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
        .tempfile_in(directory)
        .map_err(BuildError::io(directory, "create a file in"))
}

fn put_in_place(temporary: TempPath, path: &Path) -> Result<(), BuildError> {
    temporary
        .persist(path)
        .map_err(|error| BuildError::io(path, "put in place")(error.error))?;
    // The rename itself must survive a power cut too. Not every system can
    // open a directory for that; where it cannot, nothing is lost but time.
    if let Some(directory) = path.parent()
        && let Ok(directory) = File::open(directory)
    {
        let _ = directory.sync_all();
    }
    Ok(())
}
