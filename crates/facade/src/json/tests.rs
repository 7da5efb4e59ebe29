use super::*;
use crate::ask::*;

/// Requests with a fault in an option: the options, the error, and the option that has it.
const FAULTS: &str = r#"
"ask": "deal", "count": -1 => count: expected a whole number from 0 to 4294967295, found -1 => count
"ask": "deal", "count": 1, "seed": "x" => seed: expected a whole number from 0 to 18446744073709551615, found "x" => seed
"ask": "odds", "all": true, "draw": 1.5 => draw: expected a whole number from 0 to 4294967295, found 1.5 => draw
"ask": "solve", "all": 7 => all: expected true or false, found 7 => all
"ask": "table", "nonsense": 7 => table has no option `nonsense`; it has none => nonsense
"ask": "par", "nonsense": 7 => par has no option `nonsense`; it has vulnerable, dealer => nonsense
"ask": "suit", "north": "AQ" => `south` is missing => south
"ask": "compare", "draw": 3 => `contracts` is missing => contracts
"ask": "table" => `question` is missing => question
"north": "AQ" => `ask` is missing => ask
"ask": "nothing" => ask: expected one of solve, => ask
"ask": "odds", "question": "x", "rules": "y" => rules: expected one of none, mu, fitted, found "y" => rules
"ask": "odds", "question": "x", "if": 5 => if: expected a text or a list of texts => if
"ask": "odds", "question": "x", "if": "E+" => if: column 3: => if
"ask": "odds", "question": "x", "until": 1 => until: 1; expected a share below one half, as 0.01 => until
"ask": "suit", "north": "AQ", "south": "2", "vacant": [1] => vacant: expected a list of 2, found 1 => vacant
"ask": "suit", "north": "AQ", "south": "2", "entries": {} => entries: expected a list of 2, found an object => entries
"ask": "suit", "north": "AQ", "south": "2", "vacant": [14, 2] => vacant: expected a whole number from 0 to 13, found 14 => vacant
"ask": "suit", "north": "AQ", "south": "2", "vacant": [1, null] => vacant: expected a whole number from 0 to 255, found null => vacant
"ask": "compare", "question": "x", "contracts": [] => contracts: expected at least one contract, found none => contracts
"ask": "compare", "question": "x", "contracts": ["3NT", "9S"] => contracts: "9S": column 1: => contracts
"ask": "layouts", "draw": [[]], "if": 3 => draw: => draw
"ask": "solve", "question": "x", "all": true, "one": true => all, best and one: expected one of them =>
"ask": "solve", "question": "x", "tricks": 3 => tricks needs best or one => tricks
"ask": "odds", "question": "x", "rules": "0123456789012345678901234567890" => rules: expected one of none, mu, fitted, found "01234567890123456789…" => rules
"#;

fn asked(desk: &mut Desk, options: &str) -> Value {
    serde_json::from_str(&desk.ask(&format!("{{{options}}}"))).expect("JSON")
}

/// A wrong option is named, whatever its type and whatever is beside it. It is data, too.
#[test]
fn errors_name_the_option() {
    let mut desk = Desk::default();
    for case in FAULTS.trim().lines() {
        let mut parts = case.split("=>").map(str::trim);
        let [options, expected, option] = [(); 3].map(|()| parts.next().expect("three parts"));
        let answer = asked(&mut desk, options);
        let error = answer["error"].as_str().expect("an error");
        assert!(error.starts_with(expected), "{options}: {error}");
        assert_eq!(answer["because"], "request", "{options}");
        let found = answer["option"].as_str().unwrap_or_default();
        assert_eq!(found, option, "{options}");
    }
    let answer = asked(&mut desk, r#""ask": "table", "board": "x""#);
    assert_eq!(answer["option"], "board", "{answer}");
    // The fault of a line is in no option.
    let answer = asked(&mut desk, r#""ask": "table", "question": "N:A""#);
    assert_eq!(answer["option"], Value::Null, "{answer}");
    assert!(answer["column"].is_number(), "{answer}");
}

/// What sets the style of a text is no option of the question, and changes no object.
#[test]
fn styles_change_the_text_alone() {
    let mut desk = Desk::default();
    let mut asked = |options: &str| {
        let play = r#""ask": "analyse", "question": "NT S N:AQ... 76... 54... K3... S4""#;
        asked(&mut desk, &format!("{play}, {options}"))
    };
    let plain = asked(r#""text": true"#);
    let mut explained = asked(r#""text": true, "explain": true"#);
    let text = |answer: &Value| answer["text"].as_str().expect("a text").to_owned();
    assert!(text(&explained).contains("won by"), "{explained}");
    assert!(!text(&plain).contains("won by"), "{plain}");
    explained["text"] = plain["text"].clone();
    assert_eq!(plain, explained);
    let wrong = asked(r#""explain": 1"#);
    assert_eq!(wrong["error"], "explain: expected true or false, found 1");
    let error = asked(r#""nonsense": 1"#)["error"].clone();
    assert_eq!(error, "analyse has no option `nonsense`; it has explain");
}

/// A question that is written as an object reads back.
#[test]
fn questions_are_objects_that_read_back() {
    fn check<A: Ask + Serialize + PartialEq + std::fmt::Debug>(options: &str) {
        let ask: A = serde_json::from_str(options).expect(options);
        let written = serde_json::to_value(&ask).expect("an object");
        let Value::Object(fields) = &written else {
            panic!("{written}");
        };
        let read = read_options::<A>(A::NAME, A::STYLES, fields, false);
        assert_eq!(read.expect(options), ask, "{written}");
    }
    check::<Solve>(r#"{"best": true, "tricks": 3}"#);
    check::<Table>("{}");
    check::<Par>(r#"{"vulnerable": "NS", "dealer": "E"}"#);
    check::<Analyse>("{}");
    check::<Lesson>(r#"{"draw": 7}"#);
    check::<Query>(r#"{"count": true}"#);
    check::<Matter>("{}");
    check::<Claim>(r#"{"tricks": "all", "by": "S", "if": ["E+HK", "W.S=0-2"]}"#);
    check::<Claim>(r#"{"tricks": 5, "explain": true}"#);
    check::<Line>(r#"{"line": "SA, rest"}"#);
    check::<Adjudicate>(r#"{"by": "S", "dummy": "N"}"#);
    check::<Odds>(r#"{"rules": "mu", "until": 0.01, "if": "E+HK"}"#);
    check::<Leads>(r#"{"contract": "3NTXN", "draw": 20, "seed": 3}"#);
    check::<Leads>(r#"{"contract": "4S"}"#);
    check::<Compare>(r#"{"contracts": "3NT,4SXS", "vulnerable": "both"}"#);
    check::<SingleDummy>(r#"{"tricks": 3, "plan": true}"#);
    check::<BestLine>(r#"{"layouts": ["a", "b"], "score": "3NTS", "time": 1.5}"#);
    check::<Suit>(r#"{"north": "AQ", "south": "2", "entries": [null, 1]}"#);
    check::<Layouts>(r#"{"draw": 3}"#);
    check::<Deal>(r#"{"count": 3, "where": "tricks(S,NT)>=9", "hands": "?"}"#);
}

/// Each interface spells the names of options as its users write them.
#[test]
fn refusals_are_spelled_by_the_interface() {
    let line = "3NT";
    let ask: Odds = serde_json::from_str(r#"{"if": "E+"}"#).expect("options");
    let refusal = ask.check().expect_err(line);
    for (spelling, name) in [(Spelling::CommandLine, "--if"), (Spelling::Json, "if")] {
        let said = refusal.sentence(spelling);
        assert!(said.starts_with(&format!("{name}: column ")), "{said}");
    }
    let said = Refusal::is("by_split", "is for a test").sentence(Spelling::CommandLine);
    assert_eq!(said, "--by-split is for a test");
    let location = QuestionLocation {
        file: Some("a.pbn"),
        line: Some(3),
        board: Some(Some(2)),
        ..QuestionLocation::default()
    };
    let refusal = Refusal::in_line(7, "it is not a card").at_location(&location);
    let said = "a.pbn, line 3, board 2, column 7: it is not a card";
    assert_eq!(refusal.to_string(), said);
}
