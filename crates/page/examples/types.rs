//! Writes the types of questions and answers for TypeScript and Python, which the build of the npm
//! package, the wheel, and the checks of the page's scripts run:
//!
//! `cargo run -p setrograde-page --example types`

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use serde_json::{Map, Value};
use setrograde::QUESTIONS;
use setrograde::schema::{questions, schemas};

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::write(root.join("page/desk.d.ts"), typescript())?;
    fs::write(root.join("page/answers.d.ts"), typescript_of_page())?;
    fs::write(root.join("python/setrograde/_answers.pyi"), python())
}

/// The schemas of answers, of questions (`NAME_question`) and of the types in them.
fn all(definitions: &str) -> Map<String, Value> {
    let mut all = schemas(definitions);
    for (mut name, schema) in questions(definitions) {
        if QUESTIONS.contains(&&*name) {
            name += "_question";
        }
        let known = all.get(&name);
        assert!(
            known.is_none_or(|known| *known == schema),
            "two kinds of {name}"
        );
        all.insert(name, schema);
    }
    all
}

/// An object with some of the names of another.
fn with_names(schema: &Value, is_kept: impl Fn(&str, &Value) -> bool) -> Value {
    let mut kept = schema.clone();
    let names = kept["properties"].as_object_mut().expect("an object");
    names.retain(|name, of| is_kept(name, of));
    kept
}

/// The names around every answer, except those that an answer has with another type.
fn answer_frame(all: &Map<String, Value>) -> Value {
    with_names(&all["refusal"], |name, of| {
        let mut answers = QUESTIONS.iter().map(|answer| &all[*answer]["properties"]);
        !REFUSAL.contains(&name) && answers.all(|names| names.get(name) == Some(of))
    })
}

/// The names of an object that a frame has, too, and the object without them.
fn parts(schema: &Value, frame: &Value) -> (Vec<String>, Value) {
    let is_own = |name: &str, of: &Value| frame["properties"].get(name) != Some(of);
    let names = schema["properties"].as_object().expect("an object");
    let around = names.iter().filter(|(name, of)| !is_own(name, of));
    let around = around.map(|(name, _)| name.clone()).collect();
    (around, with_names(schema, is_own))
}

/// The comment before a type or a name of TypeScript.
fn comment(schema: &Value, indent: &str) -> String {
    let about = description(schema);
    about.map_or(String::new(), |about| format!("{indent}/** {about} */\n"))
}

/// The type of an object, a name a line.
fn typescript_object(schema: &Value, indent: &str) -> String {
    let mut text = "{\n".to_owned();
    for (name, of) in schema["properties"].as_object().expect("an object") {
        let mark = if is_required(schema, name) { "" } else { "?" };
        let kind = TYPESCRIPT.kind(of);
        text += &comment(of, &format!("{indent}  "));
        text += &format!("{indent}  {name}{mark}: {kind};\n");
    }
    text + indent + "}"
}

/// A type with its name.
fn typescript_type(name: &str, schema: &Value) -> String {
    let kind = if is_object(schema) {
        typescript_object(schema, "")
    } else {
        typescript_kind(schema)
    };
    format!("\n{}export type {name} = {kind};\n", comment(schema, ""))
}

/// A type; of one object or another, names of the other are undefined.
fn typescript_kind(schema: &Value) -> String {
    match schema["anyOf"].as_array().map(Vec::as_slice) {
        Some([one, other]) if one["$ref"].is_string() && other["$ref"].is_string() => {
            format!("Or<{}, {}>", TYPESCRIPT.kind(one), TYPESCRIPT.kind(other))
        }
        _ => TYPESCRIPT.kind(schema),
    }
}

/// The types of the page's own questions and answers; the others are those of the desk.
fn typescript_of_page() -> String {
    let desk = all("/$defs");
    let mut page = setrograde_page::answers("/$defs");
    page.retain(|name, _| !QUESTIONS.contains(&&**name));
    let is_type = |name: &str| name.starts_with(char::is_uppercase);
    let mut asked = String::new();
    for (name, schema) in setrograde_page::questions("/$defs") {
        if is_type(&name) {
            page.insert(name, schema);
        } else if !QUESTIONS.contains(&&*name) {
            // These answers have no text.
            let schema = with_names(&schema, |name, _| name != "text");
            asked += &format!("\n  | {}", typescript_object(&schema, "  "));
        }
    }
    let mut text = "\n/** One object or the other. */\ntype Or<A, B> =\n  | A & { [Name in Exclude<keyof B, keyof A>]?: undefined }\n  | B & { [Name in Exclude<keyof A, keyof B>]?: undefined };\n".to_owned();
    let (types, answers): (Vec<_>, Vec<_>) = page.iter().partition(|(name, _)| is_type(name));
    let own = types.iter().filter(|(name, _)| !desk.contains_key(*name));
    text.extend(own.map(|(name, schema)| typescript_type(name, schema)));
    text += &format!(
        "\n/** A question with its options. */\nexport type Question =\n  | DeskQuestion{asked};\n"
    );
    text += "\n/** The answers by the names of their questions. */\nexport interface Answers extends DeskAnswers {\n";
    let frame = answer_frame(&desk);
    for (name, schema) in answers {
        let own = with_names(&parts(schema, &frame).1, |name, _| name != "line");
        let object = typescript_object(&own, "  ");
        text += &format!("  {name}: AnswerFrame & {object};\n");
    }
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let used = desk
        .keys()
        .filter(|name| is_type(name) && words.contains(name.as_str()));
    let used: String = used.map(|name| format!("  {name},\n")).collect();
    format!(
        "// The page's own questions and their answers. Generated: see crates/page/examples/types.rs.\n\nimport \
         type {{\n  AnswerFrame,\n  DeskAnswers,\n  Question as DeskQuestion,\n{used}}} from \
         \"./desk.d.ts\";\n\nexport type * from \"./desk.d.ts\";\n{text}}}\n"
    )
}

/// The types of TypeScript.
fn typescript() -> String {
    let all = all("/$defs");
    let mut text =
        "// Questions to the desk and its answers. Generated: see crates/page/examples/types.rs.\n"
            .to_owned();
    let object = typescript_object;
    let is_type = |name: &&String| !QUESTIONS.contains(&name.trim_end_matches("_question"));
    text.extend((all.keys().filter(is_type)).map(|name| typescript_type(name, &all[name])));
    let table = &all["table_question"]["properties"];
    let frame = with_names(&all["solve_question"], |name, of| {
        table.get(name) == Some(of)
    });
    text += &format!("\ntype QuestionFrame = {};\n", object(&frame, ""));
    text += "\n/** A question with its options. */\nexport type Question =";
    for name in QUESTIONS {
        let (around, own) = parts(&all[&format!("{name}_question")], &frame);
        let around: Vec<String> = around.iter().map(|name| format!("{name:?}")).collect();
        let (around, own) = (around.join(" | "), object(&own, "  "));
        text += &format!("\n  | Pick<QuestionFrame, {around}> & {own}");
    }
    let frame = answer_frame(&all);
    text += &format!(
        ";\n\n/** What every answer may have. */\nexport type AnswerFrame = {};\n",
        object(&frame, "")
    );
    text +=
        "\n/** The answers by the names of their questions. */\nexport interface DeskAnswers {\n";
    for name in QUESTIONS {
        let (_, own) = parts(&all[*name], &frame);
        text += &format!("  {name}: AnswerFrame & {};\n", object(&own, "  "));
    }
    text + "}\n"
}

/// The types of Python.
fn python() -> String {
    let all = schemas("/$defs");
    let mut text = "# `ask` and its answers. Generated: see crates/page/examples/types.rs.\nfrom typing import Any, Literal, TypeAlias, TypedDict, overload\n\nfrom typing_extensions import NotRequired\n\nfrom . import AnyDatabase\n".to_owned();
    let mut asks = String::new();
    let mut ask = |name: &str, answer: &str| {
        let given = "question: str | None = ..., *, threads: int | None = ..., db: AnyDatabase | None = ..., **options: Any";
        asks += &format!("\n@overload\ndef ask(ask: {name}, {given}) -> {answer}: ...\n");
    };
    let frame = answer_frame(&all);
    text += "\n# What every answer may have.\n";
    text += &python_object("AnswerFrame", "TypedDict", &frame);
    for (name, schema) in &all {
        let about = description(schema).map(|about| format!("# {about}\n"));
        let about = about.unwrap_or_default();
        text += "\n";
        text += &if QUESTIONS.contains(&&**name) || name == "refusal" {
            let words = name.split('_');
            let words = words.map(|word| word[..1].to_uppercase() + &word[1..]);
            let title = words.collect::<String>() + "Answer";
            if name != "refusal" {
                ask(&format!("Literal[{name:?}]"), &title);
            }
            about + &python_object(&title, "AnswerFrame", &parts(schema, &frame).1)
        } else if is_object(schema) {
            about + &python_object(name, "TypedDict", schema)
        } else {
            format!("{about}{name}: TypeAlias = {}\n", PYTHON.kind(schema))
        };
    }
    // Of a name that is no literal.
    ask("str", "Any");
    text + &asks
}

/// A class for an object.
fn python_object(title: &str, base: &str, schema: &Value) -> String {
    let fields = schema["properties"].as_object().expect("an object");
    let fields = fields.iter().map(|(name, of)| {
        let kind = PYTHON.kind(of);
        if is_required(schema, name) {
            (name, kind)
        } else {
            (name, format!("NotRequired[{kind}]"))
        }
    });
    // These are words of the language.
    if fields
        .clone()
        .any(|(name, _)| ["from", "if"].contains(&&**name))
    {
        let fields = fields.map(|(name, kind)| format!("{name:?}: {kind}"));
        let fields = fields.collect::<Vec<_>>().join(", ");
        return format!("{title} = {base}({title:?}, {{{fields}}})\n");
    }
    let fields = fields.map(|(name, kind)| format!("    {name}: {kind}\n"));
    format!("class {title}({base}):\n{}", fields.collect::<String>())
}

fn description(schema: &Value) -> Option<String> {
    let about = schema["description"].as_str()?;
    Some(about.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn is_required(schema: &Value, name: &str) -> bool {
    let names = schema["required"].as_array();
    names.is_some_and(|names| names.iter().any(|other| other == name))
}

/// How a language writes types.
struct Language {
    /// Types of JSON, and their names.
    names: [(&'static str, &'static str); 5],
    any: &'static str,
    list: fn(String) -> String,
    tuple: fn(&str) -> String,
    map: fn(String) -> String,
    literals: fn(&str) -> String,
    between_literals: &'static str,
}

const TYPESCRIPT: Language = Language {
    names: [
        ("string", "string"),
        ("integer", "number"),
        ("number", "number"),
        ("boolean", "boolean"),
        ("null", "null"),
    ],
    any: "unknown",
    list: |items| {
        if items.contains(' ') {
            format!("({items})[]")
        } else {
            format!("{items}[]")
        }
    },
    tuple: |items| format!("[{items}]"),
    map: |values| format!("Record<string, {values}>"),
    literals: str::to_owned,
    between_literals: " | ",
};

const PYTHON: Language = Language {
    names: [
        ("string", "str"),
        ("integer", "int"),
        ("number", "float"),
        ("boolean", "bool"),
        ("null", "None"),
    ],
    any: "Any",
    list: |items| format!("list[{items}]"),
    // JSON has lists alone.
    tuple: |items| {
        let mut kinds: Vec<&str> = items.split(", ").collect();
        kinds.dedup();
        format!("list[{}]", kinds.join(" | "))
    },
    map: |values| format!("dict[str, {values}]"),
    literals: |all| format!("Literal[{all}]"),
    between_literals: ", ",
};

impl Language {
    fn kind(&self, schema: &Value) -> String {
        if let Some(path) = schema["$ref"].as_str() {
            return path.rsplit('/').next().unwrap_or_default().to_owned();
        }
        for choice in ["anyOf", "oneOf"] {
            if let Some(all) = schema[choice].as_array() {
                let mut kinds: Vec<String> = all.iter().map(|of| self.kind(of)).collect();
                kinds.dedup();
                return kinds.join(" | ");
            }
        }
        if let Some(value) = schema.get("const") {
            return (self.literals)(&value.to_string());
        }
        if let Some(all) = schema["enum"].as_array() {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            return (self.literals)(&all.join(self.between_literals));
        }
        let of = |kind: &str| match kind {
            "array" => self.array(schema),
            "object" => self.object(schema),
            kind => {
                let name = self.names.iter().find(|(name, _)| *name == kind);
                name.map_or(self.any, |(_, name)| name).to_owned()
            }
        };
        match &schema["type"] {
            Value::String(kind) => of(kind),
            Value::Array(kinds) => {
                let kinds = kinds.iter().filter_map(Value::as_str).map(of);
                kinds.collect::<Vec<_>>().join(" | ")
            }
            _ => self.any.to_owned(),
        }
    }

    fn array(&self, schema: &Value) -> String {
        if let Some(all) = schema["prefixItems"].as_array() {
            let all: Vec<String> = all.iter().map(|of| self.kind(of)).collect();
            return (self.tuple)(&all.join(", "));
        }
        let items = self.kind(&schema["items"]);
        match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
            (Some(least), Some(most)) if least == most && most < 5 => {
                (self.tuple)(&vec![items; most as usize].join(", "))
            }
            _ => (self.list)(items),
        }
    }

    fn object(&self, schema: &Value) -> String {
        let of = &schema["additionalProperties"];
        if of.is_object() {
            return (self.map)(self.kind(of));
        }
        if let Some(all) = schema["patternProperties"].as_object() {
            let kind = all.values().next().map(|of| self.kind(of));
            return (self.map)(kind.unwrap_or_else(|| self.any.to_owned()));
        }
        let (Some(all), "unknown") = (schema["properties"].as_object(), self.any) else {
            return (self.map)(self.any.to_owned());
        };
        let fields = all.iter().map(|(name, of)| {
            let mark = if is_required(schema, name) { "" } else { "?" };
            format!("{name}{mark}: {}", self.kind(of))
        });
        format!("{{ {} }}", fields.collect::<Vec<_>>().join("; "))
    }
}

/// The names of a refusal itself.
const REFUSAL: [&str; 3] = ["error", "column", "because"];

fn is_object(schema: &Value) -> bool {
    schema["properties"].is_object()
}

#[cfg(test)]
mod tests {
    use setrograde::QUESTIONS;

    use super::{all, description, python, typescript, typescript_of_page};

    /// The descriptions are comments of TypeScript and texts of OpenAPI.
    #[test]
    fn every_name_has_a_description() {
        for (title, schema) in all("/$defs") {
            for (name, of) in schema["properties"].as_object().into_iter().flatten() {
                assert!(description(of).is_some(), "{title}: {name}");
            }
        }
    }

    #[test]
    fn every_question_and_answer_has_a_type() {
        let (desk, page, python) = (typescript(), typescript_of_page(), python());
        for name in QUESTIONS {
            assert!(desk.contains(&format!("  ask: {name:?};\n")), "{name}");
            assert!(
                desk.contains(&format!("\n  {name}: AnswerFrame & ")),
                "{name}"
            );
            assert!(
                python.contains(&format!("(ask: Literal[{name:?}], ")),
                "{name}"
            );
        }
        for name in setrograde_page::questions("/$defs").keys() {
            let is_own = name.starts_with(char::is_lowercase) && !QUESTIONS.contains(&&**name);
            assert_eq!(
                page.contains(&format!("    ask: {name:?};\n")),
                is_own,
                "{name}"
            );
        }
    }
}
