//! A level that is being made: builds the shards that are missing, and seals
//! the level once all are there.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_header::Header;
use xxhash_rust::xxh3::xxh3_64;

use crate::counts::Work;
use crate::error::BuildError;
use crate::files::Files;
use crate::level::file::{LevelFile, SealedLevel};
use crate::level::finished::Finished;
use crate::level::ingredients::Ingredients;
use crate::level::journal::{Contents, Journal, Recipe};
use crate::level::part::write_part;
use crate::level::work_directory::{WorkDirectory, chunk_of};
use crate::method::Method;
use crate::observer::{BuildObserver, Portion};
use crate::oracle::stored_level::StoredLevel;
use crate::plan::{Chunk, Order, chunk_shards, shard_costs, shard_partitions};

/// A level that is being made.
pub(crate) struct UnfinishedLevel<'a> {
    files: &'a dyn Files,
    directory: WorkDirectory<'a>,
    method: Method,
    partitions: &'a PartitionIndex,
    below: &'a StoredLevel,
    pub(crate) recipe: Recipe,
    costs: Vec<u64>,
}

/// The partitions of shards that hold just one: those that were asked for alone.
const ALONE: u64 = 1;

impl<'a> UnfinishedLevel<'a> {
    /// A level of the database in `database`, made by this method and program.
    pub(crate) fn new(
        files: &'a dyn Files,
        database: &Path,
        method: Method,
        program: &str,
        partitions: &'a PartitionIndex,
        below: &'a StoredLevel,
    ) -> UnfinishedLevel<'a> {
        let level = partitions.level();
        UnfinishedLevel {
            files,
            directory: WorkDirectory::new(files, database, level),
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

    /// Builds what is not finished of a chunk, in this order, with the threads
    /// of the pool. Returns the chunk's shards, and the work on all of them.
    pub(crate) fn build(
        &self,
        chunk: Chunk,
        order: Order,
        pool: &rayon::ThreadPool,
        observer: &impl BuildObserver,
        cancel: &AtomicBool,
    ) -> Result<(Range<usize>, Work), BuildError> {
        let shards = chunk_shards(self.cards(), &self.costs, chunk)?;
        self.directory.create()?;
        let path = self.directory.own_journal(chunk);
        let (mut journal, own) = Journal::open(self.files, &path, &self.recipe)?;
        // A chunk reads the journals of the same chunk, of any host; the whole
        // level reads all.
        let of = (chunk != Chunk::WHOLE).then_some(chunk);
        let mut others = self.directory.journals(of)?;
        others.retain(|other| own.iter().all(|(own, _)| other != own));
        let finished = self.finished(own, others, observer)?;
        let ingredients = self.ingredients(self.recipe.shard_partitions);
        let mut work = Work::default();
        let mut missing = Vec::new();
        let (mut all, mut done) = (Portion::default(), Portion::default());
        for shard in shards.clone() {
            let portion = |sets| Portion {
                partitions: ingredients.numbers(shard).len() as u64,
                sets,
                cost: self.costs[shard],
            };
            all += portion(0);
            match finished.place(shard) {
                Some(place) => {
                    work += place.work;
                    done += portion(place.sets);
                }
                None => missing.push(shard),
            }
        }
        order.sort(&mut missing, self.partitions, &self.costs);
        observer.begun(self.cards(), all);
        if done.partitions > 0 {
            observer.resumed(done);
        }
        work += ingredients.build_shards(&missing, &mut journal, pool, observer, cancel)?;
        journal.sync()?;
        Ok((shards, work))
    }

    /// Builds partitions, each as a shard of its own, unless this host has done
    /// so before. A reader finds them in their journal; the level is not made
    /// from it. Returns how many were built, and the work on them.
    pub(crate) fn build_alone(
        &self,
        mut numbers: Vec<usize>,
        pool: &rayon::ThreadPool,
        observer: &impl BuildObserver,
        cancel: &AtomicBool,
    ) -> Result<(usize, Work), BuildError> {
        self.directory.create()?;
        let path = self.directory.own_journal_of_partitions();
        let (mut journal, own) = Journal::open(self.files, &path, &self.recipe_alone())?;
        for (path, contents) in &own {
            if let Some(damage) = &contents.damage {
                observer.damaged(path, damage);
            }
        }
        let places = own.iter().flat_map(|(_, contents)| &contents.places);
        let finished: HashSet<usize> = places.map(|place| place.shard).collect();
        numbers.retain(|number| !finished.contains(number) && *number < self.partitions.len());
        numbers.sort_unstable();
        numbers.dedup();
        let ingredients = self.ingredients(ALONE);
        let mut all = Portion::default();
        for &number in &numbers {
            all += ingredients.portion(number, 0);
        }
        observer.begun(self.cards(), all);
        let work = ingredients.build_shards(&numbers, &mut journal, pool, observer, cancel)?;
        journal.sync()?;
        Ok((numbers.len(), work))
    }

    /// Puts what is finished of the level to work. Returns how many partitions it has.
    pub(crate) fn put_to_work(&self) -> Result<usize, BuildError> {
        let below = self.recipe.below;
        write_part(
            self.files,
            self.directory.database(),
            self.partitions,
            below,
        )
    }

    fn recipe_alone(&self) -> Recipe {
        Recipe {
            shard_partitions: ALONE,
            ..self.recipe
        }
    }

    fn ingredients(&self, shard_partitions: u64) -> Ingredients<'_> {
        Ingredients {
            method: self.method,
            partitions: self.partitions,
            below: self.below,
            shard_partitions: shard_partitions as usize,
        }
    }

    /// Makes the level's file from the journals: reads it back whole, and only
    /// then puts it in its place.
    pub(crate) fn seal(
        &self,
        path: &Path,
        threads: usize,
        observer: &impl BuildObserver,
    ) -> Result<SealedLevel<'a>, BuildError> {
        let mut finished = self.finished(Vec::new(), self.directory.journals(None)?, observer)?;
        if finished.missing() > 0 {
            return Err(self.missing(&finished)?);
        }
        let header = Header {
            level: self.recipe.level as u32,
            payload: self.method.payload(),
            partitions: self.partitions.len() as u64,
            shard_partitions: self.recipe.shard_partitions as u32,
            shards: self.costs.len() as u32,
            nodes: 0,
            sets: 0,
            content: 0,
        };
        let mut file = LevelFile::create(self.files, path.to_owned(), header)?;
        for shard in 0..self.costs.len() {
            if let Some(packed) = finished.shard(shard)? {
                file.append(&packed)?;
            }
        }
        file.seal(threads, |shard| finished.journal_of(shard).to_owned())
    }

    /// Removes the journals that a build like this one would use.
    pub(crate) fn remove_journals(&self) -> Result<(), BuildError> {
        let alone = self.recipe_alone();
        self.directory
            .remove(|recipe| *recipe == self.recipe || *recipe == alone)
    }

    /// Removes all journals of the level, of any method and version.
    pub(crate) fn remove_all_journals(&self) -> Result<(), BuildError> {
        self.directory.remove(|_| true)
    }

    /// Returns an error that names what is missing, in chunks of the finest cut
    /// that a journal has.
    fn missing(&self, finished: &Finished) -> Result<BuildError, BuildError> {
        let cuts = finished.journals().iter().filter_map(|path| chunk_of(path));
        let of = cuts.map(Chunk::of).max().unwrap_or(1);
        // A name may say more chunks than there are shards.
        let of = of.min(self.costs.len() as u32);
        let mut chunks = Vec::new();
        for chunk in (1..=of).filter_map(|number| Chunk::new(number, of)) {
            let mut shards = chunk_shards(self.cards(), &self.costs, chunk)?;
            if shards.any(|shard| finished.place(shard).is_none()) {
                chunks.push(chunk);
            }
        }
        Ok(BuildError::Unfinished {
            cards: self.cards(),
            shards: finished.missing(),
            chunks,
        })
    }

    fn finished(
        &self,
        own: Vec<(PathBuf, Contents)>,
        others: Vec<PathBuf>,
        observer: &impl BuildObserver,
    ) -> Result<Finished, BuildError> {
        Finished::read(self.costs.len(), own, others, &self.recipe, observer)
    }
}
