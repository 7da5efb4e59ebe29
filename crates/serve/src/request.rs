//! From the body of a request to its parameters or its file.

use std::sync::Arc;

use hyper::StatusCode;
use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use serde_json::{Map, Value};
use setrograde_cli::remote::{ASK, Endpoint, Parameters, RemoteAnswer};

/// The question of a request.
#[derive(Debug)]
pub struct HttpQuestion {
    pub parameters: Parameters,
    /// The file, if one is posted.
    pub file: Option<Arc<[u8]>>,
}

/// The parameters of a query.
pub fn parameters(query: &str) -> Parameters {
    let pairs = form_urlencoded::parse(query.as_bytes());
    pairs
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

fn refused(status: StatusCode, problem: &str) -> RemoteAnswer {
    RemoteAnswer::refused(status.as_u16(), problem)
}

/// Refuses a body that could not be read, before it is.
pub fn check(headers: &HeaderMap) -> Result<(), RemoteAnswer> {
    let text = |name| {
        headers
            .get(name)
            .map(|value: &hyper::header::HeaderValue| value.to_str().unwrap_or("?"))
    };
    if let Some(encoding) = text(CONTENT_ENCODING)
        && !encoding.eq_ignore_ascii_case("identity")
    {
        let problem = format!("the body is encoded by {encoding}; send it as it is");
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, &problem));
    }
    let kind = kind(headers);
    let known = kind.starts_with("text/")
        || is_json(&kind)
        || matches!(
            &*kind,
            "" | "application/x-www-form-urlencoded"
                | "application/octet-stream"
                | "application/x-chess-pgn"
                | "application/x-pbn"
                | "application/vnd.bridge"
        );
    match known && kind != "text/html" {
        true => Ok(()),
        false => {
            let problem = format!(
                "a body of type {kind}; expected text/plain, a file, or application/json, an object with the names of the query"
            );
            Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, &problem))
        }
    }
}

/// The type of the body, in lower case and without its parameters.
fn kind(headers: &HeaderMap) -> String {
    let kind = headers.get(CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    kind.trim().to_ascii_lowercase()
}

fn is_json(kind: &str) -> bool {
    kind == "application/json" || kind.ends_with("+json")
}

/// Returns the question of a request with this body.
pub fn read(
    endpoint: &Endpoint,
    headers: &HeaderMap,
    mut parameters: Parameters,
    body: &[u8],
) -> Result<HttpQuestion, RemoteAnswer> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    if endpoint.name == ASK.name {
        return Ok(HttpQuestion {
            parameters,
            file: Some(body.into()),
        });
    }
    let object = match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => Some(object),
        Ok(_) | Err(_) if !is_json(&kind(headers)) => None,
        Ok(_) => {
            let problem = "expected a JSON object with the names of the query";
            return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, problem));
        }
        Err(error) => {
            let problem = format!("the body is not JSON: {error}");
            return Err(refused(StatusCode::BAD_REQUEST, &problem));
        }
    };
    if let Some(object) = object {
        parameters.extend(of_object(&object)?);
        return Ok(HttpQuestion {
            parameters,
            file: None,
        });
    }
    if endpoint.file.is_none() {
        let problem = format!("/{} takes no file; send a JSON object", endpoint.name);
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, &problem));
    }
    if body.iter().all(u8::is_ascii_whitespace) {
        let problem = "the file is empty";
        return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, problem));
    }
    if !is_text(body) {
        let problem = "the file is not text; send it unpacked";
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, problem));
    }
    Ok(HttpQuestion {
        parameters,
        file: Some(body.into()),
    })
}

/// Returns true if bytes may be text of some encoding. UTF-16, which has a mark or begins with an
/// ASCII character, has zeros.
fn is_text(bytes: &[u8]) -> bool {
    let wide = matches!(
        bytes,
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 1..0x80, ..] | [1..0x80, 0, ..]
    );
    let packed = [
        &b"\x1f\x8b"[..],
        b"PK\x03\x04",
        b"BZh",
        b"\xfd7zXZ",
        b"\x28\xb5\x2f\xfd",
        b"%PDF",
    ];
    wide || !(bytes.contains(&0) || packed.iter().any(|mark| bytes.starts_with(mark)))
}

/// The parameters in a JSON object.
fn of_object(object: &Map<String, Value>) -> Result<Parameters, RemoteAnswer> {
    let mut parameters = Parameters::new();
    for (name, value) in object {
        let wrong = || {
            let problem = format!("`{name}` cannot be {value}");
            refused(StatusCode::BAD_REQUEST, &problem)
        };
        let plain = |value: &Value| match value {
            Value::String(text) => Ok(text.clone()),
            Value::Number(_) | Value::Bool(_) => Ok(value.to_string()),
            _ => Err(wrong()),
        };
        match value {
            Value::Null => {}
            // Conditions may have their own commas.
            Value::Array(all) if name == "if" => {
                for value in all {
                    parameters.push((name.clone(), plain(value)?));
                }
            }
            Value::Array(all) => {
                let all: Vec<String> = all.iter().map(plain).collect::<Result<_, _>>()?;
                parameters.push((name.clone(), all.join(",")));
            }
            value => parameters.push((name.clone(), plain(value)?)),
        }
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;
    use setrograde_cli::remote::ENDPOINTS;

    use super::*;

    fn asked(kind: &'static str, body: &[u8]) -> Result<HttpQuestion, u16> {
        let [table, ..] = &ENDPOINTS;
        let headers: HeaderMap = [(CONTENT_TYPE, HeaderValue::from_static(kind))]
            .into_iter()
            .collect();
        check(&headers).map_err(|answer| answer.status)?;
        read(table, &headers, Vec::new(), body).map_err(|answer| answer.status)
    }

    #[test]
    fn bodies_are_files_or_objects() {
        for kind in [
            "",
            "text/plain; charset=utf-8",
            "application/x-www-form-urlencoded",
        ] {
            let file = asked(kind, b"N:AK.. ").expect("a file");
            assert!(file.file.is_some() && file.parameters.is_empty());
        }
        for kind in ["application/json", "application/x-www-form-urlencoded"] {
            let body = br#"{"question": "x", "all": true, "tricks": 3, "vacant": [1, 2], "if": ["a,b", "c"], "seed": null}"#;
            let asked = asked(kind, body).expect("an object");
            let expected = [
                ("all", "true"),
                ("if", "a,b"),
                ("if", "c"),
                ("question", "x"),
                ("tricks", "3"),
                ("vacant", "1,2"),
            ];
            let mut found = asked.parameters;
            found.sort();
            assert_eq!(
                found,
                expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
            );
        }
        for (kind, body, status) in [
            ("application/json", &b"{"[..], 400),
            ("application/json", b"[]", 422),
            ("application/json", b"{\"question\": {}}", 400),
            ("image/png", b"x", 415),
            ("multipart/form-data", b"x", 415),
            ("text/plain", b"\x1f\x8bxx", 415),
            ("text/plain", b"", 422),
            ("text/plain", b" \n", 422),
        ] {
            assert_eq!(
                asked(kind, body).expect_err("refused"),
                status,
                "{kind} {body:?}"
            );
        }
        for body in [&b"\xff\xfeN\0:\0"[..], b"N\0:\0", b"\0N\0:"] {
            assert!(asked("text/plain", body).is_ok(), "{body:?}");
        }
        let marked = asked("application/json", b"\xef\xbb\xbf{\"question\": \"x\"}");
        assert_eq!(marked.expect("an object").parameters.len(), 1);
    }
}
