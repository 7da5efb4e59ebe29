//! The server ends once its answers are sent.
#![cfg(unix)]

use std::io::BufRead;
use std::thread;
use std::time::Duration;

use crate::server::{LONG, Server, TABLE, all_ask, encoded, signal, uploading};

/// Nobody reads standard error, and its pipe is full.
#[test]
fn lines_that_nobody_reads_hold_up_nothing() {
    let (server, mut errors) = Server::start(&["--log"]);
    let mut client = server.connect();
    let target = format!("/health?{}", "x".repeat(900));
    for _ in 0..2_000 {
        assert_eq!(client.ask("GET", &target, b"").status, 200);
    }
    let mut logged = String::new();
    errors.read_line(&mut logged).expect("a line");
    assert!(logged.starts_with("127.0.0.1 - - ["), "{logged}");
    assert!(logged.contains("\"GET /health?xxx"), "{logged}");
    signal("-TERM", server.process.id());
    server.has_ended();
}

#[test]
fn a_signal_ends_the_server_once_answers_are_sent() {
    let table = format!("/table?question={}", encoded(TABLE));
    for (target, status) in [(&*table, 200), (LONG, 503)] {
        let server = Server::new(&["--at-once", "1"]);
        let mut client = server.connect();
        client.send("GET", target, b"");
        thread::sleep(Duration::from_millis(30));
        signal("-TERM", server.process.id());
        let answer = client.receive();
        assert_eq!(answer.status, status, "{}", answer.body);
        server.has_ended();
    }
}

/// Requests that were sent before the signal are answered, even if nothing had accepted them.
#[test]
fn a_signal_loses_no_request_that_waits_in_the_system() {
    let server = Server::new(&[]);
    signal("-STOP", server.process.id());
    let mut clients = all_ask(&server, 8, "/health");
    signal("-TERM", server.process.id());
    signal("-CONT", server.process.id());
    for client in &mut clients {
        assert_eq!(client.receive().status, 200);
    }
    server.has_ended();
}

/// A client whose file has not arrived hears that the server ends, too.
#[test]
fn a_signal_ends_an_upload_with_its_reason() {
    let server = Server::new(&[]);
    let mut client = uploading(&server);
    thread::sleep(Duration::from_millis(200));
    signal("-TERM", server.process.id());
    let answer = client.receive();
    assert_eq!(answer.status, 503, "{}", answer.body);
    server.has_ended();
}
