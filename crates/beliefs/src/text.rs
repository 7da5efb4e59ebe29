//! Numbers and lists as texts.

use std::borrow::Borrow;
use std::fmt::Display;
use std::str::FromStr;

/// Returns the texts of values with a text between them.
pub fn joined(values: impl IntoIterator<Item: Display>, between: &str) -> String {
    let texts = values.into_iter().map(|value| value.to_string());
    texts.collect::<Vec<_>>().join(between)
}

/// Returns texts with commas between them, and `word` before the last: `N, E and S`.
pub fn listed<T: Borrow<str>>(texts: &[T], word: &str) -> String {
    match texts {
        [more @ .., last] if !more.is_empty() => {
            format!("{} {word} {}", more.join(", "), last.borrow())
        }
        texts => texts.concat(),
    }
}

/// Returns a number and what is counted: `1 card`, `2 cards`.
pub fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A number of digits only, without a sign.
pub fn number<T: FromStr>(text: &str) -> Option<T> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}
