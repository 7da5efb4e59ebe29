//! Parts of a level, built for measurement.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use setrograde_endgame::diagram::{DiagramBuilder, Edge, Node, NodePacker};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::{PackedDiagram, ShardDiagrams};

use crate::counts::ShardCounts;
use crate::error::BuildError;
use crate::method::Method;
use crate::oracle::{LevelBelow, Oracle};
use crate::plan::demand::Splitting;
use crate::refine::refine;
use crate::shard::ShardBuilder;

/// Builds consecutive partitions by this method, and packs them as a shard and for the map.
///
/// # Errors
///
/// The errors of a build; [`BuildError::Cancelled`] if `cancel` was set.
pub(crate) fn build_run(
    below: &impl LevelBelow,
    partitions: &PartitionIndex,
    method: Method,
    numbers: Range<usize>,
    cancel: &AtomicBool,
) -> Result<BuiltRun, BuildError> {
    let mut builder = ShardBuilder::new(method, below, partitions, cancel);
    let packed = builder.build(numbers.clone())?;
    let of = partitions.iter_from(numbers.start).take(numbers.len());
    let (level, entry) = (partitions.level(), packed.entry());
    let diagrams = ShardDiagrams::read(
        method.payload(),
        level,
        of,
        &entry,
        &packed.streams.concat(),
    );
    let diagrams = diagrams.expect("a shard that was just packed can be read");
    let mut packer = NodePacker::new();
    let mut map_bytes = 0;
    for at in 0..diagrams.count() {
        let mapped = PackedDiagram::new(diagrams.diagram(at), &mut packer);
        map_bytes += mapped
            .map_err(|source| BuildError::Diagram {
                partition: numbers.start + at,
                cards: 4 * level,
                source,
            })?
            .bytes();
    }
    Ok(BuiltRun {
        bytes: packed.streams.iter().map(Vec::len).sum(),
        map_bytes,
        counts: packed.counts,
    })
}

/// Neighbouring partitions that were built and packed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BuiltRun {
    /// The bytes of their shard.
    pub(crate) bytes: usize,
    /// The bytes of their nodes in the map.
    pub(crate) map_bytes: usize,
    /// Their counts, including the time spent in the level below.
    pub(crate) counts: ShardCounts,
}

/// Builds the diagram of a partition by this method, `refine` or a coarse one. Returns its nodes and
/// the edge to its root.
///
/// # Errors
///
/// The errors of a build.
pub(crate) fn build_diagram(
    below: &impl LevelBelow,
    partitions: &PartitionIndex,
    partition: Partition,
    method: Method,
) -> Result<(Box<[Node]>, Edge), BuildError> {
    let level = partitions.level();
    let least = Splitting::new(level, method.grain()).least_endings(partition);
    let mut oracle = Oracle::new(below, level);
    let mut diagram = DiagramBuilder::new();
    let root = refine(&mut oracle, partition, level, least, &mut diagram);
    let root = root.map_err(|source| BuildError::Diagram {
        partition: partitions.number(partition),
        cards: 4 * level,
        source,
    })?;
    match oracle.take_failure() {
        Some(error) => Err(error.into()),
        None => Ok((diagram.nodes().into(), root)),
    }
}
