//! Damaged databases: what the command says of each fault, and how to mend it.

use std::fs;
use std::path::Path;

use crate::command::{finish, run_on, setrograde, words};
use crate::database::{eight_cards_copy, flip, level_bytes, level_file, map_file};
use crate::folder::Folder;

#[test]
fn the_command_says_how_to_mend_what_is_missing() {
    let copy = eight_cards_copy();
    fs::remove_file(level_file(copy.path(), 8)).expect("removed");
    fs::remove_file(map_file(copy.path(), 8)).expect("removed");
    let printed = run_on(copy.path(), "db stats");
    printed.ended(1);
    printed.complains("the level of 8 cards is missing");
    printed.complains("`setrograde build --cards 8 --db ");

    let printed = run_on(Folder::new().path(), "db stats");
    printed.ended(1);
    printed.complains("no database here");
    printed.complains("`setrograde build --cards 16");
}

/// Maps answer without the compressed levels, so a missing or an exchanged one shows only here.
#[test]
fn stats_names_compressed_levels_that_are_missing_or_wrong() {
    let copy = eight_cards_copy();
    run_on(copy.path(), "db stats").does_not_show("mend it");
    let file = level_file(copy.path(), 8);
    let sound = level_bytes(copy.path(), 8);
    fs::remove_file(&file).expect("removed");
    for (bytes, problem) in [
        (None, "level-08.sdb: it is missing"),
        (Some(&sound[..100]), "level-08.sdb: damaged"),
        (Some(b"[Board \"1\"]"), "level-08.sdb"),
    ] {
        if let Some(bytes) = bytes {
            fs::write(&file, bytes).expect("writable");
        }
        let printed = run_on(copy.path(), "db stats");
        printed.ended(0);
        printed.shows(problem);
        printed.shows("; mend it with `setrograde build --cards 8 --db ");
        let json = run_on(copy.path(), "db stats --json").json();
        assert!(json["levels"][0]["problem"].is_null());
        let problem = json["levels"][1]["problem"].as_str().expect("a problem");
        assert!(problem.contains("level-08.sdb"), "{problem}");
    }
}

/// The user's own database is passed over if it is damaged; each command says how to mend it.
#[test]
fn a_damaged_database_of_the_user_has_advice() {
    let copy = eight_cards_copy();
    flip(&copy.path().join("manifest"), 30);
    for line in [
        "db stats",
        "solve 'NT N N:A... K... .A.. ..A.'",
        "query 'NT N N:A... K... .A.. ..A.'",
    ] {
        let mut command = setrograde();
        let printed = finish(command.env("SETROGRADE_DB", copy.path()).args(words(line)));
        printed.ended(0);
        printed.complains("used instead; mend it with `setrograde db verify --repair --db ");
        if line == "db stats" {
            printed.shows("checksum mismatch; mend it with `setrograde db verify --repair --db ");
        }
    }
}

#[test]
fn each_cause_is_said_once() {
    let folder = Folder::new();
    let says_once = |database: &Path, cause: &str| {
        let printed = run_on(database, "db stats");
        printed.ended(1);
        printed.complains(&database.join("manifest").to_string_lossy());
        assert_eq!(printed.errors.matches(cause).count(), 1, "{printed:?}");
    };
    // A cause that the system names: a file where a directory should be. Windows says that
    // nothing is there.
    if cfg!(unix) {
        folder.write("file", "");
        says_once(&folder.at("file"), "os error");
    }
    // A cause that the reader names.
    fs::create_dir(folder.at("manifest")).expect("made");
    says_once(folder.path(), "regular file");
}

#[test]
fn the_command_says_it_in_one_line_and_fails() {
    let copy = eight_cards_copy();
    // If there is a mapped level, the compressed one is not read.
    fs::remove_file(map_file(copy.path(), 4)).expect("removed");
    fs::write(level_file(copy.path(), 4), b"not a level").expect("writable");
    let printed = run_on(copy.path(), "query NT N N:A... K... .A.. ..A.");
    printed.is_refused(1, "level-04.sdb");
    printed.has_complaints(1);
}

/// An estimate reads the level below, whose damage it names; damage to its own level does not matter.
#[test]
fn an_estimate_names_the_damaged_level_below() {
    let copy = eight_cards_copy();
    flip(&level_file(copy.path(), 8), 2000);
    run_on(copy.path(), "db estimate --cards 8 --draw 8").ended(0);
    let printed = run_on(copy.path(), "db estimate --cards 12 --draw 8");
    printed.ended(1);
    printed.complains("level-08.sdb: damaged: shard 3");
    printed.complains("mend it with `setrograde build --cards 8 --db ");
}
