//! Files with sound checksums that no builder wrote: each is refused, or
//! answered in bounded time and memory.

use std::error::Error;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_header::{
    DIAGRAMS, ENTRY_BYTES, Entry, HEADER_BYTES, Header, TREES, head_bytes,
};
use setrograde_lookup::format::level_map::{
    CHECKSUM, HEADER_BYTES as MAP_HEADER, IndexEntry, MapHeader,
};
use setrograde_lookup::format::manifest::{Manifest, level_path, map_paths, path_in};
use setrograde_lookup::{
    Database, Ending, EndingSet, Error as DatabaseError, Grain, Level, LevelFile, LevelWriter,
    ShardDiagrams,
};
use tempfile::TempDir;

use crate::repair::repair;
use crate::{GOLDEN, random_ending};

/// A shard to be written: its streams, and the nodes that it promises.
struct Shard {
    streams: [Vec<u8>; 2],
    nodes: u32,
}

/// A copy of the golden database in which a level has other shards.
fn database_with(level: u32, payload: u32, shards: &[Shard]) -> Result<TempDir, Box<dyn Error>> {
    let directory = golden_copy()?;
    let partitions = PartitionIndex::new(level as usize).len() as u64;
    let header = Header {
        grain: Grain::EXACT,
        level,
        payload,
        partitions,
        shard_partitions: 256,
        shards: shards.len() as u32,
        nodes: shards.iter().map(|shard| u64::from(shard.nodes)).sum(),
        sets: 0,
        content: 0,
    };
    let mut writer = LevelWriter::new(Cursor::new(Vec::new()), shards.len())?;
    for shard in shards {
        let [first, second] = [0, 1].map(|at| zstd::bulk::compress(&shard.streams[at], 1));
        let streams = [first?, second?];
        let plain = shard.streams.each_ref().map(Vec::len);
        writer.push(&streams, Entry::new(&streams, plain, shard.nodes), 0)?;
    }
    let (file, checksum) = writer.finish(&header)?;
    write_level(directory.path(), level, &file.into_inner(), checksum)?;
    Ok(directory)
}

/// Writes a level, and its record into the manifest.
fn write_level(
    directory: &Path,
    level: u32,
    bytes: &[u8],
    checksum: u64,
) -> Result<(), Box<dyn Error>> {
    for map in map_paths(directory, level as usize) {
        fs::remove_file(map)?;
    }
    fs::write(level_path(directory, level as usize), bytes)?;
    let mut manifest = Manifest::read(directory)?;
    let mut record = manifest.levels[0].clone();
    record.level = level;
    record.checksum = checksum;
    record.bytes = bytes.len() as u64;
    manifest.insert(record);
    fs::write(path_in(directory), manifest.to_bytes()?)?;
    Ok(())
}

fn golden_copy() -> Result<TempDir, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    for entry in fs::read_dir(GOLDEN)? {
        let entry = entry?;
        fs::copy(entry.path(), directory.path().join(entry.file_name()))?;
    }
    Ok(directory)
}

fn partitions(level: usize, shard: usize) -> Vec<Partition> {
    let index = PartitionIndex::new(level);
    index.iter_from(256 * shard).take(256).collect()
}

/// The error about a file that is damaged.
fn damage<T>(result: Result<T, DatabaseError>) -> String {
    match result {
        Err(DatabaseError::Damaged { cause, .. }) => cause.to_string(),
        Err(error) => format!("another error: {error}"),
        Ok(_) => "no error".to_owned(),
    }
}

/// Shards of level 2 in which each node refers to the previous one, even across diagrams: an
/// endless chain.
#[test]
fn a_chain_of_nodes_longer_than_any_hand_is_refused() -> Result<(), Box<dyn Error>> {
    let mut shards = Vec::new();
    for shard in 0..9 {
        let (mut tokens, mut distances, mut nodes) = (Vec::new(), Vec::new(), 0);
        for Partition { shape, .. } in partitions(2, shard) {
            let suit = (0..4).find(|&suit| shape.lengths[suit].holders() > 1);
            let Some(suit) = suit else {
                tokens.push(0);
                continue;
            };
            tokens.push(16 + suit as u8);
            let owners = (0..4).filter(|&owner| shape.lengths[suit].length(owner) > 0);
            for (nth, _) in owners.enumerate() {
                if nth == 0 && nodes > 0 {
                    tokens.push(20);
                    distances.push(0);
                } else {
                    tokens.push(nth as u8 % 2);
                }
            }
            nodes += 1;
        }
        let streams = [tokens, distances];
        shards.push(Shard { streams, nodes });
    }
    let directory = database_with(2, DIAGRAMS, &shards)?;
    let level = LevelFile::open(&level_path(directory.path(), 2))?;
    // The last one has fewer diagrams than there are cards.
    for shard in 0..level.shard_count() - 1 {
        let shard = level.shard(shard)?;
        let problem = damage(shard.survey());
        assert!(problem.contains("deeper than there are cards"), "{problem}");
        assert_eq!(damage(shard.diagrams()), problem);
    }
    let problem = damage(Database::open(directory.path()));
    assert!(problem.contains("deeper than there are cards"), "{problem}");
    Ok(())
}

/// Trees of level 1 that leave out the endings in which hand 1 has the top card
/// of the first suit.
#[test]
fn trees_that_do_not_cover_their_partition_are_damage() -> Result<(), Box<dyn Error>> {
    let partitions = partitions(1, 0);
    let keys = [0xfffd_u16.to_le_bytes()].concat().repeat(partitions.len());
    let links = [1, 1].repeat(partitions.len());
    let nodes = partitions.len() as u32;
    let streams = [keys, links];
    let directory = database_with(1, TREES, &[Shard { streams, nodes }])?;
    let problem = damage(Database::open(directory.path()));
    assert!(problem.contains("an ending is in no set"), "{problem}");
    Ok(())
}

/// The maps of 8 cards, all of whose blocks are small, and of 12 cards.
pub fn maps() -> Result<[Vec<u8>; 2], Box<dyn Error>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let read = |name| fs::read(data.join(name));
    Ok([read("level-08.map")?, read("level-12.map")?])
}

/// For any nodes, roots and offsets of a mapped level: every question ends soon, with an answer
/// that is possible or with an error.
#[test]
fn maps_that_nobody_wrote_keep_no_question_from_ending() -> Result<(), Box<dyn Error>> {
    let right = maps()?;
    let random = &mut fastrand::Rng::with_seed(8);
    let (mut answers, mut errors) = (0, 0);
    for round in 0..600 {
        let level = 2 + round % 2;
        let mut bytes = right[round % 2].clone();
        let blocks_at = MapHeader::read(&bytes)?.blocks_at();
        let changes = [1..400, 1..20_000][round % 2].clone();
        for _ in 0..random.usize(changes) {
            // After the header, which has tests of its own; half of them after the index.
            let first = [MAP_HEADER, blocks_at][random.usize(..2)];
            let at = random.usize(first..bytes.len());
            bytes[at] = random.u8(..);
        }
        if round % 3 == 0 {
            let from = random.usize(blocks_at..bytes.len());
            let value = [0, 0xff, random.u8(..)][random.usize(..3)];
            bytes[from..].fill(value);
        }
        repair(&mut bytes);
        let database = Database::from_bytes([bytes])?;
        for _ in 0..200 {
            let ending = random_ending(level, random)?;
            let batch = database.values(&[ending]);
            if let Ok(Some(verdict)) = database.decide(&ending, 1) {
                assert!(usize::from(verdict.known.total()) <= 4 * level);
            }
            let Ok(Some(located)) = database.locate(&ending) else {
                errors += 1;
                continue;
            };
            let value = located.value().ok();
            assert_eq!(value, batch.ok().and_then(|batch| batch[0]));
            assert!(value.is_none_or(|value| usize::from(value) <= level));
            answers += usize::from(value.is_some());
            errors += usize::from(value.is_none());
            for target in 0..level as u8 + 2 {
                let _ = located.prove(target);
                if let Ok(verdict) = located.decide(target) {
                    assert!(usize::from(verdict.known.total()) <= 4 * level);
                }
            }
            if let Ok(answer) = located.answer() {
                let _ = located.distribution(&answer.set);
                let bounds = located.bounds(&answer.set);
                let _ = located.widen(&answer.set, bounds);
            }
            if let Ok(sets) = located.sets() {
                let mut values = sets.iter().map(|&(_, value)| usize::from(value));
                assert!(
                    !sets.is_empty() && values.all(|value| value <= level),
                    "{sets:?}"
                );
            }
        }
    }
    assert!(answers > 10_000 && errors > 10_000, "{answers} {errors}");
    Ok(())
}

/// A mapped level of 4 cards in which every node leads to the next one for every owner of its card:
/// a path as long as the file, and no other way.
fn of_one_path(ending: &Ending) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut bytes = fs::read(map_paths(GOLDEN.as_ref(), 1).remove(0))?;
    let header = MapHeader::read(&bytes)?;
    let head = header.block();
    // The block whose damage the ending meets.
    let index = bytes[MAP_HEADER..header.blocks_at()].as_chunks::<8>().0;
    let blocks = index.iter().filter_map(|entry| IndexEntry::read(*entry));
    let is_of_ending = |block: &usize| {
        let mut damaged = bytes.clone();
        *damaged.get_mut(*block)? ^= 1;
        let database = Database::from_bytes([damaged]).ok()?;
        database.locate(ending).is_err().then_some(())
    };
    let mut blocks = blocks.map(IndexEntry::block);
    let block = blocks.find(|block| is_of_ending(block).is_some());
    let block = block.ok_or("a block")?;
    let block = block..block + head.bytes();
    bytes.truncate(block.end);
    // The checksum of all diagrams.
    bytes.extend([0; CHECKSUM]);
    // A head of two bytes: kind 4 for hand 0, and the same for the others.
    let [high, low] = (4_u16 << 2 | 3 << 5 | 3 << 8 | 3 << 11).to_be_bytes();
    bytes.extend([192 + high, low].repeat(50_000));
    let size = bytes.len() - block.start;
    let offsets = block.start + head.offset_at(0);
    for root in bytes[offsets..block.end].chunks_mut(3) {
        root.copy_from_slice(&(head.bytes() + CHECKSUM).to_le_bytes()[..3]);
    }
    bytes[block.end - 3..block.end].copy_from_slice(&size.to_le_bytes()[..3]);
    let bounds = block.start + head.bounds_at(0);
    bytes[bounds..offsets].fill(0x10);
    bytes.resize(bytes.len() + 16, 0);
    repair(&mut bytes);
    Ok(bytes)
}

/// A node has a larger offset than its parents, so no path is a cycle; a node that asks for more
/// cards than there are gives no answer.
#[test]
fn a_path_that_is_longer_than_any_gives_no_answer() -> Result<(), Box<dyn Error>> {
    let ending = Ending::from_position(&"NT N N:A... K... Q... J...".parse()?)?;
    let database = Database::from_bytes([of_one_path(&ending)?])?;
    let located = database.locate(&ending)?.ok_or("it has four cards")?;
    assert!(located.value().is_err());
    assert!(located.answer().is_err());
    assert!(located.sets().is_err());
    // With the values of the bytes after the last one.
    assert_eq!(located.diagram().own_nodes().0.len(), 50_001);
    let _ = located.distribution(&EndingSet::EVERYTHING);
    Ok(())
}

/// Every flipped bit of a mapped level is found: in the header at opening, elsewhere at the first
/// use of its page.
#[test]
fn every_flipped_bit_of_a_map_is_found() -> Result<(), Box<dyn Error>> {
    let check = |bytes: &[u8]| -> Result<(), DatabaseError> {
        let database = Database::from_bytes([bytes.to_vec()])?;
        database.levels().try_for_each(Level::check)
    };
    for mut bytes in maps()? {
        check(&bytes)?;
        let step = if bytes.len() > 100_000 { 499 } else { 1 };
        for at in (0..bytes.len()).step_by(step) {
            bytes[at] ^= 1 << (at % 8);
            assert!(check(&bytes).is_err(), "byte {at}");
            bytes[at] ^= 1 << (at % 8);
        }
        for length in (0..bytes.len()).step_by(97 * step) {
            assert!(check(&bytes[..length]).is_err(), "{length} bytes");
        }
    }
    Ok(())
}

/// A question that checks only the bytes on its way is answered as before, or finds the damage:
/// never in another way.
#[test]
fn a_flipped_bit_changes_no_decision() -> Result<(), Box<dyn Error>> {
    let right = maps()?;
    let random = &mut fastrand::Rng::with_seed(9);
    let sound = Database::from_bytes(right.clone())?;
    let (mut answers, mut errors) = (0, 0);
    for round in 0..200 {
        let level = 2 + round % 2;
        let mut bytes = right[round % 2].clone();
        for _ in 0..[1, 50][round % 2] {
            let at = random.usize(64..bytes.len());
            bytes[at] ^= 1 << random.u8(..8);
        }
        let damaged = Database::from_bytes([bytes])?;
        for _ in 0..200 {
            let ending = random_ending(level, random)?;
            for target in 1..=level as u8 {
                match damaged.decide(&ending, target) {
                    Ok(verdict) => {
                        assert_eq!(verdict, sound.decide(&ending, target)?);
                        answers += 1;
                    }
                    Err(error) => {
                        assert!(error.to_string().contains("damaged"), "{error}");
                        errors += 1;
                    }
                }
            }
        }
    }
    assert!(answers > 10_000 && errors > 1_000, "{answers} {errors}");
    Ok(())
}

#[test]
fn a_map_that_is_of_no_use_is_noted_and_done_without() -> Result<(), Box<dyn Error>> {
    let directory = golden_copy()?;
    let map = map_paths(directory.path(), 2).remove(0);
    let right = fs::read(&map)?;
    assert!(Database::open(directory.path())?.notes().is_empty());
    let mut other = right.clone();
    other[40] ^= 1;
    repair(&mut other);
    let cases = [
        (right[..1_000].to_vec(), "1000 bytes instead of"),
        (other, "belongs to another level"),
        (vec![], "does not begin as one"),
    ];
    for (bytes, reason) in cases {
        fs::write(&map, bytes)?;
        let database = Database::open(directory.path())?;
        let [note] = database.notes() else {
            return Err("one note".into());
        };
        assert!(note.to_string().contains(reason), "{note}");
        assert_eq!(database.max_tricks(), 2);
    }
    fs::remove_file(&map)?;
    let database = Database::open(directory.path())?;
    let note = database.notes()[0].to_string();
    assert!(note.starts_with("8 cards: unpacked into"), "{note}");
    assert!(note.contains("because there is no "), "{note}");
    Ok(())
}

#[test]
fn sizes_that_no_shard_has_are_refused_before_anything_is_read() -> Result<(), Box<dyn Error>> {
    let directory = golden_copy()?;
    let entry = Entry {
        offset: (HEADER_BYTES + ENTRY_BYTES) as u64,
        checksum: 0,
        stored: [20, 9],
        plain: [52 + 24, 0],
        nodes: 12,
    };
    let header = Header {
        grain: Grain::EXACT,
        level: 1,
        payload: DIAGRAMS,
        partitions: 52,
        shard_partitions: 256,
        shards: 1,
        nodes: 21,
        sets: 73,
        content: 0,
    };
    let huge = |plain, nodes| Entry {
        plain,
        nodes,
        ..entry
    };
    // Each of the 52 diagrams may have all nodes of its shard.
    let [most, many] = [0, 1].map(|more| Header {
        nodes: 12 * 52 + more,
        ..header
    });
    // 112 bytes that say they hold all endings of 36 cards in one shard.
    let cards36 = Header {
        level: 9,
        partitions: 413_088_960,
        shard_partitions: u32::MAX,
        ..header
    };
    let empty = Entry {
        stored: [0; 2],
        ..huge([0; 2], 0)
    };
    // To number the partitions of 32 cards takes 33 MB: not before it is known that
    // the file may have them.
    let cards32 = Header {
        level: 8,
        partitions: 4_096,
        shard_partitions: 4_096,
        ..header
    };
    for (header, entry, expected) in [
        (header, entry, "no error"),
        (
            header,
            huge([u32::MAX, 0], 12),
            "impossible plain size of a stream: 4294967295",
        ),
        (
            header,
            huge([52 + 24, 400], 12),
            "impossible size of the second stream: 400",
        ),
        (
            header,
            huge([52 + 24, 0], u32::MAX),
            "impossible number of nodes: 4294967295",
        ),
        (
            header,
            huge([52 + 24, 0], 30),
            "impossible size of the first stream: 76",
        ),
        (most, entry, "no error"),
        (many, entry, "impossible number of nodes: 625"),
        (cards36, empty, "impossible level: 9"),
        (cards32, entry, "impossible number of partitions: 4096"),
    ] {
        let (mut bytes, checksum) = head_bytes(&header, &[entry]);
        bytes.resize(bytes.len() + entry.bytes() as usize, 0);
        write_level(directory.path(), header.level, &bytes, checksum)?;
        let path = level_path(directory.path(), header.level as usize);
        assert_eq!(damage(LevelFile::open(&path)), expected);
    }
    Ok(())
}

#[test]
fn a_shard_with_other_nodes_than_promised_is_refused() -> Result<(), Box<dyn Error>> {
    let all: Vec<Partition> = PartitionIndex::new(1).iter().collect();
    let count = all.len();
    // Leaves, and trees of one node: all cards anywhere.
    let leaves = [vec![1; count], vec![]];
    let trees = [[0xff, 0xff].repeat(count), [1, 1].repeat(count)];
    for (payload, plain, nodes) in [(DIAGRAMS, leaves, 0), (TREES, trees, count as u32)] {
        let [first, second] = [0, 1].map(|at| zstd::bulk::compress(&plain[at], 1));
        let streams = [first?, second?];
        let read = |nodes| {
            let entry = Entry::new(&streams, plain.each_ref().map(Vec::len), nodes);
            let bytes = streams.concat();
            ShardDiagrams::read(payload, 1, all.iter().copied(), &entry, &bytes)
        };
        assert_eq!(read(nodes)?.count(), count);
        let error = read(nodes + 1).map(|_| ()).expect_err("another number");
        let promised = format!("{nodes} nodes instead of {}", nodes + 1);
        assert_eq!(error.to_string(), promised);
    }
    Ok(())
}

#[test]
fn a_manifest_of_a_level_that_cannot_be_is_refused() -> Result<(), Box<dyn Error>> {
    for level in [0, 14] {
        let directory = golden_copy()?;
        let mut manifest = Manifest::read(directory.path())?;
        let mut record = manifest.levels[0].clone();
        record.level = level;
        manifest.insert(record);
        fs::write(path_in(directory.path()), manifest.to_bytes()?)?;
        assert_eq!(damage(Database::open(directory.path())), "no such level");
    }
    Ok(())
}

#[test]
fn a_shard_of_a_journal_takes_no_more_memory_than_it_may_have() {
    let streams = [vec![0; 20], vec![0; 9]];
    let entry = Entry::new(&streams, [1_500_000_000, 9], 12);
    let numbered = partitions(2, 0);
    let read = ShardDiagrams::read(DIAGRAMS, 2, numbered.into_iter(), &entry, &streams.concat());
    let error = read.err().map(|error| error.to_string());
    let expected = "impossible plain size of a stream: 1500000000";
    assert_eq!(error.as_deref(), Some(expected));
}

/// Nobody writes to the pipe: to read from it would take for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_of_a_database() -> Result<(), Box<dyn Error>> {
    let pipe = |path: PathBuf| -> Result<(), Box<dyn Error>> {
        fs::remove_file(&path)?;
        let made = std::process::Command::new("mkfifo").arg(&path).status()?;
        assert!(made.success());
        Ok(())
    };
    let directory = golden_copy()?;
    // A pipe with the name of a map is not opened.
    pipe(map_paths(directory.path(), 2).remove(0))?;
    assert_eq!(Database::open(directory.path())?.notes().len(), 1);
    for path in [level_path(directory.path(), 2), path_in(directory.path())] {
        pipe(path)?;
        let problem = damage(Database::open(directory.path()));
        assert_eq!(problem, "it is not a regular file");
    }
    Ok(())
}

#[test]
fn a_file_cut_short_while_it_is_open_is_damage_where_it_is_read() -> Result<(), Box<dyn Error>> {
    let directory = golden_copy()?;
    let level = LevelFile::open(&level_path(directory.path(), 2))?;
    level.shard(0)?.survey()?;
    fs::File::options()
        .write(true)
        .open(level.path())?
        .set_len(100)?;
    assert!(damage(level.shard(8)).contains("cut short"));
    Ok(())
}
