//! `setrograde claim check`.

use std::io::{self, Read, Write};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;
use setrograde_claim::{Core, Plan, check_core, check_plan};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::questions::sources::Source;

/// The most bytes of a plan or a core.
const LONGEST: u64 = 256 << 20;

/// Check a plan, or layouts that refute a claim.
#[derive(Args)]
#[command(after_help = include_str!("../../help/claim_check.txt"))]
pub struct CheckArguments {
    #[command(flatten)]
    condition: ConditionArgument,
    /// The question, as for `claim`, in quotes.
    question: String,
    /// The plan or the core, as JSON; `-` for standard input.
    #[arg(value_name = "FILE")]
    proof: String,
}

pub fn run(arguments: &CheckArguments) -> anyhow::Result<Outcome> {
    arguments.condition.read()?;
    let knowledge = arguments
        .condition
        .read_knowledge(None, &arguments.question)?;
    let source = Source::new(&arguments.proof);
    let place = source.name();
    let mut text = String::new();
    let read = source.open()?.take(LONGEST + 1).read_to_string(&mut text);
    read.with_context(|| format!("{place}: cannot read"))?;
    if text.len() as u64 > LONGEST {
        bail!("{place}: longer than {LONGEST} bytes");
    }
    let value: Value = serde_json::from_str(&text).with_context(|| place.to_string())?;
    let checked = if value.get("steps").is_none() {
        let core: Core = serde_json::from_str(&text).with_context(|| place.to_string())?;
        check_core(&knowledge, &core)
            .map_err(|error| error.to_string())
            .map(|()| {
                let tricks = core.tricks;
                format!("no plan takes {tricks} tricks in all layouts")
            })
    } else {
        let plan: Plan = serde_json::from_str(&text).with_context(|| place.to_string())?;
        check_plan(&knowledge, &plan)
            .map_err(|error| error.to_string())
            .map(|()| {
                let layouts = plan.among.as_ref().map(|among| among.len().to_string());
                let layouts = layouts.as_deref().unwrap_or("all");
                format!("the plan takes {} tricks in {layouts} layouts", plan.tricks)
            })
    };
    let (text, outcome) = match checked {
        Ok(text) => (format!("right: {text}"), Outcome::Done),
        Err(problem) => (format!("wrong: {problem}"), Outcome::NotSure),
    };
    writeln!(io::stdout(), "{text}")?;
    Ok(outcome)
}
