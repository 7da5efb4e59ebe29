//! `setrograde stats`: what a database holds.

use std::fmt;
use std::io::{self, Write};

use clap::Args;
use serde::Serialize;
use serde_json::json;
use setrograde::grouped;
use setrograde_builder::demand;
use setrograde_endgame::states::states_of_partition;
use setrograde_endings::{InUse, Origin, VARIABLE};
use setrograde_lookup::Level;

use crate::Outcome;
use crate::arguments::database::DatabaseArgument;
use crate::json;
use crate::output::level_table;

/// Print which database is in use, and what it holds, level by level.
///
/// Of an unfinished level it prints the share of its partitions and endings that is
/// finished, and an estimate of the share of the searches' questions that it answers.
#[derive(Args)]
#[command(after_help = "Example:\n  setrograde stats")]
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
    let unfinished = database.unfinished().map(Progress::of);
    if arguments.json {
        let levels: Vec<_> = levels.iter().map(level_table::object).collect();
        let mut object = json!({
            "from": origin_name(found.origin),
            "cards": 4 * database.max_level(),
            "directory": database.directory().map(|path| path.display().to_string()),
            "levels": levels,
        });
        if let Some(progress) = unfinished {
            object["unfinished"] = json!(progress);
        }
        json::print(object)?;
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
            level.method,
            level.program,
            level.content,
        )?;
    }
    if let Some(progress) = unfinished {
        writeln!(out, "{progress}")?;
    }
    Ok(Outcome::Done)
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

/// The finished part of a level.
#[derive(Serialize)]
struct Progress {
    cards: usize,
    partitions: usize,
    held: usize,
    bytes: u64,
    states_share: f64,
    demand_share: f64,
}

impl Progress {
    fn of(level: &Level) -> Progress {
        let (mut states, mut asked) = ([0.0; 2], [0.0; 2]);
        for partition in level.partitions().iter() {
            let endings = states_of_partition(partition) as f64;
            let demand = demand(partition);
            let held = f64::from(u8::from(level.holds(partition)));
            states = [states[0] + endings, states[1] + held * endings];
            asked = [asked[0] + demand, asked[1] + held * demand];
        }
        Progress {
            cards: 4 * level.level(),
            partitions: level.partitions().len(),
            held: level.held_partitions(),
            bytes: level.header().bytes(),
            states_share: states[1] / states[0],
            demand_share: asked[1] / asked[0],
        }
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = self;
        write!(
            f,
            "{:>2} cards: unfinished: {} of {} partitions ({:.2} %), with {:.2} % of the endings and some {:.1} % of what searches ask; {} bytes",
            level.cards,
            grouped(level.held as u64),
            grouped(level.partitions as u64),
            100.0 * level.held as f64 / level.partitions as f64,
            100.0 * level.states_share,
            100.0 * level.demand_share,
            grouped(level.bytes),
        )
    }
}
