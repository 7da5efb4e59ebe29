//! `setrograde stats`: what a database holds.

use std::fmt;
use std::io::{self, Write};

use clap::Args;
use setrograde_builder::demand;
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::{Database, Level};

use crate::Outcome;
use crate::arguments::shared::{DatabaseArgument, required_database};
use crate::json::{self, LevelSummary, Levels, UnfinishedLevel};
use crate::output::level_table;
use crate::output::tables::grouped;

/// Print what a database holds, level by level.
///
/// Of an unfinished level it prints the share of its partitions and endings that is
/// finished, and an estimate of the share of the searches' questions that it answers.
#[derive(Args)]
#[command(mut_arg("db", required_database))]
#[command(after_help = "Example:\n  setrograde stats --db db")]
pub struct StatsArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &StatsArguments) -> anyhow::Result<Outcome> {
    let database = Database::open(arguments.db.required())?;
    let levels = &database.manifest().levels;
    let unfinished = database.unfinished().map(Progress::of);
    if arguments.json {
        let levels = levels.iter().map(|level| LevelSummary::new(level, None));
        json::print(Levels {
            levels: levels.collect(),
            unfinished: unfinished.map(|progress| progress.0),
        })?;
    } else {
        let mut out = io::stdout().lock();
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

/// The finished part of a level.
struct Progress(UnfinishedLevel);

impl Progress {
    fn of(level: &Level) -> Progress {
        let (mut states, mut asked) = ([0.0; 2], [0.0; 2]);
        for (number, partition) in level.partitions().iter().enumerate() {
            let endings = states_of_partition(partition) as f64;
            let demand = demand(partition);
            let held = f64::from(u8::from(level.holds(number)));
            states = [states[0] + endings, states[1] + held * endings];
            asked = [asked[0] + demand, asked[1] + held * demand];
        }
        Progress(UnfinishedLevel {
            cards: 4 * level.level(),
            partitions: level.partitions().len(),
            held: level.held_partitions(),
            bytes: level.header().bytes,
            states_share: states[1] / states[0],
            demand_share: asked[1] / asked[0],
        })
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = &self.0;
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
