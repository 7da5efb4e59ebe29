//! Databases for the tests, each built once a run.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use setrograde_builder::{Build, Silent, Stop};
use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_lookup::Database;
use tempfile::TempDir;

pub fn build(directory: &Path, cards: usize, threads: usize) {
    let build = Build {
        threads: Some(threads),
        ..Build::new(directory, cards)
    };
    build.run(&Silent, &Stop::default()).expect("it builds");
}

/// A database of 12 cards; not to be changed.
pub fn twelve_cards() -> &'static Path {
    static DIRECTORY: LazyLock<TempDir> = LazyLock::new(|| {
        let directory = tempfile::tempdir().expect("a directory");
        build(directory.path(), 12, 2);
        directory
    });
    DIRECTORY.path()
}

/// A database of 16 cards, whose build was killed many times; not to be changed.
pub fn sixteen_cards() -> &'static Path {
    static DIRECTORY: LazyLock<TempDir> = LazyLock::new(crate::resume::killed_many_times);
    DIRECTORY.path()
}

pub fn twelve_cards_open() -> &'static Database {
    static DATABASE: OnceLock<Database> = OnceLock::new();
    DATABASE.get_or_init(|| Database::open(twelve_cards()).expect("it opens"))
}

/// A copy of the levels up to 8 cards, to be damaged.
pub fn eight_cards_copy() -> TempDir {
    static ORIGINAL: LazyLock<TempDir> = LazyLock::new(|| {
        let directory = tempfile::tempdir().expect("a directory");
        build(directory.path(), 8, 1);
        directory
    });
    let copy = tempfile::tempdir().expect("a directory");
    for entry in std::fs::read_dir(ORIGINAL.path()).expect("it is there") {
        let entry = entry.expect("an entry");
        std::fs::copy(entry.path(), copy.path().join(entry.file_name())).expect("a copy");
    }
    copy
}

pub fn level_file(directory: &Path, cards: usize) -> PathBuf {
    directory.join(format!("level-{cards:02}.sdb"))
}

/// A random ending, its cards drawn uniformly from the pack.
pub fn random_position(random: &mut fastrand::Rng, cards: usize) -> Position {
    let deal = Deal::random_ending(cards / 4, |n| random.usize(..n));
    let strain = Strain::ALL[random.usize(..5)];
    Position::new(strain, Seat::from_index(random.usize(..4)), deal, &[]).expect("a position")
}

/// The map of a level in a database's directory.
pub fn map_file(directory: &Path, cards: usize) -> PathBuf {
    let maps = setrograde_lookup::format::manifest::map_paths(directory, cards / 4);
    let [map] = &maps[..] else {
        panic!("one map, not {maps:?}");
    };
    map.clone()
}

/// The sorted names of the files in a directory.
pub fn file_names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .expect("a directory")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    names.sort();
    names
}
