//! `setrograde build`: same bytes always, and nothing half-written.

use std::fs;

use setrograde_lookup::Database;

use crate::command::run_on;
use crate::database::{build, eight_cards_copy, flip, level_bytes, level_file, map_file};
use crate::folder::Folder;

/// The recorded bench signature; a change of it is a change of behaviour.
#[test]
fn the_signature_is_the_recorded_one() {
    assert_eq!(
        crate::signature::signature(12),
        include_str!("../../data/signature.txt")
    );
}

#[test]
fn a_build_prints_a_table_and_answers_and_then_keeps_what_is_there() {
    let folder = Folder::new();
    let run = |more: &str| run_on(folder.path(), &format!("build --cards 8 {more}"));
    let first = run("");
    first.ended(0);
    for text in ["87,921", "2,054", "H W N:A.2.. K..A. .AK.. Q..K.\t0"] {
        first.shows(text);
    }
    for sign in ["\r", "\x1b"] {
        first.does_not_complain(sign);
    }

    let again = run("--json");
    again.complains(" 8 cards: already built, checksums match");
    assert_eq!(again.json()["levels"][1]["partitions"], 2_054);

    let levels = || [4, 8].map(|cards| level_bytes(folder.path(), cards));
    let before = levels();
    run("--force").complains(" 8 cards: 2,054 partitions");
    assert!(levels() == before);
}

#[test]
fn an_unsound_level_is_built_again() {
    let copy = eight_cards_copy();
    let sound = level_bytes(copy.path(), 8);
    flip(&level_file(copy.path(), 8), usize::MAX);
    let printed = run_on(copy.path(), "build --cards 8");
    printed.complains("rebuilding the damaged shard");
    printed.complains("shard 8");
    assert!(level_bytes(copy.path(), 8) == sound);
}

/// A build vouches for the maps, too: queries read them.
#[test]
fn a_damaged_map_is_made_again() {
    let copy = eight_cards_copy();
    let map = map_file(copy.path(), 8);
    let sound = fs::read(&map).expect("readable");
    for words in ["build --cards 8", "db seal --cards 8", "db unpack"] {
        // The header, a line of the index, a block, and the last bytes.
        for at in [20, 100, sound.len() / 2, sound.len() - 1] {
            flip(&map, at);
            let printed = run_on(copy.path(), words);
            printed.ended(0);
            if words != "db unpack" {
                printed.complains(".map: damaged");
                printed.complains("8 cards: rebuilding its map");
                printed.does_not_complain(" 8 cards: already built");
            }
            assert!(fs::read(&map).expect("readable") == sound, "{words} {at}");
        }
    }
}

#[test]
fn other_files_are_not_joined_by_a_database() {
    let folder = Folder::with("evening.pbn", "[Board \"1\"]\n");
    for words in [
        "build --cards 8",
        "build --cards 4 --chunk 1/2",
        "db seal --cards 8",
        "db verify --repair",
    ] {
        let why = "there are files here, but no database; choose an empty or a new";
        run_on(folder.path(), words).is_refused(1, why);
        assert_eq!(folder.names(), ["evening.pbn"], "{words}");
    }
    // Hidden files do not count, nor do files that came later.
    let other = Folder::with(".DS_Store", "");
    build(other.path(), 4, 1);
    other.write("README", "");
    build(other.path(), 8, 1);
}

/// A limit on the size of files acts as a full disk: the same write fails, with another error
/// number.
#[cfg(unix)]
#[test]
fn a_full_disk_is_named_and_nothing_half_written_stays() {
    use crate::command::{finish, on, without_room};

    let folder = Folder::new();
    let build = on(folder.path(), "build --cards 12");
    let printed = finish(&mut without_room(4, &build));
    printed.ended(1);
    let last = printed.errors.lines().last().expect("a line");
    assert!(last.contains("cannot write: File too large"), "{last}");
    let mut names = folder.names().into_iter();
    assert!(!names.any(|name| name.starts_with(".setrograde-")));
    let database = Database::open(folder.path()).expect("it opens");
    assert!(database.max_tricks() < 3);
}

#[test]
fn what_cannot_be_built_is_refused_at_once() {
    let folder = Folder::with("file", "x");
    let inside = run_on(&folder.at("file").join("db"), "build --cards 4");
    inside.is_refused(1, "cannot make the directory");
    let empty = folder.at("empty");
    let memory = run_on(&empty, "build --cards 20 --memory 64M");
    memory.is_refused(1, " MiB of memory, but only 64 MiB may be used");
    memory.does_not_complain("partitions");
    for cards in ["0", "6", "56"] {
        let printed = run_on(&empty, &format!("build --cards {cards}"));
        printed.is_refused(1, "multiple of 4");
    }
}
