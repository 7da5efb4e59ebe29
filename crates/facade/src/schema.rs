//! JSON Schemas of the interface's objects, generated from their types.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema, json_schema};
use serde_json::{Map, Value, json};
use setrograde_beliefs::joined;

use crate::json::PassedOut;
use crate::{Ask, AskEntry, Board, DESK, Lacks, RefusalObject, Subject, Summary};

/// The names around an answer. All except `version` may be missing.
#[derive(JsonSchema)]
#[allow(dead_code)]
struct AnswerFrame {
    /// Version of this interface.
    #[schemars(schema_with = "version")]
    version: u64,
    /// The text of the question; for a board of a record, the equivalent line.
    question: Option<String>,
    /// The file of the question.
    file: String,
    /// The line of the question in its file.
    line: u64,
    /// The number of the board in the record.
    board: Option<u32>,
    /// The room of a team match: `open` or `closed`.
    room: String,
    /// The table at which the board was played.
    table: String,
    /// The numbers of the pairs: North-South and East-West.
    pairs: [String; 2],
    /// Warnings about the board.
    notes: Vec<String>,
    /// The answer in the words of the command, on request.
    text: String,
    #[serde(flatten)]
    passed: PassedOut,
}

/// The names around the options of a question. All except `ask` may be missing.
#[derive(JsonSchema)]
#[allow(dead_code)]
struct QuestionFrame {
    /// The name of the question.
    ask: String,
    /// The line of the question.
    question: Option<String>,
    /// The record of one board in any format, instead of the line.
    board: Option<String>,
    /// True to get the answer in the words of the command, too.
    text: bool,
}

/// Other tables of questions have no schemas to be asked for.
const DESCRIBED: &str = "the tables of questions are described";

fn version(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "const": crate::VERSION })
}

/// Returns the entry of a question, with its schemas.
pub const fn entry<A: Ask<Answer: JsonSchema> + JsonSchema + 'static>() -> AskEntry {
    AskEntry {
        schemas: Some([Schemas::add_question::<A>, Schemas::add_answer::<A>]),
        ..crate::entry::entry::<A>()
    }
}

/// The schemas of all answers by the names of their questions, then `refusal`, and the types that
/// they refer to by the names of these types, at `definitions`, a path as `/$defs`.
///
/// The schema of an answer is one object: where a question has several kinds of answer it has the
/// names of all, and requires those that all have.
pub fn schemas(definitions: &str) -> Map<String, Value> {
    let mut schemas = Schemas::of_answers(DESK, definitions);
    let refusal = schemas.object_of::<RefusalObject>();
    schemas.add_framed("refusal", refusal);
    schemas.finish()
}

/// The schemas of all questions by their names, then the types that they refer to, as for
/// [`schemas`].
pub fn questions(definitions: &str) -> Map<String, Value> {
    questions_of(DESK, definitions)
}

/// The schemas of the answers to some questions, as [`schemas`].
pub fn schemas_of(asks: &[AskEntry], definitions: &str) -> Map<String, Value> {
    Schemas::of_answers(asks, definitions).finish()
}

/// The schemas of some questions, as [`questions`].
pub fn questions_of(asks: &[AskEntry], definitions: &str) -> Map<String, Value> {
    let mut schemas = Schemas::new(SchemaSettings::for_deserialize, definitions);
    for ask in asks {
        let [add_question, _] = ask.schemas.expect(DESCRIBED);
        add_question(&mut schemas);
    }
    schemas.finish()
}

/// The names of the types that a schema refers to.
fn referred(schema: &Value) -> Vec<String> {
    match schema {
        Value::Array(list) => list.iter().flat_map(referred).collect(),
        Value::Object(object) => {
            let own = object.get("$ref").and_then(Value::as_str);
            let own = own.and_then(|path| path.rsplit('/').next());
            let others = object.values().flat_map(referred);
            own.map(str::to_owned).into_iter().chain(others).collect()
        }
        _ => Vec::new(),
    }
}

/// Removes what applies to Rust alone: sizes of integers, links between items, and null for omitted
/// names.
fn clean(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(clean),
        Value::Object(object) => {
            if object.get("format").is_some_and(Value::is_string) {
                object.remove("format");
                object.remove("maximum");
            }
            let required = object.get("required").cloned().unwrap_or_default();
            let properties = object.get_mut("properties").and_then(Value::as_object_mut);
            for (name, schema) in properties.into_iter().flatten() {
                let is_always_there = required
                    .as_array()
                    .is_some_and(|names| names.iter().any(|other| other == name));
                if !is_always_there {
                    leave_out_null(schema);
                }
                if let Some(Value::String(text)) = schema.get_mut("description") {
                    let none = if is_always_there { "null" } else { "missing" };
                    *text = plain(text).replace("`None`", none);
                }
            }
            object.values_mut().for_each(clean);
        }
        _ => {}
    }
}

fn leave_out_null(schema: &mut Value) {
    if let Some(Value::Array(kinds)) = schema.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = &kinds[..] {
            schema["type"] = kind.clone();
        }
    }
    if let Some(Value::Array(kinds)) = schema.get_mut("anyOf") {
        kinds.retain(|kind| kind["type"] != "null");
        if let [Value::Object(kind)] = &kinds[..] {
            let kind = kind.clone();
            let object = schema.as_object_mut().expect("it has a name");
            object.remove("anyOf");
            object.extend(kind);
        }
    }
}

/// Returns a text in one line, without the targets of links such as `[word](target)`.
fn plain(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once('[') {
        kept += before;
        match after.split_once(']') {
            Some((word, after)) if after.starts_with('(') => {
                kept += word;
                rest = after.split_once(')').map_or("", |(_, after)| after);
            }
            Some((word, after)) if word.starts_with('`') => {
                kept += word;
                rest = after;
            }
            _ => {
                kept.push('[');
                rest = after;
            }
        }
    }
    kept += rest;
    joined(kept.split_whitespace(), " ")
}

/// The schemas of questions or of answers by name, and those of the types in them.
pub(crate) struct Schemas {
    generator: SchemaGenerator,
    all: Map<String, Value>,
}

impl Schemas {
    fn new(contract: impl FnOnce(SchemaSettings) -> SchemaSettings, definitions: &str) -> Schemas {
        let settings = contract(SchemaSettings::draft2020_12());
        let definitions = definitions.to_owned().into();
        let settings = settings.with(|settings| settings.definitions_path = definitions);
        Schemas {
            generator: settings.into_generator(),
            all: Map::new(),
        }
    }

    fn of_answers(asks: &[AskEntry], definitions: &str) -> Schemas {
        let mut schemas = Schemas::new(SchemaSettings::for_serialize, definitions);
        for ask in asks {
            let [_, add_answer] = ask.schemas.expect(DESCRIBED);
            add_answer(&mut schemas);
        }
        schemas
    }

    pub(crate) fn add_question<A: Ask<Answer: JsonSchema> + JsonSchema>(&mut self) {
        let mut question = self.object_of::<A>();
        let mut frame = self.object_of::<QuestionFrame>();
        frame.required = vec!["ask".to_owned()];
        frame.properties["ask"]["const"] = A::NAME.into();
        if A::Subject::line("").is_ok() {
            frame.properties.remove("question");
        }
        if matches!(A::Subject::board(&Board::default()), Err(Lacks::Line)) {
            frame.properties.remove("board");
        }
        question.add(&frame);
        for option in A::STYLES {
            let schema = json!({
                "description": option.meaning,
                "type": "boolean",
                "default": false,
            });
            question.properties.insert(option.name.to_owned(), schema);
        }
        for option in question.properties.values_mut() {
            let option = option.as_object_mut().expect("a schema with a description");
            if option.get("default").is_some_and(Value::is_null) {
                option.remove("default");
            }
        }
        let about = A::json_schema(&mut self.generator);
        let about = about.get("description").and_then(Value::as_str);
        let mut question = Value::from(question);
        if let Some(about) = about {
            question["description"] = plain(about).into();
        }
        question["additionalProperties"] = false.into();
        self.all.insert(A::NAME.to_owned(), question);
    }

    pub(crate) fn add_answer<A: Ask<Answer: JsonSchema> + JsonSchema>(&mut self) {
        let mut answer = self.object_of::<A::Answer>();
        if A::NAME == "analyse" {
            // After many boards a last object has the summary.
            answer = answer.or(self.object_of::<Summary>());
        }
        // A board that was passed out has no other answer.
        let passed_out = Board {
            passed_out: true,
            ..Board::default()
        };
        if matches!(A::Subject::board(&passed_out), Ok(None)) {
            answer = answer.or(self.object_of::<PassedOut>());
        }
        self.add_framed(A::NAME, answer);
    }

    /// Returns all, and then the types that they refer to, by their names.
    fn finish(self) -> Map<String, Value> {
        let Schemas {
            mut generator,
            mut all,
        } = self;
        let mut types = generator.take_definitions(true);
        types.values_mut().for_each(clean);
        // The used definitions, with those that they use.
        let mut names: Vec<String> = all.values().flat_map(referred).collect();
        while let Some(name) = names.pop() {
            if let Some(schema) = types.remove(&name) {
                names.extend(referred(&schema));
                all.insert(name, schema);
            }
        }
        all
    }

    /// Adds an answer with the names around it.
    fn add_framed(&mut self, name: &str, mut answer: Object) {
        let mut envelope = self.object_of::<AnswerFrame>();
        envelope.required = vec!["version".to_owned()];
        answer.add(&envelope);
        self.all.insert(name.to_owned(), answer.into());
    }

    /// The object that values of a type are.
    fn object_of<T: JsonSchema>(&mut self) -> Object {
        let schema = Value::from(T::json_schema(&mut self.generator));
        object(schema, &self.generator)
    }
}

/// The schema of an object: its properties, and the required ones.
struct Object {
    properties: Map<String, Value>,
    required: Vec<String>,
}

fn object(mut schema: Value, generator: &SchemaGenerator) -> Object {
    if let Some(path) = schema["$ref"].as_str() {
        let name = path.rsplit('/').next().unwrap_or_default();
        let target = generator.definitions().get(name);
        let target = target.expect("each type referred to is there");
        return object(target.clone(), generator);
    }
    clean(&mut schema);
    let required = schema["required"].as_array().into_iter().flatten();
    let required = required.filter_map(|name| Some(name.as_str()?.to_owned()));
    let properties = schema["properties"].as_object();
    let mut found = Object {
        properties: properties.cloned().unwrap_or_default(),
        required: required.collect(),
    };
    for part in schema["allOf"].as_array().into_iter().flatten() {
        found.add(&object(part.clone(), generator));
    }
    let kinds = schema["anyOf"].as_array().into_iter().flatten();
    let kinds = kinds.map(|kind| object(kind.clone(), generator));
    if let Some(kinds) = kinds.reduce(Object::or) {
        found.add(&kinds);
    }
    found
}

impl Object {
    /// An object that is this one or another.
    fn or(mut self, other: Object) -> Object {
        self.required.retain(|name| other.required.contains(name));
        for (name, schema) in other.properties {
            match self.properties.get_mut(&name) {
                None => drop(self.properties.insert(name, schema)),
                Some(own) => *own = either(own.take(), schema),
            }
        }
        self
    }

    /// Adds the names of another object.
    fn add(&mut self, other: &Object) {
        for (name, schema) in &other.properties {
            let own = self.properties.entry(name);
            own.or_insert_with(|| schema.clone());
        }
        for name in &other.required {
            if !self.required.contains(name) {
                self.required.push(name.clone());
            }
        }
    }
}

/// The schema of values that have one of two.
fn either(mut one: Value, mut other: Value) -> Value {
    let take = |schema: &mut Value| schema.as_object_mut()?.remove("description");
    let description = take(&mut one);
    let description = description.or(take(&mut other));
    let mut kinds = Vec::new();
    for mut schema in [one, other] {
        match schema.get_mut("anyOf") {
            Some(Value::Array(all)) => kinds.append(all),
            _ => kinds.push(schema),
        }
    }
    // A type and null is also that type.
    for at in (0..kinds.len()).rev() {
        let is_part = |wide: &Value| match &wide["type"] {
            Value::Array(all) => all.contains(&kinds[at]["type"]),
            _ => *wide == kinds[at],
        };
        let others = kinds.iter().enumerate();
        if others.clone().any(|(n, wide)| n < at && is_part(wide))
            || others
                .clone()
                .any(|(n, wide)| n > at && *wide != kinds[at] && is_part(wide))
        {
            kinds.remove(at);
        }
    }
    let mut schema = match kinds.len() {
        1 => kinds.remove(0),
        _ => json!({ "anyOf": kinds }),
    };
    if let Some(text) = description {
        schema["description"] = text;
    }
    schema
}

impl From<Object> for Value {
    fn from(object: Object) -> Value {
        json!({
            "type": "object",
            "required": object.required,
            "properties": object.properties,
        })
    }
}
