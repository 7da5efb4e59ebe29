//! The level below, read from its file.

use std::sync::OnceLock;

use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::partition::Partition;
use setrograde_lookup::{Error, Level, LevelFile, ShardDiagrams};

use crate::oracle::LevelBelow;

/// The level below.
pub(crate) enum StoredLevel {
    /// The level below the first: no cards are left.
    None,
    /// A mapped level, with packed nodes.
    Packed(Box<(LevelFile, Level)>),
    /// A level whose shards are unpacked at first use. Its nodes take three times the memory of
    /// packed ones, and builds take two thirds of the time.
    Plain(Box<(LevelFile, Vec<OnceLock<ShardDiagrams>>)>),
}

impl StoredLevel {
    /// The level with its nodes unpacked, or packed.
    pub(crate) fn new(file: LevelFile, plain: bool) -> Result<StoredLevel, Error> {
        if plain {
            let shards = (0..file.shard_count()).map(|_| OnceLock::new()).collect();
            Ok(StoredLevel::Plain(Box::new((file, shards))))
        } else {
            let level = file.mapped()?;
            Ok(StoredLevel::Packed(Box::new((file, level))))
        }
    }

    /// The file of the level, if there is one.
    pub(crate) fn level(&self) -> Option<&LevelFile> {
        match self {
            StoredLevel::None => None,
            StoredLevel::Packed(opened) => Some(&opened.0),
            StoredLevel::Plain(opened) => Some(&opened.0),
        }
    }

    /// The checksum of its file, 0 if there is none.
    pub(crate) fn checksum(&self) -> u64 {
        self.level().map_or(0, LevelFile::checksum)
    }
}

impl LevelBelow for StoredLevel {
    fn diagram(&self, partition: Partition) -> Result<Diagram<'_>, Error> {
        match self {
            StoredLevel::None => Ok(Diagram::constant(0)),
            StoredLevel::Packed(opened) => opened.1.diagram(partition),
            StoredLevel::Plain(opened) => {
                let (file, shards) = &**opened;
                let number = file.partitions().number(partition);
                let size = file.header().shard_partitions as usize;
                let shard = &shards[number / size];
                let unpacked = match shard.get() {
                    Some(unpacked) => unpacked,
                    None => {
                        let diagrams = file.shard(number / size)?.diagrams()?;
                        // Another thread may have been faster; its equal copy is kept.
                        shard.get_or_init(|| diagrams)
                    }
                };
                Ok(unpacked.diagram(number % size))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use setrograde_endgame::diagram::DiagramBuilder;
    use setrograde_endgame::partition_index::PartitionIndex;

    use super::*;
    use crate::oracle::Oracle;
    use crate::refine::refine;
    use crate::tests::{golden, golden_below};

    #[test]
    fn packed_or_not_the_level_above_is_the_same() -> Result<(), Box<dyn std::error::Error>> {
        let levels = [StoredLevel::new(golden(2)?, false)?, golden_below(2)?];
        let mut oracles = [0, 1].map(|form| Oracle::new(&levels[form], 3));
        let mut diagrams = [0, 1].map(|_| DiagramBuilder::new());
        for partition in PartitionIndex::new(3).iter().step_by(10) {
            for (oracle, diagram) in oracles.iter_mut().zip(&mut diagrams) {
                refine(oracle, partition, 0, diagram)?;
                assert!(oracle.take_failure().is_none());
            }
        }
        assert_eq!(diagrams[0].nodes(), diagrams[1].nodes());
        assert_eq!(oracles[0].counts, oracles[1].counts);
        assert!(diagrams[0].nodes().len() > 2_000);
        Ok(())
    }
}
