//! `setrograde stats`: what a database holds.

use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use setrograde_builder::demand;
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::{Database, Level};

use crate::Outcome;
use crate::output::level_table;
use crate::output::tables::grouped;

/// Print what a database holds, level by level.
///
/// Of an unfinished level it prints the share of its partitions and endings that is
/// finished, and an estimate of the share of the searches' questions that it answers.
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
    let unfinished = database.unfinished().map(Progress::of);
    let mut out = io::stdout().lock();
    if arguments.json {
        writeln!(
            out,
            "{:#}",
            json!({
                "levels": level_table::to_json(levels),
                "unfinished": unfinished.map(|progress| progress.to_json()),
            })
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
        if let Some(progress) = unfinished {
            writeln!(out, "{progress}")?;
        }
    }
    Ok(Outcome::Done)
}

/// How much of a level is there.
struct Progress {
    cards: usize,
    partitions: usize,
    held: usize,
    bytes: u64,
    /// The share of the level's endings that is held.
    states: f64,
    /// The share of what searches ask, as predicted.
    demand: f64,
}

impl Progress {
    fn of(level: &Level) -> Progress {
        let (mut states, mut asked) = ([0.0; 2], [0.0; 2]);
        for (number, partition) in level.partitions().iter().enumerate() {
            let of_partition = states_of_partition(partition) as f64;
            let demand = demand(partition);
            let held = f64::from(u8::from(level.holds(number)));
            states = [states[0] + of_partition, states[1] + held * of_partition];
            asked = [asked[0] + demand, asked[1] + held * demand];
        }
        Progress {
            cards: 4 * level.level(),
            partitions: level.partitions().len(),
            held: level.held_partitions(),
            bytes: level.header().bytes,
            states: states[1] / states[0],
            demand: asked[1] / asked[0],
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "cards": self.cards,
            "partitions": self.partitions,
            "held": self.held,
            "bytes": self.bytes,
            "states_share": self.states,
            "demand_share": self.demand,
        })
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>2} cards: unfinished: {} of {} partitions ({:.2} %), with {:.2} % of the endings and some {:.1} % of what searches ask; {} bytes",
            self.cards,
            grouped(self.held as u64),
            grouped(self.partitions as u64),
            100.0 * self.held as f64 / self.partitions as f64,
            100.0 * self.states,
            100.0 * self.demand,
            grouped(self.bytes),
        )
    }
}
