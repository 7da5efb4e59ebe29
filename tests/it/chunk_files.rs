//! Chunks as files: built in directories that share nothing but the files, and sealed from them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::command::{Printed, finish, on, run_on};
use crate::database::{copied, file_names, flip, level_bytes, level_file, twelve_cards};
use crate::folder::Folder;

const CHUNKS: usize = 5;

/// A directory with the level of 8 cards alone: no manifest, no map.
fn below() -> tempfile::TempDir {
    copied(twelve_cards(), |name| name == "level-08.sdb")
}

fn build(below: &Path, chunk: &str, out: &Path, threads: u8) -> Printed {
    let words = format!("build --cards 12 --chunk {chunk} --threads {threads}");
    let mut command = on(below, &words);
    command.env("SOURCE_DATE_EPOCH", "1");
    finish(command.arg("--output").arg(out))
}

/// Writes the files of all chunks.
fn files(below: &Path, chunks: &Folder) -> Vec<PathBuf> {
    let file = |number| {
        let file = chunks.at(&format!("chunk-{number}.chunk"));
        build(below, &format!("{number}/{CHUNKS}"), &file, 1).ended(0);
        file
    };
    (1..=CHUNKS).map(file).collect()
}

fn seal(db: &Path, from: &[&Path]) -> Printed {
    let mut command = on(db, "db seal --cards 12");
    finish(command.arg("--from").args(from))
}

#[test]
fn a_level_from_chunk_files_has_the_bytes_of_one_build() {
    let (below, chunks, others) = (below(), Folder::new(), Folder::new());
    let below = below.path();
    let files = files(below, &chunks);
    // Nothing but the files is left, and nothing was written beside the level below.
    assert_eq!(chunks.names().len(), CHUNKS);
    assert_eq!(file_names(below), ["level-08.sdb"]);
    // Other threads, another directory: equal bytes.
    let again = others.at("again.chunk");
    build(below, "2/5", &again, 2).ended(0);
    let read = |path: &Path| fs::read(path).expect("readable");
    assert!(read(&again) == read(&files[1]));
    let printed = build(below, "2/5", &again, 2);
    printed.ended(0);
    printed.shows("already");
    // The digest is that of the level.
    let last = printed.output.trim().rsplit(' ').next().expect("a digest");
    run_on(twelve_cards(), "db digest --cards 12 --chunk 2/5").shows(last);
    // A file of another cut instead of one of these.
    let half = others.at("half.chunk");
    build(below, "1/2", &half, 2).ended(0);
    seal(below, &[chunks.path(), &half]).ended(0);
    assert!(level_bytes(below, 12) == level_bytes(twelve_cards(), 12));
    run_on(below, "query 'S E N:AQ.2.. .A5.4. KJ..2. T.K.3.'").ended(0);
}

#[test]
fn a_file_that_does_not_fit_is_named_and_nothing_is_sealed() {
    let (below, chunks, others) = (below(), Folder::new(), Folder::new());
    let below = below.path();
    let files = files(below, &chunks);
    let refused = |from: &[&Path], expected: &[&str]| {
        let printed = seal(below, from);
        printed.ended(1);
        for part in expected {
            printed.complains(part);
        }
        assert!(!level_file(below, 12).exists(), "{expected:?}");
    };
    let refused_of_all = |expected: &[&str]| refused(&[chunks.path()], expected);
    let sound = fs::read(&files[2]).expect("readable");
    let put = |bytes: &[u8]| fs::write(&files[2], bytes).expect("writable");
    // Bits at places of every kind: magic, recipe, record, streams, the last record.
    let mut random = fastrand::Rng::with_seed(62);
    let bits = [0, 8 * 12 + 3, 8 * 70, 8 * 90].into_iter();
    let others_at = (0..20).map(|_| random.usize(..8 * sound.len()));
    for bit in bits.chain(others_at).chain([8 * sound.len() - 1]) {
        let mut flipped = sound.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        put(&flipped);
        refused_of_all(&["chunk-3.chunk", "build these chunks again"]);
    }
    for length in [0, 7, 80, 100, sound.len() / 2, sound.len() - 1] {
        put(&sound[..length]);
        refused_of_all(&["chunk-3.chunk", "end is missing"]);
    }
    put(&[&sound[..], b"x"].concat());
    refused_of_all(&["chunk-3.chunk", "damaged"]);
    // Another level below.
    run_on(others.path(), "build --cards 8 --method setrograde").ended(0);
    let foreign = others.at("foreign.chunk");
    build(others.path(), "3/5", &foreign, 1).ended(0);
    put(&fs::read(&foreign).expect("readable"));
    refused_of_all(&["chunk-3.chunk", "another level below"]);
    // One twice, and one that is missing.
    put(&fs::read(&files[1]).expect("readable"));
    refused_of_all(&["chunk-3.chunk: chunk 2/5 is in", "chunk-2.chunk too"]);
    fs::remove_file(&files[2]).expect("removed");
    refused_of_all(&["missing chunks: 3/5", "--chunk 3/5 --output 3.chunk"]);
    refused(&[&files[0], &files[3]], &["missing chunks: 2/5, 3/5, 5/5"]);
    refused(&[Path::new("none.chunk")], &["none.chunk"]);
    put(&sound);
    seal(below, &[chunks.path()]).ended(0);
}

#[test]
fn a_chunk_writes_over_no_other_file_and_needs_the_level_below() {
    let (below, folder) = (below(), Folder::with("note.txt", "mine"));
    let below = below.path();
    let own = folder.at("2.chunk");
    build(below, "2/5", &own, 1).ended(0);
    let sound = folder.bytes("2.chunk");
    for (file, why) in [
        // The level that is read.
        (level_file(below, 8), "it is not a chunk"),
        (folder.at("note.txt"), "it is not a chunk"),
        (own.clone(), "it is chunk 2/5, not 1/5"),
    ] {
        let bytes = fs::read(&file).expect("readable");
        let printed = build(below, "1/5", &file, 1);
        printed.ended(1);
        printed.complains(&format!("{}: {why}; move it away", file.display()));
        assert!(fs::read(&file).expect("readable") == bytes, "{why}");
    }
    // Its own file is written again if it is damaged.
    flip(&own, usize::MAX);
    build(below, "2/5", &own, 1).ended(0);
    assert!(folder.bytes("2.chunk") == sound);
    let empty = Folder::new();
    let printed = build(empty.path(), "1/5", &folder.at("a.chunk"), 1);
    printed.is_refused(1, "the level of 8 cards is missing");
}
