//! A level's diagrams in the form that the oracle walks fastest.

use std::sync::OnceLock;

use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::partition::Partition;
use setrograde_lookup::{Error, LevelFile, ShardDiagrams};

use crate::oracle::LevelBelow;

/// A level whose shards are unpacked at first use. Its nodes take three times the memory of packed
/// ones, and builds take two thirds of the time.
pub(crate) struct PlainLevel {
    file: LevelFile,
    shards: Vec<OnceLock<ShardDiagrams>>,
}

impl PlainLevel {
    /// Makes the level of a file, with nothing unpacked yet.
    #[must_use]
    pub(crate) fn new(file: LevelFile) -> PlainLevel {
        let shards = std::iter::repeat_with(OnceLock::new)
            .take(file.shard_count())
            .collect();
        PlainLevel { file, shards }
    }

    /// The file.
    #[must_use]
    pub(crate) fn file(&self) -> &LevelFile {
        &self.file
    }

    #[cold]
    fn unpack(&self, shard: usize) -> Result<&ShardDiagrams, Error> {
        let diagrams = self.file.shard(shard)?.diagrams()?;
        // Another thread may have been faster; its equal copy is kept.
        Ok(self.shards[shard].get_or_init(|| diagrams))
    }
}

impl LevelBelow for PlainLevel {
    fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        let number = self.file.partitions().number(partition);
        let size = self.file.header().shard_partitions as usize;
        let shard = match self.shards[number / size].get() {
            Some(unpacked) => unpacked,
            None => self.unpack(number / size)?,
        };
        Ok(shard.diagram(number % size))
    }
}
