//! Questions on threads with little stack: a host that calls from one crashed.

use std::ffi::{CString, c_char};

use setrograde::{AskEntry, DESK};

/// The smallest stack of a thread that programs have by default: musl's, in bytes.
const SMALL: usize = 128 << 10;

/// Asks on a thread with a small stack.
fn asked(question: &str) -> String {
    let question = CString::new(question).expect("no 0 inside");
    let thread = std::thread::Builder::new().stack_size(SMALL);
    let asking = thread.spawn(move || {
        let mut answer = vec![0_u8; 1 << 20];
        // SAFETY: the question ends in 0, and the answer has room for what it says.
        let length = unsafe {
            setrograde_ask::sg_ask(
                question.as_ptr(),
                20.0,
                answer.as_mut_ptr().cast::<c_char>(),
                answer.len(),
            )
        };
        answer.truncate(usize::try_from(length).expect("an answer"));
        String::from_utf8(answer).expect("JSON")
    });
    let asking = asking.expect("a thread");
    asking.join().expect("no panic")
}

/// The example of each question, and the deepest searches: claims and lessons took up to 448 KB.
#[test]
fn every_question_is_answered_on_a_small_stack() {
    const DEAL: &str = "N:AK5.KJ42.Q73.A64 87.T96.KJ852.973 QJT92.A3.A64.852 643.Q875.T9.KQJT";
    const CLAIM: &str = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?";
    let questions = [
        format!(r#"{{"ask": "solve", "question": "NT W {DEAL}"}}"#),
        format!(r#"{{"ask": "table", "question": "{DEAL}"}}"#),
        format!(r#"{{"ask": "par", "question": "{DEAL}"}}"#),
        format!(r#"{{"ask": "analyse", "question": "NT W {DEAL} CK C4"}}"#),
        format!(r#"{{"ask": "lesson", "question": "{DEAL}", "draw": 5}}"#),
        format!(r#"{{"ask": "claim", "question": "{CLAIM}", "explain": true}}"#),
        format!(r#"{{"ask": "claim", "question": "{CLAIM}", "limit": 20000, "assume": true}}"#),
        r#"{"ask": "leads", "contract": "3NT", "draw": 3, "question": "AQ732.K5.J83.T92"}"#.into(),
        r#"{"ask": "suit", "north": "AJT98", "south": "432"}"#.into(),
        r#"{"ask": "single_dummy", "question": "NT S N:AQT... ? J.Q9.. ? out=K9.AKJT.."}"#.into(),
        r#"{"ask": "deal", "count": 1, "if": "N.hcp=15-17"}"#.into(),
    ];
    let example = |entry: &AskEntry| {
        let options = entry.example.json.trim_start_matches('{');
        format!("{{\"ask\": {:?}, {options}", entry.name)
    };
    for question in DESK.iter().map(example).chain(questions) {
        let answer = asked(&question);
        let object: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        let refused = object.get("error").and_then(|error| error.as_str());
        // A limit or the time may end a search, which was deep then.
        let because = object.get("because").and_then(|because| because.as_str());
        assert!(
            refused.is_none() || matches!(because, Some("limit" | "interrupted")),
            "{question}: {answer}"
        );
    }
}
