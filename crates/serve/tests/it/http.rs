//! The manners of HTTP, and requests of other sites.

use std::net::Shutdown;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::server::{SMALL, Server, TABLE, exchange};

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
        ("text/plain", b"\x1f\x8b\x08\0", 415),
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
            "Host: localhost\r\nReferer: http://evil.example/x\r\n",
            ["200", "200", "403", "403"],
        ),
        (
            "Host: localhost\r\nUser-Agent: Mozilla/5.0\r\n",
            ["200", "200", "200", "403"],
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
