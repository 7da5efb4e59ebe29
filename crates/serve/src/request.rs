//! Reads the question of a request, and its file if there is one.

use hyper::StatusCode;
use hyper::body::Bytes;
use hyper::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use setrograde::JsonQuestion;

use crate::answer::{HttpAnswer, JSON, JSON_LINES};

/// The path of any question, in JSON.
pub const ASK: &str = "ask";

/// A question as it arrived.
pub struct HttpQuestion {
    /// The path: the name of the question, or [`ASK`].
    pub path: &'static str,
    pub query: String,
    /// The body, if one is posted.
    pub body: Option<PostedBody>,
}

/// The body of a request, with the head of the request.
pub struct PostedBody {
    pub headers: HeaderMap,
    pub bytes: Bytes,
}

/// The contents of a request.
pub enum QuestionContent<'a> {
    /// A question in JSON with its name, or a list of them.
    Json(&'a str),
    /// One question.
    One(JsonQuestion),
    /// A question about each line or board of a file.
    File(JsonQuestion, &'a [u8]),
}

/// The type of a form, which curl gives to any body unless it is asked for another.
const FORM: &str = "application/x-www-form-urlencoded";
/// The type of a file, which generated clients give to it.
pub const FILE: &str = "application/octet-stream";

/// Refuses a body that could not be understood, before reading it.
pub fn check(headers: &HeaderMap) -> Result<(), HttpAnswer> {
    let refused = |problem| {
        let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
        Err(HttpAnswer::refused(status, problem))
    };
    let encoding = text(headers, CONTENT_ENCODING);
    if !matches!(&*encoding, "" | "identity") {
        let encoding = shortened(&encoding);
        return refused(format!(
            "Content-Encoding {encoding} is not supported; send the body unpacked"
        ));
    }
    let kind = kind(headers);
    let known = kind.starts_with("text/")
        || is_json(&kind)
        || matches!(
            &*kind,
            "" | FORM
                | FILE
                | "application/x-chess-pgn"
                | "application/x-pbn"
                | "application/vnd.bridge"
        );
    if known && kind != "text/html" {
        return Ok(());
    }
    let kind = shortened(&kind);
    refused(format!(
        "the body has the type {kind}; expected text/plain for a file, or application/json for an \
         object with the names of the query"
    ))
}

/// A value of the head in lower case; empty if there is none.
fn text(headers: &HeaderMap, name: HeaderName) -> String {
    let value = headers.get(name).map(HeaderValue::as_bytes);
    String::from_utf8_lossy(value.unwrap_or_default()).to_ascii_lowercase()
}

/// The type of the body, in lower case and without its parameters.
fn kind(headers: &HeaderMap) -> String {
    let kind = text(headers, CONTENT_TYPE);
    kind.split(';').next().unwrap_or_default().trim().to_owned()
}

fn is_json(kind: &str) -> bool {
    kind == JSON || kind.ends_with("+json")
}

/// The beginning of a value, for an error.
fn shortened(value: &str) -> String {
    const SHOWN: usize = 40;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

impl HttpQuestion {
    /// Returns true if the answers to a file are wanted as a list instead of lines.
    pub fn wants_list(&self) -> bool {
        let Some(PostedBody { headers, .. }) = &self.body else {
            return false;
        };
        let accepted = text(headers, ACCEPT);
        let of = |kind: &str| accepted.find(kind);
        match (of(JSON), of(JSON_LINES)) {
            (Some(list), Some(lines)) => list < lines,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            // Generated clients accept anything, and read JSON.
            (None, None) => kind(headers) == FILE,
        }
    }
}

/// The names and values of a query or a form.
fn pairs(text: &str) -> impl Iterator<Item = (String, String)> + '_ {
    let pairs = form_urlencoded::parse(text.as_bytes());
    pairs.map(|(name, value)| (name.into_owned(), value.into_owned()))
}

/// Reads the contents of a request.
pub fn read(asked: &HttpQuestion) -> Result<QuestionContent<'_>, HttpAnswer> {
    let refused = |status, problem: &str| Err(HttpAnswer::refused(status, problem));
    let bad = |problem: &str| refused(StatusCode::BAD_REQUEST, problem);
    let named = |question: JsonQuestion| {
        let question = question.of_kind(asked.path);
        question.map_err(|refusal| HttpAnswer::refused(StatusCode::BAD_REQUEST, refusal))
    };
    let in_query = || named(JsonQuestion::flat(pairs(&asked.query)));
    let Some(PostedBody { headers, bytes }) = &asked.body else {
        return Ok(QuestionContent::One(in_query()?));
    };
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let kind = kind(headers);
    if asked.path == ASK {
        return match str::from_utf8(body) {
            Ok(_) if !asked.query.is_empty() => {
                bad("POST a question in JSON, or a list of them, without a query")
            }
            Ok(json) => Ok(QuestionContent::Json(json)),
            Err(_) => bad("the body is not UTF-8, so it is not JSON"),
        };
    }
    if kind == FORM
        && let Some(form) = as_form(body)
    {
        let all = pairs(&asked.query).chain(pairs(form));
        return Ok(QuestionContent::One(named(JsonQuestion::flat(all))?));
    }
    if is_json(&kind) || body.trim_ascii_start().starts_with(b"{") {
        if !asked.query.is_empty() {
            return bad("the options are in the object, and in the query; expected one of them");
        }
        return match JsonQuestion::read(body) {
            Ok(question) => Ok(QuestionContent::One(named(question)?)),
            Err(refusal) => bad(&refusal.to_string()),
        };
    }
    if body.trim_ascii().is_empty() {
        return refused(StatusCode::UNPROCESSABLE_ENTITY, "the file is empty");
    }
    if kind == FORM && is_joined(body) {
        return bad(
            "several questions in one line: `curl -d` removes the line endings of a file; \
             send it with --data-binary @FILE",
        );
    }
    if !is_text(body) {
        let problem = "the file is not text; send it unpacked";
        return refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, problem);
    }
    Ok(QuestionContent::File(in_query()?, body))
}

/// Returns the text of a form; `None` if the body is something else, which clients send with the
/// type of a form, too. A form begins with the name of an option.
fn as_form(body: &[u8]) -> Option<&str> {
    let text = str::from_utf8(body).ok()?;
    let (name, _) = text.split_once('=')?;
    let is_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    (!name.is_empty() && name.bytes().all(is_name)).then_some(text)
}

/// Returns true if a text is a line with several deals: a seat and a colon begin each. Hands of one
/// deal may name their seats, too, and suits may have colons. Tags of PBN need no line endings.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn posted(
        path: &'static str,
        kind: &'static str,
        accept: &'static str,
        body: &[u8],
    ) -> HttpQuestion {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        HttpQuestion {
            path,
            query: String::new(),
            body: Some(PostedBody {
                headers,
                bytes: Bytes::copy_from_slice(body),
            }),
        }
    }

    /// What a body is: a file or an object; or the status of its refusal.
    fn read_as(path: &'static str, kind: &'static str, body: &[u8]) -> Result<&'static str, u16> {
        let asked = posted(path, kind, "*/*", body);
        let headers = &asked.body.as_ref().expect("a body").headers;
        let found = check(headers).and_then(|()| {
            Ok(match read(&asked)? {
                QuestionContent::Json(_) => "json",
                QuestionContent::One(_) => "one",
                QuestionContent::File(..) => "file",
            })
        });
        found.map_err(|answer| answer.status.as_u16())
    }

    #[test]
    fn bodies_are_files_or_objects() {
        let object = br#"{"question": "x", "all": true, "if": ["a,b", "c"], "seed": null}"#;
        let joined = b"N:A... K... Q... J...N:A... K... Q... J...";
        for (kind, body, expected) in [
            ("", &b"N:AK.. "[..], Ok("file")),
            ("text/plain; charset=utf-8", b"N:AK.. ", Ok("file")),
            (FORM, b"N:AK.. ", Ok("file")),
            (FILE, b"N:AK.. ", Ok("file")),
            (FORM, b"N:N:A... E:K... S:Q... W:J...", Ok("file")),
            (
                FORM,
                b"NT N N:S: A H: - D: - C: - S: K H: - D: - C: - ? ?",
                Ok("file"),
            ),
            ("text/plain", b"question=N%3AAK+..&text=true", Ok("file")),
            ("text/plain", b"\xff\xfeN\0:\0", Ok("file")),
            ("text/plain", b"N\0:\0", Ok("file")),
            ("text/plain", b"\0N\0:", Ok("file")),
            (JSON, object, Ok("one")),
            (FORM, object, Ok("one")),
            (JSON, b"\xef\xbb\xbf{\"question\": \"x\"}", Ok("one")),
            (FORM, b"question=N%3AAK+..&text=true", Ok("one")),
            (FORM, b"text=true&question=N:AK%20..", Ok("one")),
            (JSON, b"{", Err(400)),
            (JSON, b"[]", Err(400)),
            (
                JSON,
                br#"{"all": true, "text": false, "all": false}"#,
                Err(400),
            ),
            (JSON, br#"{"ask": "par", "question": "x"}"#, Err(400)),
            (FORM, joined, Err(400)),
            ("image/png", b"x", Err(415)),
            ("text/html", b"x", Err(415)),
            ("multipart/form-data", b"x", Err(415)),
            ("text/plain", b"\x1f\x8bxx", Err(415)),
            ("text/plain", b"", Err(422)),
            ("text/plain", b" \n", Err(422)),
        ] {
            let text = String::from_utf8_lossy(body);
            assert_eq!(read_as("table", kind, body), expected, "{kind} {text}");
        }
        assert_eq!(read_as(ASK, "", b"anything"), Ok("json"));
        assert_eq!(read_as(ASK, "", b"\xff"), Err(400));
    }

    #[test]
    fn clients_choose_lists_or_lines() {
        for (kind, accept, is_list) in [
            (FORM, "*/*", false),
            ("text/plain", "*/*", false),
            ("text/plain", "application/json", true),
            ("text/plain", "application/json, application/x-ndjson", true),
            (FILE, "*/*", true),
            (FILE, "application/x-ndjson", false),
        ] {
            let found = posted("table", kind, accept, b"x").wants_list();
            assert_eq!(found, is_list, "{kind} {accept}");
        }
    }
}
