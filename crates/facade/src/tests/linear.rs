//! Every text of every question is read in time proportional to its length, and refused in few
//! words.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde_json::{Value, json};

use crate::{DESK, Desk};

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

/// Options with texts that are read for longer than a word, and one that no question has.
const TEXTS: [&str; 20] = [
    "all",
    "boards",
    "by",
    "contract",
    "contracts",
    "dealer",
    "dummy",
    "explain",
    "gone",
    "hands",
    "if",
    "if_left",
    "layouts",
    "line",
    "north",
    "rules",
    "south",
    "tricks",
    "vulnerable",
    "where",
];

/// The options of a question among [`TEXTS`], which a refusal lists.
fn texts_of(desk: &mut Desk, kind: &str) -> Vec<&'static str> {
    let refused = desk.ask(&json!({"ask": kind, "unknown": 1}).to_string());
    let (_, known) = refused.split_once("it has ").expect("a list of options");
    let known = known.split('"').next().unwrap_or_default();
    let known: Vec<&str> = known.split(", ").collect();
    let texts = TEXTS.into_iter().filter(|name| known.contains(name));
    texts.collect()
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
    for entry in DESK {
        let (kind, names) = (entry.name, texts_of(&mut desk, entry.name));
        let mut base: Value = serde_json::from_str(entry.example.json).expect("JSON");
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
