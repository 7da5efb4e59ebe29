//! Texts as people paste and print them, each through the command.

use setrograde_records::{Options, Records};

use crate::command::{feed_line, finish, run_line, setrograde, words};

const D: &str = "N:KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95";

/// The boards in `--format lin` of a text on standard input: number, dealer, sides and deal of each.
fn boards(text: &str) -> String {
    let printed = feed_line("table --db none --format lin -", text);
    if printed.status != Some(0) {
        return printed.errors;
    }
    let records = Records::with_options(printed.output.as_bytes(), "answer", Options::default());
    let boards = records.expect("text").map(|board| {
        let board = board.expect("what was written");
        let deal = board.deal().expect("a deal").to_string();
        let fields = [
            board.number.map(|number| number.to_string()),
            board.dealer.map(|seat| seat.to_string()),
            board.vulnerability.map(|sides| sides.to_string()),
            Some(if deal == D { "D".to_owned() } else { deal }),
        ];
        let fields = fields.map(|field| field.unwrap_or_else(|| "-".to_owned()));
        fields.join(" ")
    });
    boards.collect::<Vec<_>>().join(" / ")
}

/// The texts of the file, each after a line with what is expected of it.
fn cases() -> Vec<String> {
    let (head, cases) = include_str!("hunt.txt")
        .split_once("=====\n")
        .expect("texts");
    let mut cases = cases.to_owned();
    for piece in head.split("----- ").skip(1) {
        let (name, text) = piece.split_once('\n').expect("a name");
        cases = cases.replace(&format!("{{{name}}}\n"), text);
    }
    cases.split("=====\n").map(str::to_owned).collect()
}

#[test]
fn texts_are_the_boards_that_people_mean() {
    let mut wrong = Vec::new();
    for case in cases() {
        let (expected, text) = case.split_once('\n').expect("two parts");
        let found = boards(text);
        let right = match expected.strip_prefix("refused: ") {
            Some(reason) => found.contains(reason),
            None => found == expected,
        };
        if !right {
            wrong.push(format!("expected {expected}, found {found}\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Four hands were taken for the names of files.
#[test]
fn four_hands_are_a_question() {
    let table = "table --format numbers --db none";
    let tricks = |words: &str| {
        let printed = run_line(&format!("{table} {words}"));
        printed.ended(0);
        let (_, tricks) = printed.output.split_once('\t').expect("a deal");
        (tricks.to_owned(), printed.errors)
    };
    let (whole, _) = tricks(&format!("'{D}'"));
    let hands = &D[2..];
    for words in [format!("'{hands}'"), hands.to_owned()] {
        let (found, errors) = tricks(&words);
        assert!(errors.contains("no seat is named"), "{words}: {errors}");
        assert_eq!(found, whole, "{words}");
    }
    let list = format!("hands = ['{}']", hands.replace(' ', "', '"));
    let mut command = setrograde();
    let printed = finish(command.args(words(table)).arg(list));
    printed.complains("no seat is named");
    assert!(printed.output.ends_with(&whole), "{printed:?}");
    // Of fewer cards they may be anything.
    let few = run_line("table --db none 'AK.2.. QJ.A.. 32..A. ..K2.A'");
    few.ended(1);
}
