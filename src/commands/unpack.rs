//! `setrograde db unpack`: makes the mapped levels of a database.

use std::io::{self, Write};

use clap::Args;
use serde_json::json;
use setrograde::grouped;
use setrograde_builder::{Unpack, UnpackedLevel};

use crate::Outcome;
use crate::arguments::database::DirectoryArgument;
use crate::arguments::shared::ThreadsArgument;
use crate::interrupt;
use crate::json;
use crate::output::progress::simple_bar;
use crate::output::tables::{headed, right};

/// Unpack the levels of a database, so they are ready at once.
///
/// `build` and `seal` do so themselves. A compressed level is `level-NN.sdb`; the mapped level,
/// `level-NN-CHECKSUM.map`, is shared by every program that opens it. Without it each program unpacks the
/// level into its own memory.
#[derive(Args)]
#[command(after_help = include_str!("../help/unpack.txt"))]
pub struct UnpackArguments {
    #[command(flatten)]
    db: DirectoryArgument,
    /// Unpack sound maps again, too.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &UnpackArguments) -> anyhow::Result<Outcome> {
    interrupt::is_resumable();
    let unpack = Unpack {
        directory: arguments.db.path()?,
        threads: arguments.threads.count(),
        force: arguments.force,
    };
    let bar = simple_bar("{prefix} [{bar:30}] {percent} %, {eta} left", Some(0));
    let progress = |cards: usize, done, all| {
        bar.set_prefix(format!("{cards:>2} cards"));
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let unpacked = unpack.run(progress, &interrupt::stop());
    bar.finish_and_clear();
    let levels = unpacked?;

    if arguments.json {
        let level = |level: &UnpackedLevel| {
            json!({
                "cards": level.cards,
                "file": level.path.display().to_string(),
                "bytes": level.bytes,
                "seconds": level.took.map(|took| took.as_secs_f64()),
            })
        };
        let levels: Vec<_> = levels.iter().map(level).collect();
        json::print(json!({ "levels": levels }))?;
        return Ok(Outcome::Done);
    }
    let mut table = headed(["cards", "bytes", "wall s"]);
    for level in &levels {
        let took = level.took.map_or("kept".to_owned(), |took| {
            format!("{:.2}", took.as_secs_f64())
        });
        table.add_row([level.cards.to_string(), grouped(level.bytes), took].map(right));
    }
    writeln!(io::stdout(), "{table}")?;
    Ok(Outcome::Done)
}
