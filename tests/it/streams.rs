//! Standard input with endless lines and odd separators, and a standard error that
//! cannot be written.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::command::{Printed, feed, finish, setrograde};
use crate::database::twelve_cards;

const GOOD: &str = "NT W N:A... K... Q... J...";

fn query() -> Command {
    let mut command = setrograde();
    command.args(["query", "--db"]).arg(twelve_cards());
    command
}

/// Every write to it fails.
fn full_disk() -> Stdio {
    let full = File::options().write(true).open("/dev/full");
    full.expect("Linux has it").into()
}

/// A pipe without a reader.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    writer.into()
}

#[cfg(target_os = "linux")]
#[test]
fn an_unwritable_standard_error_changes_nothing_else() {
    for standard_error in [full_disk, closed_pipe] {
        let directory = tempfile::tempdir().expect("a directory");
        let mut build = setrograde();
        build
            .args(["build", "--cards", "8", "--threads", "1", "--db"])
            .arg(directory.path());
        let mut verify = setrograde();
        verify.args(["db", "verify", "--db"]).arg(directory.path());
        for mut command in [build, verify] {
            let output = command.stderr(standard_error()).output();
            assert_eq!(output.expect("it starts").status.code(), Some(0));
        }
        let printed = feed(
            query().arg("-").stderr(standard_error()),
            &format!("{GOOD}\nNT W N:X... K... Q... J...\n{GOOD}\n"),
        );
        assert_eq!(printed.output, format!("{GOOD}\t0\n{GOOD}\t0\n"));
        printed.ended(3);
        let failing = setrograde()
            .args(["db", "stats", "--db", "/nonexistent"])
            .stderr(standard_error())
            .output();
        assert_eq!(failing.expect("it starts").status.code(), Some(1));
    }
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_answered() {
    let long = format!("NT W N:{}", "A".repeat(1 << 16));
    let lines = format!("{GOOD}\n{long}\n{GOOD}\n{}", long.repeat(40));
    let printed = feed(query().arg("-"), &lines);
    assert_eq!(printed.output, format!("{GOOD}\t0\n{GOOD}\t0\n"));
    assert_eq!(
        printed.errors,
        "setrograde: line 2: longer than 65536 bytes\n\
         setrograde: line 4: longer than 65536 bytes\n"
    );
    printed.ended(3);
    let json = feed(query().args(["--json", "-"]), &format!("{long}\n"));
    assert_eq!(json.output.lines().count(), 1);
    assert!(json.output.len() < 200, "{}", json.output);
}

/// Returns the peak memory of a process so far.
#[cfg(target_os = "linux")]
fn peak_kibibytes(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.expect("Linux has it").trim().trim_end_matches(" kB");
    peak.parse().expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_line_takes_no_memory() {
    let mut child = query()
        .args(["--threads", "1", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut questions = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut ask = |line: &str| {
        writeln!(questions, "{line}").expect("it reads");
        writeln!(questions, "{GOOD}").expect("it reads");
        answers.next().expect("an answer").expect("text");
    };
    ask("# begin");
    let before = peak_kibibytes(child.id());
    ask(&"x".repeat(32 << 20));
    let after = peak_kibibytes(child.id());
    drop(questions);
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    assert!(
        after < before + (16 << 10),
        "{before} KiB, then {after} KiB"
    );
}

#[test]
fn answers_hold_no_separators_but_tabs_and_newlines_of_their_own() {
    let position = "N:A... K... Q... J...";
    for separator in ["\t", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{a0}"] {
        let question = format!("NT{separator}W {position}");
        let printed = feed(query().arg("-"), &format!("{question}\n"));
        assert_eq!(
            printed.output,
            format!("NT W {position}\t0\n"),
            "{separator:?}"
        );
        let json = feed(query().args(["--json", "-"]), &format!("{question}\n"));
        let json: serde_json::Value = serde_json::from_str(&json.output).expect("JSON");
        assert_eq!(json["question"], format!("NT W {position}"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_named() {
    let deal = "N:A... K... Q... J...";
    for command in [
        &["table", deal][..],
        &["db", "chunks", "--cards", "8", "--chunks", "2"],
    ] {
        let printed: Printed = setrograde()
            .args(command)
            .stdout(full_disk())
            .output()
            .expect("it starts")
            .into();
        printed.ended(1);
        printed.complains("setrograde: standard output: cannot write: No space left");
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_is_no_regular_file_is_left_alone() {
    use std::os::unix::fs::FileTypeExt;

    let directory = tempfile::tempdir().expect("a directory");
    let socket = directory.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    for there in [&*socket, directory.path()] {
        let printed = finish(
            setrograde()
                .args(["table", "N:A... K... Q... J...", "--output"])
                .arg(there),
        );
        printed.ended(1);
        printed.complains("it is not a regular file");
    }
    assert!(
        socket
            .metadata()
            .expect("it is there")
            .file_type()
            .is_socket()
    );
    let left = std::fs::read_dir(directory.path()).expect("files").count();
    assert_eq!(left, 1, "nothing unfinished is left");
}

/// The standard library takes answers for written there that go nowhere.
#[cfg(unix)]
#[test]
fn an_output_that_is_open_for_reading_alone_is_refused() {
    let printed: Printed = query()
        .arg(GOOD)
        .stdout(File::open("/dev/null").expect("it opens"))
        .output()
        .expect("it starts")
        .into();
    printed.ended(1);
    printed.complains("setrograde: standard output: cannot write: Bad file descriptor");
}
