//! Work ends with its time, or when its client leaves.

use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::server::{FORM, LONG, SMALL, Server, TABLE, deals, encoded, wait_until};

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
