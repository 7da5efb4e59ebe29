//! Parts of a level, built for measurement.

use std::cell::Cell;
use std::ops::Range;
use std::time::Duration;

use cpu_time::ThreadTime;
use setrograde_endgame::diagram::{Diagram, NodePacker};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::{Error, PackedDiagram, ShardDiagrams};
use setrograde_parallel::Stop;

use crate::counts::ShardCounts;
use crate::error::BuildError;
use crate::method::Method;
use crate::oracle::LevelBelow;
use crate::shard::ShardBuilder;

/// Builds consecutive partitions by this method, and packs them as a shard and for the map.
///
/// # Errors
///
/// The errors of a build; [`BuildError::Cancelled`] if `stop` was due.
pub(crate) fn build_run(
    below: &impl LevelBelow,
    partitions: &PartitionIndex,
    method: Method,
    numbers: Range<usize>,
    stop: &Stop,
) -> Result<BuiltRun, BuildError> {
    let mut builder = ShardBuilder::new(method, below, partitions, stop);
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
        bytes: entry.bytes() as usize,
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

/// A level below that measures the time spent fetching diagrams from it, so it can be subtracted: a
/// build unpacks each shard once, and a sample would pay for each diagram.
pub(crate) struct TimedLevel<'a, L> {
    pub(crate) below: &'a L,
    pub(crate) time: Cell<Duration>,
}

impl<L: LevelBelow> LevelBelow for TimedLevel<'_, L> {
    fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        let start = ThreadTime::now();
        let diagram = self.below.diagram(partition);
        self.time.set(self.time.get() + start.elapsed());
        diagram
    }
}
