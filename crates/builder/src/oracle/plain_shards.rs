//! A level's diagrams as the oracle walks through them fastest.

use std::sync::OnceLock;

use setrograde_endgame::diagram::{Edge, Node};
use setrograde_endgame::partition::Partition;
use setrograde_lookup::{Error, LevelFile};

use crate::oracle::bound_query::DiagramBelow;

/// The shards of a level, each unpacked when it is first asked for. The nodes take
/// three times the memory of packed ones; builds with them take two thirds of the
/// time.
pub(crate) struct PlainShards(Vec<OnceLock<PlainShard>>);

/// The diagrams of a shard, which share nodes.
struct PlainShard {
    nodes: Vec<Node>,
    /// By place.
    roots: Vec<Edge>,
}

impl PlainShards {
    /// The shards of `level`, none of them unpacked yet.
    pub(crate) fn of(level: &LevelFile) -> PlainShards {
        let shards = std::iter::repeat_with(OnceLock::new);
        PlainShards(shards.take(level.shard_count()).collect())
    }

    /// The diagram of a partition of `level`, whose shards these are.
    pub(crate) fn diagram(
        &self,
        level: &LevelFile,
        partition: Partition,
    ) -> Result<DiagramBelow<'_>, Error> {
        let number = level.partitions().number(partition);
        let size = level.header().shard_partitions as usize;
        let (shard, place) = (number / size, number % size);
        let PlainShard { nodes, roots } = match self.0[shard].get() {
            Some(unpacked) => unpacked,
            None => self.unpack(level, shard)?,
        };
        let root = roots[place];
        Ok(DiagramBelow::Plain { nodes, root })
    }

    #[cold]
    fn unpack(&self, level: &LevelFile, shard: usize) -> Result<&PlainShard, Error> {
        let (nodes, roots) = level.read_diagrams(shard)?.unpack();
        // Another thread may have been faster; then its equal copy stays.
        Ok(self.0[shard].get_or_init(|| PlainShard { nodes, roots }))
    }
}
