//! Which partitions of an unfinished level are held, and in which shard.

use std::ops::Range;

/// The shards of a level that is partly there, in the order of their partitions.
/// They may differ in size.
#[derive(Debug)]
pub(super) struct Held {
    blocks: Vec<Block>,
    /// The first partition of each shard.
    firsts: Vec<u32>,
    partitions: usize,
}

/// 64 partitions, a bit each.
#[derive(Debug, Clone, Copy, Default)]
struct Block {
    held: u64,
    /// Those that are the first of their shard.
    firsts: u64,
    /// Shards that begin before this block.
    before: u32,
}

impl Held {
    /// The shards with these partitions, of a level of `partitions`. Shards are not
    /// empty, rise, and do not overlap.
    pub(super) fn new(partitions: usize, shards: impl Iterator<Item = Range<usize>>) -> Held {
        let mut held = Held {
            blocks: vec![Block::default(); partitions.div_ceil(64)],
            firsts: Vec::new(),
            partitions: 0,
        };
        for shard in shards {
            held.firsts.push(shard.start as u32);
            held.partitions += shard.len();
            held.blocks[shard.start / 64].firsts |= 1 << (shard.start % 64);
            for number in shard {
                held.blocks[number / 64].held |= 1 << (number % 64);
            }
        }
        let mut before = 0;
        for block in &mut held.blocks {
            block.before = before;
            before += block.firsts.count_ones();
        }
        held
    }

    /// How many partitions are held.
    pub(super) fn partitions(&self) -> usize {
        self.partitions
    }

    /// The shard of a partition, if it is held. Apart, so that look-ups in a level
    /// that is whole stay short.
    #[inline(never)]
    pub(super) fn shard_of(&self, number: usize) -> Option<usize> {
        let block = self.blocks[number / 64];
        let at = number % 64;
        if block.held >> at & 1 == 0 {
            return None;
        }
        let up_to = block.firsts & (u64::MAX >> (63 - at));
        Some((block.before + up_to.count_ones()) as usize - 1)
    }

    /// The partitions of a shard.
    pub(super) fn shard_partitions(&self, shard: usize) -> Range<usize> {
        let first = self.firsts[shard] as usize;
        let next = self.firsts.get(shard + 1).copied().unwrap_or(u32::MAX) as usize;
        // Up to the next shard, or the next partition that is not held.
        let end = (first..next).find(|&number| {
            let block = self.blocks.get(number / 64);
            block.is_none_or(|block| block.held >> (number % 64) & 1 == 0)
        });
        first..end.unwrap_or(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_lead_to_their_shards_and_back() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..200 {
            let partitions = random.usize(1..500);
            let mut shards = Vec::new();
            let mut next = random.usize(0..70);
            while next < partitions {
                let end = partitions.min(next + [1, 8, 100][random.usize(..3)]);
                shards.push(next..end);
                next = end + random.usize(0..3) * random.usize(0..70);
            }
            let held = Held::new(partitions, shards.iter().cloned());
            let of = |number| shards.iter().position(|shard| shard.contains(&number));
            for number in 0..partitions {
                assert_eq!(held.shard_of(number), of(number), "{number} in {shards:?}");
            }
            for (at, shard) in shards.iter().enumerate() {
                assert_eq!(held.shard_partitions(at), *shard);
            }
            let all: usize = shards.iter().map(ExactSizeIterator::len).sum();
            assert_eq!(held.partitions(), all);
        }
    }
}
