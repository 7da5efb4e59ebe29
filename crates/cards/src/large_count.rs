//! Counts in data formats.

use serde_core::ser::{Serialize, Serializer};

/// A count. Above 2^53, where many readers of JSON would round it, it is written as text.
///
/// ```
/// use setrograde_cards::LargeCount;
///
/// assert_eq!(serde_json::to_string(&LargeCount(1 << 53))?, "9007199254740992");
/// assert_eq!(serde_json::to_string(&LargeCount(1 << 54))?, "\"18014398509481984\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LargeCount(pub u128);

impl Serialize for LargeCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(number) if number <= 1 << 53 => serializer.serialize_u64(number),
            _ => serializer.collect_str(&self.0),
        }
    }
}
