//! A mapped level: raw bytes, and with repaired checksums, for any content of its
//! tables.
//!
//! Whatever the bytes say, every question ends soon, without a panic, and an answer is
//! one that an ending with as many cards may have.

use std::io::Cursor;

use setrograde_lookup::format::manifest::{level_path, map_paths};
use setrograde_lookup::{Database, LevelFile, unpack};

use self::repair::repair;
use super::level::{proves, survives};
use crate::golden::{CARDS, GOLDEN};

#[path = "../../../../crates/lookup/tests/it/repair/mod.rs"]
mod repair;

/// Endings that are asked about.
const QUESTIONS: usize = 20;

/// About one in this number of levels of 8 cards is proved, the slowest step.
const PROVED: usize = 64;

/// The levels of the golden databases.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for golden in GOLDEN.iter() {
        for level in 1..=CARDS / 4 {
            let path = level_path(golden.directory.path(), level);
            let file = LevelFile::open(&path).expect("a level");
            let read = |shard| file.shard(shard)?.diagrams();
            let bytes = unpack(&file, Cursor::new(Vec::new()), 1, None, read, |_| true);
            seeds.push(bytes.expect("it unpacks").into_inner());
        }
    }
    seeds
}

pub fn run(input: &[u8]) {
    for bytes in [input.to_vec(), repaired(input)] {
        let Ok(alone) = Database::from_bytes([bytes.clone()]) else {
            continue;
        };
        let level = alone.levels().next().expect("its level");
        if let number @ 1..=2 = level.level() {
            let mut levels = vec![bytes];
            if number > 1 {
                let below = map_paths(GOLDEN[0].directory.path(), number - 1).remove(0);
                levels.push(std::fs::read(below).expect("a mapped level"));
            }
            let database = Database::from_bytes(levels).expect("its level opens");
            if number == 1 || input.len().is_multiple_of(PROVED) {
                proves(&database, number);
            }
            survives(database, number, QUESTIONS);
        }
    }
}

/// The bytes with correct checksums.
fn repaired(input: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    repair(&mut bytes);
    bytes
}
