//! `setrograde query`: asks a database.

use clap::Args;
use setrograde_cards::Position;
use setrograde_lookup::Database;
use setrograde_review::position_line;

use crate::Outcome;
use crate::arguments::boards::BoardArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::json::{Owners, PositionTricks, Whole};
use crate::output::explanation::Explanation;
use crate::questions::{Answer, NoAnswer, Question, Questions};

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
    #[command(flatten)]
    board: BoardArgument,
    #[command(flatten)]
    answers: AnswerArguments,
    /// STRAIN LEADER DEAL, or files with one question a line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &QueryArguments) -> anyhow::Result<Outcome> {
    let database = arguments.db.required()?;
    let answers = &arguments.answers;
    let questions = Questions {
        wanted: arguments.board.numbers(),
        ..answers.questions(&arguments.question, 256, Some(position_line))
    };
    questions.run(|| (), |(), question| arguments.answer(&database, question))
}

impl QueryArguments {
    fn answer(&self, database: &Database, question: &Question<'_>) -> Result<Answer, NoAnswer> {
        if question.asks_for_table() {
            let problem = "it has no contract: no strain, no leader";
            return Err(NoAnswer::Refused(problem.to_owned()));
        }
        let position: Position = question.text.parse()?;
        let found = Explanation::new(database, &position)?;
        let deals = match self.count {
            true => Some(deals(database, &found)?),
            false => None,
        };
        if self.answers.json {
            let proof = found.proof.as_ref();
            return Ok(Answer::json(PositionTricks {
                question: question.text,
                leader: position.leader(),
                tricks: found.value,
                tricks_left: position.tricks_left(),
                deals: deals.map(Whole),
                set: proof.map(|(ending, set)| Owners::new(ending, set)),
            }));
        }
        let deals = deals.map_or(String::new(), |deals| format!(" deals={deals}"));
        let line = question.told(format_args!("{}{deals}", found.value));
        Ok(Answer::Text(match self.explain {
            true => format!("{line}\n\n{found}"),
            false => line,
        }))
    }
}

/// The number of deals in the set that proves the value.
fn deals(database: &Database, found: &Explanation) -> Result<u128, NoAnswer> {
    let Some((ending, set)) = &found.proof else {
        return Err(NoAnswer::Refused(
            "--count is for positions at the start of a trick".to_owned(),
        ));
    };
    let located = database.locate(ending)?;
    let located = located.ok_or_else(|| database.not_held(ending))?;
    Ok(located.distribution(set)?.iter().sum())
}
