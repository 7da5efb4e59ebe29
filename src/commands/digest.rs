//! `setrograde db digest`: hashes with which anyone's build of a chunk can be compared.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::json;
use setrograde::grouped;
use setrograde::lookup::Grain;
use setrograde::lookup::format::manifest::Manifest;
use setrograde_builder::{Chunk, digests};

use crate::Outcome;
use crate::arguments::database::DirectoryArgument;
use crate::arguments::numbers::{cards, whole};
use crate::commands::chunks::method;
use crate::json;
use crate::output::{say, suggestion};
use crate::questions::sources::InputSource;

/// Print hashes of the contents of a level's chunks, or check them.
///
/// The level is cut as by `setrograde db chunks`. A chunk's hash is the same whether it
/// comes from a sealed level, from a level under construction, or from the chunk
/// built alone, on any machine. One line for each finished chunk: its number and
/// its hash.
#[derive(Args)]
#[command(after_help = include_str!("../help/digest.txt"))]
pub struct DigestArguments {
    /// The level: the cards left in an ending, all hands together.
    #[arg(long, value_name = "N", value_parser = cards)]
    cards: usize,
    #[command(flatten)]
    db: DirectoryArgument,
    /// Number of chunks to cut the level into.
    #[arg(long, value_name = "K", required_unless_present = "chunk",
        value_parser = whole::<u32>(1..=10_000_000))]
    chunks: Option<u32>,
    /// Only chunk I of K.
    #[arg(long, value_name = "I/K", conflicts_with = "chunks")]
    chunk: Option<Chunk>,
    /// The grain of the level, if it is coarse. [default: that of the sealed level]
    #[arg(long, value_name = "SHARE")]
    grain: Option<Grain>,
    /// Compare with the digests in FILE, made with the same number of chunks.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &DigestArguments) -> anyhow::Result<Outcome> {
    let (cards, db) = (&arguments.cards, &arguments.db.path()?);
    let of = match arguments.chunk {
        Some(chunk) => chunk.of(),
        None => arguments.chunks.unwrap_or(1),
    };
    let expected = match &arguments.check {
        Some(file) => Some(read(&InputSource::new(file.as_os_str()), *cards, of)?),
        None => None,
    };
    let sealed = || Manifest::read(db).ok()?.level(cards / 4)?.grain();
    let grain = arguments.grain.or_else(sealed);
    let digests = digests(db, *cards, method(grain), of, arguments.chunk)?;
    let finished: Vec<(Chunk, u64)> = digests
        .iter()
        .filter_map(|&(chunk, digest)| Some((chunk, digest?)))
        .collect();
    let missing = digests.len() - finished.len();
    ensure!(
        !finished.is_empty(),
        "{}: none of these chunks is finished; build one with {}",
        db.display(),
        suggestion::build_by(
            method(grain),
            *cards,
            &format!(" --chunk {}", arguments.chunk.unwrap_or(Chunk::WHOLE)),
            db
        ),
    );
    match expected {
        Some(expected) => compare(arguments, &finished, &expected)?,
        None if arguments.json => {
            let digest = |(chunk, digest): &(Chunk, u64)| json!({ "chunk": chunk.to_string(), "digest": format!("{digest:016x}") });
            json::print(json!({
                "cards": cards,
                "chunks": of,
                "digests": finished.iter().map(digest).collect::<Vec<_>>(),
                "missing": missing,
            }))?;
        }
        None => print(arguments, of, &finished)?,
    }
    if missing > 0 {
        say(format_args!(
            "{} of {} chunks are not finished",
            grouped(missing as u64),
            grouped(digests.len() as u64)
        ));
    }
    Ok(Outcome::Done)
}

fn print(arguments: &DigestArguments, of: u32, finished: &[(Chunk, u64)]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let cards = arguments.cards;
    writeln!(out, "{}", heading(cards, of))?;
    for (chunk, digest) in finished {
        writeln!(out, "{} {digest:016x}", chunk.number())?;
    }
    Ok(())
}

fn compare(
    arguments: &DigestArguments,
    finished: &[(Chunk, u64)],
    expected: &[Option<u64>],
) -> anyhow::Result<()> {
    let mut same = 0u64;
    let mut different = Vec::new();
    for (chunk, digest) in finished {
        match expected[chunk.number() as usize - 1] {
            Some(expected) if expected == *digest => same += 1,
            Some(_) => different.push(chunk.to_string()),
            None => {}
        }
    }
    let cards = arguments.cards;
    if arguments.json {
        json::print(json!({ "cards": cards, "same": same, "different": different }))?;
    } else {
        let same_text = grouped(same);
        writeln!(
            io::stdout(),
            "{cards} cards: {same_text} finished chunks have the digest of the file"
        )?;
    }
    if let Some(first) = different.first() {
        bail!(
            "{cards} cards: {} finished chunks have another digest; the first is {first}",
            different.len(),
        );
    }
    ensure!(same > 0, "no finished chunk is in the file");
    Ok(())
}

/// The first line of a file of digests.
fn heading(cards: usize, chunks: u32) -> String {
    format!("# setrograde digest: {cards} cards in {chunks} chunks")
}

/// Reads the digests of a level's chunks from a file.
fn read(source: &InputSource, cards: usize, of: u32) -> anyhow::Result<Vec<Option<u64>>> {
    let name = source.name();
    // A line has 28 characters at most, and a character four bytes.
    let text = source.text(128 * (u64::from(of) + 2))?;
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    ensure!(
        first == heading(cards, of),
        "{name}, line 1: expected \"{}\", found {first:?}",
        heading(cards, of)
    );
    let mut digests = vec![None; of as usize];
    for (line, number) in lines.zip(2..) {
        let digest = line.split_once(' ').and_then(|(chunk, digest)| {
            let at = chunk.parse::<usize>().ok()?.checked_sub(1)?;
            let digest = u64::from_str_radix(digest, 16).ok()?;
            Some((at, digest))
        });
        let found = digest.and_then(|(at, digest)| Some((digests.get_mut(at)?, digest)));
        let (slot, digest) = found.with_context(|| {
            format!(
                "{name}, line {number}: expected a chunk up to {of} and 16 hexadecimal digits, \
                 found {line:?}"
            )
        })?;
        *slot = Some(digest);
    }
    Ok(digests)
}
