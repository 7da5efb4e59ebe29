//! Checksums, and whether manifest, header and shards say the same.

use std::sync::OnceLock;

use setrograde_endgame::diagram::census::DiagramCounts;
use setrograde_lookup::format::{level_header, manifest};
use setrograde_lookup::{Database, Error, Level, LevelFile};

use crate::check::{Passed, VerifyObserver, states_of};
use crate::error::{VerifyError, same};
use crate::reproof::Groups;
use crate::workers::Workers;

/// Checks all checksums of a mapped level. Reads every compressed shard again, compares its
/// diagrams with the mapped ones, and compares the counts and the hash in the header and in the
/// manifest with the contents of the shards.
pub(crate) fn check_level<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    file: Option<&LevelFile>,
    groups: &Groups,
    workers: &Workers<'_, O>,
) -> Result<Passed, VerifyError> {
    level.check()?;
    let (Some(file), Some(directory)) = (file, database.directory()) else {
        let cpu = workers.each(groups.count(), || (), |(), group| Ok(groups.portion(group)))?;
        return Ok(Passed { sets: 0, cpu });
    };
    let found: Vec<OnceLock<(DiagramCounts, u64)>> = vec![OnceLock::new(); groups.count()];
    let cpu = workers.each(
        groups.count(),
        || (),
        |(), shard| {
            let (diagrams, counts, content) = file.shard(shard)?.survey()?;
            let first = groups.numbers(shard).start;
            let partitions = level.partitions().iter_from(first).take(diagrams.count());
            for (at, partition) in partitions.enumerate() {
                if level.diagram(partition)?.own_nodes() != diagrams.diagram(at).own_nodes() {
                    let error = Error::Damaged {
                        path: level.path().to_owned(),
                        part: format!("partition {partition}"),
                        cause: "it differs from the compressed level".into(),
                    };
                    return Err(error.into());
                }
            }
            found[shard].get_or_init(|| (counts, content));
            Ok(groups.portion(shard))
        },
    )?;
    let found = || found.iter().filter_map(OnceLock::get);
    let mut total = DiagramCounts::default();
    found().for_each(|&(counts, _)| total += counts);
    let DiagramCounts {
        sets,
        nodes,
        largest,
    } = total;
    let content = level_header::level_content(found().map(|&(_, content)| content));

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
        // A manifest that was made from the levels does not know it.
        if record.largest > 0 {
            let of = "size of the largest diagram";
            same(&path, of, record.largest, largest.into())?;
        }
        same(&path, "hash of the content", record.content, content.into())?;
    }
    Ok(Passed { sets: 0, cpu })
}
