//! Databases for the tests, each built once a run.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use setrograde_builder::{Build, Silent, Stop};
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

/// A copy of a database of 8 cards, to be damaged or continued.
pub fn eight_cards_copy() -> TempDir {
    static ORIGINAL: LazyLock<TempDir> = LazyLock::new(|| {
        let directory = tempfile::tempdir().expect("a directory");
        build(directory.path(), 8, 1);
        directory
    });
    copied(ORIGINAL.path(), |_| true)
}

/// A copy of a database, with the files of these names.
pub fn copied(from: &Path, is_wanted: impl Fn(&str) -> bool) -> TempDir {
    let copy = tempfile::tempdir().expect("a directory");
    for name in file_names(from).iter().filter(|name| is_wanted(name)) {
        std::fs::copy(from.join(name), copy.path().join(name)).expect("a copy");
    }
    copy
}

pub fn level_file(directory: &Path, cards: usize) -> PathBuf {
    directory.join(format!("level-{cards:02}.sdb"))
}

/// Changes a bit of a file: of this byte, or of the last one.
pub fn flip(path: &Path, at: usize) {
    let mut bytes = std::fs::read(path).expect("readable");
    let at = at.min(bytes.len() - 1);
    bytes[at] ^= 16;
    std::fs::write(path, bytes).expect("writable");
}

/// The bytes of a level.
pub fn level_bytes(directory: &Path, cards: usize) -> Vec<u8> {
    std::fs::read(level_file(directory, cards)).expect("the level")
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
    let entries = std::fs::read_dir(directory).expect("a directory");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.display().to_string()).collect();
    names.sort();
    names
}
