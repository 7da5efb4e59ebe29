//! JSON in which each object has a name once: readers differ in which of two values they take.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use setrograde_cards::quote;

use crate::refusal::Refusal;

/// Maximum number of names in an object. No question has so many.
const MOST_NAMES: usize = 100;

/// Reads JSON.
pub(crate) fn read_json(json: &[u8]) -> Result<Value, Refusal> {
    match serde_json::from_slice(json) {
        Ok(UniqueNames(value)) => Ok(value),
        Err(error) if error.is_data() => Err(Refusal::request(error)),
        Err(error) => Err(Refusal::request(format_args!("this is not JSON: {error}"))),
    }
}

struct UniqueNames(Value);

impl<'de> Deserialize<'de> for UniqueNames {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<UniqueNames, D::Error> {
        json.deserialize_any(ValueVisitor).map(UniqueNames)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(UniqueNames(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            if object.contains_key(&name) {
                let name = quote(&name);
                return Err(A::Error::custom(format_args!("`{name}` is given twice")));
            }
            if object.len() == MOST_NAMES {
                return Err(A::Error::custom(format_args!(
                    "an object has more than {MOST_NAMES} names"
                )));
            }
            let UniqueNames(value) = fields.next_value()?;
            object.insert(name, value);
        }
        Ok(object.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_once() {
        let list = r#"[{"a": 1, "b": {"a": [null, true, -1, 0.5, "x"]}}, {"a": 2}]"#;
        let plain: Value = serde_json::from_str(list).expect("JSON");
        assert_eq!(read_json(list.as_bytes()).expect("JSON"), plain);
        let names: Vec<String> = (0..=MOST_NAMES).map(|n| format!("\"{n}\": 1")).collect();
        for (json, said) in [
            (r#"{"a": 1, "a": 2}"#, "`a` is given twice"),
            (r#"[{"b": {"a": 1, "a": 2}}]"#, "`a` is given twice"),
            (&format!("{{{}}}", names.join(",")), "more than 100 names"),
            ("{", "not JSON"),
            ("", "not JSON"),
            (&"[".repeat(1000), "not JSON"),
        ] {
            let refusal = read_json(json.as_bytes()).expect_err(json).to_string();
            assert!(refusal.contains(said), "{refusal}");
        }
    }
}
