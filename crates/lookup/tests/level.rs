//! A level in its two forms: the same diagrams in both.

use std::error::Error;
use std::io::Cursor;

use setrograde_lookup::format::manifest::level_path;
use setrograde_lookup::{Bytes, Database, LevelFile, Unpacking, unpack};

/// Databases of 8 cards: of diagrams, and of trees.
const GOLDEN: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden-trees"),
];

#[test]
fn both_forms_hold_the_same_diagrams() -> Result<(), Box<dyn Error>> {
    for directory in GOLDEN {
        let database = Database::open(directory)?;
        let mut nodes = 0;
        for level in database.levels() {
            let file = LevelFile::open(&level_path(directory.as_ref(), level.level()))?;
            for shard in 0..file.shard_count() {
                let rest = file.read_diagrams(shard)?;
                let first = file.shard_partitions(shard).start;
                let partitions = level.partitions().iter_from(first);
                for (at, partition) in partitions.take(rest.count()).enumerate() {
                    let work = level.diagram(partition)?.ok_or("not held")?.alone();
                    assert_eq!(rest.diagram(at).alone(), work);
                    nodes += work.0.len();
                }
            }
        }
        assert!(nodes > 2_000, "{nodes}");
    }
    Ok(())
}

#[test]
fn a_level_has_the_same_bytes_whatever_the_threads() -> Result<(), Box<dyn Error>> {
    let golden = GOLDEN[0].as_ref();
    for level in [1, 2] {
        let file = LevelFile::open(&level_path(golden, level))?;
        let written = std::fs::read(level_path(golden, level).with_extension("map"))?;
        for threads in [1, 3] {
            let mut told = Vec::new();
            let unpacking = Unpacking {
                threads,
                ..Unpacking::default()
            };
            let read = |shard| file.read_diagrams(shard).map(Some);
            let bytes = unpack(&file, Cursor::new(Vec::new()), unpacking, read, |done| {
                told.push(done);
                true
            })?;
            assert_eq!(bytes.into_inner(), written);
            assert_eq!(told.last(), Some(&file.shard_count()));
        }
    }
    Ok(())
}

#[test]
fn bytes_in_either_form_are_a_database() -> Result<(), Box<dyn Error>> {
    let read = |name: &str| std::fs::read(format!("{}/{name}", GOLDEN[0]));
    let rest = Database::from_bytes([read("level-04.sdb")?, read("level-08.sdb")?])?;
    let work = Database::from_bytes([read("level-08.map")?, read("level-04.map")?])?;
    // At an odd address, too.
    let odd = |name: &str| -> Result<Bytes, std::io::Error> {
        let bytes: &'static [u8] = [vec![0], read(name)?].concat().leak();
        Ok(Bytes::from(&bytes[1..]))
    };
    let unaligned = Database::from_bytes([odd("level-04.map")?, odd("level-08.map")?])?;
    for database in [&rest, &work, &unaligned] {
        assert_eq!((database.max_level(), database.directory()), (2, None));
        assert_eq!(database.extent(), "8 cards");
    }
    for (level, other) in rest.levels().zip(unaligned.levels()) {
        for partition in level.partitions().iter() {
            let one = level.diagram(partition)?.ok_or("not held")?.alone();
            assert_eq!(one, other.diagram(partition)?.ok_or("not held")?.alone());
        }
    }
    let twice = Database::from_bytes([read("level-04.map")?, read("level-04.sdb")?]);
    let error = twice.err().ok_or("one level twice")?.to_string();
    assert!(error.contains("a second level of 4 cards"), "{error}");
    assert!(Database::from_bytes([read("manifest")?]).is_err());
    Ok(())
}
