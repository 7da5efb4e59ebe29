//! Files with sound checksums that no builder wrote: each is refused, or
//! answered in bounded time and memory.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use setrograde_endgame::partition::Partition;
use setrograde_endgame::partition_index::PartitionIndex;
use setrograde_lookup::format::level_header::{
    DIAGRAMS, ENTRY_BYTES, Entry, HEADER_BYTES, Header, TREES, head_bytes,
};
use setrograde_lookup::format::manifest::{Manifest, level_path, path_in};
use setrograde_lookup::{Access, Database, Ending, Error as DatabaseError, Options};
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
    let mut offset = (HEADER_BYTES + ENTRY_BYTES * shards.len()) as u64;
    let (mut entries, mut body) = (Vec::new(), Vec::new());
    for shard in shards {
        let [first, second] = [0, 1].map(|at| zstd::bulk::compress(&shard.streams[at], 1));
        let (first, second) = (first?, second?);
        let bytes = [first.as_slice(), &second].concat();
        let entry = Entry {
            offset,
            checksum: xxh3_64(&bytes),
            stored: [first.len() as u32, second.len() as u32],
            plain: [0, 1].map(|at| shard.streams[at].len() as u32),
            nodes: shard.nodes,
        };
        offset += entry.bytes();
        entries.push(entry);
        body.extend(bytes);
    }
    write_level(directory.path(), level, &header, &entries, &body)?;
    Ok(directory)
}

/// Writes a level, and its record into the manifest.
fn write_level(
    directory: &Path,
    level: u32,
    header: &Header,
    entries: &[Entry],
    body: &[u8],
) -> Outcome {
    let (mut bytes, checksum) = head_bytes(header, entries);
    bytes.extend(body);
    fs::write(level_path(directory, level as usize), &bytes)?;
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

/// What is said about a file that is damaged.
fn damage<T>(result: Result<T, DatabaseError>) -> String {
    match result {
        Err(DatabaseError::Damaged { problem, .. }) => problem,
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
    for memory in [None, Some(0)] {
        let access = Access::Mapped;
        let database = Database::open_with(directory.path(), Options { access, memory })?;
        let level = database.level(2).ok_or("no level")?;
        for shard in 0..level.shard_count() {
            let problem = damage(level.load(shard));
            assert!(problem.contains("does not fit the cards"), "{problem}");
            assert_eq!(damage(level.check_shard(shard).map(|_| ())), problem);
            assert_eq!(damage(level.read_diagrams(shard).map(|_| ())), problem);
            let first = level.shard_partitions(shard).start;
            assert_eq!(damage(level.payload_at(first).map(|_| ())), problem);
        }
    }
    Ok(())
}

/// Trees of level 1 that leave out the endings in which hand 1 has the top card
/// of the first suit.
#[test]
fn an_ending_that_leads_nowhere_is_damage_in_every_answer() -> Outcome {
    let partitions = partitions(1, 0);
    let keys = [0xfffd_u16.to_le_bytes()].concat().repeat(partitions.len());
    let links = [1, 1].repeat(partitions.len());
    let nodes = partitions.len() as u32;
    let streams = [keys, links];
    let directory = database_with(1, TREES, &[Shard { streams, nodes }])?;
    let ending = |text: &str| -> Result<Ending, Box<dyn Error>> {
        Ok(Ending::from_position(&text.parse()?)?)
    };
    for memory in [None, Some(0)] {
        let access = Access::Mapped;
        let database = Database::open_with(directory.path(), Options { access, memory })?;
        let held = ending("NT N N:A... K... Q... J...")?;
        assert_eq!(database.value(&held)?, 1);
        let stranger = ending("NT N N:K... A... Q... J...")?;
        let located = database.locate(&stranger)?;
        for problem in [
            damage(located.value()),
            damage(located.answer()),
            damage(located.prove(1)),
        ] {
            assert_eq!(problem, "it does not cover an ending");
        }
        // Decisions are made by diagrams, into which such trees do not unfold.
        assert_eq!(damage(located.decide(1)), "an ending is in no set");
        let batch = database.values(&[held, held, stranger]);
        assert_eq!(batch.map_err(|error| error.index), Err(2));
    }
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
        let body = vec![0; entry.bytes() as usize];
        write_level(directory.path(), header.level, &header, &[entry], &body)?;
        Ok(damage(Database::open(directory.path())))
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
    pipe(level_path(directory.path(), 2))?;
    let problem = damage(Database::open(directory.path()));
    assert_eq!(problem, "it is no regular file");
    pipe(path_in(directory.path()))?;
    let problem = damage(Database::open(directory.path()));
    assert_eq!(problem, "it is no regular file");
    Ok(())
}

/// Where the file is mapped, this would end the program.
#[test]
fn a_file_cut_short_while_it_is_open_is_damage_where_it_is_read() -> Outcome {
    let directory = golden_copy()?;
    let options = Options {
        access: Access::Read,
        memory: None,
    };
    let database = Database::open_with(directory.path(), options)?;
    let level = database.level(2).ok_or("no level")?;
    level.load(0)?;
    fs::File::options()
        .write(true)
        .open(level.path())?
        .set_len(100)?;
    level.load(0)?;
    assert!(damage(level.load(8)).contains("cut short"));
    Ok(())
}
