//! `setrograde seal`: makes a level from its finished chunks.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::Outcome;
use crate::build::{MethodName, new_build};
use crate::level_table;
use crate::progress::BuildProgress;

const EXAMPLES: &str = "\
Example, a level in three chunks that may run anywhere at any time:
  setrograde build --cards 16 --db db
  setrograde build --cards 20 --db db --chunk 1/3
  setrograde build --cards 20 --db db --chunk 2/3
  setrograde build --cards 20 --db db --chunk 3/3
  setrograde seal --cards 20 --db db";

/// Makes a level from its finished chunks.
///
/// Checks that all is there and sound, and names the chunks that are missing.
/// The level has the same bytes as one that was built in a single process.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct SealArguments {
    /// The level: the cards left in an ending, all hands together.
    #[arg(long, value_name = "N")]
    cards: usize,
    /// The database's directory.
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Worker threads. [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// How the chunks were built.
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = MethodName::Refine)]
    method: MethodName,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &SealArguments) -> anyhow::Result<Outcome> {
    let SealArguments {
        cards,
        db,
        threads,
        method,
        json,
    } = arguments;
    let record = new_build(db, *cards, *method, *threads).seal(&BuildProgress::new())?;
    let mut out = io::stdout().lock();
    if *json {
        let levels = level_table::to_json(&[record]);
        writeln!(out, "{:#}", json!({ "levels": levels }))?;
    } else {
        writeln!(out, "{}", level_table::table(&[record]))?;
    }
    Ok(Outcome::Done)
}
