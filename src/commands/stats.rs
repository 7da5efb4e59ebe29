//! `setrograde db stats`: what a database holds.

use std::io::{self, Write};

use clap::Args;
use serde_json::json;
use setrograde_endings::{InUse, Origin, VARIABLE};
use setrograde_lookup::format::manifest::LevelRecord;

use crate::Outcome;
use crate::arguments::database::DatabaseArgument;
use crate::json;
use crate::output::level_table;

/// Print which database is in use, and what it holds, level by level.
#[derive(Args)]
#[command(after_help = "Example:\n  setrograde db stats")]
pub struct StatsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &StatsArguments) -> anyhow::Result<Outcome> {
    let mut out = io::stdout().lock();
    let Some(found) = arguments.db.in_use()? else {
        match arguments.json {
            true => json::print(json!({
                "from": null, "cards": 0, "directory": null, "levels": []
            }))?,
            false => writeln!(out, "No database is in use.")?,
        }
        return Ok(Outcome::Done);
    };
    let database = &found.database;
    let levels = &database.manifest().levels;
    if arguments.json {
        let levels: Vec<_> = levels.iter().map(level_table::object).collect();
        json::print(json!({
            "from": origin_name(found.origin),
            "cards": 4 * database.max_level(),
            "directory": database.directory().map(|path| path.display().to_string()),
            "levels": levels,
        }))?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "In use: {}", described(&found))?;
    if levels.is_empty() {
        writeln!(out, "`setrograde build` makes one of 16 cards.")?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "\n{}", level_table::table(levels))?;
    for level in levels {
        writeln!(
            out,
            "{:>2} cards: {} by {}, content {:016x}",
            4 * level.level,
            method(level),
            level.program,
            level.content,
        )?;
    }
    Ok(Outcome::Done)
}

/// The method of a level, and the grain of a coarse one.
fn method(level: &LevelRecord) -> String {
    match level.grain() {
        Some(grain) => format!("{}, grain {grain},", level.method),
        None => level.method.clone(),
    }
}

/// The database in use, in words.
fn described(found: &InUse) -> String {
    let extent = found.database.extent();
    let directory = found.database.directory();
    let directory = directory.map_or(String::new(), |path| path.display().to_string());
    match found.origin {
        Origin::Named => format!("{extent} in {directory}"),
        Origin::Variable => format!("{extent} in {directory}, which {VARIABLE} names"),
        Origin::Home => format!("{extent} in {directory}, the user's own"),
        Origin::Installed => format!("{extent} in {directory}, beside the program"),
        Origin::Inside => format!("{extent} inside the program"),
    }
}

fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Named => "--db",
        Origin::Variable => VARIABLE,
        Origin::Home => "user",
        Origin::Installed => "installed",
        Origin::Inside => "inside",
    }
}
