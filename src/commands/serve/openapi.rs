//! The OpenAPI document: parameters from the definition of the command line, answers from
//! `answers.json`.

use clap::{Arg, ArgAction, Command};
use serde_json::{Map, Value, json};

use super::asked::{ENDPOINTS, Endpoint, LINES_OF_OBJECTS, OBJECT};

/// The schemas of the answers.
const ANSWERS: &str = include_str!("answers.json");

/// The document.
pub fn document(command: &Command) -> Value {
    let mut paths = Map::new();
    for endpoint in &ENDPOINTS {
        let command = command
            .find_subcommand(endpoint.name)
            .expect("a test finds each endpoint among the commands");
        paths.insert(format!("/{}", endpoint.name), path(endpoint, command));
    }
    for (name, about, kind) in [
        (
            "/health",
            "Whether the server is well: the program, and the cards of its database",
            OBJECT,
        ),
        ("/metrics", "Counts and times, for Prometheus", "text/plain"),
        ("/openapi.json", "This document", OBJECT),
    ] {
        let schema = match kind {
            OBJECT => json!({ "type": "object" }),
            _ => json!({ "type": "string" }),
        };
        let answer = json!({ "description": about, "content": { kind: { "schema": schema } } });
        paths.insert(
            name.to_owned(),
            json!({ "get": { "summary": about, "responses": { "200": answer } } }),
        );
    }
    let mut schemas: Value = serde_json::from_str(ANSWERS).expect("a test reads it");
    let names = ENDPOINTS.iter().map(|endpoint| endpoint.name);
    for name in names.chain(["refusal"]) {
        let schema = schemas[name]
            .as_object_mut()
            .expect("a test finds each answer");
        let own = schema["properties"]
            .as_object_mut()
            .expect("an object's schema");
        own.extend(envelope(name));
        schema.entry("required").or_insert(json!(["version"]));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "setrograde",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Double-dummy bridge: tables, cards, claims, odds. The answers are those of the command's --json.",
        },
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

/// The names around an answer.
fn envelope(name: &str) -> impl Iterator<Item = (String, Value)> {
    let all = [
        ("version", json!({ "const": 1 })),
        ("question", json!({ "type": ["string", "null"] })),
        ("file", json!({ "type": "string" })),
        ("line", json!({ "type": "integer" })),
        ("board", json!({ "type": ["integer", "null"] })),
        (
            "notes",
            json!({ "type": "array", "items": { "type": "string" } }),
        ),
        ("passed_out", json!({ "type": "boolean" })),
    ];
    let count = if name == "suit" { 1 } else { all.len() };
    let all = all.into_iter().take(count);
    all.map(|(name, schema)| (name.to_owned(), schema))
}

fn path(endpoint: &Endpoint, command: &Command) -> Value {
    let Endpoint {
        name,
        words,
        options,
        file,
    } = endpoint;
    let about = command
        .get_about()
        .map(ToString::to_string)
        .unwrap_or_default();
    let named = |name: &str| {
        let mut all = command.get_arguments();
        all.find(|option| option.get_long() == Some(name))
            .expect("a test finds the options of endpoints")
    };
    let options: Vec<Value> = options
        .iter()
        .map(|name| parameter(named(name), name))
        .collect();
    let word = |name: &&str| json!({ "name": name, "in": "query", "required": true, "schema": { "type": "string" } });
    let asked: Vec<Value> = words
        .iter()
        .map(word)
        .chain(options.iter().cloned())
        .collect();
    let answer = json!({ "$ref": format!("#/components/schemas/{name}") });
    let refused = json!({ "$ref": "#/components/schemas/refusal" });
    let because = |description: &str| json!({ "description": description, "content": { OBJECT: { "schema": refused } } });
    let responses = |kind: &str, answer: &Value| {
        json!({
            "200": { "description": "The answer", "content": { kind: { "schema": answer } } },
            "400": because("The request is wrong"),
            "413": because("The file or the answer is too long"),
            "422": because("The question has no answer"),
            "503": because("Too many requests, or the server ends"),
            "504": because("No answer in time"),
        })
    };
    let mut methods = json!({ "get": { "summary": about, "parameters": asked, "responses": responses(OBJECT, &answer) } });
    if let Some(file) = file {
        let line = json!({ "anyOf": [answer, refused] });
        methods["post"] = json!({
            "summary": format!("{about} An object a line."),
            "parameters": options,
            "requestBody": {
                "required": true,
                "description": file,
                "content": { "text/plain": { "schema": { "type": "string" } } },
            },
            "responses": responses(LINES_OF_OBJECTS, &line),
        });
    }
    methods
}

fn parameter(option: &Arg, name: &str) -> Value {
    let about = option
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let schema = match option.get_action() {
        ArgAction::SetTrue => json!({ "type": "boolean" }),
        _ => json!({ "type": "string" }),
    };
    json!({ "name": name, "in": "query", "description": about, "schema": schema, "allowEmptyValue": true })
}
