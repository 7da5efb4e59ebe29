//! `setrograde single`: what can be made sure of with hidden hands.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};
use setrograde_beliefs::SeatLimits;
use setrograde_cards::{Card, Suit};
use setrograde_games::{Strengths, View};
use setrograde_lookup::Database;
use setrograde_single_dummy::{
    Options, Plan, SearchError, SingleDummyError, card_odds, single_dummy,
};

use crate::Outcome;
use crate::arguments::database::DatabaseMemory;
use crate::arguments::threads::ThreadsArgument;
use crate::interrupt;
use crate::questions::{NoAnswer, Questions};

const EXAMPLES: &str = "\
A question is STRAIN LEADER DEAL with both hands of the side to play and `-` for
the hidden ones, as for `odds`. The answer is the exact number of layouts in which
that side can be sure of the target against defenders who see all cards, for each
card that may be played. With --db the number of layouts in which the card reaches
the target with all cards known stands beside it. At most 1,024 layouts (six tricks).

Examples:
  setrograde single --target 3 'NT S N:AQT... - J.Q9.. - hidden=K9.AKJT..'
  setrograde single --target 4 --plan --db db 'NT W W:KJT.A.. - A98.2.. - hidden=Q32.KQ54.2.'";

/// Find in how many layouts a target is sure, and how to play for it.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct SingleArguments {
    /// How many of the tricks left the side to play wants.
    #[arg(long, value_name = "N")]
    target: u8,
    /// Endgame database, to show also what each card reaches double dummy.
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    #[command(flatten)]
    db_memory: DatabaseMemory,
    /// What is known of a hand, as E:S2-3,5-8hcp; may be repeated.
    #[arg(long, value_name = "LIMITS")]
    limits: Vec<SeatLimits>,
    /// Show a plan that is sure in as many layouts as any.
    #[arg(long)]
    plan: bool,
    /// Give up on a question after that many positions.
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    limit: u64,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// The question, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &SingleArguments) -> anyhow::Result<Outcome> {
    let open = |path: &PathBuf| arguments.db_memory.open(path);
    let database = arguments.db.as_ref().map(open).transpose()?;
    let questions = Questions::lines(
        &arguments.question,
        arguments.threads.count(),
        arguments.json,
        1,
    );
    let outcome = questions.run(
        || (),
        |(), question| {
            let found = arguments.find(database.as_ref(), question.text)?;
            Ok(match arguments.json {
                true => found.json(question.text),
                false => found.text(question.text),
            })
        },
    )?;
    if let Some(database) = &database {
        arguments.db_memory.report(database);
    }
    Ok(outcome)
}

impl From<SingleDummyError> for NoAnswer {
    fn from(error: SingleDummyError) -> NoAnswer {
        match error {
            SingleDummyError::Search(SearchError::Cancelled) => NoAnswer::Interrupted,
            error => NoAnswer::refused(&error),
        }
    }
}

/// What can be made sure of.
struct Found {
    target: u8,
    layouts: usize,
    /// In how many layouts the best card is sure.
    sure: usize,
    /// Each card with the layouts in which it is sure, and in which it wins with
    /// all cards known if that was looked up.
    cards: Vec<(Card, usize, Option<u128>)>,
    plan: Option<Plan>,
}

impl SingleArguments {
    fn find(&self, database: Option<&Database>, text: &str) -> Result<Found, NoAnswer> {
        let view = View::read_bridge(text, SeatLimits::by_seat(&self.limits))?;
        let beliefs = view
            .beliefs(&Strengths::NONE)
            .map_err(|error| NoAnswer::refused(&error))?;
        let cancel = interrupt::flag();
        let options = Options {
            database,
            most_visits: self.limit,
            plan: self.plan,
            cancel: Arc::clone(cancel),
        };
        let found = single_dummy(&view, &beliefs, self.target, &options)?;
        let odds = match database {
            Some(database) => card_odds(&view, &beliefs, database, cancel)?,
            None => Vec::new(),
        };
        let reached = |card: Card| -> Option<u128> {
            let (_, odds) = odds.iter().find(|(of, _)| *of == card)?;
            Some(odds.counts.iter().skip(self.target.into()).sum())
        };
        Ok(Found {
            target: self.target,
            layouts: found.layouts,
            sure: found.sure(),
            cards: found
                .cards
                .iter()
                .map(|&(card, sure)| (card, sure, reached(card)))
                .collect(),
            plan: found.plan,
        })
    }
}

impl Found {
    fn json(&self, question: &str) -> String {
        let cards = self.cards.iter().map(|(card, sure, seen)| {
            json!({ "card": card.to_string(), "sure": sure, "double_dummy": seen })
        });
        json!({
            "question": question,
            "target": self.target,
            "layouts": self.layouts,
            "sure": self.sure,
            "cards": cards.collect::<Vec<Value>>(),
            "plan": self.plan.as_ref().map(|plan| written(plan, 0)),
        })
        .to_string()
    }

    fn text(&self, question: &str) -> String {
        let share = |sure| share(sure, self.layouts);
        let mut answer = format!("{question}\t{}", share(self.sure));
        for &(card, sure, seen) in &self.cards {
            answer += &format!("\n  {} {}", shown(card), share(sure));
            if let Some(seen) = seen {
                answer += &format!(", double dummy {}", share(seen as usize));
            }
        }
        if let Some(plan) = &self.plan {
            answer += &format!("\n{}", written(plan, 1));
        }
        answer.push('\n');
        answer
    }
}

fn share(sure: usize, count: usize) -> String {
    let percent = 100.0 * sure as f64 / count as f64;
    format!("{sure} of {count} ({percent:.1} %)")
}

fn shown(card: Card) -> String {
    format!("{}{}", card.suit.symbol(), card.rank)
}

/// The plan in words: what follows without a choice on one line, each branch on
/// a line of its own, further in.
fn written(plan: &Plan, depth: usize) -> String {
    match plan {
        Plan::Won => String::new(),
        Plan::Play { seat, card, then } => {
            let rest = written(then, depth);
            let join = if rest.is_empty() || rest.starts_with('\n') {
                ""
            } else {
                ", "
            };
            format!("{} {}{join}{rest}", seat.name(), shown(*card))
        }
        Plan::Reply { seat, branches } => match &branches[..] {
            [(_, then)] => written(then, depth),
            branches => {
                let indent = "  ".repeat(depth + 1);
                let branch = |(cards, then): &(setrograde_beliefs::CardSet, Plan)| {
                    let suits = Suit::ALL.into_iter().filter_map(|suit| {
                        let holding = cards.holding(suit);
                        (!holding.is_empty()).then(|| format!("{}{holding}", suit.symbol()))
                    });
                    let cards = suits.collect::<Vec<_>>().join(" ");
                    let rest = written(then, depth + 1);
                    let rest = if rest.is_empty() {
                        "sure".to_owned()
                    } else {
                        rest
                    };
                    format!("\n{indent}{} plays {cards}: {rest}", seat.name())
                };
                branches.iter().map(branch).collect()
            }
        },
    }
}
