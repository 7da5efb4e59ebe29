//! A compressed level, and how it is unpacked into a map.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Cursor, Seek, Write};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

use setrograde_endgame::diagram::{NODE_BYTES, NodePacker};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::states::states_of_partition;
use setrograde_parallel::{cores, in_order};

use super::level::Level;
use super::map_writer::{MapWriter, PackedDiagram, require, reserved};
use super::shard::{Shard, ShardDiagrams, check_bytes};
use crate::bytes::{Bytes, open_regular};
use crate::error::Error;
use crate::format::level_header::{self, COARSE, DEEPEST, Entry, HEADER_BYTES, Header};
use crate::format::manifest::{Details, LevelRecord, Manifest, level_path};

/// A compressed level, `level-NN.sdb`, with a checked header and index. Its shards are read and
/// checked on demand. Threads may share it.
#[derive(Debug)]
pub struct LevelFile {
    path: PathBuf,
    source: LevelSource,
    length: u64,
    header: Header,
    entries: Vec<Entry>,
    /// The checksum of header and index.
    checksum: u64,
    partitions: PartitionIndex,
}

#[derive(Debug)]
enum LevelSource {
    File(File),
    Bytes(Bytes),
}

impl LevelFile {
    /// Opens a level's file and checks its header and index.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another version, or is damaged.
    pub fn open(path: &Path) -> Result<LevelFile, Error> {
        let (file, length) = open_regular(path)?;
        LevelFile::new(path, LevelSource::File(file), length)
    }

    /// Opens the file of a level of the database in a directory, which must be the one that the
    /// manifest's record names.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); [`Error::Damaged`] if it is another file.
    pub fn open_recorded(directory: &Path, record: &LevelRecord) -> Result<LevelFile, Error> {
        let path = &level_path(directory, record.level as usize);
        let level = LevelFile::open(path).map_err(|error| match error {
            Error::Io { path, source, .. } if source.kind() == io::ErrorKind::NotFound => {
                let cards = 4 * record.level as usize;
                Error::MissingLevel { path, cards }
            }
            error => error,
        })?;
        if level.header.level != record.level {
            let problem = format!(
                "it holds {} cards, not {}",
                4 * level.header.level,
                4 * record.level
            );
            return Err(Error::damaged(path, "header", problem));
        }
        if !level.is_recorded(record) {
            let problem = "it is not the file that the manifest names";
            return Err(Error::damaged(path, "header and index", problem));
        }
        Ok(level)
    }

    /// Reads a level from the bytes of its file. Errors name it `name`.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn from_bytes(name: &Path, bytes: Bytes) -> Result<LevelFile, Error> {
        let length = bytes.len() as u64;
        LevelFile::new(name, LevelSource::Bytes(bytes), length)
    }

    fn new(path: &Path, source: LevelSource, length: u64) -> Result<LevelFile, Error> {
        let unsound = |error| Error::header(path, level_header::VERSION, error);
        let start = source.bytes(path, 0, HEADER_BYTES.min(length as usize))?;
        let head = level_header::head_length(&start, length).map_err(unsound)?;
        drop(start);
        let head = source.bytes(path, 0, head)?;
        let (header, entries, checksum) =
            level_header::read_head(&head, length).map_err(unsound)?;
        drop(head);
        let bytes = PartitionIndex::bytes(header.level as usize);
        require(bytes).map_err(Error::io(path, "open"))?;
        Ok(LevelFile {
            path: path.to_owned(),
            source,
            length,
            // The header was checked to have this number of partitions.
            partitions: PartitionIndex::new(header.level as usize),
            header,
            entries,
            checksum,
        })
    }

    /// Cards in each hand.
    pub fn level(&self) -> usize {
        self.header.level as usize
    }

    /// Returns true if this is the file that a manifest's record names.
    pub fn is_recorded(&self, record: &LevelRecord) -> bool {
        (self.header.level, self.checksum, self.length)
            == (record.level, record.checksum, record.bytes)
    }

    /// Returns the record of the level as far as its file determines it. The program is empty; the
    /// work and the size of the largest diagram are 0.
    pub fn record(&self) -> LevelRecord {
        let (method, details) = match self.header.payload {
            level_header::TREES => ("setrograde", Details::None),
            level_header::COARSE => {
                let grain = self.header.grain.in_trillionths();
                ("coarse", Details::Coarse { grain })
            }
            _ => ("refine", Details::None),
        };
        LevelRecord {
            level: self.header.level,
            method: method.to_owned(),
            program: String::new(),
            partitions: self.header.partitions,
            states: self.partitions.iter().map(states_of_partition).sum(),
            sets: self.header.sets,
            nodes: self.header.nodes,
            largest: 0,
            bytes: self.length,
            cpu_milliseconds: 0,
            checksum: self.checksum,
            content: self.header.content,
            proofs: 0,
            lookups: 0,
            details,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.length
    }

    /// The header of the file.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns true if the level is coarse: its diagrams have intervals.
    pub fn is_coarse(&self) -> bool {
        self.header.payload == COARSE
    }

    /// The checksum of header and index, which covers those of all shards.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Returns the number of nodes in the file. Nodes shared within a shard count once.
    pub fn written_nodes(&self) -> u64 {
        let nodes = self.entries.iter().map(|entry| u64::from(entry.nodes));
        nodes.sum()
    }

    /// Returns the number of nodes of a shard. Shared nodes count once.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn shard_nodes(&self, shard: usize) -> u64 {
        self.entries[shard].nodes.into()
    }

    /// The numbering of the level's partitions.
    pub fn partitions(&self) -> &PartitionIndex {
        &self.partitions
    }

    /// The number of shards.
    pub fn shard_count(&self) -> usize {
        self.entries.len()
    }

    /// The numbers of the partitions in a shard, below
    /// [`shard_count`](Self::shard_count).
    pub fn shard_partitions(&self, shard: usize) -> Range<usize> {
        let size = self.header.shard_partitions as usize;
        let first = shard * size;
        first..self.partitions.len().min(first + size)
    }

    /// The partitions in a shard.
    pub fn partitions_of(&self, shard: usize) -> impl Iterator<Item = Partition> {
        let numbers = self.shard_partitions(shard);
        let partitions = self.partitions.iter_from(numbers.start);
        partitions.take(numbers.len())
    }

    /// Reads a shard as it is stored, and compares its checksum, in a hundredth of the time of
    /// decoding it.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if the checksum does not match.
    ///
    /// # Panics
    ///
    /// If there is no such shard.
    pub fn shard(&self, number: usize) -> Result<Shard<'_>, Error> {
        let entry = &self.entries[number];
        let length = entry.bytes() as usize;
        let shard = Shard {
            level: self,
            number,
            entry,
            bytes: self.source.bytes(&self.path, entry.offset, length)?,
        };
        match check_bytes(entry, &shard.bytes) {
            Ok(()) => Ok(shard),
            Err(damage) => Err(shard.damaged(damage)),
        }
    }

    /// Returns the size of the mapped level in bytes, or slightly more.
    pub fn map_bytes(&self) -> u64 {
        let nodes = (self.header.nodes as f64 * NODE_BYTES) as u64;
        // The index and the heads of the blocks, and the checksums of diagrams.
        let heads = 9 * self.header.partitions;
        heads + nodes + (1 << 16)
    }

    /// Opens the mapped level: the map in the same directory if it was made from this file, or else
    /// this file unpacked into memory.
    ///
    /// # Errors
    ///
    /// As [`in_memory`](Self::in_memory).
    pub fn mapped(&self) -> Result<Level, Error> {
        let directory = self.path.parent().unwrap_or(Path::new(""));
        Level::open(directory, self.level(), self.checksum).or_else(|_| self.in_memory())
    }

    /// Unpacks the level into memory.
    ///
    /// # Errors
    ///
    /// [`Error::Damaged`] if a shard is damaged; [`Error::Io`] if there is not enough memory.
    pub fn in_memory(&self) -> Result<Level, Error> {
        let bytes = reserved(self.map_bytes()).map_err(Error::io(&self.path, "unpack"))?;
        let read = |shard| self.shard(shard)?.diagrams();
        let unpacked = unpack(self, Cursor::new(bytes), cores(), None, read, |_| true);
        let unpacked = unpacked.map_err(|error| match error {
            UnpackError::Read(error) => error,
            UnpackError::Write(source) => Error::io(&self.path, "unpack")(source),
            UnpackError::Cancelled => unreachable!("nobody cancels it"),
        })?;
        Level::new(&self.path, unpacked.into_inner().into())
    }
}

impl Manifest {
    /// Reads the manifest of the database in `directory`. A missing manifest is made from the
    /// existing levels.
    ///
    /// # Errors
    ///
    /// [`Error::NoDatabase`] if there is neither a manifest nor a level, and whatever is wrong
    /// with the manifest.
    pub fn read(directory: &Path) -> Result<Manifest, Error> {
        let no_database = match Manifest::read_file(directory) {
            Err(error @ Error::NoDatabase { .. }) => error,
            read => return read,
        };
        let manifest = Manifest::of_levels(directory)?;
        if manifest.levels.is_empty() {
            Err(no_database)
        } else {
            Ok(manifest)
        }
    }

    /// Makes a manifest from the headers of the compressed levels in a directory; those whose
    /// header or index is damaged are left out. Its [records](LevelFile::record) lack what only a
    /// manifest has.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if a level cannot be read.
    pub fn of_levels(directory: &Path) -> Result<Manifest, Error> {
        let mut manifest = Manifest::default();
        for level in 1..=DEEPEST as usize {
            match LevelFile::open(&level_path(directory, level)) {
                Ok(file) if file.level() == level => manifest.insert(file.record()),
                Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
                Err(error @ Error::Io { .. }) => return Err(error),
                _ => {}
            }
        }
        Ok(manifest)
    }
}

impl LevelSource {
    /// Reads bytes within the length of the file that its header gives.
    fn bytes(&self, path: &Path, start: u64, length: usize) -> Result<Cow<'_, [u8]>, Error> {
        let cut = || Error::damaged(path, "file", "it was cut short while it was open");
        match self {
            LevelSource::Bytes(bytes) => {
                let start = start as usize;
                let part = start
                    .checked_add(length)
                    .and_then(|end| bytes.get(start..end));
                part.map(Cow::Borrowed).ok_or_else(cut)
            }
            LevelSource::File(file) => {
                let mut bytes = zeros(length).map_err(Error::io(path, "read"))?;
                read_at(file, &mut bytes, start).map_err(|error| match error.kind() {
                    std::io::ErrorKind::UnexpectedEof => cut(),
                    _ => Error::io(path, "read")(error),
                })?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

fn zeros(length: usize) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length)?;
    bytes.resize(length, 0);
    Ok(bytes)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(windows)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> std::io::Result<()> {
    let mut read = 0;
    while read < bytes.len() {
        let at = start + read as u64;
        match std::os::windows::fs::FileExt::seek_read(file, &mut bytes[read..], at)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            more => read += more,
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// A level that was not unpacked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnpackError<E> {
    /// A shard could not be read.
    #[error(transparent)]
    Read(E),
    /// The mapped level could not be written.
    #[error("cannot write the mapped level")]
    Write(#[source] io::Error),
    /// The caller ended it.
    #[error("cancelled")]
    Cancelled,
}

impl<E> From<io::Error> for UnpackError<E> {
    /// The error of a [`MapWriter`].
    fn from(error: io::Error) -> UnpackError<E> {
        match error.kind() {
            io::ErrorKind::Interrupted => UnpackError::Cancelled,
            _ => UnpackError::Write(error),
        }
    }
}

/// Unpacks a compressed level into `out`, from its start, by this number of threads, and returns
/// `out`. Temporary files are in `directory`; `None` keeps everything in memory. `read` reads the
/// shards, as [`Shard::diagrams`] does. `progress` receives the number of finished shards; if it
/// returns false, the work ends with [`UnpackError::Cancelled`].
///
/// # Errors
///
/// The errors of `read` (the first shard's, if several fail), among them [`Error::Damaged`] if a
/// diagram has too many nodes; [`UnpackError::Write`] if `out` or a temporary file cannot be
/// written.
pub fn unpack<W: Write + Seek, E: From<Error> + Send>(
    level: &LevelFile,
    out: W,
    threads: usize,
    directory: Option<&Path>,
    read: impl Fn(usize) -> Result<ShardDiagrams, E> + Sync,
    mut progress: impl FnMut(usize) -> bool,
) -> Result<W, UnpackError<E>> {
    let (source, bytes) = (level.checksum(), level.map_bytes());
    let is_coarse = level.is_coarse();
    let writer = MapWriter::new(level.partitions(), source, bytes, directory, is_coarse)?;
    let pack = |packer: &mut NodePacker, shard: usize| -> Result<(), UnpackError<E>> {
        let diagrams = read(shard).map_err(UnpackError::Read)?;
        let all = 0..diagrams.count();
        let packed = all.map(|at| PackedDiagram::new(diagrams.diagram(at), packer));
        let packed: Vec<PackedDiagram> = packed.collect::<Result<_, _>>().map_err(|cause| {
            let part = format!("shard {shard}");
            UnpackError::Read(Error::damaged(level.path(), part, cause).into())
        })?;
        Ok(writer.push(level.partitions_of(shard).zip(packed))?)
    };
    let mut done = 0;
    let shards = 0..level.shard_count();
    let packed = in_order(shards, threads, NodePacker::new, pack, |packed| {
        match packed {
            Some(Ok(())) if progress(done) => done += 1,
            Some(Ok(())) => return ControlFlow::Break(UnpackError::Cancelled),
            Some(Err(error)) => return ControlFlow::Break(error),
            None => {}
        }
        ControlFlow::Continue(())
    });
    if let ControlFlow::Break(error) = packed {
        return Err(error);
    }
    Ok(writer.finish(out, || progress(done))?)
}
