//! Journals are read as written, and damaged records never count.

use super::*;
use crate::files::Disk;
use crate::shard::ShardCounts;

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
    let (mut journal, contents) = Journal::open(&Disk, path, &RECIPE)?;
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
        let (mut journal, contents) = Journal::open(&Disk, &path, &RECIPE)?;
        assert_eq!(shards(&contents), [5, 3, 8][..kept], "{length} bytes");
        journal.append(1, &shard(1))?;
        drop(journal);
        let mut expected = [5, 3, 8][..kept].to_vec();
        expected.push(1);
        assert_eq!(shards(&read(&path, &RECIPE)?), expected);
    }
    Ok(())
}

/// Reads a journal whose bytes were damaged, continues it, and reads it again.
/// Returns the shards found first.
fn mended(path: &Path, damaged: &[u8]) -> Result<Vec<usize>, BuildError> {
    std::fs::write(path, damaged).map_err(BuildError::io(path, "write"))?;
    let contents = read(path, &RECIPE)?;
    let found = shards(&contents);
    let (mut journal, own) = Journal::open(&Disk, path, &RECIPE)?;
    assert_eq!(
        (shards(&own), &own.damage),
        (found.clone(), &contents.damage)
    );
    for lost in [5, 3, 8] {
        if !found.contains(&lost) {
            journal.append(lost, &shard(lost as u8))?;
        }
    }
    drop(journal);
    let after = read(path, &RECIPE)?;
    let mut all = shards(&after);
    all.sort_unstable();
    assert_eq!(all, [3, 5, 8]);
    // What is left of a record that lost bytes may be too short to strike out.
    if damaged.len() == HEADER_BYTES + 3 * (RECORD_BYTES + 150) {
        assert_eq!(after.damage, None);
    }
    let mut open = OpenJournal::open(path)?;
    for place in after.places {
        assert_eq!(open.shard(place)?.streams, shard(place.shard as u8).streams);
    }
    Ok(found)
}

#[test]
fn a_flipped_bit_costs_the_record_that_it_hits() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("journal");
    let mut bytes = written(&path)?;
    let record = (bytes.len() - HEADER_BYTES) / 3;
    for at in 0..bytes.len() {
        bytes[at] ^= 1 << (at % 8);
        let mut left = vec![5, 3, 8];
        if let Some(at) = at.checked_sub(HEADER_BYTES) {
            left.remove(at / record);
        }
        assert_eq!(mended(&path, &bytes)?, left, "byte {at}");
        std::fs::write(&path, &bytes)?;
        assert!(read(&path, &RECIPE)?.damage.is_some(), "byte {at}");
        bytes[at] ^= 1 << (at % 8);
    }
    Ok(())
}

#[test]
fn blocks_that_are_zeroed_lost_or_strange_cost_the_records_that_they_hit()
-> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("journal");
    let sound = written(&path)?;
    let record = (sound.len() - HEADER_BYTES) / 3;
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
        let left: Vec<usize> = (0..3)
            .filter(|at| {
                let own = HEADER_BYTES + at * record..HEADER_BYTES + (at + 1) * record;
                own.end <= block.start
                    || block.end <= own.start
                    || bytes.get(own.clone()) == Some(&sound[own])
            })
            .map(|at| [5, 3, 8][at])
            .collect();
        let found = mended(&path, &bytes)?;
        if round % 3 == 1 {
            // The head before lost bytes may lead into the record after them.
            assert!(found.iter().all(|shard| left.contains(shard)), "{block:?}");
            assert!(found.len() + 1 >= left.len(), "round {round}, {block:?}");
        } else {
            assert_eq!(found, left, "round {round}, {block:?}");
        }
    }
    Ok(())
}

#[test]
fn another_recipe_is_refused_by_name_and_kept() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("journal");
    let before = written(&path)?;
    let other = Recipe {
        below: 78,
        ..RECIPE
    };
    let contents = read(&path, &other)?;
    assert!(contents.places.is_empty());
    assert_eq!(
        contents.damage,
        Some(Damage::Whole("it was made from another level below"))
    );
    let found = Journal::open(&Disk, &path, &other);
    assert!(matches!(
        found,
        Err(BuildError::Journal {
            why: "it was made from another level below",
            ..
        })
    ));
    assert_eq!(std::fs::read(&path)?, before);
    assert_eq!(recipe_of(&path), Some(RECIPE));
    Ok(())
}

#[test]
fn one_process_at_a_time_writes() -> Result<(), Box<dyn std::error::Error>> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("journal");
    let first = Journal::open(&Disk, &path, &RECIPE)?;
    assert!(matches!(
        Journal::open(&Disk, &path, &RECIPE),
        Err(BuildError::Busy { .. })
    ));
    drop(first);
    Journal::open(&Disk, &path, &RECIPE)?;
    Ok(())
}
