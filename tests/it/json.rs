//! The examples of docs/json.md: each command prints the objects below it.

use serde_json::{Deserializer, Value};
use setrograde::DESK;

use crate::command::{finish, setrograde, words};

/// The names of values that depend on the machine, or on details of the build.
const NOT_COMPARED: [&str; 9] = [
    "bytes",
    "checksum",
    "content",
    "directory",
    "estimate",
    "high",
    "low",
    "memory_bytes",
    "milliseconds",
];

/// A value with all times and the like taken out.
fn without_times(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let rest = object.iter().map(|(name, value)| {
                let a_time = name == "seconds" || name.ends_with("_seconds");
                let skipped = a_time || NOT_COMPARED.contains(&&**name);
                let value = if skipped && !value.is_object() {
                    Value::from("not compared")
                } else {
                    without_times(value)
                };
                (name.clone(), value)
            });
            Value::Object(rest.collect())
        }
        Value::Array(list) => list.iter().map(without_times).collect(),
        value => value.clone(),
    }
}

fn objects(text: &str) -> Vec<Value> {
    let objects = Deserializer::from_str(text)
        .into_iter::<Value>()
        .map(|object| without_times(&object.expect("JSON")));
    objects.collect()
}

/// Whether a value is what a document shows, in which `"…"` means the rest of a list.
fn is_shown(value: &Value, shown: &Value) -> bool {
    match (value, shown) {
        (Value::Array(list), Value::Array(shown)) => all_are_shown(list, shown),
        (Value::Object(object), Value::Object(shown)) => {
            object.len() == shown.len()
                && object.iter().all(|(name, value)| {
                    shown.get(name).is_some_and(|shown| is_shown(value, shown))
                })
        }
        _ => value == shown,
    }
}

/// Whether these values are what a document shows.
fn all_are_shown(values: &[Value], shown: &[Value]) -> bool {
    let (shown, cut) = match shown.split_last() {
        Some((last, rest)) if last == "…" => (rest, true),
        _ => (shown, false),
    };
    let mut pairs = values.iter().zip(shown);
    (values.len() > shown.len()) == cut
        && values.len() >= shown.len()
        && pairs.all(|(value, shown)| is_shown(value, shown))
}

#[test]
fn the_examples_of_the_page_are_what_the_commands_print() {
    let page = include_str!("../../docs/json.md");
    let mut ran = Vec::new();
    for example in page.split("\n    $ ").skip(1) {
        let (line, shown) = example.split_once('\n').expect("an answer");
        let shown = shown.split("\n\n").next().expect("a paragraph");
        let mut command = setrograde();
        let all: Vec<&str> = words(line).collect();
        // The group of commands is called as the directory is.
        let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/data/golden");
        for (number, word) in all.iter().enumerate().skip(1) {
            let is_database = *word == "db" && number > 1;
            command.arg(if is_database { golden } else { word });
        }
        let printed = finish(&mut command).output;
        let found = objects(&printed);
        assert!(all_are_shown(&found, &objects(shown)), "{line}\n{printed}");
        assert!(!found.is_empty(), "{line}");
        for object in &found {
            assert_eq!(object["version"], 1, "{line}");
        }
        let name = all[1..].iter().find(|word| **word != "db");
        ran.push(*name.expect("a command"));
    }
    let asked = DESK
        .iter()
        .filter_map(|entry| entry.example.command.split_whitespace().next());
    for command in asked.chain(["chunks", "verify", "tournament"]) {
        assert!(ran.contains(&command), "{command} has no example");
    }
    assert!(ran.len() >= 24, "{ran:?}");
}
