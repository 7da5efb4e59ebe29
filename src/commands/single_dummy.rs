//! `setrograde single-dummy`: what can be made sure of with hidden hands.

use std::sync::Arc;

use clap::Args;
use setrograde_cards::Card;
use setrograde_claim::{Knowledge, in_words};
use setrograde_games::{Strengths, View};
use setrograde_lookup::Database;
use setrograde_review::{cards_by_suit, shown};
use setrograde_single_dummy::{Odds, Options, SingleDummy, card_odds, single_dummy};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::interrupt;
use crate::json::{CardLayouts, SingleDummyAnswer, SingleDummyTarget, SingleDummyTargets, Whole};
use crate::questions::{Answer, NoAnswer};

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
    /// Show a plan that is sure in as many layouts as any.
    #[arg(long, requires = "tricks")]
    plan: bool,
    /// Give up on a target after N search nodes.
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

/// The answer for one target.
struct Found {
    tricks: u8,
    single: SingleDummy,
    /// The layouts in which each card reaches the target with all cards known.
    double_dummy: Vec<(Card, u128)>,
}

impl Found {
    fn double_dummy(&self, card: Card) -> Option<u128> {
        let known = self.double_dummy.iter();
        known
            .copied()
            .find_map(|(other, layouts)| (other == card).then_some(layouts))
    }

    fn object(&self) -> SingleDummyTarget {
        let cards = self.single.cards.iter();
        SingleDummyTarget {
            tricks: self.tricks,
            layouts: self.single.sure(),
            cards: cards
                .map(|&(card, layouts)| CardLayouts {
                    card,
                    layouts,
                    double_dummy: self.double_dummy(card).map(Whole),
                })
                .collect(),
        }
    }

    /// The cards that are sure in as many layouts as any, by suit.
    fn best(&self) -> String {
        let sure = self.single.sure();
        let best = self.single.cards.iter().filter(|&&(_, of)| of == sure);
        cards_by_suit(&best.map(|&(card, _)| card).collect::<Vec<_>>())
    }
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
        let left = view.tricks_left() as u8;
        let odds = match database {
            Some(database) if view.tricks_left() <= database.max_level() => {
                card_odds(&view, &beliefs, database, cancel)?
            }
            _ => Vec::new(),
        };
        let find = |tricks: u8| {
            let single = single_dummy(&view, &beliefs, tricks, &options)?;
            let reach = |odds: &Odds| odds.counts.iter().skip(tricks.into()).sum();
            let double_dummy = odds.iter().map(|(card, odds)| (*card, reach(odds)));
            Ok::<_, NoAnswer>(Found {
                tricks,
                single,
                double_dummy: double_dummy.collect(),
            })
        };
        let Some(tricks) = self.tricks else {
            let mut targets = Vec::new();
            for tricks in 1..=left {
                let found = find(tricks)?;
                let hopeless = found.single.sure() == 0;
                targets.push(found);
                if hopeless {
                    break;
                }
            }
            return Ok(match self.answers.json {
                true => Answer::json(SingleDummyTargets {
                    question: text,
                    of: targets.first().map_or(0, |found| found.single.layouts),
                    targets: targets.iter().map(Found::object).collect(),
                }),
                false => Answer::Text(targets_in_words(text, &targets)),
            });
        };
        let found = find(tricks)?;
        let single = &found.single;
        if self.answers.json {
            return Ok(Answer::json(SingleDummyAnswer {
                question: text,
                of: single.layouts,
                target: found.object(),
                plan: single.plan.as_ref(),
            }));
        }
        let share = |sure| share(sure, single.layouts);
        let mut answer = format!("{text}\t{}", share(single.sure()));
        for &(card, sure) in &single.cards {
            answer += &format!("\n  {} {}", shown(card), share(sure));
            if let Some(seen) = found.double_dummy(card) {
                answer += &format!(", double dummy {}", share(seen as usize));
            }
        }
        answer.push('\n');
        if let Some(plan) = &single.plan {
            answer += &in_words(&Knowledge::of(&question)?, plan);
        }
        Ok(Answer::Text(answer))
    }
}

/// A line for each number of tricks: the layouts in which the best line takes them, and the
/// cards that begin it.
fn targets_in_words(text: &str, targets: &[Found]) -> String {
    let mut answer = format!("{text}\n  tricks  sure in               double dummy  best\n");
    for found in targets {
        let of = found.single.layouts;
        let seen = found.double_dummy.iter().map(|&(_, layouts)| layouts).max();
        let seen = seen.map_or_else(String::new, |seen| {
            format!("{:.1} %", percent(seen as usize, of))
        });
        let (tricks, sure) = (found.tricks, share(found.single.sure(), of));
        answer += &format!("  {tricks:6}  {sure:20}  {seen:>12}  ");
        answer += &match found.single.sure() {
            0 => "–".to_owned(),
            _ => found.best(),
        };
        answer.push('\n');
    }
    answer
}

fn share(sure: usize, count: usize) -> String {
    format!("{sure} of {count} ({:.1} %)", percent(sure, count))
}

fn percent(part: usize, all: usize) -> f64 {
    100.0 * part as f64 / all as f64
}
