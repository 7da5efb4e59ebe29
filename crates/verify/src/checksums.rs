//! Checksums, and whether manifest, header and shards say the same.

use std::sync::{Mutex, PoisonError};

use setrograde_lookup::format::{level_header, manifest};
use setrograde_lookup::{Database, Error, Level, LevelFile, MapShard, ShardFacts};

use crate::check::{Passed, Portion, VerifyObserver, states_of};
use crate::error::{VerifyError, same};
use crate::parallel::Workers;

/// Reads every shard of a level afresh, and compares the counts and the hash
/// that stand in its header and in the manifest with what the shards hold.
pub(crate) fn check<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    file: Option<&LevelFile>,
    workers: &Workers<'_, O>,
) -> Result<Passed, VerifyError> {
    let portion = |shard| Portion {
        units: 1,
        cost: level.shard_bytes(shard),
    };
    let (Some(file), Some(directory)) = (file, database.directory()) else {
        let check = |(): &mut (), shard| {
            level.check_shard(shard)?;
            Ok(portion(shard))
        };
        let cpu = workers.each(level.shard_count(), || (), check)?;
        return Ok(Passed { sets: 0, cpu });
    };
    let found: Mutex<Vec<(usize, ShardFacts)>> = Mutex::default();
    let cpu = workers.each(
        level.shard_count(),
        || (),
        |(), shard| {
            let (facts, diagrams) = file.survey_shard(shard)?;
            level.check_shard(shard)?;
            if MapShard::from(diagrams).checksum(shard) != level.shard_checksum(shard) {
                let problem = "it is not what the level at rest unpacks to";
                let place = format!("shard {shard}");
                return Err(Error::damaged(level.path(), place, problem).into());
            }
            found
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push((shard, facts));
            Ok(portion(shard))
        },
    )?;
    let mut shards = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    shards.sort_by_key(|&(shard, _)| shard);
    let facts = || shards.iter().map(|(_, facts)| facts);
    let sets: u64 = facts().map(|facts| facts.sets).sum();
    let nodes: u64 = facts().map(|facts| facts.nodes).sum();
    let largest = facts().map(|facts| facts.largest).max().unwrap_or(0);
    let content = level_header::level_content(facts().map(|facts| facts.content));

    let header = file.header();
    let path = file.path();
    same(path, "number of nodes", header.nodes, nodes.into())?;
    same(path, "number of sets", header.sets, sets.into())?;
    same(path, "hash of the content", header.content, content.into())?;
    // Opening the database has found the record that names the file.
    if let Some(record) = database.manifest().level(level.level()) {
        let path = manifest::path_in(directory);
        let partitions = level.partitions().len() as u128;
        same(&path, "number of partitions", record.partitions, partitions)?;
        same(&path, "number of states", record.states, states_of(level))?;
        same(&path, "number of sets", record.sets, sets.into())?;
        same(&path, "number of nodes", record.nodes, nodes.into())?;
        same(
            &path,
            "size of the largest diagram",
            record.largest,
            largest.into(),
        )?;
        same(&path, "hash of the content", record.content, content.into())?;
    }
    Ok(Passed { sets: 0, cpu })
}
