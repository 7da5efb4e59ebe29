//! The level below, read from its file.

use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::partition::Partition;
use setrograde_lookup::{Error, Level, PinnedDiagram};

use crate::oracle::LevelBelow;

/// The level below; `None` below the first, where no cards are left.
pub(crate) struct StoredLevel(pub(crate) Option<Level>);

impl StoredLevel {
    /// The checksum of its file, 0 if there is none.
    pub(crate) fn checksum(&self) -> u64 {
        self.0.as_ref().map_or(0, Level::checksum)
    }
}

impl LevelBelow for StoredLevel {
    fn diagram(&self, partition: Partition) -> Result<PinnedDiagram<'_>, Error> {
        match &self.0 {
            Some(level) => level.diagram(partition),
            None => Ok(Diagram::constant(0).into()),
        }
    }
}
