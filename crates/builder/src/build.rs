//! Building a database: whole, or a chunk of a level at a time.

use std::fs::{self, File, TryLockError};
use std::ops::{Range, RangeInclusive};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::manifest::{self, LevelRecord, Manifest};
use setrograde_lookup::{Error, Level};

use crate::error::BuildError;
use crate::level::file::{TEMPORARY_PREFIX, write_whole};
use crate::level::work::{LevelWork, remove_work};
use crate::method::Method;
use crate::observer::BuildObserver;
use crate::oracle::stored_level::StoredLevel;
use crate::plan::chunk::Chunk;
use crate::plan::level_of;
use crate::plan::memory;
use crate::shard::counts::Work;

/// What to build and where.
#[derive(Debug, Clone)]
pub struct Build {
    /// The database's directory; it is made if it is not there.
    pub directory: PathBuf,
    /// The deepest level, in cards of all hands together: 4, 8, 12, …
    pub cards: usize,
    /// How. Levels that are there and sound are kept, whatever built them.
    pub method: Method,
    /// Worker threads; `None` for one a core.
    pub threads: Option<usize>,
    /// The most bytes of memory to use; `None` for what is free.
    pub memory: Option<u64>,
    /// Build levels anew even if they are there and sound.
    pub force: bool,
    /// The name and version of the program, for the manifest.
    pub program: String,
}

/// A chunk of a level that is finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedChunk {
    /// The chunk's shards.
    pub shards: Range<usize>,
    /// The work on them, now and earlier.
    pub work: Work,
}

impl Build {
    /// A build by `refine`, with all cores and the memory that is free.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>, cards: usize) -> Build {
        Build {
            directory: directory.into(),
            cards,
            method: Method::default(),
            threads: None,
            memory: None,
            force: false,
            program: concat!("setrograde-builder ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    /// Builds all levels up to `cards` that are not there yet, from what others
    /// have finished of them, or an earlier run that was killed. The bytes of
    /// the levels depend on neither, nor on the number of threads. Setting
    /// `cancel` from another thread ends the build soon with
    /// [`BuildError::Cancelled`].
    ///
    /// # Errors
    ///
    /// See [`BuildError`]; what was finished before stays.
    pub fn run(
        &self,
        observer: &impl BuildObserver,
        cancel: &AtomicBool,
    ) -> Result<Manifest, BuildError> {
        let deepest = level_of(self.cards)?;
        let _lock = self.lock_alone()?;
        let pool = self.pool()?;
        let mut manifest = self.manifest(observer)?;
        let mut below = StoredLevel(None);
        let mut memory_checked = false;
        for level in 1..=deepest {
            if !self.force
                && let Some(kept) = self.kept(&manifest, level, &pool, observer)?
            {
                below = StoredLevel(Some(kept));
                continue;
            }
            if !memory_checked {
                self.check_memory(level..=deepest, &below, &pool)?;
                memory_checked = true;
            }
            let partitions = PartitionIndex::new(level);
            let level_work = self.level_work(&partitions, &below);
            if self.force {
                remove_work(&self.directory, level)?;
            }
            level_work.build(Chunk::WHOLE, &pool, observer, cancel)?;
            let (_, sealed) = self.put_together(&level_work, &mut manifest, observer)?;
            remove_work(&self.directory, level)?;
            below = StoredLevel(Some(sealed));
        }
        Ok(manifest)
    }

    /// Builds one chunk of the level of `cards`, whose level below must be
    /// there. Many processes may do so at once, on many machines that share
    /// the directory. What is finished of the chunk stays so, and nothing is
    /// done twice. Answers with `None` if the whole level is in place already.
    ///
    /// # Errors
    ///
    /// [`BuildError::NoLevelBelow`] if the level below is missing, and others
    /// as in [`run`](Self::run).
    pub fn run_chunk(
        &self,
        chunk: Chunk,
        observer: &impl BuildObserver,
        cancel: &AtomicBool,
    ) -> Result<Option<FinishedChunk>, BuildError> {
        let level = level_of(self.cards)?;
        let _lock = self.lock_among_others()?;
        let pool = self.pool()?;
        let manifest = self.manifest(observer)?;
        if let Some(record) = manifest.level(level)
            && self.open(record).is_ok()
        {
            observer.kept(record);
            return Ok(None);
        }
        let below = self.below(&manifest, level)?;
        self.check_memory(level..=level, &below, &pool)?;
        let partitions = PartitionIndex::new(level);
        let level_work = self.level_work(&partitions, &below);
        let (shards, work) = level_work.build(chunk, &pool, observer, cancel)?;
        Ok(Some(FinishedChunk { shards, work }))
    }

    /// Makes the level of `cards` from its finished chunks, which must be all
    /// there, however the level was cut; and reads it once whole.
    ///
    /// # Errors
    ///
    /// [`BuildError::Unfinished`] names the chunks that are missing; others as
    /// in [`run`](Self::run).
    pub fn seal(&self, observer: &impl BuildObserver) -> Result<LevelRecord, BuildError> {
        let level = level_of(self.cards)?;
        let _lock = self.lock_alone()?;
        let pool = self.pool()?;
        let mut manifest = self.manifest(observer)?;
        if let Some(record) = manifest.level(level).cloned()
            && self.kept(&manifest, level, &pool, observer)?.is_some()
        {
            return Ok(record);
        }
        let below = self.below(&manifest, level)?;
        let partitions = PartitionIndex::new(level);
        let level_work = self.level_work(&partitions, &below);
        let (record, sealed) = self.put_together(&level_work, &mut manifest, observer)?;
        check_shards(&sealed, &pool)?;
        remove_work(&self.directory, level)?;
        Ok(record)
    }

    fn pool(&self) -> Result<rayon::ThreadPool, BuildError> {
        let threads = self.threads.unwrap_or(0);
        Ok(rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?)
    }

    /// The manifest; an empty one if there is none that can be read.
    fn manifest(&self, observer: &impl BuildObserver) -> Result<Manifest, BuildError> {
        match Manifest::read(&self.directory) {
            Ok(manifest) => Ok(manifest),
            Err(Error::NoDatabase { .. }) => Ok(Manifest::default()),
            Err(error @ Error::Io { .. }) => Err(error.into()),
            Err(error) => {
                observer.unsound("manifest", &error);
                Ok(Manifest::default())
            }
        }
    }

    fn open(&self, record: &LevelRecord) -> Result<Level, Error> {
        let path = manifest::level_path(&self.directory, record.level as usize);
        if path.exists() {
            Level::open_recorded(&path, record)
        } else {
            Err(Error::MissingLevel {
                path,
                cards: 4 * record.level as usize,
            })
        }
    }

    /// The level if it is there and all that the manifest says.
    fn kept(
        &self,
        manifest: &Manifest,
        level: usize,
        pool: &rayon::ThreadPool,
        observer: &impl BuildObserver,
    ) -> Result<Option<Level>, BuildError> {
        let Some(record) = manifest.level(level) else {
            return Ok(None);
        };
        let sound = self.open(record).and_then(|level| {
            check_shards(&level, pool)?;
            Ok(level)
        });
        match sound {
            Ok(kept) => {
                observer.kept(record);
                remove_work(&self.directory, level)?;
                Ok(Some(kept))
            }
            Err(why) => {
                observer.unsound(&format!("{} cards", 4 * level), &why);
                Ok(None)
            }
        }
    }

    /// The level below a level, which must be there.
    fn below(&self, manifest: &Manifest, level: usize) -> Result<StoredLevel, BuildError> {
        if level == 1 {
            return Ok(StoredLevel(None));
        }
        let record = manifest.level(level - 1).ok_or(BuildError::NoLevelBelow {
            path: self.directory.clone(),
            cards: 4 * (level - 1),
        })?;
        Ok(StoredLevel(Some(self.open(record)?)))
    }

    fn check_memory(
        &self,
        levels: RangeInclusive<usize>,
        below: &StoredLevel,
        pool: &rayon::ThreadPool,
    ) -> Result<(), BuildError> {
        let first = *levels.start();
        // The deepest first: it is what the caller waits for.
        levels.rev().try_for_each(|level| {
            let below = below.0.as_ref().filter(|_| level == first);
            memory::check(level, below, pool.current_num_threads(), self.memory)
        })
    }

    fn level_work<'a>(
        &self,
        partitions: &'a PartitionIndex,
        below: &'a StoredLevel,
    ) -> LevelWork<'a> {
        LevelWork::new(
            &self.directory,
            self.method,
            &self.program,
            partitions,
            below,
        )
    }

    /// Makes a level from its journals, enters it into the manifest and opens
    /// it.
    fn put_together(
        &self,
        level_work: &LevelWork<'_>,
        manifest: &mut Manifest,
        observer: &impl BuildObserver,
    ) -> Result<(LevelRecord, Level), BuildError> {
        let partitions = level_work.partitions();
        let level = partitions.level();
        let path = manifest::level_path(&self.directory, level);
        let begun = Instant::now();
        let sealed = level_work.seal(&path, observer)?;
        let record = LevelRecord {
            level: level as u32,
            method: self.method.name().to_owned(),
            program: self.program.clone(),
            partitions: partitions.len() as u64,
            states: partitions.iter().map(states_of_partition).sum(),
            sets: sealed.header.sets,
            nodes: sealed.header.nodes,
            largest: sealed.total.largest,
            bytes: sealed.bytes,
            cpu_milliseconds: sealed.total.cpu.as_millis() as u64,
            checksum: sealed.checksum,
            content: sealed.header.content,
            proofs: sealed.total.oracle.proofs,
            lookups: sealed.total.oracle.lookups,
            analysis: (self.method != Method::Refine).then(|| sealed.total.analysis.record()),
        };
        manifest.insert(record.clone());
        self.write_manifest(manifest)?;
        let opened = Level::open(&path)?;
        observer.finished(&record, begun.elapsed());
        Ok((record, opened))
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), BuildError> {
        let path = manifest::path_in(&self.directory);
        let bytes = manifest
            .to_bytes()
            .map_err(BuildError::io(&path, "lay out"))?;
        write_whole(&path, &bytes)
    }

    /// Keeps all others out of the directory, and tidies it up: two that write
    /// levels would remove each other's temporary files.
    fn lock_alone(&self) -> Result<File, BuildError> {
        let lock = self.lock(File::try_lock)?;
        self.remove_leftovers()?;
        Ok(lock)
    }

    /// Lets others build chunks too, and keeps out whoever would write levels.
    fn lock_among_others(&self) -> Result<File, BuildError> {
        self.lock(File::try_lock_shared)
    }

    fn lock(&self, lock: impl Fn(&File) -> Result<(), TryLockError>) -> Result<File, BuildError> {
        fs::create_dir_all(&self.directory)
            .map_err(BuildError::io(&self.directory, "make the directory"))?;
        let path = self.directory.join("build.lock");
        let file = File::create(&path).map_err(BuildError::io(&path, "create"))?;
        match lock(&file) {
            Err(TryLockError::WouldBlock) => Err(BuildError::Busy {
                path: self.directory.clone(),
            }),
            // Not every file system of a cluster has locks. Nothing goes wrong
            // without them as long as one process writes levels.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    }

    fn remove_leftovers(&self) -> Result<(), BuildError> {
        let read = |error| BuildError::io(&self.directory, "read")(error);
        for entry in fs::read_dir(&self.directory).map_err(read)? {
            let entry = entry.map_err(read)?;
            if entry
                .file_name()
                .to_string_lossy()
                .starts_with(TEMPORARY_PREFIX)
            {
                fs::remove_file(entry.path()).map_err(BuildError::io(&entry.path(), "remove"))?;
            }
        }
        Ok(())
    }
}

/// Reads every shard of a level once. Of several damaged ones the first is
/// named.
fn check_shards(level: &Level, pool: &rayon::ThreadPool) -> Result<(), Error> {
    let damaged = pool.install(|| {
        (0..level.shard_count())
            .into_par_iter()
            .find_map_first(|shard| level.check_shard(shard).err())
    });
    damaged.map_or(Ok(()), Err)
}
