//! `setrograde estimate`: projections as text and as JSON.

use std::time::Duration;

use crate::command::{run_line, run_on};
use crate::database::twelve_cards;

#[test]
fn an_estimate_prints_intervals_around_its_projections() {
    let words = "db estimate --cards 16 --draw 16 --json --run 16";
    let printed = run_on(twelve_cards(), words);
    printed.ended(0);
    let report = printed.json();
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
    let printed = run_on(twelve_cards(), "db estimate --cards 12 --run 8 --draw 16");
    printed.ended(0);
    for text in [
        "12 cards, 32,641 partitions",
        "look-ups",
        "nodes",
        "Memory for the level below: at most",
        "Bytes are too high",
    ] {
        printed.shows(text);
    }
    printed.does_not_show("No intervals");
    assert_eq!(printed.errors, "");
}

#[test]
fn levels_that_cannot_be_are_refused() {
    run_line("db estimate --cards 36").is_refused(1, "from 4 to 32");
    run_line("db estimate --cards 12 --draw 9 --time 9").ended(2);
}

#[cfg(unix)]
#[test]
fn an_interrupt_before_there_is_a_sample_ends_with_130() {
    use crate::command::{Printed, on, piped, signal};

    let mut command = on(twelve_cards(), "db estimate --cards 16 --draw 10000000");
    let child = piped(&mut command);
    // Long enough to handle the signal, and far too short for two rounds.
    std::thread::sleep(Duration::from_secs(2));
    signal(child.id(), "INT");
    let ended: Printed = child.wait_with_output().expect("it ends").into();
    ended.ended(130);
    // The results so far: some runs, or only the prediction; on a slow machine possibly nothing.
    let (errors, printed) = (&ended.errors, &ended.output);
    assert!(
        errors.contains("no run of the sample was finished")
            || printed.contains("16 cards, 309,014 partitions")
            || errors == "setrograde: cancelled\n",
        "{ended:?}"
    );
}

#[test]
fn the_seconds_bound_the_whole_and_the_level_below_must_be_there() {
    let start = std::time::Instant::now();
    run_on(twelve_cards(), "db estimate --time 1 --cards 16");
    assert!(start.elapsed() < Duration::from_secs(60));
    let above = run_on(twelve_cards(), "db estimate --time 1 --cards 20");
    above.ended(1);
    above.complains("an estimate of 20 cards needs the level of 16 cards; build it first");
}
