//! The shards of an unfinished level, where its builds have written them down.
//!
//! A record of a journal is all that a shard of a level is, so a level can be
//! asked before it is whole. The journals are laid end to end, as if they were
//! one file. Builds may append meanwhile: what they add is seen when
//! the level is opened next.

use std::cmp::Reverse;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use setrograde_endgame::partition_index::PartitionIndex;

use super::file::{Access, FilePart, LevelFile, open_regular};
use super::held::Held;
use crate::error::Error;
use crate::format::journal::{
    HEADER_BYTES, RECORD_BYTES, Recipe, Record, next_record, read_header, work_directory,
};
use crate::format::level_header::{self, DIAGRAMS, Entry, Header, TREES};
use crate::format::limits::{DEEPEST, MAX_SHARD_PARTITIONS, check_entry};

/// A shard in a journal.
struct Found {
    partitions: Range<usize>,
    entry: Entry,
    record: Record,
}

/// A journal with what it holds.
struct Journal {
    part: FilePart,
    payload: u32,
    found: Vec<Found>,
}

/// The finished shards of a level of the database in a directory, built from the
/// level below that has the checksum `below`. `None` if there are none.
///
/// Journals of another level below, records that are not whole, and shards that
/// another record holds too are left out.
pub(super) fn read(
    database: &Path,
    level: usize,
    below: u64,
    access: Access,
) -> Result<Option<(LevelFile, PartitionIndex, Held)>, Error> {
    if level > DEEPEST as usize {
        return Ok(None);
    }
    let directory = work_directory(database, level);
    let paths = paths_in(&directory).map_err(Error::io(&directory, "read"))?;
    let mut partitions = None;
    let mut journals = Vec::new();
    let mut start = 0;
    for path in paths {
        let Some((part, recipe)) = open(&path, start, access)? else {
            continue;
        };
        let payload = match u32::try_from(recipe.payload) {
            Ok(payload @ (DIAGRAMS | TREES)) => payload,
            _ => continue,
        };
        if recipe.level != level as u64 || recipe.below != below {
            continue;
        }
        let partitions = partitions.get_or_insert_with(|| PartitionIndex::new(level));
        let found = records(&part, &recipe, payload, partitions.len())?;
        start += part.length();
        journals.push(Journal {
            part,
            payload,
            found,
        });
    }
    let (Some(partitions), Some(payload)) = (partitions, kind_of(&journals)) else {
        return Ok(None);
    };
    let mut parts = Vec::new();
    let mut found = Vec::new();
    for journal in journals {
        parts.push(journal.part);
        if journal.payload == payload {
            found.extend(journal.found);
        }
    }
    leave_out_overlaps(&mut found);
    let header = header(level, payload, &partitions, &found);
    let held = Held::new(
        partitions.len(),
        found.iter().map(|shard| shard.partitions.clone()),
    );
    let entries = found.iter().map(|shard| shard.entry).collect();
    let file = LevelFile::of_parts(directory, parts, header, entries);
    Ok(Some((file, partitions, held)))
}

/// What is in a directory, sorted; nothing if there is no such directory.
fn paths_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The kind of payload to take, one for the whole level: diagrams, which all questions
/// know, if there are any.
fn kind_of(journals: &[Journal]) -> Option<u32> {
    let holds = |journal: &Journal, kind| journal.payload == kind && !journal.found.is_empty();
    [DIAGRAMS, TREES]
        .into_iter()
        .find(|&kind| journals.iter().any(|journal| holds(journal, kind)))
}

/// Sorts shards by their partitions, and of those that overlap leaves the larger
/// one; of equal ones the later one, since an earlier one may be damaged.
fn leave_out_overlaps(found: &mut Vec<Found>) {
    found.reverse();
    found.sort_by_key(|shard| (shard.partitions.start, Reverse(shard.partitions.end)));
    let mut end = 0;
    found.retain(|shard| {
        let is_new = shard.partitions.start >= end;
        end = end.max(shard.partitions.end);
        is_new
    });
}

/// The header of a level with these shards.
fn header(level: usize, payload: u32, partitions: &PartitionIndex, found: &[Found]) -> Header {
    let sum = |count: fn(&Record) -> u64| {
        let counts = found.iter().map(|shard| count(&shard.record));
        counts.fold(0, u64::saturating_add)
    };
    Header {
        level: level as u32,
        payload,
        partitions: partitions.len() as u64,
        shard_partitions: 1,
        shards: found.len() as u32,
        nodes: sum(Record::nodes),
        sets: sum(Record::sets),
        content: level_header::level_content(found.iter().map(|shard| shard.record.content)),
    }
}

/// Opens a journal to lie at `start`; `None` if the file is not one, or gone.
fn open(path: &Path, start: u64, access: Access) -> Result<Option<(FilePart, Recipe)>, Error> {
    if !path.is_file() {
        return Ok(None);
    }
    let (file, length) = match open_regular(path) {
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(None);
        }
        opened => opened?,
    };
    if length < HEADER_BYTES as u64 {
        return Ok(None);
    }
    let part = FilePart::new(path, file, length, start, access)?;
    let head = part.bytes(start, HEADER_BYTES)?;
    let recipe = head.first_chunk().and_then(|head| read_header(head).ok());
    drop(head);
    Ok(recipe.map(|recipe| (part, recipe)))
}

/// The shards of a journal whose heads are sound. The streams are checked when
/// they are unpacked.
fn records(
    part: &FilePart,
    recipe: &Recipe,
    payload: u32,
    partitions: usize,
) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    let mut at = HEADER_BYTES as u64;
    let read = |at, bytes| part.bytes(part.start() + at, bytes);
    while let Some((offset, record)) = next_record(at, part.length(), read)? {
        let streams = offset + RECORD_BYTES as u64;
        let start = part.start() + streams;
        found.extend(shard(&record, start, recipe, payload, partitions));
        at = streams + record.stream_bytes();
    }
    Ok(found)
}

/// The shard of a record, if there can be such a one.
fn shard(
    record: &Record,
    offset: u64,
    recipe: &Recipe,
    payload: u32,
    partitions: usize,
) -> Option<Found> {
    let size = usize::try_from(recipe.shard_partitions).ok()?;
    if size == 0 || size > MAX_SHARD_PARTITIONS as usize {
        return None;
    }
    let first = usize::try_from(record.shard).ok()?.checked_mul(size)?;
    let numbers = first..partitions.min(first.checked_add(size)?);
    let bytes = |count: u64| u32::try_from(count).ok();
    let entry = Entry {
        offset,
        checksum: record.checksum,
        stored: [bytes(record.stored[0])?, bytes(record.stored[1])?],
        plain: [bytes(record.plain[0])?, bytes(record.plain[1])?],
        nodes: bytes(record.written())?,
    };
    let is_possible =
        !numbers.is_empty() && check_entry(&entry, payload, numbers.len() as u64).is_ok();
    is_possible.then_some(Found {
        partitions: numbers,
        entry,
        record: *record,
    })
}
