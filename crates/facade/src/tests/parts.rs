//! Parts of answers, and questions in the middle of a play.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use setrograde_cards::Deal;
use setrograde_single_dummy::interval;

use crate::Desk;

/// A desk, and the parts of its answers.
struct InParts {
    desk: Desk,
    parts: Arc<Mutex<Vec<Value>>>,
}

impl InParts {
    fn new() -> InParts {
        let parts = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&parts);
        let desk = Desk::default().with_parts(move |part| {
            let part = serde_json::from_str(part).expect("JSON");
            to.lock().expect("no panic").push(part);
        });
        InParts { desk, parts }
    }

    /// The parts of an answer, and the answer.
    fn ask(&mut self, question: &Value) -> (Vec<Value>, Value) {
        let answer = serde_json::from_str(&self.desk.ask(&question.to_string())).expect("JSON");
        let parts = std::mem::take(&mut *self.parts.lock().expect("no panic"));
        (parts, answer)
    }
}

fn asked(question: &Value) -> (Vec<Value>, Value) {
    InParts::new().ask(question)
}

fn answer(question: Value) -> Value {
    asked(&question).1
}

const DEAL: &str = "N:AKQ.2.3. .AKQ.4.2 JT9..5.3 876.3..4";
const FINESSE: &str = "NT S N:AQ... ? 32... ? out=KJT9...";

/// Each part has the strains that are solved, and the answer is the same without parts.
#[test]
fn a_table_comes_strain_by_strain() {
    let question = json!({"ask": "table", "question": DEAL});
    let (parts, found) = asked(&question);
    let strains = ["NT", "S", "H", "D", "C"];
    assert_eq!(parts.len(), strains.len());
    for (solved, part) in parts.iter().enumerate() {
        let tricks = part["tricks"].as_object().expect("strains");
        assert_eq!(tricks.len(), solved + 1);
        for strain in &strains[..=solved] {
            assert_eq!(tricks[*strain], found["tricks"][strain], "{strain}");
        }
    }
    let alone: Value =
        serde_json::from_str(&Desk::default().ask(&question.to_string())).expect("JSON");
    assert_eq!(found, alone);
}

/// The tricks that are sure are known before those of each card.
#[test]
fn a_claim_is_decided_before_its_cards() {
    let (parts, found) = asked(&json!({"ask": "claim", "question": FINESSE}));
    assert_eq!(parts.len(), 1);
    assert_eq!((&parts[0]["sure"], &found["sure"]), (&json!(1), &json!(1)));
    assert_eq!(parts[0]["cards"], json!([]));
    assert_eq!(found["cards"].as_array().map(Vec::len), Some(2));
    let without = answer(json!({"ask": "claim", "question": FINESSE, "cards": false}));
    assert_eq!(
        [&without["sure"], &without["cards"]],
        [&json!(1), &json!([])]
    );
}

/// A search that reaches its limit says what it knows.
#[test]
fn a_limit_leaves_bounds() {
    let deal = "NT W N:QJ6.K652.J85.T98 ? K5.T83.KQ9.A7652 ?";
    let ask = |limit: u64| {
        answer(json!({"ask": "claim", "question": deal, "limit": limit, "cards": false}))
    };
    let found = ask(5);
    assert_eq!(found["sure"], Value::Null, "{found}");
    let bound = |at: usize| found["bounds"][at].as_u64().expect("a bound");
    assert!(bound(0) < bound(1) && bound(1) <= 13, "{found}");
    let decided = answer(json!({"ask": "claim", "question": FINESSE}));
    assert_eq!(decided["bounds"], Value::Null);
}

/// Odds come in parts of layouts; over drawn ones each card has its intervals.
#[test]
fn odds_come_in_parts() {
    let question = "NT S N:AQ432... ? 76..AK.2 ? out=KJT985.QJ.32.";
    let (parts, found) =
        asked(&json!({"ask": "odds", "question": question, "draw": 110, "all": true}));
    let layouts = parts.iter().map(|part| part["layouts"].clone());
    assert_eq!(layouts.collect::<Vec<_>>(), [50, 100]);
    assert_eq!(found["layouts"], 110);
    let card = &found["cards"][0];
    let chances = card["chances"].as_array().expect("chances");
    let intervals = card["intervals"].as_array().expect("intervals");
    for (tricks, found) in intervals.iter().enumerate() {
        let at_least: f64 = chances[tricks..].iter().filter_map(Value::as_f64).sum();
        let expected = interval(at_least.min(1.0), 110);
        for (end, expected) in expected.into_iter().enumerate() {
            let end = found[end].as_f64().expect("a number");
            assert!((end - expected).abs() < 1e-9, "{tricks}: {found}");
        }
    }
    // All layouts have no intervals.
    let all = answer(json!({"ask": "odds", "question": FINESSE, "all": true}));
    assert_eq!(all["cards"][0]["intervals"], Value::Null, "{all}");
}

/// A larger sample solves only the layouts that a smaller one did not.
#[test]
fn a_sample_goes_on() {
    let line = "NT S N:AQ432... ? 76..AK.2 ? out=KJT985.QJ.32.";
    let odds =
        |draw: u32, all: bool| json!({"ask": "odds", "question": line, "draw": draw, "all": all});
    let mut desk = InParts::new();
    let of = |parts: Vec<Value>| -> Vec<Value> {
        parts.iter().map(|part| part["layouts"].clone()).collect()
    };
    assert_eq!(of(desk.ask(&odds(100, true)).0), [50, 100]);
    let (parts, more) = desk.ask(&odds(200, true));
    assert_eq!(of(parts), [150, 200]);
    assert_eq!(more, answer(odds(200, true)));
    // Those of other layouts, and those without cards, are not taken.
    let other = json!({"ask": "odds", "question": line, "draw": 100, "all": true, "seed": 2});
    assert_eq!(desk.ask(&other).1, answer(other));
    for all in [false, true] {
        assert_eq!(desk.ask(&odds(100, all)).1, answer(odds(100, all)));
    }
}

/// The results of a record are taken as they are.
#[test]
fn recorded_results_are_not_solved() {
    let deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
    // All declarers take seven tricks.
    let record = |tricks: &str| format!("[Board \"1\"]\n[Deal \"{deal}\"]\n{tricks}");
    let solved = record(&format!("[DoubleDummyTricks \"{}\"]\n", "7".repeat(20)));
    let par = |board: &str| json!({"ask": "par", "board": board, "dealer": "N", "vulnerable": "none", "recorded": true});
    let found = answer(par(&solved));
    assert_eq!(found["par"][0]["score"], 90, "{found}");
    let refused = answer(par(&record("")));
    assert_eq!(refused["option"], "recorded", "{refused}");
    let played = "[Declarer \"S\"]\n[Contract \"1S\"]\n[Result \"8\"]\n";
    for (record, double_dummy) in [(record(""), Value::Null), (solved, json!(7))] {
        let board = record + played;
        let found = answer(json!({"ask": "results", "boards": board, "recorded": true}));
        let table = &found["session"]["boards"][0]["tables"][0];
        let tricks = [&table["result"], &table["double_dummy"]];
        assert_eq!(tricks, [&json!(8), &double_dummy]);
    }
}

/// Cards after a position are played from it.
#[test]
fn a_position_may_be_followed_by_its_play() {
    let start = "NT S N:AQ... KJ... 32... T9...";
    let ask = |ask: &str, line: String| {
        let mut found = answer(json!({"ask": ask, "question": line}));
        found.as_object_mut().expect("an object").remove("question");
        found
    };
    for (cards, position) in [
        ("S3 ST", "NT S N:AQ... KJ... 2... 9... played=S3,ST"),
        ("S3 ST SQ SK", "NT E N:A... J... 2... 9..."),
    ] {
        for name in ["solve", "matter"] {
            let after = ask(name, format!("{start} {cards}"));
            assert_eq!(after, ask(name, position.to_owned()), "{name} {cards}");
            assert!(after["tricks"].is_u64(), "{after}");
        }
    }
    let wrong = ask("solve", format!("{start} S3 SA"));
    assert_eq!(wrong["column"], start.len() + 5, "{wrong}");
}

/// The number of deals with the cards that matter agrees with their share of all deals.
#[test]
fn deals_in_which_the_same_matters() {
    for line in [
        "NT S N:AQ... 76... 54... K3...",
        "H N N:AK.2.3. Q.AK.4. JT..5.3 98.3..4",
    ] {
        let found = answer(json!({"ask": "matter", "question": line}));
        let number = |name: &str| found[name].as_f64().expect("a number");
        assert!((1.0..=number("of")).contains(&number("deals")), "{found}");
        let (_, deal) = line.split_once("N:").expect("a deal");
        let deal: Deal = format!("N:{deal}").parse().expect("a deal");
        let share = number("deals") / deal.count() as f64;
        assert!((share - number("share")).abs() < 1e-12, "{found}");
    }
}
