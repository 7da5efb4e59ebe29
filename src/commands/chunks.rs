//! `setrograde db chunks`: the chunks of a level.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use setrograde::grouped;
use setrograde::lookup::Grain;
use setrograde::lookup::format::manifest::Manifest;
use setrograde_builder::{Method, Share, plan};

use crate::Outcome;
use crate::arguments::numbers::{cards, whole};
use crate::json;
use crate::output::suggestion::coarse_from;
use crate::output::tables::{headed, right};

/// Cut a level into chunks of equal predicted cost.
///
/// The cut depends only on the two numbers and the grain: no database is needed, nothing is
/// written, and every machine computes the same cut. Each line is a chunk for `setrograde build --chunk` with its
/// share of the predicted cost.
#[derive(Args)]
#[command(after_help = include_str!("../help/chunks.txt"))]
pub struct ChunksArguments {
    /// The level: the cards left in an ending, all hands together.
    #[arg(long, value_name = "N", value_parser = cards)]
    cards: usize,
    /// Number of chunks.
    #[arg(long, value_name = "K", value_parser = whole::<u32>(1..))]
    chunks: u32,
    /// The grain of the level, if it is coarse.
    #[arg(long, value_name = "SHARE")]
    grain: Option<Grain>,
    /// A database whose coarse levels have the grain.
    #[arg(long, value_name = "DIR", conflicts_with = "grain")]
    db: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The method of a level with this grain, or of an exact one.
pub fn method(grain: Option<Grain>) -> Method {
    grain.map_or(Method::Refine, Method::Coarse)
}

pub fn run(arguments: &ChunksArguments) -> anyhow::Result<Outcome> {
    let manifest = arguments.db.as_deref().map(Manifest::read).transpose()?;
    let coarse = manifest.and_then(|found| coarse_from(&found, arguments.cards));
    let grain = coarse.map(|(_, grain)| grain).or(arguments.grain);
    let shares = plan(arguments.cards, method(grain), arguments.chunks)?;
    let all: u64 = shares.iter().map(|share| share.cost).sum();
    let share_of = |share: &Share| share.cost as f64 / all as f64;
    if arguments.json {
        let chunks: Vec<_> = shares
            .iter()
            .map(|share| {
                json!({
                    "chunk": share.chunk.to_string(),
                    "first_shard": share.shards.start,
                    "shards": share.shards.len(),
                    "first_partition": share.partitions.start,
                    "partitions": share.partitions.len(),
                    "share": share_of(share),
                })
            })
            .collect();
        json::print(json!({ "cards": arguments.cards, "chunks": chunks }))?;
        return Ok(Outcome::Done);
    }
    let mut table = headed(["chunk", "first shard", "shards", "partitions", "share %"]);
    for share in &shares {
        table.add_row(
            [
                share.chunk.to_string(),
                grouped(share.shards.start as u64),
                grouped(share.shards.len() as u64),
                grouped(share.partitions.len() as u64),
                format!("{:.3}", 100.0 * share_of(share)),
            ]
            .map(right),
        );
    }
    writeln!(io::stdout(), "{table}")?;
    Ok(Outcome::Done)
}
