//! The part of a level that builds have finished, put to work before the level is
//! whole.

use std::cmp::Reverse;
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use setrograde_endgame::diagram::{Diagram, NodePacker};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_map::Origin;
use setrograde_lookup::format::manifest::map_path;
use setrograde_lookup::{Level, MapWriter, PackedDiagram, ShardDiagrams};

use crate::error::BuildError;
use crate::files::Files;
use crate::level::file::Temporary;
use crate::level::journal::{OpenJournal, Place, Recipe, read_heads};
use crate::level::work_directory::WorkDirectory;

/// The most partitions that a record of a journal may hold.
const MOST_PARTITIONS: u64 = 1 << 12;

/// Records that are read side by side.
const BATCH: usize = 512;

/// A record of a journal.
struct Record<'a> {
    journal: &'a Path,
    payload: u32,
    place: Place,
    /// The numbers of its partitions.
    numbers: Range<usize>,
}

/// The number of a partition, the partition, and its diagram.
type Packed = (usize, Partition, PackedDiagram);

/// Writes the form at work of a level that is not whole, from the journals of all builds
/// above the level with the checksum `below`. What the file has already is kept, so
/// that little is done where little is new. Returns how many partitions it holds;
/// nothing is written if there are none.
pub(crate) fn write_part(
    files: &dyn Files,
    database: &Path,
    partitions: &PartitionIndex,
    below: u64,
) -> Result<usize, BuildError> {
    let level = partitions.level();
    let mut journals = WorkDirectory::new(files, database, level).all_journals()?;
    journals.retain(|(_, recipe)| {
        let is_of_level = recipe.level == level as u64 && recipe.below == below;
        is_of_level && (1..=MOST_PARTITIONS).contains(&recipe.shard_partitions)
    });
    let records = records(&journals, partitions)?;
    if records.is_empty() {
        return Ok(0);
    }
    let path = map_path(database, level);
    let source = Origin::Journals(below);
    let before = Level::newest(database, level, source).ok();
    let io = || BuildError::io(&path, "write");
    // At work diagrams take about twice what they take in a journal.
    let length = |(path, _): &_| std::fs::metadata::<&PathBuf>(path).map_or(0, |file| file.len());
    let bytes = 2 * journals.iter().map(length).sum::<u64>();
    let (temporary, file) = Temporary::beside(files, &path)?;
    let mut writer =
        MapWriter::new(partitions, source, bytes, Some(database), false).map_err(io())?;
    let mut held = vec![false; partitions.len()];
    for batch in records.chunks(BATCH) {
        let fresh = batch.par_iter().filter(|record| {
            let mut numbers = record.numbers.clone();
            numbers.any(|number| !held[number])
        });
        let made = fresh.map(|record| record.diagrams(partitions, before.as_ref()));
        let made: Vec<Vec<Packed>> = made.collect::<Result<_, BuildError>>()?;
        for (number, partition, diagram) in made.into_iter().flatten() {
            if !mem::replace(&mut held[number], true) {
                writer.push(partition, &diagram).map_err(io())?;
            }
        }
    }
    let held = writer.held() as usize;
    let mut file = writer.finish(file, || true).map_err(io())?;
    file.sync().map_err(io())?;
    drop((file, before));
    temporary.put_to_work(database, level)?;
    Ok(held)
}

/// The records of journals: the larger ones first, and of equal ones the later. Of those that
/// overlap the first counts.
fn records<'a>(
    journals: &'a [(PathBuf, Recipe)],
    partitions: &PartitionIndex,
) -> Result<Vec<Record<'a>>, BuildError> {
    let mut records = Vec::new();
    for (journal, recipe) in journals {
        let size = recipe.shard_partitions as usize;
        for place in read_heads(journal, recipe)?.places {
            let first = place.shard.checked_mul(size);
            if let Some(first) = first.filter(|&first| first < partitions.len()) {
                records.push(Record {
                    journal,
                    payload: recipe.payload as u32,
                    place,
                    numbers: first..partitions.len().min(first + size),
                });
            }
        }
    }
    records.reverse();
    records.sort_by_key(|record| Reverse(record.numbers.len()));
    Ok(records)
}

impl Record<'_> {
    /// The diagrams of its partitions, packed: those that the level at work has, if it has all
    /// of them. What is damaged is left out: it is not held, and is built again.
    fn diagrams(
        &self,
        partitions: &PartitionIndex,
        at_work: Option<&Level>,
    ) -> Result<Vec<Packed>, BuildError> {
        let all = || (self.numbers.clone()).zip(partitions.iter_from(self.numbers.start));
        if let Some(level) = at_work
            && all().all(|(_, partition)| level.holds(partition))
        {
            let kept = all().filter_map(|(number, partition)| {
                let diagram = level.diagram(partition).ok().flatten()?;
                Some(packed(number, partition, diagram))
            });
            return kept.collect();
        }
        let Some(diagrams) = self.read(partitions) else {
            return Ok(Vec::new());
        };
        let made = all().enumerate().map(|(at, (number, partition))| {
            let diagram = diagrams.diagram(at);
            packed(number, partition, diagram)
        });
        made.collect()
    }

    /// Reads its diagrams; `None` if it is damaged.
    fn read(&self, partitions: &PartitionIndex) -> Option<ShardDiagrams> {
        let mut journal = OpenJournal::open(self.journal).ok()?;
        let shard = journal.shard(self.place).ok()?;
        let of = partitions.iter_from(self.numbers.start);
        ShardDiagrams::read(
            self.payload,
            partitions.level(),
            of.take(self.numbers.len()),
            &shard.entry(),
            &shard.streams.concat(),
        )
        .ok()
    }
}

/// The diagram of the partition with that number, packed.
fn packed(number: usize, partition: Partition, diagram: Diagram<'_>) -> Result<Packed, BuildError> {
    match PackedDiagram::new(diagram, &mut NodePacker::new()) {
        Ok(packed) => Ok((number, partition, packed)),
        Err(source) => Err(BuildError::Diagram {
            partition: number,
            cards: 4 * partition.shape.level().unwrap_or_default(),
            source,
        }),
    }
}
