//! Coarse levels through the command: built in chunks and at once, queried, compared, and proved.

use std::path::Path;

use crate::command::{run_line, run_on};
use crate::database::{eight_cards_copy, level_bytes, twelve_cards};

/// Of a level of 12 cards, this grain leaves most sets unsplit.
const COARSE: &str = "--cards 12 --coarse-from 12 --grain 1e-4";

/// A database whose level of 12 cards is coarse.
fn coarse(threads: usize) -> tempfile::TempDir {
    let directory = eight_cards_copy();
    let build = format!("build {COARSE} --threads {threads}");
    run_on(directory.path(), &build).ended(0);
    directory
}

#[test]
fn coarse_levels_begin_at_a_level() {
    for wrong in ["0", "5", "-4", "x"] {
        let words = format!("build --cards 8 --coarse-from={wrong}");
        run_on(Path::new("nowhere"), &words).is_refused(2, "expected a multiple of 4");
    }
    assert!(!Path::new("nowhere").exists());
}

#[test]
fn threads_and_chunks_make_the_same_coarse_level() {
    let [one, two] = [1, 2].map(|threads| level_bytes(coarse(threads).path(), 12));
    assert!(one.len() < level_bytes(twelve_cards(), 12).len());
    assert!(one == two);

    let chunks = eight_cards_copy();
    for number in [2, 3, 1] {
        run_on(chunks.path(), &format!("build {COARSE} --chunk {number}/3")).ended(0);
    }
    run_on(chunks.path(), "db seal --cards 12").ended(0);
    assert!(one == level_bytes(chunks.path(), 12));
}

#[test]
fn a_digest_takes_the_grain_of_the_sealed_level() {
    let directory = coarse(2);
    let directory = directory.path();
    let cut = "db chunks --cards 12 --chunks 3";
    let by_grain = run_line(&format!("{cut} --grain 1e-4"));
    assert_eq!(run_on(directory, cut).output, by_grain.output);
    let digest = run_on(directory, "db digest --cards 12 --chunks 3");
    digest.ended(0);
    assert_eq!(digest.output.lines().count(), 4);
    let named = run_on(directory, "db digest --cards 12 --chunks 3 --grain 1e-4");
    assert_eq!(digest.output, named.output);
    let exact = run_on(twelve_cards(), "db digest --cards 12 --chunks 3");
    assert_ne!(digest.output, exact.output);
    let other = run_on(directory, "db digest --cards 12 --chunks 3 --grain 1e-5");
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
        let ask = |directory: &Path, more: &str| {
            run_on(directory, &format!("query '{ending}' --json {more}")).json()
        };
        let tricks = ask(twelve_cards(), "")["tricks"].as_u64();
        let tricks = tricks.expect("a number");
        assert_eq!(ask(directory, "")["tricks"], tricks, "{ending}");
        let bounds = ask(directory, "--no-search")["bounds"].clone();
        let [lo, hi] = [0, 1].map(|at| bounds[at].as_u64().expect("an interval"));
        assert!(lo <= tricks && tricks <= hi && lo < hi, "{ending}");
    }
    run_on(directory, "db stats").shows("grain 1e-4");
    run_on(directory, "db verify --share 1").ended(0);
}
