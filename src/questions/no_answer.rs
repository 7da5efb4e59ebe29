//! The failure of a command whose only question has no answer.

use std::error::Error;
use std::fmt::{self, Display};

/// The failure of a command whose only question has no answer, exit status 3.
#[derive(Debug)]
pub struct Refused(String);

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Refused {}

/// The error that there is no answer to the only question.
pub fn refused(why: impl Display) -> anyhow::Error {
    Refused(why.to_string()).into()
}
