//! `setrograde build`: builds a database.

use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use setrograde::cards::Position;
use setrograde::grouped;
use setrograde::lookup::Database;
use setrograde::lookup::format::manifest::Manifest;
use setrograde_builder::{Build, Chunk, FinishedChunk, Work};

use crate::Outcome;
use crate::arguments::chunk::ChunkArgument;
use crate::arguments::level::LevelArguments;
use crate::arguments::output::only_file;
use crate::arguments::size::Size;
use crate::interrupt;
use crate::json;
use crate::output::progress::BuildProgress;
use crate::output::{level_table, printable};

/// Build a database of all endings of 4, 8, 12, … up to N cards.
///
/// Without options it has up to 16 cards, in the directory that all commands, libdds and the Python
/// package use.
///
/// Sound levels that exist are kept. Each finished shard is saved immediately:
/// after an interrupt (Ctrl-C), a kill or a crash, the same command resumes.
#[derive(Args)]
#[command(after_help = include_str!("../help/build.txt"))]
pub struct BuildArguments {
    #[command(flatten)]
    level: LevelArguments,
    /// Memory limit, such as 8G. The build refuses to start if it needs more. With room for three
    /// times the level below it takes a third less time. [default: the free memory]
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,
    /// Build chunk I of the K chunks of the level of N cards. The level below must exist;
    /// `setrograde db seal` puts the chunks together. auto/K takes the array index that Slurm, PBS,
    /// Grid Engine, LSF, Kubernetes, AWS Batch or Google Cloud set.
    #[arg(long, value_name = "I/K")]
    chunk: Option<ChunkArgument>,
    /// Write the finished chunk into this file, and nothing into the database, which needs only
    /// the level below. Unfinished work is in FILE.scratch, and the same command resumes it.
    #[arg(short, long, value_name = "FILE", requires = "chunk", value_parser = only_file())]
    output: Option<PathBuf>,
    /// Rebuild even if a finished or partial level exists.
    #[arg(long, conflicts_with = "chunk")]
    force: bool,
}

pub fn run(arguments: &BuildArguments) -> anyhow::Result<Outcome> {
    interrupt::is_resumable();
    let build = Build {
        memory: arguments.memory.map(Size::bytes),
        force: arguments.force,
        ..arguments.level.build()?
    };
    let progress = BuildProgress::default();
    let (level, stop) = (&arguments.level, &interrupt::stop());
    let chunk = arguments.chunk.map(ChunkArgument::chunk).transpose()?;
    if let (Some(chunk), Some(out)) = (chunk, &arguments.output) {
        let mut scratch = out.clone().into_os_string();
        scratch.push(".scratch");
        let finished = build.run_chunk_to(chunk, out, scratch.as_ref(), &progress, stop)?;
        file_summary(level, chunk, out, finished)?;
    } else if let Some(chunk) = chunk {
        let finished = build.run_chunk(chunk, &progress, stop)?;
        chunk_summary(level, chunk, finished)?;
    } else {
        let manifest = build.run(&progress, stop)?;
        level_summary(level, &manifest, &progress)?;
    }
    Ok(Outcome::Done)
}

fn chunk_summary(
    arguments: &LevelArguments,
    chunk: Chunk,
    finished: Option<FinishedChunk>,
) -> anyhow::Result<()> {
    let Some(FinishedChunk { shards, work }) = finished else {
        return level_is_there(arguments);
    };
    let object = chunk_object(arguments, chunk, &shards, work);
    let (count, first) = (grouped(shards.len() as u64), grouped(shards.start as u64));
    let text = format!("chunk {chunk} is finished, {count} shards from {first} on");
    print(arguments, object, &format!("{text}: {}", work_text(work)))
}

fn chunk_object(
    arguments: &LevelArguments,
    chunk: Chunk,
    shards: &Range<usize>,
    work: Work,
) -> Value {
    json!({
        "cards": arguments.cards,
        "chunk": chunk.to_string(),
        "first_shard": shards.start,
        "shards": shards.len(),
        "lookups": work.lookups,
        "cpu_seconds": work.cpu.as_secs_f64(),
    })
}

fn file_summary(
    arguments: &LevelArguments,
    chunk: Chunk,
    file: &Path,
    (finished, digest): (Option<FinishedChunk>, u64),
) -> anyhow::Result<()> {
    let name = printable::path(file);
    let (mut object, text) = match finished {
        Some(FinishedChunk { shards, work }) => (
            chunk_object(arguments, chunk, &shards, work),
            format!("chunk {chunk} is in {name}: {}", work_text(work)),
        ),
        None => (
            json!({ "cards": arguments.cards, "chunk": chunk.to_string() }),
            format!("chunk {chunk} is already in {name}"),
        ),
    };
    object["file"] = file.display().to_string().into();
    object["digest"] = format!("{digest:016x}").into();
    print(arguments, object, &format!("{text}, digest {digest:016x}"))
}

fn level_is_there(arguments: &LevelArguments) -> anyhow::Result<()> {
    let cards = arguments.cards;
    let object = json!({ "cards": cards, "level": true });
    print(arguments, object, "the level already exists")
}

/// Prints the result, as an object or in words.
fn print(arguments: &LevelArguments, object: Value, text: &str) -> anyhow::Result<()> {
    if arguments.json {
        json::print(object)?;
    } else {
        writeln!(io::stdout(), "{} cards: {text}", arguments.cards)?;
    }
    Ok(())
}

fn work_text(work: Work) -> String {
    let (lookups, seconds) = (grouped(work.lookups), work.cpu.as_secs_f64());
    format!("{lookups} look-ups, {seconds:.2} s of CPU")
}

fn level_summary(
    arguments: &LevelArguments,
    manifest: &Manifest,
    progress: &BuildProgress,
) -> anyhow::Result<()> {
    if arguments.json {
        let levels = manifest.levels.iter().map(|record| {
            let mut object = level_table::object(record);
            if let Some(sealing) = progress.sealing(record.level) {
                object["sealing_seconds"] = sealing.as_secs_f64().into();
            }
            object
        });
        return Ok(json::print(
            json!({ "levels": levels.collect::<Vec<_>>() }),
        )?);
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{}", level_table::table(&manifest.levels))?;
    show_answers(arguments, &mut out)
}

/// Endings to show, one for each of the small levels.
const SAMPLES: [&str; 4] = [
    "NT N N:A... K... .A.. ..A.",
    "H W N:A.2.. K..A. .AK.. Q..K.",
    "S E N:AQ.2.. .A5.4. KJ..2. T.K.3.",
    "NT S N:AQ.T..7 KJ..A.8 32.A4.. T9.K.K.",
];

fn show_answers(arguments: &LevelArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let directory = arguments.db.path()?;
    let database = Database::open(&directory)?;
    if arguments.db.is_usual()
        && let Ok(Some(used)) = Database::in_use(None)
    {
        let (shown, extent) = (printable::path(&directory), database.extent());
        if used.database.directory() == Some(&directory) {
            writeln!(
                out,
                "\nIn {shown}: all commands, libdds and the Python package now use these {extent}.",
            )?;
        } else {
            writeln!(
                out,
                "\nIn {shown}: these {extent}; commands go on using the {} {}.",
                used.database.extent(),
                match used.database.directory() {
                    Some(other) => format!("in {}", printable::path(other)),
                    None => "inside the program".to_owned(),
                },
            )?;
        }
    }
    writeln!(
        out,
        "\nAn ending, and the tricks that its leader's side takes:"
    )?;
    for sample in SAMPLES {
        let position: Position = sample.parse()?;
        if position.tricks_left() <= database.max_tricks() {
            writeln!(out, "  {sample}\t{}", database.position_value(&position)?)?;
        }
    }
    let db = arguments.db.as_given();
    writeln!(out, "\nAsk more (`-` reads one per line), or see why:")?;
    writeln!(
        out,
        "  setrograde query{db} --explain \"{}\"",
        SAMPLES[database.max_tricks().clamp(1, 4) - 1]
    )?;
    Ok(())
}
