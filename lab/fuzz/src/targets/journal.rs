//! A journal of an unfinished level, with sound checksums where its fields
//! allow it. A build that continues it ends with the same bytes as any other where only its
//! checksums can show that it was changed, or with an error that leaves the journal alone.
//!
//! An input is the bytes of a journal of the 8-card level.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use setrograde_builder::{Build, Chunk, Silent, Stop};
use setrograde_lookup::format::manifest::level_path;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use crate::golden::{CARDS, GOLDEN, scratch};

const HEADER_BYTES: usize = 64;
const RECORD_BYTES: usize = 184;

/// A directory with the 4-card level and a journal of the 8-card level, and
/// the journal's path within it.
static UNFINISHED: LazyLock<(TempDir, PathBuf)> = LazyLock::new(|| {
    let directory = scratch();
    let mut build = Build::new(directory.path(), CARDS - 4);
    build.threads = Some(1);
    let stop = Stop::default();
    build.run(&Silent, &stop).expect("4 cards");
    build.cards = CARDS;
    let chunk = Chunk::new(1, 1).expect("a chunk");
    build.run_chunk(chunk, &Silent, &stop).expect("a chunk");
    let work = directory.path().join(format!("level-{CARDS:02}.work"));
    let journal = std::fs::read_dir(work)
        .expect("the directory of journals")
        .map(|entry| entry.expect("an entry").path())
        .max_by_key(|path| path.metadata().map_or(0, |data| data.len()))
        .expect("a journal");
    let relative = journal.strip_prefix(directory.path()).expect("within");
    let relative = relative.to_owned();
    (directory, relative)
});

pub fn seeds() -> Vec<Vec<u8>> {
    let (directory, journal) = &*UNFINISHED;
    let journal = std::fs::read(directory.path().join(journal)).expect("a journal");
    vec![journal.clone(), journal[..journal.len() / 2].to_vec()]
}

fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("a directory") {
        let entry = entry.expect("an entry");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir(&target).expect("a directory");
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).expect("a copy");
        }
    }
}

/// The journal with correct checksums, up to the first invalid length.
fn repaired(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    if bytes.len() < HEADER_BYTES {
        return bytes;
    }
    let sum = |bytes: &[u8]| xxh3_64(bytes).to_le_bytes();
    let header = sum(&bytes[..HEADER_BYTES - 8]);
    bytes[HEADER_BYTES - 8..HEADER_BYTES].copy_from_slice(&header);
    let mut at = HEADER_BYTES;
    while let Some(record) = bytes.get(at..at + RECORD_BYTES) {
        let field = |n: usize| {
            let bytes = record[8 * n..8 * n + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(bytes)
        };
        let length = field(1).saturating_add(field(2));
        let streams = usize::try_from(length)
            .ok()
            .and_then(|length| bytes.get(at + RECORD_BYTES..)?.get(..length));
        let Some(streams) = streams else {
            break;
        };
        let (of_streams, length) = (sum(streams), streams.len());
        bytes[at + 48..at + 56].copy_from_slice(&of_streams);
        let of_record = sum(&bytes[at..at + RECORD_BYTES - 8]);
        bytes[at + RECORD_BYTES - 8..at + RECORD_BYTES].copy_from_slice(&of_record);
        at += RECORD_BYTES + length;
    }
    bytes
}

pub fn run(input: &[u8]) {
    let (unfinished, journal) = &*UNFINISHED;
    for bytes in [input.to_vec(), repaired(input)] {
        let sound_streams = bytes == input;
        let directory = scratch();
        copy(unfinished.path(), directory.path());
        std::fs::write(directory.path().join(journal), &bytes).expect("written");
        let mut build = Build::new(directory.path(), CARDS);
        build.threads = Some(1);
        if build.run(&Silent, &Stop::default()).is_ok() && sound_streams {
            let built = std::fs::read(level_path(directory.path(), CARDS / 4)).expect("a level");
            assert!(built == GOLDEN[0].levels[CARDS / 4 - 1].file, "other bytes");
        }
    }
}
