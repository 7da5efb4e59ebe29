//! Cutting a level's work into chunks of equal predicted cost.
//!
//! A plan depends only on the level and the number of chunks, and uses integer arithmetic. Every
//! machine makes the same plan, so no file is needed.

mod chunk;
pub(crate) mod cost;
pub(crate) mod demand;
pub(crate) mod memory;

use std::cmp::Reverse;
use std::ops::Range;

use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;

use crate::error::BuildError;
use crate::method::Method;
use crate::plan::cost::{predicted_coarse_cost, predicted_cost};
use crate::plan::demand::Splitting;

pub use chunk::{Chunk, ChunkError};

/// Maximum number of cards per hand that this version builds.
pub const DEEPEST: usize = 7;

/// The contents of one chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// The chunk.
    pub chunk: Chunk,
    /// Its shards.
    pub shards: Range<usize>,
    /// Its partitions.
    pub partitions: Range<usize>,
    /// Its predicted cost, proportional to the number of look-ups.
    pub cost: u64,
}

/// Plans the level of `cards` cards by a method: cuts it into `chunks` chunks, in the order of their
/// numbers.
///
/// # Errors
///
/// [`BuildError::Cards`] if no such level can be built, and [`BuildError::Chunks`] if it has
/// fewer shards than chunks.
pub fn plan(cards: usize, method: Method, chunks: u32) -> Result<Vec<Share>, BuildError> {
    let partitions = PartitionIndex::new(level_of(cards)?);
    let costs = shard_costs(&partitions, method);
    let size = shard_partitions(partitions.level(), method);
    let cuts = cuts(cards, &costs, chunks)?;
    let shares = cuts.windows(2).zip(Chunk::all(chunks)).map(|(cut, chunk)| {
        let shards = cut[0]..cut[1];
        Share {
            chunk,
            partitions: partitions_of(&shards, size, &partitions),
            cost: costs[shards.clone()].iter().sum(),
            shards,
        }
    });
    Ok(shares.collect())
}

/// The level of `cards` cards in all hands together.
pub(crate) fn level_of(cards: usize) -> Result<usize, BuildError> {
    let level = cards / 4;
    if cards.is_multiple_of(4) && (1..=DEEPEST).contains(&level) {
        Ok(level)
    } else {
        Err(BuildError::Cards {
            cards,
            most: 4 * DEEPEST,
        })
    }
}

/// Returns the number of partitions in a shard: large enough to compress well and to share nodes,
/// small enough to unpack in 100 µs or less up to 20 cards. Most partitions of a coarse level take
/// a byte.
pub fn shard_partitions(level: usize, method: Method) -> usize {
    match level {
        4.. if matches!(method, Method::Coarse(_)) => 512,
        0..=3 => 256,
        4 => 128,
        5 => 16,
        6 => 8,
        _ => 4,
    }
}

/// The partitions of neighbouring shards of a level.
pub(crate) fn partitions_of(
    shards: &Range<usize>,
    size: usize,
    partitions: &PartitionIndex,
) -> Range<usize> {
    shards.start * size..partitions.len().min(shards.end * size)
}

/// The predicted cost of each shard of a level.
pub(crate) fn shard_costs(partitions: &PartitionIndex, method: Method) -> Vec<u64> {
    let size = shard_partitions(partitions.level(), method);
    let mut costs = vec![0; partitions.len().div_ceil(size)];
    let cost = predicted_costs(partitions.level(), method);
    for (number, partition) in partitions.iter().enumerate() {
        costs[number / size] += cost(partition);
    }
    costs
}

/// Returns a function of the predicted number of look-ups to build a partition of a level.
pub(crate) fn predicted_costs(level: usize, method: Method) -> impl Fn(Partition) -> u64 {
    let splitting = Splitting::new(level, method.grain());
    move |partition| match splitting.excess(partition) {
        None => predicted_cost(partition),
        Some(excess) => predicted_coarse_cost(partition, excess),
    }
}

/// The shards of a chunk.
pub(crate) fn chunk_shards(
    cards: usize,
    costs: &[u64],
    chunk: Chunk,
) -> Result<Range<usize>, BuildError> {
    let cuts = cuts(cards, costs, chunk.of())?;
    let number = chunk.number() as usize;
    Ok(cuts[number - 1]..cuts[number])
}

/// Returns the first shard of each chunk, and the end of the last. The chunks have nearly equal
/// costs, and each has at least one shard.
pub(crate) fn cuts(cards: usize, costs: &[u64], chunks: u32) -> Result<Vec<usize>, BuildError> {
    let count = chunks as usize;
    if !(1..=costs.len()).contains(&count) {
        return Err(BuildError::Chunks {
            cards,
            chunks,
            most: costs.len(),
        });
    }
    let total: u128 = costs.iter().map(|&cost| u128::from(cost)).sum();
    let mut cuts = vec![0];
    let mut before = 0u128;
    for (shard, &cost) in costs.iter().enumerate() {
        let next = cuts.len();
        // A shard goes to the chunk that contains its middle, but every later chunk needs at least
        // one shard.
        let middle = (2 * before + u128::from(cost)) * u128::from(chunks);
        let due = middle >= 2 * total * next as u128;
        let last_chance = costs.len() - shard == count - next;
        if next < count && shard > cuts[next - 1] && (due || last_chance) {
            cuts.push(shard);
        }
        before += u128::from(cost);
    }
    cuts.push(costs.len());
    Ok(cuts)
}

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

    #[test]
    fn chunks_follow_each_other_and_none_is_empty() -> Result<(), BuildError> {
        let shards = PartitionIndex::new(3)
            .len()
            .div_ceil(shard_partitions(3, Method::Refine));
        for chunks in [1, 2, 7, 100, shards as u32] {
            let shares = plan(12, Method::Refine, chunks)?;
            assert_eq!(shares.len(), chunks as usize);
            let mut next = 0;
            for Share { shards, .. } in shares {
                assert!(
                    shards.start == next && !shards.is_empty(),
                    "{shards:?} of {chunks}"
                );
                next = shards.end;
            }
            assert_eq!(next, shards);
        }
        assert!(plan(12, Method::Refine, 0).is_err());
        assert!(plan(12, Method::Refine, shards as u32 + 1).is_err());
        Ok(())
    }

    #[test]
    fn cuts_are_where_the_costs_say() -> Result<(), BuildError> {
        for (costs, chunks, expected) in [
            (&[1, 1, 1, 1][..], 1, &[0, 4][..]),
            (&[1, 1, 1, 1], 2, &[0, 2, 4]),
            (&[1, 1, 1, 1], 3, &[0, 1, 3, 4]),
            (&[9, 1, 1, 1], 2, &[0, 1, 4]),
            (&[9, 1, 1, 1], 3, &[0, 1, 2, 4]),
            (&[1, 1, 1, 9], 2, &[0, 3, 4]),
            (&[1, 1, 1, 9], 3, &[0, 2, 3, 4]),
            (&[1, 2, 3, 4, 5, 6], 2, &[0, 4, 6]),
            (&[1, 2, 3, 4, 5, 6], 3, &[0, 3, 5, 6]),
            (&[0, 0, 0], 2, &[0, 1, 3]),
        ] {
            assert_eq!(cuts(8, costs, chunks)?, expected, "{costs:?} in {chunks}");
        }
        Ok(())
    }

    /// Finished chunks and their digests stay valid only as long as the plan does not change.
    #[test]
    fn a_plan_stays_what_it_was() -> Result<(), BuildError> {
        let shares = plan(16, Method::Refine, 12)?;
        let found: Vec<_> = (shares.iter())
            .map(|share| (share.shards.end, share.partitions.end, share.cost))
            .collect();
        assert_eq!(
            found,
            [
                (187, 23_936, 56_077_235),
                (322, 41_216, 55_376_576),
                (453, 57_984, 56_138_399),
                (646, 82_688, 55_913_185),
                (962, 123_136, 55_898_557),
                (1_354, 173_312, 55_910_476),
                (1_613, 206_464, 55_680_652),
                (1_818, 232_704, 55_906_532),
                (2_089, 267_392, 55_993_674),
                (2_174, 278_272, 56_415_582),
                (2_345, 300_160, 54_782_522),
                (2_415, 309_014, 56_486_478),
            ]
        );
        Ok(())
    }

    #[test]
    fn only_whole_tricks_can_be_built() {
        assert_eq!(level_of(4).ok(), Some(1));
        assert_eq!(level_of(28).ok(), Some(7));
        for cards in [0, 1, 6, 27, 32] {
            let error = level_of(cards).expect_err("no level").to_string();
            let most = "choose a multiple of 4 from 4 to 28";
            assert_eq!(
                error,
                format!("cannot build endings of {cards} cards: {most}")
            );
        }
    }
}
