//! Finished shards, written down as soon as each is done.
//!
//! A journal is a header and then records, one a shard, in the order in which
//! the shards were finished. It only grows. A record counts when it is whole
//! and its checksums fit, so that a process may be killed at any moment and
//! loses no more than the shards that it was at. `docs/format.md` draws it.
//!
//! One process at a time writes a journal: it holds a lock on it. Others may
//! read it meanwhile.

mod record;
#[cfg(test)]
mod tests;

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::Xxh3;

use crate::error::BuildError;
use crate::shard::PackedShard;
use crate::shard::counts::Work;
pub(crate) use record::Recipe;
use record::{HEADER_BYTES, RECORD_BYTES, Record, check_header, header_bytes, record_bytes};

/// How long finished work may wait before it is made durable.
const SYNC_INTERVAL: Duration = Duration::from_secs(10);

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
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The sound records, in the order of the file.
    pub(crate) places: Vec<Place>,
    /// Where the next record belongs: after the last that can be told.
    end: u64,
    /// What is wrong with the journal, if anything but a torn end.
    pub(crate) damage: Option<String>,
}

/// A journal to which this process may add.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    synced: Instant,
}

impl Journal {
    /// Opens a journal to go on with it, or begins it. Answers with what it
    /// holds; what is not sound at its end is cut off. A journal of another
    /// recipe is begun anew.
    pub(crate) fn open(path: &Path, recipe: &Recipe) -> Result<(Journal, Contents), BuildError> {
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(path)
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
        let mut contents = read_from(&mut file, recipe).map_err(BuildError::io(path, "read"))?;
        if contents.end == 0 {
            file.set_len(0).map_err(write())?;
            file.seek(SeekFrom::Start(0)).map_err(write())?;
            file.write_all(&header_bytes(recipe)).map_err(write())?;
            contents.end = HEADER_BYTES as u64;
        }
        file.set_len(contents.end).map_err(write())?;
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
        let bytes = record_bytes(shard, packed);
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
            .sync_data()
            .map_err(BuildError::io(&self.path, "write"))?;
        self.synced = Instant::now();
        Ok(())
    }
}

/// Reads a journal that another process may be writing, and checks every
/// record.
pub(crate) fn read(path: &Path, recipe: &Recipe) -> Result<Contents, BuildError> {
    let mut file = File::open(path).map_err(BuildError::io(path, "open"))?;
    read_from(&mut file, recipe).map_err(BuildError::io(path, "read"))
}

fn read_from(file: &mut File, recipe: &Recipe) -> io::Result<Contents> {
    let length = file.metadata()?.len();
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut contents = Contents::default();
    let mut head = [0; HEADER_BYTES];
    if length < HEADER_BYTES as u64 {
        return Ok(contents);
    }
    reader.read_exact(&mut head)?;
    if let Err(damage) = check_header(&head, recipe) {
        contents.damage = Some(damage.to_owned());
        return Ok(contents);
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
        let end = offset + RECORD_BYTES as u64 + record.stored[0] + record.stored[1];
        if end > length {
            break;
        }
        contents.end = end;
        if record.checksum == checksum_of_next(&mut reader, record.stored[0] + record.stored[1])? {
            let shard = record.shard as usize;
            let work = record.counts.work();
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
        let file = File::open(path).map_err(BuildError::io(path, "open"))?;
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
        let mut streams = [Vec::new(), Vec::new()];
        for (stream, length) in streams.iter_mut().zip(record.stored) {
            stream.resize(length as usize, 0);
            self.file.read_exact(stream).map_err(io)?;
        }
        let packed = PackedShard {
            streams,
            plain: record.plain.map(|length| length as usize),
            counts: record.counts,
            content: record.content,
        };
        if record.checksum != packed.checksum() || record.shard as usize != place.shard {
            return Err(changed());
        }
        Ok(packed)
    }
}
