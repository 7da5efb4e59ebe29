//! `setrograde query`: asks a database.

use std::path::{Path, PathBuf};

use clap::Args;
use setrograde_cards::Position;
use setrograde_lookup::{Answer, Bounds, Database, Ending, ProbeError};

use crate::Outcome;
use crate::arguments::database::open;
use crate::arguments::shared::{AnswerArguments, DatabaseArgument, required_database};
use crate::json::{Owners, PositionTricks, Whole};
use crate::output::diagram_svg::diagram_svg;
use crate::output::explain::{Answered, explain};
use crate::output::unfinished::write_file;
use crate::questions::boards::position_line;
use crate::questions::{Answer as Said, NoAnswer};

/// Look up endings: tricks for the leader's side with best play.
#[derive(Args)]
#[command(mut_arg("db", required_database))]
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
    /// Draw the decision diagram that holds the ending into this file.
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    answers: AnswerArguments,
    /// STRAIN LEADER DEAL, or files with one question a line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &QueryArguments) -> anyhow::Result<Outcome> {
    let database = open(arguments.db.required())?;
    if let Some(path) = &arguments.svg {
        draw(&database, &arguments.question.join(" "), path)?;
    }
    let asker = Asker {
        database: &database,
        explain: arguments.explain,
        count: arguments.count,
        json: arguments.answers.json,
    };
    let questions = arguments
        .answers
        .questions(&arguments.question, 256, Some(position_line));
    let outcome = questions.run(|| (), |(), question| asker.answer(question.text))?;
    Ok(outcome)
}

fn draw(database: &Database, question: &str, path: &Path) -> anyhow::Result<()> {
    let position: Position = question.parse()?;
    let svg = diagram_svg(database, &position)?;
    write_file(path, &svg)
}

struct Asker<'a> {
    database: &'a Database,
    explain: bool,
    count: bool,
    json: bool,
}

impl Asker<'_> {
    fn answer(&self, question: &str) -> Result<Said, NoAnswer> {
        let position: Position = question.parse()?;
        let answered =
            look_up(self.database, &position).map_err(|error| NoAnswer::refused(&error))?;
        let deals = match self.count {
            true => Some(self.deals(&answered)?),
            false => None,
        };
        Ok(self.answer_text(question, &position, &answered, deals))
    }

    /// The number of deals in the set that proves the value.
    fn deals(&self, answered: &Answered) -> Result<u128, NoAnswer> {
        let Some((ending, set)) = &answered.proof else {
            let problem = "--count is for positions at the start of a trick";
            return Err(NoAnswer::Refused(problem.to_owned()));
        };
        let located = self.database.locate(ending);
        let located = located.map_err(|error| NoAnswer::refused(&error))?;
        let located = located.ok_or_else(|| NoAnswer::refused(&self.database.not_held(ending)))?;
        let counts = located.distribution(set);
        let counts = counts.map_err(|error| NoAnswer::refused(&error))?;
        Ok(counts.iter().sum())
    }

    fn answer_text(
        &self,
        question: &str,
        position: &Position,
        answered: &Answered,
        deals: Option<u128>,
    ) -> Said {
        if self.json {
            let proof = answered.proof.as_ref();
            return Said::json(PositionTricks {
                question,
                leader: position.leader().to_string(),
                tricks: answered.value,
                tricks_left: position.tricks_left(),
                deals: deals.map(Whole),
                set: proof.map(|(ending, set)| Owners::new(ending, set)),
            });
        }
        let mut line = format!("{question}\t{}", answered.value);
        if let Some(deals) = deals {
            line += &format!(" deals={deals}");
        }
        Said::Text(match self.explain {
            true => format!("{line}\n\n{}", explain(position, answered)),
            false => line,
        })
    }
}

/// The value of a position and, where it is looked up at the start of a trick,
/// the set that proves it, made as wide as dropping known cards can make it.
fn look_up(database: &Database, position: &Position) -> Result<Answered, ProbeError> {
    let searched = || {
        Ok(Answered {
            value: database.position_value(position)?,
            proof: None,
        })
    };
    if !position.is_trick_boundary() {
        return searched();
    }
    let ending = Ending::from_position(position)?;
    // Of a level that is not whole, one trick is searched, down to the next.
    let Some(located) = database.locate(&ending)? else {
        return searched();
    };
    let Answer { value, set } = located.answer()?;
    let set = located.widen(&set, Bounds::exactly(value));
    Ok(Answered {
        value,
        proof: Some((ending, set)),
    })
}
