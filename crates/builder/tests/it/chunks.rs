//! Chunks of a level: their builds, progress and digests, and their damaged journals.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use setrograde_builder::{
    Build, BuildError, BuildObserver, Chunk, FinishedChunk, Method, Portion, Silent, Stop, digests,
    plan,
};
use setrograde_lookup::format::manifest::{LevelRecord, Manifest, level_path, path_in};
use setrograde_lookup::{Database, Error as DatabaseError};
use tempfile::TempDir;

use crate::{build, build_by, built, journals};

const CARDS: usize = 8;
const CHUNKS: u32 = 4;

fn chunk(number: u32) -> Chunk {
    Chunk::new(number, CHUNKS).expect("there is such a chunk")
}

/// A database of 4 cards, and a build of 8.
fn begun() -> Result<(TempDir, Build), BuildError> {
    let directory = built(CARDS - 4)?;
    let eight = build(directory.path(), CARDS);
    Ok((directory, eight))
}

fn run(build: &Build, observer: &dyn BuildObserver) -> Result<Manifest, BuildError> {
    build.run(observer, &Stop::default())
}

fn run_chunk(
    build: &Build,
    number: u32,
    observer: &dyn BuildObserver,
) -> Result<Option<FinishedChunk>, BuildError> {
    build.run_chunk(chunk(number), observer, &Stop::default())
}

/// All reports of a build.
#[derive(Debug, Default, Clone, PartialEq)]
struct Progress {
    kept: Vec<u32>,
    unsound: Vec<(usize, Option<usize>)>,
    recovered: usize,
    damaged: usize,
    begun: Vec<(usize, Portion)>,
    resumed: Vec<Portion>,
    advanced: Portion,
    finished: Vec<u32>,
}

#[derive(Default)]
struct ProgressLog(Mutex<Progress>);

impl ProgressLog {
    fn note(&self, note: impl FnOnce(&mut Progress)) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns the reports since the last call.
    fn take(&self) -> Progress {
        let mut taken = Progress::default();
        self.note(|said| taken = std::mem::take(said));
        taken
    }
}

impl BuildObserver for ProgressLog {
    fn kept(&self, record: &LevelRecord) {
        self.note(|said| said.kept.push(record.level));
    }
    fn unsound(&self, cards: usize, shards: Option<usize>, _: &dyn Display) {
        self.note(|said| said.unsound.push((cards, shards)));
    }
    fn recovered(&self, manifest: &Path, why: &dyn Display) {
        let why = why.to_string();
        assert!(why.contains(&manifest.display().to_string()), "{why}");
        self.note(|said| said.recovered += 1);
    }
    fn damaged(&self, _: &Path, _: &dyn Display) {
        self.note(|said| said.damaged += 1);
    }
    fn begun(&self, cards: usize, all: Portion) {
        self.note(|said| said.begun.push((cards, all)));
    }
    fn resumed(&self, part: Portion) {
        self.note(|said| said.resumed.push(part));
    }
    fn advanced(&self, part: Portion) {
        self.note(|said| said.advanced += part);
    }
    fn finished(&self, record: &LevelRecord, _: Duration) {
        self.note(|said| said.finished.push(record.level));
    }
}

/// The parts without their sets, which are not known before they are built.
fn without_sets(part: Portion) -> Portion {
    Portion { sets: 0, ..part }
}

#[test]
fn reported_progress_sums_to_the_total() -> Result<(), Box<dyn Error>> {
    let (_directory, eight) = begun()?;
    let log = ProgressLog::default();
    let shares = plan(CARDS, Method::Refine, CHUNKS)?;
    let share = &shares[1];

    let first = run_chunk(&eight, 2, &log)?.ok_or("there")?;
    assert_eq!(first.shards, share.shards);
    assert!(first.work.lookups > 1_000);
    // Windows counts processor time in steps that are longer than a shard takes.
    assert!(cfg!(windows) || first.work.cpu > Duration::ZERO);
    let said = log.take();
    let all = Portion {
        partitions: share.partitions.len() as u64,
        sets: 0,
        cost: share.cost,
    };
    assert_eq!(said.begun, [(CARDS, all)]);
    assert_eq!(said.resumed, []);
    let built = said.advanced;
    assert_eq!(without_sets(built), all);
    assert!(built.sets > built.partitions);

    // A second build finds everything finished, with the work on it.
    assert_eq!(run_chunk(&eight, 2, &log)?, Some(first));
    let expected = Progress {
        begun: vec![(CARDS, all)],
        resumed: vec![built],
        ..Progress::default()
    };
    assert_eq!(log.take(), expected);

    let manifest = run(&eight, &log)?;
    let said = log.take();
    assert_eq!((said.kept, said.finished), (vec![1], vec![2]));
    let [(CARDS, whole)] = said.begun[..] else {
        return Err("another level is built".into());
    };
    let costs = shares.iter().map(|share| share.cost);
    assert_eq!(whole.cost, costs.sum::<u64>());
    assert_eq!(said.resumed, [built]);
    let mut sum = built;
    sum += said.advanced;
    assert_eq!(without_sets(sum), whole);
    let record = &manifest.levels[1];
    assert_eq!((sum.partitions, sum.sets), (record.partitions, record.sets));

    // There is nothing left to do.
    assert_eq!(run_chunk(&eight, 2, &log)?, None);
    // Only its header was read.
    assert!(log.take().kept.is_empty());
    assert_eq!(eight.seal(&[], &log)?, *record);
    assert_eq!(log.take().kept, [2]);
    Ok(())
}

#[test]
fn a_chunk_that_another_host_has_finished_is_not_built_again() -> Result<(), Box<dyn Error>> {
    let (directory, eight) = begun()?;
    let first = run_chunk(&eight, 2, &Silent)?;
    let own = journals(directory.path(), CARDS)?.remove(0);
    #[cfg(unix)]
    {
        let host = rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned();
        let host = host.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        assert_eq!(own, own.with_file_name(format!("chunk-2-of-4.{host}")));
    }
    fs::rename(&own, own.with_extension("elsewhere"))?;
    let log = ProgressLog::default();
    assert_eq!(run_chunk(&eight, 2, &log)?, first);
    assert_eq!(log.take().advanced, Portion::default());
    // A journal of another chunk has none of its shards.
    run_chunk(&eight, 3, &log)?;
    let said = log.take();
    assert_eq!(said.resumed, []);
    assert_eq!(without_sets(said.advanced), said.begun[0].1);
    Ok(())
}

#[test]
fn a_level_is_sealed_when_its_last_chunk_is_there() -> Result<(), Box<dyn Error>> {
    let (directory, eight) = begun()?;
    let directory = directory.path();
    run_chunk(&eight, 2, &Silent)?;
    // Cards, missing shards, and their chunks.
    let unfinished = || match eight.seal(&[], &Silent) {
        Err(BuildError::Unfinished {
            cards,
            shards,
            chunks,
            ..
        }) => Ok((cards, shards, chunks)),
        other => Err(format!("{other:?}")),
    };
    let shares = plan(CARDS, Method::Refine, CHUNKS)?;
    let missing = shares.iter().filter(|share| share.chunk != chunk(2));
    let shards = missing.map(|share| share.shards.len()).sum();
    assert_eq!(
        unfinished()?,
        (CARDS, shards, vec![chunk(1), chunk(3), chunk(4)])
    );
    // A journal of a finer cut than there are shards.
    let own = journals(directory, CARDS)?.remove(0);
    fs::rename(&own, own.with_file_name("chunk-7-of-1000.here"))?;
    let (.., chunks) = unfinished()?;
    let most = shares.last().ok_or("no chunk")?.shards.end;
    assert_eq!(chunks.len(), most - shares[1].shards.len());
    assert!(chunks.iter().all(|chunk| chunk.of() as usize == most));

    for number in [1, 3, 4] {
        run_chunk(&eight, number, &Silent)?;
    }
    let record = eight.seal(&[], &Silent)?;
    let whole = built(CARDS)?;
    let bytes = |directory: &Path| fs::read(level_path(directory, 2));
    assert!(bytes(directory)? == bytes(whole.path())?);
    assert_eq!(Database::open(directory)?.manifest().levels[1], record);
    assert!(!directory.join("level-08.work").exists());
    // Without the level below, no build begins.
    let early = build(directory, 16).seal(&[], &Silent);
    assert!(matches!(
        early,
        Err(BuildError::NoLevelBelow { cards: 12, .. })
    ));
    Ok(())
}

#[test]
fn digests_are_the_same_from_journals_and_from_the_level() -> Result<(), Box<dyn Error>> {
    let (directory, eight) = begun()?;
    let directory = directory.path();
    let all: Vec<Chunk> = (1..=CHUNKS).map(chunk).collect();
    let of = |directory, only| digests(directory, CARDS, Method::Refine, CHUNKS, only);
    let none: Vec<_> = all.iter().map(|&chunk| (chunk, None)).collect();
    assert_eq!(of(directory, None)?, none);
    run_chunk(&eight, 1, &Silent)?;
    run_chunk(&eight, 3, &Silent)?;
    let own = journals(directory, CARDS)?.remove(0);
    fs::rename(&own, own.with_extension("elsewhere"))?;
    let some = of(directory, None)?;
    let found: Vec<bool> = some.iter().map(|(_, digest)| digest.is_some()).collect();
    assert_eq!(found, [true, false, true, false]);
    run(&eight, &Silent)?;
    let whole = of(directory, None)?;
    assert!(whole.iter().map(|(chunk, _)| chunk).eq(&all));
    assert_eq!((some[0], some[2]), (whole[0], whole[2]));
    let different: BTreeSet<Option<u64>> = whole.iter().map(|&(_, digest)| digest).collect();
    assert!(different.len() == all.len() && !different.contains(&None));
    assert_eq!(of(directory, Some(chunk(3)))?, [whole[2]]);
    assert!(digests(directory, CARDS, Method::Refine, 0, None).is_err());
    assert!(digests(directory, 6, Method::Refine, CHUNKS, None).is_err());

    // Trees have none, in a level or in journals.
    let (trees, _) = begun()?;
    let trees = trees.path();
    let eight = build_by(Method::Setrograde, trees, CARDS);
    run_chunk(&eight, 1, &Silent)?;
    assert_eq!(of(trees, None)?, none);
    run(&eight, &Silent)?;
    assert_eq!(of(trees, None)?, none);
    Ok(())
}

#[test]
fn a_level_is_built_again_if_it_is_damaged_or_by_force() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let directory = directory.path();
    let eight = build(directory, CARDS);
    let log = ProgressLog::default();
    let manifest = run(&eight, &log)?;
    assert_eq!(log.take().finished, [1, 2]);
    assert_eq!(run(&eight, &log)?, manifest);
    let said = log.take();
    assert_eq!((said.kept, said.finished), (vec![1, 2], vec![]));

    let path = level_path(directory, 2);
    let sound = fs::read(&path)?;
    // Only the damaged shard is built again.
    let mut bytes = sound.clone();
    bytes[sound.len() - 100] ^= 1;
    fs::write(&path, bytes)?;
    assert_eq!(run(&eight, &log)?, manifest);
    let said = log.take();
    assert_eq!((said.kept, said.unsound), (vec![1], vec![(8, Some(1))]));
    assert_eq!(said.finished, [2]);
    let all = said.begun[0].1.partitions;
    assert!((1..=256).contains(&said.advanced.partitions), "{all}");
    assert!(fs::read(&path)? == sound);
    // If the index is damaged, the entire level is.
    let mut bytes = sound.clone();
    bytes[100] ^= 1;
    fs::write(&path, bytes)?;
    run(&eight, &log)?;
    let said = log.take();
    assert_eq!((said.kept, said.unsound), (vec![1], vec![(8, None)]));
    assert_eq!(said.advanced.partitions, all);
    assert!(fs::read(&path)? == sound);

    let by_force = Build {
        force: true,
        ..eight
    };
    run(&by_force, &log)?;
    let said = log.take();
    assert_eq!((said.kept, said.finished), (vec![], vec![1, 2]));
    assert!(fs::read(&path)? == sound);
    Ok(())
}

#[test]
fn the_deepest_level_must_fit_in_memory_before_one_begins() -> Result<(), Box<dyn Error>> {
    let directory = built(CARDS)?;
    let build = Build {
        memory: Some(1 << 30),
        ..build(directory.path(), 28)
    };
    let log = ProgressLog::default();
    let Err(BuildError::Memory {
        cards: 28,
        free: false,
        ..
    }) = run(&build, &log)
    else {
        return Err("it fits, or another level does not".into());
    };
    let said = log.take();
    assert_eq!((said.kept, said.begun), (vec![1, 2], vec![]));
    Ok(())
}

/// A missing or damaged manifest is restored from the levels, which are kept.
#[test]
fn a_manifest_is_made_again_from_the_levels() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let directory = directory.path();
    let eight = build(directory, CARDS);
    let manifest = run(&eight, &Silent)?;
    let path = path_in(directory);
    let sound = fs::read(&path)?;
    let levels = fs::read(level_path(directory, 2))?;
    let log = ProgressLog::default();
    let mut damaged = sound.clone();
    damaged[20] ^= 0xff;
    for bytes in [None, Some(&damaged[..]), Some(&sound[..30]), Some(&[])] {
        match bytes {
            Some(bytes) => fs::write(&path, bytes)?,
            None => fs::remove_file(&path)?,
        }
        // Readers need no manifest, but a damaged one is an error for them.
        let opened = Database::open(directory);
        assert_eq!(opened.is_ok(), bytes.is_none());
        let found = run(&eight, &log)?;
        let said = log.take();
        assert_eq!((said.kept, said.finished), (vec![1, 2], vec![]));
        assert_eq!((said.recovered, said.unsound), (1, vec![]));
        assert!(fs::read(level_path(directory, 2))? == levels);
        for (found, right) in found.levels.iter().zip(&manifest.levels) {
            let expected = LevelRecord {
                program: String::new(),
                largest: 0,
                cpu_milliseconds: 0,
                proofs: 0,
                lookups: 0,
                ..right.clone()
            };
            assert_eq!(*found, expected);
        }
        assert_eq!(Manifest::read(directory)?, found);
    }
    // A level that is missing from the manifest is used.
    let mut without = manifest.clone();
    without.levels.pop();
    fs::write(&path, without.to_bytes()?)?;
    let found = run(&eight, &log)?;
    assert_eq!(log.take().kept, [1, 2]);
    assert_eq!(found.levels[1].checksum, manifest.levels[1].checksum);
    Ok(())
}

/// An unreadable level does not count as damaged: the build fails and changes nothing.
#[cfg(unix)]
#[test]
fn a_level_that_cannot_be_read_is_not_built_again() -> Result<(), Box<dyn Error>> {
    use std::os::unix::fs::symlink;
    let directory = built(CARDS)?;
    let eight = build(directory.path(), CARDS);
    let path = level_path(directory.path(), 2);
    let aside = path.with_extension("aside");
    fs::rename(&path, &aside)?;
    // A link to itself: the system's error is not "not found".
    symlink(&path, &path)?;
    let log = ProgressLog::default();
    for found in [
        run(&eight, &log).map(drop),
        eight.seal(&[], &log).map(drop),
        run_chunk(&eight, 1, &log).map(drop),
    ] {
        let Err(BuildError::Database(DatabaseError::Io { .. })) = found else {
            return Err(format!("{found:?}").into());
        };
        let said = log.take();
        assert_eq!((said.unsound, said.begun), (vec![], vec![]));
    }
    fs::rename(&aside, &path)?;
    run(&eight, &log)?;
    assert_eq!(log.take().kept, [1, 2]);
    Ok(())
}

/// An empty journal, or one with a damaged header, is removed once the level is sealed.
#[test]
fn journals_that_are_worth_nothing_go_with_the_others() -> Result<(), Box<dyn Error>> {
    let (directory, eight) = begun()?;
    let work = directory.path().join("level-08.work");
    run_chunk(&eight, 2, &Silent)?;
    let mut damaged = fs::read(journals(directory.path(), CARDS)?.remove(0))?;
    damaged[30] ^= 1;
    run(&eight, &Silent)?;
    for bytes in [&[][..], &damaged, &damaged[..40], &[0; 64]] {
        fs::create_dir(&work)?;
        fs::write(work.join("chunk-3-of-4.elsewhere"), bytes)?;
        run(&eight, &Silent)?;
        assert!(!work.exists());
    }
    Ok(())
}

/// The partitions of the records of a journal from the one with byte `damaged` on.
fn partitions_from(journal: &[u8], damaged: usize) -> u64 {
    let (mut at, mut sum) = (64, 0);
    while at < journal.len() {
        let field = |offset| {
            let bytes = journal[at + offset..].first_chunk().expect("eight bytes");
            u64::from_le_bytes(*bytes)
        };
        let (streams, partitions) = (field(8) + field(16), field(56));
        at += 184 + streams as usize;
        sum += if at > damaged { partitions } else { 0 };
    }
    sum
}

#[test]
fn a_damaged_journal_loses_what_follows_the_damage_and_no_more() -> Result<(), Box<dyn Error>> {
    let right = fs::read(built(12)?.path().join("level-12.sdb"))?;
    let directory = built(8)?;
    let directory = directory.path();
    let twelve = build(directory, 12);
    let log = ProgressLog::default();
    let build = || twelve.run_chunk(Chunk::WHOLE, &log, &Stop::default());
    build()?;
    log.take();
    let path = journals(directory, 12)?.remove(0);
    let sound = fs::read(&path)?;
    let mut random = fastrand::Rng::with_seed(9);
    for round in 0..10 {
        let mut bytes = sound.clone();
        let at = match round {
            0 | 1 => 64 + 3,    // the number of the first shard
            2 => 64 + 8,        // the length of its first stream
            3 => 64 + 183,      // the checksum of its head
            4 => 64 + 184 + 10, // its streams
            5 => sound.len() - 1,
            _ => random.usize(64..sound.len()),
        };
        bytes[at] ^= 1 << random.u32(0..8);
        fs::write(&path, &bytes)?;
        // Reported once, because the journal is truncated then.
        for expected in [(partitions_from(&sound, at), 1), (0, 0)] {
            build()?;
            let said = log.take();
            let found = (said.advanced.partitions, said.damaged);
            assert_eq!(found, expected, "byte {at}");
        }
    }
    twelve.seal(&[], &Silent)?;
    assert!(fs::read(directory.join("level-12.sdb"))? == right);
    Ok(())
}
