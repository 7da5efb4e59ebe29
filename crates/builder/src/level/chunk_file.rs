//! A finished chunk as one file, which carries it to the machine that seals the level.
//!
//! The file has a header, the records of all shards of the chunk in ascending order, and a last
//! record with the digest of the chunk. Records are those of a [journal](super::journal). Without their
//! times, the bytes depend on the recipe and the cut alone. `docs/format.md` draws the file.

use std::ffi::OsStr;
use std::fmt::Display;
use std::io::{self, BufWriter, ErrorKind, IntoInnerError, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use setrograde_lookup::format::level_header::{Entry, level_content};
use xxhash_rust::xxh3::Xxh3;

use crate::counts::ShardCounts;
use crate::error::{AtPath, BuildError};
use crate::files::temporary::Temporary;
use crate::files::{Files, beginning, is_blank, open_to_read, paths_in};
use crate::level::journal::bytes::{
    FileKind, NoRecord, RECORD_BYTES, ShardRecord, ShardRecords, record_bytes,
};
use crate::level::journal::{Contents, Recipe};
use crate::plan::{Chunk, chunk_shards};
use crate::shard::PackedShard;

/// The file of a chunk, whose header has the chunk's number and the number of chunks, too.
const CHUNK_FILE: FileKind = FileKind {
    magic: *b"setrogc\n",
    other: "it is not a chunk",
};
/// Bytes of its header.
const HEADER_BYTES: usize = FileKind::header_bytes(2);
/// In the last record, instead of the number of a shard.
const END: usize = usize::MAX;

/// A chunk file that is complete and sound.
#[derive(Debug)]
pub(crate) struct ChunkFile {
    pub(crate) path: PathBuf,
    pub(crate) chunk: Chunk,
    /// The digest of the chunk.
    pub(crate) digest: u64,
    pub(crate) contents: Contents,
}

/// The plan of a level: what the bytes of its shards depend on, and how they are cut into chunks.
pub(crate) struct LevelPlan {
    pub(crate) recipe: Recipe,
    /// The predicted cost of each shard of the level.
    pub(crate) costs: Vec<u64>,
}

impl LevelPlan {
    /// The shards of a chunk.
    pub(crate) fn shards(&self, chunk: Chunk) -> Result<Range<usize>, BuildError> {
        chunk_shards(4 * self.recipe.level as usize, &self.costs, chunk)
    }

    fn header(&self, chunk: Chunk) -> Vec<u8> {
        CHUNK_FILE.header(&self.recipe, &[chunk.number().into(), chunk.of().into()])
    }

    /// Writes the file of a chunk, fully or not at all, and returns the digest of the chunk.
    /// `shard` returns each of its shards.
    pub(crate) fn write(
        &self,
        files: &dyn Files,
        path: &Path,
        chunk: Chunk,
        mut shard: impl FnMut(usize) -> Result<PackedShard, BuildError>,
    ) -> Result<u64, BuildError> {
        let (temporary, file) = Temporary::beside(files, path)?;
        let mut file = BufWriter::new(file);
        let mut heads = Xxh3::new();
        let mut contents = Vec::new();
        let header = self.header(chunk);
        heads.update(&header);
        file.write_all(&header).at(path, "write")?;
        for number in self.shards(chunk)? {
            let mut packed = shard(number)?;
            packed.counts = packed.counts.for_file();
            let record = record_bytes(number, &packed);
            heads.update(&record[..RECORD_BYTES]);
            contents.push(packed.content);
            file.write_all(&record).at(path, "write")?;
        }
        let digest = level_content(contents);
        let end = end_record(digest, heads.digest());
        file.write_all(&end).at(path, "write")?;
        let file = file.into_inner().map_err(IntoInnerError::into_error);
        file.and_then(|mut file| file.sync()).at(path, "write")?;
        temporary.put_in_place(path)?;
        Ok(digest)
    }

    /// Checks that a file may be replaced by that of a chunk: it is missing or empty, consists of
    /// zeros, as after a power failure, or begins as the chunk's file does.
    ///
    /// # Errors
    ///
    /// [`BuildError::NotOurs`], or the file cannot be read.
    pub(crate) fn check_replaceable(&self, chunk: Chunk, path: &Path) -> Result<(), BuildError> {
        let start = beginning(path, HEADER_BYTES as u64);
        let start = start.at(path, "replace")?;
        if is_blank(&start) || self.header(chunk).starts_with(&start) {
            return Ok(());
        }
        let why = match self.chunk_of(&start) {
            Ok(other) => format!("it is chunk {other}, not {chunk}"),
            Err(why) => why.to_owned(),
        };
        let (path, choose) = (path.to_owned(), "another file");
        Err(BuildError::NotOurs { path, why, choose })
    }

    /// Returns the digest of a chunk if its file is complete and sound.
    pub(crate) fn digest_in(&self, path: &Path, chunk: Chunk) -> Result<Option<u64>, BuildError> {
        match self.read(path) {
            Ok(file) if file.chunk == chunk => Ok(Some(file.digest)),
            Ok(_) | Err(ReadError::Unusable(_)) => Ok(None),
            Err(ReadError::Io(error)) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(ReadError::Io(error)) => Err(error).at(path, "read"),
        }
    }

    /// Reads and checks the file of a chunk.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or cannot be used for this level.
    pub(crate) fn read(&self, path: &Path) -> Result<ChunkFile, ReadError> {
        let mut file = open_to_read(path)?;
        let length = file.metadata()?.len();
        let mut reader = ShardRecords::new(&mut file, length);
        let header = reader.bytes(HEADER_BYTES)?;
        if header.len() < HEADER_BYTES {
            return unusable("it is not a chunk, or its end is missing");
        }
        let chunk = self.chunk_of(&header).or_else(unusable)?;
        let Ok(shards) = self.shards(chunk) else {
            return unusable(format!("the level has no chunk {chunk}"));
        };
        let mut heads = Xxh3::new();
        heads.update(&header);
        let mut records = Vec::with_capacity(shards.len());
        let cut_off = || unusable(format!("its end is missing, from byte {length} on"));
        let damaged = |offset: u64| unusable(format!("it is damaged at byte {offset}"));
        for shard in shards {
            let offset = reader.offset;
            match reader.next(true)? {
                Ok(record) if record.shard == shard => {
                    heads.update(&record.to_bytes());
                    records.push(record);
                }
                Err(NoRecord::Cut) => return cut_off(),
                Ok(_) | Err(NoRecord::Damaged | NoRecord::Zeros) => return damaged(offset),
            }
        }
        let end = reader.offset;
        let digest = level_content(records.iter().map(|record| record.content));
        let expected = end_record(digest, heads.digest());
        // One byte more shows that the file is too long.
        let found = reader.bytes(expected.len() + 1)?;
        if found != expected {
            return if expected.starts_with(&found) {
                cut_off()
            } else {
                damaged(end)
            };
        }
        Ok(ChunkFile {
            path: path.to_owned(),
            chunk,
            digest,
            contents: Contents {
                records,
                end,
                damage: None,
            },
        })
    }

    /// The chunk in a header, if that is one of this level.
    fn chunk_of(&self, header: &[u8]) -> Result<Chunk, &'static str> {
        let (recipe, chunk) = read_header(header)?;
        match self.recipe.difference(&recipe) {
            Some(why) => Err(why),
            None => chunk.ok_or("its header names no chunk"),
        }
    }
}

/// The reason why the file of a chunk was not read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// The system reported an error.
    Io(io::Error),
    /// It cannot be used for the level, for this reason.
    Unusable(String),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        ReadError::Io(error)
    }
}

fn unusable<T>(why: impl Into<String>) -> Result<T, ReadError> {
    Err(ReadError::Unusable(why.into()))
}

/// The recipe and the chunk in a header.
///
/// # Errors
///
/// A description of the damage.
fn read_header(header: &[u8]) -> Result<(Recipe, Option<Chunk>), &'static str> {
    let (recipe, chunk) = CHUNK_FILE.read::<2>(header)?;
    let [number, of] = chunk.map(|number| u32::try_from(number).unwrap_or(0));
    Ok((recipe, Chunk::new(number, of)))
}

/// Returns the recipe of a chunk file; `None` if it is not one.
///
/// # Errors
///
/// If the file cannot be read.
pub(crate) fn recipe_of(path: &Path) -> Result<Option<Recipe>, BuildError> {
    let start = beginning(path, HEADER_BYTES as u64).at(path, "read")?;
    Ok(read_header(&start).ok().map(|(recipe, _)| recipe))
}

/// The last record: the digest of the chunk, and the hash of the header and of the heads of all
/// records. A head has the checksum of its streams.
fn end_record(digest: u64, heads: u64) -> Vec<u8> {
    let end = ShardRecord {
        shard: END,
        offset: 0,
        entry: Entry {
            offset: 0,
            checksum: heads,
            stored: [0; 2],
            plain: [0; 2],
            nodes: 0,
        },
        content: digest,
        counts: ShardCounts::default(),
    };
    end.to_bytes()
}

/// Reads chunk files, and checks that no two hold the same chunk, and that those of several cuts
/// agree.
///
/// # Errors
///
/// [`BuildError::ChunkFiles`] names every file that cannot be taken, with its fault.
pub(crate) fn read_all(plan: &LevelPlan, paths: &[PathBuf]) -> Result<Vec<ChunkFile>, BuildError> {
    let mut faults = Vec::new();
    let mut found: Vec<ChunkFile> = Vec::new();
    let mut contents: Vec<Option<(u64, usize)>> = vec![None; plan.costs.len()];
    let fault = |path: &Path, why: &dyn Display| format!("{}: {why}", path.display());
    for path in paths {
        let file = match plan.read(path) {
            Ok(file) => file,
            Err(ReadError::Io(error)) => return Err(error).at(path, "read"),
            Err(ReadError::Unusable(why)) => {
                faults.push(fault(path, &why));
                continue;
            }
        };
        if let Some(same) = found.iter().find(|other| other.chunk == file.chunk) {
            let why = format_args!("chunk {} is in {} too", file.chunk, same.path.display());
            faults.push(fault(path, &why));
            continue;
        }
        let differs = file.contents.records.iter().find_map(|record| {
            let (content, other) = contents[record.shard]?;
            (content != record.content).then_some((record.shard, other))
        });
        if let Some((shard, other)) = differs {
            let other = found[other].path.display();
            let why = format_args!("shard {shard} differs from the one in {other}");
            faults.push(fault(path, &why));
            continue;
        }
        for record in &file.contents.records {
            contents[record.shard] = Some((record.content, found.len()));
        }
        found.push(file);
    }
    if faults.is_empty() {
        Ok(found)
    } else {
        Err(BuildError::ChunkFiles { faults })
    }
}

/// The chunk files that are named: each file itself, and of a directory those whose name ends in
/// `.chunk`, in order of their names.
pub(crate) fn named(from: &[PathBuf]) -> Result<Vec<PathBuf>, BuildError> {
    let mut paths = Vec::new();
    for path in from {
        if std::fs::metadata(path).at(path, "read")?.is_dir() {
            let is_chunk = |path: &Path| path.extension() == Some(OsStr::new("chunk"));
            paths.extend(paths_in(path, is_chunk).at(path, "read")?);
        } else {
            paths.push(path.clone());
        }
    }
    Ok(paths)
}
