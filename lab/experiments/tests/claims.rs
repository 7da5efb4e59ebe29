//! The program `claims`: tables of claims in records.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

#[derive(Debug, PartialEq)]
struct Printed {
    output: String,
    errors: String,
    status: Option<i32>,
}

fn run(command: &mut Command, input: &str) -> Printed {
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = streams.stderr(Stdio::piped()).spawn().expect("it starts");
    let mut stdin = child.stdin.take().expect("an input");
    stdin.write_all(input.as_bytes()).expect("it reads");
    drop(stdin);
    let ended = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Printed {
        output: text(ended.stdout),
        errors: text(ended.stderr),
        status: ended.status.code(),
    }
}

fn claims(arguments: &[&str], input: &str) -> Printed {
    let mut command = Command::new(env!("CARGO_BIN_EXE_claims"));
    run(command.args(arguments), input)
}

#[test]
fn records_of_claims() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("boards.pbn");
    // West opened the club king; South claims the rest after the ace.
    let board = "[Board \"1\"]\n[Dealer \"S\"]\n\
        [Deal \"S:AKQJT98.AKQ.A.A2 2.2.KQJT98.KQJT9 76.JT9.765432.43 543.876543..8765\"]\n\
        [Declarer \"S\"]\n[Contract \"7S\"]\n[Result \"12\"]\n\
        [Play \"W\"]\nCK C3 C5 CA\n*\n";
    let bad = board.replace("\"1\"", "\"2\"").replace("CK C3", "CK SA");
    fs::write(&file, format!("{board}\n{bad}")).expect("written");
    let name = file.to_str().expect("a name");
    let answer = claims(&["--no-times", name], "");
    assert_eq!(answer.status, Some(3));
    assert!(
        answer
            .output
            .starts_with("2 boards, 1 of them bad, 1 claims"),
        "{answer:?}"
    );
    assert!(answer.errors.contains("board 2"), "{}", answer.output);
    let records = format!("{board}\n{bad}");
    // Any number of threads prints the same, in the order of the boards.
    fs::write(&file, records.repeat(20)).expect("written");
    let answers = ["1", "3"].map(|threads| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_claims"));
        run(
            command
                .args(["--json", name])
                .env("RAYON_NUM_THREADS", threads),
            "",
        )
    });
    assert_eq!(answers[0].output.lines().count(), 20);
    assert_eq!(answers[0], answers[1]);
    let piped = claims(&["--no-times", "-"], &records);
    assert_eq!((piped.output, piped.status), (answer.output, Some(3)));
    assert!(piped.errors.starts_with("claims: -"), "{}", piped.errors);
}

#[test]
fn a_claim_beyond_the_limit_ends_no_run() {
    // That 13 tricks are not sure is seen at once, how many are takes longer.
    let claim = "qx|o1|md|1SAKT972HDQ742CQ84,S43HKQT7DJ65CAJ92,SJ865H964DKCKT763|sv|o|\
                 mb|1N|mb|p|mb|p|mb|p|pc|D5|mc|13|\n";
    let printed = claims(&["--json", "--limit", "50", "-"], claim);
    assert_eq!(printed.status, Some(0), "{}", printed.errors);
    let found: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    assert_eq!(found["sure"], false);
    assert!(found["least_double_dummy"].is_null(), "{found}");
}

/// Sure tricks are no more than the least that double dummy takes in any layout, which
/// may be more than was claimed.
#[test]
fn the_least_double_dummy_is_no_claim() {
    // Nothing is claimed of the last trick, which declarer's ace wins.
    let play = "[Play \"W\"]\nCK C3 C5 CA\n*\n";
    let board = "[Board \"1\"]\n[Dealer \"S\"]\n\
        [Deal \"S:AKQJT98.AKQ.A.A2 2.2.KQJT98.KQJT9 76.JT9.765432.43 543.876543..8765\"]\n\
        [Declarer \"S\"]\n[Contract \"7S\"]\n[Result \"1\"]\n";
    let printed = claims(&["--json", "-"], &format!("{board}{play}"));
    let found: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    assert_eq!(
        (&found["claimed"], &found["sure"]),
        (&0.into(), &true.into())
    );
    assert!(found["least_double_dummy"].as_u64() > Some(0), "{found}");
}
