//! `setrograde query`, and other output of the command.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::command::{Printed, feed, finish, setrograde};
use crate::database::twelve_cards;

fn query() -> Command {
    let mut command = setrograde();
    command.args(["query", "--db"]).arg(twelve_cards());
    command
}

/// Asks with these lines on standard input.
fn ask(arguments: &[&str], lines: &str) -> Printed {
    feed(query().args(arguments), lines)
}

#[test]
fn one_question_as_arguments() {
    let printed = finish(query().args(["NT", "N", "N:AQ...", "K3...", "54...", "76..."]));
    assert_eq!(printed.output, "NT N N:AQ... K3... 54... 76...\t1\n");
    assert_eq!((printed.errors.as_str(), printed.status), ("", Some(0)));
    let quoted = finish(query().arg("NT W N:A... K... Q... J..."));
    assert_eq!(quoted.output, "NT W N:A... K... Q... J...\t0\n");
}

#[test]
fn boards_are_chosen_by_their_numbers() {
    let contract = "[Declarer \"W\"]\n[Contract \"1NT\"]";
    let board = |number, deal| format!("[Board \"{number}\"]\n[Deal \"{deal}\"]\n{contract}\n\n");
    let file = tempfile::Builder::new()
        .suffix(".pbn")
        .tempfile()
        .expect("a file");
    let boards = [
        board(1, "N:AQ... K3... 54... 76..."),
        board(2, "N:A... K... Q... J..."),
    ];
    std::fs::write(file.path(), boards.concat()).expect("written");
    let path = file.path().to_str().expect("text");
    let both = finish(query().arg(path));
    let second = finish(query().args(["--board", "2", path]));
    second.ended(0);
    assert!(!second.output.is_empty() && second.output.len() < both.output.len());
    assert!(both.output.ends_with(&second.output), "{}", both.output);
}

#[test]
fn cards_on_the_table_are_searched_to_the_end_of_the_trick() {
    let printed = finish(query().arg("NT S N:AQ... K3... 5... 76... played=S4"));
    assert_eq!(
        printed.output,
        "NT S N:AQ... K3... 5... 76... played=S4\t1\n"
    );
}

#[test]
fn many_questions_are_answered_in_order_and_bad_ones_named() {
    let good = "H W N:A.2.. K..A. .AK.. Q..K.";
    let questions = [
        good,
        "",
        "# a remark",
        "NT W N:A.2.. A..A. .AK.. Q..K.",
        "NT W N:A.2.. K..A. .AKQ.. Q..K.",
        "NT W N:A.X.. K..A. .AK.. Q..K.",
        "NT W N:AQJT... K987... 6543... 2.AKQ..",
        "XX W N:A.2.. K..A. .AK.. Q..K.",
        "NT W N:A... K... Q... J...",
    ]
    .join("\n");
    let printed = ask(&["-"], &questions);
    printed.ended(3);
    assert_eq!(
        printed.output,
        format!("{good}\t0\nNT W N:A... K... Q... J...\t0\n")
    );
    let expected = [
        ["line 4, column 14", "SA"],
        ["line 5", "South has 3"],
        ["line 6, column 10", "'X' is not a rank"],
        [
            "line 7",
            "16 cards; this database holds endings of 4, 8, 12 cards",
        ],
        ["line 8, column 1", "not a strain"],
    ];
    let errors: Vec<&str> = printed.errors.lines().collect();
    assert_eq!(errors.len(), expected.len(), "{}", printed.errors);
    for (error, parts) in errors.iter().zip(expected) {
        assert!(
            parts.iter().all(|part| error.contains(part)),
            "{error} has no {parts:?}"
        );
    }
}

#[test]
fn tens_of_thousands_of_lines_keep_their_order() {
    let lines = [
        "NT N N:AQ... K3... 54... 76...",
        "NT W N:A... K... Q... J...",
    ];
    let questions: String = (0..40_000)
        .map(|at| format!("{}\n", lines[at % 2]))
        .collect();
    let printed = ask(&["--threads", "3", "-"], &questions);
    assert_eq!(printed.output.lines().count(), 40_000);
    for (at, answer) in printed.output.lines().enumerate() {
        assert_eq!(answer, format!("{}\t{}", lines[at % 2], 1 - at % 2));
    }
}

#[test]
fn a_program_that_asks_line_by_line_is_answered_at_once() {
    let mut child = query()
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut questions = child.stdin.take().expect("piped");
    let mut answers = BufReader::new(child.stdout.take().expect("piped")).lines();
    for _ in 0..3 {
        writeln!(questions, "NT W N:A... K... Q... J...").expect("it reads");
        let answer = answers.next().expect("an answer").expect("text");
        assert_eq!(answer, "NT W N:A... K... Q... J...\t0");
    }
    drop(questions);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn json_has_an_object_for_every_question() {
    let printed = ask(
        &["--json", "-"],
        "NT N N:AQ... K3... 54... 76...\nNT N nonsense\n",
    );
    assert_eq!((printed.errors.as_str(), printed.status), ("", Some(3)));
    let objects: Vec<serde_json::Value> = printed
        .output
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(objects[0]["tricks"], 1);
    assert_eq!(objects[0]["leader"], "N");
    assert_eq!(objects[0]["set"]["S"][0], "N");
    assert_eq!(objects[1]["line"], 2);
    assert_eq!(objects[1]["column"], 6);
    assert!(objects[1]["error"].is_string());
}

#[test]
fn an_explanation_shows_the_deal_the_masks_and_the_words() {
    let printed = finish(query().args(["--explain", "NT S N:AQ... 76... 54... K3..."]));
    for part in [
        "♠ AQ",
        "South and North take 2 of the 2 tricks",
        "♠ 1000 ",
        "♠A with North",
    ] {
        assert!(
            printed.output.contains(part),
            "no {part} in\n{}",
            printed.output
        );
    }
}

#[test]
fn output_that_nobody_reads_is_no_error() {
    let mut child = query()
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut questions = child.stdin.take().expect("piped");
    for _ in 0..1_000 {
        if writeln!(questions, "NT W N:A... K... Q... J...").is_err() {
            break;
        }
    }
    drop(questions);
    let output = child.wait_with_output().expect("it ends");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn stats_lists_the_levels_as_text_and_as_json() {
    let stats = |more: &[&str]| {
        finish(
            setrograde()
                .args(["db", "stats", "--db"])
                .arg(twelve_cards())
                .args(more),
        )
    };
    let text = stats(&[]).output;
    assert!(
        text.contains("33,920,712") && text.contains("32,641"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&stats(&["--json"]).output).expect("JSON");
    assert_eq!(json["levels"][1]["states"], 87_921);
    assert_eq!(json["levels"].as_array().expect("levels").len(), 3);
}

#[test]
fn unknown_arguments_exit_with_two_and_help_shows_examples() {
    assert_eq!(finish(setrograde().arg("quarry")).status, Some(2));
    let help = finish(setrograde().args(["query", "--help"]));
    help.shows("Examples:");
    help.ended(0);
}

#[test]
fn more_threads_than_any_machine_has_are_refused() {
    for command in ["build", "db estimate", "query", "solve", "db verify"] {
        let words = command.split(' ');
        let printed = finish(setrograde().args(words).args(["--threads", "1025"]));
        assert_eq!(printed.status, Some(2), "{command}");
        printed.complains("expected a whole number from 1 to 1024");
    }
}

/// The sets of a partition are disjoint and cover it, and the ending's own set is
/// among them.
#[test]
fn the_sets_of_a_partition_are_listed() {
    let ending = "NT S N:AQ... 76... 54... K3...";
    let mut sets = setrograde();
    sets.args(["db", "sets", "--json", "--db"])
        .arg(twelve_cards());
    let printed = finish(sets.arg(ending));
    let json: serde_json::Value = serde_json::from_str(&printed.output).expect("JSON");
    // Eight cards of one suit, two for each hand.
    assert_eq!(json["endings"], 2_520);
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let list = json["sets"].as_array().expect("a list");
    let mut counts = [0; 3];
    for set in list {
        counts[number(&set["tricks"]) as usize] += number(&set["endings"]);
    }
    let printed: Vec<u64> = json["counts"]
        .as_array()
        .expect("counts")
        .iter()
        .map(number)
        .collect();
    assert_eq!(printed, counts);
    assert!(list.iter().any(|set| {
        set["tricks"] == 2 && set["set"]["S"] == serde_json::json!(["N", "W", "N"])
    }));
    let mut text = setrograde();
    text.args(["db", "sets", "--db"]).arg(twelve_cards());
    let text = finish(text.arg(ending)).output;
    assert_eq!(text.lines().count(), 1 + list.len());
    assert!(
        text.contains("\t♠ 1000 0001 1000 xxxx xxxx xxxx xxxx xxxx\n"),
        "{text}"
    );
}
