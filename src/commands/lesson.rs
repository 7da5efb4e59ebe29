//! `setrograde lesson`: the questions that a teacher asks about deals.

use clap::Args;
use setrograde::ask::Lesson;
use std::ffi::OsString;

use crate::Outcome;
use crate::arguments::draw::DrawArguments;
use crate::arguments::numbers::whole;
use crate::arguments::solver::SolverArguments;

/// Report what can be proved about deals: sure tricks, the chance of the best line, where double
/// dummy misleads.
#[derive(Args)]
#[command(after_help = include_str!("../help/lesson.txt"))]
pub struct LessonArguments {
    /// Maximum number of search nodes for each question of sure tricks; beyond it the answer has
    /// bounds.
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = whole::<u64>(..))]
    limit: u64,
    #[command(flatten)]
    draw: DrawArguments,
    #[command(flatten)]
    solver: SolverArguments,
    /// Files of boards, or of deals in PBN, one per line; or a deal. `-` is standard input.
    #[arg(required = true, value_name = "DEALS")]
    deals: Vec<OsString>,
}

pub fn run(arguments: &LessonArguments) -> anyhow::Result<Outcome> {
    let ask = Lesson {
        limit: arguments.limit,
        draw: arguments.draw.draw,
        until: arguments.draw.until,
        seed: arguments.draw.seed,
    };
    arguments.solver.run(&ask, &arguments.deals)
}
