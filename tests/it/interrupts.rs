//! Every command that can be long ends soon after a signal: with status 75 if the same command
//! continues its work, otherwise with status 130.
#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use crate::command::{Printed, on, piped, signal};
use crate::database::{sixteen_cards, twelve_cards};

/// A full deal that takes long without a table.
const DEAL: &str = "N:AT.KT532.T943.T6 K873.Q9.J87.J984 J952.J76.A2.K732 Q64.A84.KQ65.AQ5";

fn start(database: &Path, line: &str) -> Child {
    piped(&mut on(database, line))
}

/// Signals a process once it works, and waits for its end. The promise is one second; a busy
/// machine gets ten.
fn ends_soon(name: &str, mut child: Child, signal_name: &str) {
    std::thread::sleep(Duration::from_secs(1));
    let ended = child.try_wait().expect("a process");
    assert_eq!(ended, None, "{name} ended by itself");
    signal(child.id(), signal_name);
    let start = Instant::now();
    while child.try_wait().expect("a process").is_none() {
        if start.elapsed() > Duration::from_secs(10) {
            child.kill().expect("killed");
            panic!("{name} continued after SIG{signal_name}");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let status = child.wait().expect("it ended").code();
    let expected = if name.starts_with("build") { 75 } else { 130 };
    assert_eq!(status, Some(expected), "{name} after SIG{signal_name}");
}

#[test]
fn long_work_ends_soon_after_a_signal() {
    for signal in ["INT", "TERM"] {
        let directory = tempfile::tempdir().expect("a directory");
        for (database, line) in [
            (directory.path(), "build --cards 16 --method setrograde"),
            (sixteen_cards(), "db verify"),
            (twelve_cards(), "db verify --endings 100000000"),
            (twelve_cards(), "db estimate --cards 16 --draw 1000000"),
        ] {
            ends_soon(line, start(database, line), signal);
        }
    }
}

/// Players that decide at once see no signal themselves.
#[test]
fn a_tournament_of_quick_players_shows_its_standings_after_a_signal() {
    let line = "tournament --players random simple --game whist --cards 5 --boards 1000000000";
    let child = start("none".as_ref(), line);
    std::thread::sleep(Duration::from_secs(1));
    signal(child.id(), "INT");
    let printed: Printed = child.wait_with_output().expect("it ended").into();
    printed.ended(130);
    printed.shows("random");
}

#[test]
fn solving_ends_soon_after_a_signal() {
    for signal in ["INT", "TERM"] {
        let line = "table --memory 1M --threads 1 -";
        let mut child = start("none".as_ref(), line);
        let deals = format!("{DEAL}\n").repeat(1_000);
        let mut input = child.stdin.take().expect("piped");
        input.write_all(deals.as_bytes()).expect("it reads");
        ends_soon("table", child, signal);
        drop(input);
    }
}

#[test]
fn a_command_that_waits_for_its_reader_or_its_input_ends_soon_after_a_signal() {
    for line in ["query -", "solve -"] {
        let idle = start(twelve_cards(), line);
        ends_soon("an idle command", idle, "TERM");
        // Its answers fill the pipe, which nobody reads.
        let mut child = start(twelve_cards(), line);
        let mut input = child.stdin.take().expect("piped");
        let questions = "NT W N:A... K... Q... J...\n".repeat(40_000);
        std::thread::scope(|scope| {
            // Fails when the command ends.
            scope.spawn(move || input.write_all(questions.as_bytes()));
            ends_soon("a command that nobody reads", child, "INT");
        });
    }
}
