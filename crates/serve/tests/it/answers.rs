//! Answers are those of the desk, however and by however many they are asked for.

use std::io::BufRead;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};
use setrograde::cards::Deal;
use setrograde::{DESK, JsonQuestion};

use crate::server::{FORM, HIDDEN, Server, TABLE, desk, encoded};

/// A question: its name, its query, and its options in JSON.
pub type Requested = (&'static str, String, Value);

#[rustfmt::skip]
pub fn requests() -> Vec<Requested> {
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
    let evening = include_str!("../../../../data/samples/evening.pbn");
    let matches = include_str!("../../../../data/samples/match.lin");
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
