//! `setrograde build`: builds a database.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;
use setrograde_builder::{Build, BuildError, Method, Metric};
use setrograde_cards::Position;
use setrograde_lookup::Database;

use crate::Outcome;
use crate::answer::answer;
use crate::interrupt::stop_on_interrupt;
use crate::level_table;
use crate::progress::BuildProgress;

const EXAMPLES: &str = "\
Examples:
  setrograde build --cards 16 --db db
  setrograde build --cards 12 --db small --threads 1
  setrograde build --cards 12 --db paper --method setrograde
  setrograde build --cards 16 --db db --force --json";

/// Builds a database: all endings of 4, 8, 12, … up to so many cards.
///
/// Levels that are there and sound are kept. An interrupt (Ctrl-C) leaves the
/// finished levels, and the same command goes on from there.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct BuildArguments {
    /// The most cards left in an ending, all hands together: a multiple of 4.
    #[arg(long, value_name = "N")]
    cards: usize,
    /// The database's directory; made if it is not there.
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Worker threads. [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// How to build the levels that are not there yet.
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = MethodName::Refine)]
    method: MethodName,
    /// Build levels anew even if they are there and sound.
    #[arg(long)]
    force: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    /// Split each partition from the top down.
    Refine,
    /// The paper's method: generalize one independent ending after another.
    Setrograde,
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Method {
        match name {
            MethodName::Refine => Method::Refine,
            MethodName::Setrograde => Method::Setrograde(Metric::default()),
        }
    }
}

pub fn run(arguments: &BuildArguments) -> anyhow::Result<Outcome> {
    let stop = stop_on_interrupt()?;
    let build = Build {
        directory: arguments.db.clone(),
        cards: arguments.cards,
        method: arguments.method.into(),
        threads: arguments.threads.map(usize::from),
        force: arguments.force,
        program: concat!("setrograde ", env!("CARGO_PKG_VERSION")).to_owned(),
    };
    let manifest = match build.run(&BuildProgress::new(), &stop) {
        Ok(manifest) => manifest,
        Err(error @ BuildError::Interrupted) => {
            eprintln!("setrograde: {error}");
            return Ok(Outcome::Interrupted);
        }
        Err(error) => return Err(error.into()),
    };
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(
            out,
            "{:#}",
            json!({ "levels": level_table::to_json(&manifest.levels) })
        )?;
    } else {
        writeln!(out, "{}", level_table::table(&manifest.levels))?;
        show_answers(arguments, &mut out)?;
    }
    Ok(Outcome::Done)
}

/// Endings to show, one for each of the small levels.
const SAMPLES: [&str; 4] = [
    "NT N N:A... K... .A.. ..A.",
    "H W N:A.2.. K..A. .AK.. Q..K.",
    "S E N:AQ.2.. .A5.4. KJ..2. T.K.3.",
    "NT S N:AQ.T..7 KJ..A.8 32.A4.. T9.K.K.",
];

fn show_answers(arguments: &BuildArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let database = Database::open(&arguments.db)?;
    writeln!(
        out,
        "\nAn ending, and the tricks that its leader's side takes:"
    )?;
    for sample in SAMPLES {
        let position: Position = sample.parse()?;
        if position.tricks_left() <= database.deepest() {
            writeln!(out, "  {sample}\t{}", answer(&database, &position)?.value)?;
        }
    }
    let db = arguments.db.display();
    writeln!(out, "\nAsk more (`-` reads one a line), or see why:")?;
    writeln!(
        out,
        "  setrograde query --db {db} --explain '{}'",
        SAMPLES[database.deepest().clamp(1, 4) - 1]
    )?;
    Ok(())
}
