//! A level that is asked before it is whole.

use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use setrograde_builder::{Build, BuildObserver, Chunk, Method, Portion, Silent, Unpack};
use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_lookup::{Database, Ending, Note, ProbeError};

type Outcome = Result<(), Box<dyn Error>>;

static GO_ON: AtomicBool = AtomicBool::new(false);
const CARDS: usize = 12;
const LEVEL: usize = CARDS / 4;

fn build(directory: &Path, cards: usize) -> Build {
    Build {
        threads: Some(1),
        ..Build::new(directory, cards)
    }
}

/// A database of 8 cards with chunks 2 and 5 of 7 of the next level.
fn two_chunks(directory: &Path) -> Outcome {
    build(directory, CARDS - 4).run(&Silent, &GO_ON)?;
    for number in [2, 5] {
        let chunk = Chunk::new(number, 7).ok_or("no chunk")?;
        build(directory, CARDS).run_chunk(chunk, &Silent, &GO_ON)?;
    }
    Ok(())
}

/// Puts what is finished to work, and opens it.
fn open(directory: &Path) -> Result<Database, Box<dyn Error>> {
    let unpack = Unpack {
        directory: directory.to_owned(),
        threads: Some(1),
        force: false,
        most: None,
    };
    unpack.run(|_, _, _| (), &GO_ON)?;
    Ok(Database::open(directory)?)
}

fn journals(directory: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let entries = fs::read_dir(directory.join(format!("level-{CARDS:02}.work")))?;
    let mut paths: Vec<_> = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    paths.retain(|path| !path.display().to_string().contains("lock."));
    paths.sort();
    Ok(paths)
}

/// Compares what is held of the unfinished level with the whole one, ending by
/// ending. Returns how many of N random endings were held.
fn compare(unfinished: &Database, whole: &Database, count: usize) -> Result<usize, Box<dyn Error>> {
    let level = unfinished.unfinished().ok_or("nothing is held")?;
    assert_eq!(level.level(), LEVEL);
    let mut random = fastrand::Rng::with_seed(3);
    let mut answered = 0;
    for _ in 0..count {
        let deal = Deal::random_ending(LEVEL, &mut random);
        let strain = Strain::ALL[random.usize(..5)];
        let position = Position::new(strain, Seat::North, deal, &[])?;
        let ending = Ending::from_position(&position)?;
        let right = whole.locate(&ending)?.ok_or("not held")?.value()?;
        let partition = ending.canonical().partition;
        let number = level.partitions().number(partition);
        match unfinished.locate(&ending)? {
            Some(located) => {
                assert_eq!(located.value()?, right, "{position}");
                assert!(level.holds(partition));
                answered += 1;
            }
            None => {
                let ProbeError::PartitionNotHeld { cards, number: of } =
                    unfinished.not_held(&ending)
                else {
                    return Err("another error".into());
                };
                assert_eq!((cards, of), (CARDS, number));
                assert!(!level.holds(partition));
            }
        }
        // A trick of search, and the level below.
        assert_eq!(unfinished.position_value(&position)?, right, "{position}");
    }
    Ok(answered)
}

#[test]
fn what_is_finished_is_answered_and_what_is_not_is_not_held() -> Outcome {
    let (whole, directory) = (tempfile::tempdir()?, tempfile::tempdir()?);
    build(whole.path(), CARDS).run(&Silent, &GO_ON)?;
    let whole = Database::open(whole.path())?;
    let directory = directory.path();
    two_chunks(directory)?;

    assert!(Database::open(directory)?.unfinished().is_none());
    let mapped = open(directory)?;
    assert_eq!(mapped.max_level(), LEVEL - 1);
    let level = mapped.unfinished().ok_or("nothing is held")?;
    assert!(!level.is_whole());
    let partitions = level.partitions().iter();
    let held = partitions.filter(|&partition| level.holds(partition));
    assert_eq!(held.count(), level.held_partitions());
    let held = compare(&mapped, &whole, 3_000)?;
    assert!((300..2_700).contains(&held), "{held}");

    // The rest comes while the first two chunks are open.
    for number in [1, 3, 4, 6, 7] {
        let chunk = Chunk::new(number, 7).ok_or("no chunk")?;
        build(directory, CARDS).run_chunk(chunk, &Silent, &GO_ON)?;
    }
    assert_eq!(compare(&mapped, &whole, 3_000)?, held);
    let later = open(directory)?;
    assert!(later.unfinished().is_none() && later.max_level() == LEVEL);
    assert_eq!(later.values(&[])?, []);

    // The journals go when the level is sealed, but not for those who read them.
    build(directory, CARDS).seal(&Silent)?;
    assert_eq!(compare(&mapped, &whole, 3_000)?, held);
    let sealed = Database::open(directory)?;
    assert!(sealed.unfinished().is_none() && sealed.max_level() == LEVEL);
    Ok(())
}

/// The partitions that are held of the unfinished level.
fn held(directory: &Path) -> Result<usize, Box<dyn Error>> {
    let database = open(directory)?;
    let level = database.unfinished().ok_or("nothing is held")?;
    level.check()?;
    Ok(level.held_partitions())
}

#[test]
fn damaged_and_torn_records_are_not_held() -> Outcome {
    let directory = tempfile::tempdir()?;
    let directory = directory.path();
    two_chunks(directory)?;
    let map = directory.join(format!("level-{CARDS:02}.map"));
    let all = held(directory)?;
    let whole = fs::read(&map)?;
    // What is there is kept, and comes out the same.
    assert_eq!(held(directory)?, all);
    assert_eq!(fs::read(&map)?, whole);
    let path = journals(directory)?.remove(0);
    let sound = fs::read(&path)?;

    // In the streams of the first record: only that one is lost. In its head: nothing after
    // it is known.
    for (at, least) in [(64 + 184 + 5, all - 256), (64 + 5, 0)] {
        let mut bytes = sound.clone();
        bytes[at] ^= 1;
        fs::write(&path, bytes)?;
        fs::remove_file(&map)?;
        let left = held(directory)?;
        assert!((least..all).contains(&left), "{at}: {left} of {all}");
    }
    // Torn in a record, as by a kill, or while it is written.
    for length in [0, 63, 64, 100, 64 + 184 + 20, sound.len() - 1] {
        fs::write(&path, &sound[..length])?;
        fs::remove_file(&map)?;
        assert!(held(directory)? < all, "{length}");
    }

    // Of another level below.
    fs::write(&path, &sound)?;
    let other = tempfile::tempdir()?;
    Build {
        method: Method::Setrograde,
        ..build(other.path(), CARDS - 4)
    }
    .run(&Silent, &GO_ON)?;
    for name in ["level-04.sdb", "level-08.sdb", "manifest"] {
        fs::copy(other.path().join(name), directory.join(name))?;
    }
    let database = open(directory)?;
    assert!(database.unfinished().is_none());
    assert!(matches!(database.notes(), [Note::PartLeftOut { .. }]));
    Ok(())
}

/// Counts what a build does, and keeps what it says of journals.
#[derive(Default)]
struct Told {
    built: AtomicU64,
    damage: Mutex<Vec<String>>,
}

impl BuildObserver for Told {
    fn damaged(&self, _: &Path, damage: &dyn Display) {
        let mut said = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        said.push(damage.to_string());
    }

    fn advanced(&self, part: Portion) {
        self.built.fetch_add(part.partitions, Ordering::Relaxed);
    }
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
fn a_damaged_journal_loses_what_follows_the_damage_and_no_more() -> Outcome {
    let (whole, directory) = (tempfile::tempdir()?, tempfile::tempdir()?);
    build(whole.path(), CARDS).run(&Silent, &GO_ON)?;
    let right = fs::read(whole.path().join("level-12.sdb"))?;
    let directory = directory.path();
    build(directory, CARDS - 4).run(&Silent, &GO_ON)?;
    build(directory, CARDS).run_chunk(Chunk::WHOLE, &Silent, &GO_ON)?;
    let path = journals(directory)?.remove(0);
    let sound = fs::read(&path)?;
    let mut random = fastrand::Rng::with_seed(9);
    for round in 0..20 {
        let mut bytes = sound.clone();
        let at = match round {
            0 | 1 => 64 + 3,    //       // the number of the first shard
            2 => 64 + 8,        // the length of its first stream
            3 => 64 + 183,      // the checksum of its head
            4 => 64 + 184 + 10, // its streams
            5 => sound.len() - 1,
            _ => random.usize(64..sound.len()),
        };
        bytes[at] ^= 1 << random.u32(0..8);
        fs::write(&path, &bytes)?;
        let told = Told::default();
        build(directory, CARDS).run_chunk(Chunk::WHOLE, &told, &GO_ON)?;
        let built = told.built.into_inner();
        assert_eq!(built, partitions_from(&sound, at), "byte {at}");
        assert_eq!(told.damage.into_inner()?.len(), 1, "byte {at}");
        // Said once: it is cut off now.
        let told = Told::default();
        build(directory, CARDS).run_chunk(Chunk::WHOLE, &told, &GO_ON)?;
        assert_eq!(told.built.into_inner(), 0);
        assert!(told.damage.into_inner()?.is_empty(), "byte {at}");
    }
    build(directory, CARDS).seal(&Silent)?;
    assert!(fs::read(directory.join("level-12.sdb"))? == right);
    Ok(())
}

/// Of a level that does not fit, the part is put to work that searches ask for most; what is
/// left out is searched.
#[test]
fn a_level_is_put_to_work_in_part() -> Outcome {
    let (whole, directory) = (tempfile::tempdir()?, tempfile::tempdir()?);
    build(whole.path(), CARDS).run(&Silent, &GO_ON)?;
    build(directory.path(), CARDS).run(&Silent, &GO_ON)?;
    let whole = Database::open(whole.path())?;
    let unpack = |most| Unpack {
        directory: directory.path().to_owned(),
        threads: Some(1),
        force: false,
        most,
    };
    let most = 400_000;
    for kept in [false, true] {
        let levels = unpack(Some(most)).run(|_, _, _| (), &GO_ON)?;
        let level = levels.last().ok_or("no level")?;
        assert_eq!(level.took.is_none(), kept);
        assert!(level.bytes <= most, "{}", level.bytes);
        let share = level.held as f64 / level.partitions as f64;
        assert!((0.1..0.9).contains(&share), "{share}");
        assert!(level.demand_share > share, "{} {share}", level.demand_share);
        let database = Database::open(directory.path())?;
        assert_eq!(database.max_level(), LEVEL - 1);
        assert_eq!(database.extent(), "12 cards in part");
        let held = compare(&database, &whole, 1_000)?;
        assert!((200..1_000).contains(&held), "{held}");
    }
    let below = unpack(Some(10_000)).run(|_, _, _| (), &GO_ON)?;
    assert!(below.iter().any(|level| level.held < level.partitions));
    let levels = unpack(None).run(|_, _, _| (), &GO_ON)?;
    assert!(levels.iter().all(|level| level.held == level.partitions));
    assert_eq!(Database::open(directory.path())?.max_level(), LEVEL);
    Ok(())
}
