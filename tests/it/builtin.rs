//! The database that is used unless the user says otherwise.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use setrograde_lookup::in_use::LEVELS;

use crate::command::{Printed, finish, setrograde};
use crate::database::{build, eight_cards_copy, map_file, twelve_cards};

const QUESTION: &str = "NT S N:AQ... 76... 54... K3...";

/// Runs the program for a user whose data directory is `home`.
fn at_home(home: &Path, variable: &str, arguments: &[&str]) -> Printed {
    let mut command = setrograde();
    command
        .env("XDG_DATA_HOME", home)
        .env("LOCALAPPDATA", home)
        .env("SETROGRADE_DB", variable);
    finish(command.args(arguments))
}

#[test]
fn the_bytes_inside_are_those_of_a_build() {
    for (level, inside) in LEVELS.iter().enumerate() {
        let map = map_file(twelve_cards(), 4 * (level + 1));
        let built = fs::read(&map).expect("a build writes it");
        assert!(
            built == *inside,
            "{}: run crates/lookup/builtin.sh",
            map.display()
        );
    }
}

#[test]
fn with_nothing_configured_what_is_inside_is_used() {
    let home = tempfile::tempdir().expect("a directory");
    let stats = at_home(home.path(), "", &["db", "stats"]);
    stats.ended(0);
    stats.shows("In use: 12 cards inside the program");
    let query = at_home(home.path(), "", &["query", QUESTION]);
    query.ended(0);
    assert_eq!(
        (query.output, query.errors),
        (format!("{QUESTION}\t2\n"), String::new())
    );
    assert!(fs::read_dir(home.path()).expect("there").next().is_none());
}

#[test]
fn none_is_no_database() {
    let home = tempfile::tempdir().expect("a directory");
    for (variable, option) in [
        ("none", ""),
        ("", "--db=none"),
        ("/nonexistent", "--db=none"),
    ] {
        let mut arguments = vec!["query", QUESTION];
        arguments.extend(Some(option).filter(|option| !option.is_empty()));
        let query = at_home(home.path(), variable, &arguments);
        query.ended(1);
        query.complains("needs a database");
        arguments[0] = "solve";
        let solve = at_home(home.path(), variable, &arguments);
        assert_eq!(
            (solve.output, solve.errors),
            (format!("{QUESTION}\t2\n"), String::new())
        );
    }
}

#[test]
fn a_build_without_a_name_is_used_from_then_on() {
    let home = tempfile::tempdir().expect("a directory");
    let built = at_home(home.path(), "", &["build", "--cards", "12"]);
    built.ended(0);
    let directory = home.path().join("setrograde");
    built.shows(&format!("In {}: all commands", directory.display()));
    built.shows("setrograde query --explain");
    let stats = at_home(home.path(), "", &["db", "stats"]);
    stats.shows(&format!(
        "In use: 12 cards in {}, the user's own",
        directory.display()
    ));

    // The variable takes precedence over it, and the option over both.
    let other = tempfile::tempdir().expect("a directory");
    build(other.path(), 4, 1);
    let [other, twelve] = [other.path(), twelve_cards()].map(|path| path.to_str().expect("text"));
    let stats = at_home(home.path(), other, &["db", "stats"]);
    stats.shows(&format!(
        "In use: 4 cards in {other}, which SETROGRADE_DB names"
    ));
    let stats = at_home(home.path(), other, &["db", "stats", "--db", twelve]);
    stats.shows(&format!("In use: 12 cards in {twelve}\n"));
}

#[test]
fn a_database_that_cannot_be_used_is_said_once_and_what_is_inside_serves() {
    let home = tempfile::tempdir().expect("a directory");
    let damaged = eight_cards_copy();
    fs::write(damaged.path().join("manifest"), "damaged").expect("written");
    let variable = damaged.path().to_str().expect("text");
    let mut lines = home.path().to_owned();
    lines.push("questions.txt");
    fs::write(&lines, format!("{QUESTION}\n").repeat(300)).expect("written");
    let solved = at_home(
        home.path(),
        variable,
        &["query", "-j", "2", lines.to_str().expect("text")],
    );
    solved.ended(0);
    assert_eq!(solved.output, format!("{QUESTION}\t2\n").repeat(300));
    assert_eq!(solved.errors.lines().count(), 1, "{}", solved.errors);
    solved.complains(&format!("SETROGRADE_DB={variable} is not used: "));
    solved.complains("the built-in 12 cards are used instead");

    // In the user's own directory, too.
    fs::rename(damaged.path(), home.path().join("setrograde")).expect("moved");
    let solved = at_home(home.path(), "", &["solve", QUESTION]);
    assert_eq!(solved.output, format!("{QUESTION}\t2\n"));
    assert_eq!(solved.errors.lines().count(), 1, "{}", solved.errors);

    // A database named by the user must exist.
    let named = at_home(
        home.path(),
        "",
        &["solve", "--db", "/nonexistent", QUESTION],
    );
    named.ended(1);
    named.complains("/nonexistent: no database here");
}

/// A smaller database of the user, as an interrupted build leaves it, hides no larger one.
/// A file is no directory, and a name may be too long for one.
#[test]
fn stats_answer_whatever_the_variable_says() {
    let home = tempfile::tempdir().expect("a directory");
    let file = home.path().join("file");
    fs::write(&file, "").expect("written");
    let long = "x".repeat(5_000);
    for variable in [file.to_str().expect("text"), &long] {
        let stats = at_home(home.path(), variable, &["db", "stats"]);
        stats.ended(0);
        stats.shows("In use: 12 cards inside the program");
        stats.shows("Not used: ");
    }
}

#[test]
fn the_larger_database_answers() {
    let home = tempfile::tempdir().expect("a directory");
    let built = at_home(home.path(), "", &["build", "--cards", "8"]);
    built.ended(0);
    let directory = home.path().join("setrograde");
    built.shows(&format!(
        "In {}: these 8 cards; commands go on using the 12 cards inside the program",
        directory.display()
    ));
    let stats = at_home(home.path(), "", &["db", "stats"]);
    stats.shows("In use: 12 cards inside the program");
    stats.shows(&format!(
        "Not used: {}: it has 8 cards, and the built-in one has 12 cards",
        directory.display()
    ));
    let question = "S E N:AQ.2.. .A5.4. KJ..2. T.K.3.";
    let query = at_home(home.path(), "", &["query", question]);
    query.ended(0);
    assert_eq!(query.errors, "");
    let stats = at_home(home.path(), "", &["db", "stats", "--json"]);
    stats.shows(r#""passed_over":[{"directory""#);
    // A build that was begun and not finished adds no cards, and is listed.
    let chunk = ["build", "--cards", "12", "--chunk", "2/5"];
    at_home(home.path(), "", &chunk).ended(0);
    let stats = at_home(home.path(), "", &["db", "stats"]);
    stats.shows("12 cards: under construction: ");
    stats.shows("1 of 5 chunks are finished; missing: 1/5, 3/5, 4/5, 5/5");
    stats.shows("In use: 12 cards inside the program");
}

/// An interrupted first build of 16 cards takes nothing away: the same answers, refusals and
/// levels in use, none of which must be unpacked first.
#[test]
fn an_interrupted_build_changes_no_answer() {
    let home = tempfile::tempdir().expect("a directory");
    let directory = home.path().join("setrograde");
    let questions = [
        "NT N N:A... K... .A.. ..A.",
        "S E N:AQ.2.. .A5.4. KJ..2. T.K.3.",
        "H W N:AQ.2.3. K.A5.4. T4..2.3 5.K.3.2",
    ];
    let hidden = "NT S N:AQ42... ? 53.32.. ? out=KJT9.KJT9..";
    let answers = || {
        let asked = questions.map(|question| at_home(home.path(), "", &["query", question]));
        let odds = at_home(home.path(), "", &["odds", "--draw", "20", hidden]);
        let refused = at_home(home.path(), "", &["odds", "--by-split", hidden]);
        let all = asked.into_iter().chain([odds, refused]);
        all.map(|printed| (printed.output, printed.errors, printed.status))
            .collect::<Vec<_>>()
    };
    let before = answers();
    for already in [
        "level-04-",
        "level-08.sdb",
        "level-12.sdb",
        "level-12-",
        "level-16.work",
    ] {
        let mut build = setrograde()
            .env("XDG_DATA_HOME", home.path())
            .env("LOCALAPPDATA", home.path())
            .args(["build", "--cards", "16"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let begun = Instant::now();
        let is_there = || {
            let names = fs::read_dir(&directory).into_iter().flatten().flatten();
            let mut names = names.map(|entry| entry.file_name());
            names.any(|name| name.to_string_lossy().starts_with(already))
        };
        while !is_there() {
            assert!(begun.elapsed() < Duration::from_secs(300), "no {already}");
            std::thread::sleep(Duration::from_millis(1));
        }
        build.kill().expect("killed");
        build.wait().expect("it ends");
        assert_eq!(answers(), before, "killed once there was {already}");
        let stats = at_home(home.path(), "", &["db", "stats"]);
        stats.shows("In use: 12 cards");
        stats.ended(0);
    }
}
