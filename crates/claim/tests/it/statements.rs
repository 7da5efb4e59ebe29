//! Statements in words, `data/statements.txt`, against the same play card by card.

use setrograde_cards::{Position, Seat};
use setrograde_claim::{Adjudication, ClaimError, Claims, Knowledge, Line, Options};

const STATEMENTS: &str = include_str!("../../../../data/statements.txt");

fn rule(position: &str, by: &str, claimed: u8, said: &str) -> Result<Adjudication, ClaimError> {
    let position: Position = position.parse().expect("a position");
    let by: Seat = by.parse().expect("a seat");
    let knowledge = Knowledge::from_position(&position, by, by.partner()).expect("knowledge");
    let line: Line = said
        .parse()
        .unwrap_or_else(|error| panic!("{said}: {error}"));
    let understood = line.to_string();
    assert_eq!(understood.parse(), Ok(line.clone()), "{said}: {understood}");
    let layout = knowledge.hidden().map(|seat| position.deal().hand(seat));
    Claims::new(Options::default()).adjudicate(&knowledge, layout, claimed, &line)
}

#[test]
fn words_are_awarded_what_their_cards_are() {
    let (mut statements, mut wrong) = (0, String::new());
    let text: Vec<&str> = STATEMENTS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .collect();
    for case in text
        .split(|line| line.is_empty())
        .filter(|case| !case.is_empty())
    {
        let fields = case
            .iter()
            .map(|line| line.split_once(": ").expect("a field"));
        let all = |name: &'static str| {
            fields
                .clone()
                .filter(move |field| field.0 == name)
                .map(|field| field.1)
        };
        let field = |name: &'static str| all(name).next().expect(case[0]);
        let (position, by) = (field("position"), field("by"));
        let claimed = field("claimed").parse().expect("a number");
        let awarded: u8 = field("awarded").parse().expect("a number");
        for said in all("cards").chain(all("said")) {
            statements += 1;
            match rule(position, by, claimed, said) {
                Ok(ruling) if ruling.awarded == awarded => {}
                Ok(ruling) => {
                    let line: Line = said.parse().expect("a line");
                    wrong += &format!(
                        "{said} ({line}): {} {:?}\n",
                        ruling.awarded, ruling.worst.play
                    );
                }
                Err(error) => wrong += &format!("{said}: {error}\n"),
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    assert!(statements >= 90, "{statements}");
}

/// What cannot be played is refused, or said with the award.
#[test]
fn a_step_that_cannot_be_made_is_said() {
    let spades = "NT S N:AQ... T9... 32... KJ...";
    for (said, error) in [
        (
            "run the hearts",
            "the line: \"hearts from the top\" cannot be played: neither hand has the suit",
        ),
        ("draw trumps", "the line: \"T\" has no meaning at no trump"),
        (
            "the king of spades",
            "the line: SK is in no hand of the claimer's side",
        ),
        ("SA S2-SA", "the line: SA is stated twice"),
    ] {
        let found = rule(spades, "S", 2, said).expect_err(said);
        assert_eq!(found.to_string(), error);
    }
    let ruffs = "S S N:K2...A3 5.AK..K A.32..4 43.Q..5";
    let ruling = rule(ruffs, "S", 4, "draw trumps and ruff a heart").expect("a ruling");
    assert!(
        ruling
            .why
            .ends_with("\"T\" could not be played by South, on lead."),
        "{}",
        ruling.why
    );
    let ruling = rule(spades, "S", 2, "SA").expect("a ruling");
    assert!(
        ruling.why.contains("\"SA\" could not be played by South"),
        "{}",
        ruling.why
    );
}
