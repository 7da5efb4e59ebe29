//! In what order the shards of a level are built.

use std::cmp::Reverse;

use setrograde_endgame::partition_index::PartitionIndex;

use crate::plan::demand::demand;
use crate::plan::shard_partitions;

/// In what order the shards of a level are built. The level has the same bytes
/// whatever the order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// The costliest first, so that no thread is left with a costly one when the
    /// others have nothing more to do.
    #[default]
    Costly,
    /// Those first that searches ask for most for the work that they take: for a
    /// level that is asked before it is whole; see [`demand`](crate::demand).
    Worth,
}

impl Order {
    /// Puts shards of a level in this order; `costs` are those of all its shards.
    pub(crate) fn sort(self, shards: &mut [usize], partitions: &PartitionIndex, costs: &[u64]) {
        match self {
            // Only by powers of two: within one, neighbours follow each other,
            // as they ask for the same diagrams of the level below.
            Order::Costly => shards.sort_by_key(|&shard| Reverse(costs[shard].max(1).ilog2())),
            Order::Worth => {
                let worths = shard_worths(partitions, costs);
                shards.sort_by(|&a, &b| worths[b].total_cmp(&worths[a]).then(a.cmp(&b)));
            }
        }
    }
}

/// Returns each shard's demand for its cost, up to a factor.
fn shard_worths(partitions: &PartitionIndex, costs: &[u64]) -> Vec<f64> {
    let size = shard_partitions(partitions.level());
    let mut worths = vec![0.0; costs.len()];
    for (number, partition) in partitions.iter().enumerate() {
        worths[number / size] += demand(partition);
    }
    for (worth, &cost) in worths.iter_mut().zip(costs) {
        *worth /= cost as f64;
    }
    worths
}
