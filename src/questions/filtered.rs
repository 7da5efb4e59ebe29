//! Answers that may be left out, and answers that are bytes.

use serde::Serialize;
use setrograde::{Report, Words};

/// An answer, unless its question does not meet the conditions.
#[derive(Serialize)]
pub struct Filtered<R>(pub Option<R>);

impl<R: Report> Report for Filtered<R> {
    fn words(&self, to: &mut Words) {
        if let Some(answer) = &self.0 {
            answer.words(to);
        }
    }

    fn is_left_out(&self) -> bool {
        self.0.is_none()
    }
}

/// Bytes that are written as they are.
#[derive(Serialize)]
pub struct RawBytes(pub Vec<u8>);

impl Report for RawBytes {
    fn words(&self, to: &mut Words) {
        to.only(&self.0[..]);
    }
}
