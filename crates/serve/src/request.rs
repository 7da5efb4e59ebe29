//! From the body of a request to its parameters or its file.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use setrograde_cli::remote::{ASK, Endpoint, Parameters, RemoteAnswer, shortened};

/// A question as it arrived.
pub struct HttpQuestion {
    pub query: String,
    /// The body, if one is posted.
    pub body: Option<PostedBody>,
}

/// The body of a request, with the head of the request.
pub struct PostedBody {
    pub headers: HeaderMap,
    pub bytes: Bytes,
}

/// The names and values of a question, and the file if one is posted.
type ReadQuestion = (Parameters, Option<Arc<[u8]>>);

/// The parameters of a query.
fn parameters(query: &str) -> Parameters {
    let pairs = form_urlencoded::parse(query.as_bytes());
    pairs
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

/// The type of a form, which curl gives to any body unless it is asked for another.
const FORM: &str = "application/x-www-form-urlencoded";

/// A request that is refused with this status.
pub fn refused(status: StatusCode, problem: &str) -> RemoteAnswer {
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
        let encoding = shortened(encoding);
        let problem =
            format!("Content-Encoding {encoding} is not supported; send the body unpacked");
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, &problem));
    }
    let kind = kind(headers);
    let known = kind.starts_with("text/")
        || is_json(&kind)
        || matches!(
            &*kind,
            "" | FORM
                | "application/octet-stream"
                | "application/x-chess-pgn"
                | "application/x-pbn"
                | "application/vnd.bridge"
        );
    if known && kind != "text/html" {
        return Ok(());
    }
    let kind = shortened(&kind);
    let problem = format!(
        "the body has the type {kind}; expected text/plain for a file, or application/json for an object with the names of the query"
    );
    Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, &problem))
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

/// Reads the question of a request.
pub fn read(endpoint: &Endpoint, asked: &HttpQuestion) -> Result<ReadQuestion, RemoteAnswer> {
    let mut parameters = parameters(&asked.query);
    let Some(PostedBody { headers, bytes }) = &asked.body else {
        return Ok((parameters, None));
    };
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if endpoint.name == ASK.name {
        names_once(body)?;
        return Ok((parameters, Some(body.into())));
    }
    if kind(headers) == FORM
        && let Some(fields) = fields(endpoint, body)
    {
        parameters.extend(fields);
        return Ok((parameters, None));
    }
    names_once(body)?;
    let object = match serde_json::from_slice(body) {
        Ok(Value::Object(object)) => Some(object),
        Ok(_) | Err(_) if !is_json(&kind(headers)) => None,
        Ok(_) => {
            let problem = "the body is not an object; expected one with the names of the query";
            return Err(refused(StatusCode::BAD_REQUEST, problem));
        }
        Err(error) => {
            let problem = format!("the body is not JSON: {error}");
            return Err(refused(StatusCode::BAD_REQUEST, &problem));
        }
    };
    if let Some(object) = object {
        parameters.extend(of_object(&object)?);
        return Ok((parameters, None));
    }
    if endpoint.file.is_none() {
        let problem = format!("/{} takes no file; send a JSON object", endpoint.name);
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, &problem));
    }
    if body.iter().all(u8::is_ascii_whitespace) {
        let problem = "the file is empty";
        return Err(refused(StatusCode::UNPROCESSABLE_ENTITY, problem));
    }
    if kind(headers) == FORM && is_joined(body) {
        let problem = "several questions in one line: `curl -d` removes the line ends of a file; \
                       send it with --data-binary @FILE";
        return Err(refused(StatusCode::BAD_REQUEST, problem));
    }
    if !is_text(body) {
        let problem = "the file is not text; send it unpacked";
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, problem));
    }
    Ok((parameters, Some(body.into())))
}

/// Returns the fields of a form; `None` if the body is something else, which clients send with the
/// type of a form, too. A form begins with a name of the query.
fn fields(endpoint: &Endpoint, body: &[u8]) -> Option<Parameters> {
    let text = str::from_utf8(body).ok()?;
    let (name, _) = text.split_once('=')?;
    let mut names = endpoint.words.iter().chain(endpoint.options);
    names.any(|known| *known == name).then(|| parameters(text))
}

/// Returns true if a text is a line with several deals: a seat and a colon begin each. Hands of one
/// deal may name their seats, too, and suits may have colons. Tags of PBN need no line ends.
fn is_joined(body: &[u8]) -> bool {
    let mut seats = Vec::new();
    for colon in (0..body.len()).filter(|&at| body[at] == b':') {
        match body[..colon] {
            [.., b':', _] | [] => {}
            [.., b'H' | b'D' | b'C'] => return false,
            [.., seat] => seats.push(seat),
        }
    }
    let again = |(number, seat)| b"NESW".contains(seat) && seats[..number].contains(seat);
    !body.contains(&b'\n') && !body.contains(&b'[') && seats.iter().enumerate().any(again)
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

/// Maximum number of names in an object. No question has so many.
const MOST_NAMES: usize = 100;

/// Refuses JSON in which an object has a name twice, because readers differ in which value they
/// take, or too many names.
fn names_once(body: &[u8]) -> Result<(), RemoteAnswer> {
    match serde_json::from_slice::<NamedOnce>(body) {
        Err(error) if error.is_data() => Err(refused(StatusCode::BAD_REQUEST, &error.to_string())),
        // What is not JSON is refused where it is read.
        Ok(NamedOnce) | Err(_) => Ok(()),
    }
}

/// JSON without a name that an object has twice.
struct NamedOnce;

impl<'de> Deserialize<'de> for NamedOnce {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<NamedOnce, D::Error> {
        json.deserialize_any(NamedOnce)
    }
}

impl<'de> Visitor<'de> for NamedOnce {
    type Value = NamedOnce;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<NamedOnce, E> {
        Ok(NamedOnce)
    }

    fn visit_bool<E>(self, _: bool) -> Result<NamedOnce, E> {
        Ok(NamedOnce)
    }

    fn visit_i64<E>(self, _: i64) -> Result<NamedOnce, E> {
        Ok(NamedOnce)
    }

    fn visit_u64<E>(self, _: u64) -> Result<NamedOnce, E> {
        Ok(NamedOnce)
    }

    fn visit_f64<E>(self, _: f64) -> Result<NamedOnce, E> {
        Ok(NamedOnce)
    }

    fn visit_str<E>(self, _: &str) -> Result<NamedOnce, E> {
        Ok(NamedOnce)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<NamedOnce, A::Error> {
        while items.next_element::<NamedOnce>()?.is_some() {}
        Ok(NamedOnce)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<NamedOnce, A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = fields.next_key::<String>()? {
            if names.contains(&name) {
                let name = shortened(&name);
                return Err(A::Error::custom(format_args!("`{name}` is given twice")));
            }
            if names.len() == MOST_NAMES {
                return Err(A::Error::custom(format_args!(
                    "an object has more than {MOST_NAMES} names"
                )));
            }
            names.insert(name);
            fields.next_value::<NamedOnce>()?;
        }
        Ok(NamedOnce)
    }
}

/// The parameters in a JSON object.
fn of_object(object: &Map<String, Value>) -> Result<Parameters, RemoteAnswer> {
    let mut parameters = Parameters::new();
    for (name, value) in object {
        let wrong = || {
            let (name, value) = (shortened(name), value.to_string());
            let problem = format!("`{name}` cannot be {}", shortened(&value));
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

    fn posted(endpoint: &Endpoint, kind: &'static str, body: &[u8]) -> Result<ReadQuestion, u16> {
        let headers: HeaderMap = [(CONTENT_TYPE, HeaderValue::from_static(kind))]
            .into_iter()
            .collect();
        check(&headers).map_err(|answer| answer.status)?;
        let asked = HttpQuestion {
            query: String::new(),
            body: Some(PostedBody {
                headers,
                bytes: Bytes::copy_from_slice(body),
            }),
        };
        read(endpoint, &asked).map_err(|answer| answer.status)
    }

    fn asked(kind: &'static str, body: &[u8]) -> Result<ReadQuestion, u16> {
        let [table, ..] = &ENDPOINTS;
        posted(table, kind, body)
    }

    #[test]
    fn bodies_are_files_or_objects() {
        for kind in [
            "",
            "text/plain; charset=utf-8",
            "application/x-www-form-urlencoded",
        ] {
            let file = asked(kind, b"N:AK.. ").expect("a file");
            assert!(file.1.is_some() && file.0.is_empty());
        }
        for kind in ["application/json", "application/x-www-form-urlencoded"] {
            let body = br#"{"question": "x", "all": true, "tricks": 3, "vacant": [1, 2], "if": ["a,b", "c"], "seed": null}"#;
            let (mut found, _) = asked(kind, body).expect("an object");
            let expected = [
                ("all", "true"),
                ("if", "a,b"),
                ("if", "c"),
                ("question", "x"),
                ("tricks", "3"),
                ("vacant", "1,2"),
            ];
            found.sort();
            assert_eq!(
                found,
                expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
            );
        }
        for line in [
            "N:N:A... E:K... S:Q... W:J...",
            "NT N N:S: A H: - D: - C: - S: K H: - D: - C: - ? ?",
        ] {
            assert!(asked(FORM, line.as_bytes()).is_ok(), "{line}");
        }
        for form in [
            &b"question=N%3AAK+..&board=3"[..],
            b"board=3&question=N:AK%20..",
        ] {
            let (mut found, _) = asked(FORM, form).expect("a form");
            found.sort();
            let expected = [("board", "3"), ("question", "N:AK ..")];
            assert_eq!(
                found,
                expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
            );
            assert!(asked("text/plain", form).expect("a file").1.is_some());
        }
        for (kind, body, status) in [
            ("application/json", &b"{"[..], 400),
            ("application/json", b"[]", 400),
            (FORM, b"N:A... K... Q... J...N:A... K... Q... J...", 400),
            ("application/json", b"{\"question\": {}}", 400),
            (
                "application/json",
                br#"{"all": true, "board": 1, "all": false}"#,
                400,
            ),
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
        for (body, is_right) in [
            (&br#"{"ask": "par", "question": "x"}"#[..], true),
            (
                br#"[{"ask": "par"}, {"ask": "par", "if": [null, 1, -1, 0.5]}]"#,
                true,
            ),
            (br#"[{"ask": "par"}, {"ask": "par", "ask": "suit"}]"#, false),
            (b"no JSON", true),
        ] {
            assert_eq!(posted(&ASK, "", body).is_ok(), is_right, "{body:?}");
        }
        let marked = asked("application/json", b"\xef\xbb\xbf{\"question\": \"x\"}");
        assert_eq!(marked.expect("an object").0.len(), 1);
        let names: Vec<String> = (0..=MOST_NAMES).map(|n| format!("\"{n}\":1")).collect();
        let many = format!("{{{}}}", names.join(","));
        assert_eq!(asked("application/json", many.as_bytes()), Err(400));
    }
}
