//! Mapped levels: unpacked and kept maps, and concurrent processes.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use std::time::Instant;

use setrograde_builder::{BuildError, Chunk, Silent, Stop, Unpack, UnpackedLevel};
use setrograde_lookup::Database;
use setrograde_lookup::format::manifest::map_paths;

use crate::{build, built};

fn unpack(directory: &Path) -> Unpack {
    Unpack {
        directory: directory.to_owned(),
        threads: Some(2),
        force: false,
    }
}

/// The map of a level.
fn map(directory: &Path, level: usize) -> PathBuf {
    let maps = map_paths(directory, level);
    assert_eq!(maps.len(), 1, "{maps:?}");
    maps[0].clone()
}

/// Maps that were set aside.
fn aside(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let aside = entries.filter(|entry| {
        let name = entry.file_name();
        name.to_string_lossy().starts_with(".setrograde-old-")
    });
    aside.count()
}

fn run(unpack: &Unpack) -> Result<Vec<UnpackedLevel>, BuildError> {
    unpack.run(|_, _, _| (), &Stop::default())
}

#[test]
fn each_level_is_unpacked_once_and_as_a_build_does() -> Result<(), Box<dyn Error>> {
    let directory = built(8)?;
    let directory = directory.path();
    let path = map(directory, 2);
    let of_build = fs::read(&path)?;
    fs::remove_file(&path)?;
    let mut steps = Vec::new();
    let levels = unpack(directory).run(
        |cards, done, of| steps.push((cards, done, of)),
        &Stop::default(),
    )?;
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
    assert_eq!((map_paths(directory, 2).len(), aside(directory)), (1, 0));
    Ok(())
}

#[test]
fn an_unpacking_that_is_cancelled_leaves_nothing() -> Result<(), Box<dyn Error>> {
    let directory = built(8)?;
    let directory = directory.path();
    for level in [1, 2] {
        fs::remove_file(map(directory, level))?;
    }
    let names = || -> Result<usize, std::io::Error> { Ok(fs::read_dir(directory)?.count()) };
    let before = names()?;
    let found = unpack(directory).run(|_, _, _| (), &Stop::default().by(Instant::now()));
    assert!(matches!(found, Err(BuildError::Cancelled)), "{found:?}");
    assert_eq!(names()?, before);
    let twelve = build(directory, 12).run(&Silent, &Stop::default().by(Instant::now()));
    assert!(matches!(twelve, Err(BuildError::Cancelled)), "{twelve:?}");
    Ok(())
}

/// A program that has mapped a level keeps its bytes when the map of that name is replaced. The
/// replaced file is kept as long as a program has it mapped.
#[test]
fn a_level_in_use_keeps_its_bytes() -> Result<(), Box<dyn Error>> {
    let directory = built(8)?;
    let directory = directory.path();
    let path = map(directory, 2);
    let right = fs::read(&path)?;
    let mut damaged = right.clone();
    damaged[10_000] ^= 1;
    fs::write(&path, damaged)?;
    let reader = Database::open(directory)?;
    let check = |database: &Database| database.level(2).map(|level| level.check().is_ok());
    assert_eq!(check(&reader), Some(false));
    let first = run(&unpack(directory))?;
    assert_eq!(first.iter().filter(|level| level.took.is_some()).count(), 1);
    assert_eq!((map(directory, 2), aside(directory)), (path.clone(), 1));
    assert!(fs::read(&path)? == right);
    // The first program still has the damaged bytes, the next one has the right ones.
    let second = Database::open(directory)?;
    assert_eq!((check(&reader), check(&second)), (Some(false), Some(true)));
    drop(reader);
    run(&unpack(directory))?;
    assert_eq!((map(directory, 2), aside(directory)), (path, 0));
    drop(second);
    Ok(())
}

/// Maps of another level with the same number of cards are removed; a stranger's file is not, and
/// one with the name of the map is an error.
#[test]
fn maps_of_other_sources_are_removed() -> Result<(), Box<dyn Error>> {
    let directory = built(8)?;
    let directory = directory.path();
    let path = map(directory, 2);
    fs::copy(&path, directory.join("level-08-0123456789abcdef.map"))?;
    let novel = directory.join("level-08-fedcba9876543210.map");
    fs::write(&novel, "my novel")?;
    run(&unpack(directory))?;
    let mut found = map_paths(directory, 2);
    found.sort();
    assert_eq!(found, [path.clone(), novel.clone()]);
    fs::remove_file(novel)?;
    fs::write(&path, "my novel")?;
    let error = run(&unpack(directory)).err().ok_or("not refused")?;
    assert!(
        error
            .to_string()
            .ends_with("it is not a mapped level; move it away, or choose another directory"),
        "{error}"
    );
    assert_eq!(fs::read(&path)?, b"my novel");
    Ok(())
}

/// A running build locks other processes out. Leftovers of a killed build are removed when no other
/// process has the lock.
#[test]
fn locks_say_who_may_be_there() -> Result<(), Box<dyn Error>> {
    let directory = built(8)?;
    let directory = directory.path();
    let leftover = directory.join(".setrograde-abc123");
    let path = directory.join("build.lock");
    let open = || File::options().read(true).write(true).open(&path);
    let chunk = || {
        build(directory, 12).run_chunk(Chunk::new(1, 90).expect("one"), &Silent, &Stop::default())
    };
    let whole = || build(directory, 8).run(&Silent, &Stop::default());

    fs::write(&leftover, [0; 100])?;
    let lock = open()?;
    lock.lock_shared()?;
    assert!(chunk()?.is_some());
    assert!(matches!(whole(), Err(BuildError::Busy { .. })));
    assert!(matches!(
        build(directory, 8).seal(&[], &Silent),
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
