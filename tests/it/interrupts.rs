//! Every command that can be long ends soon after a signal: with status 75 if the same command
//! continues its work, otherwise with status 130.
#![cfg(unix)]

use std::io::Write;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::command::{setrograde, signal};
use crate::database::{sixteen_cards, twelve_cards};

/// A full deal that takes long without a table.
const DEAL: &str = "N:AT.KT532.T943.T6 K873.Q9.J87.J984 J952.J76.A2.K732 Q64.A84.KQ65.AQ5";

fn start(command: &mut Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
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
    let status = child.wait().expect("it ended");
    let expected = if name == "build" { 75 } else { 130 };
    assert_eq!(
        status.code(),
        Some(expected),
        "{name} after SIG{signal_name}"
    );
}

#[test]
fn long_work_ends_soon_after_a_signal() {
    for signal in ["INT", "TERM"] {
        let directory = tempfile::tempdir().expect("a directory");
        let mut build = setrograde();
        build
            .args(["build", "--cards", "16", "--method", "setrograde", "--db"])
            .arg(directory.path());
        ends_soon("build", start(&mut build), signal);
        let mut verify = setrograde();
        verify.args(["db", "verify", "--db"]).arg(sixteen_cards());
        ends_soon("verify", start(&mut verify), signal);
        let mut sample = setrograde();
        sample
            .args(["db", "verify", "--endings", "100000000", "--db"])
            .arg(twelve_cards());
        ends_soon("verify --endings", start(&mut sample), signal);
        let mut estimate = setrograde();
        estimate
            .args([
                "db", "estimate", "--cards", "16", "--draw", "1000000", "--db",
            ])
            .arg(twelve_cards());
        ends_soon("estimate", start(&mut estimate), signal);
    }
}

/// Players that decide at once see no signal themselves.
#[test]
fn a_tournament_of_quick_players_shows_its_standings_after_a_signal() {
    let mut tournament = setrograde();
    tournament.args(["tournament", "--players", "random", "simple"]);
    tournament.args(["--game", "whist", "--cards", "5", "--boards", "1000000000"]);
    let child = start(&mut tournament);
    std::thread::sleep(Duration::from_secs(1));
    signal(child.id(), "INT");
    let output = child.wait_with_output().expect("it ended");
    assert_eq!(output.status.code(), Some(130));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("random"), "{printed}");
}

#[test]
fn solving_ends_soon_after_a_signal() {
    for signal in ["INT", "TERM"] {
        let mut solve = setrograde();
        solve.args(["table", "--memory", "1M", "--threads", "1", "-"]);
        let mut child = start(&mut solve);
        let deals = format!("{DEAL}\n").repeat(1_000);
        let mut input = child.stdin.take().expect("piped");
        input.write_all(deals.as_bytes()).expect("it reads");
        ends_soon("table", child, signal);
        drop(input);
    }
}

#[test]
fn a_command_that_waits_for_its_reader_or_its_input_ends_soon_after_a_signal() {
    for subcommand in ["query", "solve"] {
        let command = || {
            let mut command = setrograde();
            command
                .args([subcommand, "--db"])
                .arg(twelve_cards())
                .arg("-");
            command
        };
        ends_soon("an idle command", start(&mut command()), "TERM");
        // Its answers fill the pipe, which nobody reads.
        let mut child = start(&mut command());
        let mut input = child.stdin.take().expect("piped");
        let questions = "NT W N:A... K... Q... J...\n".repeat(40_000);
        std::thread::scope(|scope| {
            // Fails when the command ends.
            scope.spawn(move || input.write_all(questions.as_bytes()));
            ends_soon("a command that nobody reads", child, "INT");
        });
    }
}
