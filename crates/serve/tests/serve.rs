//! The server: its answers are those of the desk, with any behaviour of clients.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use setrograde::{DESK, Desk, JsonQuestion};
use setrograde::cards::Deal;

/// A program without a database of the user's.
fn program(path: impl AsRef<Path>) -> Command {
    let mut command = Command::new(path.as_ref());
    command
        .env_remove("SETROGRADE_DB")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env("LOCALAPPDATA", r"C:\nonexistent");
    command
}

/// A desk like those of the server.
fn desk() -> Desk {
    Desk::new(Some(setrograde::lookup::Database::builtin()))
}

/// Sends a signal to a process.
#[cfg(unix)]
fn signal(name: &str, process: u32) {
    let mut kill = Command::new("kill");
    let kill = kill.args([name, &process.to_string()]).status();
    assert!(kill.expect("kill starts").success());
}

/// A server that is ended with the test.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn new(options: &[&str]) -> Server {
        let (server, mut errors) = Server::start(options);
        // Nobody waits for the rest.
        thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        server
    }

    /// A server, and what it says after its first line.
    fn start(options: &[&str]) -> (Server, BufReader<ChildStderr>) {
        let mut process = program(env!("CARGO_BIN_EXE_setrograde-serve"))
            .args(["--port", "0"])
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let errors = process.stderr.take().expect("its errors");
        let mut errors = BufReader::with_capacity(1, errors);
        let mut line = String::new();
        errors.read_line(&mut line).expect("a line");
        let address = line.split(':').nth(3);
        let port = address.and_then(|rest| rest.split('/').next()?.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port: {line}"));
        (Server { process, port }, errors)
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let limit = Some(Duration::from_secs(120));
        stream.set_read_timeout(limit).expect("a limit");
        Client(BufReader::new(stream))
    }

    fn get(&self, target: &str) -> Answer {
        self.connect().ask("GET", target, b"")
    }

    /// The document that describes it.
    fn document(&self) -> Value {
        self.get("/openapi.json").json()
    }

    /// Waits until it has ended, as it should after a signal.
    #[cfg(unix)]
    fn has_ended(mut self) {
        assert_eq!(self.process.wait().expect("it ends").code(), Some(0));
    }

    /// The value of a gauge.
    fn gauge(&self, name: &str) -> u64 {
        let text = self.get("/metrics").body;
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.trim().parse().ok()).expect(name)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection that is kept.
struct Client(BufReader<TcpStream>);

#[derive(Debug)]
struct Answer {
    status: u16,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }

    /// Checks the status, and the error of the object.
    #[track_caller]
    fn is_refused(&self, status: u16, error: &str) {
        assert_eq!(self.status, status, "{error}: {}", self.body);
        let object = self.json();
        let said = object["error"].as_str().unwrap_or_default();
        assert!(said.contains(error), "{error}: {}", self.body);
        assert_eq!(object["version"], 1);
    }
}

/// The headers of a form and of an object.
const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";
const JSON: &str = "Content-Type: application/json\r\n";

impl Client {
    fn send(&mut self, method: &str, target: &str, body: &[u8]) {
        self.send_with(method, target, "", body);
    }

    fn send_with(&mut self, method: &str, target: &str, headers: &str, body: &[u8]) {
        let length = body.len();
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}Content-Length: {length}\r\n\r\n"
        );
        self.write(&[head.as_bytes(), body].concat());
    }

    fn write(&mut self, bytes: impl AsRef<[u8]>) {
        self.0
            .get_mut()
            .write_all(bytes.as_ref())
            .expect("it reads");
    }

    /// Returns true if some of an answer is there.
    fn has_answer(&self) -> bool {
        let stream = self.0.get_ref();
        stream.set_nonblocking(true).expect("it is open");
        let found = stream.peek(&mut [0]).is_ok();
        stream.set_nonblocking(false).expect("it is open");
        found
    }

    fn receive(&mut self) -> Answer {
        let (mut status, mut length) = (0, 0);
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).expect("a head");
            match line.trim_end().split_once(' ') {
                Some(("HTTP/1.1", rest)) => status = rest[..3].parse().expect("a status"),
                Some(("content-length:", text)) => length = text.parse().expect("a length"),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).expect("a body");
        let body = String::from_utf8(body).expect("text");
        Answer { status, body }
    }

    fn ask(&mut self, method: &str, target: &str, body: &[u8]) -> Answer {
        self.send(method, target, body);
        self.receive()
    }

    fn ask_with(&mut self, method: &str, target: &str, headers: &str, body: &[u8]) -> Answer {
        self.send_with(method, target, headers, body);
        self.receive()
    }
}

/// A text as a value in a query.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:,".contains(&byte);
    let byte = |byte: u8| {
        if plain(byte) {
            (byte as char).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    text.bytes().map(byte).collect()
}

const TABLE: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
/// A question that takes no time.
const SMALL: &str = "/solve?question=NT+W+N:A...+K...+Q...+J...";
const HIDDEN: &str = "NT S N:AQ... ? 32... ? out=KJT9...";

/// A question: its name, its query, and its options in JSON.
type Requested = (&'static str, String, Value);

#[rustfmt::skip]
fn requests() -> Vec<Requested> {
    let position = "NT S N:AQ... K3... 5... 76... played=S4";
    let whole = "NT S N:AQ... 76... 54... K3...";
    let layouts = ["N:AQ... KJ... 32... T9...", "N:AQ... T9... 32... KJ..."];
    let (one, other) = ("AQ2.KJ3.A54.K432", "KJ87.Q4.KQ2.A875");
    let lesson = "N:AKQ2.AKQ.AKQ.432 JT9.JT98.765.JT9 543.432.432.AKQ5 876.765.JT98.876";
    let hidden = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?";
    let board = "[Deal \"N:AQ... 76... 54... K3...\"]\n[Contract \"1NT\"]\n[Declarer \"W\"]\n";
    let asked = [
        ("table", "", json!({"question": TABLE})),
        ("solve", "", json!({"question": position})),
        ("solve", "all", json!({"question": position, "all": true})),
        ("solve", "one=true&best=false&tricks=1", json!({"question": position, "one": true, "best": false, "tricks": 1})),
        ("solve", "text=true", json!({"question": whole, "text": true})),
        ("solve", "", json!({"board": board})),
        ("par", "vulnerable=NS", json!({"question": TABLE, "vulnerable": "NS"})),
        ("position", "", json!({"question": position})),
        ("analyse", "", json!({"question": "NT N N:AQ... K3... 54... 76... SA S3 S4 S6"})),
        ("results", "", json!({"boards": board})),
        ("lesson", "draw=10", json!({"question": lesson, "draw": 10})),
        ("query", "count=", json!({"question": whole, "count": true})),
        ("matter", "", json!({"question": whole})),
        ("claim", "tricks=2&assume", json!({"question": HIDDEN, "tricks": 2, "assume": true})),
        ("claim", "tricks=all", json!({"question": HIDDEN, "tricks": "all"})),
        ("claim", "tricks=1&explain&if=W%2BSK&if=E%2BSJ", json!({"question": HIDDEN, "tricks": 1, "explain": true, "if": ["W+SK", "E+SJ"]})),
        ("line", "", json!({"question": "NT S N:AQ... ? 32... ? out=KJT9..."})),
        ("adjudicate", "by=N", json!({"question": whole, "by": "N"})),
        ("odds", "all&by_split", json!({"question": HIDDEN, "all": true, "by_split": true})),
        ("odds", "until=0.3&seed=18446744073709551615", json!({"question": hidden, "until": 0.3, "seed": u64::MAX})),
        ("odds", "draw=3&if=E.hcp%3E=5&rules=mu", json!({"question": hidden, "draw": 3, "if": "E.hcp>=5", "rules": "mu"})),
        ("leads", "contract=3NT&draw=3", json!({"question": one, "contract": "3NT", "draw": 3})),
        ("compare", "contracts=3NT&contracts=4S&draw=2", json!({"question": format!("{one} {other}"), "contracts": ["3NT", "4S"], "draw": 2})),
        ("single_dummy", "limit=1000000", json!({"question": HIDDEN, "limit": 1_000_000})),
        ("best_line", "layouts=N:AQ...+KJ...+32...+T9...&layouts=N:AQ...+T9...+32...+KJ...&weights=1&weights=0.5", json!({"question": HIDDEN, "layouts": layouts, "weights": [1, 0.5]})),
        ("layouts", "draw=2", json!({"question": HIDDEN, "draw": 2})),
        ("deal", "count=2&if=N.balanced", json!({"count": 2, "if": "N.balanced"})),
        ("suit", "north=AJT98&south=432&vacant=10&vacant=13", json!({"north": "AJT98", "south": "432", "vacant": [10, 13]})),
        ("suit", "north=432&south=AJ&entries=&entries=2", json!({"north": "432", "south": "AJ", "entries": [null, 2]})),
        ("suit", "north=432&south=AJ&entries=null&entries=2&tricks=", json!({"north": "432", "south": "AJ", "entries": [null, 2], "tricks": null})),
    ];
    let with_subject = asked.map(|(name, query, object)| {
        let subjects = ["question", "board", "boards"].into_iter();
        let subjects = subjects.filter_map(|name| Some(format!("{name}={}", encoded(object[name].as_str()?))));
        let query: Vec<String> = subjects.chain([query.to_owned()]).filter(|part| !part.is_empty()).collect();
        (name, query.join("&"), object)
    });
    with_subject.into()
}

/// Questions of all kinds have the answers of the desk: as a query, a form and an object.
#[test]
fn answers_are_those_of_the_desk() {
    let server = Server::new(&[]);
    for entry in DESK {
        let (target, object) = (format!("/{}", entry.name), entry.example.json);
        let mut asked: Value = serde_json::from_str(object).expect("JSON");
        asked["ask"] = entry.name.into();
        let expected = answer_of_the_desk(&asked);
        let answer = server.connect().ask("POST", &target, object.as_bytes());
        assert_eq!((answer.status, answer.body), (200, expected), "{asked}");
    }
    for (name, query, object) in requests() {
        let mut asked = object.clone();
        asked["ask"] = name.into();
        let expected = answer_of_the_desk(&asked);
        let (get, post) = (format!("/{name}?{query}"), format!("/{name}"));
        let (own, any) = (object.to_string(), asked.to_string());
        for (method, target, headers, body) in [
            ("GET", &*get, "", ""),
            ("POST", &post, "", &own),
            ("POST", "/ask", "", &any),
            ("POST", &post, FORM, &query),
        ] {
            let mut client = server.connect();
            let answer = client.ask_with(method, target, headers, body.as_bytes());
            let found = (answer.status, answer.body);
            assert_eq!(found, (200, expected.clone()), "{method} {target} {body}");
        }
    }
}

/// What the desk answers, which is no error.
fn answer_of_the_desk(asked: &Value) -> String {
    let answer = desk().ask(&asked.to_string()) + "\n";
    assert!(!answer.contains("\"error\""), "{asked}: {answer}");
    answer
}

/// A file has an answer for each of its questions: an object per line, or a list.
#[test]
fn answers_to_files_are_those_of_the_desk() {
    let server = Server::new(&[]);
    let evening = include_str!("../../../data/samples/evening.pbn");
    let matches = include_str!("../../../data/samples/match.lin");
    let lines = "# two\nNT S N:AQ... ? 32... ? out=KJT9...\nnothing\n";
    for (name, query, file) in [
        ("table", "", evening),
        ("par", "vulnerable=NS&text=true", evening),
        ("analyse", "", matches),
        ("claim", "", matches),
        ("odds", "all", lines),
    ] {
        let mut expected = Vec::new();
        let pairs = form_urlencoded::parse(query.as_bytes()).into_owned();
        let question = JsonQuestion::flat(pairs).of_kind(name).expect("a question");
        let each = &mut |reply: setrograde::JsonReply| {
            expected.push(reply.object);
            ControlFlow::Continue(())
        };
        let mut desk = desk();
        let replied = desk.reply_to_each(question, &mut file.as_bytes(), each);
        replied.expect("answers");
        assert!(expected.len() > 1);
        let target = format!("/{name}?{query}");
        let list = format!("[{}]\n", expected.join(","));
        for (headers, expected) in [
            ("", &(expected.join("\n") + "\n")),
            ("Accept: application/json\r\n", &list),
            ("Content-Type: application/octet-stream\r\n", &list),
        ] {
            let mut client = server.connect();
            let answer = client.ask_with("POST", &target, headers, file.as_bytes());
            assert_eq!(answer.status, 200, "{name}");
            assert_eq!(answer.body, *expected, "{name} {headers}");
        }
    }
}

/// A desk keeps its tables: the same question costs less the second time.
#[test]
fn a_desk_remembers_its_searches() {
    let server = Server::new(&["--at-once", "1", "--db", "none"]);
    let target = format!("/table?question={}", encoded(TABLE));
    let spent = || -> f64 {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", server.process.id()));
        let Ok(text) = text else { return 0.0 };
        let fields = text.rsplit(") ").next().unwrap_or_default();
        let ticks = fields.split(' ').skip(11).take(2);
        ticks
            .map(|ticks| ticks.parse::<f64>().expect("a number"))
            .sum()
    };
    let timed = || {
        let before = spent();
        assert_eq!(server.get(&target).status, 200);
        spent() - before
    };
    let (first, second) = (timed(), timed());
    assert!(second <= first / 5.0, "{first} and {second} ticks");
}

/// Checks that a value conforms to a schema, without undeclared names.
fn check(value: &Value, schema: &Value, document: &Value) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{what}: {value} is not {schema}"));
    let right = |right: bool, what: &str| if right { Ok(()) } else { wrong(what) };
    if let Some(name) = schema["$ref"].as_str() {
        let target = document.pointer(&name[1..]);
        return check(value, target.ok_or(format!("no {name}"))?, document);
    }
    if let Some(any) = schema["anyOf"].as_array().or(schema["oneOf"].as_array()) {
        let mut any = any.iter().map(|schema| check(value, schema, document));
        return right(any.any(|found| found.is_ok()), "none of these");
    }
    if let Some(all) = schema["enum"].as_array() {
        return right(all.contains(value), "another value");
    }
    if let Some(only) = schema.get("const") {
        return right(only == value, "another value");
    }
    let is = |kind: &Value| match kind.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{other}"),
    };
    let kinds = &schema["type"];
    let is_any = |kinds: &Vec<Value>| kinds.iter().any(is);
    right(
        kinds.as_array().map_or_else(|| is(kinds), is_any),
        "another type",
    )?;
    let elements = schema["prefixItems"].as_array();
    for (index, element) in value.as_array().into_iter().flatten().enumerate() {
        let first = elements.and_then(|elements| elements.get(index));
        check(element, first.unwrap_or(&schema["items"]), document)?;
    }
    let Some(object) = value.as_object() else {
        return Ok(());
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        let is_there = object.contains_key(name.as_str().expect("a name"));
        right(is_there, &format!("no {name}"))?;
    }
    for (name, value) in object {
        let own = schema["properties"].get(name);
        match own.unwrap_or(&schema["additionalProperties"]) {
            Value::Bool(true) => {}
            Value::Null => return wrong(&format!("it does not know {name}")),
            schema => check(value, schema, document)?,
        }
    }
    Ok(())
}

#[test]
fn the_document_describes_the_answers() {
    let server = Server::new(&["--time", "300"]);
    let mut client = server.connect();
    let document = server.document();
    let of = |name: &str, method: &str, status: u16, kind: &str| {
        let operation = &document["paths"][format!("/{name}")][method];
        let kinds = &operation["responses"][status.to_string()]["content"];
        let schema = &kinds[kind]["schema"];
        assert!(schema.is_object(), "{name} {method} {status} {kind}");
        schema.clone()
    };
    let object = "application/json";
    let mut checked = 0;
    let mut right = |text: &str, schema: &Value| {
        for line in text.lines() {
            let value = serde_json::from_str(line).expect("JSON");
            check(&value, schema, &document).unwrap_or_else(|error| panic!("{error}"));
            checked += 1;
        }
    };
    for (name, query, _) in requests() {
        let answer = client.ask("GET", &format!("/{name}?{query}"), b"");
        right(&answer.body, &of(name, "get", answer.status, object));
        let parameters = document["paths"][format!("/{name}")]["get"]["parameters"].as_array();
        assert!(parameters.is_some_and(|all| all.len() > 1), "{name}");
    }
    for file in ["evening.pbn", "match.lin"] {
        let path = format!("{}/../../data/samples/{file}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).expect("a file");
        let names = "table solve par analyse lesson?draw=2 query claim";
        for target in names.split(' ') {
            let name = target.split('?').next().expect("a name");
            // The database has none of these deals; one of the first file was passed out.
            let status = match (file, name) {
                ("match.lin", "query") => 422,
                _ => 200,
            };
            // A list has the same objects.
            let forms = [
                ("", "application/x-ndjson"),
                ("Accept: application/json\r\n", object),
            ];
            let forms = &forms[..if name == "claim" { 2 } else { 1 }];
            for &(headers, kind) in forms {
                let kind = if status == 200 { kind } else { object };
                let answer = client.ask_with("POST", &format!("/{target}"), headers, &bytes);
                assert_eq!(answer.status, status, "{file} {target}: {}", answer.body);
                right(&answer.body, &of(name, "post", status, kind));
            }
        }
    }
    for target in ["table?question=x", "odds?question=x", "solve"] {
        let answer = client.ask("GET", &format!("/{target}"), b"");
        let name = target.split('?').next().expect("a name");
        right(&answer.body, &of(name, "get", answer.status, object));
    }
    assert!(checked > 90, "{checked}");
}

#[test]
fn any_question_is_answered_in_json() {
    let server = Server::new(&[]);
    let mut client = server.connect();
    let mut ask = |question: &str| {
        let answer = client.ask("POST", "/ask", question.as_bytes());
        (answer.status, answer.json())
    };
    let ending = "NT S N:AQ... 76... 54... K3...";
    let solve = json!({"ask": "solve", "question": ending}).to_string();
    let (status, answer) = ask(&solve);
    assert_eq!((status, &answer["tricks"]), (200, &json!(2)), "{answer}");
    let leads = r#"{"ask": "leads", "contract": "3NT", "question": "K2.QJT94.873.A62", "draw": 5}"#;
    let (status, answer) = ask(leads);
    assert_eq!(status, 200, "{answer}");
    assert_eq!(answer["contract"], "3NT", "{answer}");
    let (status, answers) = ask(&format!("[{solve}, {leads}, 3]"));
    assert_eq!(status, 200);
    assert_eq!(answers[0]["tricks"], 2);
    assert!(answers[2]["error"].is_string(), "{answers}");
    let refusals = r#"
3 => an object
{ => not JSON
{"ask": "deal", "count": 20000} => at most 10000
{"ask": "table", "ask": "par", "question": "x"} => `ask` is given twice
{"ask": "leads", "contract": "3NT", "question": "K2.QJT94.873.A62", "draw": 4294967295} => draw: 4294967295; at most 1000000
{"ask": "odds", "question": "NT S N:AQ4... ? 532... ? out=KJT987...", "draw": 1000001} => draw: 1000001; at most 1000000
{"ask": "compare", "contracts": "3NT,4S", "question": "AQ2.KJ3.A54.K432 KJ87.Q4.KQ2.A875", "draw": 1000001} => draw: 1000001; at most 1000000
{"ask": "lesson", "question": "N:AKQ2.AKQ.AKQ.432 JT9.JT98.765.JT9 543.432.432.AKQ5 876.765.JT98.876", "draw": 1000001} => draw: 1000001; at most 1000000"#;
    for refusal in refusals.trim().lines() {
        let (question, said) = refusal.split_once(" => ").expect(refusal);
        let answer = client.ask("POST", "/ask", question.as_bytes());
        answer.is_refused(400, said);
    }
    for method in ["GET", "HEAD", "PUT"] {
        client.send(method, "/ask", b"");
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            client.0.read_line(&mut head).expect("a head");
        }
        let head = head.to_ascii_lowercase();
        assert!(head.starts_with("http/1.1 405"), "{method}: {head}");
        assert!(head.contains("allow: post, options\r\n"), "{head}");
        client = server.connect();
    }
}

/// Each status that a path answers is among those that the document lists for it.
#[test]
fn the_document_lists_each_status() {
    let server = Server::new(&["--size", "1K"]);
    let document = server.document();
    let mut seen = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        let operations = operations.as_object().expect("operations");
        let long = format!("?question={}", "x".repeat(65_480));
        let longer = format!("?question={}", "x".repeat(65_600));
        let header = format!("Host: localhost\r\nX: {}\r\n", "x".repeat(70_000));
        let (long, longer, header) = (long.as_str(), longer.as_str(), header.as_str());
        for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
            for (query, headers, body) in [
                ("", "Host: localhost\r\n", ""),
                ("", "", ""),
                ("", "Host: example.org\r\n", ""),
                ("", "Host: localhost\r\nOrigin: https://example.org\r\n", ""),
                ("", "Host: localhost\r\nContent-Type: image/png\r\n", "x"),
                ("", "Host: localhost\r\nContent-Encoding: gzip\r\n", "x"),
                ("", "Host: localhost\r\n", "not a deal\n"),
                ("", "Host: localhost\r\n", long),
                ("?question=x", "Host: localhost\r\n", ""),
                ("?nothing=x", "Host: localhost\r\n", ""),
                (long, "Host: localhost\r\n", ""),
                (longer, "Host: localhost\r\n", ""),
                ("", header, ""),
            ] {
                let length = body.len();
                let request = format!(
                    "{method} {path}{query} HTTP/1.1\r\n{headers}Connection: close\r\n\
                     Content-Length: {length}\r\n\r\n{body}"
                );
                let (head, _) = exchange(&server, request.as_bytes());
                let status = head.split(' ').nth(1).expect("a status");
                let operation = match method {
                    "HEAD" => "get".to_owned(),
                    _ => method.to_ascii_lowercase(),
                };
                let listed = |operation: &Value| operation["responses"][status].is_object();
                let is_listed = match operations.get(&operation) {
                    Some(operation) => listed(operation),
                    None if method == "OPTIONS" && status == "204" => true,
                    None => operations.values().all(listed),
                };
                assert!(is_listed, "{method} {path}: {status} is not listed");
                seen.insert(status.to_owned());
            }
        }
    }
    for status in "200 400 403 405 413 414 415 422 431".split(' ') {
        assert!(seen.contains(status), "{status} was never answered");
    }
}

/// Endings of three and four cards a hand, as lines.
fn endings(count: usize) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(9);
    let ending = |_| {
        let tricks = random.usize(3..=4);
        let deal = Deal::random_ending(tricks, |n| random.usize(..n));
        let strain = ["NT", "S", "H", "D", "C"][random.usize(..5)];
        let leader = ["N", "E", "S", "W"][random.usize(..4)];
        format!("{strain} {leader} {deal}")
    };
    (0..count).map(ending).collect()
}

#[test]
fn thousands_of_requests_from_64_connections_are_answered_right() {
    const ASKED: [(&str, &str); 4] = [
        ("solve", ""),
        ("solve", "&all"),
        ("query", "&count"),
        ("claim", ""),
    ];
    let endings = endings(2500);
    let hidden = |line: &String| {
        let words: Vec<&str> = line.split(' ').collect();
        let [strain, leader, north, east, south, west] = words[..] else {
            panic!("{line}");
        };
        let suits = east.split('.').zip(west.split('.'));
        let out: Vec<String> = suits.map(|(one, other)| format!("{one}{other}")).collect();
        format!(
            "{strain} {leader} {north} ? {south} ? out={}",
            out.join(".")
        )
    };
    let lines = |name: &str| -> Vec<String> {
        match name {
            "claim" => endings.iter().map(hidden).collect(),
            _ => endings.clone(),
        }
    };
    let mut expected: Vec<Vec<String>> = Vec::new();
    for (name, option) in ASKED {
        let mut desk = desk();
        let answers = lines(name).into_iter().map(|line| {
            let mut asked = json!({"ask": name, "question": line});
            if let Some(option) = option.strip_prefix('&') {
                asked[option] = true.into();
            }
            desk.ask(&asked.to_string()) + "\n"
        });
        expected.push(answers.collect());
    }
    let lines: Vec<Vec<String>> = ASKED.iter().map(|(name, _)| lines(name)).collect();
    let server = Server::new(&[]);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..64 {
            scope.spawn(|| {
                let mut client = server.connect();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let (kind, at) = (number % ASKED.len(), number / ASKED.len());
                    if at >= endings.len() {
                        break;
                    }
                    let (name, option) = ASKED[kind];
                    let line = &lines[kind][at];
                    let target = format!("/{name}?question={}{option}", encoded(line));
                    let answer = client.ask("GET", &target, b"");
                    assert_eq!(answer.body, expected[kind][at], "{name} {line}");
                }
            });
        }
    });
    assert!(next.into_inner() >= 10_000);
}

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

/// A question that takes hours.
const LONG: &str = "/odds?draw=1000000&question=NT+W+N:AK5.KJ42.Q73.A64+?+QJT92.A3.K64.852+?";

/// Waits until a condition holds.
fn wait_until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it never holds");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn long_work_ends_with_the_time_limit_or_its_client() {
    let server = Server::new(&["--at-once", "1", "--time", "3"]);
    let answer = server.get(LONG);
    assert_eq!(answer.status, 504, "{}", answer.body);
    wait_until(|| server.gauge("setrograde_working ") == 0);
    let mut leaving = server.connect();
    leaving.send("GET", LONG, b"");
    wait_until(|| server.gauge("setrograde_working ") == 1);
    let begun = Instant::now();
    drop(leaving);
    wait_until(|| server.gauge("setrograde_working ") == 0);
    let took = begun.elapsed();
    assert!(took < Duration::from_millis(2500), "the limit ended it");
    assert_eq!(server.get(SMALL).status, 200);
}

/// Work ends when its client leaves, although bytes that nothing reads follow the request.
#[test]
fn bytes_after_a_request_do_not_hide_that_its_client_left() {
    let server = Server::new(&["--at-once", "1", "--time", "60"]);
    let another = format!("GET {LONG} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    for stray in [
        b"x".to_vec(),
        b"\r\n\r\n".to_vec(),
        another.repeat(100).into_bytes(),
        vec![b'x'; 50_000],
    ] {
        for at_once in [true, false] {
            let mut leaving = server.connect();
            let mut sent = another.clone().into_bytes();
            if at_once {
                sent.extend(&stray);
            }
            leaving.write(&sent);
            wait_until(|| server.gauge("setrograde_working ") == 1);
            if !at_once {
                for part in stray.chunks(10_000) {
                    leaving.write(part);
                    thread::sleep(Duration::from_millis(20));
                }
            }
            let begun = Instant::now();
            drop(leaving);
            wait_until(|| server.gauge("setrograde_requests ") == 0);
            wait_until(|| server.gauge("setrograde_working ") == 0);
            // A busy machine may be late.
            let (took, bytes) = (begun.elapsed(), stray.len());
            assert!(took < Duration::from_secs(3), "{bytes} bytes: {took:?}");
        }
    }
    // Nor does it go on for a client that sends without end.
    let mut endless = server.connect();
    endless.send("GET", LONG, b"");
    let sent = endless.0.get_mut().write_all(&vec![b'x'; 20 << 20]);
    assert!(sent.is_err(), "all was read, or kept waiting");
    wait_until(|| server.gauge("setrograde_working ") == 0);
}

/// Requests that arrive while another of their connection is worked on have their turn.
#[test]
fn requests_in_a_row_are_answered_in_their_order() {
    let server = Server::new(&["--at-once", "1", "--time", "1"]);
    for at_once in [true, false] {
        let mut client = server.connect();
        client.send("GET", LONG, b"");
        for n in 0..40 {
            if !at_once && n % 10 == 0 {
                thread::sleep(Duration::from_millis(100));
            }
            client.send(["GET", "POST"][n % 2], "/health", &vec![b'x'; n % 2 * 1000]);
        }
        assert_eq!(client.receive().status, 504);
        for n in 0..40 {
            assert_eq!(client.receive().status, [200, 405][n % 2], "{n}");
        }
    }
}

/// Connections that each have a request under way.
fn all_ask(server: &Server, count: usize, target: &str) -> Vec<Client> {
    let connect = |_| {
        let mut client = server.connect();
        client.send("GET", target, b"");
        client
    };
    (0..count).map(connect).collect()
}

/// Connects from another address of this machine.
#[cfg(any(target_os = "linux", windows))]
fn connect_from(server: &Server, last: u8) -> Client {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .expect("a runtime");
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.bind(([127, 0, 0, last], 0).into()).expect("bound");
        let connected = socket.connect(([127, 0, 0, 1], server.port).into()).await;
        connected.expect("it listens").into_std().expect("a stream")
    });
    stream.set_nonblocking(false).expect("it blocks");
    let limit = Some(Duration::from_secs(60));
    stream.set_read_timeout(limit).expect("a limit");
    Client(BufReader::new(stream))
}

/// Idle connections make room for new ones, those of the address with most of them first.
#[cfg(any(target_os = "linux", windows))]
#[test]
fn no_address_takes_all_connections() {
    let server = Server::new(&[]);
    let prompt = |client: &mut Client| {
        let begun = Instant::now();
        assert_eq!(client.ask("GET", "/health", b"").status, 200);
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(4), "{took:?}");
    };
    let _idle = all_ask(&server, 256, "/health");
    thread::sleep(Duration::from_millis(1500));
    prompt(&mut server.connect());
    let _more = all_ask(&server, 50, "/health");
    let mut other = connect_from(&server, 2);
    prompt(&mut other);
    // Connections that the first address opens now are in the place of its own.
    let mut most: Vec<Client> = (0..300).map(|_| server.connect()).collect();
    for client in &mut most {
        let _ = client.0.get_mut().write_all(b"GET /hea");
    }
    thread::sleep(Duration::from_millis(300));
    prompt(&mut other);
    prompt(&mut connect_from(&server, 3));
    assert!(server.gauge("setrograde_connections ") <= 256);
}

/// Requests that wait make room for those of other addresses.
#[cfg(any(target_os = "linux", windows))]
#[test]
fn no_address_takes_all_places_to_wait() {
    let server = Server::new(&["--at-once", "1", "--time", "40"]);
    let mut greedy = all_ask(&server, 200, LONG);
    wait_until(|| server.gauge("setrograde_requests ") == 200);
    assert_eq!(server.get(SMALL).status, 503);
    let answer = connect_from(&server, 2).ask("GET", SMALL, b"");
    assert_eq!(answer.status, 200, "{}", answer.body);
    // One of the greedy client's left: the last that arrived.
    wait_until(|| greedy.iter().any(Client::has_answer));
    let left = greedy.iter_mut().find(|client| client.has_answer());
    assert_eq!(left.expect("one").receive().status, 503);
    let mut also: Vec<Client> = (0..150).map(|_| connect_from(&server, 2)).collect();
    for client in &mut also {
        client.send("GET", LONG, b"");
    }
    thread::sleep(Duration::from_secs(1));
    let answer = connect_from(&server, 3).ask("GET", SMALL, b"");
    assert_eq!(answer.status, 200, "{}", answer.body);
}

/// Requests that cost most: to GET, or with a body to POST. Parameters come from the document, so
/// that new questions are among them.
fn costly_requests(document: &Value) -> Vec<(String, Option<String>)> {
    let hidden = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?";
    let words = |name: &str| match name {
        "north" => vec!["KJ97"],
        "south" => vec!["53"],
        "contract" | "contracts" => vec!["3NT"; 3],
        "by" => vec!["S"; 3],
        "layouts" => vec!["N:AQ4... KJT... 532... 987..."; 3],
        _ => vec![hidden, "NT S N:AQ4... ? 532... ? out=KJT987...", TABLE],
    };
    let value = |name: &str, schema: &Value| match (name, schema["type"].as_str()) {
        ("if", _) => json!("E.losers=9,W.losers=4"),
        ("entries" | "vacant", _) => json!([9, 9]),
        ("until", _) => json!("0.0001"),
        _ if schema["maximum"].is_u64() => schema["maximum"].clone(),
        (_, Some("boolean")) => json!("true"),
        (_, Some("integer")) => json!("7"),
        _ => json!("all"),
    };
    let mut all = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        let parameters = methods["get"]["parameters"].as_array();
        let is_asked = |of: &&Value| of["required"] == true || of["name"] == "question";
        let (asked, options): (Vec<&Value>, Vec<&Value>) =
            (parameters.into_iter().flatten()).partition(is_asked);
        if path == "/ask" {
            let questions = costly_questions(document);
            all.extend(questions.map(|body| (path.clone(), Some(body))));
        }
        if asked.is_empty() {
            continue;
        }
        let name = |parameter: &Value| parameter["name"].as_str().expect("a name").to_owned();
        let ways = asked.iter().map(|word| words(&name(word)).len());
        for n in 0..ways.min().unwrap_or(0) {
            let word = |of: &&Value| (name(of), words(&name(of))[n].to_owned());
            let asked: Vec<(String, String)> = asked.iter().map(word).collect();
            let mut chosen: Vec<Vec<(String, String)>> = vec![Vec::new()];
            for option in &options {
                let values = match value(&name(option), &option["schema"]) {
                    Value::Array(all) => all,
                    one => vec![one],
                };
                let texts = values.iter().map(|value| {
                    let text = value.as_str().map(str::to_owned);
                    (name(option), text.unwrap_or_else(|| value.to_string()))
                });
                chosen.push(texts.collect());
            }
            let costly = ["all", "draw"].iter().filter_map(|costly| {
                let mut chosen = chosen.iter().flatten();
                chosen.find(|(name, _)| name == costly).cloned()
            });
            chosen.push(costly.collect());
            for options in chosen {
                let pairs = asked.iter().chain(&options);
                let query = pairs.map(|(name, value)| format!("{name}={}", encoded(value)));
                let query = query.collect::<Vec<_>>().join("&");
                all.push((format!("{path}?{query}"), None));
                // As a form.
                all.push((path.clone(), Some(query)));
            }
        }
        if methods["post"]["requestBody"]["content"]["application/octet-stream"].is_object() {
            for file in [
                deals(5_000, ""),
                deals(5_000, "NT N "),
                format!("{hidden}\n").repeat(5_000),
            ] {
                all.push((path.clone(), Some(file)));
            }
        }
    }
    all
}

/// Random deals as lines, each after some words.
fn deals(count: usize, before: &str) -> String {
    let mut random = fastrand::Rng::with_seed(3);
    let deal = |_| {
        let deal = Deal::random(|n| random.usize(..n));
        format!("{before}{deal}\n")
    };
    (0..count).map(deal).collect()
}

/// Any question in JSON, with the options that cost most.
fn costly_questions(document: &Value) -> impl Iterator<Item = String> + '_ {
    let schemas = document["components"]["schemas"].as_object();
    let names = schemas.into_iter().flat_map(Map::keys);
    let names = names.filter_map(|name| name.strip_suffix("_question"));
    names.map(str::to_owned).flat_map(|name| {
        let hidden = "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?";
        let asked = move |question: &str| json!({"ask": name, "question": question});
        [
            (TABLE, json!({})),
            (TABLE, json!({"draw": 1_000_000})),
            (hidden, json!({"draw": 1_000_000, "all": true})),
            (hidden, json!({"draw": 1_000_000})),
            (hidden, json!({"if": ["E.losers=9,W.losers=4"]})),
            (
                "AQ2.KJ3.A54.K432",
                json!({"contract": "3NT", "draw": 1_000_000}),
            ),
            (
                "AQ2.KJ3.A54.K432 KJ87.Q4.KQ2.A875",
                json!({"contracts": ["3NT"], "draw": 1_000_000}),
            ),
        ]
        .map(|(question, options)| {
            let mut body = asked(question);
            let options = options.as_object().cloned().unwrap_or_default();
            body.as_object_mut().expect("an object").extend(options);
            body.to_string()
        })
    })
}

/// Everything that may be asked, at its most expensive, is answered or refused in time, and leaves
/// no work behind. `lab/scripts/serve_limits.py` asks one by one, with narrower limits.
#[test]
fn all_work_ends_at_the_time_limit() {
    let server = Server::new(&["--at-once", "4", "--time", "1"]);
    let requests = costly_requests(&server.document());
    let questions = requests.iter().filter(|(path, _)| path == "/ask").count();
    assert!(questions > 100, "{questions}");
    let next = AtomicUsize::new(0);
    let longest = Mutex::new((Duration::ZERO, String::new()));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while let Some((target, body)) = requests.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let begun = Instant::now();
                    let mut client = server.connect();
                    let answer = match body {
                        None => client.ask("GET", target, b""),
                        Some(body) => {
                            let form = body.starts_with(|c: char| c.is_ascii_lowercase());
                            let headers = if form { FORM } else { "" };
                            client.ask_with("POST", target, headers, body.as_bytes())
                        }
                    };
                    let took = begun.elapsed();
                    let ended = matches!(answer.status, 200 | 400 | 413 | 422 | 504);
                    assert!(ended, "{target}: {answer:?}");
                    let mut longest = longest.lock().expect("no panic");
                    if took > longest.0 {
                        *longest = (took, target.clone());
                    }
                }
            });
        }
    });
    let answered = Instant::now();
    let (took, target) = longest.into_inner().expect("no panic");
    // A busy machine may be late, but not by minutes.
    assert!(took < Duration::from_secs(6), "{took:?}: {target}");
    wait_until(|| server.gauge("setrograde_working ") == 0);
    let took = answered.elapsed();
    assert!(took < Duration::from_secs(3), "some work did not end");
    assert_eq!(server.gauge("setrograde_stuck "), 0);
}

/// A client with many long requests does not hold up another's short one.
#[test]
fn short_questions_do_not_wait_for_long_ones() {
    let server = Server::new(&["--at-once", "1", "--time", "20"]);
    let file = deals(200, "");
    let mut greedy: Vec<Client> = (0..30).map(|_| server.connect()).collect();
    for (n, client) in greedy.iter_mut().enumerate() {
        match n % 2 {
            0 => client.send("POST", "/table", file.as_bytes()),
            _ => client.send("GET", LONG, b""),
        }
    }
    wait_until(|| server.gauge("setrograde_requests ") == 30);
    let begun = Instant::now();
    let answer = server.get(SMALL);
    assert_eq!(answer.status, 200, "{}", answer.body);
    // 30 take a minute and more.
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(8), "{took:?}");
}

/// Sends bytes, and returns the head and the body of the response.
fn exchange(server: &Server, bytes: &[u8]) -> (String, String) {
    let mut stream = server.connect().0.into_inner();
    // A server that refuses early closes while more is sent.
    let _ = stream.write_all(bytes);
    let mut text = Vec::new();
    let _ = stream.read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    (head.to_ascii_lowercase(), body.to_owned())
}

/// Sends a request with these headers, and returns the response, which has this status.
#[track_caller]
fn answers(server: &Server, start: &str, headers: &str, status: &str) -> (String, String) {
    let head = format!("{start} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
    let (head, body) = exchange(server, head.as_bytes());
    let begin = format!("http/1.1 {status}");
    assert!(head.starts_with(&begin), "{start} {headers}: {head} {body}");
    (head, body)
}

const HERE: &str = "Host: LocalHost\r\n";

#[test]
fn the_manners_of_http_are_kept() {
    let server = Server::new(&["--allow-origin", "https://friend.example"]);
    let ask = |start: &str, headers: &str, status: &str| {
        answers(&server, start, &format!("{HERE}{headers}"), status)
    };
    let get = format!("GET {SMALL}");
    // HEAD is GET without the body.
    let (head, body) = ask(&format!("HEAD {SMALL}"), "", "200");
    assert_eq!(body, "");
    assert!(head.contains("content-length: "), "{head}");
    assert!(!head.contains("content-length: 0"), "{head}");
    let (head, _) = ask(&format!("OPTIONS {SMALL}"), "", "204");
    assert!(head.contains("allow: get, head, post, options"), "{head}");
    // Other sites.
    for headers in [
        "Origin: https://evil.example\r\n",
        "Sec-Fetch-Site: cross-site\r\n",
    ] {
        let (_, body) = ask(&get, headers, "403");
        assert!(body.contains("--allow-origin"), "{body}");
    }
    let friend = "Origin: https://friend.example\r\nAccess-Control-Request-Method: POST\r\n";
    let origin = "access-control-allow-origin: https://friend.example";
    let methods = "access-control-allow-methods: get, head, post";
    let (head, _) = ask("OPTIONS /table", friend, "20");
    assert!(head.contains(origin) && head.contains(methods), "{head}");
    let (head, _) = ask(&get, friend, "200");
    assert!(head.contains(origin), "{head}");
    // Refused before it is sent.
    let begun = Instant::now();
    let expects = "Expect: 100-continue\r\nContent-Length: 100000000\r\n";
    let (_, body) = ask("POST /table", expects, "413");
    assert!(body.contains("--size"), "{body}");
    assert!(begun.elapsed() < Duration::from_secs(5));
    // Malformed requests, and heads that are too long.
    let long = format!("X: {}\r\n", "a".repeat(70_000));
    let many: String = (0..300).map(|n| format!("X-{n}: a\r\n")).collect();
    let target = format!("GET /table?question={}", "a".repeat(70_000));
    let two_lengths = "Content-Length: 1\r\nContent-Length: 2\r\n";
    for (start, headers, status) in [
        ("GET /health", "X: a\0b\r\n", "400"),
        ("GET /health", two_lengths, "400"),
        ("GET /health", "Host: localhost\r\n", "400"),
        ("GET /health", &long, "431"),
        ("GET /health", &many, "431"),
        (&target, "", "4"),
    ] {
        let (_, body) = ask(start, headers, status);
        let object: Value = serde_json::from_str(&body).expect(status);
        assert!(object["error"].is_string(), "{body}");
        assert_eq!(object["version"], 1, "{body}");
    }
    let (_, body) = answers(&server, "GET /health", "", "400");
    assert!(body.contains("Host"), "{body}");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn bodies_are_of_some_kinds_and_lengths() {
    let server = Server::new(&[]);
    let post = |kind: &str, body: &[u8]| {
        let length = body.len();
        let head = format!(
            "POST /table HTTP/1.1\r\n{HERE}Connection: close\r\n\
             Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
        );
        exchange(&server, &[head.as_bytes(), body].concat())
    };
    let object = json!({ "question": TABLE }).to_string();
    let (head, body) = post("application/json", object.as_bytes());
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(head.contains("application/json"), "{head}");
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    assert_eq!(answer["tricks"]["S"]["E"], 11);
    for (kind, body, status) in [
        ("application/json", &b"{\"question\": [[1]]}"[..], 400),
        ("application/json", b"{\"deal\": \"x\"}", 400),
        ("application/json", b"not JSON", 400),
        ("image/png", b"x", 415),
        ("text/plain", b"\x1f\x8b\x08\0", 415),
        ("text/plain", b"", 422),
        ("text/plain", b"nothing of sense\n", 422),
        ("text/plain", &[b'x'; 2_000_000], 413),
    ] {
        let (head, answer) = post(kind, body);
        let begin = format!("http/1.1 {status}");
        assert!(head.starts_with(&begin), "{kind}: {head} {answer}");
        assert!(answer.contains("\"error\":\""), "{kind}: {head} {answer}");
    }
    // Chunks.
    for (chunks, said) in [("5\r\nN:A..\r\nx", "malformed"), ("5\r\nN:", "ends early")] {
        let head = "POST /table HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
        let mut client = server.connect();
        client.write(format!("{head}{chunks}"));
        let stream = client.0.get_ref();
        stream.shutdown(Shutdown::Write).expect("half closed");
        client.receive().is_refused(400, said);
    }
}

/// A request as a browser sends it for an image of another site's page, or for a page whose own name leads
/// here, is refused.
#[test]
fn other_sites_pages_load_no_answers() {
    let server = Server::new(&["--host", "bridge.example"]);
    let question = "/suit?north=AQ&south=32";
    for (headers, expected) in [
        ("Host: rebind.example\r\n", ["403"; 4]),
        ("Host: bridge.example\r\n", ["200"; 4]),
        (
            "Host: Bridge.Example:80\r\nOrigin: https://bridge.example\r\n",
            ["200"; 4],
        ),
        ("Host: 10.0.0.7\r\n", ["403"; 4]),
        (
            "Host: localhost\r\nReferer: http://evil.example/x\r\n",
            ["200", "200", "403", "403"],
        ),
        (
            "Host: localhost\r\nReferer: http://localhost/\r\n",
            ["200"; 4],
        ),
        (
            "Host: localhost\r\nUser-Agent: Mozilla/5.0\r\n",
            ["200", "200", "200", "403"],
        ),
        (
            "Host: localhost\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n",
            ["403"; 4],
        ),
    ] {
        let targets = ["/", "/health", "/metrics", question];
        for (target, status) in targets.into_iter().zip(expected) {
            let (_, body) = answers(&server, &format!("GET {target}"), headers, status);
            assert_eq!(status == "403", body.contains("\"error\":"), "{body}");
        }
    }
}

/// Proxies differ in which of the two lengths they take.
#[test]
fn a_body_has_one_length() {
    let server = Server::new(&[]);
    let (length, chunked) = ("Content-Length: 5\r\n", "transfer-encoding: chunked\r\n");
    for (headers, status) in [
        (format!("{length}{chunked}"), "400"),
        (format!("{chunked}{length}"), "400"),
        (format!("{chunked}Content-length:0\r\n"), "400"),
        (chunked.to_owned(), "422"),
    ] {
        let smuggled = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n";
        let close = ["", "Connection: close\r\n"][usize::from(status == "422")];
        let request = format!(
            "POST /table HTTP/1.1\r\nHost: localhost\r\n{close}{headers}\r\n0\r\n\r\n{smuggled}"
        );
        let (head, body) = exchange(&server, request.as_bytes());
        let begin = format!("http/1.1 {status}");
        assert!(head.starts_with(&begin), "{headers}: {head}");
        assert!(!body.contains("HTTP/1.1"), "{headers}: two answers");
    }
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

/// Behind a proxy of this machine, clients are distinguished by the address that it names.
#[test]
fn clients_of_a_proxy_share_the_server() {
    let server = Server::new(&["--at-once", "1", "--time", "40"]);
    let send = |target: &str, client: &str| {
        let mut connection = server.connect();
        let forwarded = format!("X-Forwarded-For: {client}\r\n");
        connection.send_with("GET", target, &forwarded, b"");
        connection
    };
    let _greedy: Vec<Client> = (0..200)
        .map(|_| send(LONG, "10.1.1.1, 192.0.2.1"))
        .collect();
    wait_until(|| server.gauge("setrograde_requests ") == 200);
    assert_eq!(send(SMALL, "192.0.2.1").receive().status, 503);
    assert_eq!(send(SMALL, "192.0.2.2").receive().status, 200);
}

/// Nobody reads standard error, and its pipe is full.
#[cfg(unix)]
#[test]
fn lines_that_nobody_reads_hold_up_nothing() {
    let (server, mut errors) = Server::start(&["--log"]);
    let mut client = server.connect();
    let target = format!("/health?{}", "x".repeat(900));
    for _ in 0..2_000 {
        assert_eq!(client.ask("GET", &target, b"").status, 200);
    }
    let mut logged = String::new();
    errors.read_line(&mut logged).expect("a line");
    assert!(logged.starts_with("127.0.0.1 - - ["), "{logged}");
    assert!(logged.contains("\"GET /health?xxx"), "{logged}");
    signal("-TERM", server.process.id());
    server.has_ended();
}

/// A client that sends the start of a file.
fn uploading(server: &Server) -> Client {
    let mut client = server.connect();
    client.write("POST /table HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nN:");
    client
}

/// Clients that send slowly or not at all do not keep others from being answered, and lose their
/// connections.
#[test]
fn slow_clients_are_left() {
    let server = Server::new(&[]);
    let mut slow: Vec<Client> = (0..100).map(|_| server.connect()).collect();
    for client in &mut slow {
        client.write("GET /hea");
    }
    let mut half = uploading(&server);
    assert_eq!(server.get("/health").status, 200);
    assert_eq!(half.receive().status, 408);
    for client in &mut slow {
        assert_eq!(client.0.read(&mut [0; 100]).unwrap_or(0), 0, "it is closed");
    }
    wait_until(|| server.gauge("setrograde_connections ") <= 2);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_once_answers_are_sent() {
    let table = format!("/table?question={}", encoded(TABLE));
    for (target, status) in [(&*table, 200), (LONG, 503)] {
        let server = Server::new(&["--at-once", "1"]);
        let mut client = server.connect();
        client.send("GET", target, b"");
        thread::sleep(Duration::from_millis(30));
        signal("-TERM", server.process.id());
        let answer = client.receive();
        assert_eq!(answer.status, status, "{}", answer.body);
        server.has_ended();
    }
}

/// Requests that were sent before the signal are answered, even if nothing had accepted them.
#[cfg(unix)]
#[test]
fn a_signal_loses_no_request_that_waits_in_the_system() {
    let server = Server::new(&[]);
    signal("-STOP", server.process.id());
    let mut clients = all_ask(&server, 8, "/health");
    signal("-TERM", server.process.id());
    signal("-CONT", server.process.id());
    for client in &mut clients {
        assert_eq!(client.receive().status, 200);
    }
    server.has_ended();
}

/// A client whose file has not arrived hears that the server ends, too.
#[cfg(unix)]
#[test]
fn a_signal_ends_an_upload_with_its_reason() {
    let server = Server::new(&[]);
    let mut client = uploading(&server);
    thread::sleep(Duration::from_millis(200));
    signal("-TERM", server.process.id());
    let answer = client.receive();
    assert_eq!(answer.status, 503, "{}", answer.body);
    server.has_ended();
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
