//! Restoring a manifest, and listing levels under construction.

use std::collections::BTreeMap;
use std::path::Path;

use setrograde_endgame::partition_index::PartitionIndex;

use crate::directory::Directory;
use crate::error::BuildError;
use crate::files::Disk;
use crate::level::journal;
use crate::level::work_directory::{WorkDirectory, chunk_of, host_of};
use crate::method::Method;
use crate::observer::BuildObserver;
use crate::plan::{Chunk, DEEPEST, chunk_shards, shard_costs};

/// Restores the manifest of a database from its levels, if it is missing or damaged. A sound
/// manifest is kept.
///
/// # Errors
///
/// If there is no database, a file cannot be read or written, or a build is running.
pub fn repair(directory: &Path, observer: &dyn BuildObserver) -> Result<(), BuildError> {
    let directory = Directory {
        path: directory,
        files: &Disk,
    };
    let _lock = directory.lock_exclusive()?;
    directory.manifest(observer).map(drop)
}

/// A level that builds have begun but not sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Construction {
    /// The level, in cards of all hands together.
    pub cards: usize,
    /// Its shards.
    pub shards: usize,
    /// The shards in journals.
    pub finished: usize,
    /// Shards whose contents differ between two journals.
    pub contradicting: usize,
    /// The chunks of the finest division among the journals, each with its finished shards and all
    /// its shards.
    pub chunks: Vec<(Chunk, usize, usize)>,
    /// The finished shards in the journals of each host.
    pub hosts: BTreeMap<String, usize>,
}

/// Returns the levels of a database that are under construction, from the heads of the records
/// in their journals.
///
/// # Errors
///
/// If a journal cannot be read.
pub fn constructions(directory: &Path) -> Result<Vec<Construction>, BuildError> {
    let begun = (1..=DEEPEST).map(|level| construction(directory, level));
    begun.filter_map(Result::transpose).collect()
}

fn construction(directory: &Path, level: usize) -> Result<Option<Construction>, BuildError> {
    let mut sound = WorkDirectory::new(&Disk, directory, level).recipes()?;
    // Shards of another method cannot be sealed together with the first.
    let Some(&(_, first)) = sound.first() else {
        return Ok(None);
    };
    sound.retain(|(_, recipe)| recipe.payload == first.payload);
    let costs = shard_costs(
        &PartitionIndex::new(level),
        Method::of_recipe(first.payload),
    );
    let mut contents: Vec<Option<u64>> = vec![None; costs.len()];
    let mut contradicting = vec![false; costs.len()];
    let mut hosts = BTreeMap::new();
    let mut cut = 1;
    for (path, recipe) in sound {
        let of_host = hosts.entry(host_of(&path)).or_default();
        cut = cut.max(chunk_of(&path).map_or(1, Chunk::of));
        for record in journal::read(&path, &recipe, false)?.records {
            let Some(content) = contents.get_mut(record.shard) else {
                continue;
            };
            contradicting[record.shard] |= content.is_some_and(|other| other != record.content);
            *content = Some(record.content);
            *of_host += 1;
        }
    }
    let mut chunks = Vec::new();
    for chunk in Chunk::all(cut.min(costs.len() as u32)) {
        let shards = chunk_shards(4 * level, &costs, chunk)?;
        let all = shards.len();
        let finished = shards.filter(|&shard| contents[shard].is_some()).count();
        chunks.push((chunk, finished, all));
    }
    Ok(Some(Construction {
        cards: 4 * level,
        shards: costs.len(),
        finished: contents.iter().flatten().count(),
        contradicting: contradicting.into_iter().filter(|&is| is).count(),
        chunks,
        hosts,
    }))
}
