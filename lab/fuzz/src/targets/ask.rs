//! A question of the page: its name, a line feed, and its text. Every answer is an
//! object; a question with more cards than can be solved at once is only read.

use std::sync::atomic::{AtomicU64, Ordering};

use setrograde_page::Engine;

/// Inputs that had an answer.
pub static ANSWERED: AtomicU64 = AtomicU64::new(0);

/// More cards than this are not solved: an input has its time.
const MOST_CARDS: usize = 20;

/// The questions that solve nothing, and those that solve.
const READ: [&str; 5] = ["boards", "par", "position", "condition", "intervals"];
const SOLVED: [&str; 14] = [
    "strain",
    "cards",
    "record",
    "matter",
    "sure",
    "sure_cards",
    "plan",
    "against",
    "help",
    "adjudicate",
    "chances",
    "single",
    "beside",
    "hard",
];

pub fn seeds() -> Vec<Vec<u8>> {
    [
        "position\nNT W N:K3... Q4... J5... T2...\tST",
        "cards\nH W N:K3.A.. Q4.K.. J5.Q.. T2.J..\tST S3",
        "record\nNT W N:K3... Q4... J5... T2...\tST SK S4 S5",
        "matter\nNT S N:AQ3... 76.2.. 54.3.. K8.4..",
        "strain\nS N:AQ... KJ... 32... T9...",
        "par\nN None 5 7 6 7 5 11 5 11 3 10 3 10 8 4 8 4 5 7 5 7",
        "sure\n-\tNS\tW+SK\tNT S N:AQ... KJ... 32... T9...",
        "plan\n5\tWE\t-\tNT W W:A.KQJT.. K.9.98.J .A..AKQ2 Q.8..T98",
        "against\n2\tNS\t-\tNT S N:AQ... KJ... 32... T9...\tS2",
        "help\n2\tNS\tS=2-2\tNT S N:AQ... KJ... 32... T9...",
        "adjudicate\nSA S3-SQ rest\n2\tNS\t-\tNT S N:AQ... KJ... 32... T9...",
        "chances\nall\t0\t20\tNS\t-\tNT S N:AQ... KJ... 32... T9...\tS2",
        "single\n2\tNS\t-\tNT S N:AQ... KJ... 32... T9...\tS2",
        "beside\nNT S N:AQ... KJ... 32... T9...",
        "hard\n1 2",
        "boards\nhttps://x/?n=sakqh10d9c2&e=&lin=md%7C1SAKQ%7Cpc%7CSA%7C",
        "boards\nmd|1SAKQ,H2,,|sv|o|pc|SA|",
        "condition\nW-HA,S=3-2|N.(balanced|losers<=7),E.S.top3>=1",
        "intervals\n30/160 0/160 160/160",
        "chances\ndraw\t0\t20\tNS\tW-SK|E.S=2\tH S N:AQ...2 KJ..3. 3.2.4. T9..A.\tH2",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

pub fn run(input: &[u8]) {
    let question = String::from_utf8_lossy(input);
    let (what, text) = question.split_once('\n').unwrap_or((&question, ""));
    let cards = text.matches(|c: char| "AKQJT98765432".contains(c)).count();
    let what = if SOLVED.contains(&what) && cards > 2 * MOST_CARDS {
        "position"
    } else {
        what
    };
    let answer = Engine::default().ask(what, text);
    let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
    let object = answer.as_object().expect("an object");
    if object.get("error").is_none() {
        ANSWERED.fetch_add(1, Ordering::Relaxed);
    }
    match object.get("error") {
        Some(error) => assert!(error.as_str().is_some_and(|error| !error.is_empty())),
        None => assert!(READ.contains(&what) || SOLVED.contains(&what), "{what}"),
    }
}
