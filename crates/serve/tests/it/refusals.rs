//! What is wrong with a request or an option is said.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::{JSON, Server, program};

#[test]
fn what_is_wrong_with_a_request_is_said() {
    let server = Server::new(&["--size", "1K"]);
    let mut client = server.connect();
    for refusal in REFUSALS.trim().lines() {
        let (request, error) = refusal.split_once(" => ").expect(refusal);
        let mut words = request.splitn(4, ' ');
        let [status, method, target] = [(); 3].map(|()| words.next().expect(refusal));
        let file = words.next().unwrap_or_default().replace("\\n", "\n");
        let answer = client.ask(method, target, file.as_bytes());
        answer.is_refused(status.parse().expect(refusal), error);
    }
    let long = client.ask("POST", "/table", &[b'x'; 2000]);
    assert_eq!(long.status, 413, "{}", long.body);
    let mut elsewhere = server.connect();
    elsewhere.write("GET /health HTTP/1.1\r\nHost: example.com\r\n\r\n");
    assert_eq!(elsewhere.receive().status, 403);
}

/// Statuses and requests with their files, and parts of the errors. The name of a file is not read.
const REFUSALS: &str = r#"
404 GET /nothing => /openapi.json lists
422 POST /suit => the file is empty
405 PUT /table => expected GET
405 DELETE /health => expected GET
422 POST /table => the file is empty
400 GET /table => `question` is missing
400 GET /table?question=x&question=y => question: expected a text
400 GET /table?question=x&db=elsewhere => table has no option `db`; it has none
400 GET /odds?question=x&by-split => odds has no option `by-split`; it has if, rules, all, by_split
400 GET /table?question=x&board=3 => board and question: expected one of them
400 GET /table?ask=par&question=x => ask: expected "table"
400 GET /solve?question=x&all=maybe => all: expected true or false, found "maybe"
400 GET /solve?question=x&all&one => expected one of them
400 GET /solve?question=x&tricks=3 => tricks
400 GET /suit?north=A&south=K&vacant=3 => vacant: expected a list of 2, found 1
400 GET /suit?north=A&south=K&vacant=3&vacant=99 => vacant: expected a whole number from 0 to 13, found 99
422 GET /suit?north=A&south=A => A
400 GET /odds?question=x&draw=many => draw: expected a whole number from 0 to 4294967295, found "many"
400 GET /odds?question=x&until=1 => until: 1; expected a share below one half, as 0.01
400 GET /odds?question=x&until=nan => until: expected a number, found "nan"
400 GET /odds?draw=4294967295&question=NT+S+N:AQ...+?+32...+?+out=KJT9... => draw: 4294967295; at most 1000000
400 GET /odds?question=x&draw=99999999999999999999999999 => draw: expected a whole number
400 GET /odds?question=x&rules=x => rules: expected one of none, mu, fitted, found "x"
422 GET /table?question=Cargo.toml => does not begin a deal
422 GET /table?question=- => does not begin a deal
422 GET /claim?question=check => is not a strain
400 GET /claim?question=NT+S+N:AQ...+?+32...+?+out=KJT9...&if=nonsense => if: column
422 POST /deal?count=1 => the file is empty
400 POST /suit?north=A&south=K x => suit takes no file
400 POST /table?question=x x => question
400 POST /table?nothing=x x => table has no option `nothing`
422 POST /table x\ny\n => none of the 2 questions has an answer; the first: line 1
422 POST /table # no\n => no board and no question found
400 POST /odds?draw=1000001 NT S N:AQ... ? 32... ? out=KJT9...\n => draw: 1000001; at most 1000000
"#;

/// Values of options that questions must have.
fn needed(option: &str) -> Value {
    match option {
        "north" => json!("AQ"),
        "south" => json!("2"),
        "contract" => json!("3NT"),
        "contracts" => json!(["3NT", "4S"]),
        "layouts" => json!("N:A... K... Q... J..."),
        "boards" => json!("N:A... K... Q... J..."),
        "by" => json!("S"),
        "line" => json!("rest"),
        "tricks" => json!(1),
        other => panic!("{other}: a value is needed here"),
    }
}

/// On every path, and for every question of `/ask`: 400 if the request is wrong, and 422 if its
/// question is. The error of a wrong option names it.
#[test]
fn wrong_requests_and_wrong_questions_differ_in_the_status() {
    let server = Server::new(&[]);
    let mut client = server.connect();
    let document = server.document();
    let mut checked = 0;
    let mut refused = |path: &str, body: &Value, status: u16, named: &str| {
        let answer = client.ask_with("POST", path, JSON, body.to_string().as_bytes());
        answer.is_refused(status, named);
        checked += 1;
    };
    // The names of a question with the required ones.
    let mut questions: Vec<(String, Value, Vec<String>, Vec<String>)> = Vec::new();
    let schemas = document["components"]["schemas"].as_object();
    for (name, schema) in schemas.expect("schemas") {
        let Some(name) = name.strip_suffix("_question") else {
            continue;
        };
        let names = schema["properties"].as_object().expect("names");
        let names = names.keys().filter(|name| *name != "ask").cloned();
        let required = schema["required"].as_array().expect("a list");
        let required = required.iter().filter_map(Value::as_str);
        let required = required.filter(|name| *name != "ask").map(str::to_owned);
        questions.push((
            "/ask".to_owned(),
            json!({"ask": name}),
            names.collect(),
            required.collect(),
        ));
    }
    assert!(questions.len() > 15, "{}", questions.len());
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let parameters = methods["get"]["parameters"].as_array();
        let name = |of: &&Value| of["name"].as_str().expect("a name").to_owned();
        let all: Vec<&Value> = parameters.into_iter().flatten().collect();
        let names: Vec<String> = all.iter().map(name).collect();
        let required = all.iter().filter(|of| of["required"] == true).map(name);
        let required: Vec<String> = required.collect();
        if !names.is_empty() {
            questions.push((path.clone(), json!({}), names, required));
        }
    }
    for (path, mut right, names, required) in questions {
        let takes_question = names.iter().any(|name| name == "question");
        for name in required.iter().filter(|name| *name != "question") {
            right[name] = needed(name);
        }
        if takes_question {
            right["question"] = "x".into();
            refused(&path, &right, 422, "");
        }
        for name in &names {
            let mut wrong = right.clone();
            wrong[name] = json!([[]]);
            refused(&path, &wrong, 400, name);
        }
        let mut wrong = right.clone();
        wrong["nothing"] = 1.into();
        refused(&path, &wrong, 400, "`nothing`");
        if names.iter().any(|name| name == "if") {
            let mut wrong = right.clone();
            wrong["if"] = "nonsense".into();
            let said = "column 1: \"nonsense\" is not a condition";
            refused(&path, &wrong, 400, said);
        }
        let question = takes_question.then_some("question");
        let required = required.iter().map(String::as_str);
        let required: BTreeSet<&str> = required.chain(question).collect();
        for name in required {
            let mut wrong = right.clone();
            wrong.as_object_mut().expect("an object").remove(name);
            refused(&path, &wrong, 400, &format!("`{name}` is missing"));
        }
        if path != "/ask" {
            refused(&path, &json!([]), 400, "an object");
        }
    }
    assert!(checked > 200, "{checked}");
}

/// Long values and many names cost little, and are not repeated.
#[test]
fn refusals_are_short() {
    let server = Server::new(&[]);
    let names: Vec<String> = (0..95_000).map(|n| format!("\"{n:x}\":1")).collect();
    let long = "--draw <".repeat(100_000);
    for body in [
        format!("{{{}}}", names.join(",")),
        json!({"question": "x", "draw": &long}).to_string(),
        json!({"question": "x", "rules": &long}).to_string(),
        json!({"question": "x", &long: 1}).to_string(),
    ] {
        for path in ["/odds", "/ask"] {
            let begun = Instant::now();
            let answer = server.connect().ask("POST", path, body.as_bytes());
            let answered = &answer.body[..answer.body.len().min(200)];
            assert_eq!(answer.status, 400, "{path} {answered}");
            assert!(answer.body.len() < 1000, "{answered}");
            assert!(begun.elapsed() < Duration::from_secs(3), "{path}");
        }
    }
}

#[test]
fn wrong_values_of_options_are_refused_at_the_start() {
    for (option, value, expected) in [
        ("--time", "0.5", "expected a whole number from 1 to"),
        ("--size", "2G", "expected a size such as 64M"),
        ("--size", "5", "expected a size such as 64M"),
        ("--host", "https://a", "expected the name of a host"),
        ("--at-once", "x", "expected a whole number from 1 to 1024"),
        ("--port", "x", "expected a whole number from 0 to 65535"),
        ("--allow-origin", "https://*.example", "names one site"),
        (
            "--listen",
            "localhost:80",
            "expected an IP address and a port",
        ),
    ] {
        let errors = refused(&[option, value]);
        assert!(errors.contains(expected), "{option} {value}: {errors}");
    }
}

/// What the program says of arguments that it refuses. It ends even if it takes them.
fn refused(arguments: &[&str]) -> String {
    let mut command = program(env!("CARGO_BIN_EXE_setrograde-serve"));
    let output = command
        .args(["--db", "/nonexistent"])
        .args(arguments)
        .output();
    let output = output.expect("it starts");
    let errors = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
    errors
}

/// An argument that is refused is repeated, and may hold what acts on a terminal.
#[test]
fn refused_arguments_do_not_act_on_a_terminal() {
    let error = refused(&["x\u{9b}31m\u{202e}"]);
    assert!(error.contains(r"x\u{9b}31m\u{202e}"), "{error}");
    assert!(!error.contains(['\u{9b}', '\u{202e}']), "{error}");
}
