//! A level in its two forms: the same diagrams in both.

use std::error::Error;
use std::io::Cursor;

use setrograde_endgame::diagram::NodePacker;
use setrograde_lookup::format::level_header::Entry;
use setrograde_lookup::format::manifest::{LevelRecord, Manifest, level_path, map_path, map_paths};
use setrograde_lookup::{
    Bounds, Bytes, Database, Ending, LevelFile, LevelWriter, MapWriter, PackedDiagram, unpack,
};

use crate::positions::{minimax, random_position};
use crate::{GOLDEN, random_ending};

/// A database of trees, of 8 cards.
const TREES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden-trees");

/// The map of 12 cards inside the programs.
const TWELVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/level-12.map");

#[test]
fn both_forms_hold_the_same_diagrams() -> Result<(), Box<dyn Error>> {
    for directory in [GOLDEN, TREES] {
        let database = Database::open(directory)?;
        let mut nodes = 0;
        for level in database.levels() {
            let file = LevelFile::open(&level_path(directory.as_ref(), level.level()))?;
            for shard in 0..file.shard_count() {
                let compressed = file.shard(shard)?.diagrams()?;
                for (at, partition) in file.partitions_of(shard).enumerate() {
                    let mapped = level.diagram(partition)?.own_nodes();
                    assert_eq!(compressed.diagram(at).own_nodes(), mapped);
                    nodes += mapped.0.len();
                }
            }
        }
        assert!(nodes > 2_000, "{nodes}");
    }
    Ok(())
}

#[test]
fn a_level_has_the_same_bytes_whatever_the_threads() -> Result<(), Box<dyn Error>> {
    let golden = GOLDEN.as_ref();
    for level in [1, 2] {
        let file = LevelFile::open(&level_path(golden, level))?;
        let written = std::fs::read(map_path(golden, level, file.checksum()))?;
        for threads in [1, 3] {
            let mut reported = Vec::new();
            let read = |shard| file.shard(shard)?.diagrams();
            let report = |done| {
                reported.push(done);
                true
            };
            let bytes = unpack(&file, Cursor::new(Vec::new()), threads, None, read, report)?;
            assert_eq!(bytes.into_inner(), written);
            assert_eq!(reported.last(), Some(&file.shard_count()));
        }
    }
    Ok(())
}

/// The map of a golden level.
fn map(level: usize) -> std::io::Result<Vec<u8>> {
    std::fs::read(map_paths(GOLDEN.as_ref(), level).remove(0))
}

#[test]
fn bytes_in_either_form_are_a_database() -> Result<(), Box<dyn Error>> {
    let read = |name: &str| std::fs::read(format!("{GOLDEN}/{name}"));
    let compressed = Database::from_bytes([read("level-04.sdb")?, read("level-08.sdb")?])?;
    let mapped = Database::from_bytes([map(2)?, map(1)?])?;
    // The same at an odd address.
    let odd = |level| -> Result<Bytes, std::io::Error> {
        let bytes: &'static [u8] = [vec![0], map(level)?].concat().leak();
        Ok(Bytes::from(&bytes[1..]))
    };
    let unaligned = Database::from_bytes([odd(1)?, odd(2)?])?;
    for database in [&compressed, &mapped, &unaligned] {
        assert_eq!((database.max_tricks(), database.directory()), (2, None));
        assert_eq!(database.extent(), "8 cards");
    }
    for (level, other) in compressed.levels().zip(unaligned.levels()) {
        for partition in level.partitions().iter() {
            let one = level.diagram(partition)?.own_nodes();
            assert_eq!(one, other.diagram(partition)?.own_nodes());
        }
    }
    let twice = Database::from_bytes([map(1)?, read("level-04.sdb")?]);
    let error = twice.err().ok_or("one level twice")?.to_string();
    assert!(error.contains("a second level of 4 cards"), "{error}");
    assert!(Database::from_bytes([read("manifest")?]).is_err());
    Ok(())
}

/// Threads that use a block for the first time at the same moment get the same answers.
#[test]
fn threads_may_share_the_first_use_of_a_block() -> Result<(), Box<dyn Error>> {
    let bytes: &'static [u8] = std::fs::read(TWELVE)?.leak();
    let random = &mut fastrand::Rng::with_seed(21);
    for _ in 0..2_000 {
        let database = Database::from_bytes([bytes])?;
        let mut endings = Vec::new();
        for _ in 0..40 {
            endings.push(random_ending(3, random)?);
        }
        let together = std::sync::Barrier::new(2);
        let all = || -> Result<Vec<_>, String> {
            let decide = |ending| {
                together.wait();
                let verdict = database.decide(ending, 2);
                verdict.map_err(|error| error.to_string())
            };
            let answers: Vec<_> = endings.iter().map(decide).collect();
            answers.into_iter().collect()
        };
        let answers: Vec<_> = std::thread::scope(|scope| {
            let threads = [(); 2].map(|()| scope.spawn(all));
            threads
                .map(|thread| thread.join().expect("no panic"))
                .into()
        });
        for answer in &answers {
            assert!(answer.is_ok() && *answer == answers[0], "{answer:?}");
        }
    }
    Ok(())
}

#[test]
fn a_level_is_taken_from_its_map_or_unpacked() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let golden = GOLDEN.as_ref();
    std::fs::copy(level_path(golden, 2), level_path(directory.path(), 2))?;
    let file = LevelFile::open(&level_path(directory.path(), 2))?;
    assert_eq!(file.mapped()?.path(), file.path());
    let map = map_path(directory.path(), 2, file.checksum());
    std::fs::copy(map_path(golden, 2, file.checksum()), &map)?;
    assert_eq!(file.mapped()?.path(), map);
    Ok(())
}

#[test]
fn a_map_that_lacks_a_diagram_is_not_finished() -> Result<(), Box<dyn Error>> {
    let file = LevelFile::open(&level_path(GOLDEN.as_ref(), 2))?;
    let writer = MapWriter::new(file.partitions(), 1, 1 << 20, None, false)?;
    let (diagrams, mut packer) = (file.shard(0)?.diagrams()?, NodePacker::new());
    for (at, partition) in (0..diagrams.count()).zip(file.partitions().iter()) {
        let packed = PackedDiagram::new(diagrams.diagram(at), &mut packer)?;
        writer.push([(partition, packed)])?;
    }
    let error = writer.finish(Cursor::new(Vec::new()), || true).err();
    let error = error.ok_or("it was finished")?.to_string();
    assert_eq!(error, "256 diagrams of 2054");
    Ok(())
}

#[test]
fn what_writers_and_files_count_fits() -> Result<(), Box<dyn Error>> {
    let golden = GOLDEN.as_ref();
    for record in &Manifest::read(golden)?.levels {
        let file = LevelFile::open_recorded(golden, record)?;
        let shards = file.shard_count();
        let mut compressed = LevelWriter::new(Cursor::new(Vec::new()), shards)?;
        let mapped = MapWriter::new(file.partitions(), 1, 1 << 20, None, false)?;
        let (mut nodes, mut packer) = (0, NodePacker::new());
        for shard in 0..shards {
            let (diagrams, _, content) = file.shard(shard)?.survey()?;
            let streams = [vec![], vec![]];
            compressed.push(&streams, Entry::new(&streams, [0, 0], 0), content)?;
            nodes += file.shard_nodes(shard);
            for (at, partition) in file.partitions_of(shard).enumerate() {
                let packed = PackedDiagram::new(diagrams.diagram(at), &mut packer)?;
                assert_eq!(packed.bytes(), packer.to_bytes().len());
                mapped.push([(partition, packed)])?;
            }
        }
        assert_eq!(compressed.content(), record.content);
        let map = map_path(golden, file.level(), record.checksum);
        assert!(file.map_bytes() >= std::fs::metadata(map)?.len());
        assert_eq!(nodes, file.written_nodes());
        let header = file.header();
        assert_eq!(
            (header.partitions, header.sets),
            (record.partitions, record.sets)
        );
        mapped.finish(Cursor::new(Vec::new()), || true)?;
    }
    Ok(())
}

#[test]
fn errors_say_what_is_held() -> Result<(), Box<dyn Error>> {
    let golden = GOLDEN.as_ref();
    let record = Manifest::read(golden)?.levels[1].clone();
    let empty = tempfile::tempdir()?;
    let error = |directory, record: &LevelRecord| {
        let opened = LevelFile::open_recorded(directory, record);
        opened
            .err()
            .map_or("none".to_owned(), |error| error.to_string())
    };
    assert!(error(empty.path(), &record).contains("8 cards"));
    assert_eq!(error(golden, &record), "none");
    let (mut other, mut longer) = (record.clone(), record.clone());
    other.checksum = 1;
    longer.bytes += 1;
    for record in [&other, &longer] {
        let found = error(golden, record);
        assert!(
            found.contains("not the file that the manifest names"),
            "{found}"
        );
    }
    // The file of another level or of another version.
    let path = level_path(empty.path(), 2);
    std::fs::copy(level_path(golden, 1), &path)?;
    assert!(
        error(empty.path(), &record)
            .contains("level-08.sdb: damaged: header: it holds 4 cards, not 8")
    );
    let mut bytes = std::fs::read(level_path(golden, 2))?;
    bytes[8] = 99;
    std::fs::write(&path, bytes)?;
    assert!(error(empty.path(), &record).contains("level-08.sdb: format version 99"));

    let ending = Ending::from_position(&"NT N N:AK.A.. QJ.K.. T9.Q.. 87.J..".parse()?)?;
    let database = Database::from_bytes([map(1)?, map(2)?])?;
    let held = "the ending has 12 cards; this database holds endings of 4, 8 cards";
    assert_eq!(database.not_held(&ending).to_string(), held);
    let none = "the ending has 12 cards; this database holds no level";
    let empty = Database::from_bytes(Vec::<Vec<u8>>::new())?;
    assert_eq!(empty.not_held(&ending).to_string(), none);
    Ok(())
}

#[test]
fn the_sets_of_a_partition_have_each_ending_once() -> Result<(), Box<dyn Error>> {
    let database = Database::open(GOLDEN)?;
    assert_eq!(database.directory(), Some(GOLDEN.as_ref()));
    for text in [
        "NT W N:A.2.. K..A. .AK.. Q..K.",
        "S N N:AK... QJ... T9... 87...",
        "H E N:A.5.. .A3.. 2..A. ..K.A",
    ] {
        let ending = Ending::from_position(&text.parse()?)?;
        let located = database.locate(&ending)?.ok_or("8 cards")?;
        let all = located.widen(&located.answer()?.set, Bounds { lo: 0, hi: 2 });
        let mut counts = [0; 3];
        for (set, value) in located.sets()? {
            let distribution = located.distribution(&set)?;
            let count = distribution[usize::from(value)];
            let all = distribution.iter().sum();
            assert!(count > 0 && count == all, "{text} {value}");
            counts[usize::from(value)] += count;
        }
        let whole = located.distribution(&all)?;
        assert_eq!(counts, whole[..3], "{text}");
    }
    Ok(())
}

#[test]
fn positions_inside_a_trick_have_the_value_of_plain_minimax() -> Result<(), Box<dyn Error>> {
    let database = Database::open(GOLDEN)?;
    let random = &mut fastrand::Rng::with_seed(3);
    for round in 0..200 {
        let mut position = random_position(random, 2);
        for _ in 0..round % 5 {
            let cards: Vec<_> = position.legal_cards().collect();
            position = position.play(cards[random.usize(..cards.len())])?;
        }
        let value = database.position_value(&position)?;
        let expected = minimax(&position, position.leader().side());
        assert_eq!(value, expected, "{position:?}");
    }
    Ok(())
}
