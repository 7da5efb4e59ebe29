//! Answers that are bytes.

use serde::Serialize;
use setrograde::{Report, Words};

/// Bytes that are written as they are.
#[derive(Serialize)]
pub struct RawBytes(pub Vec<u8>);

impl Report for RawBytes {
    fn words(&self, to: &mut Words) {
        to.only(&self.0[..]);
    }
}
