//! `setrograde db verify`: proves a database right.

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::ensure;
use clap::Args;
use comfy_table::{Cell, Table};
use serde_json::{Value, json};
use setrograde::grouped;
use setrograde::lookup::format::manifest::level_path;
use setrograde::lookup::{Database, Error, Level, LevelFile};
use setrograde_verify::{CheckReport, LevelSample, Verify};

use crate::Outcome;
use crate::arguments::database::{DirectoryArgument, open};
use crate::arguments::numbers::{cards, whole};
use crate::arguments::shared::ThreadsArgument;
use crate::interrupt;
use crate::json;
use crate::output::printable;
use crate::output::progress::{BuildProgress, VerifyProgress};
use crate::output::tables::{plain, right};

/// Prove that a database is complete and correct.
#[derive(Args)]
#[command(after_help = include_str!("../help/verify.txt"))]
pub struct VerifyArguments {
    #[command(flatten)]
    db: DirectoryArgument,
    /// Start at the N-card level and trust the level below, proved by an earlier run. [default: 4]
    #[arg(long, value_name = "N", value_parser = cards)]
    from: Option<usize>,
    /// Prove only this share of the sets of the deepest level, drawn at random by partitions, and
    /// the shard with the most nodes: 0.1 is a tenth. All its checksums are checked.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    share: Option<f64>,
    /// Random endings of each level to compare with plain minimax; `all` compares every ending of
    /// up to 12 cards, which takes minutes.
    #[arg(long, value_name = "N|all", default_value = "1000", value_parser = endings)]
    endings: ComparedEndings,
    /// Random seed of these endings and of the share.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Write the manifest again from the levels first, if it is missing or damaged.
    #[arg(long)]
    repair: bool,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The number of random endings of a level that are compared with plain minimax; `None` for every
/// one of small levels, and the usual number of random ones of each level.
type ComparedEndings = Option<usize>;

/// That number for every ending.
const RANDOM_ENDINGS: usize = 1_000;

fn endings(text: &str) -> Result<ComparedEndings, &'static str> {
    match text {
        "all" => Ok(None),
        count => match count.parse() {
            Ok(count) => Ok(Some(count)),
            Err(_) => Err("expected a number, or `all`"),
        },
    }
}

pub fn run(arguments: &VerifyArguments) -> anyhow::Result<Outcome> {
    let directory = arguments.db.path()?;
    if arguments.repair {
        setrograde_builder::repair(&directory, &BuildProgress::default())?;
    }
    let database = open(&directory)?;
    for record in &database.manifest().levels {
        match Level::open(&directory, record.level as usize, record.checksum) {
            Ok(_) | Err(Error::NoMap { .. }) => {}
            // Answers come from the compressed level, but the map is wrong.
            Err(error) => return Err(error.into()),
        }
    }
    for (_, opened) in unlisted(&database) {
        opened?;
    }
    let levels = arguments.from;
    let levels = levels.map(|cards| levels_from(cards, &database, &directory));
    let part = arguments
        .share
        .map(|share| LevelSample { share, largest: 1 });
    let verify = Verify {
        threads: arguments.threads.count(),
        sample: arguments.endings.unwrap_or(RANDOM_ENDINGS),
        seed: arguments.seed,
        exhaustive: arguments.endings.is_none(),
        levels: levels.transpose()?,
        part,
    };
    let report = verify.run(&database, &VerifyProgress::default(), &interrupt::stop())?;
    if arguments.json {
        let checks: Vec<_> = report.checks.iter().map(object).collect();
        json::print(json!({ "checks": checks }))?;
    } else {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", table(&report.checks))?;
        let is_all = report.checks.iter().all(|check| check.units == check.of);
        let db = printable::path(&directory);
        if is_all {
            writeln!(out, "\n{db}: complete and correct")?;
        } else {
            writeln!(out, "\n{db}: no error in the part that was proved")?;
        }
    }
    Ok(Outcome::Done)
}

/// Opens the files of levels in a database's directory that it does not use, each with its number of
/// cards: a database without a manifest ends before the first level that cannot be read.
pub(super) fn unlisted(database: &Database) -> Vec<(usize, Result<LevelFile, Error>)> {
    let used = |level: &usize| database.manifest().level(*level).is_some();
    let directory = database.directory();
    let levels = directory.into_iter().flat_map(|directory| {
        let levels = (1..=13).filter(|level| !used(level));
        levels.map(|level| (4 * level, level_path(directory, level)))
    });
    let there = levels.filter(|(_, path)| path.symlink_metadata().is_ok());
    there
        .map(|(cards, path)| (cards, LevelFile::open(&path)))
        .collect()
}

/// A check that was passed, as an object.
fn object(report: &CheckReport) -> Value {
    let mut object = json!({
        "cards": report.cards,
        "check": report.check.to_string(),
        "units": report.units,
        "unit": report.check.unit(),
        "sets": report.sets,
        "cpu_seconds": report.cpu.as_secs_f64(),
        "wall_seconds": report.wall.as_secs_f64(),
    });
    if report.units < report.of {
        object["of"] = report.of.into();
    }
    object
}

/// Reads a share of a whole, above 0 and up to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if share > 0.0 && share <= 1.0 => Ok(share),
        _ => Err("expected a number above 0 and up to 1, as in 0.1".to_owned()),
    }
}

/// The levels from that of `cards` cards up.
fn levels_from(
    cards: usize,
    database: &Database,
    directory: &Path,
) -> anyhow::Result<RangeInclusive<usize>> {
    let deepest = database.levels().map(Level::level).max().unwrap_or(0);
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
        let of_all = if report.units < report.of {
            format!("of {} ", grouped(report.of))
        } else {
            String::new()
        };
        table.add_row([
            right(report.cards.to_string()),
            Cell::new(report.check),
            right(grouped(report.units)),
            Cell::new(of_all + &of_sets),
            right(format!("{:.2}", report.cpu.as_secs_f64())),
            right(format!("{:.2}", report.wall.as_secs_f64())),
        ]);
    }
    table
}
