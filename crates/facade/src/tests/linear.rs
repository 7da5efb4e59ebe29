//! Every text of every question is read in time proportional to its length, and refused in few
//! words.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde_json::{Value, json};

use crate::{Desk, QUESTIONS};

/// Differences below it are not looked at: caches and other work on the machine make them.
const COARSE: Duration = Duration::from_millis(2);

/// Sizes of texts in bytes, each twice the one before: 1 to 63 KB, for 64 KB are refused.
const SIZES: [usize; 7] = [1008, 2016, 4032, 8064, 16_128, 32_256, 64_512];

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
        "position" => (json!({"question": ENDING}), &["all"]),
        "table" => (json!({"question": &ENDING[5..]}), &["nonsense"]),
        "par" => (json!({"question": &ENDING[5..]}), &["vulnerable", "dealer"]),
        "lesson" => (json!({"question": ENDING, "draw": 1}), &["rules"]),
        "claim" => (json!({"question": HIDDEN}), &["if", "by", "tricks"]),
        "line" => (json!({"question": HIDDEN}), &["if", "by", "line"]),
        "adjudicate" => (
            json!({"question": ENDING, "by": "N"}),
            &["if", "if_left", "by", "dummy", "line"],
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
        "results" => (
            json!({"boards": "[Deal \"N:A... K... Q... J...\"]\n"}),
            &["boards"],
        ),
        "matter" => (json!({"question": ENDING}), &["all"]),
        other => panic!("{other} has no example here"),
    }
}

/// The processor time of an answer, the shortest of some.
fn cost(desk: &mut Desk, asked: &str, times: u32) -> Duration {
    let once = |desk: &mut Desk| {
        let begun = ThreadTime::now();
        desk.ask(asked);
        begun.elapsed()
    };
    (0..times).map(|_| once(desk)).min().expect("a time")
}

/// Returns a size and the times before and after it is doubled, if the longer text takes more than
/// three times as long: quadratic work takes four times as long.
fn too_long(desk: &mut Desk, of_size: &dyn Fn(usize) -> String) -> Option<(usize, [Duration; 2])> {
    let mut before = cost(desk, &of_size(SIZES[0]), 1);
    for pair in SIZES.windows(2) {
        let [small, large] = [0, 1].map(|of| of_size(pair[of]));
        let after = cost(desk, &large, 1);
        let slow = |before, after| after > 3 * before + COARSE;
        if slow(before, after) {
            let again = [&small, &large].map(|asked| cost(desk, asked, 5));
            if slow(again[0], again[1]) {
                return Some((pair[0], again));
            }
        }
        before = after;
    }
    None
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
            let pieces = if is_read.contains(&name) {
                &PIECES[..]
            } else {
                &PIECES[PIECES.len() - 6..]
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
                    if let Some((size, took)) = too_long(&mut desk, &of_size) {
                        failed.push(format!("{kind} {name} {piece:?} {form}, {size}: {took:?}"));
                    }
                    let answer = desk.ask(&of_size(SIZES[6]));
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
