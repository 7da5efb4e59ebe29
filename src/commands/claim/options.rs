//! Options that are texts of their own: read late, so that a bad one is bad input
//! like a bad question.

use std::fmt::Display;
use std::str::FromStr;

use setrograde_claim::QuestionError;

use crate::Outcome;
use crate::output::say;

/// Reads what an option says, as `--if` or `--line`.
pub fn option<T: FromStr<Err = QuestionError>>(name: &str, text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{name}: {error}"))
}

/// The same of an option that may be left out.
pub fn option_if_any<T: FromStr<Err = QuestionError>>(
    name: &str,
    text: Option<&String>,
) -> Result<Option<T>, String> {
    text.map(|text| option(name, text)).transpose()
}

/// Says why there is no answer to the only question.
pub fn refused(error: impl Display) -> anyhow::Result<Outcome> {
    say(format_args!("setrograde: {error}"));
    Ok(Outcome::SomeUnanswered)
}
