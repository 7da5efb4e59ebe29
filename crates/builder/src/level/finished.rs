//! The finished shards of a level, and their records in journals.

use std::path::{Path, PathBuf};

use crate::error::BuildError;
use crate::level::journal::{self, Contents, OpenJournal, Recipe, RecordLocation};
use crate::observer::BuildObserver;
use crate::shard::PackedShard;

/// The union of the journals of a level: for each shard its journal, and its record there.
pub(crate) struct Finished {
    journals: Vec<PathBuf>,
    shards: Vec<Option<(usize, RecordLocation)>>,
    /// The journal read last.
    open: Option<(usize, OpenJournal)>,
}

impl Finished {
    /// Reads the journals `others`; `own` is already read. Reports damaged journals to the
    /// observer.
    pub(crate) fn read(
        shard_count: usize,
        own: Vec<(PathBuf, Contents)>,
        others: Vec<PathBuf>,
        recipe: &Recipe,
        observer: &impl BuildObserver,
    ) -> Result<Finished, BuildError> {
        let mut finished = Finished {
            journals: Vec::new(),
            shards: vec![None; shard_count],
            open: None,
        };
        let read = others.into_iter().map(|path| {
            let contents = journal::read(&path, recipe)?;
            Ok::<_, BuildError>((path, contents))
        });
        for journal in own.into_iter().map(Ok).chain(read) {
            let (path, contents) = journal?;
            if let Some(damage) = &contents.damage {
                observer.damaged(&path, damage);
            }
            for location in contents.locations {
                if let Some(shard) = finished.shards.get_mut(location.shard) {
                    *shard = Some((finished.journals.len(), location));
                }
            }
            finished.journals.push(path);
        }
        Ok(finished)
    }

    /// The journals that were read.
    pub(crate) fn journals(&self) -> &[PathBuf] {
        &self.journals
    }

    /// Returns the record of a shard in its journal, if it is finished.
    pub(crate) fn location(&self, shard: usize) -> Option<RecordLocation> {
        self.shards[shard].map(|(_, location)| location)
    }

    /// Returns the journal of a shard; an empty path if the shard is not finished.
    pub(crate) fn journal_of(&self, shard: usize) -> &Path {
        match self.shards.get(shard) {
            Some(&Some((journal, _))) => &self.journals[journal],
            _ => Path::new(""),
        }
    }

    /// Reads a finished shard; `None` if it is not finished.
    pub(crate) fn shard(&mut self, shard: usize) -> Result<Option<PackedShard>, BuildError> {
        let Some((number, location)) = self.shards[shard] else {
            return Ok(None);
        };
        let journal = match &mut self.open {
            Some((open, journal)) if *open == number => journal,
            other => {
                let journal = OpenJournal::open(&self.journals[number])?;
                &mut other.insert((number, journal)).1
            }
        };
        journal.shard(location).map(Some)
    }
}
