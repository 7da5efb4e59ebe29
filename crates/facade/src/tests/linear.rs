//! Every text of every question is read in time proportional to its length, and refused in few
//! words.

use std::fs;
use std::time::Instant;

use crate::{Desk, QUESTIONS};
use serde_json::{Value, json};

/// The processor time of this thread in nanoseconds; of the wall clock where that is unknown.
fn time(begun: Instant) -> u128 {
    let spent = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|text| text.split(' ').next()?.parse().ok());
    spent.unwrap_or_else(|| begun.elapsed().as_nanos())
}

/// Times below it are not compared, in nanoseconds: clocks of threads may tick each 4 ms, and a list
/// of 64,000 texts takes 20 ms.
const COARSE: u128 = 60_000_000;

/// Pieces that are repeated: statements, marks of each syntax, and what is neither.
const PIECES: [&str; 35] = [
    "E+SK,",
    "E+SK|",
    "N.balanced,",
    "N.balanced|",
    "E.hcp=3-5,",
    "not E.hcp=3-5,",
    "N.hcp+S.hcp>=5,",
    "N.S>N.H|",
    "N.",
    "(",
    "E.(",
    "not ",
    "!",
    " and ",
    "≥",
    "if=E+SK ",
    "if=E+SK|E-SK ",
    "SK ",
    "♠K ",
    "SK-SQ ",
    "SA,",
    "3NT,",
    "3NT ",
    "tricks(S,NT)>=9,",
    "tricks(S,NT)+",
    "unique(",
    "par|",
    ":",
    ".",
    " ",
    "\"",
    "7",
    "x",
    "é",
    "--draw <",
];

const ENDING: &str = "NT S N:AQ... 76... 32... KJ...";
const HIDDEN: &str = "NT S N:AQ... ? 32... ? out=KJT9...";
const HAND: &str = "AQ732.K5.J83.T92";

/// A question of each kind that is answered at once, and the names of its other texts.
fn question(kind: &str) -> (Value, &'static [&'static str]) {
    match kind {
        "solve" => (json!({"question": ENDING}), &["all"]),
        "query" => (json!({"question": ENDING}), &["explain"]),
        "analyse" => (json!({"question": ENDING}), &["explain"]),
        "table" => (json!({"question": &ENDING[5..]}), &["nonsense"]),
        "par" => (json!({"question": &ENDING[5..]}), &["vulnerable", "dealer"]),
        "lesson" => (json!({"question": ENDING, "draw": 1}), &["rules"]),
        "claim" => (json!({"question": HIDDEN}), &["if", "by", "tricks"]),
        "line" => (json!({"question": HIDDEN}), &["if", "by", "line"]),
        "adjudicate" => (
            json!({"question": ENDING, "by": "N"}),
            &["if", "by", "dummy", "line"],
        ),
        "odds" => (json!({"question": HIDDEN, "draw": 1}), &["if", "rules"]),
        "single_dummy" => (json!({"question": HIDDEN}), &["if"]),
        "best_line" => (
            json!({"question": HIDDEN, "layouts": ["N:AQ... KJ... 32... T9..."]}),
            &["if", "layouts"],
        ),
        "layouts" => (json!({"question": HIDDEN}), &["if", "rules"]),
        "suit" => (
            json!({"north": "AQ", "south": "32"}),
            &["north", "south", "gone"],
        ),
        "leads" => (
            json!({"question": HAND, "contract": "3NT", "draw": 1}),
            &["if", "contract"],
        ),
        "compare" => (
            json!({"question": format!("{HAND} K86.AQ43.AQ2.K85"), "contracts": "3NT", "draw": 1}),
            &["if", "contracts", "vulnerable"],
        ),
        "deal" => (json!({}), &["if", "where", "hands"]),
        "matter" => (json!({"question": ENDING}), &["all"]),
        other => panic!("{other} has no example here"),
    }
}

/// The time of an answer, the shortest of some.
fn cost(desk: &mut Desk, asked: &str, times: u32) -> u128 {
    let once = |desk: &mut Desk| {
        let begun = Instant::now();
        let before = time(begun);
        desk.ask(asked);
        time(begun) - before
    };
    (0..times).map(|_| once(desk)).min().expect("a time")
}

/// Returns the times for 8 and 63 KB if the longer text takes too long: eight times as long takes
/// 64 times the time if it is quadratic.
fn too_long(desk: &mut Desk, of_size: &dyn Fn(usize) -> String) -> Option<(u128, u128)> {
    let [small, large] = [8, 63].map(|size| of_size(size << 10));
    let slow = |times: u32, desk: &mut Desk| {
        let [small, large] = [&small, &large].map(|asked| cost(desk, asked, times));
        (large > 20 * small + COARSE).then_some((small, large))
    };
    slow(1, desk).and_then(|_| slow(5, desk))
}

#[test]
fn texts_are_read_in_linear_time() {
    let mut desk = Desk::default();
    let mut failed = Vec::new();
    for &kind in QUESTIONS {
        let (mut base, names) = question(kind);
        base["ask"] = kind.into();
        let more = ["question", "board", "unknown"];
        for &name in names.iter().chain(&more) {
            // Of some texts no part is read on its own.
            let is_read = [
                "question",
                "board",
                "if",
                "where",
                "line",
                "contracts",
                "hands",
            ];
            let pieces = match is_read.contains(&name) {
                true => &PIECES[..],
                false => &PIECES[PIECES.len() - 6..],
            };
            for piece in pieces {
                let usual = base[name].as_str().unwrap_or_default().to_owned();
                let forms: &[&str] = match (name, &base[name]) {
                    ("if" | "where" | "contracts" | "line" | "layouts", _) => &["a text", "a list"],
                    (_, Value::String(_)) => &["a text", "a text after the usual one"],
                    _ => &["a text"],
                };
                for &form in forms {
                    let of_size = |size: usize| {
                        let count = size / piece.len();
                        let text = piece.repeat(count);
                        let mut asked = base.clone();
                        asked[name] = match form {
                            "a text" => text.into(),
                            "a list" => vec![piece.trim_end_matches([',', '|']); count].into(),
                            _ => format!("{usual} {text}").into(),
                        };
                        if name == "board" {
                            asked["question"] = Value::Null;
                        }
                        asked.to_string()
                    };
                    if let Some((small, large)) = too_long(&mut desk, &of_size) {
                        let took = (small / 1000, large / 1000);
                        failed.push(format!("{kind} {name} {piece:?} {form}: {took:?} µs"));
                    }
                    let answer = desk.ask(&of_size(63 << 10));
                    let refused = answer.contains("\"error\":");
                    // The question alone is repeated, as it is.
                    if name != "question" && refused && answer.len() > 1500 {
                        let length = answer.len();
                        failed.push(format!("{kind} {name} {piece:?} {form}: {length} bytes"));
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
