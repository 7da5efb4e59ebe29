//! Numbers in JSON.

use serde_json::Value;

/// A whole number; one that has more than 64 bits is text, as few readers of JSON
/// could hold it.
pub fn whole(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| Value::from(number.to_string()), Value::from)
}
