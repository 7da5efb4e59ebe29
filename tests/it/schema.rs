//! The files that are generated from the types of the answers: they are as those types say.
//!
//! `SETROGRADE_GENERATE=1 cargo test --test it schema` writes them.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use setrograde::QUESTIONS;
use setrograde::schema::{questions, schemas};

/// A file, or the part of it between these two lines.
struct Generated {
    path: &'static str,
    between: Option<[&'static str; 2]>,
    text: String,
}

#[test]
fn generated_files_are_as_the_types_say() {
    let write = std::env::var_os("SETROGRADE_GENERATE").is_some();
    for Generated {
        path,
        between,
        text,
    } in [
        Generated {
            path: "src/remote/schemas.json",
            between: None,
            text: openapi(),
        },
        Generated {
            path: "docs/json.md",
            between: Some(["<!-- generated names -->\n", "<!-- end of names -->"]),
            text: tables(),
        },
    ] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let found = fs::read_to_string(&file).expect("text");
        let expected = match between {
            None => text,
            Some([begin, end]) => {
                let (before, rest) = found.split_once(begin).expect("the begin");
                let (_, after) = rest.split_once(end).expect("the end");
                format!("{before}{begin}{text}{end}{after}")
            }
        };
        if write {
            fs::write(&file, expected).expect("written");
        } else {
            let problem = "SETROGRADE_GENERATE=1 cargo test --test it schema";
            assert!(found == expected, "{path} is not as generated: {problem}");
        }
    }
}

/// The components of the OpenAPI document, one a line.
fn openapi() -> String {
    let mut schemas = schemas("/components/schemas");
    for (mut name, schema) in questions("/components/schemas") {
        if QUESTIONS.contains(&&*name) {
            name += "_question";
        }
        let known = schemas.get(&name);
        assert!(
            known.is_none_or(|known| *known == schema),
            "two kinds of {name}"
        );
        schemas.insert(name, schema);
    }
    let lines = schemas
        .iter()
        .map(|(name, schema)| format!("  {name:?}: {schema}"));
    format!("{{\n{}\n}}\n", lines.collect::<Vec<_>>().join(",\n"))
}

/// Tables of the names of all objects.
fn tables() -> String {
    let all = schemas("/$defs");
    let mut text = String::new();
    let mut types: Vec<&str> = all.keys().map(String::as_str).collect();
    types.retain(|name| !QUESTIONS.contains(name) && is_object(&all[*name]));
    let around = all["refusal"]["properties"].as_object().expect("an object");
    for name in QUESTIONS.iter().copied().chain(["refusal"]) {
        let title = match name {
            "refusal" => "A refusal".to_owned(),
            name => format!("`{name}`"),
        };
        // The names around every answer are in the table above.
        let own = |of: &&String| name == "refusal" && !is_envelope(of) || !around.contains_key(*of);
        table(&mut text, &title, &all[name], own);
    }
    types.retain(|name| *name != "refusal");
    for name in types {
        table(&mut text, name, &all[name], |_| true);
    }
    text
}

fn is_envelope(name: &str) -> bool {
    !["error", "column", "because"].contains(&name)
}

fn is_object(schema: &Value) -> bool {
    schema["properties"].is_object()
}

fn table(text: &mut String, title: &str, schema: &Value, own: impl Fn(&&String) -> bool) {
    let names = schema["properties"].as_object().expect("an object");
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|other| other == name))
    };
    writeln!(
        text,
        "\n### {title}\n\n| name | type | meaning |\n|---|---|---|"
    )
    .expect("text");
    for (name, schema) in names.iter().filter(|(name, _)| own(name)) {
        let mark = if required(name) { "" } else { "?" };
        let meaning = schema["description"].as_str().unwrap_or_default();
        let meaning = meaning.replace('|', "\\|");
        let kind = kind(schema).replace('|', "\\|");
        writeln!(text, "| `{name}`{mark} | {kind} | {meaning} |").expect("text");
    }
}

/// A type in words.
fn kind(schema: &Value) -> String {
    if let Some(path) = schema["$ref"].as_str() {
        return path.rsplit('/').next().unwrap_or_default().to_owned();
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(all) = schema[choice].as_array() {
            return all.iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    if let Some(value) = schema.get("const") {
        return format!("`{value}`");
    }
    if let Some(all) = schema["enum"].as_array() {
        let all = all.iter().map(|value| format!("`{value}`"));
        return all.collect::<Vec<_>>().join(" or ");
    }
    let of = |kind: &str| match kind {
        "array" => format!("list of {}", kind_of_items(schema)),
        "object" => match object(schema) {
            Some(kind) => format!("object of {kind}"),
            None => "object".to_owned(),
        },
        "string" => "text".to_owned(),
        "boolean" => "true or false".to_owned(),
        kind => kind.to_owned(),
    };
    match &schema["type"] {
        Value::String(kind) => of(kind),
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str).map(of);
            kinds.collect::<Vec<_>>().join(" or ")
        }
        _ => "any".to_owned(),
    }
}

fn kind_of_items(schema: &Value) -> String {
    kind(&schema["items"])
}

/// The type of the values of a map.
fn object(schema: &Value) -> Option<String> {
    let more = &schema["additionalProperties"];
    let more = more.is_object().then(|| kind(more));
    more.or_else(|| {
        let patterns: Option<&Map<String, Value>> = schema["patternProperties"].as_object();
        patterns.and_then(|patterns| patterns.values().next().map(kind))
    })
}
