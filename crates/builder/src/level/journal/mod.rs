//! Finished shards, written down as soon as each is done.
//!
//! A journal only grows. A record counts when it is whole and its checksums
//! fit, so that a process may be killed at any moment and loses no more than
//! the shards that it was at, and a damaged byte costs one shard. [`bytes`] has its
//! bytes.
//!
//! One process at a time writes a journal: it holds a lock on it. Others may
//! read it meanwhile.

pub(crate) mod bytes;

use std::fmt::{self, Display};
use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bytes::{
    HEADER_BYTES, RECORD_BYTES, Record, check_header, header_bytes, next_record, read_header,
    record_bytes,
};
pub(crate) use bytes::{Recipe, work_directory};
use xxhash_rust::xxh3::Xxh3;

use crate::error::BuildError;
use crate::files::{Files, WritableFile, open_to_read};
use crate::shard::{PackedShard, ShardCounts, Work};

/// The longest time before finished work is made durable.
const SYNC_INTERVAL: Duration = if cfg!(test) {
    Duration::ZERO
} else {
    Duration::from_secs(10)
};

/// A shard's place in a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) shard: usize,
    /// The first byte of its record.
    offset: u64,
    /// The sets of the shard.
    pub(crate) sets: u64,
    /// The hash of its content.
    pub(crate) content: u64,
    /// The work on the shard.
    pub(crate) work: Work,
}

impl Place {
    fn new(record: &Record, offset: u64) -> Place {
        let counts = ShardCounts::from_fields(record.counts);
        Place {
            shard: usize::try_from(record.shard).unwrap_or(usize::MAX),
            offset,
            sets: counts.sets,
            content: record.content,
            work: counts.work(),
        }
    }
}

/// The contents of a journal.
#[derive(Debug)]
pub(crate) struct Contents {
    /// The sound records, in the order of the file.
    pub(crate) places: Vec<Place>,
    /// The offset of the next record: after the last sound one.
    end: u64,
    /// The damage, apart from a torn end.
    pub(crate) damage: Option<Damage>,
    start: Start,
}

/// Damage to a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Damage {
    /// These bytes are damaged, and the records in them are lost. The rest is sound.
    Parts(Vec<Range<u64>>),
    /// All of it is of no use, for this reason.
    Whole(&'static str),
}

impl Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        match self {
            Damage::Whole(why) => f.write_str(why),
            Damage::Parts(parts) => {
                f.write_str("damaged at ")?;
                for (at, part) in parts.iter().take(SHOWN).enumerate() {
                    let comma = if at > 0 { ", " } else { "" };
                    write!(f, "{comma}bytes {} to {}", part.start, part.end)?;
                }
                if parts.len() > SHOWN {
                    write!(f, " and in {} more places", parts.len() - SHOWN)?;
                }
                f.write_str("; the records there are lost, all others are kept")
            }
        }
    }
}

/// The beginning of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// With nothing: it is new, or was torn before its header was durable.
    Nothing,
    /// With the header of the recipe.
    Header,
    /// With that header, some bits of it flipped.
    DamagedHeader,
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
    /// Opens a journal to continue it, or begins it, and returns what it holds.
    /// What follows the last sound record is cut off. Damage before that costs the
    /// records that it hits: they are made into one that holds no shard, so that
    /// their shards are missing and are built again.
    ///
    /// # Errors
    ///
    /// [`BuildError::Journal`] if the file is not a journal, or has another
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
            Start::DamagedHeader => {
                file.seek(SeekFrom::Start(0)).map_err(write())?;
                file.write_all(&header_bytes(recipe)).map_err(write())?;
                file.sync().map_err(write())?;
            }
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
        if let Some(Damage::Parts(parts)) = &contents.damage {
            for part in parts {
                if (HEADER_BYTES as u64..contents.end).contains(&part.start) {
                    strike_out(&mut file, part).map_err(write())?;
                }
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
        self.file
            .write_all(&record_bytes(shard, packed))
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
    read_header(&head).ok()
}

fn read_from(file: &mut (impl Read + Seek), length: u64, recipe: &Recipe) -> io::Result<Contents> {
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
    let mut damaged = Vec::new();
    match contents.start {
        Start::Header => {}
        Start::DamagedHeader => damaged.push(0..HEADER_BYTES as u64),
        Start::Nothing => return Ok(contents),
        Start::Foreign(why) => {
            contents.damage = Some(Damage::Whole(why));
            return Ok(contents);
        }
    }
    contents.end = HEADER_BYTES as u64;
    // Of a buffered reader, whose place is `position`.
    let mut position = contents.end;
    let mut at = contents.end;
    loop {
        let read = |from: u64, bytes: usize| {
            reader.seek_relative(from.cast_signed() - position.cast_signed())?;
            let mut buffer = vec![0; bytes];
            reader.read_exact(&mut buffer)?;
            position = from + bytes as u64;
            Ok::<_, io::Error>(buffer)
        };
        let Some((offset, record)) = next_record(at, length, read)? else {
            break;
        };
        let streams = offset + RECORD_BYTES as u64;
        reader.seek_relative(streams.cast_signed() - position.cast_signed())?;
        let checksum = checksum_of_next(&mut reader, record.stream_bytes())?;
        at = streams + record.stream_bytes();
        position = at;
        if record.checksum != checksum {
            continue;
        }
        if offset > contents.end {
            damaged.push(contents.end..offset);
        }
        contents.end = at;
        if record.shard != Record::NO_SHARD {
            contents.places.push(Place::new(&record, offset));
        }
    }
    if contents.end < length && !is_torn(&mut reader, position, contents.end, length)? {
        damaged.push(contents.end..length);
    }
    contents.damage = (!damaged.is_empty()).then_some(Damage::Parts(damaged));
    Ok(contents)
}

/// Whether what follows the last sound record is one whose writing was cut off:
/// too short for a head, a sound head of more than there is, or zeros, which a
/// power cut may leave.
fn is_torn(
    reader: &mut BufReader<impl Read + Seek>,
    position: u64,
    end: u64,
    length: u64,
) -> io::Result<bool> {
    if length - end < RECORD_BYTES as u64 {
        return Ok(true);
    }
    let mut head = [0; RECORD_BYTES];
    reader.seek_relative(end.cast_signed() - position.cast_signed())?;
    reader.read_exact(&mut head)?;
    let is_longer = |record: Record| record.stream_bytes() > length - end - RECORD_BYTES as u64;
    Ok(match Record::from_bytes(&head) {
        Some(record) => is_longer(record),
        None => head.iter().all(|&byte| byte == 0) && is_zero(reader)?,
    })
}

/// The most flipped bits that are mended in a header. The header of another recipe
/// differs in some 32 bits of its checksum.
const FLIPPED_BITS: u32 = 8;

fn start_of(head: &[u8], recipe: &Recipe) -> Start {
    if head.iter().all(|&byte| byte == 0) {
        return Start::Nothing;
    }
    let expected = header_bytes(recipe);
    let flipped = head
        .iter()
        .zip(&expected)
        .map(|(a, b)| (a ^ b).count_ones());
    match <&[u8; HEADER_BYTES]>::try_from(head) {
        Ok(head) => match check_header(head, recipe) {
            Ok(()) => Start::Header,
            Err(_) if read_header(head).is_err() && flipped.sum::<u32>() <= FLIPPED_BITS => {
                Start::DamagedHeader
            }
            Err(why) => Start::Foreign(why),
        },
        Err(_) if expected.starts_with(head) => Start::Nothing,
        Err(_) => Start::Foreign("it is not a journal"),
    }
}

/// Makes damaged bytes into a record that holds no shard. Bytes that are not such a
/// record stay as they are; readers pass over them.
fn strike_out(file: &mut (impl Read + Write + Seek), part: &Range<u64>) -> io::Result<()> {
    let length = part.end - part.start;
    let Some(streams) = length.checked_sub(RECORD_BYTES as u64) else {
        return Ok(());
    };
    file.seek(SeekFrom::Start(part.start + RECORD_BYTES as u64))?;
    let checksum = checksum_of_next(file, streams)?;
    if let Some(record) = Record::void(length, checksum) {
        file.seek(SeekFrom::Start(part.start))?;
        file.write_all(&record.to_bytes([&[], &[]]))?;
    }
    Ok(())
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
        if record.checksum != packed.entry().checksum || record.shard as usize != place.shard {
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
    let mut read = |from, bytes| {
        let mut buffer = vec![0; bytes];
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(&mut buffer)?;
        Ok::<_, io::Error>(buffer)
    };
    let mut at = HEADER_BYTES as u64;
    while let Some((offset, record)) = next_record(at, length, &mut read).map_err(io())? {
        places.push(Place::new(&record, offset));
        at = offset + RECORD_BYTES as u64 + record.stream_bytes();
    }
    Ok(places)
}

#[cfg(test)]
mod tests;
