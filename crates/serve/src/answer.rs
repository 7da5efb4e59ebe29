//! The answer of a request before it is sent.

use hyper::StatusCode;
use serde_json::json;
use setrograde::VERSION;

/// One JSON object, or a list of them.
pub const JSON: &str = "application/json";
/// A JSON object per line.
pub const JSON_LINES: &str = "application/x-ndjson";

/// An answer of the server.
pub struct HttpAnswer {
    pub status: StatusCode,
    /// The type of its content.
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl HttpAnswer {
    /// Returns an answer with content of this type.
    pub fn new(kind: &'static str, content: impl Into<Vec<u8>>) -> HttpAnswer {
        HttpAnswer {
            status: StatusCode::OK,
            kind,
            bytes: content.into(),
        }
    }

    /// An object with the version, on a line.
    pub fn object(mut object: serde_json::Value) -> HttpAnswer {
        object["version"] = VERSION.into();
        HttpAnswer::new(JSON, format!("{object}\n"))
    }

    /// An answer without content.
    pub fn nothing() -> HttpAnswer {
        HttpAnswer {
            status: StatusCode::NO_CONTENT,
            ..HttpAnswer::new(JSON, "")
        }
    }

    /// A refusal: an object with the reason.
    pub fn refused(status: StatusCode, error: impl std::fmt::Display) -> HttpAnswer {
        HttpAnswer {
            status,
            ..HttpAnswer::object(json!({ "error": error.to_string(), "column": null }))
        }
    }
}
