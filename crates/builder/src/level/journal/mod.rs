//! Finished shards, recorded as soon as each is done.
//!
//! A journal is one or more *segments*, append-only files of some megabytes. The valid records of a
//! segment are those before the first incomplete or damaged one: a reader stops there, and a
//! process that continues the journal truncates the segment there. A process may therefore be
//! killed at any moment and loses only the shards in progress, and a damaged byte costs the rest of
//! its segment, some minutes of building. [`bytes`] defines the format.
//!
//! One process at a time writes a journal, under a lock file in the same directory. Other processes
//! may read it at the same time.

pub(crate) mod bytes;

use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) use bytes::Recipe;
use bytes::{
    FileKind, MOST_STREAM_BYTES, NoRecord, RECORD_BYTES, ShardRecord, ShardRecords, record_bytes,
};

use crate::error::{AtPath, BuildError};
use crate::files::{Files, WritableFile, beginning, is_blank, is_taken, open_to_read};
use crate::shard::PackedShard;

/// A segment of a journal. Of two records of one shard the later one is valid.
pub(crate) const SEGMENT_FILE: FileKind = FileKind {
    magic: *b"setrogj\n",
    other: "it is not a journal",
};
/// Bytes of a segment's header.
const HEADER_BYTES: usize = FileKind::header_bytes(0);

/// Maximum time before finished work is made durable.
const SYNC_INTERVAL: Duration = if cfg!(test) {
    Duration::ZERO
} else {
    Duration::from_secs(10)
};

/// The size at which a new segment begins, in bytes.
const SEGMENT: u64 = if cfg!(test) { 1 << 13 } else { 16 << 20 };

/// Maximum size of a segment in bytes: its last record begins before the next segment does.
const MOST_BYTES: u64 = SEGMENT + RECORD_BYTES as u64 + 2 * MOST_STREAM_BYTES;

/// The contents of a segment.
#[derive(Debug)]
pub(crate) struct Contents {
    /// The valid records, in the order of the file.
    pub(crate) records: Vec<ShardRecord>,
    /// The first byte after them; 0 if the segment has no complete header, because it is new or was
    /// torn before the header was durable.
    pub(crate) end: u64,
    /// The damage, apart from a torn end.
    pub(crate) damage: Option<SegmentDamage>,
}

/// Damage to a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SegmentDamage {
    /// The records in these bytes, the last of the segment, are lost.
    End(Range<u64>),
    /// The entire segment is unusable, for this reason.
    Whole(&'static str),
}

impl Display for SegmentDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SegmentDamage::Whole(why) => f.write_str(why),
            SegmentDamage::End(Range { start, end }) => write!(
                f,
                "damaged at byte {start}; the {} bytes from there on are lost, and what is before them is kept",
                end - start
            ),
        }
    }
}

/// A journal that this process may append to.
pub(crate) struct Journal<'a> {
    files: &'a dyn Files,
    /// The first segment.
    path: PathBuf,
    /// The lock, as long as it is held.
    lock: Box<dyn WritableFile>,
    header: Vec<u8>,
    /// The current segment: its number, file and size.
    number: usize,
    file: Box<dyn WritableFile>,
    length: u64,
    synced: Instant,
}

/// The prefix of journals' lock files.
pub(crate) const LOCK_PREFIX: &str = "lock.";

/// Returns the file that is locked while a process writes a journal.
fn lock_path(journal: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(LOCK_PREFIX);
    name.push(journal.file_name().unwrap_or_default());
    journal.with_file_name(name)
}

/// Locks a journal. The lock is a file of its own, because some systems do not let others read a
/// locked file.
fn take_lock(files: &dyn Files, journal: &Path) -> Result<Box<dyn WritableFile>, BuildError> {
    let path = lock_path(journal);
    let mut attempts = 0;
    loop {
        let lock = files.open_or_create(&path).at(&path, "open")?;
        // Without locks two writers would only damage each other's records, which are built again.
        if is_taken(lock.try_lock()) {
            return Err(BuildError::Busy {
                path: journal.to_owned(),
            });
        }
        // A process that has finished the chunk may have removed the file in the meantime. Some
        // file systems have no constant file numbers.
        attempts += 1;
        if lock.is_at(&path) || attempts == 1000 {
            return Ok(lock);
        }
    }
}

/// The path of a segment of a journal.
fn segment(journal: &Path, number: usize) -> PathBuf {
    let mut path = journal.as_os_str().to_owned();
    if number > 0 {
        path.push(format!(".{number}"));
    }
    path.into()
}

impl<'a> Journal<'a> {
    /// Opens a journal to continue it, or begins it, and returns the contents of each of its
    /// segments. Each segment is truncated after its last valid record.
    ///
    /// # Errors
    ///
    /// [`BuildError::Journal`] if a file is not a segment, or has another recipe. The file is left
    /// unchanged.
    pub(crate) fn open(
        files: &'a dyn Files,
        path: &Path,
        recipe: &Recipe,
    ) -> Result<(Journal<'a>, Vec<(PathBuf, Contents)>), BuildError> {
        let lock = take_lock(files, path)?;
        let take_up = |number| {
            let path = segment(path, number);
            let mut file = files.open_or_create(&path).at(&path, "open")?;
            let contents = take_up(files, &path, &mut *file, recipe)?;
            Ok::<_, BuildError>((file, (path, contents)))
        };
        let (mut file, first) = take_up(0)?;
        let (mut number, mut segments) = (0, vec![first]);
        while std::fs::symlink_metadata(segment(path, number + 1)).is_ok() {
            number += 1;
            let (next, taken_up) = take_up(number)?;
            file = next;
            segments.push(taken_up);
        }
        let journal = Journal {
            files,
            path: path.to_owned(),
            lock,
            header: SEGMENT_FILE.header(recipe, &[]),
            number,
            file,
            length: segments[number].1.end,
            synced: Instant::now(),
        };
        Ok((journal, segments))
    }

    /// Closes the journal, and returns its lock, which is held until it is dropped.
    pub(crate) fn into_lock(self) -> Box<dyn WritableFile> {
        self.lock
    }

    /// Appends a finished shard. It survives the end of this process immediately, and a crash of
    /// the machine after some seconds.
    pub(crate) fn append(&mut self, shard: usize, packed: &PackedShard) -> Result<(), BuildError> {
        if self.length >= SEGMENT {
            self.sync()?;
            self.begin_segment()?;
        }
        let record = record_bytes(shard, packed);
        let path = segment(&self.path, self.number);
        self.file.write_all(&record).at(&path, "write")?;
        self.length += record.len() as u64;
        if self.synced.elapsed() >= SYNC_INTERVAL {
            self.sync()?;
        }
        Ok(())
    }

    /// Makes appended records durable.
    pub(crate) fn sync(&mut self) -> Result<(), BuildError> {
        let path = segment(&self.path, self.number);
        self.file.sync().at(&path, "write")?;
        self.synced = Instant::now();
        Ok(())
    }

    fn begin_segment(&mut self) -> Result<(), BuildError> {
        self.number += 1;
        let path = segment(&self.path, self.number);
        let file = self.files.create_new(&path);
        self.file = file.at(&path, "open")?;
        begin(self.files, &path, &mut *self.file, &self.header)?;
        self.length = self.header.len() as u64;
        Ok(())
    }
}

/// Continues a segment after its last valid record, or begins it if it has no header.
fn take_up(
    files: &dyn Files,
    path: &Path,
    file: &mut dyn WritableFile,
    recipe: &Recipe,
) -> Result<Contents, BuildError> {
    let length = file.length().at(path, "read")?;
    let mut contents = read_from(file, length, recipe, true).at(path, "read")?;
    if let Some(SegmentDamage::Whole(why)) = contents.damage {
        return Err(BuildError::Journal {
            path: path.to_owned(),
            why,
        });
    }
    if contents.end == 0 {
        begin(files, path, file, &SEGMENT_FILE.header(recipe, &[]))?;
        contents.end = HEADER_BYTES as u64;
    } else if contents.end < length {
        file.set_length(contents.end).at(path, "write")?;
    }
    file.seek(SeekFrom::Start(contents.end)).at(path, "write")?;
    Ok(contents)
}

/// Begins a segment. Its header is made durable before any record, because records without a header
/// are useless.
fn begin(
    files: &dyn Files,
    path: &Path,
    file: &mut dyn WritableFile,
    header: &[u8],
) -> Result<(), BuildError> {
    file.set_length(0).at(path, "write")?;
    file.seek(SeekFrom::Start(0)).at(path, "write")?;
    file.write_all(header).at(path, "write")?;
    file.sync().at(path, "write")?;
    let directory = path.parent().unwrap_or(Path::new("."));
    files.sync_directory(directory).at(directory, "write")
}

/// Reads a segment that another process may be writing; without `check` only the heads of its
/// records. A segment of another recipe has no valid records.
pub(crate) fn read(path: &Path, recipe: &Recipe, check: bool) -> Result<Contents, BuildError> {
    let mut file = open_to_read(path).at(path, "open")?;
    let length = file.metadata().at(path, "read")?.len();
    read_from(&mut file, length, recipe, check).at(path, "read")
}

/// The kind of a file with the name of a segment.
pub(crate) enum Segment {
    /// A segment with this recipe.
    Sound(Recipe),
    /// An empty file, or a segment with a damaged header, which has no usable records.
    Worthless,
    /// A file that no build of this version has written.
    Foreign,
}

/// Returns the kind of a segment.
///
/// # Errors
///
/// If it cannot be read.
pub(crate) fn segment_kind(path: &Path) -> Result<Segment, BuildError> {
    // The entry itself, not the target of a link.
    if !std::fs::symlink_metadata(path).at(path, "read")?.is_file() {
        return Ok(Segment::Foreign);
    }
    let head = beginning(path, HEADER_BYTES as u64).at(path, "read")?;
    let start = SEGMENT_FILE.start();
    let common = head.len().min(start.len());
    let is_begun = head[..common] == start[..common] || is_blank(&head);
    match SEGMENT_FILE.read::<0>(&head) {
        Ok((recipe, _)) => Ok(Segment::Sound(recipe)),
        Err(_) if is_begun => Ok(Segment::Worthless),
        Err(_) => Ok(Segment::Foreign),
    }
}

fn read_from<F: Read + Seek + ?Sized>(
    file: &mut F,
    length: u64,
    recipe: &Recipe,
    check: bool,
) -> io::Result<Contents> {
    let mut contents = Contents {
        records: Vec::new(),
        end: 0,
        damage: None,
    };
    // Perhaps sparse: to read it would take hours.
    if length > MOST_BYTES {
        contents.damage = Some(SegmentDamage::Whole("it is larger than any journal"));
        return Ok(contents);
    }
    let mut reader = ShardRecords::new(file, length);
    let head = reader.bytes(HEADER_BYTES)?;
    let expected = SEGMENT_FILE.header(recipe, &[]);
    if head != expected {
        let is_begun = expected.starts_with(&head);
        let is_harmless = is_begun || is_blank(&head) && reader.is_zero_to_the_end()?;
        if !is_harmless {
            contents.damage = Some(SegmentDamage::Whole(header_fault(&head, recipe)));
        }
        return Ok(contents);
    }
    loop {
        contents.end = reader.offset;
        match reader.next(check)? {
            Ok(record) => contents.records.push(record),
            Err(NoRecord::Cut | NoRecord::Zeros) => break,
            Err(NoRecord::Damaged) => {
                contents.damage = Some(SegmentDamage::End(contents.end..length));
                break;
            }
        }
    }
    Ok(contents)
}

/// Returns the problem of a header that is not that of a recipe's journals.
fn header_fault(head: &[u8], recipe: &Recipe) -> &'static str {
    match SEGMENT_FILE.read::<0>(head) {
        Ok((found, _)) => recipe.difference(&found).unwrap_or("its header is damaged"),
        Err(why) => why,
    }
}

/// Reads the shard of a record that [`read`] has found sound at this offset.
pub(crate) fn read_shard(file: &mut File, shard: usize, offset: u64) -> io::Result<PackedShard> {
    let changed = || io::Error::other("it has changed in the meantime");
    let mut head = [0; RECORD_BYTES];
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(&mut head)?;
    let record = ShardRecord::from_bytes(&head, offset).ok_or_else(changed)?;
    if record.end() > file.metadata()?.len() {
        return Err(changed());
    }
    let mut streams = [Vec::new(), Vec::new()];
    for (stream, length) in streams.iter_mut().zip(record.entry.stored) {
        stream.try_reserve_exact(length as usize)?;
        stream.resize(length as usize, 0);
        file.read_exact(stream)?;
    }
    let packed = PackedShard {
        streams,
        plain: record.entry.plain.map(|length| length as usize),
        counts: record.counts,
        content: record.content,
    };
    if record.entry != packed.entry() || record.shard != shard {
        return Err(changed());
    }
    Ok(packed)
}

#[cfg(test)]
mod tests;
