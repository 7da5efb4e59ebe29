//! `setrograde build`: builds a database.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Args;
use serde_json::json;
use setrograde_builder::{Build, BuildError};
use setrograde_cards::Position;
use setrograde_lookup::Database;

use crate::Outcome;
use crate::answer::answer;
use crate::level_table;
use crate::progress::BuildProgress;

const EXAMPLES: &str = "\
Examples:
  setrograde build --cards 16 --db db
  setrograde build --cards 12 --db small --threads 1
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
    /// How to build: `refine` splits each partition from the top down.
    #[arg(long, value_name = "METHOD", default_value = "refine", value_parser = ["refine"])]
    method: String,
    /// Build levels anew even if they are there and sound.
    #[arg(long)]
    force: bool,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &BuildArguments) -> anyhow::Result<Outcome> {
    let stop = stop_on_interrupt()?;
    let build = Build {
        directory: arguments.db.clone(),
        cards: arguments.cards,
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
    if arguments.json {
        println!("{:#}", json!({ "levels": level_table::to_json(&manifest.levels) }));
    } else {
        println!("{}", level_table::table(&manifest.levels));
        show_answers(arguments)?;
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

fn show_answers(arguments: &BuildArguments) -> anyhow::Result<()> {
    let database = Database::open(&arguments.db)?;
    println!("\nAn ending, and the tricks that its leader's side takes:");
    for sample in SAMPLES {
        let position: Position = sample.parse()?;
        if position.tricks_left() <= database.deepest() {
            println!("  {sample}\t{}", answer(&database, &position)?.value);
        }
    }
    let db = arguments.db.display();
    println!("\nAsk more (`-` reads one a line), or see why:");
    println!("  setrograde query --db {db} --explain '{}'", SAMPLES[database.deepest().clamp(1, 4) - 1]);
    Ok(())
}

/// A flag that Ctrl-C and SIGTERM set; the second time they end the program.
fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}
