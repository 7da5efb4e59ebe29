//! Bytes of a record as text.

use std::borrow::Cow;

/// The byte order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// `bytes` as UTF-8, or as Latin-1 if they are not UTF-8.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_encodings() {
        assert_eq!(decode("Malmö".as_bytes()), "Malmö");
        assert_eq!(decode(b"Malm\xf6"), "Malmö");
    }
}
