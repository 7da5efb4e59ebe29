//! `setrograde suit`: the best play of one suit by itself.

use std::io::{self, Write};

use clap::{Args, value_parser};
use setrograde_single_dummy::{Average, SuitHolding, SuitLine};

use crate::Outcome;
use crate::json::{self, OneLine, SuitAnswer};
use crate::questions::refused;

/// Find the best play of one suit, and its chances.
#[derive(Args)]
#[command(after_help = include_str!("../help/suit.txt"))]
pub struct SuitArguments {
    /// Show the best line for this number of tricks. [default: the most that is at
    /// least an even chance]
    #[arg(long, value_name = "N")]
    tricks: Option<usize>,
    /// Show the best line for every number of tricks.
    #[arg(long, conflicts_with = "tricks")]
    all: bool,
    /// Cards of the suit that were played before.
    #[arg(
        long,
        value_name = "RANKS",
        default_value = "-",
        hide_default_value = true
    )]
    gone: String,
    /// Vacant places of East and of West: their cards that are not known.
    #[arg(long, num_args = 2, value_names = ["EAST", "WEST"], default_values = ["13", "13"], value_parser = value_parser!(u8).range(..=13))]
    vacant: Vec<u8>,
    /// Print a JSON object (docs/json.md).
    #[arg(long)]
    json: bool,
    /// North's cards of the suit, as AJT98 or AJxxx; `-` for none.
    north: String,
    /// South's cards.
    south: String,
}

pub fn run(arguments: &SuitArguments) -> anyhow::Result<Outcome> {
    let vacant = [arguments.vacant[0], arguments.vacant[1]].map(usize::from);
    let hands = [arguments.north.as_str(), arguments.south.as_str()];
    let suit = SuitHolding::read(hands, &arguments.gone, vacant).map_err(refused)?;
    let most = suit.most();
    if let Some(tricks) = arguments.tricks.filter(|&tricks| tricks > most) {
        let problem = format!("{tricks} tricks: the suit has {most} at most");
        return Err(refused(problem));
    }
    let chances: Vec<f64> = (0..=most).map(|tricks| suit.chance(tricks)).collect();
    let even = chances.iter().rposition(|&chance| chance >= 0.5);
    let likely = even.unwrap_or(0);
    let lines: Vec<SuitLine> = match arguments.all {
        true => (1..=most).map(|tricks| suit.line(tricks)).collect(),
        false => vec![suit.line(arguments.tricks.unwrap_or(likely))],
    };
    let averages = suit.averages();
    if arguments.json {
        json::print(SuitAnswer {
            north: &arguments.north,
            south: &arguments.south,
            at_least: &chances,
            average: averages.as_ref().map(|found| &found.mean),
            matchpoints: averages.as_ref().map(|found| &found.matchpoints),
            lines: lines.iter().map(OneLine::from).collect(),
        })?;
        return Ok(Outcome::Done);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "tricks  at least")?;
    for (tricks, chance) in chances.iter().enumerate().skip(1) {
        writeln!(out, "{tricks:6}  {:6.2} %", 100.0 * chance)?;
    }
    if let Some(found) = &averages {
        let of = |of: &Average| {
            let chances = of.at_least.iter().enumerate().skip(1);
            let chances = chances.filter(|&(_, &chance)| chance > 0.0);
            let chances =
                chances.map(|(tricks, chance)| format!("{tricks}: {:.1} %", 100.0 * chance));
            format!(
                "mean {:.2}, {}",
                of.mean,
                chances.collect::<Vec<_>>().join("  ")
            )
        };
        writeln!(out, "\nBest on average      {}", of(&found.mean))?;
        let points = &found.matchpoints;
        writeln!(out, "Best at matchpoints  {}", of(points))?;
    }
    for line in lines {
        write!(out, "\n{line}")?;
    }
    Ok(Outcome::Done)
}
