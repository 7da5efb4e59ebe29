//! `setrograde suit`: the best play of one suit by itself.

use std::time::Instant;

use anyhow::Context;
use clap::{Args, value_parser};
use serde::Serialize;
use setrograde::{Percent, Report, Words};
use setrograde_single_dummy::{Average, SuitHolding, SuitLine};

use crate::Outcome;
use crate::arguments::shared::duration;
use crate::output::say;
use crate::questions::{print_only, refused};
use crate::session::Session;

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
    /// Entries of North and of South in other suits, `-` for enough. A lead takes one, unless the hand won
    /// the trick before.
    #[arg(long, num_args = 2, value_names = ["NORTH", "SOUTH"], default_values = ["-", "-"], value_parser = entries, hide_default_value = true)]
    entries: Vec<Entries>,
    /// Give up after so many seconds: exit status 4.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    time: f64,
    /// Print a JSON object (docs/json.md).
    #[arg(long)]
    json: bool,
    /// North's cards of the suit, as AJT98 or AJxxx; `-` for none.
    north: String,
    /// South's cards.
    south: String,
}

/// The entries of a hand; enough if `None`.
type Entries = Option<u8>;

fn entries(text: &str) -> Result<Entries, &'static str> {
    match text {
        "-" => Ok(None),
        _ => text
            .parse()
            .map(Some)
            .map_err(|_| "expected a number, or `-` for enough"),
    }
}

pub fn run(arguments: &SuitArguments, session: &Session) -> anyhow::Result<Outcome> {
    let vacant = [arguments.vacant[0], arguments.vacant[1]].map(usize::from);
    let hands = [arguments.north.as_str(), arguments.south.as_str()];
    let suit = SuitHolding::read(hands, &arguments.gone, vacant).map_err(refused)?;
    let suit = suit
        .with_entries([arguments.entries[0], arguments.entries[1]])
        .with_stop(session.stop().clone());
    // The server has limits of its own.
    let deadline = match session.request() {
        Some(_) => None,
        None => Some(arguments.deadline()?),
    };
    let found = suit
        .answer_by(arguments.tricks, deadline)
        .map_err(refused)?;
    let Some(found) = found else {
        if session.is_cancelled() {
            return Ok(Outcome::Interrupted);
        }
        say(format_args!(
            "setrograde: the best lines were not found within {} s; --time sets another limit",
            arguments.time
        ));
        return Ok(Outcome::Unknown);
    };
    let answer = Answer {
        north: &arguments.north,
        south: &arguments.south,
        at_least: found.at_least,
        average: found.average,
        matchpoints: found.matchpoints,
        lines: match arguments.all {
            true => found.lines.into_iter().skip(1).collect(),
            false => vec![found.line],
        },
    };
    print_only(session, &answer, None, arguments.json)?;
    Ok(Outcome::Done)
}

impl SuitArguments {
    /// The moment at which the search is given up.
    fn deadline(&self) -> anyhow::Result<Instant> {
        let deadline = Instant::now().checked_add(duration(self.time)?);
        deadline.with_context(|| format!("--time {}: expected a number of seconds", self.time))
    }
}

/// The best lines of one suit.
#[derive(Serialize)]
struct Answer<'a> {
    north: &'a str,
    south: &'a str,
    at_least: Vec<f64>,
    /// The best lines on average and at matchpoints, unless too many must be kept apart.
    average: Option<Average>,
    matchpoints: Option<Average>,
    lines: Vec<SuitLine>,
}

impl Report for Answer<'_> {
    fn words(&self, to: &mut Words) {
        to.title("tricks  at least");
        for (tricks, &chance) in self.at_least.iter().enumerate().skip(1) {
            to.line(format_args!("{tricks:6}  {:>7}", Percent(chance)));
        }
        for (name, best) in [
            ("\nBest on average      ", &self.average),
            ("Best at matchpoints  ", &self.matchpoints),
        ] {
            let Some(best) = best else { continue };
            let chances = best.at_least.iter().enumerate().skip(1);
            let chances = chances.filter(|&(_, &chance)| chance > 0.0);
            let chances = chances.map(|(tricks, &chance)| format!("{tricks}: {}", Percent(chance)));
            let (mean, chances) = (best.mean, chances.collect::<Vec<_>>().join("  "));
            to.line(format_args!("{name}mean {mean:.2}, {chances}"));
        }
        for line in &self.lines {
            to.line(format_args!("\n{line}"));
        }
    }
}
