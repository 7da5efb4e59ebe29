//! `setrograde odds`: how many tricks over all layouts of hidden hands.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use setrograde_cards::{Card, Seat, Suit};
use setrograde_games::{Strengths, View};
use setrograde_lookup::Database;
use setrograde_single_dummy::{BySplit, Odds, card_odds, odds, odds_by_split};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::database::open;
use crate::arguments::shared::{AnswerArguments, DatabaseArgument, required_database};
use crate::interrupt;
use crate::json::{self, CardChances, Chances, OddsAnswer};
use crate::output::errors::one_line;
use crate::output::unfinished::write_file;
use crate::questions::{Answer, NoAnswer, refused};

/// Count double-dummy tricks over all layouts of hidden hands, exactly.
#[derive(Args)]
#[command(mut_arg("db", required_database))]
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
    if let Err(error) = arguments.condition.read() {
        return refused(error);
    }
    let database = open(arguments.db.required())?;
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
        let found = match self.by_split {
            true => odds_by_split(&view, &beliefs, database, cancel),
            false => odds(&view, &beliefs, database, cancel).map(|all| BySplit {
                all,
                splits: Default::default(),
            }),
        };
        let found = found?;
        let left = view.tricks_left();
        let cards = match self.all {
            true => card_odds(&view, &beliefs, database, cancel)?,
            false => Vec::new(),
        };
        if let Some(path) = &self.svg {
            let leader = view.trick().leader();
            let drawn = draw(path, &found.all, (leader, leader.partner()), left);
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

/// Draws the chances as bars into a file.
fn draw(path: &Path, odds: &Odds, side: (Seat, Seat), left: usize) -> anyhow::Result<()> {
    let mut text = String::new();
    draw_into(&mut text, odds, side, left).map_err(|error| anyhow!("cannot draw: {error}"))?;
    write_file(path, &text)
}

fn draw_into(
    text: &mut String,
    odds: &Odds,
    side: (Seat, Seat),
    left: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let chances = || odds.chances.iter().take(left + 1).copied().enumerate();
    let most = chances().map(|(_, chance)| chance).fold(0.05, f64::max);
    let area = SVGBackend::with_string(text, (760, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let caption = format!(
        "Tricks of {} and {} over {} layouts, mean {:.2}",
        side.0.name(),
        side.1.name(),
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
        let style = style.pos(Pos::new(HPos::Center, VPos::Bottom));
        let at = (x, height + most);
        chart.draw_series([Text::new(label, at, style)])?;
    }
    area.present()?;
    Ok(())
}
