//! `setrograde claim check`.

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::Context;
use clap::Args;
use setrograde::ProofCheck;

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::questions::refused;
use crate::questions::sources::InputSource;

/// Maximum number of bytes of a plan or a core.
const LONGEST: u64 = 256 << 20;

/// Check a plan, or layouts that refute a claim.
#[derive(Args)]
#[command(after_help = include_str!("../../help/claim_check.txt"))]
pub struct CheckArguments {
    #[command(flatten)]
    condition: ConditionArgument,
    /// The question, in quotes, in the form that `claim` reads.
    question: String,
    /// The plan or the core, as JSON; `-` for standard input.
    #[arg(value_name = "FILE")]
    proof: OsString,
}

pub fn run(arguments: &CheckArguments) -> anyhow::Result<Outcome> {
    let conditions = arguments.condition.texts();
    let about = ProofCheck::new(&arguments.question, &conditions).map_err(refused)?;
    let source = InputSource::new(&arguments.proof);
    let name = source.name();
    let text = source.text(LONGEST)?;
    let checked = about.check(&text).with_context(|| name.to_string())?;
    let (text, outcome) = match checked {
        Ok(text) => (format!("right: {text}"), Outcome::Done),
        Err(problem) => (format!("wrong: {problem}"), Outcome::NotSure),
    };
    writeln!(io::stdout(), "{text}")?;
    Ok(outcome)
}
