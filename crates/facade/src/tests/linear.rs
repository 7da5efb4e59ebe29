//! Every text of every question is read in time proportional to its length, and refused in few
//! words.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde_json::{Value, json};

use crate::{AskEntry, DESK, Desk};

/// Differences below it are not looked at: caches and other work on the machine make them.
const COARSE: Duration = Duration::from_millis(2);

/// Sizes of texts in bytes, each four times the one before: up to a half of what is read.
const SIZES: [usize; 3] = [2016, 8064, 32_256];

/// Pieces that are repeated: statements, marks of each syntax, and what is neither.
const PIECES: &str = "E+SK,\nE+SK|\nN.balanced,\nN.balanced|\nE.hcp=3-5,\nnot E.hcp=3-5,\n\
    N.hcp+S.hcp>=5,\nN.S>N.H|\nN.\n(\nE.(\nnot \n!\n and \n≥\nif=E+SK \nif=E+SK|E-SK \nSK \n♠K \n\
    SK-SQ \nSA,\n3NT,\n3NT \ntricks(S,NT)>=9,\ntricks(S,NT)+\nunique(\npar|\n:\n.\n \n\"\n7\nx\né\n\
    --draw <";

/// Options with texts that are read for longer than a word.
const TEXTS: &str = "all boards by contract contracts dealer dummy explain gone hands if if_left \
    layouts line north rules south tricks vulnerable where";

/// The options of a question among [`TEXTS`], which a refusal lists.
fn texts_of(desk: &mut Desk, kind: &str) -> Vec<&'static str> {
    let refused = desk.ask(&json!({"ask": kind, "unknown": 1}).to_string());
    let (_, known) = refused.split_once("it has ").expect("a list of options");
    let known = known.split('"').next().unwrap_or_default();
    let known: Vec<&str> = known.split(", ").collect();
    let texts = TEXTS.split_whitespace();
    texts.filter(|name| known.contains(name)).collect()
}

/// The answer, and its processor time, the shortest of some.
fn answered(desk: &mut Desk, asked: &str, times: u32) -> (String, Duration) {
    let mut once = || {
        let begun = ThreadTime::now();
        (desk.ask(asked), begun.elapsed())
    };
    let all = (0..times).map(|_| once());
    all.min_by_key(|(_, took)| *took).expect("a time")
}

/// Returns the answer to the longest text; or a size and the times before and after it is
/// quadrupled, if the longer text takes more than eight times as long: quadratic work takes sixteen
/// times as long.
fn long_answer(
    desk: &mut Desk,
    of_size: &dyn Fn(usize) -> String,
) -> Result<String, (usize, [Duration; 2])> {
    let mut small = of_size(SIZES[0]);
    let (mut answer, mut before) = answered(desk, &small, 1);
    for pair in SIZES.windows(2) {
        let large = of_size(pair[1]);
        let slow = |before, after| after > 8 * before + COARSE;
        let after;
        (answer, after) = answered(desk, &large, 1);
        if slow(before, after) {
            let again = [&small, &large].map(|asked| answered(desk, asked, 5).1);
            if slow(again[0], again[1]) {
                return Err((pair[0], again));
            }
        }
        (small, before) = (large, after);
    }
    Ok(answer)
}

#[test]
fn texts_are_read_in_linear_time() {
    let failed: Vec<String> = std::thread::scope(|scope| {
        let asks = [0, 1, 2, 3].map(|first| DESK.iter().skip(first).step_by(4));
        let threads = asks.map(|asks| scope.spawn(move || failures(asks)));
        let failed = threads.map(|thread| thread.join().expect("no panic"));
        failed.concat()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// True for an option whose text is tried with all pieces. The questions have one reader of each but
/// the question itself, and of other texts no part is read on its own.
fn reads_all(kind: &str, name: &str) -> bool {
    match name {
        "question" | "line" | "hands" => true,
        "board" => kind == "table",
        "if" => kind == "odds",
        "where" => kind == "deal",
        "contracts" => kind == "compare",
        _ => false,
    }
}

/// The texts of these questions that take too long, or are refused in too many words.
fn failures(asks: impl Iterator<Item = &'static AskEntry>) -> Vec<String> {
    let mut desk = Desk::default();
    let mut failed = Vec::new();
    for entry in asks {
        let (kind, names) = (entry.name, texts_of(&mut desk, entry.name));
        let mut base: Value = serde_json::from_str(entry.example.json).expect("JSON");
        base["ask"] = kind.into();
        let more = ["question", "board", "unknown"];
        for &name in names.iter().chain(&more) {
            let few = if reads_all(kind, name) { usize::MAX } else { 6 };
            for piece in PIECES.lines().rev().take(few) {
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
                    let answer = match long_answer(&mut desk, &of_size) {
                        Ok(answer) => answer,
                        Err((size, took)) => {
                            let text = format!("{kind} {name} {piece:?} {form}");
                            failed.push(format!("{text}, {size}: {took:?}"));
                            continue;
                        }
                    };
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
    failed
}
