//! The reader of a question's options: from an object of JSON into the question's type.
//!
//! A deserializer of its own, because its errors are data: the option, the index in the option's
//! list, and what was expected there.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use serde::de::value::{
    BorrowedStrDeserializer, MapAccessDeserializer, MapDeserializer, StrDeserializer,
};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Number, Value, map};
use setrograde_cards::quote;

use crate::{Refusal, StyleOption};

/// Reads the options of a question; of a `flat` one, all values are texts or lists of texts.
pub(crate) fn read_options<T: DeserializeOwned>(
    question: &'static str,
    styles: &[StyleOption],
    options: &Map<String, Value>,
    flat: bool,
) -> Result<T, Refusal> {
    let reader = MapReader {
        fields: options.iter(),
        next: None,
        flat,
    };
    T::deserialize(MapAccessDeserializer::new(reader)).map_err(|error| error.of(question, styles))
}

/// The fault of an option.
#[derive(Debug)]
struct OptionError {
    /// The option.
    name: Option<String>,
    /// The index in the list that is its value.
    index: Option<usize>,
    fault: OptionFault,
}

#[derive(Debug)]
enum OptionFault {
    Wrong(String),
    Missing(&'static str),
    Unknown {
        name: String,
        known: &'static [&'static str],
    },
}

impl OptionError {
    fn new(fault: OptionFault) -> OptionError {
        OptionError {
            name: None,
            index: None,
            fault,
        }
    }

    /// The error that another kind of value was expected.
    fn expected(expected: impl Display, found: impl Display) -> OptionError {
        let problem = format!("expected {expected}, found {found}");
        OptionError::new(OptionFault::Wrong(problem))
    }

    fn of(self, question: &'static str, styles: &[StyleOption]) -> Refusal {
        let refusal = match (self.fault, self.name) {
            (OptionFault::Missing(name), None) => Refusal::missing(name),
            (OptionFault::Unknown { name, known }, None) => {
                let styles = styles.iter().map(|option| option.name);
                let known = known.iter().copied().chain(styles).collect();
                Refusal::unknown(question, name, known)
            }
            (OptionFault::Wrong(problem), None) => Refusal::request(problem),
            (fault, Some(name)) => Refusal::option(name, fault),
        };
        refusal.into_request().at_index(self.index)
    }
}

impl Display for OptionFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionFault::Wrong(problem) => f.write_str(problem),
            OptionFault::Missing(name) => write!(f, "`{name}` is missing"),
            OptionFault::Unknown { name, .. } => write!(f, "`{}` is unknown", quote(name)),
        }
    }
}

impl Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fault.fmt(f)
    }
}

impl std::error::Error for OptionError {}

impl de::Error for OptionError {
    fn custom<T: Display>(problem: T) -> OptionError {
        OptionError::new(OptionFault::Wrong(problem.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> OptionError {
        OptionError::expected(expected, in_words(found))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> OptionError {
        OptionError::expected(expected, in_words(found))
    }

    fn invalid_length(length: usize, expected: &dyn Expected) -> OptionError {
        OptionError::expected(expected, length)
    }

    fn unknown_variant(found: &str, all: &'static [&'static str]) -> OptionError {
        let expected = match all {
            [one] => (*one).to_owned(),
            [one, other] => format!("{one} or {other}"),
            all => format!("one of {}", all.join(", ")),
        };
        OptionError::expected(expected, format_args!("{:?}", quote(found)))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> OptionError {
        let name = name.to_owned();
        OptionError::new(OptionFault::Unknown { name, known })
    }

    fn missing_field(name: &'static str) -> OptionError {
        OptionError::new(OptionFault::Missing(name))
    }
}

/// Describes a value in the terms of JSON.
fn in_words(found: Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Float(value) => {
            Number::from_f64(value).map_or_else(String::new, |n| n.to_string())
        }
        Unexpected::Str(text) => format!("{:?}", quote(text)),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "an object".to_owned(),
        Unexpected::Unit => "null".to_owned(),
        other => other.to_string(),
    }
}

/// Describes a value: itself, or its kind if it has parts.
pub(crate) fn found(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{:?}", quote(text)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => serde_json::to_string(value).expect("it has no parts"),
    }
}

struct MapReader<'a> {
    fields: map::Iter<'a>,
    next: Option<(&'a str, &'a Value)>,
    flat: bool,
}

impl<'de> MapAccess<'de> for MapReader<'de> {
    type Error = OptionError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, OptionError> {
        self.next = self.fields.next().map(|(name, value)| (&**name, value));
        let key = |(name, _)| seed.deserialize(BorrowedStrDeserializer::new(name));
        self.next.map(key).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, OptionError> {
        let (name, value) = self.next.expect("serde asks for a value after its name");
        seed.deserialize(ValueReader {
            value,
            flat: self.flat,
        })
        .map_err(|error| {
            // The outermost name is the option.
            let name = Some(name.to_owned());
            OptionError { name, ..error }
        })
    }
}

struct ListReader<'a> {
    values: std::iter::Enumerate<std::slice::Iter<'a, Value>>,
    flat: bool,
}

impl<'de> SeqAccess<'de> for ListReader<'de> {
    type Error = OptionError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, OptionError> {
        let Some((index, value)) = self.values.next() else {
            return Ok(None);
        };
        let read = seed
            .deserialize(ValueReader {
                value,
                flat: self.flat,
            })
            .map_err(|error| {
                let index = Some(index);
                OptionError { index, ..error }
            });
        read.map(Some)
    }
}

/// Reads a value.
#[derive(Clone, Copy)]
struct ValueReader<'a> {
    value: &'a Value,
    /// True if the value and its parts are texts.
    flat: bool,
}

impl<'de> ValueReader<'de> {
    /// The text of a flat value.
    fn text(self) -> Option<&'de str> {
        self.value.as_str().filter(|_| self.flat)
    }

    fn wrong<T>(self, expected: impl Display) -> Result<T, OptionError> {
        Err(OptionError::expected(expected, found(self.value)))
    }

    fn whole<T>(
        self,
        most: u64,
        read: impl FnOnce(u64) -> Result<T, OptionError>,
    ) -> Result<T, OptionError> {
        let read_text = || self.text()?.parse().ok();
        match self.value.as_u64().or_else(read_text) {
            Some(number) if number <= most => read(number),
            _ => self.wrong(format_args!("a whole number from 0 to {most}")),
        }
    }

    fn list<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        let values = match self.value {
            Value::Array(values) => &values[..],
            one if self.text().is_some() => std::slice::from_ref(one),
            _ => return self.wrong("a list"),
        };
        visitor.visit_seq(ListReader {
            values: values.iter().enumerate(),
            flat: self.flat,
        })
    }

    fn object<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        match self.value {
            Value::Object(fields) => visitor.visit_map(MapReader {
                fields: fields.iter(),
                next: None,
                flat: self.flat,
            }),
            Value::Array(texts) if self.flat => named(texts, visitor),
            one if self.text().is_some() => named(std::slice::from_ref(one), visitor),
            _ => self.wrong("an object"),
        }
    }
}

/// Reads an object of texts, each written as `NAME=TEXT`.
fn named<'de, V: Visitor<'de>>(texts: &'de [Value], visitor: V) -> Result<V::Value, OptionError> {
    let mut pairs = BTreeMap::new();
    for text in texts {
        let pair = text.as_str().and_then(|text| text.split_once('='));
        let Some((name, text)) = pair else {
            return Err(OptionError::expected("NAME=CONDITION", found(text)));
        };
        if pairs.insert(name, text).is_some() {
            let problem = format!("{:?} is given twice", quote(name));
            return Err(OptionError::new(OptionFault::Wrong(problem)));
        }
    }
    visitor.visit_map(MapDeserializer::new(pairs.into_iter()))
}

macro_rules! whole_numbers {
    ($($method:ident: $type:ty),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
            self.whole(u64::from(<$type>::MAX), |number| visitor.visit_u64(number))
        }
    )*};
}

impl<'de> Deserializer<'de> for ValueReader<'de> {
    type Error = OptionError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => match (number.as_u64(), number.as_i64()) {
                (Some(number), _) => visitor.visit_u64(number),
                (None, Some(number)) => visitor.visit_i64(number),
                (None, None) => visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(_) => self.list(visitor),
            Value::Object(_) => self.object(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        match (self.value, self.text()) {
            (Value::Bool(value), _) => visitor.visit_bool(*value),
            (_, Some("" | "true")) => visitor.visit_bool(true),
            (_, Some("false")) => visitor.visit_bool(false),
            _ => self.wrong("true or false"),
        }
    }

    whole_numbers!(
        deserialize_u8: u8,
        deserialize_u16: u16,
        deserialize_u32: u32,
        deserialize_u64: u64
    );

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        let read_text = || self.text()?.parse().ok();
        let number = self.value.as_f64().or_else(read_text);
        match number.filter(|number| number.is_finite()) {
            Some(number) => visitor.visit_f64(number),
            None => self.wrong("a number"),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        match self.value {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => self.wrong("a text"),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        if self.value.is_null() || matches!(self.text(), Some("" | "null")) {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, OptionError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        self.list(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, OptionError> {
        let expected = format_args!("a list of {length}");
        let found = match self.value {
            Value::Array(values) => values.len(),
            _ if self.text().is_some() => 1,
            _ => return self.wrong(expected),
        };
        if found == length {
            self.list(visitor)
        } else {
            Err(OptionError::expected(expected, found))
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, OptionError> {
        self.object(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, OptionError> {
        self.object(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, OptionError> {
        match self.value {
            Value::String(text) => {
                let variant: StrDeserializer<'_, OptionError> = text.as_str().into_deserializer();
                visitor.visit_enum(variant)
            }
            _ => self.wrong("a text"),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u128 char bytes byte_buf unit unit_struct tuple_struct identifier
        ignored_any
    }
}
