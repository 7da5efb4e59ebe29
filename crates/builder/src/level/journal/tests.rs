//! What is written is read, and what is not sound never counts.

use super::*;
use crate::files::Disk;
use crate::shard::counts::ShardCounts;

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

#[test]
fn every_flipped_bit_costs_a_record_and_never_passes() -> Result<(), Box<dyn std::error::Error>> {
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
        contents.damage.as_deref(),
        Some("it was made from another level below")
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
