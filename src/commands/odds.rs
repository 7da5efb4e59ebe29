//! `setrograde odds`: how many tricks over all layouts of hidden hands.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use setrograde_cards::{Card, Suit};
use setrograde_games::{Strengths, View};
use setrograde_lookup::Database;
use setrograde_single_dummy::{Odds, card_odds, odds};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::DatabaseArgument;
use crate::arguments::shared::AnswerArguments;
use crate::interrupt;
use crate::json::{self, CardChances, Chances, OddsAnswer};
use crate::output::chart::Chart;
use crate::output::errors::one_line;
use crate::questions::{Answer, NoAnswer};

/// Count double-dummy tricks over all layouts of hidden hands, exactly.
#[derive(Args)]
#[command(after_help = include_str!("../help/odds.txt"))]
pub struct OddsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    condition: ConditionArgument,
    /// Also show the odds of every card that may be played, for its own side.
    #[arg(long, alias = "cards")]
    all: bool,
    /// Also show the odds for every split of each suit.
    #[arg(long)]
    by_split: bool,
    #[command(flatten)]
    answers: AnswerArguments,
    /// Draw the chances as bars; for one question.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The question, or `-` to read one a line from standard input.
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,
}

pub fn run(arguments: &OddsArguments) -> anyhow::Result<Outcome> {
    if arguments.svg.is_some() && arguments.question == ["-"] {
        bail!("--svg draws one question; expected it on the command line, not `-`");
    }
    arguments.condition.read()?;
    let database = arguments.db.required()?;
    let questions = arguments.answers.questions(&arguments.question, 4, None);
    let outcome = questions.run(
        || (),
        |(), question| arguments.answer(&database, question.text),
    )?;
    Ok(outcome)
}

impl OddsArguments {
    fn answer(&self, database: &Database, text: &str) -> Result<Answer, NoAnswer> {
        let view = View::of_bridge(&self.condition.ask(text)?)?;
        let beliefs = view.beliefs(&Strengths::NONE)?;
        let cancel = interrupt::flag();
        let found = odds(&view, &beliefs, database, cancel)?;
        let left = view.tricks_left();
        let cards = match self.all {
            true => card_odds(&view, &beliefs, database, cancel)?,
            false => Vec::new(),
        };
        if let Some(path) = &self.svg {
            let chances = found.all.chances.iter().take(left + 1);
            let leader = view.trick().leader();
            let (name, partner) = (leader.name(), leader.partner().name());
            let (layouts, mean) = (found.all.layouts, found.all.mean());
            let chart = Chart {
                caption: &format!(
                    "Tricks of {name} and {partner} over {layouts} layouts, mean {mean:.2}"
                ),
                x: "tricks",
                bars: chances.map(|chance| 100.0 * chance).collect(),
                curves: Vec::new(),
            };
            let drawn = chart.draw(path);
            drawn.map_err(|error| NoAnswer::Refused(one_line(error.as_ref())))?;
        }
        if self.answers.json {
            let of_card = |(card, odds): &(Card, Odds)| CardChances::new(*card, odds, left);
            return Ok(Answer::json(OddsAnswer {
                question: text,
                all: Chances::new(&found.all, left),
                cards: self.all.then(|| cards.iter().map(of_card).collect()),
                splits: self.by_split.then(|| json::splits(&found, left)),
            }));
        }
        let all = &found.all;
        let mut answer = format!(
            "{text}\tlayouts={} counts={} mean={:.4}",
            all.layouts,
            counts(all, left),
            all.mean()
        );
        if self.all || self.by_split {
            answer.push('\n');
        }
        if !self.all && !self.by_split {
            return Ok(Answer::Text(answer));
        }
        answer += &format!("  all  {}\n", chances(all, left));
        for (card, odds) in &cards {
            answer += &format!("  {card}  {}\n", chances(odds, left));
        }
        if self.by_split {
            for (suit, splits) in Suit::ALL.into_iter().zip(&found.splits) {
                for (lengths, odds) in splits.iter().filter(|_| splits.len() > 1) {
                    let split = lengths.map(|length| length.to_string()).join("-");
                    let layouts = odds.layouts;
                    answer += &format!(
                        "  {} {split} (N-E-S-W, {layouts} layouts)  {}\n",
                        suit.symbol(),
                        chances(odds, left)
                    );
                }
            }
        }
        Ok(Answer::Text(answer))
    }
}

fn counts(odds: &Odds, left: usize) -> String {
    let counts = odds.counts.iter().take(left + 1);
    counts.map(u128::to_string).collect::<Vec<_>>().join(",")
}

/// The chances in per cent, and the mean.
fn chances(odds: &Odds, left: usize) -> String {
    let chances = odds.chances.iter().take(left + 1).enumerate();
    let chances: Vec<String> = chances
        .map(|(tricks, chance)| format!("{tricks}: {:5.1} %", 100.0 * chance))
        .collect();
    format!("{}   mean {:.3}", chances.join("  "), odds.mean())
}
