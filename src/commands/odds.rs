//! `setrograde odds`: how many tricks over all layouts of hidden hands.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use plotters::prelude::*;
use serde_json::{Value, json};
use setrograde_beliefs::SeatLimits;
use setrograde_cards::Suit;
use setrograde_games::{Strengths, View};
use setrograde_lookup::Database;
use setrograde_single_dummy::{BySplit, Odds, OddsError, card_odds, odds, odds_by_split};

use crate::Outcome;
use crate::arguments::database::DatabaseMemory;
use crate::arguments::threads::ThreadsArgument;
use crate::interrupt;
use crate::output::numbers::whole;
use crate::questions::{NoAnswer, Questions};

const EXAMPLES: &str = "\
A question is STRAIN LEADER DEAL with `-` or `?` for hidden hands; then `hidden=`
with their cards together (without it, the rest of the pack), and the cards played
since. The answer is the number of layouts in which the side that leads to the
current trick takes 0, 1, … of the tricks left, with all cards known.

Examples:
  setrograde odds --db db 'S N N:AQ4... - 32.A.. - hidden=KJT.98.5.'
  setrograde odds --db db --cards --by-split 'NT S N:AQ4... - 532... - hidden=KJT987...'
  setrograde odds --db db --json - < questions.txt";

/// Count double-dummy tricks over all layouts of hidden hands, exactly.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct OddsArguments {
    /// Directory of the database.
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    #[command(flatten)]
    db_memory: DatabaseMemory,
    /// What is known of a hand, as E:S2-3,5-8hcp; may be repeated.
    #[arg(long, value_name = "LIMITS")]
    limits: Vec<SeatLimits>,
    /// Also show the odds of every card that may be played, for its own side.
    #[arg(long)]
    cards: bool,
    /// Also show the odds for every split of each suit.
    #[arg(long)]
    by_split: bool,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
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
    let database = arguments.db_memory.open(&arguments.db)?;
    let questions = Questions::lines(
        &arguments.question,
        arguments.threads.count(),
        arguments.json,
        4,
    );
    let outcome = questions.run(
        || (),
        |(), question| arguments.answer(&database, question.text),
    )?;
    arguments.db_memory.report(&database);
    Ok(outcome)
}

impl From<OddsError> for NoAnswer {
    fn from(error: OddsError) -> NoAnswer {
        match error {
            OddsError::Cancelled => NoAnswer::Interrupted,
            error => NoAnswer::refused(&error),
        }
    }
}

impl OddsArguments {
    fn answer(&self, database: &Database, text: &str) -> Result<String, NoAnswer> {
        let view = View::read_bridge(text, SeatLimits::by_seat(&self.limits))?;
        let beliefs = view
            .beliefs(&Strengths::NONE)
            .map_err(|error| NoAnswer::Refused(error.to_string()))?;
        let cancel = interrupt::flag();
        let found = match self.by_split {
            true => odds_by_split(&view, &beliefs, database, cancel),
            false => odds(&view, &beliefs, database, cancel).map(|all| BySplit {
                all,
                splits: Default::default(),
            }),
        };
        let found = found?;
        let left = view.tricks_left();
        let cards = match self.cards {
            true => card_odds(&view, &beliefs, database, cancel)?,
            false => Vec::new(),
        };
        if let Some(path) = &self.svg {
            let drawn = draw(path, &found.all, left);
            drawn.map_err(|error| NoAnswer::refused(error.as_ref()))?;
        }
        if self.json {
            let mut object = to_json(&found.all, left);
            object["question"] = json!(text);
            if self.cards {
                let of_card = cards
                    .iter()
                    .map(|(card, odds)| (card.to_string(), to_json(odds, left)));
                object["cards"] = Value::Object(of_card.collect());
            }
            if self.by_split {
                object["splits"] = splits_json(&found, left);
            }
            return Ok(object.to_string());
        }
        let all = &found.all;
        let mut answer = format!(
            "{text}\tlayouts={} counts={} mean={:.4}",
            all.layouts,
            counts(all, left),
            all.mean()
        );
        if self.cards || self.by_split {
            answer.push('\n');
        }
        if !self.cards && !self.by_split {
            return Ok(answer);
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
        Ok(answer)
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

fn to_json(odds: &Odds, left: usize) -> Value {
    let counts: Vec<Value> = odds
        .counts
        .iter()
        .take(left + 1)
        .map(|&count| whole(count))
        .collect();
    json!({
        "layouts": whole(odds.layouts),
        "counts": counts,
        "chances": odds.chances.iter().take(left + 1).collect::<Vec<_>>(),
        "mean": odds.mean(),
    })
}

fn splits_json(found: &BySplit, left: usize) -> Value {
    let mut suits = serde_json::Map::new();
    for (suit, splits) in Suit::ALL.into_iter().zip(&found.splits) {
        let splits = splits.iter().map(|(lengths, odds)| {
            let mut object = to_json(odds, left);
            object["lengths"] = json!(lengths);
            object
        });
        suits.insert(suit.letter().to_string(), splits.collect());
    }
    Value::Object(suits)
}

/// Draws the chances as bars into a file.
fn draw(path: &Path, odds: &Odds, left: usize) -> anyhow::Result<()> {
    let mut text = String::new();
    draw_into(&mut text, odds, left).map_err(|error| anyhow!("cannot draw: {error}"))?;
    std::fs::write(path, text).with_context(|| format!("{}: cannot write", path.display()))
}

fn draw_into(
    text: &mut String,
    odds: &Odds,
    left: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let chances = || odds.chances.iter().take(left + 1).copied().enumerate();
    let most = chances().map(|(_, chance)| chance).fold(0.05, f64::max);
    let area = SVGBackend::with_string(text, (760, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let caption = format!(
        "Tricks over {} layouts, mean {:.2}",
        odds.layouts,
        odds.mean()
    );
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(36)
        .y_label_area_size(52)
        .build_cartesian_2d(-0.5..left as f64 + 0.5, 0.0..most * 115.0)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(left + 2)
        .x_label_formatter(&|tricks| format!("{tricks:.0}"))
        .y_label_formatter(&|chance| format!("{chance:.0} %"))
        .x_desc("tricks")
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.1))
        .draw()?;
    let colour = RGBColor(52, 101, 164);
    for (tricks, chance) in chances().filter(|&(_, chance)| chance > 0.0) {
        let (x, height) = (tricks as f64, 100.0 * chance);
        let bar = Rectangle::new([(x - 0.38, 0.0), (x + 0.38, height)], colour.filled());
        chart.draw_series([bar])?;
        let label = format!("{height:.1} %");
        let style = ("sans-serif", 14).into_font().color(&BLACK);
        let at = (x - 0.25, height + most * 6.0);
        chart.draw_series([Text::new(label, at, style)])?;
    }
    area.present()?;
    Ok(())
}
