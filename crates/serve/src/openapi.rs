//! The OpenAPI document, from the schemas of the question types and their answers.

use serde_json::{Map, Value, json};
use setrograde::schema::{questions, schemas};
use setrograde::{DESK, QUESTIONS};

use crate::answer::{JSON, JSON_LINES};
use crate::request::{ASK, FILE};

/// The maximum number of layouts that a request may have drawn.
pub const MOST_DRAWN: u32 = 1_000_000;

/// The path of the components.
const COMPONENTS: &str = "/components/schemas";

/// A status, and its meaning.
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
/// The refusals of questions.
const OF_QUESTIONS: &[RefusalStatus] = &[
    (413, "The file or the answer is too long"),
    (
        422,
        "The question, or each question of a file, has no answer",
    ),
    (504, "No answer in time"),
];
/// The refusals of requests with a body.
const OF_BODIES: &[RefusalStatus] = &[
    (408, "The request came too slowly"),
    (415, "The body is neither text nor a JSON object"),
];

/// The document of a server at an address.
pub fn document(address: &str) -> Value {
    let mut components = schemas(COMPONENTS);
    let (asked, types): (Map<_, _>, Map<_, _>) = questions(COMPONENTS)
        .into_iter()
        .partition(|(name, _)| QUESTIONS.contains(&&**name));
    components.extend(types);
    let mut paths = Map::new();
    for (name, schema) in asked {
        paths.insert(format!("/{name}"), path(&name, &schema, &components));
        components.insert(format!("{name}_question"), schema);
    }
    paths.insert(format!("/{ASK}"), any());
    for (name, id, about, kind, schema) in own_paths() {
        let answer = json!({ "description": about, "content": { kind: { "schema": schema } } });
        let mut responses = responses(answer, &[]);
        if name == "/health" {
            responses["503"] = refusal("Too many connections, or no worker can work");
        }
        let get = json!({
            "operationId": id, "tags": ["server"], "summary": about, "responses": responses,
        });
        paths.insert(name.to_owned(), json!({ "get": get }));
    }
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
        "components": { "schemas": components },
    })
}

/// The paths of the server itself: name, id, summary, type of the content and its schema.
fn own_paths() -> [(
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Value,
); 3] {
    let health = json!({
        "type": "object",
        "required": ["version", "program", "cards"],
        "properties": {
            "version": { "type": "integer" },
            "program": { "type": "string" },
            "cards": { "type": "integer" },
        },
    });
    [
        (
            "/health",
            "getHealth",
            "Whether the server is well: the program, and the cards of its database",
            JSON,
            health,
        ),
        (
            "/metrics",
            "getMetrics",
            "Counts and times, for Prometheus",
            "text/plain",
            json!({ "type": "string" }),
        ),
        (
            "/openapi.json",
            "getOpenapi",
            "This document",
            JSON,
            json!({ "type": "object", "additionalProperties": true }),
        ),
    ]
}

fn component(name: &str) -> Value {
    json!({ "$ref": format!("#{COMPONENTS}/{name}") })
}

fn refusal(description: &str) -> Value {
    json!({ "description": description, "content": { JSON: { "schema": component("refusal") } } })
}

/// The answer of an operation, with the refusals of all and `others`.
fn responses(answer: Value, others: &[RefusalStatus]) -> Value {
    let mut responses = json!({ "200": answer });
    for (status, reason) in OF_ALL.iter().chain(others) {
        responses[status.to_string()] = refusal(reason);
    }
    responses
}

/// The path for any question.
fn any() -> Value {
    let any_of = |suffix: &str| {
        let names = QUESTIONS.iter();
        names
            .map(|name| component(&format!("{name}{suffix}")))
            .collect::<Value>()
    };
    let object =
        json!({ "oneOf": any_of("_question"), "discriminator": { "propertyName": "ask" } });
    let list = json!({ "type": "array", "items": object });
    let answer = json!({ "anyOf": any_of("") });
    let answers = json!({ "type": "array", "items": { "anyOf": [answer, component("refusal")] } });
    json!({
        "post": {
            "operationId": "ask",
            "tags": ["questions"],
            "summary": "Any question with its options, or a list of them (docs/json.md).",
            "requestBody": {
                "required": true,
                "content": { JSON: { "schema": { "anyOf": [object, list] } } },
            },
            "responses": responses(
                json!({
                    "description": "The answer, or a list of them",
                    "content": { JSON: { "schema": { "anyOf": [answer, answers] } } },
                }),
                &[OF_QUESTIONS, OF_BODIES].concat(),
            ),
        },
    })
}

/// The path of a question: its options as parameters of GET, and as an object or beside a file to
/// POST.
fn path(name: &str, question: &Value, components: &Map<String, Value>) -> Value {
    let mut body = question.clone();
    let properties = body["properties"]
        .as_object_mut()
        .expect("an object has names");
    properties.remove("ask");
    let takes_question = properties.contains_key("question");
    let takes_board = properties.contains_key("board");
    if let Some(draw) = properties.get_mut("draw") {
        draw["maximum"] = MOST_DRAWN.into();
    }
    let required = body["required"]
        .as_array_mut()
        .expect("an object has a list");
    required.retain(|name| name != "ask");
    // A line, unless the question may be about a board.
    if takes_question && !takes_board {
        required.push("question".into());
    }
    let parameters = parameters(&body, components);
    let beside_file = parameters
        .iter()
        .filter(|of| of["name"] != "question" && of["name"] != "board")
        .map(|of| {
            let mut parameter = of.clone();
            // An object has it in the body.
            parameter["required"] = false.into();
            // Generated clients send defaults, and an object has its options in one place.
            if let Some(schema) = parameter["schema"].as_object_mut() {
                schema.remove("default");
            }
            parameter
        });
    let beside_file: Vec<Value> = beside_file.collect();
    let about = question["description"].as_str().unwrap_or(name);
    let title = title(name);
    let answer = component(name);
    let example = DESK.iter().find(|entry| entry.name == name);
    let example = example.map(|entry| serde_json::from_str::<Value>(entry.example.json));
    let example = example.and_then(Result::ok);
    let mut content = json!({ JSON: { "schema": body, "example": example } });
    let mut answers = json!({ JSON: { "schema": answer } });
    let mut summary = format!("{about} A question as a JSON object");
    if takes_question {
        let file = if takes_board {
            "Boards in PBN, LIN or another format, or a question per line"
        } else {
            "A question per line"
        };
        let one = json!({ "anyOf": [answer, component("refusal")] });
        content[FILE] =
            json!({ "schema": { "type": "string", "format": "binary", "description": file } });
        answers[JSON]["schema"] = json!({ "anyOf": [answer, { "type": "array", "items": one }] });
        answers[JSON_LINES] = json!({ "schema": one });
        summary += ", or a file, answered by a list of objects or by an object per line";
    }
    let described = |content: Value, others: &[RefusalStatus]| {
        responses(
            json!({ "description": "The answer", "content": content }),
            others,
        )
    };
    json!({
        "get": {
            "operationId": format!("get{title}"),
            "tags": ["questions"],
            "summary": about,
            "parameters": parameters,
            "responses": described(json!({ JSON: { "schema": component(name) } }), OF_QUESTIONS),
        },
        "post": {
            "operationId": format!("post{title}"),
            "tags": ["questions"],
            "summary": summary + ".",
            "parameters": beside_file,
            "requestBody": { "required": true, "content": content },
            "responses": described(answers, &[OF_QUESTIONS, OF_BODIES].concat()),
        },
    })
}

/// A name such as `single_dummy` as `SingleDummy`.
fn title(name: &str) -> String {
    let words = name.split('_');
    words
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect()
}

/// The names of an object as parameters of a query.
fn parameters(object: &Value, components: &Map<String, Value>) -> Vec<Value> {
    let required = object["required"].as_array().expect("a list");
    let properties = object["properties"].as_object().expect("names");
    let parameters = properties.iter().map(|(name, schema)| {
        let mut schema = in_query(schema, components);
        let about = schema
            .as_object_mut()
            .and_then(|of| of.remove("description"));
        let mut parameter = json!({ "name": name, "in": "query", "schema": schema });
        if let Some(about) = about {
            parameter["description"] = about;
        }
        if required.iter().any(|of| of == name) {
            parameter["required"] = true.into();
        }
        parameter
    });
    parameters.collect()
}

/// The schema of a value in a query, where a text or a list of texts is a list, and so is an
/// object of texts.
fn in_query(schema: &Value, components: &Map<String, Value>) -> Value {
    let target = schema["$ref"]
        .as_str()
        .and_then(|path| path.rsplit('/').next());
    let target = target
        .and_then(|name| components.get(name))
        .unwrap_or(schema);
    let choices = target["anyOf"].as_array().into_iter().flatten();
    let list = choices.clone().find(|choice| choice["type"] == "array");
    let mut found = list.unwrap_or(schema).clone();
    if target["additionalProperties"]["type"] == "string" {
        let text = json!({ "type": "string", "description": "NAME=CONDITION" });
        found = json!({ "type": "array", "items": text });
    }
    for name in ["description", "default"] {
        if let Some(value) = schema.get(name) {
            found[name] = value.clone();
        }
    }
    found
}
