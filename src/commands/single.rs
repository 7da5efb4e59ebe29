//! `setrograde single`: what can be made sure of with hidden hands.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::{Value, json};
use setrograde_beliefs::{Layout, SeatLimits};
use setrograde_cards::{Card, Suit};
use setrograde_claim::{Claims, Options};
use setrograde_lookup::Database;
use setrograde_play::alpha_mu::{AlphaMu, EXACT, Front, Plan, Valuation, Worlds};
use setrograde_play::clues::Strengths;
use setrograde_play::double_dummy::OpenCards;
use setrograde_play::games::Whist;
use setrograde_play::odds::card_odds;
use setrograde_play::{State, View};

use crate::Outcome;
use crate::arguments::threads::ThreadsArgument;
use crate::questions::{NoAnswer, Questions, views};

const EXAMPLES: &str = "\
A question is STRAIN LEADER DEAL with both hands of the side to play and `-` for
the hidden ones, as for `odds`. The answer is in how many layouts that side can be
sure of the target against defenders who see all cards, exactly. With --db every
card's layouts double dummy stand beside. At most 1,024 layouts (six tricks).

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
    /// A database, for the layouts double dummy.
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
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
    let database = arguments.db.as_ref().map(Database::open).transpose()?;
    let questions = Questions::lines(
        &arguments.question,
        arguments.threads.count(),
        arguments.json,
        1,
    );
    questions.run(
        || (),
        |(), question| {
            let found = arguments.find(database.as_ref(), question.text)?;
            Ok(match arguments.json {
                true => found.json(question.text),
                false => found.text(question.text),
            })
        },
    )
}

fn refused(error: impl ToString) -> NoAnswer {
    NoAnswer::Refused(error.to_string())
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
        let view = views::whist(text, &self.limits)?;
        self.check(&view)?;
        let beliefs = view.beliefs(&Strengths::NONE).map_err(refused)?;
        if beliefs.count() > Worlds::MOST as u128 {
            let (count, most) = (beliefs.count(), Worlds::MOST);
            return Err(refused(format!(
                "{count} layouts; at most {most} can be searched"
            )));
        }
        let layouts: Vec<Layout> = beliefs.layouts().collect();
        let weights = vec![1.0; layouts.len()];
        let cancel = Some(Arc::clone(crate::interrupt::flag()));
        let mut open = OpenCards::new(&view, self.target, database, cancel.clone());
        let mut value = open
            .as_mut()
            .map(|open| |world: usize, state: &State| open.reaches(world, state));
        let value = value.as_mut().map(|value| value as &mut Valuation<'_>);
        let known = (&layouts[..], &weights[..]);
        let mut claims = Claims::new(Options {
            memory: 16 << 20,
            cancel,
            ..Options::default()
        });
        let mut search =
            AlphaMu::new(&view, self.target, known, value, self.limit).with_claims(&mut claims);
        let fronts = search.cards(EXACT).map_err(refused)?;
        let too_long = || refused(format!("no answer within {} positions", self.limit));
        let fronts = fronts.ok_or_else(too_long)?;
        let sure = |front: &Front| front.best(&weights) as usize;
        let best = fronts.iter().max_by_key(|(_, front)| sure(front));
        let Some((card, front)) = best else {
            return Err(refused("there are no cards left to play"));
        };
        let plan = match self.plan {
            true => {
                let goal = front.sets().iter().copied().max_by_key(|set| set.len());
                search
                    .plan(*card, goal.unwrap_or_default())
                    .map_err(refused)?
            }
            false => None,
        };
        let odds = match database {
            Some(database) => card_odds(&view, &beliefs, database).map_err(refused)?,
            None => Vec::new(),
        };
        let reached = |card: Card| -> Option<u128> {
            let (_, odds) = odds.iter().find(|(of, _)| *of == card)?;
            Some(odds.counts.iter().skip(self.target.into()).sum())
        };
        Ok(Found {
            target: self.target,
            layouts: layouts.len(),
            sure: sure(front),
            cards: fronts
                .iter()
                .map(|(card, front)| (*card, sure(front), reached(*card)))
                .collect(),
            plan,
        })
    }

    /// Whether both hands of the side are shown, and the target can be asked for.
    fn check(&self, view: &View<Whist>) -> Result<(), NoAnswer> {
        let seat = view.to_play();
        if view.hand(seat).is_none() || view.hand(seat.partner()).is_none() {
            let (a, b) = (seat.name(), seat.partner().name());
            return Err(refused(format!("the hands of {a} and {b} must be shown")));
        }
        let (target, left) = (self.target, view.tricks_left());
        if usize::from(target) > left {
            return Err(refused(format!(
                "a target of {target} tricks: there are {left} left"
            )));
        }
        Ok(())
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
