//! Ways to open a level: a file, the file that a manifest names, or the journals
//! of a build that is not done.

use std::path::Path;
use std::sync::Arc;

use setrograde_endgame::diagram::{Edge, PackedNodes};
use setrograde_endgame::partition_index::PartitionIndex;

use super::bounded::Bounded;
use super::demand::Demand;
use super::file::{Access, LevelFile};
use super::held::Held;
use super::journals;
use super::kept::{Kept, KeptDiagrams};
use super::level::{Level, Shards};
use super::memory::Memory;
use crate::error::Error;
use crate::format::level_header::TREES;
use crate::format::manifest::LevelRecord;
use crate::options::Options;

impl Level {
    /// Opens a level's file and checks its header and index. The shards are
    /// checked when they are unpacked.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is of another version, or is damaged.
    pub fn open(path: &Path, options: impl Into<Options>) -> Result<Level, Error> {
        let Options { access, memory } = options.into();
        Level::open_in(path, access, &Arc::new(Memory::new(memory)))
    }

    fn open_in(path: &Path, access: Access, memory: &Arc<Memory>) -> Result<Level, Error> {
        let file = LevelFile::open(path, access)?;
        // The head was checked to have as many partitions.
        let partitions = PartitionIndex::new(file.header.level as usize);
        Ok(Level::new(file, partitions, None, memory))
    }

    fn new(
        file: LevelFile,
        partitions: PartitionIndex,
        held: Option<Held>,
        memory: &Arc<Memory>,
    ) -> Level {
        let shards = file.entries.len();
        let most = most_bytes(&file, partitions.len());
        let fits = memory.admit(most);
        let memory = Arc::clone(memory);
        let demand = Demand::new(shards);
        let shards = match file.header.payload {
            _ if !fits => Shards::Bounded(Bounded::new(shards, memory)),
            TREES => Shards::Trees(Kept::new(shards, memory)),
            _ => Shards::Diagrams(KeptDiagrams::new(shards, partitions.len(), most, memory)),
        };
        Level {
            file,
            partitions,
            held,
            shards,
            demand,
        }
    }

    /// Opens what builds have finished so far of a level of the database in a
    /// directory, above a level with the checksum `below`; `None` if there is
    /// nothing. A build that is at work does not mind.
    ///
    /// Its [`header`](Self::header) sums up what there is; its
    /// [`checksum`](Self::checksum) is 0.
    ///
    /// # Errors
    ///
    /// If the directory of the journals or one of them cannot be read. Files
    /// that are not journals of such a build, and damaged ends of journals, hold
    /// nothing.
    ///
    /// # Panics
    ///
    /// If `level` is not in 1..=13.
    pub fn open_unfinished(
        database: &Path,
        level: usize,
        below: u64,
        options: impl Into<Options>,
    ) -> Result<Option<Level>, Error> {
        let Options { access, memory } = options.into();
        Level::unfinished_in(
            database,
            level,
            below,
            access,
            &Arc::new(Memory::new(memory)),
        )
    }

    /// As [`open_unfinished`](Self::open_unfinished), in the memory of a database.
    pub(crate) fn unfinished_in(
        database: &Path,
        level: usize,
        below: u64,
        access: Access,
        memory: &Arc<Memory>,
    ) -> Result<Option<Level>, Error> {
        let found = journals::read(database, level, below, access)?;
        Ok(found.map(|(file, partitions, held)| Level::new(file, partitions, Some(held), memory)))
    }

    /// Opens a level's file, which must be the one that a manifest's record
    /// names.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); [`Error::Damaged`] if it is another file.
    pub fn open_recorded(
        path: &Path,
        record: &LevelRecord,
        options: impl Into<Options>,
    ) -> Result<Level, Error> {
        let Options { access, memory } = options.into();
        Level::recorded_in(path, record, access, &Arc::new(Memory::new(memory)))
    }

    /// As [`open_recorded`](Self::open_recorded), in the memory of a database.
    pub(crate) fn recorded_in(
        path: &Path,
        record: &LevelRecord,
        access: Access,
        memory: &Arc<Memory>,
    ) -> Result<Level, Error> {
        let level = Level::open_in(path, access, memory)?;
        let header = level.header();
        if header.level != record.level {
            let problem = format!(
                "it holds {} cards, not {}",
                4 * header.level,
                4 * record.level
            );
            return Err(Error::damaged(path, "header", problem));
        }
        if level.checksum() != record.checksum || level.bytes() != record.bytes {
            let problem = "it is not the file that the manifest names";
            return Err(Error::damaged(path, "header and index", problem));
        }
        Ok(level)
    }
}

/// The most bytes that the shards of a level may take, unpacked. Trees that are
/// unfolded into diagrams may take any number.
fn most_bytes(file: &LevelFile, partitions: usize) -> u64 {
    if file.header.payload == TREES {
        return u64::MAX;
    }
    let shards = file.entries.iter().map(|entry| {
        let nodes = PackedNodes::most_bytes(entry.nodes.into(), entry.plain[1].into());
        nodes + KeptDiagrams::SHARD_BYTES as u64
    });
    shards.sum::<u64>() + (partitions * size_of::<Edge>()) as u64
}
