//! The program `setrograde-check`.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;

const TITLE: &str = "setrograde certificate 1";

fn run(file: &str, input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_setrograde-check"));
    let pipes = command.arg(file).stdin(Stdio::piped());
    let pipes = pipes.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("it starts");
    let mut to = child.stdin.take().expect("a pipe");
    // A program that reads nothing may have ended.
    let _ = to.write_all(input);
    drop(to);
    child.wait_with_output().expect("it ends")
}

/// A certificate of one card in each hand, which needs no lemmas.
fn certificate(result: &str) -> Vec<u8> {
    let mut file = GzEncoder::new(Vec::new(), Compression::fast());
    let results = format!("{result}{}", " -".repeat(19));
    let written = write!(file, "{TITLE}\nN:A... K... Q... J...\n{results}\n");
    written.and_then(|()| file.finish()).expect("memory")
}

#[track_caller]
fn says(ended: &Output, status: i32, proved: usize, error: &str) {
    let output = String::from_utf8_lossy(&ended.stdout);
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(status), "{errors}");
    assert_eq!(output.matches("proved by").count(), proved, "{output}");
    assert_eq!(errors.trim_end(), error);
}

#[test]
fn names_of_files_do_not_act_on_a_terminal() {
    let ended = run("x\u{9b}31m\u{202e}", b"");
    let error = String::from_utf8(ended.stderr).expect("text");
    assert_eq!(ended.status.code(), Some(1), "{error}");
    assert!(error.starts_with(r"x\u{9b}31m\u{202e}: "), "{error}");
}

#[test]
fn certificates_follow_each_other() {
    let two = [certificate("1"), certificate("1")].concat();
    says(&run("-", &two), 0, 2, "");
    says(&run("-", b""), 1, 0, "-: it is empty");
    let wrong = [two, certificate("0"), certificate("1")].concat();
    let error = "-: certificate 3 is refused: a result at NT: \
                 E leads, EW take 1 of 1: 1111NESW 0000 0000 0000: \
                 it would need N leads, EW take 1 of 0: 0000 0000 0000 0000";
    says(&run("-", &wrong), 1, 2, error);
    let error = "-: certificate 1 is refused: it states no result, so it proves nothing";
    says(&run("-", &certificate("-")), 1, 0, error);
    let cut = &certificate("1")[..30];
    let ended = run("-", &[&certificate("1"), cut].concat());
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(
        errors.starts_with("-: certificate 2 is refused: "),
        "{errors}"
    );
}
