//! `setrograde deal`: deals that fit a condition, for a lesson or a game.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use setrograde::ask::{DealFound, DealPlan};
use setrograde::cards::quote;
use setrograde::{Desk, Refusal, ask, grouped};
use setrograde_beliefs::Script;
use setrograde_records::{lin, pbn};

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
use crate::questions::{check_options, refused, refused_request};

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
    /// A script in the language of the program dealer, or `-` for standard input: its conditions
    /// are added to the others, and its actions say what is printed; see `setrograde help dealer`.
    #[arg(long, value_name = "FILE")]
    dealer: Option<PathBuf>,
    /// Shares of types of deals, such as "35 % weak two, 60 % strong, 5 % other"; each type is a
    /// name of --name or of the script, or `other` for the deals of none of them.
    #[arg(long, value_name = "SHARES")]
    mix: Option<String>,
    /// The condition of a type of the mix, such as "weak two=N.hcp=5-10,N.S=6".
    #[arg(long, value_name = "NAME=COND", value_parser = named)]
    name: Vec<(String, String)>,
    /// The contract of the boards, such as 3NTS; conditions of --where that name none are about it.
    #[arg(long, value_name = "CONTRACT")]
    contract: Option<String>,
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
    /// The number of deals, at most a million. [default: 1, or what the script says; for a script
    /// that does not say it 40, or all that it generates if it only counts]
    #[arg(value_name = "COUNT", value_parser = whole::<u32>(1..=1_000_000))]
    count: Option<u32>,
}

/// A name and its condition.
fn named(text: &str) -> Result<(String, String), &'static str> {
    let (name, condition) = text.split_once('=').ok_or("expected NAME=CONDITION")?;
    match name.trim() {
        "" => Err("expected a name before the first ="),
        name => Ok((name.to_owned(), condition.trim().to_owned())),
    }
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum DealFormat {
    /// PBN, with board numbers, dealers and vulnerable sides.
    Pbn,
    /// LIN, with the same.
    Lin,
    /// One deal per line.
    Lines,
}

pub fn run(arguments: &DealArguments) -> anyhow::Result<Outcome> {
    let script = arguments.dealer.as_deref().map(script).transpose()?;
    let mut named: Vec<&String> = arguments.name.iter().map(|(name, _)| name).collect();
    named.sort();
    if let Some(twice) = named.windows(2).find(|pair| pair[0] == pair[1]) {
        let problem = format_args!("--name: {:?} is given twice", quote(twice[0]));
        return Err(refused_request(Refusal::question(problem)));
    }
    let mut ask = ask::Deal {
        count: arguments.count,
        conditions: arguments.condition.texts(),
        dealer: script,
        mix: arguments.mix.clone(),
        names: arguments.name.iter().cloned().collect(),
        hands: arguments.hands.clone(),
        contract: arguments.contract.clone(),
        seed: arguments.seed,
        results: arguments.results.texts(),
        first: arguments.board,
        time: arguments.time,
    };
    check_options(&ask).map_err(|error| match &arguments.dealer {
        Some(file) => error.context(file.display().to_string()),
        None => error,
    })?;
    let listed = arguments.output.is_some() || arguments.format.is_some();
    if listed && ask.plan().map_err(refused)?.only_counts {
        ask.count = Some(ask::Deal::PRINTED);
    }
    let plan = DealOutput::new(arguments, &ask)?;
    let desk = if ask.results.0.is_empty() && ask.dealer.is_none() {
        desk()
    } else {
        arguments.db.desk()?
    };
    let desk = desk.with_threads(arguments.threads.count().unwrap_or(0));
    let Some(path) = output::file(arguments.output.as_deref()) else {
        let (outcome, _) = write(&plan, &ask, &desk, io::stdout().lock())?;
        return Ok(outcome);
    };
    let mut file = WholeFile::create(path)?;
    let written = write(&plan, &ask, &desk, &mut file);
    let (outcome, found) = written.map_err(|error| {
        // An error of the file has no context yet.
        if error.is::<io::Error>() {
            error.context(format!("{}: cannot write", file.name()))
        } else {
            error
        }
    })?;
    file.finish_if(found > 0)?;
    Ok(outcome)
}

/// Reads a script, of which no more is kept than is needed to refuse one that is too long.
fn script(path: &Path) -> anyhow::Result<String> {
    let name = path.display();
    let mut bytes = Vec::new();
    let longest = Script::LONGEST as u64 + 1;
    if path.as_os_str() == "-" {
        io::stdin().take(longest).read_to_end(&mut bytes)?;
    } else {
        let file = File::open(path).with_context(|| format!("{name}: cannot read"))?;
        let read = file.take(longest).read_to_end(&mut bytes);
        read.with_context(|| format!("{name}: cannot read"))?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What is written, and how.
struct DealOutput<'a> {
    arguments: &'a DealArguments,
    asked: DealPlan,
    /// The form of the deals; none if the script prints none.
    format: Option<DealFormat>,
    /// Whether deals may be searched for long, one by one.
    searches: bool,
}

impl DealOutput<'_> {
    fn new<'a>(arguments: &'a DealArguments, ask: &ask::Deal) -> anyhow::Result<DealOutput<'a>> {
        let asked = ask.plan().map_err(refused)?;
        let is_lin = |path: &PathBuf| {
            path.extension()
                .is_some_and(|end| end.eq_ignore_ascii_case("lin"))
        };
        let usual = match asked.prints {
            _ if arguments.output.as_ref().is_some_and(is_lin) => Some(DealFormat::Lin),
            Some("printoneline") => Some(DealFormat::Lines),
            None if asked.acts && arguments.output.is_none() => None,
            _ => Some(DealFormat::Pbn),
        };
        let format = arguments.format.or(usual);
        let has_form = |name: &&str| ["printpbn", "printoneline"].contains(name);
        if let Some(name) = asked.prints.filter(|name| !has_form(name))
            && format == Some(DealFormat::Pbn)
            && arguments.format.is_none()
        {
            say(format_args!(
                "setrograde: the action {name} is written as PBN"
            ));
        }
        Ok(DealOutput {
            arguments,
            asked,
            format,
            searches: !ask.results.0.is_empty() || ask.dealer.is_some(),
        })
    }

    /// The text of a deal.
    fn text(&self, found: &DealFound) -> String {
        let Some(board) = &found.board else {
            return String::new();
        };
        match (self.format, &found.kind) {
            (None, _) => String::new(),
            (Some(DealFormat::Lines), _) => {
                let deal = board.deal().expect("all hands of a drawn deal are known");
                format!("{deal}\n")
            }
            (Some(DealFormat::Pbn), Some(kind)) => pbn::write_with(&[("Event", kind)], board),
            (Some(DealFormat::Pbn), None) => pbn::write(board),
            (Some(DealFormat::Lin), _) => lin::write(board),
        }
    }
}

/// Writes the deals, and returns their number.
fn write(
    plan: &DealOutput<'_>,
    ask: &ask::Deal,
    desk: &Desk,
    out: impl Write,
) -> anyhow::Result<(Outcome, u32)> {
    let count = plan.asked.count;
    let mut out = BufWriter::new(out);
    let progress = if plan.searches {
        simple_bar(
            "[{wide_bar}] {pos} of {len} deals{msg}, {elapsed}",
            Some(count.into()),
        )
    } else {
        ProgressBar::hidden()
    };
    let begun = Instant::now();
    let mut dealt = ask::Dealt::default();
    let mut open_line = false;
    let (summary, failed) = ask
        .each(desk, |step| {
            let (tried, found, shown) = (step.tried, step.found, step.board.is_some());
            let mut written = Ok(());
            if plan.arguments.json {
                dealt.add(step);
            } else if shown {
                let (text, report) = (plan.text(&step), step.report);
                written = progress.suspend(|| {
                    out.write_all(text.as_bytes())?;
                    match plan.format {
                        Some(_) => report.lines().for_each(say),
                        None if report.is_empty() => {}
                        None => {
                            out.write_all(report.as_bytes())?;
                            open_line = !report.ends_with('\n');
                        }
                    }
                    // Others may wait for a deal that took long.
                    if plan.searches { out.flush() } else { Ok(()) }
                });
            }
            if tried % 1024 == 0 || shown {
                progress.set_position(found.into());
                // A log has the time that is left already.
                let elapsed = (!progress.is_hidden()).then(|| begun.elapsed());
                progress.set_message(so_far(tried, found, count, elapsed));
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
    let (tried, found, limited) = (summary.tried, summary.found, summary.limited);
    if plan.arguments.json {
        (dealt.tried, dealt.statistics) = (tried, summary.statistics);
        out.write_all(versioned(&dealt).as_bytes())?;
    } else {
        let text: String = summary.statistics.iter().map(ToString::to_string).collect();
        match plan.format {
            None => {
                out.write_all(if open_line { "\n" } else { "" }.as_bytes())?;
                out.write_all(text.as_bytes())?;
            }
            Some(_) => text.lines().for_each(say),
        }
    }
    out.flush()?;
    if found < count && !(limited && plan.asked.only_counts) {
        let (count, tried) = (grouped(count), grouped(tried));
        let why = if limited {
            "the script's limit is reached"
        } else {
            "time ran out"
        };
        say(format_args!(
            "setrograde: {why}: {found} of {count} deals found, {tried} tried"
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
