//! Mapped levels: unpacked and kept maps, and concurrent processes.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use setrograde_builder::{Build, BuildError, Chunk, Silent, Unpack, UnpackedLevel};
use setrograde_lookup::Database;
use setrograde_lookup::format::manifest::{map_path, map_paths};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn build(directory: &Path, cards: usize) -> Build {
    Build {
        threads: Some(2),
        ..Build::new(directory, cards)
    }
}

fn unpack(directory: &Path) -> Unpack {
    Unpack {
        directory: directory.to_owned(),
        threads: Some(2),
        force: false,
    }
}

fn run(unpack: &Unpack) -> Result<Vec<UnpackedLevel>, BuildError> {
    unpack.run(|_, _, _| (), &GO_ON)
}

/// A database of 8 cards.
fn eight_cards() -> Result<tempfile::TempDir, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    build(directory.path(), 8).run(&Silent, &GO_ON)?;
    Ok(directory)
}

#[test]
fn each_level_is_unpacked_once_and_as_a_build_does() -> Result<(), Box<dyn Error>> {
    let directory = eight_cards()?;
    let directory = directory.path();
    let path = map_path(directory, 2);
    let of_build = fs::read(&path)?;
    fs::remove_file(&path)?;
    let mut steps = Vec::new();
    let levels = unpack(directory).run(|cards, done, of| steps.push((cards, done, of)), &GO_ON)?;
    assert_eq!(steps.last(), Some(&(8, 9, 9)));
    assert!(steps.is_sorted() && steps.iter().all(|&(cards, _, of)| (cards, of) == (8, 9)));
    assert!(fs::read(&path)? == of_build);
    let [four, eight] = &levels[..] else {
        return Err("another number of levels".into());
    };
    assert!(four.took.is_none() && eight.took.is_some());
    assert_eq!(four.cards, 4);
    let expected = UnpackedLevel {
        cards: 8,
        path,
        bytes: of_build.len() as u64,
        took: eight.took,
    };
    assert_eq!(*eight, expected);

    assert!(
        run(&unpack(directory))?
            .iter()
            .all(|level| level.took.is_none())
    );
    let by_force = Unpack {
        force: true,
        ..unpack(directory)
    };
    assert!(run(&by_force)?.iter().all(|level| level.took.is_some()));
    assert_eq!(map_paths(directory, 2), [map_path(directory, 2)]);
    Ok(())
}

#[test]
fn an_unpacking_that_is_cancelled_leaves_nothing() -> Result<(), Box<dyn Error>> {
    let directory = eight_cards()?;
    let directory = directory.path();
    for level in [1, 2] {
        fs::remove_file(map_path(directory, level))?;
    }
    let names = || -> Result<usize, std::io::Error> { Ok(fs::read_dir(directory)?.count()) };
    let before = names()?;
    let found = unpack(directory).run(|_, _, _| (), &AtomicBool::new(true));
    assert!(matches!(found, Err(BuildError::Cancelled)), "{found:?}");
    assert_eq!(names()?, before);
    let twelve = build(directory, 12).run(&Silent, &AtomicBool::new(true));
    assert!(matches!(twelve, Err(BuildError::Cancelled)), "{twelve:?}");
    Ok(())
}

/// A map that a program has open keeps its name, and is removed once it is closed.
#[test]
fn a_level_in_use_is_not_replaced_under_its_name() -> Result<(), Box<dyn Error>> {
    let directory = eight_cards()?;
    let directory = directory.path();
    let by_force = Unpack {
        force: true,
        ..unpack(directory)
    };
    let usual = map_path(directory, 2);
    let reader = Database::open(directory)?;
    run(&by_force)?;
    let newer = usual.with_extension("2.map");
    assert_eq!(map_paths(directory, 2), [newer.clone(), usual.clone()]);
    let path = |database: &Database| database.level(2).map(|level| level.path().to_owned());
    assert_eq!(path(&reader), Some(usual.clone()));
    let second = Database::open(directory)?;
    assert_eq!(path(&second), Some(newer.clone()));
    // The first is closed, the second is not: the newest keeps the highest number.
    drop(reader);
    run(&by_force)?;
    let newest = usual.with_extension("3.map");
    assert_eq!(map_paths(directory, 2), [newest.clone(), newer]);
    assert_eq!(path(&Database::open(directory)?), Some(newest));
    drop(second);
    run(&unpack(directory))?;
    assert_eq!(map_paths(directory, 2), [usual]);
    Ok(())
}

/// A running build locks other processes out. Leftovers of a killed build are removed when no other
/// process has the lock.
#[test]
fn locks_say_who_may_be_there() -> Result<(), Box<dyn Error>> {
    let directory = eight_cards()?;
    let directory = directory.path();
    let leftover = directory.join(".setrograde-abc123");
    let path = directory.join("build.lock");
    let open = || File::options().read(true).write(true).open(&path);
    let chunk = || build(directory, 12).run_chunk(Chunk::new(1, 90).expect("one"), &Silent, &GO_ON);
    let whole = || build(directory, 8).run(&Silent, &GO_ON);

    fs::write(&leftover, [0; 100])?;
    let lock = open()?;
    lock.lock_shared()?;
    assert!(chunk()?.is_some());
    assert!(matches!(whole(), Err(BuildError::Busy { .. })));
    assert!(matches!(
        build(directory, 8).seal(&Silent),
        Err(BuildError::Busy { .. })
    ));
    run(&unpack(directory))?;
    assert!(leftover.exists());
    drop(lock);

    let lock = open()?;
    lock.lock()?;
    assert!(matches!(chunk(), Err(BuildError::Busy { .. })));
    assert!(matches!(whole(), Err(BuildError::Busy { .. })));
    run(&unpack(directory))?;
    assert!(leftover.exists());
    drop(lock);

    run(&unpack(directory))?;
    assert!(!leftover.exists());
    fs::write(&leftover, [0; 100])?;
    whole()?;
    assert!(!leftover.exists());
    Ok(())
}
