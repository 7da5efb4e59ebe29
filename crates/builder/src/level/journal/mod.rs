//! Finished shards, written down as soon as each is done.
//!
//! A journal only grows. A record counts when it is whole and its checksums
//! fit, so that a process may be killed at any moment and loses no more than
//! the shards that it was at. [`setrograde_lookup::format::journal`] has its
//! bytes.
//!
//! One process at a time writes a journal: it holds a lock on it. Others may
//! read it meanwhile.

#[cfg(test)]
mod tests;

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) use setrograde_lookup::format::journal::Recipe;
use setrograde_lookup::format::journal::{
    self as format, HEADER_BYTES, RECORD_BYTES, Record, check_header, header_bytes,
};
use xxhash_rust::xxh3::Xxh3;

use crate::error::BuildError;
use crate::files::{Files, WritableFile, open_to_read};
use crate::shard::PackedShard;
use crate::shard::counts::{ShardCounts, Work};

/// How long finished work may wait before it is made durable.
const SYNC_INTERVAL: Duration = if cfg!(test) {
    Duration::ZERO
} else {
    Duration::from_secs(10)
};

/// Where a journal holds a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) shard: usize,
    /// The first byte of its record.
    offset: u64,
    /// The work on the shard.
    pub(crate) work: Work,
}

/// What was found in a journal.
#[derive(Debug)]
pub(crate) struct Contents {
    /// The sound records, in the order of the file.
    pub(crate) places: Vec<Place>,
    /// Where the next record belongs: after the last that can be told.
    end: u64,
    /// What is wrong with the journal, if anything but a torn end.
    pub(crate) damage: Option<String>,
    start: Start,
}

/// How a journal begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// With nothing: it is new, or was torn before its header was durable.
    Nothing,
    /// With the header of the recipe.
    Header,
    /// With something else.
    Foreign(&'static str),
}

/// A journal to which this process may add.
pub(crate) struct Journal {
    path: PathBuf,
    file: Box<dyn WritableFile>,
    synced: Instant,
}

impl Journal {
    /// Opens a journal to go on with it, or begins it, and returns what it
    /// holds; what is not sound at its end is cut off.
    ///
    /// # Errors
    ///
    /// [`BuildError::Journal`] if the file is no journal, or one of another
    /// recipe; it is left as it is.
    pub(crate) fn open(
        files: &dyn Files,
        path: &Path,
        recipe: &Recipe,
    ) -> Result<(Journal, Contents), BuildError> {
        let mut file = files
            .open_or_create(path)
            .map_err(BuildError::io(path, "open"))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(BuildError::Busy {
                    path: path.to_owned(),
                });
            }
            // Not every file system has locks. Two writers would only spoil
            // each other's records, and what is spoiled is built again.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let write = || BuildError::io(path, "write");
        let length = file.length().map_err(BuildError::io(path, "read"))?;
        let mut contents =
            read_from(&mut file, length, recipe).map_err(BuildError::io(path, "read"))?;
        match contents.start {
            Start::Header => {}
            Start::Nothing => {
                file.set_length(0).map_err(write())?;
                file.seek(SeekFrom::Start(0)).map_err(write())?;
                file.write_all(&header_bytes(recipe)).map_err(write())?;
                // Durable before any record: without it they are worth nothing.
                file.sync().map_err(write())?;
                let directory = path.parent().unwrap_or(Path::new("."));
                files
                    .sync_directory(directory)
                    .map_err(BuildError::io(directory, "write"))?;
                contents.end = HEADER_BYTES as u64;
            }
            Start::Foreign(why) => {
                return Err(BuildError::Journal {
                    path: path.to_owned(),
                    why,
                });
            }
        }
        if length > contents.end {
            file.set_length(contents.end).map_err(write())?;
        }
        file.seek(SeekFrom::Start(contents.end)).map_err(write())?;
        let journal = Journal {
            path: path.to_owned(),
            file,
            synced: Instant::now(),
        };
        Ok((journal, contents))
    }

    /// Adds a finished shard. It survives the end of this process at once, and
    /// that of the machine within some seconds.
    pub(crate) fn append(&mut self, shard: usize, packed: &PackedShard) -> Result<(), BuildError> {
        let record = Record {
            shard: shard as u64,
            stored: packed.streams.each_ref().map(|stream| stream.len() as u64),
            plain: packed.plain.map(|length| length as u64),
            content: packed.content,
            checksum: packed.checksum(),
            counts: packed.counts.fields(),
        };
        let bytes = record.to_bytes(packed.streams.each_ref().map(Vec::as_slice));
        self.file
            .write_all(&bytes)
            .map_err(BuildError::io(&self.path, "write"))?;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes durable what was added.
    pub(crate) fn sync(&mut self) -> Result<(), BuildError> {
        self.file
            .sync()
            .map_err(BuildError::io(&self.path, "write"))?;
        self.synced = Instant::now();
        Ok(())
    }
}

/// Reads a journal that another process may be writing, and checks every
/// record. One of another recipe has no records.
pub(crate) fn read(path: &Path, recipe: &Recipe) -> Result<Contents, BuildError> {
    let mut file = open_to_read(path).map_err(BuildError::io(path, "open"))?;
    let io = || BuildError::io(path, "read");
    let length = file.metadata().map_err(io())?.len();
    read_from(&mut file, length, recipe).map_err(io())
}

/// The recipe of a journal; `None` if the file is not plainly one.
pub(crate) fn recipe_of(path: &Path) -> Option<Recipe> {
    // What is there itself, and not what a link points to.
    if !std::fs::symlink_metadata(path).ok()?.is_file() {
        return None;
    }
    let mut head = [0; HEADER_BYTES];
    open_to_read(path).ok()?.read_exact(&mut head).ok()?;
    format::read_header(&head).ok()
}

fn read_from(file: &mut impl Read, length: u64, recipe: &Recipe) -> io::Result<Contents> {
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut contents = Contents {
        places: Vec::new(),
        end: 0,
        damage: None,
        start: Start::Nothing,
    };
    let mut head = Vec::new();
    reader
        .by_ref()
        .take(HEADER_BYTES as u64)
        .read_to_end(&mut head)?;
    contents.start = start_of(&head, recipe);
    if contents.start == Start::Nothing && !is_zero(&mut reader)? {
        contents.start = Start::Foreign("its header is damaged");
    }
    match contents.start {
        Start::Header => {}
        Start::Nothing => return Ok(contents),
        Start::Foreign(why) => {
            contents.damage = Some(why.to_owned());
            return Ok(contents);
        }
    }
    contents.end = HEADER_BYTES as u64;
    let mut head = [0; RECORD_BYTES];
    while contents.end + RECORD_BYTES as u64 <= length {
        reader.read_exact(&mut head)?;
        let Some(record) = Record::from_bytes(&head) else {
            contents.damage = Some(format!("damaged at byte {}", contents.end));
            break;
        };
        let offset = contents.end;
        let end = offset + RECORD_BYTES as u64 + record.stream_bytes();
        if end > length {
            break;
        }
        contents.end = end;
        if record.checksum == checksum_of_next(&mut reader, record.stream_bytes())? {
            let shard = record.shard as usize;
            let work = ShardCounts::from_fields(record.counts).work();
            contents.places.push(Place {
                shard,
                offset,
                work,
            });
        } else {
            contents.damage = Some(format!("damaged between bytes {offset} and {end}"));
        }
    }
    Ok(contents)
}

fn start_of(head: &[u8], recipe: &Recipe) -> Start {
    if head.iter().all(|&byte| byte == 0) {
        return Start::Nothing;
    }
    match <&[u8; HEADER_BYTES]>::try_from(head) {
        Ok(head) => match check_header(head, recipe) {
            Ok(()) => Start::Header,
            Err(why) => Start::Foreign(why),
        },
        Err(_) if header_bytes(recipe).starts_with(head) => Start::Nothing,
        Err(_) => Start::Foreign("it is not a journal"),
    }
}

/// Whether the rest of a file is nothing but zeros, as a power cut may leave
/// them.
fn is_zero(reader: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let part = reader.fill_buf()?;
        if part.is_empty() {
            return Ok(true);
        }
        if part.iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
        let length = part.len();
        reader.consume(length);
    }
}

fn checksum_of_next(reader: &mut impl Read, bytes: u64) -> io::Result<u64> {
    let mut checksum = Xxh3::new();
    let mut left = bytes as usize;
    let mut buffer = [0; 1 << 14];
    while left > 0 {
        let part = &mut buffer[..left.min(1 << 14)];
        reader.read_exact(part)?;
        checksum.update(part);
        left -= part.len();
    }
    Ok(checksum.digest())
}

/// A journal from which shards are taken.
#[derive(Debug)]
pub(crate) struct OpenJournal {
    path: PathBuf,
    file: File,
}

impl OpenJournal {
    pub(crate) fn open(path: &Path) -> Result<OpenJournal, BuildError> {
        let file = open_to_read(path).map_err(BuildError::io(path, "open"))?;
        Ok(OpenJournal {
            path: path.to_owned(),
            file,
        })
    }

    /// Reads a shard where [`read`] has found it sound.
    pub(crate) fn shard(&mut self, place: Place) -> Result<PackedShard, BuildError> {
        let io = |error| BuildError::io(&self.path, "read")(error);
        let mut head = [0; RECORD_BYTES];
        self.file.seek(SeekFrom::Start(place.offset)).map_err(io)?;
        self.file.read_exact(&mut head).map_err(io)?;
        let changed = || io(io::Error::other("it has changed meanwhile"));
        let record = Record::from_bytes(&head).ok_or_else(changed)?;
        let length = self.file.metadata().map_err(io)?.len();
        let left = length.saturating_sub(place.offset);
        if record.stream_bytes() > left {
            return Err(changed());
        }
        let mut streams = [Vec::new(), Vec::new()];
        for (stream, length) in streams.iter_mut().zip(record.stored) {
            stream.resize(length as usize, 0);
            self.file.read_exact(stream).map_err(io)?;
        }
        let packed = PackedShard {
            streams,
            plain: record.plain.map(|length| length as usize),
            counts: ShardCounts::from_fields(record.counts),
            content: record.content,
        };
        if record.checksum != packed.checksum() || record.shard as usize != place.shard {
            return Err(changed());
        }
        Ok(packed)
    }
}

/// Finds the records of a journal by their heads alone; [`OpenJournal::shard`] checks what
/// follows them.
pub(crate) fn places_of(path: &Path, recipe: &Recipe) -> Result<Vec<Place>, BuildError> {
    let io = || BuildError::io(path, "read");
    let mut file = open_to_read(path).map_err(BuildError::io(path, "open"))?;
    let length = file.metadata().map_err(io())?.len();
    let mut places = Vec::new();
    let mut head = [0; HEADER_BYTES];
    file.read_exact(&mut head).map_err(io())?;
    if check_header(&head, recipe).is_err() {
        return Ok(places);
    }
    let mut offset = HEADER_BYTES as u64;
    while offset + RECORD_BYTES as u64 <= length {
        let mut head = [0; RECORD_BYTES];
        file.seek(SeekFrom::Start(offset)).map_err(io())?;
        file.read_exact(&mut head).map_err(io())?;
        let Some(record) = Record::from_bytes(&head) else {
            break;
        };
        places.push(Place {
            shard: usize::try_from(record.shard).unwrap_or(usize::MAX),
            offset,
            work: ShardCounts::from_fields(record.counts).work(),
        });
        offset += RECORD_BYTES as u64 + record.stream_bytes();
    }
    Ok(places)
}
