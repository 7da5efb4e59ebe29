//! A level on its way: which shards are finished, building the others, and
//! putting all together.
//!
//! Finished shards stand in journals in the directory `level-NN.work` beside
//! the levels, one journal a chunk and host. It does not matter who finished a
//! shard or how the work was cut: the level is made from the union of all
//! journals.

use std::cmp::Reverse;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam_channel::Receiver;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::layout::Header;
use setrograde_lookup::manifest;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::BuildError;
use crate::level::file::{LevelFile, SealedLevel};
use crate::level::journal::{self, Contents, Journal, OpenJournal, Place, Recipe};
use crate::method::Method;
use crate::observer::BuildObserver;
use crate::oracle::stored_level::StoredLevel;
use crate::plan::chunk::Chunk;
use crate::plan::{chunk_shards, partitions_of, shard_costs, shard_partitions};
use crate::shard::counts::Work;
use crate::shard::{PackedShard, ShardBuilder};

/// A level that is being made.
pub(crate) struct LevelWork<'a> {
    directory: PathBuf,
    method: Method,
    partitions: &'a PartitionIndex,
    below: &'a StoredLevel,
    recipe: Recipe,
    costs: Vec<u64>,
}

/// Where finished shards are: for each shard of the level, the journal's place
/// in the list and the shard's place in the journal.
struct Finished {
    journals: Vec<PathBuf>,
    shards: Vec<Option<(usize, Place)>>,
}

impl<'a> LevelWork<'a> {
    /// The work on a level of the database in `database`.
    pub(crate) fn new(
        database: &Path,
        method: Method,
        program: &str,
        partitions: &'a PartitionIndex,
        below: &'a StoredLevel,
    ) -> LevelWork<'a> {
        let level = partitions.level();
        LevelWork {
            directory: work_directory(database, level),
            method,
            partitions,
            below,
            recipe: Recipe {
                level: level as u64,
                payload: u64::from(method.payload()),
                shard_partitions: shard_partitions(level) as u64,
                below: below.checksum(),
                builder: xxh3_64(format!("{program}, {method:?}").as_bytes()),
            },
            costs: shard_costs(partitions),
        }
    }

    /// The level's partitions.
    pub(crate) fn partitions(&self) -> &PartitionIndex {
        self.partitions
    }

    fn cards(&self) -> usize {
        4 * self.partitions.level()
    }

    /// The partitions of a shard.
    fn numbers(&self, shard: usize) -> Range<usize> {
        partitions_of(&(shard..shard + 1), self.partitions)
    }

    /// Builds what is not finished of a chunk, with the threads of the pool.
    /// Answers with the chunk's shards, and the work on all of them.
    pub(crate) fn build(
        &self,
        chunk: Chunk,
        pool: &rayon::ThreadPool,
        observer: &impl BuildObserver,
        cancel: &AtomicBool,
    ) -> Result<(Range<usize>, Work), BuildError> {
        let shards = chunk_shards(self.cards(), &self.costs, chunk)?;
        fs::create_dir_all(&self.directory)
            .map_err(BuildError::io(&self.directory, "make the directory"))?;
        let path = self.directory.join(journal_name(chunk));
        let (mut journal, own) = Journal::open(&path, &self.recipe)?;
        // A part of the level heeds its own journals, of whatever host; the
        // whole heeds all.
        let mut others = self.journals((chunk != Chunk::WHOLE).then_some(chunk))?;
        others.retain(|other| *other != path);
        let finished = self.finished(others, Some((path, own)), observer)?;
        let mut work = Work::default();
        let mut missing = Vec::new();
        for shard in shards.clone() {
            match finished.shards[shard] {
                Some((_, place)) => work += place.work,
                None => missing.push(shard),
            }
        }
        let all = partitions_of(&shards, self.partitions).len();
        let left: usize = missing.iter().map(|&shard| self.numbers(shard).len()).sum();
        observer.begun(self.cards(), all);
        if left < all {
            observer.resumed(all - left);
        }
        work += self.build_shards(missing, &mut journal, pool, observer, cancel)?;
        journal.sync()?;
        Ok((shards, work))
    }

    fn build_shards(
        &self,
        mut shards: Vec<usize>,
        journal: &mut Journal,
        pool: &rayon::ThreadPool,
        observer: &impl BuildObserver,
        cancel: &AtomicBool,
    ) -> Result<Work, BuildError> {
        // The largest first, so that no thread is left with a large one when
        // the others have nothing more to do. Only by powers of two: within
        // one, neighbours follow each other, as they ask for the same
        // diagrams of the level below.
        shards.sort_by_key(|&shard| Reverse(self.costs[shard].max(1).ilog2()));
        let next = AtomicUsize::new(0);
        // Bounded, so that workers wait rather than pile up what a slow disk
        // cannot take.
        let (sender, receiver) = crossbeam_channel::bounded(4 * pool.current_num_threads());
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| write_down(journal, receiver, observer));
            let results = pool.broadcast(|_| {
                let sender = sender.clone();
                let mut builder =
                    ShardBuilder::new(self.method, self.below, self.partitions, cancel);
                while let Some(&shard) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let packed = builder.build(self.numbers(shard))?;
                    // The writer hangs up only on an error of its own, which
                    // is reported below.
                    let sent = sender.send((shard, packed));
                    sent.map_err(|_| BuildError::Cancelled)?;
                }
                Ok(())
            });
            drop(sender);
            let written = match writer.join() {
                Ok(written) => written,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            let work = written?;
            results.into_iter().collect::<Result<(), BuildError>>()?;
            Ok(work)
        })
    }

    /// Makes the level's file from the journals.
    pub(crate) fn seal(
        &self,
        path: &Path,
        observer: &impl BuildObserver,
    ) -> Result<SealedLevel, BuildError> {
        let finished = self.finished(self.journals(None)?, None, observer)?;
        let size = self.recipe.shard_partitions as u32;
        let header = Header {
            level: self.recipe.level as u32,
            payload: self.method.payload(),
            partitions: self.partitions.len() as u64,
            shard_partitions: size,
            shards: self.costs.len() as u32,
            nodes: 0,
            sets: 0,
            content: 0,
        };
        if finished.shards.contains(&None) {
            return Err(self.missing(&finished)?);
        }
        let mut file = LevelFile::create(path.to_owned(), header)?;
        let mut open: Option<(usize, OpenJournal)> = None;
        for (number, place) in finished.shards.into_iter().flatten() {
            let journal = match &mut open {
                Some((at, journal)) if *at == number => journal,
                other => {
                    let journal = OpenJournal::open(&finished.journals[number])?;
                    &mut other.insert((number, journal)).1
                }
            };
            file.append(&journal.shard(place)?)?;
        }
        file.seal()
    }

    /// What is missing, in chunks of the finest cut that a journal has.
    fn missing(&self, finished: &Finished) -> Result<BuildError, BuildError> {
        let cuts = finished.journals.iter().filter_map(|path| chunk_of(path));
        let of = cuts.map(Chunk::of).max().unwrap_or(1);
        let mut chunks = Vec::new();
        for chunk in (1..=of).filter_map(|number| Chunk::new(number, of)) {
            let shards = chunk_shards(self.cards(), &self.costs, chunk)?;
            if finished.shards[shards].contains(&None) {
                chunks.push(chunk);
            }
        }
        Ok(BuildError::Unfinished {
            cards: self.cards(),
            shards: finished
                .shards
                .iter()
                .filter(|found| found.is_none())
                .count(),
            chunks,
        })
    }

    /// The journals of a chunk, or all, in order of their names.
    fn journals(&self, of: Option<Chunk>) -> Result<Vec<PathBuf>, BuildError> {
        let read = |error| BuildError::io(&self.directory, "read")(error);
        let entries = match fs::read_dir(&self.directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(read(error)),
        };
        let mut journals = Vec::new();
        for entry in entries {
            let path = entry.map_err(read)?.path();
            if chunk_of(&path).is_some_and(|chunk| of.is_none_or(|of| of == chunk)) {
                journals.push(path);
            }
        }
        journals.sort();
        Ok(journals)
    }

    fn finished(
        &self,
        others: Vec<PathBuf>,
        own: Option<(PathBuf, Contents)>,
        observer: &impl BuildObserver,
    ) -> Result<Finished, BuildError> {
        let mut finished = Finished {
            journals: Vec::new(),
            shards: vec![None; self.costs.len()],
        };
        let read = others.into_iter().map(|path| {
            let contents = journal::read(&path, &self.recipe)?;
            Ok::<_, BuildError>((path, contents))
        });
        for journal in own.map(Ok).into_iter().chain(read) {
            let (path, contents) = journal?;
            if let Some(damage) = contents.damage {
                observer.unsound(&path.display().to_string(), &damage);
            }
            for place in contents.places {
                if let Some(shard) = finished.shards.get_mut(place.shard) {
                    *shard = Some((finished.journals.len(), place));
                }
            }
            finished.journals.push(path);
        }
        Ok(finished)
    }
}

/// Where the finished shards of a level are until it is put together.
fn work_directory(database: &Path, level: usize) -> PathBuf {
    manifest::level_path(database, level).with_extension("work")
}

/// Forgets the finished shards of a level.
pub(crate) fn remove_work(database: &Path, level: usize) -> Result<(), BuildError> {
    let directory = work_directory(database, level);
    match fs::remove_dir_all(&directory) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(BuildError::io(&directory, "remove")(error))
        }
        _ => Ok(()),
    }
}

/// A journal's name: its chunk and this host, so that hosts that share a
/// directory, but perhaps no locks, do not write into the same one.
fn journal_name(chunk: Chunk) -> String {
    let host = sysinfo::System::host_name().unwrap_or_default();
    let host = host.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    format!("chunk-{}-of-{}.{host}", chunk.number(), chunk.of())
}

/// The chunk in a journal's name.
fn chunk_of(path: &Path) -> Option<Chunk> {
    let name = path.file_name()?.to_str()?.strip_prefix("chunk-")?;
    let (number, of) = name.split_once('.')?.0.split_once("-of-")?;
    Chunk::new(number.parse().ok()?, of.parse().ok()?)
}

/// Writes finished shards down as they come. Returns the work on them.
fn write_down(
    journal: &mut Journal,
    shards: Receiver<(usize, PackedShard)>,
    observer: &impl BuildObserver,
) -> Result<Work, BuildError> {
    let mut work = Work::default();
    for (shard, packed) in shards {
        journal.append(shard, &packed)?;
        work += packed.counts.work();
        observer.advanced(packed.counts.partitions, packed.counts.sets);
    }
    Ok(work)
}
