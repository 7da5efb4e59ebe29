//! Levels as large as that of 24 cards, sealed, opened and queried.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::diagram_codec::DiagramStreams;

use setrograde_lookup::format::level_header::content_hash;
use setrograde_lookup::format::manifest::{Manifest, level_path};
use setrograde_lookup::{Database, LevelFile};
use xxhash_rust::xxh3::xxh3_64;

use setrograde_parallel::Stop;

use crate::counts::ShardCounts;
use crate::files::Disk;
use crate::level::journal::Recipe;
use crate::level::journal::SEGMENT_FILE;
use crate::level::journal::bytes::record_bytes;
use crate::level::unfinished::{Salvage, UnfinishedLevel};
use crate::oracle::stored_level::StoredLevel;
use crate::plan::{Chunk, shard_partitions};
use crate::shard::PackedShard;
use crate::{Build, BuildObserver, Method, Silent, Unpack, digests, repair};

/// Returns a skippable zstd frame with this number of bytes.
fn skippable(bytes: usize) -> Vec<u8> {
    let mut frame = 0x184D_2A50_u32.to_le_bytes().to_vec();
    frame.extend((bytes as u32).to_le_bytes());
    frame.resize(8 + bytes, 0);
    frame
}

/// The shards of a complete level in which all endings have the value 0. Each has the given size in
/// bytes.
fn constant_shards(
    partitions: &PartitionIndex,
    padding: usize,
) -> impl Iterator<Item = io::Result<PackedShard>> {
    let size = shard_partitions(partitions.level(), Method::Refine);
    let padding = skippable(padding);
    (0..partitions.len()).step_by(size).map(move |first| {
        let mut streams = DiagramStreams::default();
        let mut count = 0;
        for partition in partitions.iter_from(first).take(size) {
            streams.push(Diagram::new(&[], Edge::leaf(0)), partition.shape);
            count += 1;
        }
        let plain = [&streams.tokens, &streams.distances];
        let [first, second] = plain.map(|plain| zstd::bulk::compress(plain, 1));
        Ok(PackedShard {
            streams: [[padding.clone(), first?].concat(), second?],
            plain: plain.map(Vec::len),
            counts: ShardCounts {
                partitions: count,
                sets: count,
                ..ShardCounts::default()
            },
            content: content_hash(plain.map(Vec::as_slice)),
        })
    })
}

/// Writes a journal with all shards of a level.
fn write_journal<E: Into<Box<dyn Error>>>(
    path: &Path,
    recipe: &Recipe,
    shards: impl Iterator<Item = Result<PackedShard, E>>,
) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    file.write_all(&SEGMENT_FILE.header(recipe, &[]))?;
    for (shard, packed) in shards.enumerate() {
        file.write_all(&record_bytes(shard, &packed.map_err(Into::into)?))?;
    }
    file.flush()?;
    Ok(())
}

/// Returns the peak memory of this process in MiB; 0 if the system does not report it.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) >> 10
}

/// Makes all levels up to `cards` in `directory`, the last of some `gigabytes`.
fn seal_up_to(directory: &Path, cards: usize, gigabytes: f64) -> Result<(), Box<dyn Error>> {
    for level in 1..=cards / 4 {
        let partitions = PartitionIndex::new(level);
        let below = match level {
            1 => StoredLevel::None,
            _ => {
                let path = level_path(directory, level - 1);
                StoredLevel::new(LevelFile::open(&path)?, false)?
            }
        };
        let build = Build::new(directory, 4 * level);
        let program = &build.program;
        let unfinished = UnfinishedLevel::new(
            &Disk,
            directory,
            Method::Refine,
            program,
            &partitions,
            &below,
        );
        let shards = partitions
            .len()
            .div_ceil(shard_partitions(level, Method::Refine));
        let padding = if level == cards / 4 {
            (gigabytes * 1e9 / shards as f64) as usize
        } else {
            0
        };
        let work = directory.join(format!("level-{:02}.work", 4 * level));
        std::fs::create_dir_all(&work)?;
        let start = Instant::now();
        let journal = work.join("chunk-1-of-1.here");
        let of_level = constant_shards(&partitions, padding);
        write_journal(&journal, &unfinished.recipe, of_level)?;
        let written = start.elapsed();

        let start = Instant::now();
        let record = build.seal(&Silent)?;
        println!(
            "{} cards: {shards} shards, {} bytes, journal {written:.1?}, seal {:.1?}, peak {} MiB",
            4 * level,
            record.bytes,
            start.elapsed(),
            peak()
        );
        assert_eq!((record.sets, record.nodes), (partitions.len() as u64, 0));
    }
    let start = Instant::now();
    let database = Database::open(directory)?;
    let opened = start.elapsed();
    let level = database.level(cards / 4).ok_or("it is not there")?;
    let file = LevelFile::open(&level_path(directory, cards / 4))?;
    assert!(file.bytes() as f64 > gigabytes * 1e9);
    file.shard(file.shard_count() - 1)?.survey()?;
    // The last partition lies in the last bytes of the file.
    let last = level.partitions().len() - 1;
    let last = level.partitions().partition(last).ok_or("no partition")?;
    let diagram = level.diagram(last)?;
    assert_eq!(diagram.root(), Edge::leaf(0));
    println!("open {opened:.1?}, peak {} MiB", peak());
    let start = Instant::now();
    let chunk = Chunk::new(7, 50).ok_or("no chunk")?;
    let digests = digests(directory, cards, Method::Refine, 50, Some(chunk))?;
    assert!(matches!(digests[..], [(found, Some(_))] if found == chunk));
    println!(
        "digest of a fiftieth {:.1?}, peak {} MiB",
        start.elapsed(),
        peak()
    );
    Ok(())
}

#[test]
fn a_level_with_padding_is_sealed_and_opened() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    seal_up_to(directory.path(), 12, 0.001)
}

/// Needs 16 GB of disk and some minutes. Run it with
/// `cargo test --release -p setrograde-builder -- --ignored --nocapture as_large_as`.
#[test]
#[ignore = "takes much room"]
fn a_level_as_large_as_that_of_24_cards_is_sealed_and_opened() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    seal_up_to(directory.path(), 24, 7.6)?;
    // An eighth of the memory of the intended machine.
    assert!(peak() < 2_048, "{} MiB", peak());
    Ok(())
}

/// The phases of sealing a level: its file is copied from journals and made durable, its diagrams
/// are unpacked, and the blocks of its map are made and written.
struct Phases {
    begun: Instant,
    /// Times since the beginning at which each ended.
    ends: Mutex<[Duration; 3]>,
}

impl BuildObserver for Phases {
    fn sealing(&self, shards: usize, of: usize) {
        let now = self.begun.elapsed();
        let mut ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        if shards == 0 {
            ends[0] = now;
        } else if shards < of {
            ends[1] = now;
        } else {
            ends[2] = now;
        }
    }
}

/// Seals the deepest level of a copy of the database in `SETROGRADE_DB`, and unpacks it, by one
/// thread and by two in turn. Run it with
/// `SETROGRADE_DB=DIR cargo test --release -p setrograde-builder -- --ignored --nocapture sealed_by`.
#[test]
#[ignore = "needs a database"]
fn a_level_is_sealed_by_one_thread_and_by_two() -> Result<(), Box<dyn Error>> {
    let source = std::env::var_os("SETROGRADE_DB").ok_or("SETROGRADE_DB names no database")?;
    let source = Path::new(&source);
    let cards = 4 * Manifest::read(source)?.levels.len();
    let partitions = PartitionIndex::new(cards / 4);
    let mut files = Vec::new();
    for threads in [1, 2, 1, 2] {
        let directory = tempfile::tempdir_in(source.parent().ok_or("no parent")?)?;
        let directory = directory.path();
        for level in 1..cards / 4 {
            let path = level_path(directory, level);
            std::fs::copy(level_path(source, level), path)?;
        }
        repair(directory, &Silent)?;
        let mut build = Build::new(directory, cards);
        build.threads = Some(threads);
        let below = LevelFile::open(&level_path(directory, cards / 4 - 1))?;
        let below = StoredLevel::new(below, false)?;
        let unfinished = UnfinishedLevel::new(
            &Disk,
            directory,
            Method::Refine,
            &build.program,
            &partitions,
            &below,
        );
        let work = directory.join(format!("level-{cards:02}.work"));
        std::fs::create_dir_all(&work)?;
        let file = LevelFile::open(&level_path(source, cards / 4))?;
        let all = 0..file.shard_count();
        let salvage = Salvage {
            file,
            sound: Vec::new(),
        };
        let shards = all.map(|shard| salvage.shard(shard));
        write_journal(&work.join("chunk-1-of-1.here"), &unfinished.recipe, shards)?;
        let phases = Phases {
            begun: Instant::now(),
            ends: Mutex::default(),
        };
        build.seal(&phases)?;
        let [copied, unpacked, written] = *phases.ends.lock().map_err(|_| "a panic")?;
        let all = phases.begun.elapsed();
        println!(
            "{threads} threads: seal {all:.2?} (copy {copied:.2?}, unpack {:.2?}, blocks {:.2?}, \
             rest {:.2?}), peak {} MiB",
            unpacked.saturating_sub(copied),
            written.saturating_sub(unpacked),
            all.saturating_sub(written),
            peak()
        );
        let unpack = Unpack {
            directory: directory.to_owned(),
            threads: Some(threads),
            force: true,
        };
        let begun = Instant::now();
        let levels = unpack.run(|_, _, _| {}, &Stop::default())?;
        println!("{threads} threads: unpack {:.2?}", begun.elapsed());
        let map = &levels.last().ok_or("no level")?.path;
        let hash = |path: &Path| Ok::<_, io::Error>(xxh3_64(&std::fs::read(path)?));
        files.push([hash(&level_path(directory, cards / 4))?, hash(map)?]);
    }
    assert!(
        files.windows(2).all(|files| files[0] == files[1]),
        "{files:x?}"
    );
    Ok(())
}
