//! A level built in chunks, and put together.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::command::{Printed, finish, setrograde};
use crate::database::{build, level_file, twelve_cards};

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
    let early = run(directory, "db seal --cards 12");
    early.ended(1);
    early.complains(
        "missing chunks: 3/5; build each with `setrograde build --cards 12 --chunk 3/5 --db ",
    );
    chunk(directory, "3/5");
    let again = chunk(directory, "3/5");
    again.complains("of them were already finished");
    let sealed = run(directory, "db seal --cards 12");
    sealed.ended(0);
    assert!(twelve_card_bytes(directory) == twelve_card_bytes(twelve_cards()));
    assert!(!directory.join("level-12.work").exists());

    let late = chunk(directory, "3/5");
    late.shows("the level already exists");
    assert_eq!(run(directory, "db seal --cards 12").status, Some(0));
}

/// A write that fails at any point while a level is sealed costs nothing: one message, the chunks
/// are kept, and the level is made once there is room.
#[cfg(unix)]
#[test]
fn sealing_without_room_loses_nothing() {
    let directory = eight_cards();
    let directory = directory.path();
    chunk(directory, "1/1");
    let program = setrograde().get_program().to_owned();
    // In blocks of 512 bytes; the level has 320, its map 831.
    for most in [0, 20, 60, 120, 200, 300, 330, 400, 600, 830] {
        let line = format!("trap '' XFSZ; ulimit -f {most}; exec \"$@\"");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &line, "sh"]).arg(&program);
        shell.args(["db", "seal", "--cards", "12", "--db"]);
        let printed = finish(shell.arg(directory).stdin(Stdio::null()));
        printed.ended(1);
        printed.complains("cannot write");
        assert_eq!(printed.errors.lines().count(), 1, "{printed:?}");
        assert!(directory.join("level-12.work").exists(), "{most}");
        let names = fs::read_dir(directory).expect("a directory");
        assert_eq!(names.count(), 7, "{most}: nothing is left behind");
    }
    let sealed = run(directory, "db seal --cards 12");
    sealed.ended(0);
    assert!(twelve_card_bytes(directory) == twelve_card_bytes(twelve_cards()));
}

/// A chunk has one digest, whether it comes from a chunk built alone, from journals
/// or from a level's file; and one that differs is named.
#[test]
fn a_chunk_built_anew_has_the_digest_of_the_whole_level() {
    let whole = run(twelve_cards(), "db digest --cards 12 --chunks 9");
    whole.ended(0);
    let lines: Vec<&str> = whole.output.lines().collect();
    assert_eq!(lines[0], "# setrograde digest: 12 cards in 9 chunks");
    let json = run(twelve_cards(), "db digest --cards 12 --chunks 9 --json").output;
    let json: serde_json::Value = serde_json::from_str(&json).expect("an object");
    assert_eq!((&json["chunks"], &json["missing"]), (&9.into(), &0.into()));
    for (n, line) in lines[1..].iter().enumerate() {
        let of = &json["digests"][n];
        let (chunk, digest) = (of["chunk"].as_str(), of["digest"].as_str());
        let said = format!("{} {}", n + 1, digest.expect("a digest"));
        assert_eq!((chunk, *line), (Some(&*format!("{}/9", n + 1)), &*said));
    }
    assert_eq!(lines.len(), 10);
    let directory = eight_cards();
    let directory = directory.path();
    let file = directory.join("level-12.digest");
    fs::write(&file, &whole.output).expect("writable");

    let none = run(directory, "db digest --cards 12 --chunk 4/9");
    none.ended(1);
    none.complains("--chunk 4/9");
    chunk(directory, "4/9");
    chunk(directory, "9/9");
    let one = run(directory, "db digest --cards 12 --chunk 4/9");
    assert_eq!(one.output.lines().collect::<Vec<_>>(), [lines[0], lines[4]]);
    let two = run(directory, "db digest --cards 12 --chunks 9");
    assert_eq!(
        two.output.lines().collect::<Vec<_>>(),
        [lines[0], lines[4], lines[9]]
    );
    two.complains("7 of 9 chunks are not finished");

    let check = format!("db digest --cards 12 --chunks 9 --check {}", file.display());
    run(directory, &check).shows("2 finished chunks have the digest of the file");
    fs::write(&file, whole.output.replace(lines[9], "9 0123456789abcdef")).expect("writable");
    let other = run(directory, &check);
    other.ended(1);
    other.complains("1 finished chunks have another digest; the first is 9/9");
    run(
        directory,
        &format!("db digest --cards 12 --chunks 8 --check {}", file.display()),
    )
    .complains("line 1: expected \"# setrograde digest: 12 cards in 8 chunks\"");
}

/// Each of these is finished by another cut, and the rest by a build of the level.
#[test]
fn chunks_of_different_cuts_and_a_whole_build_go_together() {
    let directory = eight_cards();
    let directory = directory.path();
    chunk(directory, "1/3");
    chunk(directory, "7/10");
    let whole = run(directory, "build --cards 12");
    whole.ended(0);
    whole.complains("of them were already finished");
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
            output.status.success() || errors.contains("another build is running"),
            "{errors}"
        );
    }
    assert_eq!(run(directory, "db seal --cards 12").status, Some(0));
    assert!(twelve_card_bytes(directory) == twelve_card_bytes(twelve_cards()));
}

/// A journal as another host would leave it: with one damaged byte. The damage is reported, and the
/// lost part is built again.
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
    assert_eq!(run(directory, "db seal --cards 12").status, Some(0));
    assert!(twelve_card_bytes(directory) == twelve_card_bytes(twelve_cards()));
}

#[test]
fn what_is_no_chunk_is_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    let directory = directory.path();
    let below = run(directory, "build --cards 12 --chunk 1/2");
    below.ended(1);
    below.complains("build it first; `setrograde build --cards 8 --db ");
    for chunk in ["0/2", "3/2", "1", "a/b"] {
        let printed = run(directory, &format!("build --cards 12 --chunk {chunk}"));
        printed.ended(2);
    }
    let many = finish(setrograde().args(["db", "chunks", "--cards", "8", "--chunks", "1000"]));
    many.ended(1);
    many.complains("choose 1 to 9");
}

#[test]
fn a_plan_names_every_chunk() {
    let printed =
        finish(setrograde().args(["db", "chunks", "--cards", "12", "--chunks", "7", "--json"]));
    let plan: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    let chunks = plan["chunks"].as_array().expect("a list");
    assert_eq!(chunks.len(), 7);
    let partitions = chunks.iter().map(|chunk| chunk["partitions"].as_u64());
    assert_eq!(partitions.sum::<Option<u64>>(), Some(32_641));
    let table = finish(setrograde().args(["db", "chunks", "--cards", "12", "--chunks", "7"]));
    table.shows("7/7");
}
