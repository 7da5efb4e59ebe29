//! `setrograde db stats`: the levels of a database.

use std::io::{self, Write};
use std::path::Path;

use clap::Args;
use serde_json::Value;
use serde_json::json;
use setrograde::lookup::format::manifest::LevelRecord;
use setrograde::lookup::in_use::{InUse, Origin, PassedOver, VARIABLE};
use setrograde::lookup::{Error, LevelFile};
use setrograde::{causes, grouped};
use setrograde_beliefs::joined;
use setrograde_builder::{Chunk, Construction, constructions};

use super::verify::unlisted;
use crate::Outcome;
use crate::arguments::database::DatabaseArgument;
use crate::json;
use crate::output::errors::{hint, with_hint};
use crate::output::printable::{self, printable};
use crate::output::{level_table, suggestion};

/// Print which database is in use, and what it holds, level by level.
///
/// Names the databases that are there and not used, and the levels that builds have begun:
/// the shards and chunks that are finished, by which hosts, and those that contradict each other.
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
        if arguments.json {
            json::print(json!({
                "from": null, "cards": 0, "directory": null, "levels": []
            }))?;
        } else {
            writeln!(out, "No database is in use.")?;
        }
        return Ok(Outcome::Done);
    };
    let database = &found.database;
    let levels = &database.manifest().levels;
    let passed_over_ones = found.passed_over.iter();
    // One that is no directory, say, has its reason in the list.
    let of_others = passed_over_ones.filter_map(|over| constructions(&over.directory).ok());
    let mut begun: Vec<Construction> = of_others.flatten().collect();
    if let Some(directory) = database.directory() {
        begun.extend(constructions(directory)?);
    }
    let mut faults: Vec<(usize, String)> = match database.directory() {
        // A copy of an installed database has only the maps.
        Some(directory) if found.origin != Origin::Installed => levels
            .iter()
            .filter_map(|record| Some((4 * record.level as usize, fault(directory, record)?)))
            .collect(),
        _ => Vec::new(),
    };
    let is_used = |cards: usize| database.manifest().level(cards / 4).is_some();
    for (cards, opened) in unlisted(database) {
        faults.extend(opened.err().map(|error| (cards, causes(&error))));
    }
    if arguments.json {
        let levels = levels.iter().map(|record| {
            let mut object = level_table::object(record);
            let cards = 4 * record.level as usize;
            if let Some((_, problem)) = faults.iter().find(|(of, _)| *of == cards) {
                object["problem"] = problem.as_str().into();
            }
            object
        });
        let mut levels: Vec<_> = levels.collect();
        for (cards, problem) in faults.iter().filter(|(cards, _)| !is_used(*cards)) {
            levels.push(json!({ "cards": cards, "problem": problem }));
        }
        json::print(json!({
            "from": origin_name(found.origin),
            "cards": 4 * database.max_tricks(),
            "directory": database.directory().map(|path| path.display().to_string()),
            "levels": levels,
            "passed_over": found.passed_over.iter().map(passed_over).collect::<Vec<_>>(),
            "under_construction": begun.iter().map(construction).collect::<Vec<_>>(),
        }))?;
        return Ok(Outcome::Done);
    }
    write_words(&mut out, &found, &faults, &begun)?;
    Ok(Outcome::Done)
}

/// Writes the statistics as text.
fn write_words(
    out: &mut impl Write,
    found: &InUse,
    faults: &[(usize, String)],
    begun: &[Construction],
) -> io::Result<()> {
    let database = &found.database;
    let levels = &database.manifest().levels;
    writeln!(out, "In use: {}", described(found))?;
    for over in &found.passed_over {
        let (directory, reason) = (printable::path(&over.directory), printable(&over.reason));
        let hint = over.error.as_ref().and_then(|error| hint(error));
        let reason = with_hint(reason.into_owned(), hint);
        writeln!(out, "Not used: {directory}: {reason}")?;
    }
    for (cards, problem) in faults {
        let mend = database
            .directory()
            .map(|path| suggestion::build(*cards, path));
        writeln!(
            out,
            "{cards:>2} cards: {}; mend it with {}",
            printable(problem),
            mend.unwrap_or_default(),
        )?;
    }
    if levels.is_empty() {
        writeln!(
            out,
            "{} makes one of 16 cards.",
            suggestion::command("build", None)
        )?;
    } else {
        writeln!(out, "\n{}", level_table::table(levels))?;
    }
    for level in levels {
        writeln!(
            out,
            "{:>2} cards: {} by {}, content {:016x}",
            4 * level.level,
            printable(&method(level)),
            printable(match level.program.as_str() {
                "" => "an unknown program",
                program => program,
            }),
            level.content,
        )?;
    }
    for level in begun {
        write!(out, "{}", in_words(level))?;
    }
    Ok(())
}

/// Returns what is wrong with the compressed file of a level, whose map answers without it.
fn fault(directory: &Path, record: &LevelRecord) -> Option<String> {
    match LevelFile::open_recorded(directory, record) {
        Ok(_) => None,
        Err(Error::MissingLevel { path, .. }) => Some(format!("{}: it is missing", path.display())),
        Err(error) => Some(causes(&error)),
    }
}

/// The method of a level, and the grain of a coarse one.
fn method(level: &LevelRecord) -> String {
    match level.grain() {
        Some(grain) => format!("{}, grain {grain},", level.method),
        None => level.method.clone(),
    }
}

/// A level under construction, in words.
fn in_words(level: &Construction) -> String {
    const SHOWN: usize = 10;
    type Chunks<'a> = Vec<&'a (Chunk, usize, usize)>;
    let (finished, all) = (level.finished as u64, level.shards as u64);
    let mut text = format!(
        "{:>2} cards: under construction: {} of {} shards ({:.1} %)\n",
        level.cards,
        grouped(finished),
        grouped(all),
        100.0 * finished as f64 / all as f64,
    );
    for (host, shards) in &level.hosts {
        text += &format!(
            "          by {}: {}\n",
            printable(host),
            grouped(*shards as u64)
        );
    }
    let is_finished = |(_, done, of): &&(Chunk, usize, usize)| done == of;
    let (done, missing): (Chunks<'_>, Chunks<'_>) = level.chunks.iter().partition(is_finished);
    let names = missing.iter().take(SHOWN).map(|(chunk, ..)| chunk);
    text += &match missing.len() {
        0 if done.len() == 1 => "          the only chunk is finished\n".to_owned(),
        0 => format!(
            "          all {} chunks are finished\n",
            grouped(done.len() as u64)
        ),
        count => format!(
            "          {} of {} chunks are finished; missing: {}{}\n",
            grouped(done.len() as u64),
            grouped(level.chunks.len() as u64),
            joined(names, ", "),
            if count > SHOWN { ", …" } else { "" },
        ),
    };
    if level.contradicting > 0 {
        text += &format!(
            "          {} different in two journals: one of them was built wrong, or by another \
             program\n",
            match level.contradicting {
                1 => "1 shard is".to_owned(),
                count => format!("{} shards are", grouped(count as u64)),
            }
        );
    }
    text
}

fn construction(level: &Construction) -> Value {
    let missing = level.chunks.iter().filter(|(_, done, of)| done < of);
    let missing: Vec<String> = missing.map(|(chunk, ..)| chunk.to_string()).collect();
    json!({
        "cards": level.cards,
        "shards": level.shards,
        "finished": level.finished,
        "contradicting": level.contradicting,
        "chunks": level.chunks.len(),
        "missing_chunks": missing,
        "hosts": level.hosts,
    })
}

fn passed_over(over: &PassedOver) -> Value {
    json!({
        "directory": over.directory.display().to_string(),
        "from": origin_name(over.origin),
        "reason": over.reason,
    })
}

/// The database in use, in words.
fn described(found: &InUse) -> String {
    let extent = found.database.extent();
    let directory = found.database.directory();
    let directory = directory.map_or(String::new(), printable::path);
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
