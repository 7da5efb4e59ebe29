//! The database that is used unless the user says otherwise.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use setrograde_lookup::in_use::LEVELS;

use crate::command::{Printed, finish, setrograde, words};
use crate::database::{build, eight_cards_copy, map_file, twelve_cards};
use crate::folder::Folder;

const QUESTION: &str = "NT S N:AQ... 76... 54... K3...";

/// The data directory of a user.
struct Home(Folder);

impl Home {
    fn new() -> Home {
        Home(Folder::new())
    }

    /// The user's own database.
    fn database(&self) -> PathBuf {
        self.0.at("setrograde")
    }

    /// The program with the words of a line for this user.
    fn command(&self, line: &str) -> Command {
        let mut command = setrograde();
        command
            .env("XDG_DATA_HOME", self.0.path())
            .env("LOCALAPPDATA", self.0.path())
            .args(words(line));
        command
    }

    fn run(&self, line: &str) -> Printed {
        finish(&mut self.command(line))
    }

    /// The same, where the variable SETROGRADE_DB has this value.
    fn run_with(&self, variable: &str, line: &str) -> Printed {
        finish(self.command(line).env("SETROGRADE_DB", variable))
    }

    /// Asks for the tricks of [`QUESTION`], of which `query` and `solve` say nothing else.
    fn asks(&self, variable: &str, command: &str) -> Printed {
        let printed = self.run_with(variable, &format!("{command} '{QUESTION}'"));
        printed.prints(&format!("{QUESTION}\t2\n"));
        printed
    }
}

#[test]
fn the_bytes_inside_are_those_of_a_build() {
    for (level, inside) in LEVELS.iter().enumerate() {
        let map = map_file(twelve_cards(), 4 * (level + 1));
        let built = fs::read(&map).expect("a build writes it");
        let script = "run crates/lookup/builtin.sh";
        assert!(built == *inside, "{}: {script}", map.display());
    }
}

#[test]
fn with_nothing_configured_what_is_inside_is_used() {
    let home = Home::new();
    let stats = home.run_with("", "db stats");
    stats.ended(0);
    stats.shows("In use: 12 cards inside the program");
    assert_eq!(home.asks("", "query").errors, "");
    assert!(home.0.names().is_empty());
}

#[test]
fn none_is_no_database() {
    let home = Home::new();
    for (variable, option) in [
        ("none", ""),
        ("", "--db=none"),
        ("/nonexistent", "--db=none"),
    ] {
        let query = home.run_with(variable, &format!("query '{QUESTION}' {option}"));
        query.is_refused(1, "needs a database");
        let solve = home.asks(variable, &format!("solve {option}"));
        assert_eq!(solve.errors, "");
    }
}

#[test]
fn a_build_without_a_name_is_used_from_then_on() {
    let home = Home::new();
    let built = home.run("build --cards 12");
    built.ended(0);
    let directory = home.database();
    let directory = directory.display();
    built.shows(&format!("In {directory}: all commands"));
    built.shows("setrograde query --explain");
    let own = format!("In use: 12 cards in {directory}, the user's own");
    home.run("db stats").shows(&own);

    // The variable takes precedence over it, and the option over both.
    let other = Folder::new();
    build(other.path(), 4, 1);
    let [other, twelve] = [other.path(), twelve_cards()].map(|path| path.to_str().expect("text"));
    let named = format!("In use: 4 cards in {other}, which SETROGRADE_DB names");
    home.run_with(other, "db stats").shows(&named);
    let stats = home.run_with(other, &format!("db stats --db {twelve}"));
    stats.shows(&format!("In use: 12 cards in {twelve}\n"));
}

#[test]
fn a_database_that_cannot_be_used_is_said_once_and_what_is_inside_serves() {
    let (home, damaged) = (Home::new(), eight_cards_copy());
    fs::write(damaged.path().join("manifest"), "damaged").expect("written");
    let variable = damaged.path().to_str().expect("text");
    home.0
        .write("questions.txt", format!("{QUESTION}\n").repeat(300));
    let questions = home.0.at("questions.txt");
    let words = format!("query -j 2 {}", questions.display());
    let solved = home.run_with(variable, &words);
    solved.prints(&format!("{QUESTION}\t2\n").repeat(300));
    solved.has_complaints(1);
    solved.complains(&format!("SETROGRADE_DB={variable} is not used: "));
    solved.complains("the built-in 12 cards are used instead");

    // In the user's own directory, too.
    fs::rename(damaged.path(), home.database()).expect("moved");
    home.asks("", "solve").has_complaints(1);

    // A database named by the user must exist.
    let named = home.run(&format!("solve --db /nonexistent '{QUESTION}'"));
    named.is_refused(1, "/nonexistent: no database here");
}

/// A file is no directory, and a name may be too long for one.
#[test]
fn stats_answer_whatever_the_variable_says() {
    let home = Home::new();
    home.0.write("file", "");
    let (file, long) = (home.0.at("file"), "x".repeat(5_000));
    for variable in [file.to_str().expect("text"), &long] {
        let stats = home.run_with(variable, "db stats");
        stats.ended(0);
        stats.shows("In use: 12 cards inside the program");
        stats.shows("Not used: ");
    }
}

/// A smaller database of the user, as an interrupted build leaves it, hides no larger one.
#[test]
fn the_larger_database_answers() {
    let home = Home::new();
    let built = home.run("build --cards 8");
    built.ended(0);
    let directory = home.database();
    let directory = directory.display();
    built.shows(&format!(
        "In {directory}: these 8 cards; commands go on using the 12 cards inside the program"
    ));
    let stats = home.run("db stats");
    stats.shows("In use: 12 cards inside the program");
    stats.shows(&format!(
        "Not used: {directory}: it has 8 cards, and the built-in one has 12 cards"
    ));
    let query = home.run("query 'S E N:AQ.2.. .A5.4. KJ..2. T.K.3.'");
    query.ended(0);
    assert_eq!(query.errors, "");
    let stats = home.run("db stats --json");
    stats.shows(r#""passed_over":[{"directory""#);
    // A build that was begun and not finished adds no cards, and is listed.
    home.run("build --cards 12 --chunk 2/5").ended(0);
    let stats = home.run("db stats");
    stats.shows("12 cards: under construction: ");
    stats.shows("1 of 5 chunks are finished; missing: 1/5, 3/5, 4/5, 5/5");
    stats.shows("In use: 12 cards inside the program");
}

/// An interrupted first build of 16 cards takes nothing away: the same answers, refusals and
/// levels in use, none of which must be unpacked first.
#[test]
fn an_interrupted_build_changes_no_answer() {
    let home = Home::new();
    let answers = || {
        let asked = [
            "query 'NT N N:A... K... .A.. ..A.'",
            "query 'S E N:AQ.2.. .A5.4. KJ..2. T.K.3.'",
            "query 'H W N:AQ.2.3. K.A5.4. T4..2.3 5.K.3.2'",
            "odds --draw 20 'NT S N:AQ42... ? 53.32.. ? out=KJT9.KJT9..'",
            "odds --by-split 'NT S N:AQ42... ? 53.32.. ? out=KJT9.KJT9..'",
        ];
        asked.map(|line| {
            let printed = home.run(line);
            (printed.output, printed.errors, printed.status)
        })
    };
    let before = answers();
    for already in [
        "level-04-",
        "level-08.sdb",
        "level-12.sdb",
        "level-12-",
        "level-16.work",
    ] {
        let mut build = home.command("build --cards 16");
        let build = build.stdout(Stdio::null()).stderr(Stdio::null());
        let mut build = build.spawn().expect("the program starts");
        let begun = Instant::now();
        let is_there = || {
            let names = fs::read_dir(home.database())
                .into_iter()
                .flatten()
                .flatten();
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
        let stats = home.run("db stats");
        stats.shows("In use: 12 cards");
        stats.ended(0);
    }
}
