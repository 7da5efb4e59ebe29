//! `setrograde db sets`: the sets of a partition.

use clap::Args;
use serde::Serialize;
use setrograde::ask::Owners;
use setrograde::cards::{LargeCount, Position, Seat};
use setrograde::lookup::{Database, Ending, EndingSet};
use setrograde::{Refusal, Report, Start, Words, set_line};
use setrograde_beliefs::joined;
use std::ffi::OsString;

use crate::Outcome;
use crate::arguments::database::{DatabaseArgument, desk};
use crate::arguments::shared::AnswerArguments;
use crate::questions::Question;

/// List the sets of endings that share a value, in the partition of an ending.
#[derive(Args)]
#[command(after_help = include_str!("../help/sets.txt"))]
pub struct SetsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Show the counts only, not the sets.
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    answers: AnswerArguments,
    /// STRAIN LEADER DEAL, or files with one question per line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<OsString>,
}

pub fn run(arguments: &SetsArguments) -> anyhow::Result<Outcome> {
    let database = arguments.db.required()?;
    let questions = arguments.answers.questions(&arguments.question, 1, true);
    questions.run(&desk(), |_, question: &Question<'_, Start>| {
        sets(&database, question.ask.position()?, arguments.count)
    })
}

fn sets(database: &Database, position: &Position, counts: bool) -> Result<Sets, Refusal> {
    let ending = Ending::from_position(position)?;
    let located = database.locate(&ending)?;
    let located = located.ok_or_else(|| database.not_held(&ending))?;
    let count = |set: &EndingSet| located.distribution(set);
    let all = count(&EndingSet::EVERYTHING)?;
    let mut sets = Vec::new();
    if !counts {
        for (set, tricks) in located.sets()? {
            sets.push(SetOfEndings {
                tricks,
                endings: LargeCount(count(&set)?.iter().sum()),
                set: Owners::new(&ending, &set),
                line: set_line(&ending, &set),
            });
        }
    }
    Ok(Sets {
        leader: ending.leader(),
        endings: LargeCount(all.iter().sum()),
        counts: all[..=ending.level()]
            .iter()
            .copied()
            .map(LargeCount)
            .collect(),
        sets: (!counts).then_some(sets),
    })
}

/// The sets of a partition.
#[derive(Serialize)]
struct Sets {
    leader: Seat,
    endings: LargeCount,
    counts: Vec<LargeCount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sets: Option<Vec<SetOfEndings>>,
}

#[derive(Serialize)]
struct SetOfEndings {
    tricks: u8,
    endings: LargeCount,
    set: Owners,
    #[serde(skip)]
    line: String,
}

impl Report for Sets {
    fn words(&self, to: &mut Words) {
        let counts = joined(self.counts.iter().map(|of| of.0), ",");
        to.beside(format_args!("counts={counts}"));
        for set in self.sets.iter().flatten() {
            let (tricks, endings, line) = (set.tricks, set.endings.0, &set.line);
            to.line(format_args!("  {tricks}\t{endings}\t{line}"));
        }
    }
}
