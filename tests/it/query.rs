//! `setrograde query`, and other output of the command.

use std::io::{BufRead, BufReader, Write};

use serde_json::{Value, json};

use crate::command::{Printed, feed, on, piped, run_line, run_on};
use crate::database::twelve_cards;
use crate::folder::Folder;

/// Asks with the words of a line.
fn query(line: &str) -> Printed {
    run_on(twelve_cards(), &format!("query {line}"))
}

/// Asks with these lines on standard input.
fn ask(options: &str, lines: &str) -> Printed {
    let mut command = on(twelve_cards(), &format!("query {options} -"));
    feed(&mut command, lines)
}

#[test]
fn one_question_as_arguments() {
    let printed = query("NT N N:AQ... K3... 54... 76...");
    printed.prints("NT N N:AQ... K3... 54... 76...\t1\n");
    assert_eq!(printed.errors, "");
    // Cards on the table are searched to the end of the trick.
    for (question, tricks) in [
        ("NT W N:A... K... Q... J...", 0),
        ("NT S N:AQ... K3... 5... 76... played=S4", 1),
    ] {
        query(&format!("'{question}'")).prints(&format!("{question}\t{tricks}\n"));
    }
}

#[test]
fn boards_are_chosen_by_their_numbers() {
    let contract = "[Declarer \"W\"]\n[Contract \"1NT\"]";
    let board = |number, deal| format!("[Board \"{number}\"]\n[Deal \"{deal}\"]\n{contract}\n\n");
    let boards = [
        board(1, "N:AQ... K3... 54... 76..."),
        board(2, "N:A... K... Q... J..."),
    ];
    let folder = Folder::with("boards.pbn", boards.concat());
    let path = folder.at("boards.pbn").display().to_string();
    let both = query(&path);
    let second = query(&format!("--board 2 {path}"));
    second.ended(0);
    assert!(!second.output.is_empty() && second.output.len() < both.output.len());
    assert!(both.output.ends_with(&second.output), "{}", both.output);
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
    let printed = ask("", &questions);
    printed.ended(3);
    let answers = format!("{good}\t0\nNT W N:A... K... Q... J...\t0\n");
    assert_eq!(printed.output, answers);
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
    printed.has_complaints(expected.len());
    for (error, parts) in printed.errors.lines().zip(expected) {
        let has_all = parts.iter().all(|part| error.contains(part));
        assert!(has_all, "{error} has no {parts:?}");
    }
}

#[test]
fn tens_of_thousands_of_lines_keep_their_order() {
    let lines = [
        "NT N N:AQ... K3... 54... 76...",
        "NT W N:A... K... Q... J...",
    ];
    let questions = format!("{}\n{}\n", lines[0], lines[1]).repeat(20_000);
    let printed = ask("--threads 3", &questions);
    assert_eq!(printed.output.lines().count(), 40_000);
    for (at, answer) in printed.output.lines().enumerate() {
        assert_eq!(answer, format!("{}\t{}", lines[at % 2], 1 - at % 2));
    }
}

#[test]
fn a_program_that_asks_line_by_line_is_answered_at_once() {
    let mut child = piped(&mut on(twelve_cards(), "query -"));
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
    let questions = "NT N N:AQ... K3... 54... 76...\nNT N nonsense\n";
    let printed = ask("--json", questions);
    assert_eq!((printed.errors.as_str(), printed.status), ("", Some(3)));
    let objects = printed.objects();
    assert_eq!(objects[0]["tricks"], 1);
    assert_eq!(objects[0]["leader"], "N");
    assert_eq!(objects[0]["set"]["S"][0], "N");
    assert_eq!(objects[1]["line"], 2);
    assert_eq!(objects[1]["column"], 6);
    assert!(objects[1]["error"].is_string());
}

#[test]
fn an_explanation_shows_the_deal_the_masks_and_the_words() {
    let printed = query("--explain 'NT S N:AQ... 76... 54... K3...'");
    for part in [
        "♠ AQ",
        "South and North take 2 of the 2 tricks",
        "♠ 1000 ",
        "♠A with North",
    ] {
        printed.shows(part);
    }
}

#[test]
fn output_that_nobody_reads_is_no_error() {
    let mut child = piped(&mut on(twelve_cards(), "query -"));
    drop(child.stdout.take());
    let mut questions = child.stdin.take().expect("piped");
    for _ in 0..1_000 {
        if writeln!(questions, "NT W N:A... K... Q... J...").is_err() {
            break;
        }
    }
    drop(questions);
    let printed: Printed = child.wait_with_output().expect("it ends").into();
    printed.ended(0);
}

#[test]
fn stats_lists_the_levels_as_text_and_as_json() {
    let text = run_on(twelve_cards(), "db stats");
    text.shows("33,920,712");
    text.shows("32,641");
    let json = run_on(twelve_cards(), "db stats --json").json();
    assert_eq!(json["levels"][1]["states"], 87_921);
    assert_eq!(json["levels"].as_array().map(Vec::len), Some(3));
}

#[test]
fn unknown_arguments_exit_with_two_and_help_shows_examples() {
    run_line("quarry").ended(2);
    let help = run_line("query --help");
    help.shows("Examples:");
    help.ended(0);
}

#[test]
fn more_threads_than_any_machine_has_are_refused() {
    for command in ["build", "db estimate", "query", "solve", "db verify"] {
        let printed = run_line(&format!("{command} --threads 1025"));
        printed.is_refused(2, "expected a whole number from 1 to 1024");
    }
}

/// The sets of a partition are disjoint and cover it, and the ending's own set is
/// among them.
#[test]
fn the_sets_of_a_partition_are_listed() {
    let ending = "NT S N:AQ... 76... 54... K3...";
    let json = run_on(twelve_cards(), &format!("db sets --json '{ending}'")).json();
    // Eight cards of one suit, two for each hand.
    assert_eq!(json["endings"], 2_520);
    let number = |value: &Value| value.as_u64().expect("a number");
    let list = json["sets"].as_array().expect("a list");
    let mut counts = [0; 3];
    for set in list {
        counts[number(&set["tricks"]) as usize] += number(&set["endings"]);
    }
    let printed = json["counts"].as_array().expect("counts").iter();
    assert!(printed.map(number).eq(counts), "{json}");
    let own = json!(["N", "W", "N"]);
    assert!(
        list.iter()
            .any(|set| set["tricks"] == 2 && set["set"]["S"] == own)
    );
    let text = run_on(twelve_cards(), &format!("db sets '{ending}'"));
    assert_eq!(text.output.lines().count(), 1 + list.len());
    text.shows("\t♠ 1000 0001 1000 xxxx xxxx xxxx xxxx xxxx\n");
}
