//! Digests of a level's chunks: equal for any two builds of the same chunk.
//!
//! A level of 24 cards takes more than a day to build, and one of its ten thousand chunks some
//! seconds. With the digests of all chunks, anyone can build any chunk and compare.

use std::path::Path;

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_header::{Header, level_content};
use setrograde_lookup::format::manifest::Manifest;
use setrograde_lookup::{Error, LevelFile};

use crate::error::BuildError;
use crate::files::Disk;
use crate::level::journal;
use crate::level::work_directory::WorkDirectory;
use crate::method::Method;
use crate::plan::{Chunk, cuts, level_of, shard_costs, shard_partitions};

/// Returns the digest of each of `of` chunks, or of only one of them, of the level of `cards` cards
/// of the database in `directory`: the hash of the content of its shards. It comes from the level's
/// file if the level is complete, or else from the journals of its builds; `None` for a chunk that
/// is not finished.
///
/// Digests depend only on the method (`refine` or a coarse one), the level and the number of
/// chunks. Shards of shallow trees have none.
///
/// # Errors
///
/// [`BuildError::Cards`] and [`BuildError::Chunks`] if there are no such chunks,
/// [`BuildError::Database`] if the level's file is damaged.
pub fn digests(
    directory: &Path,
    cards: usize,
    method: Method,
    of: u32,
    only: Option<Chunk>,
) -> Result<Vec<(Chunk, Option<u64>)>, BuildError> {
    let level = level_of(cards)?;
    let costs = shard_costs(&PartitionIndex::new(level), method);
    let cuts = cuts(cards, &costs, of)?;
    let manifest = match Manifest::read(directory) {
        Err(Error::NoDatabase { .. }) => Manifest::default(),
        manifest => manifest?,
    };
    let record = manifest.level(level);
    let opened = record.map(|record| LevelFile::open_recorded(directory, record));
    let sealed = opened.transpose()?.filter(|level| {
        let Header { payload, grain, .. } = *level.header();
        let is_of_method = (payload, grain) == (method.payload(), method.grain());
        is_of_method && level.shard_count() == costs.len()
    });
    let in_journals = match sealed {
        Some(_) => Vec::new(),
        None => contents_in_journals(directory, level, method, costs.len())?,
    };
    let content_of = |shard: usize| match &sealed {
        Some(level) => Ok(Some(level.shard(shard)?.survey()?.2)),
        None => Ok(in_journals[shard]),
    };
    let chunks = Chunk::all(of).filter(|chunk| only.is_none_or(|only| only == *chunk));
    chunks
        .collect::<Vec<Chunk>>()
        .into_par_iter()
        .with_max_len(1)
        .map(|chunk| {
            let number = chunk.number() as usize;
            let contents = (cuts[number - 1]..cuts[number])
                .map(content_of)
                .collect::<Result<Option<Vec<u64>>, BuildError>>()?;
            let digest = contents
                .filter(|_| method != Method::Setrograde)
                .map(level_content);
            Ok((chunk, digest))
        })
        .collect()
}

/// Returns the hash of the content of each shard in the journals, by any version of the program.
fn contents_in_journals(
    directory: &Path,
    level: usize,
    method: Method,
    shards: usize,
) -> Result<Vec<Option<u64>>, BuildError> {
    let mut contents = vec![None; shards];
    for (path, recipe) in WorkDirectory::new(&Disk, directory, level).recipes()? {
        let is_of_level = recipe.level == level as u64
            && recipe.payload == method.recipe()
            && recipe.shard_partitions == shard_partitions(level, method) as u64;
        if is_of_level {
            for record in journal::read(&path, &recipe, true)?.records {
                if let Some(content) = contents.get_mut(record.shard) {
                    *content = Some(record.content);
                }
            }
        }
    }
    Ok(contents)
}
