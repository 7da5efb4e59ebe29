//! The finished shards of a level, and their records in journals.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::counts::Work;
use crate::error::{AtPath, BuildError};
use crate::files::open_to_read;
use crate::level::chunk_file::LevelPlan;
use crate::level::journal;
use crate::level::journal::bytes::ShardRecord;
use crate::observer::BuildObserver;
use crate::shard::PackedShard;

/// The union of the journals of a level.
pub(crate) struct FinishedShards {
    journals: Vec<PathBuf>,
    /// For each shard the journal that has it, and the offset of its record there.
    shards: Vec<Option<(usize, u64)>>,
    /// The journal read last.
    open: Option<(usize, File)>,
    /// The sets of the shards that were summed up.
    pub(crate) sets: u64,
    /// The bytes of their streams.
    pub(crate) bytes: u64,
    /// The work on them.
    pub(crate) work: Work,
}

impl FinishedShards {
    /// Reads the journals `others`; `own` is already read. Reports damaged journals to the
    /// observer, and sums up the shards in `of`.
    pub(crate) fn read(
        plan: &LevelPlan,
        of: Range<usize>,
        own: Vec<(PathBuf, journal::Contents)>,
        others: Vec<PathBuf>,
        observer: &dyn BuildObserver,
    ) -> Result<FinishedShards, BuildError> {
        let mut finished = FinishedShards {
            journals: Vec::new(),
            shards: vec![None; plan.costs.len()],
            open: None,
            sets: 0,
            bytes: 0,
            work: Work::default(),
        };
        let read = others.into_iter().map(|path| {
            let contents = journal::read(&path, &plan.recipe, true)?;
            Ok::<_, BuildError>((path, contents))
        });
        for journal in own.into_iter().map(Ok).chain(read) {
            let (path, contents) = journal?;
            if let Some(damage) = &contents.damage {
                observer.damaged(&path, damage);
            }
            for record in contents.records {
                let ShardRecord { shard, offset, .. } = record;
                let Some(found) = finished.shards.get_mut(shard) else {
                    continue;
                };
                // Of two records of one shard the later one is valid, and both have the same sets.
                if found.replace((finished.journals.len(), offset)).is_none() && of.contains(&shard)
                {
                    finished.sets = finished.sets.saturating_add(record.counts.sets);
                    finished.bytes += record.entry.bytes();
                    finished.work += record.counts.work();
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

    /// Returns true if a shard is finished.
    pub(crate) fn has(&self, shard: usize) -> bool {
        self.shards[shard].is_some()
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
        let Some((number, offset)) = self.shards[shard] else {
            return Ok(None);
        };
        let path = &self.journals[number];
        let file = match &mut self.open {
            Some((open, file)) if *open == number => file,
            other => {
                &mut other
                    .insert((number, open_to_read(path).at(path, "open")?))
                    .1
            }
        };
        let packed = journal::read_shard(file, shard, offset).at(path, "read")?;
        if !packed.has_lengths() {
            return Err(BuildError::Shard {
                path: path.clone(),
                shard,
                source: None,
            });
        }
        Ok(Some(packed))
    }
}
