//! `setrograde claim check`.

use std::ffi::OsString;
use std::io::{self, Write};

use anyhow::{Context, bail};
use clap::Args;
use serde_json::Value;
use setrograde::layouts;
use setrograde_claim::{Core, Plan, check_core, check_plan, tricks};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::questions::sources::InputSource;
use setrograde::VERSION;

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
    let knowledge = arguments.condition.read_knowledge(&arguments.question)?;
    let source = InputSource::new(&arguments.proof);
    let name = source.name();
    let text = source.text(LONGEST)?;
    let value: Value = serde_json::from_str(&text).with_context(|| name.to_string())?;
    if let Some(version) = value.get("version").filter(|&version| *version != VERSION) {
        bail!("{name}: it has version {version}, and this program reads version {VERSION}");
    }
    let checked = if value.get("steps").is_none() {
        let core: Core = serde_json::from_str(&text).with_context(|| name.to_string())?;
        let right = format!("no plan takes {} in all layouts", tricks(core.tricks));
        check_core(&knowledge, &core)
            .map(|()| right)
            .map_err(|error| error.to_string())
    } else {
        let plan: Plan = serde_json::from_str(&text).with_context(|| name.to_string())?;
        let where_right = match &plan.among {
            Some(among) => layouts(among.len() as u128),
            None => "all layouts".to_owned(),
        };
        let right = format!("the plan takes {} in {where_right}", tricks(plan.tricks));
        check_plan(&knowledge, &plan)
            .map(|()| right)
            .map_err(|error| error.to_string())
    };
    let (text, outcome) = match checked {
        Ok(text) => (format!("right: {text}"), Outcome::Done),
        Err(problem) => (format!("wrong: {problem}"), Outcome::NotSure),
    };
    writeln!(io::stdout(), "{text}")?;
    Ok(outcome)
}
