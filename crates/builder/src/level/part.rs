//! The part of a level that builds have finished, put to work before the level is
//! whole.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use setrograde_endgame::diagram::{Diagram, NodePacker};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_map::Origin;
use setrograde_lookup::format::manifest::map_path;
use setrograde_lookup::{Damage, Level, MapWriter, PackedDiagram, ShardDiagrams};

use crate::error::BuildError;
use crate::files::Files;
use crate::level::file::Temporary;
use crate::level::journal::{OpenJournal, Place, Recipe, read_heads};
use crate::level::work_directory::WorkDirectory;
use crate::plan::shard_partitions;
use crate::shard::PackedShard;

/// The most partitions that a record of a journal may hold.
const MOST_PARTITIONS: u64 = 1 << 12;

/// Shards that are made side by side.
const BATCH: usize = 512;

/// A journal from which shards are taken.
struct Journal {
    recipe: Recipe,
    file: OpenJournal,
    bytes: u64,
}

/// A record of a journal, and its partitions.
struct Found {
    numbers: Range<usize>,
    journal: usize,
    place: Place,
}

/// A shard that was read from a journal: its partitions, its kind of payload, and its
/// bytes.
type Read = (Range<usize>, u32, PackedShard);

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
    let (mut journals, found) = read_journals(files, database, partitions, below)?;
    let size = shard_partitions(level);
    let mut by_shard: BTreeMap<usize, Vec<&Found>> = BTreeMap::new();
    for record in &found {
        for shard in record.numbers.start / size..record.numbers.end.div_ceil(size) {
            by_shard.entry(shard).or_default().push(record);
        }
    }
    if by_shard.is_empty() {
        return Ok(0);
    }
    let path = map_path(database, level);
    let source = Origin::Journals(below);
    let before = Level::newest(database, level, source).ok();
    let io = || BuildError::io(&path, "write");
    // At work diagrams take about twice what they take in a journal.
    let bytes = 2 * journals.iter().map(|journal| journal.bytes).sum::<u64>();
    let (temporary, file) = Temporary::beside(files, &path)?;
    let mut writer =
        MapWriter::new(partitions, source, bytes, Some(database), false).map_err(io())?;
    let shards: Vec<(usize, Vec<&Found>)> = by_shard.into_iter().collect();
    for batch in shards.chunks(BATCH) {
        let mut work = Vec::with_capacity(batch.len());
        for (shard, records) in batch {
            let numbers = shard * size..partitions.len().min((shard + 1) * size);
            let old = before.as_ref().filter(|before| {
                let mut of_shard = numbers.clone().zip(partitions.iter_from(numbers.start));
                of_shard.all(|(number, partition)| {
                    let is_in = |record: &&Found| record.numbers.contains(&number);
                    !records.iter().any(is_in) || before.holds(partition)
                })
            });
            let mut read: Vec<Read> = Vec::new();
            if old.is_none() {
                for record in records {
                    let journal = &mut journals[record.journal];
                    // What is damaged is not held, and is built again.
                    if let Ok(packed) = journal.file.shard(record.place) {
                        let payload = journal.recipe.payload as u32;
                        read.push((record.numbers.clone(), payload, packed));
                    }
                }
            }
            work.push((numbers, old, read));
        }
        let made = work.par_iter().map(|(numbers, old, read)| match old {
            Some(old) => kept(partitions, numbers.clone(), old),
            None => diagrams_of_shard(partitions, numbers.clone(), read),
        });
        let made: Vec<Vec<_>> = made.collect::<Result<_, BuildError>>()?;
        for (partition, diagram) in made.iter().flatten() {
            writer.push(*partition, diagram).map_err(io())?;
        }
    }
    let held = writer.held() as usize;
    let mut file = writer.finish(file, || true).map_err(io())?;
    file.sync().map_err(io())?;
    drop((file, before));
    temporary.put_to_work(database, level)?;
    Ok(held)
}

/// A partition and its diagram.
type Packed = (Partition, PackedDiagram);

/// The diagram of the partition with that number, packed.
fn packed(number: usize, partition: Partition, diagram: Diagram<'_>) -> Result<Packed, BuildError> {
    match PackedDiagram::new(diagram, &mut NodePacker::new()) {
        Ok(packed) => Ok((partition, packed)),
        Err(source) => Err(BuildError::Diagram {
            partition: number,
            cards: 4 * partition.shape.level().unwrap_or_default(),
            source,
        }),
    }
}

/// The diagrams of these partitions that a level at work holds, as far as they are sound.
fn kept(
    partitions: &PartitionIndex,
    numbers: Range<usize>,
    level: &Level,
) -> Result<Vec<Packed>, BuildError> {
    let of_shard = numbers.clone().zip(partitions.iter_from(numbers.start));
    let held = of_shard.filter_map(|(number, partition)| {
        let diagram = level.diagram(partition).ok().flatten()?;
        Some(packed(number, partition, diagram))
    });
    held.collect()
}

/// Opens the journals of a level, and finds their records. Those of another level below
/// are left out.
fn read_journals(
    files: &dyn Files,
    database: &Path,
    partitions: &PartitionIndex,
    below: u64,
) -> Result<(Vec<Journal>, Vec<Found>), BuildError> {
    let level = partitions.level();
    let directory = WorkDirectory::new(files, database, level);
    let (mut journals, mut found) = (Vec::new(), Vec::new());
    for (path, recipe) in directory.all_journals()? {
        let size = recipe.shard_partitions;
        if recipe.level != level as u64
            || recipe.below != below
            || !(1..=MOST_PARTITIONS).contains(&size)
        {
            continue;
        }
        for place in read_heads(&path, &recipe)?.places {
            let Some(first) = place.shard.checked_mul(size as usize) else {
                continue;
            };
            if first < partitions.len() {
                found.push(Found {
                    numbers: first..partitions.len().min(first + size as usize),
                    journal: journals.len(),
                    place,
                });
            }
        }
        let file = OpenJournal::open(&path)?;
        let bytes = std::fs::metadata(&path).map_or(0, |of_file| of_file.len());
        journals.push(Journal {
            recipe,
            file,
            bytes,
        });
    }
    Ok((journals, found))
}

/// The diagrams of these partitions, from what was read of them: the larger records first,
/// and of equal ones the later.
fn diagrams_of_shard(
    partitions: &PartitionIndex,
    numbers: Range<usize>,
    read: &[Read],
) -> Result<Vec<Packed>, BuildError> {
    let mut read: Vec<&Read> = read.iter().rev().collect();
    read.sort_by_key(|(of, ..)| std::cmp::Reverse(of.len()));
    let mut sound: Vec<(Range<usize>, ShardDiagrams)> = Vec::new();
    for (of, payload, packed) in read {
        if sound.iter().any(|(other, _)| other == of) {
            continue;
        }
        if let Ok(diagrams) = diagrams_of(partitions, of, *payload, packed) {
            sound.push((of.clone(), diagrams));
        }
    }
    let of_shard = numbers.clone().zip(partitions.iter_from(numbers.start));
    let held = of_shard.filter_map(|(number, partition)| {
        let (of, diagrams) = sound.iter().find(|(of, _)| of.contains(&number))?;
        Some(packed(
            number,
            partition,
            diagrams.diagram(number - of.start),
        ))
    });
    held.collect()
}

fn diagrams_of(
    partitions: &PartitionIndex,
    numbers: &Range<usize>,
    payload: u32,
    packed: &PackedShard,
) -> Result<ShardDiagrams, Damage> {
    let of = partitions.iter_from(numbers.start).take(numbers.len());
    ShardDiagrams::read(
        payload,
        partitions.level(),
        of,
        &packed.entry(),
        &packed.streams.concat(),
    )
}
