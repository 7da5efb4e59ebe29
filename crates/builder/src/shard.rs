//! The unit of work: the partitions of one shard, solved and packed.

use std::ops::Range;
use std::path::Path;

use cpu_time::ThreadTime;
use setrograde_endgame::diagram::census::{Census, DiagramCounts};
use setrograde_endgame::diagram::{Diagram, DiagramBuilder, TooManyNodes};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::diagram_codec::DiagramStreams;
use setrograde_lookup::format::level_header::{Entry, content_hash};
use setrograde_parallel::Stop;

use crate::counts::ShardCounts;
use crate::error::{AtPath, BuildError};
use crate::method::Method;
use crate::oracle::{LevelBelow, Oracle};
use crate::plan::demand::Splitting;
use crate::refine::refine;
use crate::setrograde::PartitionAnalysis;

/// The level of compression: level 19 takes 2.5 times as long for 0.7 % less, see
/// `docs/results.md`.
const ZSTD_LEVEL: i32 = 15;

/// A finished shard, ready to be written.
#[derive(Debug, Clone)]
pub(crate) struct PackedShard {
    /// The two compressed streams: tokens and distances of diagrams, keys and
    /// links of trees.
    pub(crate) streams: [Vec<u8>; 2],
    /// Bytes of each before compression.
    pub(crate) plain: [usize; 2],
    pub(crate) counts: ShardCounts,
    /// Hash of both streams before compression.
    pub(crate) content: u64,
}

impl PackedShard {
    /// Returns true unless a stream says that it has another length before compression.
    pub(crate) fn has_lengths(&self) -> bool {
        let mut streams = self.streams.iter().zip(self.plain);
        streams.all(|(stream, plain)| {
            let length = zstd::zstd_safe::get_frame_content_size(stream);
            !matches!(length, Ok(Some(length)) if length != plain as u64)
        })
    }

    /// Its entry in the index of a level.
    pub(crate) fn entry(&self) -> Entry {
        Entry::new(&self.streams, self.plain, self.counts.written as u32)
    }
}

/// Finds the sets of one partition after another by one method, and writes them as a shard.
pub(crate) trait Finder<L> {
    /// Adds the sets of the next partition to the shard.
    fn add(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        partition: Partition,
    ) -> Result<DiagramCounts, TooManyNodes>;

    /// Ends the shard. Returns its two streams, and adds to its counts what this method alone
    /// counts.
    fn take(&mut self, counts: &mut ShardCounts) -> [Vec<u8>; 2];
}

/// The method `refine`, down to the grain.
struct Refinement {
    splitting: Splitting,
    /// The nodes of all diagrams of the shard, which share them.
    nodes: DiagramBuilder,
    census: Census,
    diagrams: DiagramStreams,
}

impl<L: LevelBelow> Finder<L> for Refinement {
    fn add(
        &mut self,
        oracle: &mut Oracle<'_, L>,
        partition: Partition,
    ) -> Result<DiagramCounts, TooManyNodes> {
        let least = self.splitting.least_endings(partition);
        let root = refine(oracle, partition, least, &mut self.nodes)?;
        let diagram = Diagram::new(self.nodes.nodes(), root);
        self.diagrams.push(diagram, partition.shape);
        Ok(self.census.count(diagram))
    }

    fn take(&mut self, counts: &mut ShardCounts) -> [Vec<u8>; 2] {
        self.nodes.clear();
        self.census.clear();
        let diagrams = std::mem::take(&mut self.diagrams);
        counts.written = diagrams.node_count().into();
        [diagrams.tokens, diagrams.distances]
    }
}

/// The state of one thread that builds shards of a level.
pub(crate) struct ShardBuilder<'a, L> {
    partitions: &'a PartitionIndex,
    stop: &'a Stop,
    oracle: Oracle<'a, L>,
    finder: Box<dyn Finder<L>>,
}

impl<'a, L: LevelBelow> ShardBuilder<'a, L> {
    pub(crate) fn new(
        method: Method,
        below: &'a L,
        partitions: &'a PartitionIndex,
        stop: &'a Stop,
    ) -> Self {
        let level = partitions.level();
        ShardBuilder {
            partitions,
            stop,
            oracle: Oracle::new(below, level),
            finder: match method {
                Method::Refine | Method::Coarse(_) => Box::new(Refinement {
                    splitting: Splitting::new(level, method.grain()),
                    nodes: DiagramBuilder::new(),
                    census: Census::new(),
                    diagrams: DiagramStreams::default(),
                }),
                Method::Setrograde => Box::new(PartitionAnalysis::default()),
            },
        }
    }

    /// Solves and packs the partitions of these numbers.
    pub(crate) fn build(&mut self, numbers: Range<usize>) -> Result<PackedShard, BuildError> {
        let start = ThreadTime::now();
        let mut total = DiagramCounts::default();
        let partitions = self.partitions.iter_from(numbers.start);
        for (number, partition) in numbers.clone().zip(partitions) {
            if self.stop.is_due() {
                return Err(BuildError::Cancelled);
            }
            let added = self.finder.add(&mut self.oracle, partition);
            total += added.map_err(|source| BuildError::Diagram {
                partition: number,
                cards: 4 * self.partitions.level(),
                source,
            })?;
            if let Some(error) = self.oracle.take_failure() {
                return Err(error.into());
            }
        }
        let mut counts = ShardCounts {
            partitions: numbers.len() as u64,
            sets: total.sets,
            nodes: total.nodes,
            written: total.nodes,
            largest: total.largest,
            ..std::mem::take(&mut self.oracle.counts)
        };
        let streams = self.finder.take(&mut counts);
        let mut packed = pack(&streams, counts)?;
        packed.counts.cpu_nanoseconds = start.elapsed().as_nanos() as u64;
        Ok(packed)
    }
}

fn pack(plain: &[Vec<u8>; 2], counts: ShardCounts) -> Result<PackedShard, BuildError> {
    let zip =
        |plain: &[u8]| zstd::bulk::compress(plain, ZSTD_LEVEL).at(Path::new("a shard"), "compress");
    Ok(PackedShard {
        streams: [zip(&plain[0])?, zip(&plain[1])?],
        plain: plain.each_ref().map(Vec::len),
        counts,
        content: content_hash([&plain[0], &plain[1]]),
    })
}
