//! Damaged journals of a level under construction.

use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use setrograde_builder::{BuildObserver, Chunk, Portion, Silent, Stop};

use crate::{build, journals};

const CARDS: usize = 12;

/// Counts the finished partitions of a build, and records its reports about journals.
#[derive(Default)]
struct DamageLog {
    built: AtomicU64,
    damage: Mutex<Vec<String>>,
}

impl BuildObserver for DamageLog {
    fn damaged(&self, _: &Path, damage: &dyn Display) {
        let mut said = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        said.push(damage.to_string());
    }

    fn advanced(&self, part: Portion) {
        self.built.fetch_add(part.partitions, Ordering::Relaxed);
    }
}

/// The partitions of the records of a journal from the one with byte `damaged` on.
fn partitions_from(journal: &[u8], damaged: usize) -> u64 {
    let (mut at, mut sum) = (64, 0);
    while at < journal.len() {
        let field = |offset| {
            let bytes = journal[at + offset..].first_chunk().expect("eight bytes");
            u64::from_le_bytes(*bytes)
        };
        let (streams, partitions) = (field(8) + field(16), field(56));
        at += 184 + streams as usize;
        sum += if at > damaged { partitions } else { 0 };
    }
    sum
}

#[test]
fn a_damaged_journal_loses_what_follows_the_damage_and_no_more() -> Result<(), Box<dyn Error>> {
    let (whole, directory) = (tempfile::tempdir()?, tempfile::tempdir()?);
    build(whole.path(), CARDS).run(&Silent, &Stop::default())?;
    let right = fs::read(whole.path().join("level-12.sdb"))?;
    let directory = directory.path();
    build(directory, CARDS - 4).run(&Silent, &Stop::default())?;
    build(directory, CARDS).run_chunk(Chunk::WHOLE, &Silent, &Stop::default())?;
    let path = journals(directory, CARDS)?.remove(0);
    let sound = fs::read(&path)?;
    let mut random = fastrand::Rng::with_seed(9);
    for round in 0..10 {
        let mut bytes = sound.clone();
        let at = match round {
            0 | 1 => 64 + 3,    //       // the number of the first shard
            2 => 64 + 8,        // the length of its first stream
            3 => 64 + 183,      // the checksum of its head
            4 => 64 + 184 + 10, // its streams
            5 => sound.len() - 1,
            _ => random.usize(64..sound.len()),
        };
        bytes[at] ^= 1 << random.u32(0..8);
        fs::write(&path, &bytes)?;
        let log = DamageLog::default();
        build(directory, CARDS).run_chunk(Chunk::WHOLE, &log, &Stop::default())?;
        let built = log.built.into_inner();
        assert_eq!(built, partitions_from(&sound, at), "byte {at}");
        assert_eq!(log.damage.into_inner()?.len(), 1, "byte {at}");
        // Reported once, because the journal is truncated now.
        let log = DamageLog::default();
        build(directory, CARDS).run_chunk(Chunk::WHOLE, &log, &Stop::default())?;
        assert_eq!(log.built.into_inner(), 0);
        assert!(log.damage.into_inner()?.is_empty(), "byte {at}");
    }
    build(directory, CARDS).seal(&[], &Silent)?;
    assert!(fs::read(directory.join("level-12.sdb"))? == right);
    Ok(())
}
