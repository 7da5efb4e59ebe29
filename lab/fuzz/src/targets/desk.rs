//! A question in JSON, or a list of them, as C, Python and the server ask a desk; or a file of lines
//! after the name of its question and a tab, with the options. The desk has little time, so what
//! takes longer than reading is that nothing looks at its end.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use setrograde::{AskEntry, DESK, Desk, JsonQuestion, JsonReply};
use setrograde_solver::Stop;

use super::check_answers;
use crate::golden::DATABASE;

/// The time for an answer.
const TIME: Duration = Duration::from_millis(1);

pub fn seeds() -> Vec<Vec<u8>> {
    let example = |entry: &AskEntry| {
        let options = entry.example.json.trim_start_matches('{');
        format!("{{\"ask\": \"{}\", {options}", entry.name)
    };
    let examples = DESK.iter().map(example).map(String::into_bytes);
    let others = [
        r#"{"ask": "solve", "question": "NT S N:AQ... 76... 54... K3...", "all": true, "text": true}"#,
        r#"{"ask": "table", "question": "N:AQ... 76... 54... K3...", "text": true}"#,
        r#"{"ask": "par", "question": "N:AQ... 76... 54... K3...", "vulnerable": "All", "dealer": "N"}"#,
        r#"{"ask": "analyse", "question": "NT S N:AQ... 76... 54... K3... S5 S6 SQ S3", "explain": true}"#,
        r#"{"ask": "lesson", "question": "NT S N:AQ... 76... 54... K3...", "draw": 2, "limit": 100}"#,
        r#"{"ask": "query", "question": "NT S N:AQ... 76... 54... K3...", "explain": true}"#,
        r#"{"ask": "claim", "question": "NT S N:AQ... ? 32... ? out=KJT9...", "if": "W+SK,E.S=2", "tricks": 2}"#,
        r#"{"ask": "line", "question": "NT S N:AQ... ? 32... ? out=KJT9...", "line": "S2-SQ rest", "by": "N"}"#,
        r#"{"ask": "adjudicate", "question": "NT S N:AQ... KJ... 32... T9...", "by": "N", "line": "S2-SQ rest"}"#,
        r#"{"ask": "odds", "question": "NT S N:AQ... ? 32... ? out=KJT9...", "all": true, "if": ["W+SK|E.S=0", "not W.hcp=4-9"], "until": 0.1}"#,
        r#"{"ask": "leads", "question": "AQ732.K5.J83.T92", "contract": "3NT", "draw": 1, "if": "N.hcp=15-17,N.balanced"}"#,
        r#"{"ask": "compare", "question": "AK5.KJ42.Q73.A64 QJT92.A3.K64.852", "contracts": ["3NT", "4S"], "draw": 1}"#,
        r#"{"ask": "single_dummy", "question": "NT S N:AQT... ? J.Q9.. ? out=K9.AKJT..", "if": "W.S=2"}"#,
        r#"{"ask": "best_line", "question": "NT S N:AQ... ? 32... ? out=KJT9...", "layouts": ["N:AQ... KJ... 32... T9..."]}"#,
        r#"{"ask": "suit", "north": "AJT98", "south": "432", "vacant": [10, 13], "all": true}"#,
        r#"{"ask": "layouts", "question": "NT S N:AQ... ? 32... ? out=KJT9... if=W.(S>=1|hcp=4)", "count": 3, "seed": 7}"#,
        r#"{"ask": "deal", "count": 2, "if": "N.hcp=15-17|N.(losers<=6,S>=5)", "where": "tricks(N,NT)>=9", "hands": "N:AKQ52.K43.QJ5.T98 ? ? ?", "time": 0.001}"#,
        r#"{"ask": "table", "board": "[Board \"1\"]\n[Deal \"N:AQ... 76... 54... K3...\"]\n"}"#,
        r#"{"ask": "analyse", "board": "md|1SAK,S32,S54,S76|pc|SA|"}"#,
        r#"[{"ask": "odds", "question": "NT S N:AQ... ? 3... ? out=KJT... played=S2,S9 if=hcp<=4"}, {"ask": "par"}, null]"#,
        "odds\t{\"if\": \"W+SK\"}\nNT S N:AQ... ? 32... ? out=KJT9...\nNT S N:AQ... ? 32... ? out=KJT9... if=E+SK|W.S>=2",
        "solve\t{\"all\": true}\nNT S N:AQ... 76... 54... K3...\nH W N:A.2.. K..A. .AK.. Q..K.",
        "leads\t{\"contract\": \"4S\", \"draw\": 1}\nAQ732.K5.J83.T92\nN:A.K.. ? ? ?",
        &format!("table\t{{}}\n{}", "N:A\"".repeat(15_000)),
        "table\t{}\n[Board \"1\"]\n[Deal \"N:AQ... 76... 54... K3...\"]\n\n[Board \"2\"]\n[Deal \"N:A... K... Q... J...\"]\n",
    ]
    .map(|text| text.as_bytes().to_vec());
    examples.chain(others).collect()
}

pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let stop = Stop::default().by(Instant::now() + TIME);
    let desk = Desk::new(Some(Arc::clone(&DATABASE)));
    let mut desk = desk.with_memory(1 << 20).with_limits(100, u32::MAX);
    desk.set_stop(stop.clone());
    if text.starts_with(['{', '[']) {
        check_answers(&desk.ask(&text), &text);
        return;
    }
    let (head, lines) = text.split_once('\n').unwrap_or((&text, ""));
    let (name, options) = head.split_once('\t').unwrap_or((head, "{}"));
    let question = JsonQuestion::read(options.as_bytes());
    let Ok(question) = question.and_then(|question| question.of_kind(name)) else {
        return;
    };
    let mut take = |reply: JsonReply| {
        check_answers(&reply.object, &text);
        // As the server does.
        if stop.is_due() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let done = desk.reply_to_each(question, &mut lines.as_bytes(), &mut take);
    if let Err(refusal) = done {
        assert!(refusal.to_string().len() < 2_000, "{refusal}");
    }
}
