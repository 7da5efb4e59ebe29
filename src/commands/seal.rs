//! `setrograde db seal`: makes a level from its finished chunks.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::Outcome;
use crate::arguments::level::LevelArguments;
use crate::interrupt;
use crate::json;
use crate::output::level_table;
use crate::output::progress::BuildProgress;

/// Put the finished chunks of a level together.
///
/// Checks that they are complete and sound, and lists the missing ones. The
/// level has the same bytes as one that was built in a single process.
#[derive(Args)]
#[command(after_help = include_str!("../help/seal.txt"))]
pub struct SealArguments {
    #[command(flatten)]
    level: LevelArguments,
    /// Chunk files (`setrograde build --output`), or directories with files *.chunk.
    #[arg(long, value_name = "DIR|FILE", num_args = 1..)]
    from: Vec<PathBuf>,
}

pub fn run(SealArguments { level, from }: &SealArguments) -> anyhow::Result<Outcome> {
    interrupt::is_resumable();
    let record = level.build()?.seal_from(from, &BuildProgress::new())?;
    if level.json {
        json::print(json!({ "levels": [level_table::object(&record)] }))?;
    } else {
        writeln!(io::stdout(), "{}", level_table::table(&[record]))?;
    }
    Ok(Outcome::Done)
}
