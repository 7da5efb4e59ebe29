//! One language for hidden cards: every command reads every question alike, or says why
//! it cannot answer it.

use serde_json::Value;
use setrograde_cards::Hand;

use crate::command::{are_refused, feed_line, run_line};

const COMMANDS: [&str; 4] = ["claim", "odds", "single-dummy", "layouts"];

/// Questions that all commands answer.
const GOOD: [&str; 22] = [
    "NT S N:AQ... ? 32... ? out=KJT9...",
    "NT S N:AQ... - 32... - hidden=KJT9...",
    "n south N:aq... ? 32... ? OUT=kjt9...",
    "NT S N:AQ... ? 32... ? out=KJT9... by=S",
    "NT S N:AQ... ? 32... ? by=N out=KJT9...",
    "NT S N:AQ... ? 3... ? out=KJT... played=S2,S9",
    "NT S N:AQ... ? 32... ? out=KJT9... S2 S9",
    "NT S N:AQ... ? 32... ? out=KJT9... if=W+SK",
    "NT S N:AQ... ? 32... ? out=KJT9... if=W.S=0-2,E.hcp=1-4",
    "NT S N:AQ... ? 32... ? out=KJT9... if=hcp<=3 if=S=2-2",
    "NT S N:AQ... ? 32... ? out=KJT9... S2 S9 if=E+SK",
    "NT S N:AQ... ? 3... ? out=KJ.3.. played=S2,S9 if=W.S=1",
    "D S N:KQ.5.. ? 65.A.. ? out=32..K.542",
    "H S N:A..A. ? .AK.. ? out=.32.3.2 HA H2",
    // Cards in suit symbols.
    "♥ S N:♠A♦A ? ♥AK ? out=♥32♦3♣2 ♥A h2",
    "NT S N:AQ... ? 32... ? out=KJ109... S2 10S",
    // Alternatives, cards that are not held, and lengths that are far apart.
    "NT S N:AQ... ? 32... ? out=KJT9... if=W+SK|E.S=0",
    "NT S N:AQ... ? 32... ? out=KJT9... if=W-SK",
    "NT S N:AQ... ? 32... ? out=KJT9... if=(W+SK|W+SJ),W-ST",
    "NT S N:AQ... ? 32... ? out=KJ.98.. if=S=2-0",
    "NT S N:AQ... ? 32... ? out=KJT9... if=W.S.top3=1",
    "NT S N:AQ... ? 32... ? out=KJT9... if=W.controls=1|E+SK",
];

/// Questions that no command answers, with the reason.
const BAD: &str = r#"
X S N:AQ... ? 32... ? out=KJT9... => column 1: "X" is not a strain
NT S N:AQ... ? 32... => column 21: expected four hands
NT S N:AQ... 54... 32... ? => only one hand is hidden
NT S N:AQ... ? 32... ? out=KJ... => 2 cards are unseen, expected 4
NT S N:AQ... ? A2... ? out=KJT9... => the SA is given twice
NT S N:AQ... ? 32... ? out=KJT9... out=KJT9... => is left over
NT S N:AQ... ? 32... ? out=KJT9... by=E => its hand is not visible
NT S N:AQ... ? 32... ? out=KJT9... if=E+ => column 41: "" is not a card; expected a suit and ranks
NT S N:AQ... ? 32... ? out=KJT9... if=E+SK,N+SA => column 44: North is visible
NT S N:AQ... ? 32... ? out=KJT9... if=E+SK,E+SA => column 44: the SA is not one
NT S N:AQ... ? 32... ? out=KJT9... if=S=3-2 => column 39: 4 spades are unseen
NT S N:AQ... ? 32... ? out=KJT9... S1 => '1' is not a rank
NT S N:AQ... ? 32... ? out=KJT9... if=W+SK,S=4-0 => no layout"#;

/// Questions that some commands answer; the other commands give the reason.
const SOME: &str = "
NT S N:AQ... ? 32... ? out=KJT9... if=W.losers<=1 => no condition on losers|||
NT S N:AQ... ? ? ? out=KJT932... => three hands are hidden||must be shown|
NT W N:AQ... ? ? 32... out=KJT9... => opponents: say who claims||must be shown|
NT W N:AQ... ? ? 32... out=KJT9... by=W => ||must be shown|";

/// The questions of a table, and what stands behind each.
fn table(table: &str) -> impl Iterator<Item = (&str, &str)> {
    let lines = table.trim().lines();
    lines.map(|line| line.split_once(" => ").expect(line))
}

/// The answer of a command as JSON, one line for each question.
fn ask(command: &str, options: &str, questions: &str) -> Vec<Value> {
    let options = match command {
        "single-dummy" => format!("--tricks 1 {options}"),
        _ => options.to_owned(),
    };
    feed_line(&format!("{command} --json {options} -"), questions).objects()
}

/// Returns the number of layouts, as a number or a text.
fn layouts(answer: &Value) -> Option<u64> {
    // Where `layouts` are those in which a target is made, `of` are all.
    let layouts = answer.get("of").unwrap_or(&answer["layouts"]);
    layouts.as_u64().or_else(|| layouts.as_str()?.parse().ok())
}

#[test]
fn a_question_is_read_alike_by_all_or_refused_with_a_reason() {
    let good = GOOD.map(|question| (question, [""; 4])).into_iter();
    let bad = table(BAD).map(|(question, reason)| (question, [reason; 4]));
    let some = table(SOME).map(|(question, reasons)| {
        let mut reasons = reasons.split('|');
        (question, COMMANDS.map(|_| reasons.next().expect(question)))
    });
    let all: Vec<_> = good.chain(bad).chain(some).collect();
    let questions = all.iter().map(|(question, _)| format!("{question}\n"));
    let questions: String = questions.collect();
    let answers = COMMANDS.map(|command| ask(command, "", &questions));
    for (n, (question, reasons)) in all.iter().enumerate() {
        let mut counts = Vec::new();
        for ((command, answers), reason) in COMMANDS.iter().zip(&answers).zip(reasons) {
            let answer = &answers[n];
            let error = match (&answer["error"], &answer["column"]) {
                (Value::String(error), Value::Number(column)) => {
                    format!("column {column}: {error}")
                }
                (Value::String(error), _) => error.clone(),
                _ => String::new(),
            };
            let right = error.is_empty() == reason.is_empty() && error.contains(reason);
            assert!(right, "{command} {question}: {answer}");
            counts.extend(layouts(answer).filter(|_| error.is_empty()));
        }
        counts.dedup();
        assert!(counts.len() <= 1, "{question}: layouts {counts:?}");
        let answered = reasons.iter().any(|reason| reason.is_empty());
        assert_eq!(counts.len() == 1, answered, "{question}: {answers:?}");
    }
}

#[test]
fn a_condition_beside_the_question_is_one_of_its_deal() {
    let plain = "NT S N:AQ... ? 32... ? out=KJT9...";
    for condition in ["W+SK", "W.S=2,hcp<=3", "S=2-2", "E.hcp>=4"] {
        let inline = format!("{plain} if={condition} S2 S9\n");
        let beside = format!("{plain} S2 S9\n");
        for command in COMMANDS {
            let expected = layouts(&ask(command, "", &inline)[0]);
            let found = layouts(&ask(command, &format!("--if {condition}"), &beside)[0]);
            assert_eq!(found, expected, "{command} --if {condition}");
            assert!(found.is_some(), "{command} --if {condition}");
        }
    }
    for command in COMMANDS {
        let answer = ask(command, "--if W+SK,N+SA", &format!("{plain}\n"));
        let error = answer[0]["error"].as_str().unwrap_or_default();
        let expected = "--if: column 6: North is visible";
        assert!(error.contains(expected), "{command}: {error}");
    }
}

#[test]
fn an_alternative_that_cannot_be_is_dropped() {
    let question = "NT S N:AQ... ? 32... ? out=KJT9...\n";
    for (condition, count) in [("W+SK|E.H=1", 3), ("E.H=1|W+SK", 3), ("W+SK,W+SJ|E.S=3", 1)] {
        let answer = ask("claim", &format!("--if {condition}"), question);
        assert_eq!(layouts(&answer[0]), Some(count), "{condition}: {answer:?}");
    }
    let answer = ask("claim", "--if E.H=1", question);
    let error = answer[0]["error"].as_str().unwrap_or_default();
    assert!(error.contains("no layout"), "{error}");
}

/// Several questions, each quoted, are as many lines.
#[test]
fn several_questions_on_the_command_line() {
    let (one, two) = (GOOD[0], "NT S N:AQ... ? 32... ? out=KJ...");
    let lines = run_line(&format!("layouts --json '{one}' '{two}' '{one}'")).objects();
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(layouts(&lines[0]), layouts(&lines[2]));
    assert_eq!(lines[1]["file"], "the questions");
    assert_eq!(lines[1]["line"], 2);
    let printed = run_line("solve 'NT S N:A... K... Q... J...' 'NT S N:2... 3... 4... 5...'");
    let lines = printed.output.lines();
    let answers = lines.filter(|line| line.starts_with("NT S"));
    assert_eq!(answers.count(), 2, "{}", printed.output);
}

#[test]
fn boards_are_dealt_with_the_dealer_and_vulnerability_of_their_numbers() {
    let printed = run_line("deal 3 --board 15");
    printed.ended(0);
    for (number, dealer, vulnerable) in [(15, "S", "NS"), (16, "W", "EW"), (17, "N", "None")] {
        printed.shows(&format!(
            "[Board \"{number}\"]\n[Dealer \"{dealer}\"]\n[Vulnerable \"{vulnerable}\"]\n"
        ));
    }
    let lines = run_line("deal 3 --board 15 --format lines");
    assert_eq!(lines.output.lines().count(), 3);
    for deal in lines.output.lines() {
        printed.shows(&format!("[Deal \"{deal}\"]"));
    }
}

#[test]
fn known_hands_of_a_deal_are_apart() {
    let known = "S:AQ732.K5.J83.T92 ? ? ?";
    let drawn = run_line(&format!("deal 3 --format lines --hands '{known}'"));
    drawn.ended(0);
    assert_eq!(drawn.output.lines().count(), 3);
    for line in drawn.output.lines() {
        assert!(line.contains("AQ732.K5.J83.T92"), "{line}");
    }
    // One hand, some cards of another, and low cards.
    let deal = |hands: &str| {
        let drawn = run_line(&format!("deal --format lines --hands '{hands}'"));
        drawn.ended(0);
        drawn.output.trim_start_matches("N:").trim_end().to_owned()
    };
    let some = deal("N:AQ732.K5.J83.T92 ? K.A..");
    let hands: Vec<&str> = some.split(' ').collect();
    assert_eq!(hands[0], "AQ732.K5.J83.T92");
    let [south, known]: [Hand; 2] = [hands[2], "K.A.."].map(|hand| hand.parse().expect("a hand"));
    assert!((known - south).is_empty(), "{some}");
    let low = deal("QTxx.J8x.9x.Q9xx AKJxx.AKx.AKx.Ax");
    let hands: Vec<&str> = low.split(' ').collect();
    assert!(hands[0].starts_with("QT"), "{low}");
    assert!(hands[2].starts_with("AKJ"), "{low}");
    let lengths = |hand: &str| hand.split('.').map(str::len).collect::<Vec<_>>();
    assert_eq!(lengths(hands[0]), [4, 3, 2, 4]);
    assert_eq!(lengths(hands[2]), [5, 3, 3, 2]);
    are_refused(
        r#"
        3 deal --hands 'N:AQT732.K5.J83.T92 ? ? ?' => --hands: column 3: North has 14 cards, expected 13
        3 deal --hands 'N:AQxx.K5.J83.T9 ? ? ?' => --hands: column 3: "AQxx.K5.J83.T9": expected 13 cards in four suits
        3 deal --hands 'N:AKQ32.K5.J83.T92 AT987.AQ2.AQ2.A3 ? ?' => the SA is given twice
        3 deal --hands 'N:... ? ... ? out=A.K.Q.J' => column
        3 deal --hands 'AQ732.K5.J83.T92 ? ?' => --hands: column 20: "?" is left over"#,
    );
}
