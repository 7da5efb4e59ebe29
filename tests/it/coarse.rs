//! Coarse levels through the command: built in chunks and at once, queried, compared, and proved.

use std::fs;
use std::path::Path;

use crate::command::{Printed, finish, setrograde};
use crate::database::{build, level_file, twelve_cards};

/// Of a level of 12 cards, this grain leaves most sets unsplit.
const COARSE: &str = "--cards 12 --coarse-from 12 --grain 1e-4";

fn run(directory: &Path, words: &str) -> Printed {
    let words = words.split(' ');
    finish(setrograde().args(words).arg("--db").arg(directory))
}

/// A database whose level of 12 cards is coarse.
fn coarse(threads: usize) -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("a directory");
    build(directory.path(), 8, 1);
    run(
        directory.path(),
        &format!("build {COARSE} --threads {threads}"),
    )
    .ended(0);
    directory
}

#[test]
fn coarse_levels_begin_at_a_level() {
    for wrong in ["0", "5", "-4", "x"] {
        let words = format!("build --cards 8 --coarse-from={wrong}");
        let printed = run(Path::new("nowhere"), &words);
        printed.ended(2);
        printed.complains("expected a multiple of 4");
    }
    assert!(!Path::new("nowhere").exists());
}

#[test]
fn threads_and_chunks_make_the_same_coarse_level() {
    let (one, two) = (coarse(1), coarse(2));
    let bytes = |directory: &Path| fs::read(level_file(directory, 12)).expect("the level");
    let expected = bytes(one.path());
    assert!(expected.len() < bytes(twelve_cards()).len());
    assert!(expected == bytes(two.path()));

    let chunks = tempfile::tempdir().expect("a directory");
    build(chunks.path(), 8, 1);
    for number in [2, 3, 1] {
        run(chunks.path(), &format!("build {COARSE} --chunk {number}/3")).ended(0);
    }
    run(chunks.path(), "db seal --cards 12").ended(0);
    assert!(expected == bytes(chunks.path()));
}

#[test]
fn a_digest_takes_the_grain_of_the_sealed_level() {
    let directory = coarse(2);
    let directory = directory.path();
    let cut = "db chunks --cards 12 --chunks 3";
    let by_grain = format!("{cut} --grain 1e-4");
    let by_grain = finish(setrograde().args(by_grain.split(' ')));
    assert_eq!(run(directory, cut).output, by_grain.output);
    let digest = run(directory, "db digest --cards 12 --chunks 3");
    digest.ended(0);
    assert_eq!(digest.output.lines().count(), 4);
    let named = run(directory, "db digest --cards 12 --chunks 3 --grain 1e-4");
    assert_eq!(digest.output, named.output);
    let exact = run(twelve_cards(), "db digest --cards 12 --chunks 3");
    assert_ne!(digest.output, exact.output);
    let other = run(directory, "db digest --cards 12 --chunks 3 --grain 1e-5");
    other.ended(1);
    other.complains("build --cards 12 --coarse-from 12 --grain 1e-5 --chunk 1/1");
}

#[test]
fn a_coarse_level_answers_as_an_exact_one_and_is_proved() {
    let directory = coarse(2);
    let directory = directory.path();
    for ending in [
        "NT W N:AQ2... K43... J65... T97...",
        "S N N:A..K.2 K.Q.3. 5.J..A 2..Q.K",
        "NT E N:A.K.2. Q.J..3 5.T..A 2.Q.K.",
        "H S N:A3..2. K2...4 Q.A.J. J.5.K.",
        "NT N N:AK.2.. QJ..5. T9...3 87.A..",
    ] {
        let ask = |directory: &Path, more: &[&str]| {
            let mut query = setrograde();
            query.args(["query", ending, "--db"]).arg(directory);
            let printed = finish(query.arg("--json").args(more));
            serde_json::from_str::<serde_json::Value>(&printed.output).expect("an object")
        };
        let tricks = ask(twelve_cards(), &[])["tricks"]
            .as_u64()
            .expect("a number");
        assert_eq!(ask(directory, &[])["tricks"], tricks, "{ending}");
        let bounds = ask(directory, &["--no-search"])["bounds"].clone();
        let [lo, hi] = [0, 1].map(|at| bounds[at].as_u64().expect("an interval"));
        assert!(lo <= tricks && tricks <= hi && lo < hi, "{ending}");
    }
    run(directory, "db stats").shows("grain 1e-4");
    let proved = run(directory, "db verify --share 1");
    proved.ended(0);
}
