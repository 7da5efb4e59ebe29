//! The server: its answers are the commands', whatever clients do.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::{feed, finish, setrograde};

/// A server that is ended with the test.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn new(options: &[&str]) -> Server {
        let mut process = setrograde()
            .args(["serve", "--port", "0"])
            .args(options)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut errors = BufReader::new(process.stderr.take().expect("its errors"));
        let mut line = String::new();
        errors.read_line(&mut line).expect("a line");
        // Nobody waits for the rest.
        thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        let port = line
            .split(':')
            .nth(3)
            .and_then(|rest| rest.split('/').next());
        let port = port.and_then(|port| port.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port: {line}"));
        Server { process, port }
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

struct Answer {
    status: u16,
    body: String,
}

impl Client {
    fn send(&mut self, method: &str, target: &str, body: &[u8]) {
        let length = body.len();
        let head = format!(
            "{method} {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n"
        );
        let stream = self.0.get_mut();
        stream
            .write_all(&[head.as_bytes(), body].concat())
            .expect("it reads");
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
}

/// A text as a value in a query.
fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:,".contains(&byte);
    let byte = |byte: u8| match plain(byte) {
        true => (byte as char).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}

const TABLE: &str = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
const HIDDEN: &str = "NT S N:AQ... ? 32... ? out=KJT9...";

/// An endpoint, a query, and the arguments that it means.
type Requested = (
    &'static str,
    Vec<(&'static str, &'static str)>,
    Vec<&'static str>,
);

#[rustfmt::skip]
fn requests() -> Vec<Requested> {
    let position = "NT S N:AQ... K3... 5... 76... played=S4";
    let lesson = "N:AKQ2.AKQ.AKQ.432 JT9.JT98.765.JT9 543.432.432.AKQ5 876.765.JT98.876";
    vec![
        ("table", vec![("question", TABLE)], vec![TABLE]),
        ("solve", vec![("question", position)], vec![position]),
        ("solve", vec![("all", ""), ("question", position)], vec!["--all", position]),
        ("solve", vec![("one", "true"), ("best", "false"), ("tricks", "1"), ("question", position)], vec!["--one", "--tricks=1", position]),
        ("solve", vec![("question", "NT S N:AQ... K3... 5... 76...")], vec!["NT S N:AQ... K3... 5... 76..."]),
        ("par", vec![("vulnerable", "NS"), ("question", TABLE)], vec!["--vulnerable=NS", TABLE]),
        ("analyse", vec![("question", "NT N N:AQ... K3... 54... 76... SA S3 S4 S6")], vec!["NT N N:AQ... K3... 54... 76... SA S3 S4 S6"]),
        ("lesson", vec![("draw", "10"), ("question", lesson)], vec!["--draw=10", lesson]),
        ("query", vec![("count", ""), ("question", "NT S N:AQ... 76... 54... K3...")], vec!["--count", "NT S N:AQ... 76... 54... K3..."]),
        ("claim", vec![("tricks", "2"), ("assume", ""), ("question", HIDDEN)], vec!["--tricks=2", "--assume", HIDDEN]),
        ("claim", vec![("tricks", "1"), ("explain", ""), ("if", "W+SK"), ("if", "E+SJ"), ("question", HIDDEN)], vec!["--tricks=1", "--explain", "--if=W+SK", "--if=E+SJ", HIDDEN]),
        ("odds", vec![("all", ""), ("by-split", ""), ("question", HIDDEN)], vec!["--all", "--by-split", HIDDEN]),
        ("odds", vec![("draw", "20"), ("question", "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?")], vec!["--draw=20", "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?"]),
        ("suit", vec![("north", "AJT98"), ("south", "432"), ("vacant", "10,13"), ("entries", "-,2")], vec!["--vacant", "10", "13", "--entries", "-", "2", "AJT98", "432"]),
    ]
}

#[test]
fn answers_are_those_of_the_commands() {
    let server = Server::new(&[]);
    let mut client = server.connect();
    for (name, query, arguments) in requests() {
        let query = query
            .iter()
            .map(|(name, value)| format!("{name}={}", encoded(value)));
        let target = format!("/{name}?{}", query.collect::<Vec<_>>().join("&"));
        let answer = client.ask("GET", &target, b"");
        let printed = finish(setrograde().args([name, "--json"]).args(arguments));
        assert_eq!(answer.body, printed.output, "{target}");
        let expected = if printed.status == Some(3) { 422 } else { 200 };
        assert_eq!(answer.status, expected, "{target}");
    }
    for (name, file) in [
        ("table", include_str!("../../data/samples/evening.pbn")),
        ("analyse", include_str!("../../data/samples/match.lin")),
        ("claim", include_str!("../../data/samples/match.lin")),
        (
            "odds",
            "# two\nNT S N:AQ... ? 32... ? out=KJT9...\nnothing\n",
        ),
        ("table", ""),
    ] {
        let answer = client.ask("POST", &format!("/{name}"), file.as_bytes());
        let printed = feed(setrograde().args([name, "--json", "-"]), file);
        assert_eq!(answer.body, printed.output, "{name}");
        assert_eq!(answer.status, 200, "{name}");
    }
}

/// Checks that a value is what a schema says, and has no name that it does not.
fn check(value: &Value, schema: &Value, document: &Value) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{what}: {value} is not {schema}"));
    if let Some(name) = schema["$ref"].as_str() {
        let target = document.pointer(&name[1..]);
        return check(value, target.ok_or(format!("no {name}"))?, document);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let right = any
            .iter()
            .any(|schema| check(value, schema, document).is_ok());
        return if right {
            Ok(())
        } else {
            wrong("none of these")
        };
    }
    if let Some(all) = schema["enum"].as_array() {
        return if all.contains(value) {
            Ok(())
        } else {
            wrong("another value")
        };
    }
    if let Some(only) = schema.get("const") {
        return if only == value {
            Ok(())
        } else {
            wrong("another value")
        };
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
    if !kinds
        .as_array()
        .map_or_else(|| is(kinds), |kinds| kinds.iter().any(is))
    {
        return wrong("another type");
    }
    for element in value.as_array().into_iter().flatten() {
        check(element, &schema["items"], document)?;
    }
    let Some(object) = value.as_object() else {
        return Ok(());
    };
    for name in schema["required"].as_array().into_iter().flatten() {
        if !object.contains_key(name.as_str().expect("a name")) {
            return wrong(&format!("no {name}"));
        }
    }
    for (name, value) in object {
        match (
            schema["properties"].get(name),
            &schema["additionalProperties"],
        ) {
            (Some(schema), _) => check(value, schema, document)?,
            (None, Value::Bool(true)) => {}
            (None, Value::Null) => return wrong(&format!("it does not know {name}")),
            (None, schema) => check(value, schema, document)?,
        }
    }
    Ok(())
}

#[test]
fn the_document_describes_the_answers() {
    let server = Server::new(&[]);
    let mut client = server.connect();
    let document = client.ask("GET", "/openapi.json", b"").body;
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let of = |name: &str, method: &str, status: u16, kind: &str| {
        let kinds = &document["paths"][format!("/{name}")][method]["responses"][status.to_string()]
            ["content"];
        let schema = &kinds[kind]["schema"];
        assert!(schema.is_object(), "{name} {method} {status} {kind}");
        schema.clone()
    };
    let mut checked = 0;
    let mut right = |text: &str, schema: &Value| {
        for line in text.lines() {
            let value = serde_json::from_str(line).expect("JSON");
            check(&value, schema, &document).unwrap_or_else(|error| panic!("{error}"));
            checked += 1;
        }
    };
    for (name, query, _) in requests() {
        let query = query
            .iter()
            .map(|(name, value)| format!("{name}={}", encoded(value)));
        let answer = client.ask(
            "GET",
            &format!("/{name}?{}", query.collect::<Vec<_>>().join("&")),
            b"",
        );
        right(
            &answer.body,
            &of(name, "get", answer.status, "application/json"),
        );
        let parameters = document["paths"][format!("/{name}")]["get"]["parameters"].as_array();
        assert!(parameters.is_some_and(|all| all.len() > 1), "{name}");
    }
    for file in ["evening.pbn", "match.lin"] {
        let path = format!("{}/data/samples/{file}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).expect("a file");
        for name in [
            "table",
            "solve",
            "par",
            "analyse",
            "lesson?draw=2",
            "query",
            "claim",
        ] {
            let answer = client.ask("POST", &format!("/{name}"), &bytes);
            let name = name.split('?').next().expect("a name");
            right(&answer.body, &of(name, "post", 200, "application/x-ndjson"));
        }
    }
    for target in ["/table?question=x", "/odds?question=x", "/solve"] {
        let answer = client.ask("GET", target, b"");
        let name = target[1..].split('?').next().expect("a name");
        right(
            &answer.body,
            &of(name, "get", answer.status, "application/json"),
        );
    }
    assert!(checked > 90, "{checked}");
}

/// Endings of three and four cards a hand, as lines.
fn endings(count: usize) -> Vec<String> {
    let mut random = fastrand::Rng::with_seed(9);
    let ending = |_| {
        let tricks = random.usize(3..=4);
        let deal = setrograde_cards::Deal::random(&mut random);
        let cards = deal.hands().map(|hand| hand.iter().collect::<Vec<_>>());
        let hands = cards.map(|mut cards| {
            random.shuffle(&mut cards);
            let hand: setrograde_cards::Hand = cards.into_iter().take(tricks).collect();
            hand.to_string()
        });
        let strain = ["NT", "S", "H", "D", "C"][random.usize(..5)];
        let leader = ["N", "E", "S", "W"][random.usize(..4)];
        format!("{strain} {leader} N:{}", hands.join(" "))
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
    let lines = |name: &str| -> Vec<String> {
        let hidden = |line: &String| {
            let words: Vec<&str> = line.split(' ').collect();
            format!(
                "{} {} {} ? {} ? out={}",
                words[0],
                words[1],
                words[2],
                words[4],
                out(words[3], words[5])
            )
        };
        match name {
            "claim" => endings.iter().map(hidden).collect(),
            _ => endings.clone(),
        }
    };
    let mut expected = Vec::new();
    for (name, option) in ASKED {
        let option = option.replace('&', "--");
        let options = ["--json", &option];
        let options = options.iter().filter(|option| !option.is_empty());
        let printed = feed(
            setrograde().arg(name).args(options).arg("-"),
            &lines(name).join("\n"),
        );
        let objects = printed.output.lines().map(|line| {
            let mut object: Value = serde_json::from_str(line).expect("JSON");
            object.as_object_mut().expect("an object").remove("line");
            object
        });
        expected.push(objects.collect::<Vec<_>>());
        assert_eq!(expected[expected.len() - 1].len(), endings.len(), "{name}");
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
                    let question = encoded(&lines[kind][at]);
                    let answer =
                        client.ask("GET", &format!("/{name}?question={question}{option}"), b"");
                    let found: Value = serde_json::from_str(&answer.body).expect("JSON");
                    assert_eq!(found, expected[kind][at], "{name} {}", lines[kind][at]);
                }
            });
        }
    });
    assert!(next.into_inner() >= 10_000);
}

/// The cards of two hands, suit by suit.
fn out(one: &str, other: &str) -> String {
    let suits = one.split('.').zip(other.split('.'));
    suits
        .map(|(one, other)| format!("{one}{other}"))
        .collect::<Vec<_>>()
        .join(".")
}

#[test]
fn what_is_wrong_with_a_request_is_said() {
    let server = Server::new(&["--size", "1K"]);
    let mut client = server.connect();
    for (method, target, status, error) in [
        ("GET", "/nothing", 404, "/openapi.json says"),
        ("POST", "/suit", 405, "GET asks"),
        ("PUT", "/table", 405, "GET asks"),
        ("GET", "/table", 400, "`question` is missing"),
        ("GET", "/table?question=x&question=y", 400, "given twice"),
        ("POST", "/table?question=x", 400, "beside a file"),
        (
            "GET",
            "/table?question=x&db=elsewhere",
            400,
            "does not know `db`; it knows question, board",
        ),
        (
            "GET",
            "/table?question=x&output=/tmp/x",
            400,
            "does not know `output`",
        ),
        (
            "GET",
            "/table?question=x&board=3",
            400,
            "--board 3 is for files",
        ),
        (
            "GET",
            "/solve?question=x&all=maybe",
            400,
            "`all` is `true` or `false`",
        ),
        (
            "GET",
            "/solve?question=x&all&one",
            400,
            "cannot be used with",
        ),
        (
            "GET",
            "/suit?north=A&south=K&vacant=--json,3",
            400,
            "`vacant` cannot be",
        ),
        ("GET", "/suit?north=A&south=A", 422, "A"),
        // The name of a file is not read.
        (
            "GET",
            "/table?question=Cargo.toml",
            422,
            "does not begin a deal",
        ),
        ("GET", "/table?question=-", 422, "does not begin a deal"),
        ("GET", "/claim?question=check", 422, "is not a strain"),
        (
            "GET",
            "/claim?question=NT+S+N:AQ...+?+32...+?+out=KJT9...&if=nonsense",
            422,
            "--if: column",
        ),
    ] {
        let answer = client.ask(method, target, b"");
        assert_eq!(answer.status, status, "{target}: {}", answer.body);
        let object: Value = serde_json::from_str(&answer.body).expect("JSON");
        let found = object["error"].as_str().expect("an error");
        assert!(found.contains(error), "{target}: {found}");
        assert_eq!(object["version"], 1);
    }
    let long = client.ask("POST", "/table", &[b'x'; 2000]);
    assert_eq!(long.status, 413, "{}", long.body);
    let mut elsewhere = server.connect();
    let head = "GET /health HTTP/1.1\r\nHost: example.com\r\n\r\n";
    elsewhere
        .0
        .get_mut()
        .write_all(head.as_bytes())
        .expect("sent");
    assert_eq!(elsewhere.receive().status, 403);
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
    assert!(
        begun.elapsed() < Duration::from_millis(2500),
        "the limit ended it"
    );
    assert_eq!(
        server
            .get("/solve?question=NT+W+N:A...+K...+Q...+J...")
            .status,
        200
    );
}

/// What every path but `/query` can be asked for longer than a second: to GET, or with a file to
/// POST.
fn long_questions() -> Vec<(String, String)> {
    let deals = |count, before: &str| {
        let mut random = fastrand::Rng::with_seed(3);
        let deal = |_| format!("{before}{}\n", setrograde_cards::Deal::random(&mut random));
        (0..count).map(deal).collect::<String>()
    };
    let hidden = encoded("NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?");
    let deal = encoded(deals(1, "").trim());
    let asked = [
        LONG.to_owned(),
        format!("/claim?question={hidden}"),
        format!("/lesson?draw=1000000&question={deal}"),
        "/suit?all&north=KJ97&south=53&entries=9,9".to_owned(),
    ];
    let posted = ["/table", "/par", "/solve", "/analyse"];
    let before = |path| match path {
        "/table" | "/par" => "",
        _ => "NT N ",
    };
    let posted = posted.map(|path| (path.to_owned(), deals(5_000, before(path))));
    let asked = asked.map(|target| (target, String::new()));
    asked.into_iter().chain(posted).collect()
}

#[test]
fn all_work_ends_at_the_time_limit() {
    let server = Server::new(&["--at-once", "10", "--time", "1"]);
    thread::scope(|scope| {
        for (target, file) in long_questions() {
            let mut client = server.connect();
            let method = if file.is_empty() { "GET" } else { "POST" };
            scope.spawn(move || {
                let answer = client.ask(method, &target, file.as_bytes());
                assert_eq!(answer.status, 504, "{target}: {}", answer.body);
                assert!(answer.body.contains("no answer within 1 s"), "{target}");
            });
        }
    });
    let answered = Instant::now();
    wait_until(|| server.gauge("setrograde_working ") == 0);
    assert!(
        answered.elapsed() < Duration::from_secs(5),
        "some work did not end"
    );
}

/// A client that asks slowly, and one that asks nothing, keep nobody from being answered, and lose
/// their connections.
#[test]
fn slow_clients_are_left() {
    let server = Server::new(&[]);
    let mut slow: Vec<Client> = (0..100).map(|_| server.connect()).collect();
    for client in &mut slow {
        client.0.get_mut().write_all(b"GET /hea").expect("sent");
    }
    let mut half = server.connect();
    let head = "POST /table HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nN:";
    half.0.get_mut().write_all(head.as_bytes()).expect("sent");
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
    for (target, status) in [("/table?question=", 200), (LONG, 503)] {
        let mut server = Server::new(&["--at-once", "1"]);
        let mut client = server.connect();
        let question = encoded(TABLE);
        let target = match target {
            LONG => LONG.to_owned(),
            table => format!("{table}{question}"),
        };
        client.send("GET", &target, b"");
        thread::sleep(Duration::from_millis(30));
        crate::command::signal(server.process.id(), "TERM");
        let answer = client.receive();
        assert_eq!(answer.status, status, "{}", answer.body);
        let ended = server.process.wait().expect("it ends");
        assert_eq!(ended.code(), Some(0));
    }
}
