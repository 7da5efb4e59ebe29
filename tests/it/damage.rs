//! Damaged databases: every fault is found and named, none is a panic.

use std::fs;
use std::path::Path;

use setrograde_lookup::format::manifest::{Manifest, level_path};
use setrograde_lookup::{Database, Error, LevelFile};

use crate::command::{finish, setrograde};
use crate::database::{eight_cards_copy, level_file, map_file, twelve_cards};

/// Opens a database and reads every shard of it, in both forms.
fn read_all(directory: &Path) -> Result<(), String> {
    let read = || {
        for record in &Manifest::read(directory)?.levels {
            let path = level_path(directory, record.level as usize);
            let level = LevelFile::open_recorded(&path, record)?;
            (0..level.shard_count())
                .try_for_each(|shard| level.shard(shard)?.survey().map(drop))?;
        }
        let database = Database::open(directory)?;
        for level in database.levels() {
            level.check()?;
        }
        Ok::<_, Error>(database)
    };
    let database = read().map_err(|error| error.to_string())?;
    database
        .notes()
        .first()
        .map_or(Ok(()), |note| Err(note.to_string()))
}

fn error_of(directory: &Path) -> String {
    read_all(directory).expect_err("the damage is found")
}

#[test]
fn every_flipped_bit_is_found_and_its_file_named() {
    let copy = eight_cards_copy();
    read_all(copy.path()).expect("sound before");
    for file in [
        level_file(copy.path(), 4),
        level_file(copy.path(), 8),
        map_file(copy.path(), 4),
        copy.path().join("manifest"),
    ] {
        let sound = fs::read(&file).expect("readable");
        for at in 0..sound.len() {
            let mut damaged = sound.clone();
            damaged[at] ^= 1 << (at % 8);
            fs::write(&file, &damaged).expect("writable");
            let error = error_of(copy.path());
            assert!(
                error.contains(&*file.to_string_lossy()),
                "byte {at}: {error}"
            );
        }
        fs::write(&file, &sound).expect("writable");
    }
    read_all(copy.path()).expect("sound after");
}

#[test]
fn every_cut_is_found_and_its_file_named() {
    let copy = eight_cards_copy();
    for cards in [4, 8] {
        let file = level_file(copy.path(), cards);
        let sound = fs::read(&file).expect("readable");
        for length in (0..sound.len()).step_by(if cards == 4 { 1 } else { 37 }) {
            fs::write(&file, &sound[..length]).expect("writable");
            let error = error_of(copy.path());
            assert!(
                error.contains(&*file.to_string_lossy()),
                "{length} bytes: {error}"
            );
        }
        fs::write(&file, &sound).expect("writable");
    }
}

#[test]
fn a_damaged_shard_is_named_with_its_bytes() {
    let copy = eight_cards_copy();
    let file = level_file(copy.path(), 8);
    let mut bytes = fs::read(&file).expect("readable");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&file, bytes).expect("writable");
    let error = error_of(copy.path());
    assert!(
        error.contains("shard 8, bytes") && error.contains("checksum"),
        "{error}"
    );
}

#[test]
fn exchanged_levels_are_found() {
    let copy = eight_cards_copy();
    let [four, eight] = [4, 8].map(|cards| level_file(copy.path(), cards));
    let aside = copy.path().join("aside");
    fs::rename(&four, &aside).expect("renamed");
    fs::rename(&eight, &four).expect("renamed");
    fs::rename(&aside, &eight).expect("renamed");
    let error = error_of(copy.path());
    assert!(
        error.contains("level-04.sdb") && error.contains("it holds 8 cards, not 4"),
        "{error}"
    );
}

#[test]
fn a_level_of_another_build_is_found() {
    let copy = eight_cards_copy();
    // A sound level file that the manifest does not know: its index is longer.
    fs::copy(level_file(twelve_cards(), 12), level_file(copy.path(), 12)).expect("copied");
    let mut manifest =
        setrograde_lookup::format::manifest::Manifest::read(copy.path()).expect("readable");
    let mut record = manifest.level(2).expect("there").clone();
    record.level = 3;
    manifest.insert(record);
    fs::write(
        copy.path().join("manifest"),
        manifest.to_bytes().expect("bytes"),
    )
    .expect("written");
    let error = error_of(copy.path());
    assert!(
        error.contains("level-12.sdb") && error.contains("not the file"),
        "{error}"
    );
}

#[test]
fn another_version_is_named() {
    let copy = eight_cards_copy();
    let file = level_file(copy.path(), 8);
    let mut bytes = fs::read(&file).expect("readable");
    bytes[8] = 99;
    fs::write(&file, bytes).expect("writable");
    let error = error_of(copy.path());
    assert!(
        error.contains("format version 99") && error.contains("level-08.sdb"),
        "{error}"
    );
}

#[test]
fn the_command_says_how_to_mend_what_is_missing() {
    let errors_of = |directory: &Path| {
        let printed = finish(setrograde().args(["db", "stats", "--db"]).arg(directory));
        printed.ended(1);
        printed.errors
    };
    let copy = eight_cards_copy();
    fs::remove_file(level_file(copy.path(), 8)).expect("removed");
    fs::remove_file(map_file(copy.path(), 8)).expect("removed");
    let error = errors_of(copy.path());
    assert!(error.contains("the level of 8 cards is missing"), "{error}");
    assert!(
        error.contains("`setrograde build --cards 8 --db "),
        "{error}"
    );

    let empty = tempfile::tempdir().expect("a directory");
    let error = errors_of(empty.path());
    assert!(error.contains("no database here"), "{error}");
    assert!(error.contains("`setrograde build --cards 16"), "{error}");
}

/// Maps answer without the compressed levels, so a missing or an exchanged one shows only here.
#[test]
fn stats_names_compressed_levels_that_are_missing_or_wrong() {
    let copy = eight_cards_copy();
    let stats = |more: &[&str]| {
        let mut command = setrograde();
        finish(
            command
                .args(["db", "stats", "--db"])
                .arg(copy.path())
                .args(more),
        )
    };
    assert!(!stats(&[]).output.contains("mend it"));
    let file = level_file(copy.path(), 8);
    let sound = fs::read(&file).expect("readable");
    fs::remove_file(&file).expect("removed");
    for (bytes, problem) in [
        (
            None,
            "level-08.sdb: it is missing; mend it with `setrograde build --cards 8 --db ",
        ),
        (Some(&sound[..100]), "level-08.sdb: damaged"),
        (Some(b"[Board \"1\"]"), "level-08.sdb"),
    ] {
        if let Some(bytes) = bytes {
            fs::write(&file, bytes).expect("writable");
        }
        let printed = stats(&[]);
        printed.ended(0);
        printed.shows(problem);
        printed.shows("; mend it with `setrograde build --cards 8 --db ");
        let json: serde_json::Value =
            serde_json::from_str(&stats(&["--json"]).output).expect("JSON");
        assert!(json["levels"][0]["problem"].is_null());
        let problem = json["levels"][1]["problem"].as_str().expect("a problem");
        assert!(problem.contains("level-08.sdb"), "{problem}");
    }
}

/// The user's own database is passed over if it is damaged; each command says how to mend it.
#[test]
fn a_damaged_database_of_the_user_has_advice() {
    let copy = eight_cards_copy();
    let manifest = copy.path().join("manifest");
    let mut bytes = fs::read(&manifest).expect("readable");
    bytes[30] ^= 1;
    fs::write(&manifest, bytes).expect("writable");
    let words: [&[&str]; 3] = [
        &["db", "stats"],
        &["solve", "NT N N:A... K... .A.. ..A."],
        &["query", "NT N N:A... K... .A.. ..A."],
    ];
    for words in words {
        let printed = finish(setrograde().env("SETROGRADE_DB", copy.path()).args(words));
        printed.ended(0);
        printed.complains("used instead; mend it with `setrograde db verify --repair --db ");
        if words == ["db", "stats"] {
            printed.shows("checksum mismatch; mend it with `setrograde db verify --repair --db ");
        }
    }
}

#[test]
fn each_cause_is_said_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let complaint = |database: &Path| {
        let printed = finish(setrograde().args(["db", "stats", "--db"]).arg(database));
        printed.ended(1);
        let manifest = database.join("manifest");
        assert!(printed.errors.contains(&*manifest.to_string_lossy()));
        printed.errors
    };
    // A cause that the system names: a file where a directory should be. Windows says that
    // nothing is there.
    if cfg!(unix) {
        let file = directory.path().join("file");
        fs::write(&file, "").expect("written");
        let errors = complaint(&file);
        assert_eq!(errors.matches("os error").count(), 1, "{errors}");
    }
    // A cause that the reader names.
    fs::create_dir(directory.path().join("manifest")).expect("made");
    let errors = complaint(directory.path());
    assert_eq!(errors.matches("regular file").count(), 1, "{errors}");
}

#[test]
fn the_command_says_it_in_one_line_and_fails() {
    let copy = eight_cards_copy();
    // If there is a mapped level, the compressed one is not read.
    fs::remove_file(map_file(copy.path(), 4)).expect("removed");
    fs::write(level_file(copy.path(), 4), b"not a level").expect("writable");
    let question = ["NT", "N", "N:A...", "K...", ".A..", "..A."];
    let printed = finish(
        setrograde()
            .args(["query", "--db"])
            .arg(copy.path())
            .args(question),
    );
    printed.ended(1);
    assert_eq!(printed.output, "");
    assert_eq!(printed.errors.lines().count(), 1, "{}", printed.errors);
    printed.complains("level-04.sdb");
}

/// An estimate reads the level below, whose damage it names; damage to its own level does not matter.
#[test]
fn an_estimate_names_the_damaged_level_below() {
    let copy = eight_cards_copy();
    let file = level_file(copy.path(), 8);
    let mut bytes = fs::read(&file).expect("readable");
    bytes[2000] ^= 1;
    fs::write(&file, bytes).expect("writable");
    let estimate = |cards: &str| {
        let mut command = setrograde();
        let words = ["db", "estimate", "--cards", cards, "--draw", "8", "--db"];
        finish(command.args(words).arg(copy.path()))
    };
    estimate("8").ended(0);
    let printed = estimate("12");
    printed.ended(1);
    printed.complains("level-08.sdb: damaged: shard 3");
    printed.complains("mend it with `setrograde build --cards 8 --db ");
}
