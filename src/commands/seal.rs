//! `setrograde db seal`: makes a level from its finished chunks.

use std::io::{self, Write};

use clap::Args;
use serde_json::json;

use crate::Outcome;
use crate::arguments::level::LevelArguments;
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
}

pub fn run(SealArguments { level }: &SealArguments) -> anyhow::Result<Outcome> {
    let record = level.build()?.seal(&BuildProgress::new())?;
    if level.json {
        json::print(json!({ "levels": [level_table::object(&record)] }))?;
    } else {
        writeln!(io::stdout(), "{}", level_table::table(&[record]))?;
    }
    Ok(Outcome::Done)
}
