//! Questions and replies of the interfaces that speak JSON.

use serde_json::{Map, Value};

use crate::refusal::Refusal;
use crate::unique::read_json;

/// An answer or a refusal, as an object of JSON.
#[derive(Clone, Debug)]
pub struct JsonReply {
    /// The object; or a list, the answer to a list of questions.
    pub object: String,
    /// The refusal that the object describes, unless it is an answer or a list.
    pub refused: Option<Refusal>,
}

impl JsonReply {
    /// Makes a reply of an answer.
    pub(crate) fn answer(object: String) -> JsonReply {
        let refused = None;
        JsonReply { object, refused }
    }
}

/// A question with its options, by their names in JSON.
#[derive(Clone, Debug)]
pub struct JsonQuestion {
    pub(crate) fields: Map<String, Value>,
    /// True if all values are texts.
    pub(crate) flat: bool,
}

impl JsonQuestion {
    /// Reads an object of JSON.
    ///
    /// # Errors
    ///
    /// If it is not JSON or no object, or has a name twice.
    pub fn read(json: &[u8]) -> Result<JsonQuestion, Refusal> {
        match read_json(json)? {
            Value::Object(fields) => Ok(JsonQuestion {
                fields,
                flat: false,
            }),
            _ => Err(Refusal::request("expected an object")),
        }
    }

    /// Makes a question of names and texts, such as those of a query. A name that occurs several
    /// times has a list. Numbers, `true` and `false`, and `null` have their texts of JSON; an empty
    /// text is `true` for a flag, and otherwise as good as none.
    pub fn flat(pairs: impl IntoIterator<Item = (String, String)>) -> JsonQuestion {
        let mut fields = Map::new();
        for (name, text) in pairs {
            let text = Value::from(text);
            match fields.get_mut(&name) {
                None => drop(fields.insert(name, text)),
                Some(Value::Array(list)) => list.push(text),
                Some(one) => *one = vec![one.take(), text].into(),
            }
        }
        JsonQuestion { fields, flat: true }
    }

    /// Makes it the question with this name.
    ///
    /// # Errors
    ///
    /// If it names another question itself.
    pub fn of_kind(mut self, ask: &str) -> Result<JsonQuestion, Refusal> {
        match self.fields.insert("ask".to_owned(), ask.into()) {
            Some(other) if other != ask => {
                let problem = format_args!("expected {ask:?} or nothing, found another question");
                Err(Refusal::option("ask", problem).into_request())
            }
            _ => Ok(self),
        }
    }
}
