//! A question of the page, in JSON. Every answer is an object. The engine has little time, so what
//! takes longer than reading is that nothing looks at its end.

use std::time::{Duration, Instant};

use setrograde::Desk;
use setrograde_page::Engine;
use setrograde_solver::Stop;

use super::check_answers;

/// The time for an answer.
const TIME: Duration = Duration::from_millis(1);

pub fn seeds() -> Vec<Vec<u8>> {
    [
        r#"{"ask": "position", "question": "NT W N:K3... Q4... J5... T2... ST"}"#,
        r#"{"ask": "solve", "question": "H W N:K3.A.. Q4.K.. J5.Q.. T2.J.. ST S3", "all": true}"#,
        r#"{"ask": "analyse", "question": "NT W N:K3... Q4... J5... T2... ST SK S4 S5"}"#,
        r#"{"ask": "matter", "question": "NT S N:AQ3... 76.2.. 54.3.. K8.4.."}"#,
        r#"{"ask": "table", "question": "N:AQ... KJ... 32... T9..."}"#,
        r#"{"ask": "claim", "question": "NT S N:AQ... ? 32... ? out=KJT9...", "if": "W+SK", "explain": true}"#,
        r#"{"ask": "adjudicate", "question": "NT S N:AQ... KJ... 32... T9...", "by": "N", "line": "SA S3-SQ rest", "if_left": "S=2-2"}"#,
        r#"{"ask": "odds", "question": "NT S N:AQ... ? 32... ? out=KJT9... S2", "all": true}"#,
        r#"{"ask": "boards", "text": "https://x/?n=sakqh10d9c2&e=&lin=md%7C1SAKQ%7Cpc%7CSA%7C"}"#,
        r#"{"ask": "boards", "text": "md|1SAKQ,H2,,|sv|o|pc|SA|"}"#,
        r#"{"ask": "decode", "text": "AKQ"}"#,
        r#"{"ask": "condition", "condition": "W-HA,S=3-2|N.(balanced|losers<=7),E.S.top3>=1"}"#,
        r#"{"ask": "score", "contract": "3NTS", "vulnerable": "NS", "tricks": 10}"#,
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

pub fn run(input: &[u8]) {
    let question = String::from_utf8_lossy(input);
    let stop = Stop::default().by(Instant::now() + TIME);
    let mut desk = Desk::new(None).with_limits(100, u32::MAX);
    desk.set_stop(stop);
    let mut engine = Engine::new(desk);
    check_answers(&engine.ask(&question), &question);
}
