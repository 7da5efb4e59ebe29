//! `setrograde build`: same bytes always, and nothing half-written.

use std::fs;
use std::path::Path;

use setrograde_lookup::Database;

use crate::command::{finish, setrograde};
use crate::database::{build, eight_cards_copy, file_names, level_file, map_file};

fn level_bytes(directory: &Path, levels: &[usize]) -> Vec<Vec<u8>> {
    levels
        .iter()
        .map(|&cards| fs::read(level_file(directory, cards)).expect("built"))
        .collect()
}

#[test]
fn the_bytes_do_not_depend_on_the_number_of_threads() {
    let [one, three] = [1, 3].map(|threads| {
        let directory = tempfile::tempdir().expect("a directory");
        build(directory.path(), 12, threads);
        directory
    });
    let levels = [4, 8, 12];
    assert!(level_bytes(one.path(), &levels) == level_bytes(three.path(), &levels));
}

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
    let directory = tempfile::tempdir().expect("a directory");
    let run = |more: &[&str]| {
        finish(
            setrograde()
                .args(["build", "--cards", "8", "--db"])
                .arg(directory.path())
                .args(more),
        )
    };
    let first = run(&[]);
    first.ended(0);
    assert!(
        first.output.contains("87,921") && first.output.contains("2,054"),
        "{}",
        first.output
    );
    first.shows("H W N:A.2.. K..A. .AK.. Q..K.\t0");
    assert!(
        !first.errors.contains('\r') && !first.errors.contains('\x1b'),
        "{}",
        first.errors
    );

    let again = run(&["--json"]);
    again.complains(" 8 cards: already built, checksums match");
    let json: serde_json::Value = serde_json::from_str(&again.output).expect("JSON");
    assert_eq!(json["levels"][1]["partitions"], 2_054);

    let before = level_bytes(directory.path(), &[4, 8]);
    assert!(
        run(&["--force"])
            .errors
            .contains(" 8 cards: 2,054 partitions")
    );
    assert!(level_bytes(directory.path(), &[4, 8]) == before);
}

#[test]
fn an_unsound_level_is_built_again() {
    let copy = eight_cards_copy();
    let sound = level_bytes(copy.path(), &[8]);
    let mut bytes = sound[0].clone();
    let last = bytes.len() - 1;
    bytes[last] ^= 4;
    fs::write(level_file(copy.path(), 8), bytes).expect("writable");
    let printed = finish(
        setrograde()
            .args(["build", "--cards", "8", "--db"])
            .arg(copy.path()),
    );
    printed.complains("rebuilding the damaged shard");
    printed.complains("shard 8");
    assert!(level_bytes(copy.path(), &[8]) == sound);
}

/// A build vouches for the maps, too: queries read them.
#[test]
fn a_damaged_map_is_made_again() {
    let copy = eight_cards_copy();
    let map = map_file(copy.path(), 8);
    let sound = fs::read(&map).expect("readable");
    let commands: [&[&str]; 3] = [
        &["build", "--cards", "8"],
        &["db", "seal", "--cards", "8"],
        &["db", "unpack"],
    ];
    for words in commands {
        // The header, a line of the index, a block, and the last bytes.
        for at in [20, 100, sound.len() / 2, sound.len() - 1] {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            fs::write(&map, bytes).expect("writable");
            let printed = finish(setrograde().args(words).arg("--db").arg(copy.path()));
            printed.ended(0);
            if words != ["db", "unpack"] {
                printed.complains(".map: damaged");
                printed.complains("8 cards: rebuilding its map");
                let kept = " 8 cards: already built";
                assert!(!printed.errors.contains(kept), "{}", printed.errors);
            }
            assert!(fs::read(&map).expect("readable") == sound, "{words:?} {at}");
        }
    }
}

#[test]
fn other_files_are_not_joined_by_a_database() {
    let directory = tempfile::tempdir().expect("a directory");
    let boards = directory.path().join("evening.pbn");
    fs::write(&boards, "[Board \"1\"]\n").expect("writable");
    let commands: [&[&str]; 4] = [
        &["build", "--cards", "8"],
        &["build", "--cards", "4", "--chunk", "1/2"],
        &["db", "seal", "--cards", "8"],
        &["db", "verify", "--repair"],
    ];
    for words in commands {
        let printed = finish(setrograde().args(words).arg("--db").arg(directory.path()));
        printed.ended(1);
        printed.complains("there are files here, but no database; choose an empty or a new");
        assert_eq!(file_names(directory.path()), ["evening.pbn"], "{words:?}");
    }
    // Hidden files do not count, nor do files that came later.
    let other = tempfile::tempdir().expect("a directory");
    fs::write(other.path().join(".DS_Store"), "").expect("writable");
    build(other.path(), 4, 1);
    fs::write(other.path().join("README"), "").expect("writable");
    build(other.path(), 8, 1);
}

/// A limit on the size of files acts as a full disk: the same write fails, with another error
/// number.
#[cfg(unix)]
#[test]
fn a_full_disk_is_named_and_nothing_half_written_stays() {
    let directory = tempfile::tempdir().expect("a directory");
    let script = format!(
        "trap '' XFSZ; ulimit -f 4; exec '{}' build --cards 12 --db '{}'",
        env!("CARGO_BIN_EXE_setrograde"),
        directory.path().display(),
    );
    let printed = finish(std::process::Command::new("sh").args(["-c", &script]));
    printed.ended(1);
    let last = printed.errors.lines().last().expect("a line");
    assert!(last.contains("cannot write: File too large"), "{last}");
    assert!(
        !file_names(directory.path())
            .iter()
            .any(|name| name.starts_with(".setrograde-"))
    );
    assert!(
        Database::open(directory.path())
            .expect("it opens")
            .max_tricks()
            < 3
    );
}

#[test]
fn what_cannot_be_built_is_refused_at_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let files = tempfile::tempdir().expect("a directory");
    let file = files.path().join("file");
    fs::write(&file, "x").expect("writable");
    let inside = finish(
        setrograde()
            .args(["build", "--cards", "4", "--db"])
            .arg(file.join("db")),
    );
    inside.ended(1);
    inside.complains("cannot make the directory");
    let memory = finish(
        setrograde()
            .args(["build", "--cards", "20", "--memory", "64M", "--db"])
            .arg(directory.path()),
    );
    memory.ended(1);
    memory.complains(" MiB of memory, but only 64 MiB may be used");
    assert!(!memory.errors.contains("partitions"), "{}", memory.errors);
    for cards in ["0", "6", "56"] {
        let printed = finish(
            setrograde()
                .args(["build", "--cards", cards, "--db"])
                .arg(directory.path()),
        );
        printed.ended(1);
        printed.complains("multiple of 4");
    }
}

/// The files in `data/golden` and `data/golden-trees` guard the bytes of the
/// format: they change only with its version.
#[test]
fn a_build_of_8_cards_has_the_golden_bytes() {
    for (golden, method) in [("golden", "refine"), ("golden-trees", "setrograde")] {
        let directory = tempfile::tempdir().expect("a directory");
        let printed = finish(
            setrograde()
                .args(["build", "--cards", "8", "--method", method, "--db"])
                .arg(directory.path()),
        );
        printed.ended(0);
        let golden = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("data")
            .join(golden);
        assert!(level_bytes(directory.path(), &[4, 8]) == level_bytes(&golden, &[4, 8]));
        assert_eq!(Database::open(&golden).expect("it opens").max_tricks(), 2);
    }
}
