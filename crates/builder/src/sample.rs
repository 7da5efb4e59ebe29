//! Parts of a level, built to be measured: what the crate `setrograde-estimate` samples.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use rayon::ThreadPool;
use setrograde_endgame::diagram::{DiagramBuilder, Edge, Node};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::Grain;

use crate::build::pool_of;
use crate::error::BuildError;
use crate::method::Method;
use crate::oracle::Oracle;
use crate::plan::demand::Splitting;
use crate::refine::refine;
use crate::shard::ShardBuilder;

pub use crate::counts::Counts;
pub use crate::oracle::LevelBelow;
pub use crate::oracle::plain_level::PlainLevel;
pub use crate::plan::cost::predicted_cost;
pub use crate::plan::shard_partitions;

/// Builds the partitions of these numbers, which are neighbours, by this method, and packs
/// them as a shard. Returns the bytes of the shard, and its counts, the time that the level below
/// took included.
///
/// # Errors
///
/// As those of a build; [`BuildError::Cancelled`] if `cancel` was set meanwhile.
pub fn build_run(
    below: &impl LevelBelow,
    partitions: &PartitionIndex,
    method: Method,
    numbers: Range<usize>,
    cancel: &AtomicBool,
) -> Result<(usize, Counts), BuildError> {
    let mut builder = ShardBuilder::new(method, below, partitions, cancel);
    let packed = builder.build(numbers)?;
    Ok((packed.streams.iter().map(Vec::len).sum(), packed.counts))
}

/// The diagram of a partition, by `refine` with this grain: its nodes, and the edge to its root.
///
/// # Errors
///
/// As those of a build.
pub fn build_diagram(
    below: &impl LevelBelow,
    partitions: &PartitionIndex,
    partition: Partition,
    grain: Grain,
) -> Result<(Box<[Node]>, Edge), BuildError> {
    let level = partitions.level();
    let least = Splitting::new(level, grain).least_endings(partition);
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

/// Starts that many threads, or one for each core.
///
/// # Errors
///
/// [`BuildError::Threads`] if they cannot be started.
pub fn pool(threads: Option<usize>) -> Result<ThreadPool, BuildError> {
    pool_of(setrograde_ordered::threads(threads))
}
