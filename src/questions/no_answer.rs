//! The failure of a command whose only question has no answer.

use std::error::Error;
use std::fmt::{self, Display};

use setrograde::Ask;

/// The failure of a command whose only question has no answer, exit status 3.
#[derive(Debug)]
pub struct Refused {
    problem: String,
    /// True if an option is wrong, whatever the question.
    pub by_option: bool,
}

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl Error for Refused {}

/// The error that there is no answer to the only question.
pub fn refused(why: impl Display) -> anyhow::Error {
    let problem = why.to_string();
    let by_option = false;
    Refused { problem, by_option }.into()
}

/// The error that an option is wrong, whatever the question.
pub fn wrong_option(why: impl Display) -> anyhow::Error {
    let problem = why.to_string();
    let by_option = true;
    Refused { problem, by_option }.into()
}

/// Checks the options of a question before anything is read.
pub fn check_options(ask: &impl Ask) -> anyhow::Result<()> {
    ask.check().map_err(wrong_option)
}
