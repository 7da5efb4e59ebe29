//! Chunks as files: built in directories that share nothing but the files, and sealed from them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Printed, finish, setrograde};
use crate::database::{level_file, twelve_cards};

const CHUNKS: usize = 5;

/// A directory with the level of 8 cards alone: no manifest, no map.
fn below(directory: &Path) -> PathBuf {
    let below = directory.join("below");
    fs::create_dir_all(&below).expect("a directory");
    fs::copy(level_file(twelve_cards(), 8), level_file(&below, 8)).expect("copied");
    below
}

fn build(below: &Path, chunk: &str, out: &Path, threads: &str) -> Printed {
    finish(
        setrograde()
            .env("SOURCE_DATE_EPOCH", "1")
            .args([
                "build",
                "--cards",
                "12",
                "--chunk",
                chunk,
                "--threads",
                threads,
            ])
            .arg("--db")
            .arg(below)
            .arg("--output")
            .arg(out),
    )
}

/// The files of all chunks, and the directory that has the level below.
fn files(directory: &Path) -> (PathBuf, Vec<PathBuf>) {
    let below = below(directory);
    let chunks = directory.join("chunks");
    fs::create_dir_all(&chunks).expect("a directory");
    let files = (1..=CHUNKS)
        .map(|number| {
            let file = chunks.join(format!("chunk-{number}.chunk"));
            build(&below, &format!("{number}/{CHUNKS}"), &file, "1").ended(0);
            file
        })
        .collect();
    (below, files)
}

fn seal(db: &Path, from: &[&Path]) -> Printed {
    finish(
        setrograde()
            .args(["db", "seal", "--cards", "12", "--db"])
            .arg(db)
            .arg("--from")
            .args(from),
    )
}

#[test]
fn a_level_from_chunk_files_has_the_bytes_of_one_build() {
    let directory = tempfile::tempdir().expect("a directory");
    let (below, files) = files(directory.path());
    let chunks = files[0].parent().expect("a directory");
    // Nothing but the files is left, and nothing was written beside the level below.
    let names = |path: &Path| fs::read_dir(path).expect("readable").count();
    assert_eq!((names(chunks), names(&below)), (CHUNKS, 1));
    // Other threads, another directory: equal bytes.
    let again = directory.path().join("again.chunk");
    build(&below, "2/5", &again, "2").ended(0);
    let read = |path: &Path| fs::read(path).expect("readable");
    assert!(read(&again) == read(&files[1]));
    let printed = build(&below, "2/5", &again, "2");
    printed.ended(0);
    assert!(printed.output.contains("already"), "{}", printed.output);
    // The digest is that of the level.
    let digest = finish(
        setrograde()
            .args(["db", "digest", "--cards", "12", "--chunk", "2/5", "--db"])
            .arg(twelve_cards()),
    );
    let last = printed.output.trim().rsplit(' ').next().expect("a digest");
    assert!(digest.output.contains(last), "{last} {}", digest.output);
    // A file of another cut instead of one of these.
    let half = directory.path().join("half.chunk");
    build(&below, "1/2", &half, "2").ended(0);
    seal(&below, &[chunks, &half]).ended(0);
    assert!(read(&level_file(&below, 12)) == read(&level_file(twelve_cards(), 12)));
    let value = finish(
        setrograde()
            .args(["query", "--db"])
            .arg(&below)
            .arg("S E N:AQ.2.. .A5.4. KJ..2. T.K.3."),
    );
    value.ended(0);
}

#[test]
fn a_file_that_does_not_fit_is_named_and_nothing_is_sealed() {
    let directory = tempfile::tempdir().expect("a directory");
    let (below, files) = files(directory.path());
    let chunks = files[0].parent().expect("a directory");
    let refused = |from: &[&Path], expected: &[&str]| {
        let printed = seal(&below, from);
        printed.ended(1);
        for part in expected {
            printed.complains(part);
        }
        assert!(!level_file(&below, 12).exists(), "{expected:?}");
    };
    let sound = fs::read(&files[2]).expect("readable");
    let put = |bytes: &[u8]| fs::write(&files[2], bytes).expect("writable");
    // Bits at places of every kind: magic, recipe, record, streams, the last record.
    let mut random = fastrand::Rng::with_seed(62);
    let bits = [0, 8 * 12 + 3, 8 * 70, 8 * 90].into_iter();
    let others = (0..20).map(|_| random.usize(..8 * sound.len()));
    for bit in bits.chain(others).chain([8 * sound.len() - 1]) {
        let mut flipped = sound.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        put(&flipped);
        refused(&[chunks], &["chunk-3.chunk", "build these chunks again"]);
    }
    for length in [0, 7, 80, 100, sound.len() / 2, sound.len() - 1] {
        put(&sound[..length]);
        refused(&[chunks], &["chunk-3.chunk", "end is missing"]);
    }
    put(&[&sound[..], b"x"].concat());
    refused(&[chunks], &["chunk-3.chunk", "damaged"]);
    // Another level below.
    let other = directory.path().join("other");
    fs::create_dir(&other).expect("a directory");
    let method = ["build", "--cards", "8", "--method", "setrograde", "--db"];
    finish(setrograde().args(method).arg(&other)).ended(0);
    let foreign = directory.path().join("foreign.chunk");
    build(&other, "3/5", &foreign, "1").ended(0);
    put(&fs::read(&foreign).expect("readable"));
    refused(&[chunks], &["chunk-3.chunk", "another level below"]);
    // One twice, and one that is missing.
    put(&fs::read(&files[1]).expect("readable"));
    refused(
        &[chunks],
        &["chunk-3.chunk: chunk 2/5 is in", "chunk-2.chunk too"],
    );
    fs::remove_file(&files[2]).expect("removed");
    refused(
        &[chunks],
        &["missing chunks: 3/5", "--chunk 3/5 --output 3.chunk"],
    );
    refused(&[&files[0], &files[3]], &["missing chunks: 2/5, 3/5, 5/5"]);
    refused(&[Path::new("none.chunk")], &["none.chunk"]);
    put(&sound);
    seal(&below, &[chunks]).ended(0);
}

#[test]
fn a_chunk_writes_over_no_other_file_and_needs_the_level_below() {
    let directory = tempfile::tempdir().expect("a directory");
    let below = below(directory.path());
    let at = |name: &str| directory.path().join(name);
    fs::write(at("note.txt"), "mine").expect("writable");
    build(&below, "2/5", &at("2.chunk"), "1").ended(0);
    for (file, why) in [
        // The level that is read.
        (level_file(&below, 8), "it is not a chunk"),
        (at("note.txt"), "it is not a chunk"),
        (at("2.chunk"), "it is chunk 2/5, not 1/5"),
    ] {
        let bytes = fs::read(&file).expect("readable");
        let printed = build(&below, "1/5", &file, "1");
        printed.ended(1);
        printed.complains(&format!("{}: {why}; move it away", file.display()));
        assert!(fs::read(&file).expect("readable") == bytes, "{why}");
    }
    // Its own file is written again if it is damaged.
    let mut bytes = fs::read(at("2.chunk")).expect("readable");
    let sound = bytes.clone();
    *bytes.last_mut().expect("not empty") ^= 1;
    fs::write(at("2.chunk"), bytes).expect("writable");
    build(&below, "2/5", &at("2.chunk"), "1").ended(0);
    assert!(fs::read(at("2.chunk")).expect("readable") == sound);
    let empty = directory.path().join("empty");
    fs::create_dir(&empty).expect("a directory");
    let printed = build(&empty, "1/5", &directory.path().join("a.chunk"), "1");
    printed.ended(1);
    printed.complains("the level of 8 cards is missing");
}
