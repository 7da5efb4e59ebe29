//! A finished chunk as one file, which carries it to the machine that seals the level.
//!
//! The file has a header, the records of all shards of the chunk in ascending order, and a last
//! record with the digest of the chunk. Records are those of a [journal](super::journal), without
//! times of the processor. So the bytes depend on the recipe and the cut alone. `docs/format.md`
//! draws the file.

use std::fmt::Display;
use std::io::{BufReader, BufWriter, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use setrograde_lookup::format::level_header::level_content;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::error::BuildError;
use crate::files::{Files, beginning, is_blank, open_to_read};
use crate::level::file::Temporary;
use crate::level::journal::bytes::{COUNTS, RECORD_BYTES, Record, numbers, push, record_bytes};
use crate::level::journal::{Contents, Recipe, RecordLocation, checksum_of_next};
use crate::plan::{Chunk, chunk_shards};
use crate::shard::PackedShard;

const MAGIC: [u8; 8] = *b"setrogc\n";
/// The version of chunk files that this crate reads and writes.
const VERSION: u64 = 1;
/// Bytes of the header: magic, version, recipe, the chunk's number, the number of chunks, and the
/// checksum of all these.
const HEADER_BYTES: usize = 8 * (2 + Recipe::FIELDS + 3);
/// In the last record, instead of the number of a shard.
const END: u64 = u64::MAX;

/// A chunk file that is complete and sound.
#[derive(Debug)]
pub(crate) struct ChunkFile {
    pub(crate) path: PathBuf,
    pub(crate) chunk: Chunk,
    /// The digest of the chunk.
    pub(crate) digest: u64,
    pub(crate) contents: Contents,
}

/// The chunks of a level, as far as a file of one depends on them.
pub(crate) struct Cut<'a> {
    pub(crate) recipe: &'a Recipe,
    /// The predicted cost of each shard of the level.
    pub(crate) costs: &'a [u64],
}

impl Cut<'_> {
    /// The shards of a chunk.
    fn shards(&self, chunk: Chunk) -> Result<Range<usize>, BuildError> {
        chunk_shards(4 * self.recipe.level as usize, self.costs, chunk)
    }

    fn header(&self, chunk: Chunk) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        push(&mut bytes, &[VERSION]);
        push(&mut bytes, &self.recipe.fields());
        push(&mut bytes, &[chunk.number().into(), chunk.of().into()]);
        let checksum = xxh3_64(&bytes);
        push(&mut bytes, &[checksum]);
        bytes
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
        let io = || BuildError::io(path, "write");
        let (temporary, file) = Temporary::beside(files, path)?;
        let mut file = BufWriter::new(file);
        let mut heads = Xxh3::new();
        let mut contents = Vec::new();
        let header = self.header(chunk);
        heads.update(&header);
        file.write_all(&header).map_err(io())?;
        for number in self.shards(chunk)? {
            let mut packed = shard(number)?;
            packed.counts = packed.counts.without_times();
            let record = record_bytes(number, &packed);
            heads.update(&record[..RECORD_BYTES]);
            contents.push(packed.content);
            file.write_all(&record).map_err(io())?;
        }
        let digest = level_content(contents);
        let end = end_record(digest, heads.digest());
        file.write_all(&end).map_err(io())?;
        let mut file = file
            .into_inner()
            .map_err(|error| io()(error.into_error()))?;
        file.sync().map_err(io())?;
        drop(file);
        temporary.put_in_place(path)?;
        Ok(digest)
    }

    /// Checks that a file may be replaced by that of a chunk: it is missing or empty, consists of
    /// zeros, as after a power failure, or begins as the chunk's file does.
    ///
    /// # Errors
    ///
    /// [`BuildError::NotThisChunk`], or the file cannot be read.
    pub(crate) fn check_replaceable(&self, chunk: Chunk, path: &Path) -> Result<(), BuildError> {
        let start = beginning(path, HEADER_BYTES as u64);
        let start = start.map_err(BuildError::io(path, "replace"))?;
        if is_blank(&start) || self.header(chunk).starts_with(&start) {
            return Ok(());
        }
        let not_a_chunk = || "it is not a chunk".to_owned();
        let header = <&[u8; HEADER_BYTES]>::try_from(&*start).map_err(|_| not_a_chunk());
        let why = match header.and_then(|header| self.chunk_of(header)) {
            Ok(other) => format!("it is chunk {other}, not {chunk}"),
            Err(why) => why,
        };
        let path = path.to_owned();
        Err(BuildError::NotThisChunk { path, why })
    }

    /// Reads and checks the file of a chunk. The inner error is the fault of a file that cannot be
    /// used for this level.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn read(&self, path: &Path) -> Result<Result<ChunkFile, String>, BuildError> {
        let io = || BuildError::io(path, "read");
        let file = open_to_read(path).map_err(io())?;
        let length = file.metadata().map_err(io())?.len();
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut header = [0; HEADER_BYTES];
        if length < HEADER_BYTES as u64 {
            return Ok(Err("it is not a chunk, or its end is missing".to_owned()));
        }
        reader.read_exact(&mut header).map_err(io())?;
        let chunk = match self.chunk_of(&header) {
            Ok(chunk) => chunk,
            Err(why) => return Ok(Err(why)),
        };
        let Ok(shards) = self.shards(chunk) else {
            return Ok(Err(format!("the level has no chunk {chunk}")));
        };
        let mut heads = Xxh3::new();
        heads.update(&header);
        let mut offset = HEADER_BYTES as u64;
        let mut locations = Vec::with_capacity(shards.len());
        let cut_off = |offset: u64| Ok(Err(format!("its end is missing, from byte {offset} on")));
        let damaged = |offset: u64| Ok(Err(format!("it is damaged at byte {offset}")));
        for shard in shards {
            let Some(left) = length.checked_sub(offset + RECORD_BYTES as u64) else {
                return cut_off(length);
            };
            let mut head = [0; RECORD_BYTES];
            reader.read_exact(&mut head).map_err(io())?;
            heads.update(&head);
            let record = Record::from_bytes(&head).filter(|record| record.shard == shard as u64);
            let Some(record) = record else {
                return damaged(offset);
            };
            if record.stream_bytes() > left {
                return cut_off(length);
            }
            let checksum = checksum_of_next(&mut reader, record.stream_bytes()).map_err(io())?;
            if checksum != record.checksum {
                return damaged(offset);
            }
            locations.push(RecordLocation::new(&record, offset));
            offset += RECORD_BYTES as u64 + record.stream_bytes();
        }
        let digest = level_content(locations.iter().map(|location| location.content));
        let expected = end_record(digest, heads.digest());
        let mut end = Vec::new();
        let most = expected.len() as u64 + 1;
        reader.take(most).read_to_end(&mut end).map_err(io())?;
        if end != expected {
            return if expected.starts_with(&end) {
                cut_off(length)
            } else {
                damaged(offset)
            };
        }
        Ok(Ok(ChunkFile {
            path: path.to_owned(),
            chunk,
            digest,
            contents: Contents {
                locations,
                end: offset,
                damage: None,
            },
        }))
    }

    /// The chunk in a header, if that is one of this level.
    fn chunk_of(&self, header: &[u8; HEADER_BYTES]) -> Result<Chunk, String> {
        let (recipe, chunk) = read_header(header)?;
        if let Some(why) = self.recipe.difference(&recipe) {
            return Err(why.to_owned());
        }
        chunk.ok_or_else(|| "its header names no chunk".to_owned())
    }
}

/// The recipe and the chunk in a header.
///
/// # Errors
///
/// A description of the damage.
fn read_header(header: &[u8; HEADER_BYTES]) -> Result<(Recipe, Option<Chunk>), &'static str> {
    let (fields, checksum) = header.split_at(HEADER_BYTES - 8);
    let numbered = fields.strip_prefix(&MAGIC).ok_or("it is not a chunk")?;
    let [version] = numbers(numbered);
    if version != VERSION {
        return Err("it is of another version");
    }
    if xxh3_64(fields).to_le_bytes() != checksum {
        return Err("its header is damaged");
    }
    let recipe = Recipe::from_fields(numbers(&numbered[8..]));
    let chunk: [u64; 2] = numbers(&numbered[8 * (1 + Recipe::FIELDS)..]);
    let [number, of] = chunk.map(|number| u32::try_from(number).unwrap_or(0));
    Ok((recipe, Chunk::new(number, of)))
}

/// Returns the recipe of a chunk file; `None` if it is not one.
///
/// # Errors
///
/// If the file cannot be read.
pub(crate) fn recipe_of(path: &Path) -> Result<Option<Recipe>, BuildError> {
    let start = beginning(path, HEADER_BYTES as u64).map_err(BuildError::io(path, "read"))?;
    let header = <&[u8; HEADER_BYTES]>::try_from(&*start).ok();
    Ok(header.and_then(|header| Some(read_header(header).ok()?.0)))
}

/// The last record: the digest of the chunk, and the hash of the header and of the heads of all
/// records. A head has the checksum of its streams.
fn end_record(digest: u64, heads: u64) -> Vec<u8> {
    let end = Record {
        shard: END,
        stored: [0; 2],
        plain: [0; 2],
        content: digest,
        checksum: heads,
        counts: [0; COUNTS],
    };
    end.to_bytes([&[], &[]])
}

/// Reads chunk files, and checks that no two hold the same chunk, and that those of several cuts
/// agree.
///
/// # Errors
///
/// [`BuildError::ChunkFiles`] names every file that cannot be taken, with its fault.
pub(crate) fn read_all(cut: &Cut<'_>, paths: &[PathBuf]) -> Result<Vec<ChunkFile>, BuildError> {
    let mut faults = Vec::new();
    let mut found: Vec<ChunkFile> = Vec::new();
    let mut contents: Vec<Option<(u64, usize)>> = vec![None; cut.costs.len()];
    let fault = |path: &Path, why: &dyn Display| format!("{}: {why}", path.display());
    for path in paths {
        let file = match cut.read(path)? {
            Ok(file) => file,
            Err(why) => {
                faults.push(fault(path, &why));
                continue;
            }
        };
        if let Some(same) = found.iter().find(|other| other.chunk == file.chunk) {
            let why = format_args!("chunk {} is in {} too", file.chunk, same.path.display());
            faults.push(fault(path, &why));
            continue;
        }
        let differs = file.contents.locations.iter().find_map(|location| {
            let (content, other) = contents[location.shard]?;
            (content != location.content).then_some((location.shard, other))
        });
        if let Some((shard, other)) = differs {
            let other = found[other].path.display();
            let why = format_args!("shard {shard} differs from the one in {other}");
            faults.push(fault(path, &why));
            continue;
        }
        for location in &file.contents.locations {
            contents[location.shard] = Some((location.content, found.len()));
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
        let read = |error| BuildError::io(path, "read")(error);
        if !std::fs::metadata(path).map_err(read)?.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let before = paths.len();
        for entry in std::fs::read_dir(path).map_err(read)? {
            let path = entry.map_err(read)?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "chunk")
            {
                paths.push(path);
            }
        }
        paths[before..].sort();
    }
    Ok(paths)
}
