//! Texts as people paste and print them, each through the command.

use setrograde_records::{Options, Records};

use crate::command::{feed_bytes, run, setrograde};

const D: &str = "N:KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95";

/// The boards in `--format lin` of a text on standard input: number, dealer, sides and deal of each.
fn boards(text: &str) -> String {
    let mut command = setrograde();
    command.args(["table", "--db", "none", "--format", "lin", "-"]);
    let printed = feed_bytes(&mut command, text.as_bytes());
    if printed.status != Some(0) {
        return printed.errors;
    }
    let records = Records::with_options(printed.output.as_bytes(), "answer", Options::default());
    let boards = records.expect("text").map(|board| {
        let board = board.expect("what was written");
        let deal = board.deal().expect("a deal").to_string();
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        let dealer = board.dealer.map(|seat| seat.to_string());
        let sides = board.vulnerability.map(|sides| sides.to_string());
        let deal = if deal == D { "D".to_owned() } else { deal };
        [
            or_dash(board.number.map(|number| number.to_string())),
            or_dash(dealer),
            or_dash(sides),
            deal,
        ]
        .join(" ")
    });
    boards.collect::<Vec<_>>().join(" / ")
}

/// The file has texts, each behind a line of equals signs and what is expected of it.
#[test]
fn texts_are_the_boards_that_people_mean() {
    let cases = include_str!("hunt.txt").split("=====\n").skip(1);
    let mut wrong = Vec::new();
    for case in cases {
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
    let deal = "N:AK.2.. QJ.A.. 32..A. ..K2.A";
    let whole = run(&["table", "--format", "numbers", "--db", "none", D]);
    let hands = &D[2..];
    let list = format!("hands = ['{}']", hands.replace(' ', "', '"));
    for words in [vec![hands], hands.split(' ').collect(), vec![&*list]] {
        let printed = run(&[
            &["table", "--format", "numbers", "--db", "none"],
            &words[..],
        ]
        .concat());
        assert_eq!(printed.status, Some(0), "{printed:?}");
        assert!(printed.errors.contains("no seat is named"), "{printed:?}");
        let tricks = |text: &str| text.split_once('\t').expect("a deal").1.to_owned();
        assert_eq!(tricks(&printed.output), tricks(&whole.output));
    }
    // Of fewer cards they may be anything.
    let printed = run(&["table", "--db", "none", &deal[2..]]);
    assert_eq!(printed.status, Some(1), "{printed:?}");
}
