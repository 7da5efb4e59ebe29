//! What people ask, by the command, in JSON, and as the query of a link.

use serde_json::{Map, Value};
use setrograde::{Desk, JsonQuestion};

use crate::command::{finish, setrograde, words};

const DEAL: &str = "N:KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95";

/// Questions of four lines: the line of the command, the same in JSON, what the command prints or
/// complains, and fields of the object; `null` stands for any value. `TURN` is a sign that turns the
/// direction of what follows.
const CASES: &str = r#"
solve '4SS DEAL'
{"ask": "solve", "question": "4SS DEAL"}
12, makes 2 over
{"contract": "4SS", "declarer_tricks": 12, "makes": true, "tricks": 1}

solve '6NTWX DEAL'
{"ask": "solve", "question": "6NTWX DEAL"}
6NTXW
{"error": null}

table '4SS DEAL'
{"ask": "table", "question": "4SS DEAL"}
  S   12  12  13   6   6
{"tricks": null}

odds '3NTS HIDDEN'
{"ask": "odds", "question": "3NTS HIDDEN"}
Tricks of North and South
{"contract": "3NTS", "side": "NS", "counts": [0, 3, 3]}

odds --draw 2 '7CS N:AKQJT.AKQJ.AKQJ. ? 98765.T98.T98.AK ?'
{"ask": "odds", "draw": 2, "question": "7CS N:AKQJT.AKQJ.AKQJ. ? 98765.T98.T98.AK ?"}
7♣ by South makes  
{"contract": "7CS", "side": "NS", "makes": 0.0, "makes_interval": null}

leads 4S 'NT W N:? ? ? AQ732.K5.J83.T92'
{"ask": "leads", "contract": "4S", "question": "NT W N:? ? ? AQ732.K5.J83.T92"}
4S is a contract in S, but the question says NT
{"error": null}

claim '3NTN HIDDEN'
{"ask": "claim", "question": "3NTN HIDDEN"}
out=KJT9...	2
{"claimer": "N"}

claim line 'NT S HIDDEN' 'SA SQ'
{"ask": "line", "question": "NT S HIDDEN", "line": "SA SQ"}
As stated, "SA" could not be played by South, on lead.
{"unmade": null}

deal 1 --mix '100 % long' --name long=N.S=9
{"ask": "deal", "count": 1, "mix": "100 % long", "name": {"long": "N.S=9"}}
[Event "long"]
{"deals": null}

deal 1 --mix '100 % aTURNb' --name aTURNb=N.S=9
{"ask": "deal", "count": 1, "mix": "100 % aTURNb", "name": {"aTURNb": "N.S=9"}}
[Event "a b"]
{"deals": null}

odds --until 1e308 '3NTS HIDDEN'
{"ask": "odds", "until": 1e308, "question": "3NTS HIDDEN"}
1e308
{"error": "until: 1e308; expected a share below one half, as 0.01 for 1 %"}

analyse 'NT S N:AQ... 76... 54... K3... S4 SJ'
{"ask": "analyse", "question": "NT S N:AQ... 76... 54... K3... S4 SJ"}
column 35: West is to play
{"error": null, "column": 35}
"#;

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
    let cases = CASES.replace("DEAL", DEAL).replace("TURN", "\u{202e}");
    let cases = cases.replace("HIDDEN", "N:AQ... ? 32... ? out=KJT9...");
    for case in cases.trim_matches('\n').split("\n\n") {
        let parts: Vec<&str> = case.split('\n').collect();
        let [line, asked, shows, has] = parts[..] else {
            panic!("not four lines: {case}");
        };
        let mut command = setrograde();
        let printed = finish(command.args(words(line)).env("SETROGRADE_DB", "none"));
        let said = printed.output + &printed.errors;
        if !said.contains(shows) {
            wrong += &format!("{asked}: expected {shows:?}, found {said}\n");
        }
        let fields: Map<String, Value> = serde_json::from_str(asked).expect("JSON");
        let pairs = fields
            .iter()
            .flat_map(|(name, value)| in_query(name, value));
        let flat = desk.reply(JsonQuestion::flat(pairs));
        let has: Map<String, Value> = serde_json::from_str(has).expect("JSON");
        for object in [desk.ask(asked), flat.object] {
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
