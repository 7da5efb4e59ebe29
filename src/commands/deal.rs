//! `setrograde deal`: deals that fit a condition, for a lesson or a game.

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use setrograde::{Desk, ask, grouped};
use setrograde_cards::{Deal, Seat, Vulnerability};
use setrograde_parallel::threads;
use setrograde_records::{Board, lin, pbn};

use crate::Outcome;
use crate::arguments::condition::{ConditionArgument, ResultArgument};
use crate::arguments::database::DatabaseArgument;
use crate::arguments::database::desk;
use crate::arguments::numbers::{seconds, whole};
use crate::arguments::output;
use crate::arguments::shared::ThreadsArgument;
use crate::interrupt::is_interrupted;
use crate::json::versioned;
use crate::output::progress::simple_bar;
use crate::output::say;
use crate::output::whole_file::WholeFile;
use crate::questions::{check_options, refused};

/// Draw deals that fit a condition.
#[derive(Args)]
#[command(after_help = include_str!("../help/deal.txt"))]
pub struct DealArguments {
    #[command(flatten)]
    condition: ConditionArgument,
    /// The form of the deals. [default: pbn, or lin if the name of the output ends so]
    #[arg(long, value_enum, conflicts_with = "json")]
    format: Option<DealFormat>,
    /// The number of the first board, which gives the dealer and the vulnerable sides.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=1_000_000))]
    board: u32,
    /// Known hands, such as N:AKQ52.K43.QJ5.T98 ? ? ?; or two hands, North's and South's.
    #[arg(long, value_name = "DEAL")]
    hands: Option<String>,
    /// Write the deals to this file, which appears complete or not at all; `-` is standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Seed of the deals.
    #[arg(long, value_name = "SEED", default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    results: ResultArgument,
    /// Seconds after which the search ends with the deals found.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    #[command(flatten)]
    db: DatabaseArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print one JSON object with all deals (docs/json.md).
    #[arg(long, display_order = 91)]
    json: bool,
    /// The number of deals, at most a million.
    #[arg(value_name = "COUNT", default_value_t = 1, value_parser = whole::<u32>(1..=1_000_000))]
    count: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum DealFormat {
    /// PBN, with board numbers, dealers and vulnerable sides.
    Pbn,
    /// LIN, with the same.
    Lin,
    /// One deal per line.
    Lines,
}

pub fn run(arguments: &DealArguments) -> anyhow::Result<Outcome> {
    let ask = ask::Deal {
        count: arguments.count,
        conditions: arguments.condition.texts(),
        hands: arguments.hands.clone(),
        seed: arguments.seed,
        results: arguments.results.texts(),
        first: arguments.board,
        time: arguments.time,
    };
    check_options(&ask)?;
    let desk = if ask.results.0.is_empty() {
        desk()
    } else {
        arguments.db.desk()?
    };
    let desk = desk.with_threads(threads(arguments.threads.count()));
    let Some(path) = output::file(arguments.output.as_deref()) else {
        let (outcome, _) = write(arguments, &ask, &desk, io::stdout().lock())?;
        return Ok(outcome);
    };
    let mut file = WholeFile::create(path)?;
    let written = write(arguments, &ask, &desk, &mut file);
    let (outcome, found) = written.map_err(|error| {
        // An error of the file has no context yet.
        if error.is::<io::Error>() {
            error.context(format!("{}: cannot write", file.name()))
        } else {
            error
        }
    })?;
    if found == 0 {
        say(format_args!("setrograde: {}", file.left()));
    } else {
        file.finish()?;
    }
    Ok(outcome)
}

/// Writes the deals, and returns their number.
fn write(
    arguments: &DealArguments,
    ask: &ask::Deal,
    desk: &Desk,
    out: impl Write,
) -> anyhow::Result<(Outcome, u32)> {
    let mut out = BufWriter::new(out);
    let progress = if ask.results.0.is_empty() {
        ProgressBar::hidden()
    } else {
        simple_bar(
            "[{wide_bar}] {pos} of {len} deals{msg}, {elapsed}",
            Some(ask.count.into()),
        )
    };
    let begun = Instant::now();
    let mut found = 0;
    let mut listed = Vec::new();
    let (tried, failed) = ask
        .each(desk, |step| {
            let written = step.deal.map_or(Ok(()), |deal| {
                found += 1;
                progress.set_position(found.into());
                if arguments.json {
                    listed.push(deal);
                    return Ok(());
                }
                let text = text(arguments, arguments.board + found - 1, &deal);
                progress.suspend(|| {
                    out.write_all(text.as_bytes())?;
                    // Others may wait for a deal that took long.
                    if ask.results.0.is_empty() {
                        Ok(())
                    } else {
                        out.flush()
                    }
                })
            });
            if step.tried % 64 == 0 || step.deal.is_some() {
                // A log has the time that is left already.
                let elapsed = (!progress.is_hidden()).then(|| begun.elapsed());
                progress.set_message(so_far(step.tried, found, ask.count, elapsed));
            }
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        })
        .map_err(refused)?;
    progress.finish_and_clear();
    if let Some(error) = failed {
        return Err(error.into());
    }
    if is_interrupted() {
        bail!("interrupted");
    }
    if arguments.json {
        let deals = ask::Dealt {
            deals: listed,
            tried,
        };
        out.write_all(versioned(&deals).as_bytes())?;
    }
    out.flush()?;
    if found < ask.count {
        let (count, tried) = (grouped(ask.count), grouped(tried));
        say(format_args!(
            "setrograde: time ran out: {found} of {count} deals found, {tried} tried"
        ));
        return Ok((Outcome::Unknown, found));
    }
    Ok((Outcome::Done, found))
}

/// The work so far, and the predicted rest.
fn so_far(tried: u64, found: u32, count: u32, elapsed: Option<Duration>) -> String {
    let tried_text = grouped(tried);
    if found == 0 {
        return format!(", {tried_text} tried");
    }
    let share = f64::from(count) / f64::from(found);
    let expected = grouped((tried as f64 * share) as u64);
    let left = elapsed.map_or(String::new(), |elapsed| {
        let left = elapsed.as_secs_f64() * (share - 1.0);
        format!(", about {left:.0} s left")
    });
    format!(", {tried_text} tried of about {expected}{left}")
}

/// The text of a deal as the board with this number.
fn text(arguments: &DealArguments, board: u32, deal: &Deal) -> String {
    let board = Board {
        number: Some(board),
        dealer: Some(Seat::dealer_of_board(board)),
        vulnerability: Some(Vulnerability::of_board(board)),
        hands: deal.hands().map(Some),
        ..Board::default()
    };
    let is_lin = |path: &PathBuf| {
        path.extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("lin"))
    };
    let by_name = if arguments.output.as_ref().is_some_and(is_lin) {
        DealFormat::Lin
    } else {
        DealFormat::Pbn
    };
    match arguments.format.unwrap_or(by_name) {
        DealFormat::Lines => format!("{deal}\n"),
        DealFormat::Pbn => pbn::write(&board),
        DealFormat::Lin => lin::write(&board),
    }
}
