//! Unpacking a database: files are complete even if the program is killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use setrograde_lookup::Database;

use crate::command::{Printed, finish, kills, setrograde};
use crate::database::{file_names, map_file, sixteen_cards, twelve_cards};

/// A database of 16 cards without its mapped levels.
fn at_rest() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    for name in file_names(sixteen_cards()) {
        if !name.ends_with(".map") {
            let (from, to) = (sixteen_cards().join(&name), directory.path().join(&name));
            fs::copy(from, to).expect("a copy");
        }
    }
    directory
}

fn unpack(directory: &Path, options: &[&str]) -> Printed {
    let mut command = setrograde();
    finish(
        command
            .args(["db", "unpack", "--db"])
            .arg(directory)
            .args(options),
    )
}

/// The mapped levels in a directory.
fn maps(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = file_names(directory).into_iter();
    names
        .filter(|name| name.ends_with(".map"))
        .map(|name| {
            let bytes = fs::read(directory.join(&name)).expect("readable");
            (name, bytes)
        })
        .collect()
}

#[test]
fn unpack_writes_what_a_build_writes() {
    let directory = at_rest();
    let directory = directory.path();
    let printed = unpack(directory, &["--json"]);
    printed.ended(0);
    let json: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    assert_eq!(json["levels"][3]["cards"], 16);
    assert!(json["levels"][3]["seconds"].is_number());
    assert!(maps(directory) == maps(sixteen_cards()));
    assert_eq!(maps(directory).len(), 4);
    // Matching maps are kept, others are written again.
    let damaged = map_file(directory, 16);
    fs::write(&damaged, "setrogw").expect("written");
    let again = unpack(directory, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&again.output).expect("JSON");
    assert!(json["levels"][2]["seconds"].is_null() && json["levels"][3]["seconds"].is_number());
    assert!(maps(directory) == maps(sixteen_cards()));
    unpack(directory, &["--force"]).shows("16  16,489,777");
    // A stranger's file stays.
    fs::write(&damaged, "my novel").expect("written");
    let refused = unpack(directory, &[]);
    refused.ended(1);
    refused.complains("it is not a mapped level");
    assert_eq!(fs::read(&damaged).expect("readable"), b"my novel");
    fs::remove_file(&damaged).expect("removed");
    assert_eq!(Database::open(directory).expect("it opens").max_tricks(), 4);
}

/// Programs with an open level keep it while levels are unpacked or built. Maps that no program has
/// open any more are removed by the next one.
#[test]
fn a_level_in_use_stays_as_it_is() {
    let directory = at_rest();
    let directory = directory.path();
    unpack(directory, &[]).ended(0);
    let before = maps(directory);
    let aside = || {
        let names = file_names(directory).into_iter();
        names
            .filter(|name| name.starts_with(".setrograde-old-"))
            .count()
    };
    let reader = Database::open(directory).expect("it opens");
    unpack(directory, &["--force"]).ended(0);
    assert!(maps(directory) == before);
    assert_eq!(aside(), 4);
    let newer = Database::open(directory).expect("it opens");
    for level in reader.levels().chain(newer.levels()) {
        level.check().expect("sound");
    }
    drop((reader, newer));
    unpack(directory, &[]).ended(0);
    assert!(maps(directory) == before);
    assert_eq!(aside(), 0);
}

#[test]
fn without_maps_answers_are_the_same_and_it_is_said() {
    let directory = at_rest();
    let ask = |directory: &Path| {
        let mut command = setrograde();
        let question = "NT S N:AQ.T..7 KJ..A.8 32.A4.. T9.K.K.";
        finish(command.args(["query", "--db"]).arg(directory).arg(question))
    };
    let (rest, work) = (ask(directory.path()), ask(sixteen_cards()));
    assert_eq!(rest.output, work.output);
    assert_eq!(work.errors, "");
    rest.complains("4, 8, 12, 16 cards unpacked into memory in");
    assert!(maps(directory.path()).is_empty());
}

/// Killed at any moment, it leaves no incomplete level, and the next run removes the remains.
#[test]
fn a_killed_unpack_leaves_nothing_half_done() {
    let directory = at_rest();
    let directory = directory.path();
    let right = maps(sixteen_cards());
    let mut left_behind = 0;
    for milliseconds in (0..kills()).map(|step| 96 * step / kills()) {
        for name in maps(directory).keys() {
            fs::remove_file(directory.join(name)).expect("removed");
        }
        let mut command = setrograde();
        command
            .args(["db", "unpack", "--threads", "1", "--db"])
            .arg(directory);
        let mut child = command.spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("killed");
        child.wait().expect("it ends");
        for (name, bytes) in maps(directory) {
            assert!(bytes == right[&name], "{name}");
        }
        let names = file_names(directory);
        left_behind += names.iter().filter(|name| name.starts_with('.')).count();
        assert_eq!(Database::open(directory).expect("it opens").max_tricks(), 4);
    }
    unpack(directory, &[]).ended(0);
    assert!(maps(directory) == right);
    assert!(
        !file_names(directory)
            .iter()
            .any(|name| name.starts_with('.'))
    );
    println!("{left_behind} files were left behind");
}

/// One program unpacks again and again while others ask: no error on either side.
#[test]
fn questions_are_answered_while_levels_are_replaced() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    for name in file_names(twelve_cards()) {
        fs::copy(twelve_cards().join(&name), directory.join(name)).expect("a copy");
    }
    let question = "NT S N:AQ... 76... 54... K3...";
    std::thread::scope(|scope| {
        let unpacking = scope.spawn(|| {
            for _ in 0..10 {
                let printed = unpack(directory, &["--force"]);
                printed.ended(0);
                assert_eq!(printed.errors, "");
            }
        });
        while !unpacking.is_finished() {
            let mut command = setrograde();
            let answer = finish(command.args(["query", question, "--db"]).arg(directory));
            answer.ended(0);
            assert_eq!(answer.errors, "");
            answer.shows("2");
        }
    });
    unpack(directory, &[]).ended(0);
    assert!(maps(directory) == maps(twelve_cards()));
}

#[test]
fn several_programs_may_unpack_at_once() {
    let directory = at_rest();
    let directory = directory.path();
    let start = || {
        let mut command = setrograde();
        command
            .args(["db", "unpack", "--force", "--db"])
            .arg(directory);
        command.spawn().expect("it starts")
    };
    let children: Vec<_> = (0..4).map(|_| start()).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    assert!(maps(directory) == maps(sixteen_cards()));
    assert!(
        !file_names(directory)
            .iter()
            .any(|name| name.starts_with('.'))
    );
}
