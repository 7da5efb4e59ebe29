//! Standard input with endless lines and odd separators, and a standard error that
//! cannot be written.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::command::{feed, finish, on, setrograde, words};
#[cfg(target_os = "linux")]
use crate::command::{peak_kibibytes, piped};
use crate::database::twelve_cards;
use crate::folder::Folder;

const GOOD: &str = "NT W N:A... K... Q... J...";

/// A query with the words of a line.
fn query(line: &str) -> Command {
    on(twelve_cards(), &format!("query {line}"))
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
        let folder = Folder::new();
        let status = |command: &mut Command| {
            let output = command.stderr(standard_error()).output();
            output.expect("it starts").status.code()
        };
        for line in ["build --cards 8 --threads 1", "db verify"] {
            assert_eq!(status(&mut on(folder.path(), line)), Some(0), "{line}");
        }
        let printed = feed(
            query("-").stderr(standard_error()),
            &format!("{GOOD}\nNT W N:X... K... Q... J...\n{GOOD}\n"),
        );
        assert_eq!(printed.output, format!("{GOOD}\t0\n{GOOD}\t0\n"));
        printed.ended(3);
        let mut failing = on("/nonexistent".as_ref(), "db stats");
        assert_eq!(status(&mut failing), Some(1));
    }
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_answered() {
    let long = format!("NT W N:{}", "A".repeat(1 << 16));
    let lines = format!("{GOOD}\n{long}\n{GOOD}\n{}", long.repeat(40));
    let printed = feed(&mut query("-"), &lines);
    assert_eq!(printed.output, format!("{GOOD}\t0\n{GOOD}\t0\n"));
    assert_eq!(
        printed.errors,
        "setrograde: line 2: longer than 65536 bytes\n\
         setrograde: line 4: longer than 65536 bytes\n"
    );
    printed.ended(3);
    let json = feed(&mut query("--json -"), &format!("{long}\n"));
    assert_eq!(json.output.lines().count(), 1);
    assert!(json.output.len() < 200, "{}", json.output);
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_line_takes_no_memory() {
    let mut child = piped(&mut query("--threads 1 -"));
    let mut questions = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut ask = |line: &str| {
        writeln!(questions, "{line}").expect("it reads");
        writeln!(questions, "{GOOD}").expect("it reads");
        answers.next().expect("an answer").expect("text");
    };
    let peak = || peak_kibibytes(child.id()).expect("it runs");
    ask("# begin");
    let before = peak();
    ask(&"x".repeat(32 << 20));
    let after = peak();
    drop(questions);
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    let allowed = before + (16 << 10);
    assert!(after < allowed, "{before} KiB, then {after} KiB");
}

#[test]
fn answers_hold_no_separators_but_tabs_and_newlines_of_their_own() {
    let position = "N:A... K... Q... J...";
    for separator in ["\t", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{a0}"] {
        let question = format!("NT{separator}W {position}\n");
        let printed = feed(&mut query("-"), &question);
        let expected = format!("NT W {position}\t0\n");
        assert_eq!(printed.output, expected, "{separator:?}");
        let json = feed(&mut query("--json -"), &question).json();
        assert_eq!(json["question"], format!("NT W {position}"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_named() {
    for line in [
        "table 'N:A... K... Q... J...'",
        "db chunks --cards 8 --chunks 2",
    ] {
        let mut command = setrograde();
        let printed = finish(command.args(words(line)).stdout(full_disk()));
        printed.ended(1);
        printed.complains("setrograde: standard output: cannot write: No space left");
    }
}

#[cfg(unix)]
#[test]
fn an_output_that_is_no_regular_file_is_left_alone() {
    use std::os::unix::fs::FileTypeExt;

    let folder = Folder::new();
    let socket = folder.at("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    for there in ["socket", "."] {
        let printed = folder.run(&format!("table 'N:A... K... Q... J...' --output {there}"));
        printed.is_refused(1, "it is not a regular file");
    }
    let kind = socket.metadata().expect("it is there").file_type();
    assert!(kind.is_socket());
    assert_eq!(folder.names(), ["socket"], "nothing unfinished is left");
}

/// The standard library takes answers for written there that go nowhere.
#[cfg(unix)]
#[test]
fn an_output_that_is_open_for_reading_alone_is_refused() {
    let nowhere = File::open("/dev/null").expect("it opens");
    let printed = finish(query(&format!("'{GOOD}'")).stdout(nowhere));
    printed.ended(1);
    printed.complains("setrograde: standard output: cannot write: Bad file descriptor");
}
