//! A level built in chunks, and put together.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use setrograde_cards::Deal;
use setrograde_lookup::Database;
use setrograde_lookup::format::manifest::map_paths;

use crate::command::{Printed, feed, finish, setrograde};
use crate::database::{build, level_file, random_position, twelve_cards};

fn run(directory: &Path, words: &str) -> Printed {
    let words = words.split(' ');
    finish(setrograde().args(words).arg("--db").arg(directory))
}

/// A database of 8 cards, on which chunks of 12 cards are built.
fn eight_cards() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    build(directory.path(), 8, 1);
    directory
}

fn chunk(directory: &Path, chunk: &str) -> Printed {
    let printed = run(directory, &format!("build --cards 12 --chunk {chunk}"));
    printed.ended(0);
    printed
}

fn twelve_card_bytes(directory: &Path) -> Vec<u8> {
    fs::read(level_file(directory, 12)).expect("the level is there")
}

#[test]
fn chunks_in_any_order_make_the_same_level() {
    let directory = eight_cards();
    let directory = directory.path();
    for number in [4, 1, 5, 2] {
        let done = chunk(directory, &format!("{number}/5"));
        done.shows("is finished");
        done.shows(" look-ups, ");
        done.shows(" s of CPU");
    }
    let early = run(directory, "seal --cards 12");
    early.ended(1);
    early.complains(
        "missing chunks: 3/5; build each with `setrograde build --cards 12 --chunk 3/5`",
    );
    chunk(directory, "3/5");
    let again = chunk(directory, "3/5");
    again.complains("of them were finished before");
    let sealed = run(directory, "seal --cards 12");
    sealed.ended(0);
    assert!(twelve_card_bytes(directory) == twelve_card_bytes(twelve_cards()));
    assert!(!directory.join("level-12.work").exists());

    let late = chunk(directory, "3/5");
    late.shows("there already");
    assert_eq!(run(directory, "seal --cards 12").status, Some(0));
}

/// A level of which two chunks are there: they are counted, asked and proved.
#[test]
fn a_level_is_of_use_before_it_is_whole() {
    let directory = eight_cards();
    let directory = directory.path();
    for number in [2, 5] {
        chunk(directory, &format!("{number}/7"));
    }
    run(directory, "unpack").ended(0);
    let stats = run(directory, "stats");
    stats.shows("12 cards: unfinished: ");
    let json = run(directory, "stats --json");
    let json: serde_json::Value = serde_json::from_str(&json.output).expect("JSON");
    for share in ["demand_share", "states_share"] {
        let share = json["unfinished"][share].as_f64();
        assert!(share.is_some_and(|share| (0.01..0.99).contains(&share)));
    }

    let mut random = fastrand::Rng::with_seed(5);
    let questions: Vec<String> = (0..200)
        .map(|_| random_position(&mut random, 12).to_string())
        .collect();
    let asked = |directory: &Path| {
        let mut command = setrograde();
        command.args(["query", "-", "--db"]).arg(directory);
        feed(&mut command, &questions.join("\n"))
    };
    let (part, whole) = (asked(directory), asked(twelve_cards()));
    part.ended(0);
    assert_eq!(part.output, whole.output);

    let proved = run(directory, "verify --json");
    proved.ended(0);
    let proved: serde_json::Value = serde_json::from_str(&proved.output).expect("JSON");
    let checks = proved["checks"].as_array().expect("a list");
    let sets = checks
        .iter()
        .find(|check| check["cards"] == 12 && check["check"] == "sets");
    assert_eq!(
        sets.expect("12 cards are proved")["units"],
        json["unfinished"]["held"]
    );
}

/// The partitions that a solver asks for on some deals are built, and no other:
/// it finds all it asks for then, and the whole level is none the wiser.
#[test]
fn what_deals_need_is_built_for_them() {
    let directory = eight_cards();
    let directory = directory.path();
    let mut random = fastrand::Rng::with_seed(8);
    let deals: Vec<String> = (0..3)
        .map(|_| Deal::random_ending(6, &mut random).to_string())
        .collect();
    let file = directory.join("deals.txt");
    fs::write(&file, deals.join("\n")).expect("writable");
    let words = format!("build --cards 12 --for {} --json", file.display());
    let partitions = |printed: Printed| {
        printed.ended(0);
        let json: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
        assert_eq!(json["deals"], 3);
        json["partitions"].as_u64().expect("a number")
    };
    let built = partitions(run(directory, &words));
    assert!((100..10_000).contains(&built), "{built}");
    assert_eq!(partitions(run(directory, &words)), 0);
    // A line that is no deal is named, and the others are built for.
    let other = directory.join("other.txt");
    fs::write(&other, format!("{}\nN:AQ. x\n", deals.join("\n"))).expect("writable");
    let named = run(
        directory,
        &format!("build --cards 12 --for {}", other.display()),
    );
    named.ended(3);
    named.complains("other.txt, line 4");
    named.shows("all is there for 3 deals; 0 partitions were built");
    let database = Database::open(directory).expect("it opens");
    let held = database
        .unfinished()
        .expect("it is begun")
        .held_partitions();
    assert_eq!(held as u64, built);
    drop(database);

    // A flipped bit in the head or in the streams of a record costs it and what follows.
    let journal = fs::read_dir(directory.join("level-12.work"))
        .expect("it is begun")
        .map(|entry| entry.expect("readable").path())
        .find(|path| path.file_stem().is_some_and(|name| name == "partitions"))
        .expect("a journal");
    let sound = fs::read(&journal).expect("readable");
    for at in [64 + 8, 64 + 184 + 3] {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        fs::write(&journal, bytes).expect("writable");
        // What is at work has the partition still: without it the deals ask for it again.
        for map in map_paths(directory, 3) {
            fs::remove_file(map).expect("it is there");
        }
        let again = run(directory, &words);
        again.complains("damaged at byte 64; the ");
        assert_eq!(partitions(again), built);
    }

    let tables = |db: &[&str]| {
        feed(
            setrograde().args(["table", "-"]).args(db),
            &deals.join("\n"),
        )
    };
    let with = tables(&["--db", directory.to_str().expect("text")]);
    assert_eq!(with.output, tables(&[]).output);

    let whole = run(directory, "build --cards 12 --order worth");
    whole.ended(0);
    assert!(twelve_card_bytes(directory) == twelve_card_bytes(twelve_cards()));
    assert!(!directory.join("level-12.work").exists());
    let late = run(
        directory,
        &format!("build --cards 12 --for {}", file.display()),
    );
    late.shows("there already");
}

/// A chunk has one digest, whether it comes from a chunk built alone, from journals
/// or from a level's file; and one that differs is named.
#[test]
fn a_chunk_built_anew_has_the_digest_of_the_whole_level() {
    let whole = run(twelve_cards(), "digest --cards 12 --chunks 9");
    whole.ended(0);
    let lines: Vec<&str> = whole.output.lines().collect();
    assert_eq!(lines[0], "# setrograde digest: 12 cards in 9 chunks");
    assert_eq!(lines.len(), 10);
    let directory = eight_cards();
    let directory = directory.path();
    let file = directory.join("level-12.digest");
    fs::write(&file, &whole.output).expect("writable");

    let none = run(directory, "digest --cards 12 --chunk 4/9");
    none.ended(1);
    none.complains("--chunk 4/9");
    chunk(directory, "4/9");
    chunk(directory, "9/9");
    let one = run(directory, "digest --cards 12 --chunk 4/9");
    assert_eq!(one.output.lines().collect::<Vec<_>>(), [lines[0], lines[4]]);
    let two = run(directory, "digest --cards 12 --chunks 9");
    assert_eq!(
        two.output.lines().collect::<Vec<_>>(),
        [lines[0], lines[4], lines[9]]
    );
    two.complains("7 of 9 chunks are not finished");

    let check = format!("digest --cards 12 --chunks 9 --check {}", file.display());
    run(directory, &check).shows("2 finished chunks have the digest of the file");
    fs::write(&file, whole.output.replace(lines[9], "9 0123456789abcdef")).expect("writable");
    let other = run(directory, &check);
    other.ended(1);
    other.complains("1 finished chunks have another digest; the first is 9/9");
    run(
        directory,
        &format!("digest --cards 12 --chunks 8 --check {}", file.display()),
    )
    .complains("line 1: expected \"# setrograde digest: 12 cards in 8 chunks\"");
}

/// Each of these is finished by another cut, and the rest by a whole build.
#[test]
fn chunks_of_different_cuts_and_a_whole_build_go_together() {
    let directory = eight_cards();
    let directory = directory.path();
    chunk(directory, "1/3");
    chunk(directory, "7/10");
    let whole = run(directory, "build --cards 12");
    whole.ended(0);
    whole.complains("of them were finished before");
    assert!(twelve_card_bytes(directory) == twelve_card_bytes(twelve_cards()));
}

#[test]
fn two_processes_may_take_the_same_chunk() {
    let directory = eight_cards();
    let directory = directory.path();
    let both = [(); 2].map(|()| {
        setrograde()
            .args(["build", "--cards", "12", "--chunk", "1/1", "--db"])
            .arg(directory)
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts")
    });
    for one in both {
        let output = one.wait_with_output().expect("it ends");
        let errors = String::from_utf8(output.stderr).expect("text");
        assert!(
            output.status.success() || errors.contains("another build is at work"),
            "{errors}"
        );
    }
    assert_eq!(run(directory, "seal --cards 12").status, Some(0));
    assert!(twelve_card_bytes(directory) == twelve_card_bytes(twelve_cards()));
}

/// A journal as another host would leave it: damaged in one place. The damage
/// is named, and what it cost is built again.
#[test]
fn a_damaged_journal_of_another_host_is_named_and_mended() {
    let directory = eight_cards();
    let directory = directory.path();
    chunk(directory, "1/2");
    let work = directory.join("level-12.work");
    let own = fs::read_dir(&work)
        .expect("it is there")
        .map(|entry| entry.expect("an entry").path())
        .find(|path| !path.to_string_lossy().contains("lock."))
        .expect("a journal");
    let other = own.with_extension("another-host");
    fs::rename(&own, &other).expect("renamed");
    let mut bytes = fs::read(&other).expect("readable");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 16;
    fs::write(&other, bytes).expect("writable");

    let mended = chunk(directory, "1/2");
    mended.complains("another-host: damaged");
    assert!(own.exists() && other.exists());
    chunk(directory, "2/2");
    assert_eq!(run(directory, "seal --cards 12").status, Some(0));
    assert!(twelve_card_bytes(directory) == twelve_card_bytes(twelve_cards()));
}

#[test]
fn what_is_no_chunk_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    let below = run(directory, "build --cards 12 --chunk 1/2");
    below.ended(1);
    below.complains("build it first; `setrograde build --cards 8` builds it");
    for chunk in ["0/2", "3/2", "1", "a/b"] {
        let printed = run(directory, &format!("build --cards 12 --chunk {chunk}"));
        printed.ended(2);
    }
    let many = finish(setrograde().args(["plan", "--cards", "8", "--chunks", "1000"]));
    many.ended(1);
    many.complains("choose 1 to 9");
}

#[test]
fn a_plan_names_every_chunk() {
    let printed = finish(setrograde().args(["plan", "--cards", "12", "--chunks", "7", "--json"]));
    let plan: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    let chunks = plan["chunks"].as_array().expect("a list");
    assert_eq!(chunks.len(), 7);
    let partitions = chunks.iter().map(|chunk| chunk["partitions"].as_u64());
    assert_eq!(partitions.sum::<Option<u64>>(), Some(32_641));
    let table = finish(setrograde().args(["plan", "--cards", "12", "--chunks", "7"]));
    table.shows("7/7");
}

/// Boards without a table are named as by `table`, and the others are built for.
#[test]
fn boards_that_cannot_be_built_for_are_named() {
    let directory = eight_cards();
    let directory = directory.path();
    let deal = Deal::random_ending(4, &mut fastrand::Rng::with_seed(5));
    let file = directory.join("club.pbn");
    let boards = format!(
        "[Board \"1\"]\n[Deal \"{deal}\"]\n\n[Board \"2\"]\n[Deal \"N:AK... QJ... T9... -\"]\n\n\
         [Board \"3\"]\n[Deal \"N:AK... QJ... T9... 8...\"]\n"
    );
    fs::write(&file, boards).expect("writable");
    let printed = run(
        directory,
        &format!("build --cards 12 --for {}", file.display()),
    );
    printed.ended(3);
    printed.complains("club.pbn, line 4, board 2: the hand of West is hidden");
    printed.complains("club.pbn, line 7, board 3: the hands hold 2, 2, 2 and 1 cards");
    printed.shows("all is there for 1 deals");
}
