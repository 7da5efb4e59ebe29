//! `setrograde single-dummy`: what can be made sure of with hidden hands.

use anyhow::bail;
use clap::Args;
use setrograde::{Either, SureTargets, SureTricks};
use setrograde_beliefs::Question;
use setrograde_claim::Knowledge;
use setrograde_games::{Strengths, View};
use setrograde_lookup::Database;
use setrograde_single_dummy::{Options, SureTarget, card_odds, single_dummy};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::commands::best_line::LineArguments;
use crate::interrupt;
use crate::questions::sources::Source;
use crate::questions::{NoAnswer, refuse_as_output};
use crate::session::Session;

/// Find in how many layouts a target is sure, and how to play for it.
#[derive(Args)]
#[command(after_help = include_str!("../help/single_dummy.txt"))]
pub struct SingleArguments {
    /// The tricks that the side to play wants, of those left. [default: each number]
    #[arg(long, alias = "target", value_name = "N")]
    tricks: Option<u8>,
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    /// Show a plan that is sure in as many layouts as any, with --tricks; the best line, with
    /// --layouts.
    #[arg(long)]
    plan: bool,
    /// Give up on a target after N search nodes.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    limit: u64,
    #[command(flatten)]
    given: LineArguments,
    #[command(flatten)]
    answers: AnswerArguments,
    /// The question, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &SingleArguments) -> anyhow::Result<Outcome> {
    arguments.condition.read()?;
    if let (Some(layouts), Some(output)) = (&arguments.given.layouts, &arguments.answers.output) {
        let named = layouts.to_str().map(Source::new);
        refuse_as_output(output, &[named.unwrap_or(Source::File(layouts.clone()))])?;
    }
    let database = arguments.db.open(Session::terminal())?;
    let (tricks, plan) = (arguments.tricks, arguments.plan);
    let given = (arguments.given).read(tricks, plan, arguments.limit, database.as_ref())?;
    if plan && tricks.is_none() && given.is_none() {
        bail!("--plan needs --tricks N or --layouts FILE");
    }
    let questions = arguments.answers.questions(&arguments.question, 1, false);
    if let Some(given) = given {
        return questions.run(|| (), |(), question| given.answer(question.ask));
    }
    questions.run(
        || (),
        |(), question| arguments.answer(database.as_deref(), question.ask),
    )
}

impl SingleArguments {
    fn answer(
        &self,
        database: Option<&Database>,
        question: &Question,
    ) -> Result<Either<SureTricks, SureTargets>, NoAnswer> {
        let question = self.condition.ask(question)?;
        let view = View::of_bridge(&question)?;
        let beliefs = view.beliefs(&Strengths::NONE)?;
        let stop = interrupt::stop();
        let options = Options {
            database,
            most_visits: self.limit,
            plan: self.plan,
            stop: stop.clone(),
        };
        let known = match database {
            Some(database) if view.tricks_left() <= database.max_level() => {
                card_odds(&view, &beliefs, database, &stop)?
            }
            _ => Vec::new(),
        };
        let find = |tricks| single_dummy(&view, &beliefs, tricks, &options);
        if let Some(tricks) = self.tricks {
            let found = find(tricks)?;
            return Ok(Either::One(SureTricks {
                of: found.layouts,
                target: SureTarget::new(tricks, &found, &known),
                knowledge: match found.plan {
                    Some(_) => Some(Knowledge::of(&question)?),
                    None => None,
                },
                plan: found.plan,
            }));
        }
        let (mut of, mut targets) = (0, Vec::new());
        for tricks in 1..=view.tricks_left() as u8 {
            let found = find(tricks)?;
            of = found.layouts;
            targets.push(SureTarget::new(tricks, &found, &known));
            if found.sure() == 0 {
                break;
            }
        }
        Ok(Either::Other(SureTargets { of, targets }))
    }
}
