//! `setrograde odds`: how many tricks over all layouts of hidden hands.

use clap::Args;
use setrograde::ask::Odds;
use std::ffi::OsString;

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::draw::DrawArguments;
use crate::arguments::shared::{AnswerArguments, RulesArgument};

/// Count double-dummy tricks over layouts of hidden hands.
#[derive(Args)]
#[command(after_help = include_str!("../help/odds.txt"))]
pub struct OddsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    #[command(flatten)]
    rules: RulesArgument,
    /// Also show the odds of every card that may be played, for its own side.
    #[arg(long)]
    all: bool,
    /// Also show the odds for every split of each suit.
    #[arg(long)]
    by_split: bool,
    #[command(flatten)]
    draw: DrawArguments,
    #[command(flatten)]
    answers: AnswerArguments,
    /// The question, or `-` to read one per line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<OsString>,
}

pub fn run(arguments: &OddsArguments) -> anyhow::Result<Outcome> {
    let ask = Odds {
        conditions: arguments.condition.texts(),
        rules: arguments.rules.rules(),
        all: arguments.all,
        by_split: arguments.by_split,
        draw: arguments.draw.draw,
        until: arguments.draw.until,
        seed: arguments.draw.seed,
    };
    let questions = arguments.answers.questions(&arguments.question, 4, false);
    questions.ask(&ask, || arguments.db.desk())
}
