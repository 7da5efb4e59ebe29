//! Statements in words, `data/statements.txt`, against the same play card by card.

use setrograde_cards::{Position, Seat};
use setrograde_claim::{Adjudication, ClaimError, Claims, Knowledge, Line, Options};

use crate::positions;

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
    let mut claims = Claims::new(Options::default());
    let ruling = claims.adjudicate(&knowledge, layout, claimed, &line);
    if let Err(error) = &ruling {
        let found = claims.line(&knowledge, &line).expect_err(said);
        assert_eq!(found.to_string(), error.to_string());
    }
    ruling
}

#[test]
fn words_are_awarded_what_their_cards_are() {
    let (mut statements, mut wrong) = (0, String::new());
    for case in positions::cases(STATEMENTS) {
        let field = |name: &str| {
            let field = case.iter().find(|field| field.0 == name);
            field.unwrap_or_else(|| panic!("{name} of {case:?}")).1
        };
        let (position, by) = (field("position"), field("by"));
        let claimed = field("claimed").parse().expect("a number");
        let awarded: u8 = field("awarded").parse().expect("a number");
        let said = case
            .iter()
            .filter(|field| ["cards", "said"].contains(&field.0));
        for (_, said) in said {
            statements += 1;
            let ruling = rule(position, by, claimed, said);
            if !ruling
                .as_ref()
                .is_ok_and(|ruling| ruling.awarded == awarded)
            {
                wrong += &format!("{said}: {ruling:?}\n");
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
            "\"hearts from the top\" cannot be played: neither hand has the suit",
        ),
        ("draw trumps", "\"T\" has no meaning at no trump"),
        (
            "the king of spades",
            "SK is in no hand of the claimer's side",
        ),
        ("SA S2-SA", "SA is stated twice"),
    ] {
        let found = rule(spades, "S", 2, said).expect_err(said);
        assert_eq!(found.to_string(), format!("the line: {error}"));
    }
    let ruffs = "S S N:K2...A3 5.AK..K A.32..4 43.Q..5";
    for (position, claimed, said, step) in [
        (ruffs, 4, "draw trumps and ruff a heart", "T"),
        (spades, 2, "SA", "SA"),
    ] {
        let why = rule(position, "S", claimed, said).expect("a ruling").why;
        let unmade = format!(" As stated, \"{step}\" could not be played by South, on lead.");
        assert!(why.ends_with(&unmade), "{why}");
    }
}
