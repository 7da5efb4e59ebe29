//! Journals with sound checksums that no build has written.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use setrograde_lookup::Database;

use setrograde_parallel::Stop;

use crate::counts::ShardCounts;
use crate::files::Disk;
use crate::level::journal::bytes::ShardRecord;
use crate::level::journal::{self, Journal, Recipe, Segment, segment_kind};
use crate::level::work_directory::WorkDirectory;
use crate::shard::PackedShard;
use crate::{Build, BuildError, Chunk, Silent};

fn build(directory: &Path, cards: usize) -> Build {
    Build {
        threads: Some(1),
        ..Build::new(directory, cards)
    }
}

/// A database of 4 cards, and the recipe of a journal of 8.
fn four_cards(directory: &Path) -> Result<Recipe, Box<dyn Error>> {
    build(directory, 4).run(&Silent, &Stop::default())?;
    let eight = build(directory, 8);
    eight.run_chunk(Chunk::new(1, 9).ok_or("none")?, &Silent, &Stop::default())?;
    let journal = own_journal(directory)?;
    let Segment::Sound(recipe) = segment_kind(&journal)? else {
        return Err("no recipe".into());
    };
    fs::remove_file(journal)?;
    Ok(recipe)
}

/// The journal that this host has written.
fn own_journal(directory: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let work = WorkDirectory::new(&Disk, directory, 2);
    Ok(work
        .journals(None)?
        .into_iter()
        .next()
        .ok_or("no journal")?)
}

/// The journal of another host. If two journals have a shard, the last one is valid.
fn elsewhere(directory: &Path) -> PathBuf {
    directory.join("level-08.work/chunk-1-of-1.zz-elsewhere")
}

/// Removes all segments of a journal.
fn remove(path: &Path) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(path.parent().ok_or("no directory")?)? {
        let segment = entry?.path();
        if is_segment(&segment, path) {
            fs::remove_file(segment)?;
        }
    }
    Ok(())
}

fn is_segment(segment: &Path, of: &Path) -> bool {
    segment == of || segment.file_stem() == of.file_name()
}

fn random_shard(random: &mut fastrand::Rng) -> PackedShard {
    let mut stream = |most: usize| -> Vec<u8> {
        let plain: Vec<u8> = (0..random.usize(0..most)).map(|_| random.u8(..)).collect();
        match random.u8(0..3) {
            0 => plain,
            _ => zstd::bulk::compress(&plain, 1).unwrap_or(plain),
        }
    };
    let streams = [stream(3_000), stream(3_000)];
    let mut number = || match random.u8(0..4) {
        0 => u64::MAX,
        1 => u64::from(u32::MAX),
        2 => random.u64(0..5_000),
        _ => random.u64(..),
    };
    let counts = ShardCounts::from_fields(std::array::from_fn(|_| number()));
    let content = number();
    let plain = [(); 2].map(|()| number() as u32 as usize);
    PackedShard {
        streams,
        plain,
        counts,
        content,
    }
}

#[test]
fn a_shard_that_no_build_has_written_is_named_and_never_put_in_place() -> Result<(), Box<dyn Error>>
{
    let directory = tempfile::tempdir()?;
    let directory = directory.path();
    let recipe = four_cards(directory)?;
    let path = elsewhere(directory);
    let mut random = fastrand::Rng::with_seed(1);
    for round in 0..60 {
        remove(&path)?;
        let (mut journal, _) = Journal::open(&Disk, &path, &recipe)?;
        // Shards of the level, and numbers far beyond.
        let shards = [random.usize(0..9), random.usize(0..9), random.usize(..)];
        for shard in shards {
            journal.append(shard, &random_shard(&mut random))?;
        }
        drop(journal);
        let found = build(directory, 8).run(&Silent, &Stop::default());
        let named = match &found {
            Err(BuildError::Shard { path: named, .. }) => is_segment(named, &path),
            // The level's header cannot represent such numbers.
            Err(BuildError::Database(_)) => true,
            _ => false,
        };
        assert!(named, "round {round}: {found:?}");
        assert!(!directory.join("level-08.sdb").exists());
        assert_eq!(Database::open(directory)?.max_tricks(), 1);
    }
    remove(&path)?;
    build(directory, 8).run(&Silent, &Stop::default())?;
    assert!(!directory.join("level-08.work").exists());
    Ok(())
}

#[test]
fn counts_that_are_not_those_of_the_shard_are_found() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let directory = directory.path();
    let recipe = four_cards(directory)?;
    // A sound journal, whose shards are taken one by one into another.
    let eight = build(directory, 8);
    eight.run_chunk(Chunk::WHOLE, &Silent, &Stop::default())?;
    let sound = own_journal(directory)?;
    let records = journal::read(&sound, &recipe, true)?.records;
    let path = elsewhere(directory);
    let changes: [fn(&mut PackedShard); 5] = [
        |shard| shard.counts.sets += 1,
        |shard| shard.counts.nodes -= 1,
        |shard| shard.counts.largest += 1,
        |shard| shard.counts.written += 1,
        |shard| shard.content ^= 1,
    ];
    for (change, at) in changes.into_iter().zip(2..) {
        let _ = fs::remove_file(&path);
        let (mut journal, _) = Journal::open(&Disk, &path, &recipe)?;
        let ShardRecord { shard, offset, .. } = records[at];
        let mut packed = journal::read_shard(&mut fs::File::open(&sound)?, shard, offset)?;
        change(&mut packed);
        journal.append(shard, &packed)?;
        drop(journal);
        let found = build(directory, 8).seal(&[], &Silent);
        match found {
            Err(BuildError::Shard {
                path: named,
                shard: found,
                ..
            }) => assert_eq!((named, found), (path.clone(), shard)),
            other => return Err(format!("change {at}: {other:?}").into()),
        }
    }
    fs::remove_file(&path)?;
    build(directory, 8).seal(&[], &Silent)?;
    Ok(())
}
