//! Levels as large as that of 24 cards, sealed, opened and queried.

use std::error::Error;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::diagram_codec::DiagramStreams;

use setrograde_lookup::format::level_header::content_hash;
use setrograde_lookup::format::manifest::level_path;
use setrograde_lookup::{Database, LevelFile};

use crate::counts::ShardCounts;
use crate::files::Disk;
use crate::level::journal::Recipe;
use crate::level::journal::SEGMENT_FILE;
use crate::level::journal::bytes::record_bytes;
use crate::level::unfinished::UnfinishedLevel;
use crate::oracle::stored_level::StoredLevel;
use crate::plan::{Chunk, shard_partitions};
use crate::shard::PackedShard;
use crate::{Build, Method, Silent, digests};

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
            streams: [[first?, padding.clone()].concat(), second?],
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
fn write_journal(
    path: &Path,
    recipe: &Recipe,
    shards: impl Iterator<Item = io::Result<PackedShard>>,
) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    file.write_all(&SEGMENT_FILE.header(recipe, &[]))?;
    for (shard, packed) in shards.enumerate() {
        file.write_all(&record_bytes(shard, &packed?))?;
    }
    file.flush()
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
        let unfinished =
            UnfinishedLevel::new(&Disk, directory, Method::Refine, program, level, &below);
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
        let journal = work.join("chunk-1-of-1.here");
        let of_level = constant_shards(&partitions, padding);
        write_journal(&journal, &unfinished.plan.recipe, of_level)?;
        let record = build.seal(&[], &Silent)?;
        assert_eq!((record.sets, record.nodes), (partitions.len() as u64, 0));
    }
    let database = Database::open(directory)?;
    let level = database.level(cards / 4).ok_or("it is not there")?;
    let file = LevelFile::open(&level_path(directory, cards / 4))?;
    assert!(file.bytes() as f64 > gigabytes * 1e9);
    file.shard(file.shard_count() - 1)?.survey()?;
    // The last partition lies in the last bytes of the file.
    let last = level.partitions().len() - 1;
    let last = level.partitions().partition(last).ok_or("no partition")?;
    let diagram = level.diagram(last)?;
    assert_eq!(diagram.root(), Edge::leaf(0));
    let chunk = Chunk::new(7, 50).ok_or("no chunk")?;
    let digests = digests(directory, cards, Method::Refine, 50, Some(chunk))?;
    assert!(matches!(digests[..], [(found, Some(_))] if found == chunk));
    Ok(())
}

#[test]
fn a_level_with_padding_is_sealed_and_opened() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    seal_up_to(directory.path(), 12, 0.001)
}

/// Needs 16 GB of disk and some minutes. Run it with
/// `cargo test --release -p setrograde-builder -- --ignored as_large_as`.
#[test]
#[ignore = "takes much room"]
fn a_level_as_large_as_that_of_24_cards_is_sealed_and_opened() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    seal_up_to(directory.path(), 24, 7.6)?;
    // An eighth of the memory of the intended machine.
    assert!(peak() < 2_048, "{} MiB", peak());
    Ok(())
}
