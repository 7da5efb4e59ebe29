//! The failure of a command whose only question has no answer.

use std::error::Error;
use std::fmt::{self, Display};

use setrograde::{Ask, Refusal, RefusalKind, Spelling};

use crate::output::errors::hinted;

/// The failure of a command whose only question has no answer, exit status 3.
#[derive(Debug)]
pub struct Refused(Refusal);

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hinted(&self.0, self.0.sentence(Spelling::CommandLine)))
    }
}

impl Error for Refused {}

/// The error that there is no answer to the only question.
pub fn refused(why: impl Into<Refusal>) -> anyhow::Error {
    Refused(why.into()).into()
}

/// The error that a request has no answer, whatever the question.
pub fn refused_request(why: Refusal) -> anyhow::Error {
    let kind = RefusalKind::Request;
    refused(Refusal { kind, ..why })
}

/// Checks the options of a question before anything is read.
pub fn check_options(ask: &impl Ask) -> anyhow::Result<()> {
    ask.check().map_err(refused_request)
}
