//! The unit of work: the partitions of one shard, solved and packed.

use cpu_time::ThreadTime;
use setrograde_endgame::diagram::census::{Census, DiagramCounts};
use setrograde_endgame::diagram::{Diagram, DiagramBuilder, TooManyNodes};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::shallow_tree::{ShallowTree, TreeNode, grow};
use setrograde_lookup::format::diagram_codec::DiagramStreams;
use setrograde_lookup::format::level_header::{Entry, content_hash};
use setrograde_lookup::format::tree_codec::TreeStreams;
use setrograde_parallel::Stop;

use crate::counts::ShardCounts;
use crate::error::BuildError;
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
    /// Its entry in the index of a level.
    pub(crate) fn entry(&self) -> Entry {
        Entry::new(&self.streams, self.plain, self.counts.written as u32)
    }
}

/// The state of one thread that builds shards of a level.
pub(crate) struct ShardBuilder<'a, L> {
    method: Method,
    splitting: Splitting,
    level: usize,
    partitions: &'a PartitionIndex,
    stop: &'a Stop,
    oracle: Oracle<'a, L>,
    /// The nodes of all diagrams of the shard, which share them.
    nodes: DiagramBuilder,
    census: Census,
    diagrams: DiagramStreams,
    analysis: PartitionAnalysis,
    tree: Vec<TreeNode>,
    trees: TreeStreams,
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
            method,
            splitting: Splitting::new(level, method.grain()),
            level,
            partitions,
            stop,
            oracle: Oracle::new(below, level),
            nodes: DiagramBuilder::new(),
            census: Census::new(),
            diagrams: DiagramStreams::default(),
            analysis: PartitionAnalysis::default(),
            tree: Vec::new(),
            trees: TreeStreams::default(),
        }
    }

    /// Solves and packs the partitions of these numbers.
    pub(crate) fn build(
        &mut self,
        numbers: std::ops::Range<usize>,
    ) -> Result<PackedShard, BuildError> {
        let (method, level) = (self.method, self.level);
        remembered(method, level, numbers.clone(), || self.build_now(numbers))
    }

    fn build_now(&mut self, numbers: std::ops::Range<usize>) -> Result<PackedShard, BuildError> {
        let start = ThreadTime::now();
        let mut packed = self.solve_and_pack(numbers)?;
        packed.counts.cpu_nanoseconds = start.elapsed().as_nanos() as u64;
        Ok(packed)
    }

    fn solve_and_pack(
        &mut self,
        numbers: std::ops::Range<usize>,
    ) -> Result<PackedShard, BuildError> {
        self.nodes.clear();
        self.census.clear();
        self.diagrams.clear();
        self.trees.clear();
        let mut counts = ShardCounts {
            partitions: numbers.len() as u64,
            ..ShardCounts::default()
        };
        let mut total = DiagramCounts::default();
        for (number, partition) in numbers
            .clone()
            .zip(self.partitions.iter_from(numbers.start))
        {
            if self.stop.is_due() {
                return Err(BuildError::Cancelled);
            }
            total += match self.method {
                Method::Refine | Method::Coarse(_) => {
                    self.add_diagram(partition)
                        .map_err(|source| BuildError::Diagram {
                            partition: number,
                            cards: 4 * self.level,
                            source,
                        })?
                }
                Method::Setrograde => self.add_tree(partition),
            };
            if let Some(error) = self.oracle.take_failure() {
                return Err(error.into());
            }
        }
        counts.sets = total.sets;
        counts.nodes = total.nodes;
        counts.largest = total.largest;
        counts += self.analysis.take_counts();
        counts += std::mem::take(&mut self.oracle.counts);
        counts.written = match self.method {
            Method::Refine | Method::Coarse(_) => self.diagrams.node_count().into(),
            Method::Setrograde => counts.nodes,
        };
        let streams = match self.method {
            Method::Refine | Method::Coarse(_) => [&self.diagrams.tokens, &self.diagrams.distances],
            Method::Setrograde => [&self.trees.keys, &self.trees.links],
        };
        pack(streams, counts)
    }

    /// Solves a partition by `refine` down to the grain.
    fn add_diagram(&mut self, partition: Partition) -> Result<DiagramCounts, TooManyNodes> {
        let least = self.splitting.least_endings(partition);
        let (oracle, nodes) = (&mut self.oracle, &mut self.nodes);
        let root = refine(oracle, partition, self.level, least, nodes)?;
        let diagram = Diagram::new(self.nodes.nodes(), root);
        self.diagrams.push(diagram, partition.shape);
        Ok(self.census.count(diagram))
    }

    /// Solves a partition by setrograde analysis.
    fn add_tree(&mut self, partition: Partition) -> DiagramCounts {
        let mut sets = self.analysis.run(&mut self.oracle, partition, self.level);
        self.tree.clear();
        grow(&mut sets, &mut self.tree);
        let tree = ShallowTree::new(&self.tree);
        self.trees.push(&tree);
        let nodes = self.tree.len() as u64;
        DiagramCounts {
            sets: tree.set_count(),
            nodes,
            largest: nodes,
        }
    }
}

fn pack(plain: [&Vec<u8>; 2], counts: ShardCounts) -> Result<PackedShard, BuildError> {
    let zip = |plain: &[u8]| {
        zstd::bulk::compress(plain, ZSTD_LEVEL)
            .map_err(BuildError::io(std::path::Path::new("a shard"), "compress"))
    };
    Ok(PackedShard {
        streams: [zip(plain[0])?, zip(plain[1])?],
        plain: plain.map(Vec::len),
        counts,
        content: content_hash(plain.map(Vec::as_slice)),
    })
}

/// Builds a shard. Tests cache it, because they build the same levels hundreds of times.
#[cfg(not(test))]
fn remembered(
    _method: Method,
    _level: usize,
    _numbers: std::ops::Range<usize>,
    build: impl FnOnce() -> Result<PackedShard, BuildError>,
) -> Result<PackedShard, BuildError> {
    build()
}

#[cfg(test)]
use crate::tests::remembered;
