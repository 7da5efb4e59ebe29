//! Files with sound checksums that no builder wrote: each is refused, or
//! answered in bounded time and memory.

use std::error::Error;
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_header::{
    DIAGRAMS, ENTRY_BYTES, Entry, HEADER_BYTES, Header, TREES, head_bytes,
};
use setrograde_lookup::format::level_map::{PAGE, page_checksum};
use setrograde_lookup::format::manifest::{Manifest, level_path, map_path, path_in};
use setrograde_lookup::{
    Database, Ending, EndingSet, Error as DatabaseError, Level, LevelFile, LevelWriter,
};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

type Outcome = Result<(), Box<dyn Error>>;

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
fn write_level(directory: &Path, level: u32, bytes: &[u8], checksum: u64) -> Outcome {
    let _ = fs::remove_file(map_path(directory, level as usize));
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
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden");
    let directory = tempfile::tempdir()?;
    for entry in fs::read_dir(golden)? {
        let path = entry?.path();
        fs::copy(
            &path,
            directory.path().join(path.file_name().ok_or("a name")?),
        )?;
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

/// Shards of level 2 whose every node leads on to the node finished before it,
/// wherever that one belongs: a chain without end.
#[test]
fn a_chain_of_nodes_longer_than_any_hand_is_refused() -> Outcome {
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
            for (place, _) in owners.enumerate() {
                if place == 0 && nodes > 0 {
                    tokens.push(20);
                    distances.push(0);
                } else {
                    tokens.push(place as u8 % 2);
                }
            }
            nodes += 1;
        }
        let streams = [tokens, distances];
        shards.push(Shard { streams, nodes });
    }
    let directory = database_with(2, DIAGRAMS, &shards)?;
    let level = LevelFile::open(&level_path(directory.path(), 2))?;
    for shard in 0..level.shard_count() {
        let problem = damage(level.check_shard(shard));
        assert!(problem.contains("does not fit the cards"), "{problem}");
        assert_eq!(damage(level.read_diagrams(shard).map(|_| ())), problem);
    }
    let problem = damage(Database::open(directory.path()));
    assert!(problem.contains("does not fit the cards"), "{problem}");
    Ok(())
}

/// Trees of level 1 that leave out the endings in which hand 1 has the top card
/// of the first suit.
#[test]
fn trees_that_do_not_cover_their_partition_are_damage() -> Outcome {
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

/// Makes the checksums of a level at work fit again.
fn repair(bytes: &mut [u8]) -> Outcome {
    let checksum = xxh3_64(&bytes[..56]).to_le_bytes();
    bytes[56..64].copy_from_slice(&checksum);
    let end = usize::try_from(u64::from_le_bytes(bytes[48..56].try_into()?))?;
    let (body, checksums) = bytes.split_at_mut(end);
    for (page, checksum) in checksums.chunks_mut(8).enumerate() {
        let bytes = &body[PAGE * page..body.len().min(PAGE * (page + 1))];
        checksum.copy_from_slice(&page_checksum(page, bytes).to_le_bytes());
    }
    Ok(())
}

/// A random ending of 8 cards.
fn random_ending(random: &mut fastrand::Rng) -> Result<Ending, Box<dyn Error>> {
    let deal = Deal::random_ending(2, random);
    let (strain, leader) = (Strain::ALL[random.usize(..5)], random.usize(..4));
    let position = Position::new(strain, Seat::from_index(leader), deal, &[])?;
    Ok(Ending::from_position(&position)?)
}

/// Whatever the nodes, the roots and the places of a level at work say: every question
/// ends soon, with an answer that is possible or with an error.
#[test]
fn levels_at_work_that_nobody_wrote_keep_no_question_from_ending() -> Outcome {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden/level-08.map");
    let right = fs::read(golden)?;
    let random = &mut fastrand::Rng::with_seed(8);
    let (mut answers, mut errors) = (0, 0);
    for round in 0..600 {
        let mut bytes = right.clone();
        for _ in 0..random.usize(1..400) {
            // After the header, which has tests of its own.
            let at = random.usize(64..bytes.len());
            bytes[at] = random.u8(..);
        }
        if round % 3 == 0 {
            let from = random.usize(64..bytes.len());
            let value = [0, 0xff, random.u8(..)][random.usize(..3)];
            bytes[from..].fill(value);
        }
        repair(&mut bytes)?;
        let database = Database::from_bytes([bytes])?;
        for _ in 0..200 {
            let ending = random_ending(random)?;
            let batch = database.values(&[ending]);
            if let Ok(Some(verdict)) = database.decide(&ending, 1) {
                assert!(verdict.known.total() <= 8);
            }
            let Ok(Some(located)) = database.locate(&ending) else {
                errors += 1;
                continue;
            };
            let value = located.value();
            assert_eq!(
                value.as_ref().ok(),
                batch.ok().and_then(|batch| batch[0]).as_ref()
            );
            match value {
                Ok(value) => {
                    assert!(value <= 2);
                    answers += 1;
                }
                Err(_) => errors += 1,
            }
            for target in 0..4 {
                let _ = located.prove(target);
                if let Ok(verdict) = located.decide(target) {
                    assert!(verdict.known.total() <= 8);
                }
            }
            if let Ok(answer) = located.answer() {
                let _ = located.distribution(&answer.set);
                let bounds = located.bounds(&answer.set);
                let _ = located.widen(&answer.set, bounds);
            }
            let _ = located.diagram().alone();
        }
    }
    assert!(answers > 10_000 && errors > 10_000, "{answers} {errors}");
    Ok(())
}

/// A level of 4 cards at work in which the last partition's root leads to a new node whose
/// first child is that node, or, `behind` words further, one that was never written.
fn that_leads_to_itself(behind: u16) -> Result<Vec<u8>, Box<dyn Error>> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden/level-04.map");
    let mut bytes = fs::read(golden)?;
    let number = |bytes: &[u8], at: usize| -> Result<usize, Box<dyn Error>> {
        Ok(usize::try_from(u64::from_le_bytes(
            bytes[at..at + 8].try_into()?,
        ))?)
    };
    let end = number(&bytes, 48)?;
    // One record: after the table, the place of the nodes, 256 roots, and their end.
    let record = (64 + 8 * 16 + 6 * 81_usize).next_multiple_of(8);
    let start = number(&bytes, record)?;
    bytes.truncate(end);
    let place = (end - start) / 2 + 1;
    let way = 0_u16.wrapping_sub(4 * behind);
    bytes.extend(way.to_le_bytes());
    bytes.extend(0x167_u16.to_le_bytes());
    let root = record + 8 + 4 * 14;
    let edge = u32::from_le_bytes(bytes[root..root + 4].try_into()?) & 0x3ff | (place as u32) << 10;
    bytes[root..root + 4].copy_from_slice(&edge.to_le_bytes());
    let end = bytes.len() as u64;
    bytes[48..56].copy_from_slice(&end.to_le_bytes());
    let ends = record + 8 + 4 * 256;
    bytes[ends..ends + 8].copy_from_slice(&end.to_le_bytes());
    bytes.resize(bytes.len() + 8 * bytes.len().div_ceil(PAGE), 0);
    repair(&mut bytes)?;
    Ok(bytes)
}

/// A node that leads to itself, or forward, leads nowhere: no question goes round in it.
#[test]
fn a_node_that_leads_to_itself_leads_nowhere() -> Outcome {
    let ending = Ending::from_position(&"NT N N:A... K... Q... J...".parse()?)?;
    for behind in [0, 1] {
        let database = Database::from_bytes([that_leads_to_itself(behind)?])?;
        let located = database.locate(&ending)?.ok_or("it has four cards")?;
        assert!(located.value().is_err());
        assert!(located.answer().is_err());
        assert!(located.distribution(&EndingSet::EVERYTHING).is_err());
        let sets = located.sets()?;
        assert!(sets.len() <= 4, "{}", sets.len());
    }
    Ok(())
}

/// Every flipped bit of a level at work is found: in the header when it is opened,
/// elsewhere when its page is asked first.
#[test]
fn every_flipped_bit_of_a_level_at_work_is_found() -> Outcome {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden/level-08.map");
    let mut bytes = fs::read(&golden)?;
    let check = |bytes: &[u8]| -> Result<(), DatabaseError> {
        let level = Level::new(&golden, bytes.to_vec().into())?;
        level.check_head()?;
        (0..level.shard_count()).try_for_each(|shard| level.check_shard(shard))
    };
    check(&bytes)?;
    for at in 0..bytes.len() {
        bytes[at] ^= 1 << (at % 8);
        assert!(check(&bytes).is_err(), "byte {at}");
        bytes[at] ^= 1 << (at % 8);
    }
    // With checksums that fit, what the table says is compared.
    bytes[64] ^= 1;
    repair(&mut bytes)?;
    assert!(check(&bytes).is_err_and(|error| error.to_string().contains("does not number")));
    bytes[64] ^= 1;
    repair(&mut bytes)?;
    for length in (0..bytes.len()).step_by(97) {
        assert!(check(&bytes[..length]).is_err(), "{length} bytes");
    }
    Ok(())
}

/// A question that checks only the pages on its way is answered as ever, or finds the
/// damage: never in another way.
#[test]
fn a_damaged_page_changes_no_decision() -> Outcome {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/golden/level-08.map");
    let right = fs::read(golden)?;
    let random = &mut fastrand::Rng::with_seed(9);
    let sound = Database::from_bytes([right.clone()])?;
    let (mut answers, mut errors) = (0, 0);
    for _ in 0..200 {
        let mut bytes = right.clone();
        let at = random.usize(64..bytes.len());
        bytes[at] ^= 1 << random.u8(..8);
        let damaged = Database::from_bytes([bytes])?;
        for _ in 0..200 {
            let ending = random_ending(random)?;
            for target in 1..3 {
                match damaged.decide(&ending, target) {
                    Ok(verdict) => {
                        assert_eq!(verdict, sound.decide(&ending, target)?);
                        answers += 1;
                    }
                    Err(error) => {
                        assert!(error.to_string().contains("checksum"), "{error}");
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
fn a_level_at_work_that_is_of_no_use_is_noted_and_done_without() -> Outcome {
    let directory = golden_copy()?;
    let map = map_path(directory.path(), 2);
    let right = fs::read(&map)?;
    assert!(Database::open(directory.path())?.notes().is_empty());
    let mut other = right.clone();
    other[40] ^= 1;
    repair(&mut other)?;
    let cases = [
        (right[..1_000].to_vec(), "1000 bytes where"),
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
        assert_eq!(database.max_level(), 2);
    }
    fs::remove_file(&map)?;
    let database = Database::open(directory.path())?;
    let note = database.notes()[0].to_string();
    assert!(note.starts_with("8 cards: unpacked into"), "{note}");
    assert!(note.contains("because there is no "), "{note}");
    Ok(())
}

#[test]
fn sizes_that_no_shard_has_are_refused_before_anything_is_read() -> Outcome {
    let directory = golden_copy()?;
    let entry = Entry {
        offset: (HEADER_BYTES + ENTRY_BYTES) as u64,
        checksum: 0,
        stored: [20, 9],
        plain: [52 + 24, 0],
        nodes: 12,
    };
    let header = Header {
        level: 1,
        payload: DIAGRAMS,
        partitions: 52,
        shard_partitions: 256,
        shards: 1,
        nodes: 21,
        sets: 73,
        content: 0,
    };
    let refusal = |header: Header, entry: Entry| -> Result<String, Box<dyn Error>> {
        let (mut bytes, checksum) = head_bytes(&header, &[entry]);
        bytes.resize(bytes.len() + entry.bytes() as usize, 0);
        write_level(directory.path(), header.level, &bytes, checksum)?;
        Ok(damage(LevelFile::open(&level_path(
            directory.path(),
            header.level as usize,
        ))))
    };
    assert_eq!(refusal(header, entry)?, "no error");
    let mut huge = entry;
    huge.plain[0] = u32::MAX;
    assert!(refusal(header, huge)?.contains("plain size"));
    huge.plain = [52 + 24, 400];
    assert!(refusal(header, huge)?.contains("second stream"));
    huge = entry;
    huge.nodes = u32::MAX;
    assert!(refusal(header, huge)?.contains("number of nodes"));
    huge.nodes = 30;
    assert!(refusal(header, huge)?.contains("first stream"));

    assert_eq!(refusal(header, entry)?, "no error");
    // 112 bytes that say they hold all endings of 36 cards in one shard.
    let mut cards36 = header;
    (cards36.level, cards36.partitions) = (9, 413_088_960);
    cards36.shard_partitions = u32::MAX;
    let empty = Entry {
        stored: [0; 2],
        plain: [0; 2],
        nodes: 0,
        ..entry
    };
    assert_eq!(refusal(cards36, empty)?, "impossible level: 9");
    // To number the partitions of 32 cards takes 33 MB: not before it is known that
    // the file may have them.
    let mut cards32 = header;
    (cards32.level, cards32.partitions) = (8, 4_096);
    cards32.shard_partitions = 4_096;
    let problem = refusal(cards32, entry)?;
    assert_eq!(problem, "impossible number of partitions: 4096");
    Ok(())
}

#[test]
fn a_manifest_is_looked_at_before_it_is_read() -> Outcome {
    let directory = golden_copy()?;
    let manifest = path_in(directory.path());
    fs::File::create(&manifest)?.set_len(3 << 30)?;
    let problem = damage(Database::open(directory.path()));
    assert_eq!(problem, "it is larger than any manifest");
    Ok(())
}

/// Nobody writes to the pipe: to read from it would take for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_of_a_database() -> Outcome {
    let pipe = |path: PathBuf| -> Outcome {
        fs::remove_file(&path)?;
        let made = std::process::Command::new("mkfifo").arg(&path).status()?;
        assert!(made.success());
        Ok(())
    };
    let directory = golden_copy()?;
    // Of a pipe in the place of a level at work no use is made.
    pipe(map_path(directory.path(), 2))?;
    assert_eq!(Database::open(directory.path())?.notes().len(), 1);
    pipe(level_path(directory.path(), 2))?;
    let problem = damage(Database::open(directory.path()));
    assert_eq!(problem, "it is not a regular file");
    pipe(path_in(directory.path()))?;
    let problem = damage(Database::open(directory.path()));
    assert_eq!(problem, "it is not a regular file");
    Ok(())
}

#[test]
fn a_file_cut_short_while_it_is_open_is_damage_where_it_is_read() -> Outcome {
    let directory = golden_copy()?;
    let level = LevelFile::open(&level_path(directory.path(), 2))?;
    level.check_shard(0)?;
    fs::File::options()
        .write(true)
        .open(level.path())?
        .set_len(100)?;
    assert!(damage(level.check_shard(8)).contains("cut short"));
    Ok(())
}
