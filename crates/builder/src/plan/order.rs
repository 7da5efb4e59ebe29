//! The order in which the shards of a level are built.

use std::cmp::Reverse;

/// Sorts shards of a level into the order of building: the costliest first, so no thread is still
/// working on a costly shard when the rest are done. `costs` are those of all shards of the level.
pub(crate) fn sort_by_cost(shards: &mut [usize], costs: &[u64]) {
    // Costs are compared by powers of two only. Within one power, neighbours stay together, because
    // they use the same diagrams of the level below.
    shards.sort_by_key(|&shard| Reverse(costs[shard].max(1).ilog2()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costly_shards_come_first_and_neighbours_together() {
        let mut shards = [0, 1, 2, 3, 4, 5, 6, 7];
        let costs = [1, 5, 3, 4, 0, 7, 2, 8];
        sort_by_cost(&mut shards, &costs);
        assert_eq!(shards, [7, 1, 3, 5, 2, 6, 0, 4]);
    }
}
