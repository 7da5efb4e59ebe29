//! A level under construction: builds the missing shards, and seals the level when all are
//! finished.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crossbeam_channel::Receiver;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::LevelFile;
use setrograde_lookup::format::level_header::Header;
use setrograde_parallel::Stop;
use xxhash_rust::xxh3::xxh3_64;

use crate::counts::{ShardCounts, Work};
use crate::error::{AtPath, BuildError};
use crate::files::{Files, free_space};
use crate::level::chunk_file::{ChunkFile, LevelPlan};
use crate::level::file::{NewLevel, NewMap};
use crate::level::finished::FinishedShards;
use crate::level::journal::{Contents, Journal, Recipe};
use crate::level::work_directory::{WorkDirectory, chunk_of};
use crate::method::Method;
use crate::observer::{BuildObserver, Portion, Silent};
use crate::oracle::stored_level::StoredLevel;
use crate::plan::{Chunk, partitions_of, shard_costs, shard_partitions, sort_by_cost};
use crate::shard::{PackedShard, ShardBuilder};

/// A level under construction.
pub(crate) struct UnfinishedLevel<'a> {
    directory: WorkDirectory<'a>,
    method: Method,
    partitions: PartitionIndex,
    below: &'a StoredLevel,
    pub(crate) plan: LevelPlan,
    /// The sound shards of a damaged level, which are copied from its file.
    pub(crate) salvage: Option<Salvage>,
    /// Files of finished chunks, to be sealed.
    pub(crate) chunk_files: Vec<ChunkFile>,
}

/// A finished chunk of a level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedChunk {
    /// The chunk's shards.
    pub shards: Range<usize>,
    /// The work on them, now and earlier.
    pub work: Work,
}

/// Returns the bytes of disk space that sealing a level needs in addition to its journals: its
/// file, and about twice as much for its map.
fn sealing_bytes(level: u64) -> u64 {
    level.saturating_mul(31) / 10 + (1 << 16)
}

/// A damaged level with some sound shards.
pub(crate) struct Salvage {
    pub(crate) file: LevelFile,
    pub(crate) sound: Vec<bool>,
}

impl Salvage {
    /// Reads a sound shard; the work on it is unknown.
    pub(crate) fn shard(&self, shard: usize) -> Result<PackedShard, BuildError> {
        let stored = self.file.shard(shard)?;
        let (streams, plain) = stored.streams();
        let (_, of_diagrams, content) = stored.survey()?;
        Ok(PackedShard {
            streams,
            plain,
            counts: ShardCounts {
                partitions: self.file.shard_partitions(shard).len() as u64,
                sets: of_diagrams.sets,
                nodes: of_diagrams.nodes,
                written: self.file.shard_nodes(shard),
                largest: of_diagrams.largest,
                ..ShardCounts::default()
            },
            content,
        })
    }
}

impl<'a> UnfinishedLevel<'a> {
    /// Makes a level of the database in `database`, built by this method and program.
    pub(crate) fn new(
        files: &'a dyn Files,
        database: &Path,
        method: Method,
        program: &str,
        level: usize,
        below: &'a StoredLevel,
    ) -> UnfinishedLevel<'a> {
        let partitions = PartitionIndex::new(level);
        let recipe = Recipe {
            level: level as u64,
            payload: method.recipe(),
            shard_partitions: shard_partitions(level, method) as u64,
            below: below.checksum(),
            builder: xxh3_64(format!("{program}, {method:?}").as_bytes()),
        };
        let costs = shard_costs(&partitions, method);
        UnfinishedLevel {
            directory: WorkDirectory::new(files, database, level),
            method,
            partitions,
            below,
            plan: LevelPlan { recipe, costs },
            salvage: None,
            chunk_files: Vec::new(),
        }
    }

    /// Writes a chunk, whose shards are all in journals, into a file, removes its journals, and
    /// returns its digest. `journal` is that of this process.
    pub(crate) fn write_chunk(
        &self,
        chunk: Chunk,
        path: &Path,
        journal: Journal<'_>,
        observer: &dyn BuildObserver,
    ) -> Result<u64, BuildError> {
        let journals = self.directory.journals(Some(chunk))?;
        let mut finished = self.finished(0..0, Vec::new(), journals, observer)?;
        let digest = self
            .plan
            .write(self.directory.files, path, chunk, |shard| {
                let changed = || io::Error::other("its journals have changed in the meantime");
                let packed = finished.shard(shard)?.ok_or_else(changed);
                packed.at(self.directory.database(), "read")
            })?;
        drop(finished);
        self.directory.remove_chunk(chunk, journal.into_lock());
        Ok(digest)
    }

    /// The level, in cards per hand.
    pub(crate) fn level(&self) -> usize {
        self.partitions.level()
    }

    fn cards(&self) -> usize {
        4 * self.level()
    }

    /// Builds the unfinished shards of a chunk with the threads of the pool. Returns the chunk, and
    /// the journal, whose lock keeps other processes away.
    pub(crate) fn build(
        &self,
        chunk: Chunk,
        pool: &rayon::ThreadPool,
        observer: &dyn BuildObserver,
        stop: &Stop,
    ) -> Result<(FinishedChunk, Journal<'a>), BuildError> {
        let shards = self.plan.shards(chunk)?;
        self.directory.create()?;
        let path = self.directory.own_journal(chunk);
        let (mut journal, own) = Journal::open(self.directory.files, &path, &self.plan.recipe)?;
        // A chunk reads the journals of the same chunk, of any host; the whole
        // level reads all.
        let of = (chunk != Chunk::WHOLE).then_some(chunk);
        let mut others = self.directory.journals(of)?;
        others.retain(|other| own.iter().all(|(own, _)| other != own));
        let finished = self.finished(shards.clone(), own, others, observer)?;
        let mut missing = Vec::new();
        let mut all = Portion::default();
        let mut done = Portion {
            sets: finished.sets,
            ..Portion::default()
        };
        for shard in shards.clone() {
            let portion = self.portion(shard);
            all += portion;
            if finished.has(shard) || self.is_salvaged(shard) {
                done += portion;
            } else {
                missing.push(shard);
            }
        }
        sort_by_cost(&mut missing, &self.plan.costs);
        observer.begun(self.cards(), all);
        if done.partitions > 0 {
            observer.resumed(done);
        }
        let mut work = finished.work;
        work += self.build_shards(&missing, &mut journal, pool, observer, stop)?;
        Ok((FinishedChunk { shards, work }, journal))
    }

    /// The work on the whole level, by its journals; `None` if they do not have all shards.
    pub(crate) fn total(&self) -> Result<Option<ShardCounts>, BuildError> {
        let journals = self.directory.journals(None)?;
        let mut finished = self.finished(0..0, Vec::new(), journals, &Silent)?;
        let shards = 0..self.plan.costs.len();
        if !shards.clone().all(|shard| finished.has(shard)) {
            return Ok(None);
        }
        let mut total = ShardCounts::default();
        for shard in shards {
            // One that is damaged has unknown work.
            let Ok(Some(packed)) = finished.shard(shard) else {
                return Ok(None);
            };
            total += packed.counts;
        }
        Ok(Some(total))
    }

    /// Reads journals, and sums up the shards in `of`.
    fn finished(
        &self,
        of: Range<usize>,
        own: Vec<(PathBuf, Contents)>,
        others: Vec<PathBuf>,
        observer: &dyn BuildObserver,
    ) -> Result<FinishedShards, BuildError> {
        FinishedShards::read(&self.plan, of, own, others, observer)
    }

    fn is_salvaged(&self, shard: usize) -> bool {
        let salvage = self.salvage.as_ref();
        salvage.is_some_and(|salvage| salvage.sound[shard])
    }

    /// The numbers of the partitions in a shard.
    fn numbers(&self, shard: usize) -> Range<usize> {
        let size = self.plan.recipe.shard_partitions as usize;
        partitions_of(&(shard..shard + 1), size, &self.partitions)
    }

    /// Returns the share of the work in a shard. Its sets are not known yet.
    fn portion(&self, shard: usize) -> Portion {
        Portion {
            partitions: self.numbers(shard).len() as u64,
            sets: 0,
            cost: self.plan.costs[shard],
        }
    }

    /// Builds shards with the threads of the pool, one after another,
    /// and writes each into the journal as soon as it is finished. Returns the work on them.
    fn build_shards(
        &self,
        shards: &[usize],
        journal: &mut Journal<'_>,
        pool: &rayon::ThreadPool,
        observer: &dyn BuildObserver,
        stop: &Stop,
    ) -> Result<Work, BuildError> {
        let next = AtomicUsize::new(0);
        // Bounded, so workers wait for a slow disk instead of queueing shards in memory.
        let (sender, receiver) = crossbeam_channel::bounded(4 * pool.current_num_threads());
        std::thread::scope(|scope| {
            let write = || self.write_down(receiver, journal, observer);
            let writer = std::thread::Builder::new().spawn_scoped(scope, write);
            let start = "start a thread for";
            let writer = writer.at(self.directory.database(), start)?;
            let results = pool.broadcast(|_| {
                let sender = sender.clone();
                let mut builder =
                    ShardBuilder::new(self.method, self.below, &self.partitions, stop);
                while let Some(&shard) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let numbers = self.numbers(shard);
                    #[cfg(not(test))]
                    let packed = builder.build(numbers)?;
                    #[cfg(test)]
                    let packed = crate::tests::remembered(&self.plan.recipe, shard, || {
                        builder.build(numbers)
                    })?;
                    // The writer closes the channel only after an error, which is reported below.
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

    /// Appends finished shards to the journal until the channel closes, and makes them durable.
    /// Returns the work on them.
    fn write_down(
        &self,
        shards: Receiver<(usize, PackedShard)>,
        journal: &mut Journal<'_>,
        observer: &dyn BuildObserver,
    ) -> Result<Work, BuildError> {
        let mut work = Work::default();
        for (shard, packed) in shards {
            journal.append(shard, &packed)?;
            work += packed.counts.work();
            observer.advanced(Portion {
                sets: packed.counts.sets,
                ..self.portion(shard)
            });
        }
        journal.sync()?;
        Ok(work)
    }

    /// Makes the level's file from the journals, reads all of it back, and only then renames it to
    /// its final name.
    pub(crate) fn seal(
        &mut self,
        path: &Path,
        threads: usize,
        observer: &dyn BuildObserver,
    ) -> Result<(LevelFile, ShardCounts, NewMap<'a>), BuildError> {
        let journals = self.directory.journals(None)?;
        let files = std::mem::take(&mut self.chunk_files);
        let finest = files.iter().map(|file| file.chunk.of()).max();
        let files = files.into_iter();
        let files: Vec<_> = files.map(|file| (file.path, file.contents)).collect();
        let shards = self.plan.costs.len();
        let mut finished = self.finished(0..shards, files, journals, observer)?;
        let is_missing = |shard: &usize| !finished.has(*shard) && !self.is_salvaged(*shard);
        let missing: Vec<usize> = (0..shards).filter(is_missing).collect();
        if !missing.is_empty() {
            return self.missing(&finished, &missing, finest);
        }
        self.check_space(finished.bytes)?;
        let header = Header {
            level: self.level() as u32,
            payload: self.method.payload(),
            partitions: self.partitions.len() as u64,
            shard_partitions: self.plan.recipe.shard_partitions as u32,
            shards: shards as u32,
            grain: self.method.grain(),
            ..Header::default()
        };
        let mut file = NewLevel::create(self.directory.files, path.to_owned(), header)?;
        for shard in 0..shards {
            let packed = match (finished.shard(shard)?, &self.salvage) {
                (Some(packed), _) => packed,
                (None, Some(salvage)) => salvage.shard(shard)?,
                (None, None) => unreachable!("no shard is missing"),
            };
            file.append(&packed)?;
        }
        // Some systems cannot replace an open file.
        self.salvage = None;
        file.seal(
            threads,
            |shard| finished.journal_of(shard).to_owned(),
            |done| observer.sealing(done, shards),
        )
    }

    /// Checks that the disk has room for the level and its map, before they are written.
    fn check_space(&self, in_journals: u64) -> Result<(), BuildError> {
        let salvage = self.salvage.as_ref();
        let salvaged = salvage.map_or(0, |salvage| salvage.file.bytes());
        let needed = sealing_bytes(in_journals + salvaged);
        let path = self.directory.database();
        match free_space(path) {
            Some(free) if free < needed => Err(BuildError::Space {
                path: path.to_owned(),
                cards: self.cards(),
                needed,
                free,
            }),
            _ => Ok(()),
        }
    }

    /// Removes the journals that a build like this one would use.
    pub(crate) fn remove_journals(&self) {
        // The next build removes what this one cannot.
        let _ = self.directory.remove(|recipe| *recipe == self.plan.recipe);
    }

    /// Removes all journals of the level, of any method and version.
    pub(crate) fn remove_all_journals(&self) -> Result<(), BuildError> {
        self.directory.remove(|_| true)
    }

    /// Fails with the names of the missing chunks, by the finest division among the journals
    /// and chunk files.
    fn missing<T>(
        &self,
        finished: &FinishedShards,
        missing: &[usize],
        in_files: Option<u32>,
    ) -> Result<T, BuildError> {
        let cuts = finished.journals().iter().filter_map(|path| chunk_of(path));
        let of = cuts.map(Chunk::of).chain(in_files).max().unwrap_or(1);
        // A name may claim more chunks than there are shards.
        let of = of.min(self.plan.costs.len() as u32);
        let mut chunks = Vec::new();
        for chunk in Chunk::all(of) {
            let mut shards = self.plan.shards(chunk)?;
            if shards.any(|shard| missing.binary_search(&shard).is_ok()) {
                chunks.push(chunk);
            }
        }
        Err(BuildError::Unfinished {
            cards: self.cards(),
            method: self.method,
            path: self.directory.database().to_owned(),
            shards: missing.len(),
            chunks,
            from_files: in_files.is_some(),
        })
    }
}
