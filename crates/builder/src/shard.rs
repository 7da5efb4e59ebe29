//! The unit of work: the partitions of one shard, solved and packed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use setrograde_endgame::diagram::{Diagram, DiagramBuilder};
use setrograde_endgame::partition::PartitionIndex;
use setrograde_lookup::codec::Streams;
use xxhash_rust::xxh3::xxh3_64;

use crate::cpu_clock::timed;
use crate::error::BuildError;
use crate::oracle::{LevelBelow, Oracle, OracleCounts};
use crate::refine::refine;

/// How hard zstd tries. Measured on 16 cards: see `docs/results.md`.
const ZSTD_LEVEL: i32 = 19;

/// A finished shard, ready to be written.
#[derive(Debug)]
pub(crate) struct PackedShard {
    /// Compressed tokens, then compressed distances.
    pub(crate) tokens: Vec<u8>,
    pub(crate) distances: Vec<u8>,
    pub(crate) plain_tokens: usize,
    pub(crate) plain_distances: usize,
    pub(crate) counts: ShardCounts,
    /// Hash of both streams before compression.
    pub(crate) content: u64,
}

/// What a shard holds and what it took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ShardCounts {
    pub(crate) partitions: usize,
    pub(crate) sets: u64,
    pub(crate) nodes: u64,
    pub(crate) largest: u64,
    pub(crate) oracle: OracleCounts,
    pub(crate) cpu: Duration,
}

/// What one thread needs to build shards of a level.
pub(crate) struct ShardBuilder<'a, L> {
    level: usize,
    partitions: &'a PartitionIndex,
    stop: &'a AtomicBool,
    oracle: Oracle<'a, L>,
    diagram: DiagramBuilder,
    streams: Streams,
}

impl<'a, L: LevelBelow> ShardBuilder<'a, L> {
    pub(crate) fn new(below: &'a L, partitions: &'a PartitionIndex, stop: &'a AtomicBool) -> Self {
        let level = partitions.level();
        ShardBuilder {
            level,
            partitions,
            stop,
            oracle: Oracle::new(below, level),
            diagram: DiagramBuilder::new(),
            streams: Streams::default(),
        }
    }

    /// Solves and packs the partitions of these numbers.
    pub(crate) fn build(&mut self, numbers: std::ops::Range<usize>) -> Result<PackedShard, BuildError> {
        let before = self.oracle.counts;
        let (packed, cpu) = timed(|| self.solve_and_pack(numbers));
        let mut packed = packed?;
        packed.counts.cpu = cpu;
        packed.counts.oracle = OracleCounts {
            proofs: self.oracle.counts.proofs - before.proofs,
            lookups: self.oracle.counts.lookups - before.lookups,
        };
        Ok(packed)
    }

    fn solve_and_pack(&mut self, numbers: std::ops::Range<usize>) -> Result<PackedShard, BuildError> {
        self.streams.clear();
        let mut counts = ShardCounts { partitions: numbers.len(), ..ShardCounts::default() };
        for (number, partition) in numbers.clone().zip(self.partitions.iter_from(numbers.start)) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(BuildError::Interrupted);
            }
            let root = refine(&mut self.oracle, partition, self.level, &mut self.diagram)
                .map_err(|source| BuildError::Diagram {
                    partition: number,
                    cards: 4 * self.level,
                    source,
                })?;
            if let Some(error) = self.oracle.take_failure() {
                return Err(error.into());
            }
            let diagram = Diagram { nodes: self.diagram.nodes(), root };
            counts.sets += diagram.set_count();
            counts.nodes += diagram.nodes.len() as u64;
            counts.largest = counts.largest.max(diagram.nodes.len() as u64);
            self.streams.push(diagram, partition.shape);
        }
        let zip = |plain: &[u8]| {
            zstd::bulk::compress(plain, ZSTD_LEVEL)
                .map_err(BuildError::io(std::path::Path::new("a shard"), "compress"))
        };
        let Streams { tokens, distances } = &self.streams;
        let content = [xxh3_64(tokens), xxh3_64(distances)].map(u64::to_le_bytes).concat();
        Ok(PackedShard {
            tokens: zip(tokens)?,
            distances: zip(distances)?,
            plain_tokens: tokens.len(),
            plain_distances: distances.len(),
            counts,
            content: xxh3_64(&content),
        })
    }
}
