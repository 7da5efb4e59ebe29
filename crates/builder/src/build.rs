//! Building a database level by level.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crossbeam_channel::Receiver;
use rayon::iter::{ParallelBridge, ParallelIterator};
use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::partition::PartitionIndex;
use setrograde_endgame::shape::Shape;
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::layout::Header;
use setrograde_lookup::manifest::{self, LevelRecord, Manifest};
use setrograde_lookup::{Error, Level};

use crate::error::BuildError;
use crate::level_file::{LevelFile, SealedLevel, TEMPORARY_PREFIX, write_whole};
use crate::method::Method;
use crate::oracle::{LevelBelow, OracleCounts};
use crate::shard::{PackedShard, ShardBuilder};

/// The most cards per hand that this version builds.
pub const DEEPEST: usize = 7;

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
    /// Build levels anew even if they are there and sound.
    pub force: bool,
    /// The name and version of the program, for the manifest.
    pub program: String,
}

/// Hears how a build goes. All methods may do nothing.
pub trait Observer: Sync {
    /// A level is there and sound, and is kept.
    fn kept(&self, _record: &LevelRecord) {}
    /// Something is there but cannot be kept, and is built again: the manifest
    /// or a level, as in "16 cards".
    fn unsound(&self, _what: &str, _why: &Error) {}
    /// A level is begun.
    fn begun(&self, _cards: usize, _partitions: usize) {}
    /// So many more partitions of the current level are done.
    fn advanced(&self, _partitions: usize, _sets: u64) {}
    /// A level is finished and in place.
    fn finished(&self, _record: &LevelRecord, _work: OracleCounts) {}
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

/// The level below, read from its file.
struct Below(Option<Level>);

impl LevelBelow for Below {
    fn diagram(&self, shape: Shape, trump: bool) -> Result<Diagram<'_>, Error> {
        match &self.0 {
            Some(level) => level.diagram(shape, trump),
            // No cards are left below the first level.
            None => Ok(Diagram::constant(0)),
        }
    }
}

impl Build {
    /// Builds all levels up to `cards` that are not there yet. The bytes of the
    /// files do not depend on the number of threads. Setting `stop` from
    /// another thread ends the build soon with [`BuildError::Interrupted`].
    ///
    /// # Errors
    ///
    /// See [`BuildError`]; levels that were finished before stay.
    pub fn run(&self, observer: &impl Observer, stop: &AtomicBool) -> Result<Manifest, BuildError> {
        let deepest = self.cards / 4;
        if !self.cards.is_multiple_of(4) || !(1..=DEEPEST).contains(&deepest) {
            return Err(BuildError::Cards {
                cards: self.cards,
                most: 4 * DEEPEST,
            });
        }
        fs::create_dir_all(&self.directory)
            .map_err(BuildError::io(&self.directory, "make the directory"))?;
        let _lock = self.lock()?;
        self.remove_leftovers()?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build()?;
        let mut manifest = match Manifest::read(&self.directory) {
            Ok(manifest) => manifest,
            Err(Error::NoDatabase { .. }) => Manifest::default(),
            Err(error) => {
                observer.unsound("manifest", &error);
                Manifest::default()
            }
        };
        let mut below = Below(None);
        for level in 1..=deepest {
            if !self.force
                && let Some(record) = manifest.level(level)
            {
                match sound_level(&self.directory, record) {
                    Ok(kept) => {
                        observer.kept(record);
                        below = Below(Some(kept));
                        continue;
                    }
                    Err(why) => observer.unsound(&format!("{} cards", 4 * level), &why),
                }
            }
            let path = manifest::level_path(&self.directory, level);
            let partitions = PartitionIndex::new(level);
            observer.begun(4 * level, partitions.len());
            let sealed =
                pool.install(|| self.build_level(&path, &partitions, &below, observer, stop))?;
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
            self.write_manifest(&manifest)?;
            observer.finished(&record, sealed.total.oracle);
            below = Below(Some(Level::open(&path)?));
        }
        Ok(manifest)
    }

    fn build_level(
        &self,
        path: &Path,
        partitions: &PartitionIndex,
        below: &Below,
        observer: &impl Observer,
        stop: &AtomicBool,
    ) -> Result<SealedLevel, BuildError> {
        let size = shard_partitions(partitions.level());
        let shards = partitions.len().div_ceil(size);
        let header = Header {
            level: partitions.level() as u32,
            payload: self.method.payload(),
            partitions: partitions.len() as u64,
            shard_partitions: size as u32,
            shards: shards as u32,
            nodes: 0,
            sets: 0,
            content: 0,
        };
        let file = LevelFile::create(path.to_owned(), header)?;
        // Bounded, so that workers wait rather than pile up what a slow disk
        // cannot take.
        let (sender, receiver) = crossbeam_channel::bounded(2 * rayon::current_num_threads());
        std::thread::scope(|scope| {
            let writer = scope.spawn(move || write_in_order(file, &receiver, observer));
            // `par_bridge` hands shards out one by one in their order, so that the
            // writer seldom has to hold one back.
            let built = (0..shards).par_bridge().try_for_each_init(
                || ShardBuilder::new(self.method, below, partitions, stop),
                |builder, shard| {
                    let first = shard * size;
                    let packed = builder.build(first..partitions.len().min(first + size))?;
                    // The writer hangs up only on an error of its own, which is
                    // reported below.
                    sender
                        .send((shard, packed))
                        .map_err(|_| BuildError::Interrupted)
                },
            );
            drop(sender);
            let written = match writer.join() {
                Ok(written) => written,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            match (written, built) {
                (Err(error), _) | (Ok(_), Err(error)) => Err(error),
                (Ok(file), Ok(())) => file.seal(),
            }
        })
    }

    fn write_manifest(&self, manifest: &Manifest) -> Result<(), BuildError> {
        let path = manifest::path_in(&self.directory);
        let bytes = manifest
            .to_bytes()
            .map_err(BuildError::io(&path, "lay out"))?;
        write_whole(&path, &bytes)
    }

    /// Two builds in one directory would remove each other's temporary files.
    fn lock(&self) -> Result<File, BuildError> {
        let path = self.directory.join("build.lock");
        let file = File::create(&path).map_err(BuildError::io(&path, "create"))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(BuildError::Busy {
                path: self.directory.clone(),
            }),
            Err(TryLockError::Error(error)) => Err(BuildError::io(&path, "lock")(error)),
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

/// Opens a level that the manifest names, if the file is all that it says.
fn sound_level(directory: &Path, record: &LevelRecord) -> Result<Level, Error> {
    let number = record.level as usize;
    let path = manifest::level_path(directory, number);
    if !path.exists() {
        return Err(Error::MissingLevel {
            path,
            cards: 4 * number,
        });
    }
    let level = Level::open_recorded(&path, record)?;
    (0..level.shard_count()).try_for_each(|shard| level.check_shard(shard).map(drop))?;
    Ok(level)
}

/// Partitions in a shard: enough to compress well and to share nodes, few enough
/// to unpack in 100 µs or less through 20 cards.
fn shard_partitions(level: usize) -> usize {
    match level {
        0..=3 => 256,
        4 => 128,
        5 => 16,
        6 => 8,
        _ => 4,
    }
}

/// Writes shards in the order of their numbers, whatever order they come in.
fn write_in_order(
    mut file: LevelFile,
    shards: &Receiver<(usize, PackedShard)>,
    observer: &impl Observer,
) -> Result<LevelFile, BuildError> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for (number, shard) in shards {
        observer.advanced(shard.counts.partitions, shard.counts.sets);
        early.insert(number, shard);
        while let Some(shard) = early.remove(&next) {
            file.append(&shard)?;
            next += 1;
        }
    }
    Ok(file)
}
