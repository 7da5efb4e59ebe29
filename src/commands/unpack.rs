//! `setrograde unpack`: puts a database to work.

use std::io::{self, Write};

use clap::Args;
use comfy_table::Cell;
use serde_json::json;
use setrograde::grouped;
use setrograde_builder::{Unpack, UnpackedLevel};

use crate::Outcome;
use crate::arguments::database::DirectoryArgument;
use crate::arguments::shared::ThreadsArgument;
use crate::arguments::size::Size;
use crate::interrupt;
use crate::json;
use crate::output::progress::simple_bar;
use crate::output::tables::{plain, right};

/// Unpack the levels of a database, so that they are ready at once.
///
/// `build` and `seal` do so themselves. A level at rest, `level-NN.sdb`, is compressed;
/// the level at work, `level-NN.map`, is read where it lies, by all programs that have
/// it open. Without it each program unpacks the level into its own memory. Of a level
/// that is not whole, what builds have finished is unpacked.
#[derive(Args)]
#[command(after_help = include_str!("../help/unpack.txt"))]
pub struct UnpackArguments {
    #[command(flatten)]
    db: DirectoryArgument,
    /// Unpack again what is there.
    #[arg(long)]
    force: bool,
    /// The most bytes of a level at work. Of one that has more, the part is unpacked that
    /// searches ask for most for each byte; `stats` says how much that is. [default: half of
    /// the machine's memory]
    #[arg(long, value_name = "SIZE")]
    most: Option<Size>,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &UnpackArguments) -> anyhow::Result<Outcome> {
    let unpack = Unpack {
        directory: arguments.db.path()?,
        threads: arguments.threads.count(),
        force: arguments.force,
        most: arguments.most.map(Size::bytes),
    };
    let bar = simple_bar("{prefix} [{bar:30}] {percent} %, {eta} left", Some(0));
    let progress = |cards: usize, done, all| {
        bar.set_prefix(format!("{cards:>2} cards"));
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    };
    let unpacked = unpack.run(progress, interrupt::flag());
    bar.finish_and_clear();
    let levels = unpacked?;

    if arguments.json {
        let level = |level: &UnpackedLevel| {
            json!({
                "cards": level.cards,
                "file": level.path.display().to_string(),
                "bytes": level.bytes,
                "held": level.held,
                "partitions": level.partitions,
                "demand_share": level.demand_share,
                "seconds": level.took.map(|took| took.as_secs_f64()),
            })
        };
        let levels: Vec<_> = levels.iter().map(level).collect();
        json::print(json!({ "levels": levels }))?;
        return Ok(Outcome::Done);
    }
    let mut table = plain();
    table.set_header([
        right("cards"),
        right("bytes"),
        Cell::new("partitions"),
        right("wall s"),
    ]);
    for level in &levels {
        let partitions = if level.held == level.partitions {
            "all".to_owned()
        } else {
            format!(
                "{} of {}",
                grouped(level.held as u64),
                grouped(level.partitions as u64)
            )
        };
        let took = level.took.map_or("kept".to_owned(), |took| {
            format!("{:.2}", took.as_secs_f64())
        });
        table.add_row([
            right(level.cards.to_string()),
            right(grouped(level.bytes)),
            Cell::new(partitions),
            right(took),
        ]);
    }
    writeln!(io::stdout(), "{table}")?;
    for level in levels.iter().filter(|level| level.demand_share < 1.0) {
        writeln!(
            io::stdout(),
            "{} cards: the part that is there has some {:.0} % of what searches ask; a larger --most has more",
            level.cards,
            100.0 * level.demand_share,
        )?;
    }
    Ok(Outcome::Done)
}
