//! Journals are read back as written, and damaged records are never valid.

use setrograde_lookup::format::level_header::level_content;
use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::counts::ShardCounts;
use crate::files::Disk;
use crate::level::chunk_file::{LevelPlan, ReadError};
use crate::plan::Chunk;

const RECIPE: Recipe = Recipe {
    level: 2,
    payload: 1,
    shard_partitions: 256,
    below: 77,
    builder: 99,
};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// A new directory, and the path of a journal in it.
fn place() -> io::Result<(tempfile::TempDir, PathBuf)> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("journal");
    Ok((directory, path))
}

/// The bytes of a record of [`shard`].
const RECORD: usize = RECORD_BYTES + 150;

fn shard(number: u8) -> PackedShard {
    PackedShard {
        streams: [vec![number; 100], vec![number ^ 255; 50]],
        plain: [200, 300],
        counts: ShardCounts {
            partitions: 256,
            sets: 1000 + u64::from(number),
            cpu_nanoseconds: 9,
            ..ShardCounts::default()
        },
        content: u64::from(number) << 40,
    }
}

fn shards(contents: &Contents) -> Vec<usize> {
    contents.records.iter().map(|record| record.shard).collect()
}

/// A journal of the shards 5, 3 and 8.
fn written(path: &Path) -> Result<Vec<u8>, BuildError> {
    let (mut journal, segments) = Journal::open(&Disk, path, &RECIPE)?;
    assert!(segments.len() == 1 && shards(&segments[0].1).is_empty());
    for number in [5, 3, 8] {
        journal.append(number, &shard(number as u8))?;
    }
    journal.sync()?;
    std::fs::read(path).at(path, "read")
}

/// The bytes of these numbers.
fn bytes_of(numbers: &[u64]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

/// These bytes, and their checksum.
fn with_checksum(bytes: Vec<u8>) -> Vec<u8> {
    let checksum = xxh3_64(&bytes).to_le_bytes();
    [bytes, checksum.to_vec()].concat()
}

/// The head of the record of [`shard`], as `docs/format.md` has it.
fn head_of(number: u64) -> Vec<u8> {
    let streams = shard(number as u8).streams.concat();
    let mut fields = vec![number, 100, 50, 200, 300, number << 40, xxh3_64(&streams)];
    fields.extend([256, 1000 + number, 0, 0, 0, 0, 0, 9]);
    fields.extend([0; 7]);
    with_checksum(bytes_of(&fields))
}

#[test]
fn journals_and_chunks_have_the_bytes_of_the_document() -> Tested {
    let (directory, path) = place()?;
    let recipe = [1, 2, 1, 256, 77, 99];
    let header = with_checksum([b"setrogj\n".to_vec(), bytes_of(&recipe)].concat());
    let record = |number: u64| [head_of(number), shard(number as u8).streams.concat()].concat();
    let expected = [header, record(5), record(3), record(8)].concat();
    assert_eq!(written(&path)?, expected);

    // The second of two chunks of four shards: shards 2 and 3.
    let path = directory.path().join("chunk");
    let chunk = Chunk::new(2, 2).ok_or("a chunk")?;
    let plan = LevelPlan {
        recipe: RECIPE,
        costs: vec![1; 4],
    };
    let digest = plan.write(&Disk, &path, chunk, |number| Ok(shard(number as u8)))?;
    let header = [b"setrogc\n".to_vec(), bytes_of(&recipe), bytes_of(&[2, 2])];
    let header = with_checksum(header.concat());
    let heads = [header.clone(), head_of(2), head_of(3)].concat();
    let mut end = vec![u64::MAX, 0, 0, 0, 0, digest, xxh3_64(&heads)];
    end.extend([0; 15]);
    let streams = [2, 3].map(|number| shard(number).streams.concat());
    let [second, third] = [head_of(2), head_of(3)];
    let end = with_checksum(bytes_of(&end));
    let expected = [&header, &second, &streams[0], &third, &streams[1], &end];
    assert_eq!(
        std::fs::read(&path)?,
        expected.map(|part| &part[..]).concat()
    );
    assert_eq!(digest, level_content([2 << 40, 3 << 40]));
    // A file with a byte more, a byte less or a changed one is not the chunk.
    let whole = std::fs::read(&path)?;
    assert_eq!(
        plan.read(&path).map_err(|why| format!("{why:?}"))?.digest,
        digest
    );
    let mut random = fastrand::Rng::with_seed(6);
    for round in 0..400 {
        let mut bytes = whole.clone();
        match round {
            0 => bytes.push(0),
            1..200 => bytes.truncate(random.usize(..whole.len())),
            _ => bytes[random.usize(..whole.len())] ^= 1 << random.u8(..8),
        }
        std::fs::write(&path, bytes)?;
        assert!(
            matches!(plan.read(&path), Err(ReadError::Unusable(_))),
            "{round}"
        );
    }
    Ok(())
}

#[test]
fn a_torn_end_is_cut_off_and_the_work_goes_on() -> Tested {
    let (_directory, path) = place()?;
    let whole = written(&path)?;
    for (length, zeros) in (0..whole.len()).flat_map(|length| [(length, 0), (length, 700)]) {
        let torn = [&whole[..length], &vec![0; zeros]].concat();
        std::fs::write(&path, &torn)?;
        let kept = length.saturating_sub(HEADER_BYTES) / RECORD;
        // Zeros after a part of a header, or in a record, are damage.
        let is_header = 0 < length && length < HEADER_BYTES && zeros > 0;
        let is_record = length > HEADER_BYTES + kept * RECORD && zeros > 0;
        let opened = Journal::open(&Disk, &path, &RECIPE);
        if is_header {
            assert!(
                matches!(opened, Err(BuildError::Journal { .. })),
                "{length}"
            );
            continue;
        }
        let (mut journal, segments) = opened?;
        assert_eq!(shards(&segments[0].1), [5, 3, 8][..kept], "{length} bytes");
        assert!(
            is_record || segments[0].1.damage.is_none(),
            "{length} bytes"
        );
        assert_eq!(
            std::fs::metadata(&path)?.len(),
            (HEADER_BYTES + kept * RECORD) as u64
        );
        journal.append(1, &shard(1))?;
        drop(journal);
        let mut expected = [5, 3, 8][..kept].to_vec();
        expected.push(1);
        assert_eq!(shards(&read(&path, &RECIPE, true)?), expected);
    }
    Ok(())
}

/// Reads a journal whose bytes were damaged, continues it, and reads it again.
/// Returns the shards found first.
fn mended(path: &Path, damaged: &[u8]) -> Result<Vec<usize>, BuildError> {
    std::fs::write(path, damaged).at(path, "write")?;
    let contents = read(path, &RECIPE, true)?;
    let found = shards(&contents);
    let (mut journal, own) = Journal::open(&Disk, path, &RECIPE)?;
    assert_eq!(
        (shards(&own[0].1), &own[0].1.damage),
        (found.clone(), &contents.damage)
    );
    // The lost bytes are truncated at once.
    let length = std::fs::metadata(path).at(path, "read")?.len();
    assert_eq!(length, (HEADER_BYTES + found.len() * RECORD) as u64);
    for lost in [5, 3, 8] {
        if !found.contains(&lost) {
            journal.append(lost, &shard(lost as u8))?;
        }
    }
    drop(journal);
    let after = read(path, &RECIPE, true)?;
    assert_eq!((shards(&after), after.damage), (vec![5, 3, 8], None));
    let mut file = open_to_read(path).at(path, "open")?;
    for record in after.records {
        let found = read_shard(&mut file, record.shard, record.offset).at(path, "read")?;
        let written = shard(record.shard as u8);
        assert_eq!(
            (found.streams, found.plain),
            (written.streams, written.plain)
        );
        assert_eq!(
            (found.content, found.counts),
            (written.content, written.counts)
        );
    }
    Ok(found)
}

#[test]
fn a_flipped_bit_costs_the_rest_of_its_segment() -> Tested {
    let (_directory, path) = place()?;
    let mut bytes = written(&path)?;
    for at in 0..bytes.len() {
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&path, &bytes)?;
        assert!(read(&path, &RECIPE, true)?.damage.is_some(), "byte {at}");
        match at.checked_sub(HEADER_BYTES) {
            Some(at) => {
                let left = [5, 3, 8][..at / RECORD].to_vec();
                assert_eq!(mended(&path, &bytes)?, left, "byte {at}");
            }
            // An unknown file is not changed.
            None => {
                let found = Journal::open(&Disk, &path, &RECIPE).map(drop);
                assert!(matches!(found, Err(BuildError::Journal { .. })));
                assert_eq!(std::fs::read(&path)?, bytes);
            }
        }
        bytes[at] ^= 1 << (at % 8);
    }
    Ok(())
}

#[test]
fn what_is_zeroed_lost_or_strange_costs_what_follows_it() -> Tested {
    let (_directory, path) = place()?;
    let sound = written(&path)?;
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..300 {
        let from = random.usize(HEADER_BYTES..sound.len());
        let block = from..(from + random.usize(1..400)).min(sound.len());
        let mut bytes = sound.clone();
        match round % 3 {
            0 => bytes[block.clone()].fill(0),
            1 => drop(bytes.drain(block.clone())),
            _ => block.clone().for_each(|at| bytes[at] = random.u8(..)),
        }
        let same = bytes.iter().zip(&sound).take_while(|(a, b)| a == b).count();
        let left = (same - HEADER_BYTES) / RECORD;
        assert_eq!(
            mended(&path, &bytes)?,
            [5, 3, 8][..left],
            "round {round}, {block:?}"
        );
    }
    Ok(())
}

#[test]
fn a_journal_has_as_many_segments_as_it_needs() -> Tested {
    let (_directory, path) = place()?;
    let in_segment = (SEGMENT as usize - HEADER_BYTES).div_ceil(RECORD);
    let count = 3 * in_segment + 1;
    // Processes continue it at every offset.
    let mut written = 0;
    for round in 0.. {
        let (mut journal, segments) = Journal::open(&Disk, &path, &RECIPE)?;
        let found: Vec<usize> = segments.iter().flat_map(|(_, one)| shards(one)).collect();
        assert_eq!(found, (0..written).collect::<Vec<_>>());
        for _ in 0..=round % 4 {
            journal.append(written, &shard(written as u8))?;
            written += 1;
        }
        if written >= count {
            break;
        }
    }
    let lengths = |number| std::fs::metadata(segment(&path, number)).map(|file| file.len());
    for number in 0..3 {
        assert_eq!(
            lengths(number)?,
            (HEADER_BYTES + in_segment * RECORD) as u64
        );
    }
    assert!(lengths(4).is_err());
    // Damage to one segment does not affect the rest.
    let mut bytes = std::fs::read(segment(&path, 1))?;
    bytes[HEADER_BYTES + 3 * RECORD] ^= 1;
    std::fs::write(segment(&path, 1), bytes)?;
    let (journal, segments) = Journal::open(&Disk, &path, &RECIPE)?;
    drop(journal);
    let left = segments.iter().map(|(_, one)| one.records.len());
    assert_eq!(
        left.collect::<Vec<_>>(),
        [in_segment, 3, in_segment, written - 3 * in_segment]
    );
    // An empty segment is begun again.
    std::fs::write(segment(&path, 4), [])?;
    let (mut journal, segments) = Journal::open(&Disk, &path, &RECIPE)?;
    assert_eq!(segments.len(), 5);
    journal.append(1, &shard(1))?;
    drop(journal);
    assert_eq!(shards(&read(&segment(&path, 4), &RECIPE, true)?), [1]);
    Ok(())
}

#[test]
fn what_is_not_ours_or_of_another_recipe_is_refused_by_name_and_kept() -> Tested {
    let (_directory, path) = place()?;
    let before = written(&path)?;
    let other = Recipe {
        below: 78,
        ..RECIPE
    };
    let contents = read(&path, &other, true)?;
    assert!(contents.records.is_empty());
    let why = "it was made from another level below";
    assert_eq!(contents.damage, Some(SegmentDamage::Whole(why)));
    let found = Journal::open(&Disk, &path, &other);
    assert!(matches!(found, Err(BuildError::Journal { why: found, .. }) if found == why));
    assert_eq!(std::fs::read(&path)?, before);
    assert!(matches!(segment_kind(&path)?, Segment::Sound(recipe) if recipe == RECIPE));
    // Files of others, short and long, and journals of another version or with a damaged header.
    let mut other_version = before.clone();
    other_version[8] = 9;
    other_version[56..64].copy_from_slice(b"checksum");
    let mut damaged = before.clone();
    damaged[20..40].fill(0x55);
    let precious = b"Do not lose me.\n";
    for (bytes, expected) in [
        (precious.to_vec(), "it is not a journal"),
        (precious.repeat(100), "it is not a journal"),
        (other_version, "it is of another version"),
        (damaged, "its header is damaged"),
    ] {
        std::fs::write(&path, &bytes)?;
        let Err(BuildError::Journal { path: named, why }) = Journal::open(&Disk, &path, &RECIPE)
        else {
            return Err("it was taken for a journal".into());
        };
        assert_eq!((&named, why), (&path, expected));
        assert_eq!(std::fs::read(&path)?, bytes);
    }
    Ok(())
}

#[test]
fn one_process_at_a_time_writes() -> Tested {
    let (_directory, path) = place()?;
    let first = Journal::open(&Disk, &path, &RECIPE)?;
    let second = Journal::open(&Disk, &path, &RECIPE).map(drop);
    assert!(matches!(second, Err(BuildError::Busy { .. })));
    drop(first);
    Journal::open(&Disk, &path, &RECIPE)?;
    Ok(())
}

#[test]
fn one_process_holds_a_lock_that_its_owners_remove() -> Tested {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    let (_directory, path) = place()?;
    let (held, owners) = (AtomicBool::new(false), AtomicUsize::new(0));
    // However long the machine leaves an owner waiting.
    let end = Instant::now() + Duration::from_secs(60);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while owners.load(Ordering::SeqCst) < 400 && Instant::now() < end {
                    let Ok(lock) = take_lock(&Disk, &path) else {
                        std::thread::yield_now();
                        continue;
                    };
                    assert!(!held.swap(true, Ordering::SeqCst), "two at once");
                    owners.fetch_add(1, Ordering::SeqCst);
                    std::thread::yield_now();
                    held.store(false, Ordering::SeqCst);
                    Disk.remove_file(&lock_path(&path)).expect("removed");
                    drop(lock);
                }
            });
        }
    });
    assert!(owners.into_inner() >= 400);
    Ok(())
}

/// A sparse file of a terabyte, after a sound header or not, is refused before it is read.
#[test]
fn a_journal_larger_than_any_is_refused_at_once() -> Tested {
    let (_directory, path) = place()?;
    for header in [SEGMENT_FILE.header(&RECIPE, &[]), Vec::new()] {
        std::fs::write(&path, header)?;
        let file = File::options().write(true).open(&path)?;
        // Not every file system has such files.
        if file.set_len(1 << 40).is_err() {
            return Ok(());
        }
        let begun = Instant::now();
        let why = "it is larger than any journal";
        let damage = Some(SegmentDamage::Whole(why));
        assert_eq!(read(&path, &RECIPE, true)?.damage, damage);
        assert_eq!(read(&path, &RECIPE, false)?.damage, damage);
        let opened = Journal::open(&Disk, &path, &RECIPE);
        assert!(matches!(opened, Err(BuildError::Journal { .. })));
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
    Ok(())
}
