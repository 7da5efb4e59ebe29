//! `setrograde estimate`: projections as text and as JSON.

use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

#[cfg(unix)]
use crate::command::signal;
use crate::command::{finish, setrograde};
use crate::database::twelve_cards;

#[test]
fn an_estimate_prints_intervals_around_its_projections() {
    let printed = finish(
        setrograde()
            .args(["db", "estimate", "--cards", "16", "--draw", "16", "--json"])
            .args(["--run", "16", "--db"])
            .arg(twelve_cards()),
    );
    printed.ended(0);
    let report: Value = serde_json::from_str(&printed.output).expect("JSON");
    assert_eq!(report["partitions"], 309_014);
    assert_eq!(report["sample"]["runs"], 16);
    for total in ["lookups", "cpu_seconds", "sets", "nodes", "bytes"] {
        let number = |field: &str| report[total][field].as_f64().expect("a number");
        let [low, estimate, high] = ["low", "estimate", "high"].map(number);
        assert!(0.0 < low && low < estimate && estimate < high, "{total}");
    }
}

#[test]
fn the_table_names_what_the_sample_lacks() {
    let arguments = ["--cards", "12", "--run", "8", "--draw", "16", "--db"];
    let printed = finish(
        setrograde()
            .args(["db", "estimate"])
            .args(arguments)
            .arg(twelve_cards()),
    );
    printed.ended(0);
    for text in [
        "12 cards, 32,641 partitions",
        "look-ups",
        "nodes",
        "Memory for the level below: at most",
        "Bytes are too high",
    ] {
        assert!(printed.output.contains(text), "{text}: {}", printed.output);
    }
    assert!(
        !printed.output.contains("No intervals"),
        "{}",
        printed.output
    );
    assert_eq!(printed.errors, "");
}

#[test]
fn levels_that_cannot_be_are_refused() {
    let deep = finish(setrograde().args(["db", "estimate", "--cards", "36"]));
    deep.ended(1);
    deep.complains("from 4 to 32");
    let both = ["--cards", "12", "--draw", "9", "--time", "9"];
    let both = finish(setrograde().args(["db", "estimate"]).args(both));
    both.ended(2);
}

#[cfg(unix)]
#[test]
fn an_interrupt_before_there_is_a_sample_ends_with_130() {
    let child = setrograde()
        .args([
            "db", "estimate", "--cards", "16", "--draw", "10000000", "--db",
        ])
        .arg(twelve_cards())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Long enough to handle the signal, and far too short for two rounds.
    std::thread::sleep(Duration::from_secs(2));
    signal(child.id(), "INT");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    // The results so far: some runs, or only the prediction; on a slow machine possibly nothing.
    let errors = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        errors.contains("no run of the sample was finished")
            || printed.contains("16 cards, 309,014 partitions")
            || errors == "setrograde: cancelled\n",
        "{errors}{printed}"
    );
}

#[test]
fn the_seconds_bound_the_whole_and_the_level_below_must_be_there() {
    let estimate = |cards: &str| {
        let mut command = setrograde();
        command.args(["db", "estimate", "--time", "1", "--cards", cards, "--db"]);
        finish(command.arg(twelve_cards()))
    };
    let start = std::time::Instant::now();
    estimate("16");
    assert!(start.elapsed() < Duration::from_secs(60));
    let above = estimate("20");
    above.ended(1);
    above.complains("an estimate of 20 cards needs the level of 16 cards; build it first");
}
