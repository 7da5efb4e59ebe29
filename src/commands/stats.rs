//! `setrograde stats`: what a database holds.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use setrograde_lookup::Database;

use crate::Outcome;
use crate::output::level_table;

/// Print what a database holds, level by level.
#[derive(Args)]
#[command(after_help = "Example:\n  setrograde stats --db db")]
pub struct StatsArguments {
    /// Directory of the database.
    #[arg(long, value_name = "DIR")]
    db: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &StatsArguments) -> anyhow::Result<Outcome> {
    let database = Database::open(&arguments.db)?;
    let levels = &database.manifest().levels;
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(
            out,
            "{:#}",
            json!({ "levels": level_table::to_json(levels) })
        )?;
    } else {
        writeln!(out, "{}", level_table::table(levels))?;
        for level in levels {
            writeln!(
                out,
                "{:>2} cards: {} by {}, content {:016x}",
                4 * level.level,
                level.method,
                level.program,
                level.content,
            )?;
        }
    }
    Ok(Outcome::Done)
}
