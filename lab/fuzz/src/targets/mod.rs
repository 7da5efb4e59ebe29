//! The readers under test.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

pub mod ask;
pub mod codecs;
pub mod desk;
pub mod head;
pub mod journal;
pub mod level;
pub mod manifest;
pub mod map;
pub mod players;
pub mod questions;
pub mod records;
pub mod text;

/// Inputs that had an answer.
pub static ANSWERED: AtomicU64 = AtomicU64::new(0);

/// Checks the answer to a question, or the list of answers: each is an object, with an error that
/// says something or without one.
fn check_answers(answers: &str, asked: &str) {
    match serde_json::from_str(answers).expect("JSON") {
        Value::Array(all) => all.iter().for_each(|answer| check_answer(answer, asked)),
        answer => check_answer(&answer, asked),
    }
}

fn check_answer(answer: &Value, asked: &str) {
    let object = answer.as_object().expect("an object");
    match object.get("error") {
        Some(error) => {
            let error = error.as_str().expect("a text");
            assert!(!error.is_empty() && error.len() < 2_000, "{error}");
            assert!(answer.to_string().len() < 6 * asked.len() + 10_000);
        }
        None => _ = ANSWERED.fetch_add(1, Ordering::Relaxed),
    }
}
