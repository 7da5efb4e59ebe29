//! The sequence of a build: the levels to keep, the levels to make, and their order.

use std::io::ErrorKind;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};
use setrograde_lookup::format::level_header::TREES;
use setrograde_lookup::format::manifest::{self, Details, LevelRecord, Manifest};
use setrograde_lookup::{Error, LevelFile};
use setrograde_parallel::{Stop, cores, threads};

use crate::counts::ShardCounts;
use crate::directory::Directory;
use crate::error::BuildError;
use crate::files::{Disk, Files};
use crate::level::chunk_file;
use crate::level::file::{map_fault, remove_superseded, write_map};
use crate::level::unfinished::{FinishedChunk, Salvage, UnfinishedLevel};
use crate::level::work_directory::WorkDirectory;
use crate::method::Method;
use crate::observer::BuildObserver;
use crate::oracle::stored_level::StoredLevel;
use crate::plan::{Chunk, DEEPEST, level_of, memory, shard_partitions};

/// A build: its level, directory and settings.
#[derive(Debug, Clone)]
pub struct Build {
    /// The database's directory, created if it is missing.
    pub directory: PathBuf,
    /// The largest level to build, in cards of all hands together: 4, 8, 12, …
    pub cards: usize,
    /// The method of each level that must be built, by its cards per hand. Existing sound levels
    /// of any method are kept.
    pub methods: [Method; DEEPEST + 1],
    /// Number of worker threads, at most [`MOST_THREADS`](crate::MOST_THREADS); `None` for one per
    /// core.
    pub threads: Option<usize>,
    /// Maximum memory to use, in bytes; `None` for the free memory.
    pub memory: Option<u64>,
    /// True to rebuild levels that exist and are sound, and to discard their finished shards.
    pub force: bool,
    /// The name and version of the program, for the manifest.
    pub program: String,
}

impl Build {
    /// Makes a build by `refine`, with all cores and the free memory.
    pub fn new(directory: impl Into<PathBuf>, cards: usize) -> Build {
        Build {
            directory: directory.into(),
            cards,
            methods: [Method::Refine; DEEPEST + 1],
            threads: None,
            memory: None,
            force: false,
            program: concat!("setrograde-builder ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    /// Builds all missing levels up to `cards`, and returns the database's manifest.
    ///
    /// Shards that other processes or an earlier, killed run have finished are used. The bytes of
    /// the levels depend neither on them nor on the number of threads. The build ends soon after
    /// `stop` is due.
    ///
    /// # Errors
    ///
    /// See [`BuildError`]; [`BuildError::Cancelled`] if it was cancelled. Finished shards are kept,
    /// and files that no build has written are left alone.
    pub fn run(&self, observer: &dyn BuildObserver, stop: &Stop) -> Result<Manifest, BuildError> {
        self.run_with(&Disk, observer, stop)
    }

    pub(crate) fn run_with(
        &self,
        files: &dyn Files,
        observer: &dyn BuildObserver,
        stop: &Stop,
    ) -> Result<Manifest, BuildError> {
        let open = self.open(files, observer)?;
        let _lock = open.directory.lock_exclusive()?;
        let mut manifest = open.directory.manifest(observer)?;
        let mut below = StoredLevel::None;
        let mut pool = None;
        for level in 1..=open.deepest {
            let mut unfinished = open.unfinished(&self.directory, level, &below);
            open.directory.check_replaceable(level)?;
            if self.force {
                unfinished.remove_all_journals()?;
            } else if let Some((_, kept)) = open.keep(&mut manifest, &mut unfinished)? {
                below = open.stored(kept)?;
                continue;
            }
            let pool = match &mut pool {
                Some(pool) => &*pool,
                none => {
                    open.check_memory(level..=open.deepest, &below)?;
                    &*none.insert(pool_of(open.threads)?)
                }
            };
            unfinished.build(Chunk::WHOLE, pool, observer, stop)?;
            let (_, sealed) = open.seal_level(&mut unfinished, &mut manifest)?;
            below = open.stored(sealed)?;
        }
        Ok(manifest)
    }

    /// Builds one chunk of the level of `cards`; the level below must exist. Many processes may do
    /// so at once, on many machines that share the directory. Finished shards of the chunk are not
    /// built again. Returns `None` if the complete level already exists.
    ///
    /// # Errors
    ///
    /// [`BuildError::NoLevelBelow`] if the level below is missing, and others
    /// as in [`run`](Self::run).
    pub fn run_chunk(
        &self,
        chunk: Chunk,
        observer: &dyn BuildObserver,
        stop: &Stop,
    ) -> Result<Option<FinishedChunk>, BuildError> {
        let open = self.open(&Disk, observer)?;
        let level = open.deepest;
        let _lock = open.directory.lock_shared()?;
        let manifest = open.directory.manifest(observer)?;
        if let Some(record) = manifest.level(level) {
            match LevelFile::open_recorded(&self.directory, record) {
                Ok(_) => return Ok(None),
                Err(error @ Error::Io { .. }) => return Err(error.into()),
                Err(_) => {}
            }
        }
        let below = open.below(Some(&manifest), level)?;
        open.check_memory(level..=level, &below)?;
        let pool = pool_of(open.threads)?;
        let unfinished = open.unfinished(&self.directory, level, &below);
        let (finished, _) = unfinished.build(chunk, &pool, observer, stop)?;
        Ok(Some(finished))
    }

    /// Builds one chunk of the level of `cards` into a file. The level below is read from
    /// `directory`, where nothing is written. Unfinished work is in `scratch`: the same call
    /// continues it, and removes it at the end. The file appears complete or not at all; its bytes
    /// depend on the chunk alone. Returns `None` instead of the chunk if the file already exists,
    /// and the digest of the chunk (see [`digests`](crate::digests)).
    ///
    /// # Errors
    ///
    /// As [`run_chunk`](Self::run_chunk); [`BuildError::NotOurs`] if another file
    /// has the name.
    pub fn run_chunk_to(
        &self,
        chunk: Chunk,
        file: &Path,
        scratch: &Path,
        observer: &dyn BuildObserver,
        stop: &Stop,
    ) -> Result<(Option<FinishedChunk>, u64), BuildError> {
        let open = self.open(&Disk, observer)?;
        let level = open.deepest;
        let below = open.below(None, level)?;
        let unfinished = open.unfinished(scratch, level, &below);
        if let Some(digest) = unfinished.plan.digest_in(file, chunk)? {
            return Ok((None, digest));
        }
        unfinished.plan.check_replaceable(chunk, file)?;
        open.check_memory(level..=level, &below)?;
        let pool = pool_of(open.threads)?;
        let (finished, journal) = unfinished.build(chunk, &pool, observer, stop)?;
        let digest = unfinished.write_chunk(chunk, file, journal, observer)?;
        Ok((Some(finished), digest))
    }

    /// Makes the level of `cards` from its finished chunks, however the level was cut, and reads
    /// all of it back. All chunks must be finished, in the directory or in chunk files: `from`
    /// names files, or directories with files `*.chunk`. The method is that of most of these
    /// chunks, or of an existing coarse level; the methods of this build do not matter.
    ///
    /// # Errors
    ///
    /// [`BuildError::Unfinished`] names the chunks that are missing, [`BuildError::ChunkFiles`]
    /// the files that cannot be taken; others as in [`run`](Self::run).
    pub fn seal(
        &self,
        from: &[PathBuf],
        observer: &dyn BuildObserver,
    ) -> Result<LevelRecord, BuildError> {
        let from = chunk_file::named(from)?;
        let level = level_of(self.cards)?;
        let mut build = self.clone();
        if let Some(method) = self.chunk_method(level, &from)? {
            build.methods[level] = method;
        }
        let open = build.open(&Disk, observer)?;
        let _lock = open.directory.lock_exclusive()?;
        let mut manifest = open.directory.manifest(observer)?;
        let below = open.below(Some(&manifest), level)?;
        let mut unfinished = open.unfinished(&self.directory, level, &below);
        open.directory.check_replaceable(level)?;
        if let Some((record, _)) = open.keep(&mut manifest, &mut unfinished)? {
            return Ok(record);
        }
        unfinished.chunk_files = chunk_file::read_all(&unfinished.plan, &from)?;
        let (record, _) = open.seal_level(&mut unfinished, &mut manifest)?;
        Ok(record)
    }

    /// Returns the method of most finished chunks of a level, in journals and in these chunk files, or
    /// of its existing level if that is coarse. `None` if there is none.
    fn chunk_method(&self, level: usize, files: &[PathBuf]) -> Result<Option<Method>, BuildError> {
        let journals = WorkDirectory::new(&Disk, &self.directory, level).recipes()?;
        let mut recipes: Vec<_> = journals.into_iter().map(|(_, recipe)| recipe).collect();
        for path in files {
            recipes.extend(chunk_file::recipe_of(path)?);
        }
        recipes.retain(|recipe| recipe.level == level as u64);
        let count = |payload| recipes.iter().filter(|of| of.payload == payload).count();
        // Of equally many, the first.
        let most = recipes.iter().map(|recipe| recipe.payload).rev();
        if let Some(payload) = most.max_by_key(|&payload| count(payload)) {
            return Ok(Some(Method::of_recipe(payload)));
        }
        let manifest = Manifest::read_file(&self.directory).unwrap_or_default();
        let grain = manifest.level(level).and_then(LevelRecord::grain);
        Ok(grain.map(Method::Coarse))
    }

    /// Checks the settings before anything is written.
    fn open<'a>(
        &'a self,
        files: &'a dyn Files,
        observer: &'a dyn BuildObserver,
    ) -> Result<OpenBuild<'a>, BuildError> {
        let deepest = level_of(self.cards)?;
        memory::check_plan(deepest)?;
        Ok(OpenBuild {
            build: self,
            directory: Directory {
                path: &self.directory,
                files,
            },
            observer,
            deepest,
            threads: threads(self.threads),
        })
    }
}

/// Starts a pool of threads.
pub(crate) fn pool_of(threads: usize) -> Result<ThreadPool, BuildError> {
    Ok(ThreadPoolBuilder::new().num_threads(threads).build()?)
}

/// A build whose settings are checked.
struct OpenBuild<'a> {
    build: &'a Build,
    directory: Directory<'a>,
    observer: &'a dyn BuildObserver,
    /// The level of `build.cards`.
    deepest: usize,
    threads: usize,
}

impl OpenBuild<'_> {
    /// Finds a level on the disk. One that is sound is put in use; of another one the sound shards
    /// are salvaged.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, which is not damage.
    fn keep(
        &self,
        manifest: &mut Manifest,
        unfinished: &mut UnfinishedLevel<'_>,
    ) -> Result<Option<(LevelRecord, LevelFile)>, BuildError> {
        let level = unfinished.level();
        let path = manifest::level_path(self.directory.path, level);
        let why = match LevelFile::open(&path) {
            Ok(file) if file.level() == level => {
                return self.keep_sound(manifest, unfinished, file);
            }
            Ok(file) => format!("{}: it holds {} cards", path.display(), 4 * file.level()),
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                if manifest.level(level).is_none() {
                    return Ok(None);
                }
                format!("{}: it is missing", path.display())
            }
            Err(error @ Error::Io { .. }) => return Err(error.into()),
            Err(why) => why.to_string(),
        };
        self.observer.unsound(4 * level, None, &why);
        Ok(None)
    }

    /// Keeps a level if all its shards are sound, even if the manifest does not mention it.
    fn keep_sound(
        &self,
        manifest: &mut Manifest,
        unfinished: &mut UnfinishedLevel<'_>,
        file: LevelFile,
    ) -> Result<Option<(LevelRecord, LevelFile)>, BuildError> {
        let (level, header) = (file.level(), file.header());
        let record = match manifest.level(level) {
            Some(record) if file.is_recorded(record) && !record.program.is_empty() => {
                record.clone()
            }
            // A build that ended between the file and the manifest has left its journals.
            _ => match unfinished.total()? {
                Some(total) if (total.sets, total.nodes) == (header.sets, header.nodes) => {
                    self.record(&file, total)
                }
                _ => file.record(),
            },
        };
        // More threads than cores gain nothing.
        let (sound, damage) = sound_shards(&file, &pool_of(self.threads.min(cores()))?)?;
        if let Some(why) = damage {
            let method = self.build.methods[level];
            let is_alike = (header.payload, header.grain) == (method.payload(), method.grain())
                && header.shard_partitions as usize == shard_partitions(level, method);
            let damaged = sound.iter().filter(|sound| !**sound).count();
            let again = is_alike.then_some(damaged);
            self.observer.unsound(4 * level, again, &why);
            unfinished.salvage = is_alike.then_some(Salvage { file, sound });
            return Ok(None);
        }
        self.check_exact(level, &file)?;
        if manifest.level(level) != Some(&record) {
            manifest.insert(record.clone());
            self.directory.write_manifest(manifest)?;
        }
        // No build continues them. The next one removes what this one cannot.
        let _ = unfinished.remove_all_journals();
        self.put_in_use(&file, &record)?;
        Ok(Some((record, file)))
    }

    /// Makes the map of a sound level, unless it exists and is sound, too.
    fn put_in_use(&self, level: &LevelFile, record: &LevelRecord) -> Result<(), BuildError> {
        let Directory { path, files } = self.directory;
        match map_fault(path, level.level(), level.checksum())? {
            None => {
                self.observer.kept(record);
                remove_superseded(files, path, level.level(), level.checksum());
                Ok(())
            }
            Some(fault) => {
                self.observer.mapping(4 * level.level(), &fault);
                write_map(files, level, self.threads, |_| true)
            }
        }
    }

    /// Opens the level below a level, which must exist: the level in the manifest, or without a
    /// manifest the file.
    fn below(&self, manifest: Option<&Manifest>, level: usize) -> Result<StoredLevel, BuildError> {
        if level == 1 {
            return Ok(StoredLevel::None);
        }
        let missing = || BuildError::NoLevelBelow {
            path: self.directory.path.to_owned(),
            cards: 4 * (level - 1),
        };
        let below = match manifest {
            Some(manifest) => {
                let record = manifest.level(level - 1).ok_or_else(missing)?;
                LevelFile::open_recorded(self.directory.path, record)?
            }
            None => {
                let path = manifest::level_path(self.directory.path, level - 1);
                LevelFile::open(&path).map_err(|error| match error {
                    Error::Io { source, .. } if source.kind() == ErrorKind::NotFound => missing(),
                    error => error.into(),
                })?
            }
        };
        self.check_exact(level, &below)?;
        self.stored(below)
    }

    /// Checks that no exact level is requested where a coarse one exists, or above a coarse one.
    fn check_exact(&self, wanted: usize, found: &LevelFile) -> Result<(), BuildError> {
        if found.is_coarse() && !self.build.methods[wanted].is_coarse() {
            Err(BuildError::Coarse {
                cards: 4 * found.level(),
            })
        } else {
            Ok(())
        }
    }

    /// Opens a level to build the next one from, unpacked if the memory suffices.
    fn stored(&self, level: LevelFile) -> Result<StoredLevel, BuildError> {
        let plain = memory::fits_plain(&level, self.threads, self.build.memory);
        Ok(StoredLevel::new(level, plain)?)
    }

    fn check_memory(
        &self,
        levels: RangeInclusive<usize>,
        below: &StoredLevel,
    ) -> Result<(), BuildError> {
        let first = *levels.start();
        // The largest first, because the caller waits for it.
        levels.rev().try_for_each(|level| {
            let below = below.level().filter(|_| level == first);
            memory::check(level, below, self.threads, self.build.memory)
        })
    }

    /// A level whose journals are in this directory.
    fn unfinished<'b>(
        &'b self,
        directory: &Path,
        level: usize,
        below: &'b StoredLevel,
    ) -> UnfinishedLevel<'b> {
        let Build {
            methods, program, ..
        } = self.build;
        UnfinishedLevel::new(
            self.directory.files,
            directory,
            methods[level],
            program,
            level,
            below,
        )
    }

    /// Returns the record of a level that took this work.
    fn record(&self, file: &LevelFile, total: ShardCounts) -> LevelRecord {
        let total = total.for_file();
        let record = file.record();
        LevelRecord {
            program: self.build.program.clone(),
            largest: total.largest,
            cpu_milliseconds: total.cpu().as_millis() as u64,
            proofs: total.proofs,
            lookups: total.lookups,
            details: match file.header().payload {
                TREES => Details::Analysis(total.analysis()),
                _ => record.details,
            },
            ..record
        }
    }

    /// Makes a level from its journals, adds it to the manifest, opens it, and removes the journals.
    fn seal_level(
        &self,
        unfinished: &mut UnfinishedLevel<'_>,
        manifest: &mut Manifest,
    ) -> Result<(LevelRecord, LevelFile), BuildError> {
        let level = unfinished.level();
        let path = manifest::level_path(self.directory.path, level);
        let begun = Instant::now();
        let is_salvaged = unfinished.salvage.is_some();
        let (file, total, map) = unfinished.seal(&path, self.threads, self.observer)?;
        let mut record = self.record(&file, total);
        // The record of the file has the work on its salvaged shards.
        if is_salvaged
            && let Some(before) = manifest.level(level)
            && before.checksum == record.checksum
        {
            record = before.clone();
        }
        manifest.insert(record.clone());
        self.directory.write_manifest(manifest)?;
        map.put_in_use()?;
        let opened = LevelFile::open(&path)?;
        self.observer.finished(&record, begun.elapsed());
        unfinished.remove_journals();
        Ok((record, opened))
    }
}

/// Compares the checksum of every shard of a level. Returns whether each shard is sound, and the
/// damage of the first damaged one.
///
/// # Errors
///
/// If a shard cannot be read.
fn sound_shards(level: &LevelFile, pool: &ThreadPool) -> Result<(Vec<bool>, Option<Error>), Error> {
    let compared: Vec<Option<Error>> = pool.install(|| {
        let shards = (0..level.shard_count()).into_par_iter();
        shards
            .map(|shard| match level.shard(shard) {
                Ok(_) => Ok(None),
                Err(error @ Error::Io { .. }) => Err(error),
                Err(error) => Ok(Some(error)),
            })
            .collect::<Result<_, Error>>()
    })?;
    let sound = compared.iter().map(Option::is_none).collect();
    Ok((sound, compared.into_iter().flatten().next()))
}
