//! `setrograde seal`: makes a level from its finished chunks.

use std::io::{self, Write};

use clap::Args;

use crate::Outcome;
use crate::arguments::level::LevelArguments;
use crate::json::{self, LevelSummary, Levels};
use crate::output::level_table;
use crate::output::progress::BuildProgress;

const EXAMPLES: &str = "\
Example, a level in three chunks that may run anywhere at any time:
  setrograde build --cards 16 --db db
  setrograde build --cards 20 --db db --chunk 1/3
  setrograde build --cards 20 --db db --chunk 2/3
  setrograde build --cards 20 --db db --chunk 3/3
  setrograde seal --cards 20 --db db";

/// Put the finished chunks of a level together.
///
/// Checks that they are complete and sound, and names those that are missing. The
/// level has the same bytes as one that was built in a single process.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct SealArguments {
    #[command(flatten)]
    level: LevelArguments,
}

pub fn run(SealArguments { level }: &SealArguments) -> anyhow::Result<Outcome> {
    let record = level.build()?.seal(&BuildProgress::new())?;
    if level.json {
        json::print(Levels {
            levels: vec![LevelSummary::new(&record, None)],
        })?;
    } else {
        writeln!(io::stdout(), "{}", level_table::table(&[record]))?;
    }
    Ok(Outcome::Done)
}
