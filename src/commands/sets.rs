//! `setrograde sets`: the sets of a partition.

use std::fmt::Write;

use clap::Args;
use setrograde_cards::Position;
use setrograde_lookup::{Database, Ending, EndingSet};
use setrograde_review::position_line;

use crate::Outcome;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::json::{Owners, PartitionSets, SetOfEndings, Whole};
use crate::output::explanation::set_line;
use crate::questions::{Answer, NoAnswer};

/// List the sets of endings that share a value, in the partition of an ending.
#[derive(Args)]
#[command(after_help = include_str!("../help/sets.txt"))]
pub struct SetsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Show the counts only, not the sets.
    #[arg(long)]
    counts: bool,
    #[command(flatten)]
    answers: AnswerArguments,
    /// STRAIN LEADER DEAL, or files with one question a line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &SetsArguments) -> anyhow::Result<Outcome> {
    let database = arguments.db.required()?;
    let answers = &arguments.answers;
    let questions = answers.questions(&arguments.question, 1, Some(position_line));
    questions.run(
        || (),
        |(), question| arguments.answer(&database, question.text),
    )
}

impl SetsArguments {
    fn answer(&self, database: &Database, question: &str) -> Result<Answer, NoAnswer> {
        let position: Position = question.parse()?;
        let ending = Ending::from_position(&position)?;
        let located = database.locate(&ending);
        let located = located?;
        let located = located.ok_or_else(|| database.not_held(&ending))?;
        let count = |set: &EndingSet| located.distribution(set);
        let all = count(&EndingSet::EVERYTHING)?;
        let counts = &all[..=ending.level()];
        let mut sets = Vec::new();
        if !self.counts {
            for (set, tricks) in located.sets()? {
                let endings: u128 = count(&set)?.iter().sum();
                sets.push((set, tricks, endings));
            }
        }
        if self.answers.json {
            let sets = sets.iter().map(|(set, tricks, endings)| SetOfEndings {
                tricks: *tricks,
                endings: Whole(*endings),
                set: Owners::new(&ending, set),
            });
            return Ok(Answer::json(PartitionSets {
                question,
                leader: ending.leader(),
                endings: Whole(counts.iter().sum()),
                counts: counts.iter().map(|&count| Whole(count)).collect(),
                sets: (!self.counts).then(|| sets.collect()),
            }));
        }
        let counts: Vec<String> = counts.iter().map(u128::to_string).collect();
        let mut text = format!("{question}\tcounts={}", counts.join(","));
        for (set, tricks, endings) in &sets {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {tricks}\t{endings}\t{}", set_line(&ending, set));
        }
        Ok(Answer::Text(text))
    }
}
