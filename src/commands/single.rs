//! `setrograde single-dummy`: what can be made sure of with hidden hands.

use std::sync::Arc;

use clap::Args;
use setrograde_cards::Card;
use setrograde_claim::{Knowledge, in_words};
use setrograde_games::{Strengths, View};
use setrograde_lookup::Database;
use setrograde_single_dummy::{Options, card_odds, single_dummy};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::interrupt;
use crate::json::{CardLayouts, SingleDummyAnswer, Whole};
use crate::questions::{Answer, NoAnswer};

/// Find in how many layouts a target is sure, and how to play for it.
#[derive(Args)]
#[command(after_help = include_str!("../help/single_dummy.txt"))]
pub struct SingleArguments {
    /// The tricks that the side to play wants, of those left.
    #[arg(long, alias = "target", value_name = "N")]
    tricks: u8,
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    /// Show a plan that is sure in as many layouts as any.
    #[arg(long)]
    plan: bool,
    /// Give up on a question after N search nodes.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    limit: u64,
    #[command(flatten)]
    answers: AnswerArguments,
    /// The question, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &SingleArguments) -> anyhow::Result<Outcome> {
    arguments.condition.read()?;
    let database = arguments.db.open()?;
    let questions = arguments.answers.questions(&arguments.question, 1, None);
    questions.run(
        || (),
        |(), question| arguments.answer(database.as_deref(), question.text),
    )
}

impl SingleArguments {
    fn answer(&self, database: Option<&Database>, text: &str) -> Result<Answer, NoAnswer> {
        let question = self.condition.ask(text)?;
        let view = View::of_bridge(&question)?;
        let beliefs = view.beliefs(&Strengths::NONE)?;
        let cancel = interrupt::flag();
        let options = Options {
            database,
            most_visits: self.limit,
            plan: self.plan,
            cancel: Arc::clone(cancel),
        };
        let found = single_dummy(&view, &beliefs, self.tricks, &options)?;
        let odds = match database {
            Some(database) if view.tricks_left() <= database.max_level() => {
                card_odds(&view, &beliefs, database, cancel)?
            }
            _ => Vec::new(),
        };
        let double_dummy = |card: Card| -> Option<u128> {
            let (_, odds) = odds.iter().find(|(other, _)| *other == card)?;
            Some(odds.counts.iter().skip(self.tricks.into()).sum())
        };
        let cards = found.cards.iter();
        let cards = cards.map(|&(card, sure)| (card, sure, double_dummy(card)));
        if self.answers.json {
            let cards = cards.map(|(card, layouts, double_dummy)| CardLayouts {
                card,
                layouts,
                double_dummy: double_dummy.map(Whole),
            });
            return Ok(Answer::json(SingleDummyAnswer {
                question: text,
                tricks: self.tricks,
                layouts: found.sure(),
                of: found.layouts,
                cards: cards.collect(),
                plan: found.plan.as_ref(),
            }));
        }
        let share = |sure| share(sure, found.layouts);
        let mut answer = format!("{text}\t{}", share(found.sure()));
        for (card, sure, seen) in cards {
            let symbol = card.suit.symbol();
            answer += &format!("\n  {symbol}{} {}", card.rank, share(sure));
            if let Some(seen) = seen {
                answer += &format!(", double dummy {}", share(seen as usize));
            }
        }
        answer.push('\n');
        if let Some(plan) = &found.plan {
            answer += &in_words(&Knowledge::of(&question)?, plan);
        }
        Ok(Answer::Text(answer))
    }
}

fn share(sure: usize, count: usize) -> String {
    let percent = 100.0 * sure as f64 / count as f64;
    format!("{sure} of {count} ({percent:.1} %)")
}
