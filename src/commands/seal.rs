//! `setrograde db seal`: makes a level from its finished chunks.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use setrograde_builder::Build;

use crate::Outcome;
use crate::arguments::database::DirectoryArgument;
use crate::arguments::level::PROGRAM;
use crate::arguments::numbers::cards;
use crate::arguments::shared::ThreadsArgument;
use crate::interrupt;
use crate::json;
use crate::output::level_table;
use crate::output::progress::BuildProgress;

/// Put the finished chunks of a level together.
///
/// Checks that they are complete and sound, and lists the missing ones. The
/// level has the same bytes as one that was built in a single process. The method and the grain
/// are those of the chunks.
#[derive(Args)]
#[command(after_help = include_str!("../help/seal.txt"))]
pub struct SealArguments {
    /// The level: the cards left in an ending, all hands together.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = cards)]
    cards: usize,
    #[command(flatten)]
    db: DirectoryArgument,
    /// Chunk files (`setrograde build --output`), or directories with files *.chunk.
    #[arg(long, value_name = "DIR|FILE", num_args = 1..)]
    from: Vec<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// Print the summary as JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &SealArguments) -> anyhow::Result<Outcome> {
    interrupt::is_resumable();
    let build = Build {
        threads: arguments.threads.count(),
        program: PROGRAM.to_owned(),
        ..Build::new(arguments.db.path()?, arguments.cards)
    };
    let record = build.seal(&arguments.from, &BuildProgress::default())?;
    if arguments.json {
        json::print(json!({ "levels": [level_table::object(&record)] }))?;
    } else {
        writeln!(io::stdout(), "{}", level_table::table(&[record]))?;
    }
    Ok(Outcome::Done)
}
