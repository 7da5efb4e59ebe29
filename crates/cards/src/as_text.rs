//! Cards, seats and types made of them as texts in data formats, by serde.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use serde_core::de::{Deserialize, Deserializer, Error, Visitor};
use serde_core::ser::{Serialize, Serializer};

use crate::{
    Bid, Card, Contract, Deal, Hand, Position, Seat, Side, Strain, Suit, TextError, Vulnerability,
    quote,
};

macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                deserializer.deserialize_str(TextVisitor(PhantomData))
            }
        }
    )*};
}

as_text!(
    Bid,
    Card,
    Contract,
    Deal,
    Hand,
    Position,
    Seat,
    Side,
    Strain,
    Suit,
    Vulnerability
);

/// Descriptions of the texts for JSON Schema.
#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use crate::{
        Bid, Card, Contract, Deal, Hand, LargeCount, Position, Seat, Side, Strain, Suit,
        Vulnerability,
    };

    macro_rules! text_schema {
        ($($type:ident: $schema:tt),* $(,)?) => {$(
            impl JsonSchema for $type {
                fn schema_name() -> Cow<'static, str> {
                    stringify!($type).into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!($schema)
                }
            }
        )*};
    }

    text_schema!(
        Bid: { "type": "string", "description": "A bid, such as `3NT`." },
        Card: {
            "type": "string",
            "pattern": "^[SHDC][AKQJT2-9]$",
            "description": "A card, such as `SA` or `HT`.",
        },
        Contract: { "type": "string", "description": "A contract, such as `4S` or `3NTX`." },
        Deal: { "type": "string", "description": "Four hands in PBN, from North." },
        Hand: { "type": "string", "description": "A hand, such as `AKQ.J5.T98.432`." },
        LargeCount: { "type": ["integer", "string"], "description": "A count; above 2^53 a text of digits." },
        Position: { "type": "string", "description": "A position, as the command takes it." },
        Seat: { "enum": ["N", "E", "S", "W"], "description": "A seat." },
        Side: { "enum": ["NS", "EW"], "description": "A side." },
        Strain: { "enum": ["NT", "S", "H", "D", "C"], "description": "A strain." },
        Suit: { "enum": ["S", "H", "D", "C"], "description": "A suit." },
        Vulnerability: { "type": "string", "description": "The vulnerable sides." },
    );
}

/// Reads a text.
struct TextVisitor<T>(PhantomData<T>);

impl<T: FromStr<Err = TextError>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let read = text.parse();
        read.map_err(|error: TextError| E::custom(format_args!("{:?}: {error}", quote(text))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_and_read() {
        let text = r#"{"hand":"AK.Q..T2","cards":["SA","HT"],"lengths":{"S":1}}"#;
        let hand: Hand = serde_json::from_str(r#""AK.Q..T2""#).expect("a hand");
        let cards: Vec<Card> = serde_json::from_str(r#"["SA","HT"]"#).expect("cards");
        let lengths = std::collections::BTreeMap::from([(Suit::Spades, 1)]);
        let written = format!(
            r#"{{"hand":{},"cards":{},"lengths":{}}}"#,
            serde_json::to_string(&hand).expect("written"),
            serde_json::to_string(&cards).expect("written"),
            serde_json::to_string(&lengths).expect("written"),
        );
        assert_eq!(written, text);
        let error = serde_json::from_str::<Card>(r#""S1""#).expect_err("no card");
        assert!(
            error.to_string().starts_with("\"S1\": column 2: "),
            "{error}"
        );
    }
}
