//! `setrograde single-dummy`: the best line with hidden hands.

use anyhow::bail;
use clap::Args;
use setrograde::ask::SingleDummy;
use std::ffi::OsString;

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::numbers::whole;
use crate::arguments::shared::AnswerArguments;
use crate::commands::best_line::LineArguments;
use crate::questions::sources::InputSource;
use crate::questions::{refuse_as_output, refused};

/// Find in how many layouts a target is sure, and how to play for it.
#[derive(Args)]
#[command(after_help = include_str!("../help/single_dummy.txt"))]
pub struct SingleArguments {
    /// Number of remaining tricks that the side to play wants. [default: each number]
    #[arg(long, value_name = "N", value_parser = whole::<u8>(..=13))]
    tricks: Option<u8>,
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    /// With --tricks, show a plan that is sure in the largest number of layouts; with --layouts,
    /// the best line.
    #[arg(long)]
    plan: bool,
    /// Give up on a target after N search nodes.
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = whole::<u64>(..))]
    limit: u64,
    #[command(flatten)]
    given: LineArguments,
    #[command(flatten)]
    answers: AnswerArguments,
    /// The question, or `-` to read one per line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<OsString>,
}

pub fn run(arguments: &SingleArguments) -> anyhow::Result<Outcome> {
    let SingleArguments { tricks, plan, .. } = *arguments;
    let conditions = arguments.condition.texts();
    conditions.check().map_err(refused)?;
    if let (Some(layouts), Some(output)) = (&arguments.given.layouts, &arguments.answers.output) {
        refuse_as_output(output, &[InputSource::new(layouts.as_os_str())])?;
    }
    let desk = arguments.db.desk()?;
    let given = arguments.given.read(tricks, plan, arguments.limit)?;
    let questions = arguments.answers.questions(&arguments.question, 1, false);
    if let Some(ask) = given {
        return questions.ask(&ask, || Ok(desk));
    }
    if plan && tricks.is_none() {
        bail!("--plan needs --tricks N or --layouts FILE");
    }
    let ask = SingleDummy {
        tricks,
        conditions,
        plan,
        limit: arguments.limit,
    };
    questions.ask(&ask, || Ok(desk))
}
