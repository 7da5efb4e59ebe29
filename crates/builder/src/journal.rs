//! Finished shards, written down as soon as each is done.
//!
//! A journal is a header and then records, one a shard, in the order in which
//! the shards were finished. It only grows. A record counts when it is whole
//! and its checksums fit, so that a process may be killed at any moment and
//! loses no more than the shards that it was at. `docs/format.md` draws it.
//!
//! One process at a time writes a journal: it holds a lock on it. Others may
//! read it meanwhile.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::error::BuildError;
use crate::shard::PackedShard;
use crate::shard_counts::ShardCounts;

const MAGIC: [u8; 8] = *b"setrogj\n";
/// The version of the journal that this program reads and writes.
const VERSION: u64 = 1;
/// How long finished work may wait before it is made durable.
const SYNC_INTERVAL: Duration = Duration::from_secs(10);
/// Bytes of the two streams of a shard, at most: more is damage.
const MOST_STREAM_BYTES: u64 = u32::MAX as u64;

const HEADER_BYTES: usize = 8 * (2 + Recipe::FIELDS + 1);
const RECORD_BYTES: usize = 8 * (7 + ShardCounts::FIELDS + 1);

/// All that the bytes of a shard depend on: only shards of one recipe make a
/// level together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// Cards per hand.
    pub(crate) level: u64,
    /// The kind of payload, see [`setrograde_lookup::layout`].
    pub(crate) payload: u64,
    /// Partitions in a shard.
    pub(crate) shard_partitions: u64,
    /// The checksum of the level below; 0 if there is none.
    pub(crate) below: u64,
    /// Hash of the program's version and of the method.
    pub(crate) builder: u64,
}

impl Recipe {
    const FIELDS: usize = 5;

    fn fields(&self) -> [u64; Self::FIELDS] {
        [
            self.level,
            self.payload,
            self.shard_partitions,
            self.below,
            self.builder,
        ]
    }

    /// What a journal with these fields was made from or by that differs.
    fn difference(&self, found: [u64; Self::FIELDS]) -> Option<&'static str> {
        const NAMES: [&str; Recipe::FIELDS] = [
            "it holds another level",
            "it was made by another method",
            "its shards have another size",
            "it was made from another level below",
            "it was made by another version of the program, or another method",
        ];
        let own = self.fields();
        let differs = |&at: &usize| own[at] != found[at];
        (0..Self::FIELDS).find(differs).map(|at| NAMES[at])
    }
}

/// Where a journal holds a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) shard: usize,
    /// The first byte of its record.
    offset: u64,
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
            contents.places.push(Place { shard, offset });
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
        if record.checksum != checksum(&streams) || record.shard as usize != place.shard {
            return Err(changed());
        }
        Ok(PackedShard {
            streams,
            plain: record.plain.map(|length| length as usize),
            counts: record.counts,
            content: record.content,
        })
    }
}

/// What stands before a shard's streams.
struct Record {
    shard: u64,
    stored: [u64; 2],
    plain: [u64; 2],
    content: u64,
    checksum: u64,
    counts: ShardCounts,
}

impl Record {
    fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
        let (fields, checksum) = bytes.split_last_chunk::<8>()?;
        if xxh3_64(fields) != u64::from_le_bytes(*checksum) {
            return None;
        }
        let (head, counts) = fields.split_at_checked(8 * 7)?;
        let [shard, a, b, c, d, content, checksum] = numbers(head);
        let fit = [a, b, c, d].iter().all(|&bytes| bytes <= MOST_STREAM_BYTES);
        fit.then_some(Record {
            shard,
            stored: [a, b],
            plain: [c, d],
            content,
            checksum,
            counts: ShardCounts::from_fields(numbers(counts)),
        })
    }
}

fn checksum(streams: &[Vec<u8>; 2]) -> u64 {
    let mut checksum = Xxh3::new();
    for stream in streams {
        checksum.update(stream);
    }
    checksum.digest()
}

fn record_bytes(shard: usize, packed: &PackedShard) -> Vec<u8> {
    let [a, b] = packed.streams.each_ref().map(|stream| stream.len() as u64);
    let [c, d] = packed.plain.map(|length| length as u64);
    let head = [
        shard as u64,
        a,
        b,
        c,
        d,
        packed.content,
        checksum(&packed.streams),
    ];
    let mut bytes = Vec::with_capacity(RECORD_BYTES + (a + b) as usize);
    push(&mut bytes, &head);
    push(&mut bytes, &packed.counts.fields());
    let head_checksum = xxh3_64(&bytes);
    push(&mut bytes, &[head_checksum]);
    for stream in &packed.streams {
        bytes.extend_from_slice(stream);
    }
    bytes
}

fn header_bytes(recipe: &Recipe) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    push(&mut bytes, &[VERSION]);
    push(&mut bytes, &recipe.fields());
    let checksum = xxh3_64(&bytes);
    push(&mut bytes, &[checksum]);
    bytes
}

fn check_header(bytes: &[u8; HEADER_BYTES], recipe: &Recipe) -> Result<(), &'static str> {
    let damaged = "its header is damaged";
    let (fields, checksum) = bytes.split_last_chunk::<8>().ok_or(damaged)?;
    let fields = fields.strip_prefix(&MAGIC).ok_or("it is not a journal")?;
    let [version] = numbers(fields);
    if version != VERSION {
        return Err("it is of another version");
    }
    if xxh3_64(&bytes[..HEADER_BYTES - 8]) != u64::from_le_bytes(*checksum) {
        return Err(damaged);
    }
    recipe.difference(numbers(&fields[8..])).map_or(Ok(()), Err)
}

fn push(bytes: &mut Vec<u8>, numbers: &[u64]) {
    for number in numbers {
        bytes.extend(number.to_le_bytes());
    }
}

/// The first `N` little-endian numbers; those that are not there are 0.
fn numbers<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let mut numbers = [0; N];
    for (number, bytes) in numbers.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *number = u64::from_le_bytes(*bytes);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECIPE: Recipe = Recipe {
        level: 2,
        payload: 1,
        shard_partitions: 256,
        below: 77,
        builder: 99,
    };

    fn shard(number: u8) -> PackedShard {
        PackedShard {
            streams: [vec![number; 100], vec![number ^ 255; 50]],
            plain: [200, 300],
            counts: ShardCounts {
                partitions: 256,
                sets: 1000 + u64::from(number),
                ..ShardCounts::default()
            },
            content: u64::from(number) << 40,
        }
    }

    fn shards(contents: &Contents) -> Vec<usize> {
        contents.places.iter().map(|place| place.shard).collect()
    }

    /// A journal of the shards 5, 3 and 8.
    fn written(path: &Path) -> Result<Vec<u8>, BuildError> {
        let (mut journal, contents) = Journal::open(path, &RECIPE)?;
        assert!(contents.places.is_empty());
        for number in [5, 3, 8] {
            journal.append(number, &shard(number as u8))?;
        }
        journal.sync()?;
        std::fs::read(path).map_err(BuildError::io(path, "read"))
    }

    #[test]
    fn what_is_written_is_read() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("journal");
        written(&path)?;
        let contents = read(&path, &RECIPE)?;
        assert_eq!(shards(&contents), [5, 3, 8]);
        let mut open = OpenJournal::open(&path)?;
        for place in contents.places {
            let (read, written) = (open.shard(place)?, shard(place.shard as u8));
            assert_eq!(read.streams, written.streams);
            assert_eq!(
                (read.plain, read.content, read.counts.fields()),
                (written.plain, written.content, written.counts.fields())
            );
        }
        Ok(())
    }

    #[test]
    fn a_torn_end_is_cut_off_and_the_work_goes_on() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("journal");
        let whole = written(&path)?;
        let record = (whole.len() - HEADER_BYTES) / 3;
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length])?;
            let kept = length.saturating_sub(HEADER_BYTES) / record;
            let (mut journal, contents) = Journal::open(&path, &RECIPE)?;
            assert_eq!(shards(&contents), [5, 3, 8][..kept], "{length} bytes");
            journal.append(1, &shard(1))?;
            drop(journal);
            let mut expected = [5, 3, 8][..kept].to_vec();
            expected.push(1);
            assert_eq!(shards(&read(&path, &RECIPE)?), expected);
        }
        Ok(())
    }

    #[test]
    fn every_flipped_bit_costs_a_record_and_never_passes() -> Result<(), Box<dyn std::error::Error>>
    {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("journal");
        let mut bytes = written(&path)?;
        for at in 0..bytes.len() {
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&path, &bytes)?;
            let contents = read(&path, &RECIPE)?;
            assert!(contents.places.len() < 3, "byte {at}");
            bytes[at] ^= 1 << (at % 8);
        }
        Ok(())
    }

    #[test]
    fn another_recipe_is_refused_by_name_and_begun_anew() -> Result<(), Box<dyn std::error::Error>>
    {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("journal");
        written(&path)?;
        let other = Recipe {
            below: 78,
            ..RECIPE
        };
        let contents = read(&path, &other)?;
        assert!(contents.places.is_empty());
        assert_eq!(
            contents.damage.as_deref(),
            Some("it was made from another level below")
        );
        let (mut journal, _) = Journal::open(&path, &other)?;
        journal.append(4, &shard(4))?;
        drop(journal);
        assert_eq!(shards(&read(&path, &other)?), [4]);
        Ok(())
    }

    #[test]
    fn one_process_at_a_time_writes() -> Result<(), Box<dyn std::error::Error>> {
        let directory = tempfile::tempdir()?;
        let path = directory.path().join("journal");
        let first = Journal::open(&path, &RECIPE)?;
        assert!(matches!(
            Journal::open(&path, &RECIPE),
            Err(BuildError::Busy { .. })
        ));
        drop(first);
        Journal::open(&path, &RECIPE)?;
        Ok(())
    }
}
