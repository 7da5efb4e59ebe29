//! Unpacking a database: files are complete even if the program is killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use setrograde_lookup::Database;
use tempfile::TempDir;

use crate::command::{kills, on, run_on};
use crate::database::{copied, file_names, map_file, sixteen_cards, twelve_cards};

/// A database of 16 cards without its mapped levels.
fn at_rest() -> TempDir {
    copied(sixteen_cards(), |name| !name.ends_with(".map"))
}

/// The mapped levels in a directory.
fn maps(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut names = file_names(directory);
    names.retain(|name| name.ends_with(".map"));
    let read = |name: String| {
        let bytes = fs::read(directory.join(&name)).expect("readable");
        (name, bytes)
    };
    names.into_iter().map(read).collect()
}

/// The number of hidden files, as those of an unfinished work.
fn hidden(directory: &Path) -> usize {
    let names = file_names(directory).into_iter();
    names.filter(|name| name.starts_with('.')).count()
}

#[test]
fn unpack_writes_what_a_build_writes() {
    let directory = at_rest();
    let directory = directory.path();
    let printed = run_on(directory, "db unpack --json");
    printed.ended(0);
    let json = printed.json();
    assert_eq!(json["levels"][3]["cards"], 16);
    assert!(json["levels"][3]["seconds"].is_number());
    assert!(maps(directory) == maps(sixteen_cards()));
    assert_eq!(maps(directory).len(), 4);
    // Matching maps are kept, others are written again.
    let damaged = map_file(directory, 16);
    fs::write(&damaged, "setrogw").expect("written");
    let json = run_on(directory, "db unpack --json").json();
    assert!(json["levels"][2]["seconds"].is_null() && json["levels"][3]["seconds"].is_number());
    assert!(maps(directory) == maps(sixteen_cards()));
    run_on(directory, "db unpack --force").shows("16  16,489,777");
}

#[test]
fn without_maps_answers_are_the_same_and_it_is_said() {
    let directory = at_rest();
    let question = "query 'NT S N:AQ.T..7 KJ..A.8 32.A4.. T9.K.K.'";
    let rest = run_on(directory.path(), question);
    let work = run_on(sixteen_cards(), question);
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
        let mut child = on(directory, "db unpack --threads 1")
            .spawn()
            .expect("it starts");
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("killed");
        child.wait().expect("it ends");
        for (name, bytes) in maps(directory) {
            assert!(bytes == right[&name], "{name}");
        }
        left_behind += hidden(directory);
        assert_eq!(Database::open(directory).expect("it opens").max_tricks(), 4);
    }
    run_on(directory, "db unpack").ended(0);
    assert!(maps(directory) == right);
    assert_eq!(hidden(directory), 0);
    println!("{left_behind} files were left behind");
}

/// One program unpacks again and again while others ask: no error on either side. Programs with an
/// open level keep it, and maps that no program has open any more are removed by the next one.
#[test]
fn questions_are_answered_while_levels_are_replaced() {
    let directory = copied(twelve_cards(), |_| true);
    let directory = directory.path();
    let reader = Database::open(directory).expect("it opens");
    std::thread::scope(|scope| {
        let unpacking = scope.spawn(|| {
            for _ in 0..10 {
                let printed = run_on(directory, "db unpack --force");
                printed.ended(0);
                assert_eq!(printed.errors, "");
            }
        });
        while !unpacking.is_finished() {
            let answer = run_on(directory, "query 'NT S N:AQ... 76... 54... K3...'");
            answer.ended(0);
            assert_eq!(answer.errors, "");
            answer.shows("2");
        }
    });
    let newer = Database::open(directory).expect("it opens");
    for level in reader.levels().chain(newer.levels()) {
        level.check().expect("sound");
    }
    assert!(hidden(directory) >= 3, "the maps of the first reader");
    drop((reader, newer));
    run_on(directory, "db unpack").ended(0);
    assert!(maps(directory) == maps(twelve_cards()));
    assert_eq!(hidden(directory), 0);
}

#[test]
fn several_programs_may_unpack_at_once() {
    let directory = at_rest();
    let directory = directory.path();
    let start = |_| on(directory, "db unpack --force").spawn();
    for child in [0; 4].map(start) {
        let status = child.expect("it starts").wait().expect("it ends");
        assert!(status.success());
    }
    assert!(maps(directory) == maps(sixteen_cards()));
    assert_eq!(hidden(directory), 0);
}
