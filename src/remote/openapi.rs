//! The OpenAPI document: parameters from the definition of the command line, questions and answers
//! from `schemas.json`.

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, Command};
use serde_json::{Map, Value, json};
use setrograde::QUESTIONS;

use super::{ASK, ENDPOINTS, Endpoint, LINES_OF_OBJECTS, MOST_DRAWN, OBJECT};

/// The type of a file that is posted.
const FILE: &str = "application/octet-stream";

/// The schemas of questions and answers, generated from their types.
const SCHEMAS: &str = include_str!("schemas.json");

/// The document of a server at an address.
pub fn document(command: &Command, address: &str) -> Value {
    let mut paths = Map::new();
    for endpoint in &ENDPOINTS {
        let command = command
            .find_subcommand(endpoint.name)
            .expect("a test finds each endpoint among the commands");
        paths.insert(format!("/{}", endpoint.name), path(endpoint, command));
    }
    let refused = json!({ "$ref": "#/components/schemas/refusal" });
    paths.insert(format!("/{}", ASK.name), any(&refused));
    for (name, id, about, kind) in [
        (
            "/health",
            "getHealth",
            "Whether the server is well: the program, and the cards of its database",
            OBJECT,
        ),
        (
            "/metrics",
            "getMetrics",
            "Counts and times, for Prometheus",
            "text/plain",
        ),
        ("/openapi.json", "getOpenapi", "This document", OBJECT),
    ] {
        let schema = match name {
            "/health" => json!({
                "type": "object",
                "required": ["version", "program", "cards"],
                "properties": {
                    "version": { "type": "integer" },
                    "program": { "type": "string" },
                    "cards": { "type": "integer" },
                },
            }),
            "/metrics" => json!({ "type": "string" }),
            _ => json!({ "type": "object", "additionalProperties": true }),
        };
        let answer = json!({ "description": about, "content": { kind: { "schema": schema } } });
        let mut responses = responses(answer, &[], &refused);
        if name == "/health" {
            responses["503"] = because("Too many connections, or no worker can work", &refused);
        }
        paths.insert(
            name.to_owned(),
            json!({ "get": { "operationId": id, "tags": ["server"], "summary": about, "responses": responses } }),
        );
    }
    let schemas: Value = serde_json::from_str(SCHEMAS).expect("a test generates it");
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "setrograde",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
            "description": "Double-dummy bridge: tables, cards, claims, odds. The answers are those of the command's --json.",
        },
        "servers": [{ "url": address }],
        "security": [],
        "tags": [
            { "name": "questions", "description": "Questions, and files of them" },
            { "name": "server", "description": "The server itself" },
        ],
        "paths": paths,
        "components": { "schemas": schemas },
    })
}

/// The path for any question.
fn any(refused: &Value) -> Value {
    let any_of = |suffix: &str| {
        let path = |name: &&str| json!({ "$ref": format!("#/components/schemas/{name}{suffix}") });
        Value::from_iter(QUESTIONS.iter().map(path))
    };
    let object =
        json!({ "oneOf": any_of("_question"), "discriminator": { "propertyName": "ask" } });
    let list = json!({ "type": "array", "items": object });
    let answer = json!({ "anyOf": any_of("") });
    let answers = json!({ "type": "array", "items": { "anyOf": [answer, refused] } });
    json!({
        "post": {
            "operationId": "ask",
            "tags": ["questions"],
            "summary": "Any question of the command with its options, or a list of them (docs/json.md).",
            "requestBody": {
                "required": true,
                "content": { OBJECT: { "schema": { "anyOf": [object, list] } } },
            },
            "responses": responses(
                json!({
                    "description": "The answer, or a list of them",
                    "content": { OBJECT: { "schema": { "anyOf": [answer, answers] } } },
                }),
                &[OF_QUESTIONS, OF_BODIES].concat(),
                refused,
            ),
        },
    })
}

/// A status, and when it is answered.
type RefusalStatus = (u16, &'static str);

/// The refusals of all paths.
const OF_ALL: &[RefusalStatus] = &[
    (400, "The request is wrong"),
    (403, "The request is for another host, or from another site"),
    (405, "The path does not have this method"),
    (414, "The path and the query are too long"),
    (431, "The head of the request is too long"),
    (
        503,
        "Too many connections or requests, or the server is stopping",
    ),
];
/// Those of questions.
const OF_QUESTIONS: &[RefusalStatus] = &[
    (413, "The file or the answer is too long"),
    (
        422,
        "The question, or each question of a file, has no answer",
    ),
    (504, "No answer in time"),
];
/// Those of requests with a body.
const OF_BODIES: &[RefusalStatus] = &[
    (408, "The request came too slowly"),
    (415, "The body is neither text nor a JSON object"),
];

/// The answer of an operation, with the refusals of all and `others`.
fn responses(answer: Value, others: &[RefusalStatus], refused: &Value) -> Value {
    let mut responses = json!({ "200": answer });
    for (status, reason) in OF_ALL.iter().chain(others) {
        responses[status.to_string()] = because(reason, refused);
    }
    responses
}

fn because(description: &str, refused: &Value) -> Value {
    json!({ "description": description, "content": { OBJECT: { "schema": refused } } })
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
    let word = |name: &&str| {
        let about = match *name {
            "question" => "A deal, a position or a question, as the command takes it",
            _ => "The cards of this hand in the suit",
        };
        json!({ "name": name, "in": "query", "required": true, "description": about, "schema": { "type": "string" } })
    };
    let options: Vec<Value> = options
        .iter()
        .map(|name| parameter(named(name), name))
        .collect();
    let asked: Vec<Value> = words
        .iter()
        .map(word)
        .chain(options.iter().cloned())
        .collect();
    // The same names as one object.
    let properties = asked.iter().map(|of| {
        let mut schema = of["schema"].clone();
        schema["description"] = of["description"].clone();
        (of["name"].as_str().unwrap_or_default().to_owned(), schema)
    });
    let body = json!({
        "type": "object",
        "required": words,
        "additionalProperties": false,
        "properties": properties.collect::<Map<String, Value>>(),
    });
    let answer = json!({ "$ref": format!("#/components/schemas/{name}") });
    let refused = json!({ "$ref": "#/components/schemas/refusal" });
    let responses = |content: Value, others: &[RefusalStatus]| {
        let answer = json!({ "description": "The answer", "content": content });
        responses(answer, others, &refused)
    };
    let title = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
    let mut content = json!({ OBJECT: { "schema": body } });
    let mut answers = json!({ OBJECT: { "schema": answer } });
    let mut summary = format!("{about} A question as a JSON object");
    if let Some(file) = file {
        // Text of any type is taken; generators know this one.
        content[FILE] =
            json!({ "schema": { "type": "string", "format": "binary", "description": file } });
        answers[LINES_OF_OBJECTS] = json!({ "schema": { "anyOf": [answer, refused] } });
        summary += ", or a file, answered by an object a line";
    }
    json!({
        "get": {
            "operationId": format!("get{title}"),
            "tags": ["questions"],
            "summary": about,
            "parameters": asked,
            "responses": responses(json!({ OBJECT: { "schema": answer } }), OF_QUESTIONS),
        },
        "post": {
            "operationId": format!("post{title}"),
            "tags": ["questions"],
            "summary": summary + ".",
            "parameters": options,
            "requestBody": { "required": true, "content": content },
            "responses": responses(answers, &[OF_QUESTIONS, OF_BODIES].concat()),
        },
    })
}

fn parameter(option: &Arg, name: &str) -> Value {
    let about = option
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut parameter = json!({ "name": name, "in": "query", "description": about });
    let values = option.get_num_args().map_or(1, |range| range.max_values());
    parameter["schema"] = match option.get_action() {
        ArgAction::SetTrue => json!({ "type": "boolean" }),
        ArgAction::Append => json!({ "type": "array", "items": { "type": "string" } }),
        _ if values > 1 => {
            (parameter["style"], parameter["explode"]) = (json!("form"), json!(false));
            let items = json!({ "type": kind(option.get_value_parser()) });
            json!({ "type": "array", "items": items, "minItems": values, "maxItems": values })
        }
        _ => json!({ "type": kind(option.get_value_parser()) }),
    };
    if name == "draw" {
        (
            parameter["schema"]["minimum"],
            parameter["schema"]["maximum"],
        ) = (json!(1), json!(MOST_DRAWN));
    }
    parameter
}

/// The type of a value.
fn kind(parser: &ValueParser) -> &'static str {
    let is = |other: ValueParser| parser.type_id() == other.type_id();
    let number = |parsers: [ValueParser; 5]| parsers.into_iter().any(is);
    if number([
        clap::value_parser!(u8).into(),
        clap::value_parser!(u16).into(),
        clap::value_parser!(u32).into(),
        clap::value_parser!(u64).into(),
        clap::value_parser!(usize).into(),
    ]) {
        "integer"
    } else if is(clap::value_parser!(f64).into()) {
        "number"
    } else {
        "string"
    }
}
