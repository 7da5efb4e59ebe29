//! `setrograde query`: asks a database.

use clap::Args;
use setrograde::ask::Query;
use setrograde::{Desk, Style};
use std::ffi::OsString;

use crate::Outcome;
use crate::arguments::boards::BoardArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::interrupt;
use crate::questions::Questions;

/// Look up endings: tricks for the leader's side with best play.
#[derive(Args)]
#[command(after_help = include_str!("../help/query.txt"))]
pub struct QueryArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Show the deal, and the set of endings that proves the value.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Print the size of that set: the number of deals with the same proof. For
    /// positions at the start of a trick.
    #[arg(long)]
    count: bool,
    /// Print the bounds of a coarse level, and do not search where they leave the value open.
    #[arg(long)]
    no_search: bool,
    #[command(flatten)]
    board: BoardArgument,
    #[command(flatten)]
    answers: AnswerArguments,
    /// STRAIN LEADER DEAL, or files with one question per line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<OsString>,
}

pub fn run(arguments: &QueryArguments) -> anyhow::Result<Outcome> {
    let database = arguments.db.required()?;
    let ask = Query {
        count: arguments.count,
        no_search: arguments.no_search,
    };
    let questions = Questions {
        style: Style {
            explain: arguments.explain,
            ..Style::default()
        },
        wanted: arguments.board.numbers(),
        ..arguments.answers.questions(&arguments.question, 256, true)
    };
    let mut desk = Desk::new(Some(database));
    desk.set_stop(interrupt::stop());
    questions.ask(&ask, || Ok(desk))
}
