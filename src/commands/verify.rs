//! `setrograde verify`: proves a database right.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use comfy_table::{Cell, Table};
use serde_json::{Value, json};
use setrograde_lookup::Database;
use setrograde_verify::{CheckReport, Verify, VerifyError};

use crate::Outcome;
use crate::arguments::database::open;
use crate::arguments::threads::ThreadsArgument;
use crate::interrupt;
use crate::output::progress::VerifyProgress;
use crate::output::say;
use crate::output::tables::{grouped, plain, right};

const AFTER_HELP: &str = "\
For each level, from the fewest cards up:
  checksums   every shard is read afresh; manifest, headers and diagrams agree
  sets        every diagram covers its partition, and every set is proved again
              from the level below, by an oracle of its own: a complete proof
  sample      random endings against plain minimax
  exhaustive  every ending of 4, 8 and 12 cards against plain retrograde analysis

Examples:
  setrograde verify --db db
  setrograde verify --db db --exhaustive --sample 100000 --seed 7
  setrograde verify --db db --from 24";

/// Prove that a database is whole and right.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct VerifyArguments {
    /// Directory of the database.
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Start at the level of N cards, and take the one below it as right, as
    /// an earlier run has proved it. [default: 4]
    #[arg(long, value_name = "N")]
    from: Option<usize>,
    /// Random endings of each level to compare with plain minimax.
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    sample: usize,
    /// Random seed of the sample.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Compare every ending of up to 12 cards with plain retrograde analysis.
    #[arg(long)]
    exhaustive: bool,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &VerifyArguments) -> anyhow::Result<Outcome> {
    let database = open(&arguments.db)?;
    let levels = arguments
        .from
        .map(|cards| levels_from(cards, &database, &arguments.db));
    let verify = Verify {
        threads: arguments.threads.count(),
        sample: arguments.sample,
        seed: arguments.seed,
        exhaustive: arguments.exhaustive,
        levels: levels.transpose()?,
    };
    let report = match verify.run(&database, &VerifyProgress::new(), interrupt::flag()) {
        Ok(report) => report,
        Err(error @ VerifyError::Cancelled) => {
            say(format_args!("setrograde: {error}"));
            return Ok(Outcome::Interrupted);
        }
        Err(error) => return Err(error.into()),
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(out, "{:#}", json!({ "checks": to_json(&report.checks) }))?;
    } else {
        writeln!(out, "{}", table(&report.checks))?;
        writeln!(out, "\n{}: whole and right", arguments.db.display())?;
    }
    Ok(Outcome::Done)
}

/// The levels from that of `cards` cards up.
fn levels_from(
    cards: usize,
    database: &Database,
    directory: &Path,
) -> anyhow::Result<RangeInclusive<usize>> {
    let deepest = database.deepest_level();
    ensure!(
        cards > 0 && cards.is_multiple_of(4) && cards <= 4 * deepest,
        "--from {cards}: expected a multiple of 4 up to {}, the most cards that {} holds",
        4 * deepest,
        directory.display()
    );
    Ok(cards / 4..=deepest)
}

fn table(checks: &[CheckReport]) -> Table {
    let mut table = plain();
    table.set_header([
        right("cards"),
        Cell::new("check"),
        right("checked"),
        Cell::new(""),
        right("CPU s"),
        right("wall s"),
    ]);
    for report in checks {
        let of_sets = match report.sets {
            0 => report.check.unit().to_owned(),
            sets => format!("{}, {} sets", report.check.unit(), grouped(sets)),
        };
        table.add_row([
            right(report.cards.to_string()),
            Cell::new(report.check),
            right(grouped(report.units)),
            Cell::new(of_sets),
            right(format!("{:.2}", report.cpu.as_secs_f64())),
            right(format!("{:.2}", report.wall.as_secs_f64())),
        ]);
    }
    table
}

fn to_json(checks: &[CheckReport]) -> Value {
    checks
        .iter()
        .map(|report| {
            json!({
                "cards": report.cards,
                "check": report.check.to_string(),
                "units": report.units,
                "unit": report.check.unit(),
                "sets": report.sets,
                "cpu_seconds": report.cpu.as_secs_f64(),
                "wall_seconds": report.wall.as_secs_f64(),
            })
        })
        .collect()
}
