//! The part of a level that builds have finished, put to work before the level is
//! whole.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_map::Origin;
use setrograde_lookup::format::manifest::map_path;
use setrograde_lookup::{Damage, Level, MapShard, MapWriter, ShardDiagrams};

use crate::error::BuildError;
use crate::files::Files;
use crate::level::file::Temporary;
use crate::level::journal::{OpenJournal, Place, Recipe, places_of};
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
    let before = Level::open(&path, level, source)
        .ok()
        .filter(|before| before.header().shard_partitions as usize == size);
    let io = || BuildError::io(&path, "write");
    let (temporary, file) = Temporary::beside(files, &path)?;
    let mut writer = MapWriter::new(file, partitions, size as u32, source).map_err(io())?;
    let mut held = 0;
    let shards: Vec<usize> = (0..partitions.len().div_ceil(size)).collect();
    for batch in shards.chunks(BATCH) {
        let mut work = Vec::with_capacity(batch.len());
        for &shard in batch {
            let numbers = shard * size..partitions.len().min((shard + 1) * size);
            let records = by_shard.get(&shard).map_or(&[][..], Vec::as_slice);
            let old = before.as_ref().filter(|before| {
                let mut all = records.iter().flat_map(|record| overlap(record, &numbers));
                !records.is_empty() && all.all(|number| before.holds(number))
            });
            let old = old.and_then(|before| before.map_shard(shard).ok());
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
            Some(old) => Ok(old.clone()),
            None => shard_of(partitions, numbers.clone(), read),
        });
        let made: Vec<MapShard> = made.collect::<Result<_, BuildError>>()?;
        for shard in &made {
            held += shard.held();
            writer.push(shard).map_err(io())?;
        }
    }
    let mut file = writer.finish().map_err(io())?;
    file.sync().map_err(io())?;
    temporary.put_in_place(&path)?;
    Ok(held)
}

/// The partitions of a record that are among these.
fn overlap(record: &Found, numbers: &Range<usize>) -> Range<usize> {
    record.numbers.start.max(numbers.start)..record.numbers.end.min(numbers.end)
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
        for place in places_of(&path, &recipe)? {
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
        journals.push(Journal { recipe, file });
    }
    Ok((journals, found))
}

/// The shard of these partitions, from what was read of them: the larger records first,
/// and of equal ones the later.
fn shard_of(
    partitions: &PartitionIndex,
    numbers: Range<usize>,
    read: &[Read],
) -> Result<MapShard, BuildError> {
    let mut read: Vec<&Read> = read.iter().rev().collect();
    read.sort_by_key(|(of, ..)| std::cmp::Reverse(of.len()));
    let mut sound: Vec<(Range<usize>, ShardDiagrams)> = Vec::new();
    for (of, payload, packed) in read {
        if sound.iter().any(|(other, _)| other == of) {
            continue;
        }
        if let Ok(diagrams) = diagrams_of(partitions, of, *payload, packed) {
            if *of == numbers {
                return Ok(diagrams.into());
            }
            sound.push((of.clone(), diagrams));
        }
    }
    let diagrams: Vec<Option<Diagram<'_>>> = numbers
        .clone()
        .map(|number| {
            let holder = sound.iter().find(|(of, _)| of.contains(&number));
            holder.map(|(of, diagrams)| diagrams.diagram(number - of.start))
        })
        .collect();
    if diagrams.iter().all(Option::is_none) {
        return Ok(MapShard::nothing(numbers.len()));
    }
    // Each alone has fewer nodes than a build refuses; together they may have more.
    MapShard::join(&diagrams).map_err(|source| BuildError::Diagram {
        partition: numbers.start,
        cards: 4 * partitions.level(),
        source,
    })
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
