//! The document of the server describes its answers and statuses.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::answers::requests;
use crate::server::{Server, exchange};

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
