//! What people ask, by the command, in JSON, and as the query of a link.

use serde_json::{Map, Value};
use setrograde::{Desk, JsonQuestion};

use crate::command::{finish, setrograde};

const DEAL: &str = "N:KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95";

/// A question: the words of the command, the same in JSON, what the command prints or complains, and
/// the fields of the object; `null` stands for any value.
struct Said {
    words: &'static [&'static str],
    asked: &'static str,
    shows: &'static str,
    has: &'static str,
}

const CASES: [Said; 12] = [
    // A contract is one thing.
    Said {
        words: &["solve", "4SS DEAL"],
        asked: r#"{"ask": "solve", "question": "4SS DEAL"}"#,
        shows: "\t12, makes 2 over\n",
        has: r#"{"contract": "4SS", "declarer_tricks": 12, "makes": true, "tricks": 1}"#,
    },
    Said {
        words: &["solve", "6NTWX DEAL"],
        asked: r#"{"ask": "solve", "question": "6NTWX DEAL"}"#,
        shows: "6NTXW",
        has: r#"{"error": null}"#,
    },
    Said {
        words: &["table", "4SS DEAL"],
        asked: r#"{"ask": "table", "question": "4SS DEAL"}"#,
        shows: "  S   12  12  13   6   6",
        has: r#"{"tricks": null}"#,
    },
    Said {
        words: &["odds", "3NTS N:AQ... ? 32... ? out=KJT9..."],
        asked: r#"{"ask": "odds", "question": "3NTS N:AQ... ? 32... ? out=KJT9..."}"#,
        shows: "Tricks of North and South",
        has: r#"{"contract": "3NTS", "side": "NS", "counts": [0, 3, 3]}"#,
    },
    Said {
        words: &[
            "odds",
            "--draw",
            "2",
            "7CS N:AKQJT.AKQJ.AKQJ. ? 98765.T98.T98.AK ?",
        ],
        asked: r#"{"ask": "odds", "draw": 2, "question": "7CS N:AKQJT.AKQJ.AKQJ. ? 98765.T98.T98.AK ?"}"#,
        shows: "7♣ by South makes  ",
        has: r#"{"contract": "7CS", "side": "NS", "makes": 0.0, "makes_interval": null}"#,
    },
    Said {
        words: &["leads", "4S", "NT W N:? ? ? AQ732.K5.J83.T92"],
        asked: r#"{"ask": "leads", "contract": "4S", "question": "NT W N:? ? ? AQ732.K5.J83.T92"}"#,
        shows: "4S is a contract in S, but the question says NT",
        has: r#"{"error": null}"#,
    },
    Said {
        words: &["claim", "3NTN N:AQ... ? 32... ? out=KJT9..."],
        asked: r#"{"ask": "claim", "question": "3NTN N:AQ... ? 32... ? out=KJT9..."}"#,
        shows: "\t2\n",
        has: r#"{"claimer": "N"}"#,
    },
    // What was stated and cannot be made.
    Said {
        words: &[
            "claim",
            "line",
            "NT S N:AQ... ? 32... ? out=KJT9...",
            "SA SQ",
        ],
        asked: r#"{"ask": "line", "question": "NT S N:AQ... ? 32... ? out=KJT9...", "line": "SA SQ"}"#,
        shows: "As stated, \"SA\" could not be played by South, on lead.",
        has: r#"{"unmade": null}"#,
    },
    // A name, and a number in an error.
    Said {
        words: &["deal", "1", "--mix", "100 % long", "--name", "long=N.S=9"],
        asked: r#"{"ask": "deal", "count": 1, "mix": "100 % long", "name": {"long": "N.S=9"}}"#,
        shows: "[Event \"long\"]",
        has: r#"{"deals": null}"#,
    },
    Said {
        words: &[
            "deal",
            "1",
            "--mix",
            "100 % a\u{202e}b",
            "--name",
            "a\u{202e}b=N.S=9",
        ],
        asked: "{\"ask\": \"deal\", \"count\": 1, \"mix\": \"100 % a\u{202e}b\", \"name\": {\"a\u{202e}b\": \"N.S=9\"}}",
        shows: "[Event \"a b\"]",
        has: r#"{"deals": null}"#,
    },
    Said {
        words: &[
            "odds",
            "--until",
            "1e308",
            "3NTS N:AQ... ? 32... ? out=KJT9...",
        ],
        asked: r#"{"ask": "odds", "until": 1e308, "question": "3NTS N:AQ... ? 32... ? out=KJT9..."}"#,
        shows: "1e308",
        has: r#"{"error": "until: 1e308; expected a share below one half, as 0.01 for 1 %"}"#,
    },
    // The fault of a play is said once.
    Said {
        words: &["analyse", "NT S N:AQ... 76... 54... K3... S4 SJ"],
        asked: r#"{"ask": "analyse", "question": "NT S N:AQ... 76... 54... K3... S4 SJ"}"#,
        shows: "column 35: West is to play",
        has: r#"{"error": null, "column": 35}"#,
    },
];

/// A value of a question as a query has it.
fn in_query(name: &str, value: &Value) -> Vec<(String, String)> {
    let texts = match value {
        Value::String(text) => vec![text.clone()],
        Value::Object(pairs) => (pairs.iter())
            .map(|(name, text)| format!("{name}={}", text.as_str().expect("a text")))
            .collect(),
        other => vec![other.to_string()],
    };
    texts
        .into_iter()
        .map(|text| (name.to_owned(), text))
        .collect()
}

#[test]
fn every_door_understands_what_people_ask() {
    let mut desk = Desk::new(None);
    let mut wrong = String::new();
    for Said {
        words,
        asked,
        shows,
        has,
    } in CASES
    {
        let words = words.iter().map(|word| word.replace("DEAL", DEAL));
        let printed = finish(setrograde().args(words).env("SETROGRADE_DB", "none"));
        let said = printed.output + &printed.errors;
        if !said.contains(shows) {
            wrong += &format!("{asked}: expected {shows:?}, found {said}\n");
        }
        let asked = asked.replace("DEAL", DEAL);
        let fields: Map<String, Value> = serde_json::from_str(&asked).expect("JSON");
        let pairs = fields
            .iter()
            .flat_map(|(name, value)| in_query(name, value));
        let flat = desk.reply(JsonQuestion::flat(pairs));
        let has: Map<String, Value> = serde_json::from_str(has).expect("JSON");
        for object in [desk.ask(&asked), flat.object] {
            let answer: Value = serde_json::from_str(&object).expect("JSON");
            for (name, value) in &has {
                let found = &answer[name];
                if found.is_null() || !value.is_null() && found != value {
                    wrong += &format!("{asked}: {name}: expected {value}, found {answer}\n");
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
