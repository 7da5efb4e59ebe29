//! Checksums, and whether manifest, header and diagrams say the same.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use setrograde_endgame::diagram::Diagram;
use setrograde_lookup::codec::Streams;
use setrograde_lookup::{Database, Level, manifest};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::parallel::Workers;
use super::{CheckResult, VerifyError, VerifyObserver, Work, states_of};

/// Reads every shard of a level afresh, and compares the counts and the hash
/// that stand in its header and in the manifest with what the shards hold.
pub(super) fn check<O: VerifyObserver>(
    database: &Database,
    level: &Level,
    workers: &Workers<'_, O>,
) -> CheckResult {
    let contents: Vec<AtomicU64> = (0..level.shard_count())
        .map(|_| AtomicU64::new(0))
        .collect();
    let nodes = AtomicU64::new(0);
    let largest = AtomicU64::new(0);
    let cpu = workers.each(level.shard_count(), Streams::default, |streams, shard| {
        level.check_shard(shard)?;
        streams.clear();
        let numbers = level.shard_partitions(shard);
        let partitions = level.partitions().iter_from(numbers.start);
        for (number, partition) in numbers.zip(partitions) {
            let diagram = own_nodes(level.numbered_diagram(number)?);
            nodes.fetch_add(diagram.nodes.len() as u64, Ordering::Relaxed);
            largest.fetch_max(diagram.nodes.len() as u64, Ordering::Relaxed);
            streams.push(diagram, partition.shape);
        }
        let both = [xxh3_64(&streams.tokens), xxh3_64(&streams.distances)];
        let content = xxh3_64(&both.map(u64::to_le_bytes).concat());
        contents[shard].store(content, Ordering::Relaxed);
        Ok(1)
    })?;
    let mut content = Xxh3::new();
    for shard in contents {
        content.update(&shard.into_inner().to_le_bytes());
    }
    let content = u128::from(content.digest());
    let (nodes, largest) = (
        u128::from(nodes.into_inner()),
        u128::from(largest.into_inner()),
    );

    let header = level.header();
    same(level.path(), "number of nodes", header.nodes, nodes)?;
    same(level.path(), "hash of the content", header.content, content)?;
    // Opening the database has found the record that names the file.
    if let Some(record) = database.manifest().level(level.level()) {
        let path = manifest::path_in(database.directory());
        let partitions = level.partitions().len() as u128;
        same(&path, "number of partitions", record.partitions, partitions)?;
        same(&path, "number of states", record.states, states_of(level))?;
        same(&path, "number of sets", record.sets, header.sets.into())?;
        same(&path, "number of nodes", record.nodes, nodes)?;
        same(
            &path,
            "size of the largest diagram",
            record.largest,
            largest,
        )?;
        same(&path, "hash of the content", record.content, content)?;
    }
    Ok(Work { sets: 0, cpu })
}

/// The diagram without the nodes of those that follow in its shard. Children
/// come before parents, so the root is the last of its nodes.
pub(super) fn own_nodes(diagram: Diagram<'_>) -> Diagram<'_> {
    let count = if diagram.root.is_node() {
        diagram.root.place() + 1
    } else {
        0
    };
    Diagram {
        nodes: &diagram.nodes[..count],
        root: diagram.root,
    }
}

pub(super) fn same(
    path: &Path,
    what: &'static str,
    stored: impl Into<u128>,
    right: u128,
) -> Result<(), VerifyError> {
    let stored = stored.into();
    if stored == right {
        return Ok(());
    }
    Err(VerifyError::Count {
        path: path.to_owned(),
        what,
        stored,
        right,
    })
}
