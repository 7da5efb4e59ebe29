//! Databases in less memory than they take: the same answers, within the bound.

use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};

use setrograde_cards::{Deal, Position, Seat, Strain};
use setrograde_lookup::{Access, Database, Ending, MemoryUse, Options};

type Outcome = Result<(), Box<dyn Error>>;

/// Databases of 8 cards: of diagrams, and of trees.
const GOLDEN: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden-trees"),
];

/// No shard of these databases takes more, unpacked.
const LARGEST: u64 = 30_000;

fn open(directory: &str, memory: Option<u64>) -> Result<Database, Box<dyn Error>> {
    let access = Access::Mapped;
    Ok(Database::open_with(directory, Options { access, memory })?)
}

fn endings(count: usize, seed: u64) -> Result<Vec<Ending>, Box<dyn Error>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut endings = Vec::with_capacity(count);
    for _ in 0..count {
        let deal = Deal::random_ending(random.usize(1..=2), &mut random);
        let (strain, leader) = (Strain::ALL[random.usize(..5)], random.usize(..4));
        let position = Position::new(strain, Seat::from_index(leader), deal, &[])?;
        endings.push(Ending::from_position(&position)?);
    }
    Ok(endings)
}

/// All that a database says of an ending.
fn answers(database: &Database, ending: &Ending) -> Result<String, Box<dyn Error>> {
    let located = database.locate(ending)?;
    let answer = located.answer()?;
    let (walk, verdict) = (located.prove(1)?, located.decide(1)?);
    if database.decide(ending, 1)? != verdict {
        return Err("two verdicts".into());
    }
    let (value, counts) = (located.value()?, located.distribution(&answer.set)?);
    Ok(format!(
        "{value} {answer:?} {walk:?} {verdict:?} {counts:?}"
    ))
}

#[test]
fn answers_are_the_same_whatever_the_memory() -> Outcome {
    let endings = endings(300, 1)?;
    for directory in GOLDEN {
        let all = open(directory, None)?;
        let expected: Vec<String> = endings
            .iter()
            .map(|ending| answers(&all, ending))
            .collect::<Result<_, _>>()?;
        let values = all.values(&endings)?;
        for memory in [0, 1_000, 5_000, 100_000] {
            let bounded = open(directory, Some(memory))?;
            for (ending, expected) in endings.iter().zip(&expected) {
                assert_eq!(answers(&bounded, ending)?, *expected, "{memory}");
            }
            assert_eq!(bounded.values(&endings)?, values, "{memory}");
        }
    }
    Ok(())
}

#[test]
fn what_is_unpacked_stays_within_the_bound() -> Outcome {
    let endings = endings(2_000, 2)?;
    let all = open(GOLDEN[0], None)?;
    all.values(&endings)?;
    let MemoryUse { bytes, evicted, .. } = all.memory_use();
    assert!(bytes > 4_000, "{bytes}");
    assert_eq!(evicted, 0);
    // A shard that may be forgotten holds its roots, too: a kilobyte.
    let limit = bytes * 3 / 4;
    let bounded = open(GOLDEN[0], Some(limit))?;
    for ending in &endings {
        bounded.value(ending)?;
        assert!(bounded.memory_use().bytes <= limit);
    }
    let used = bounded.memory_use();
    assert!(used.evicted > 10, "{used:?}");
    assert!(
        used.lookups >= 1_000 && used.misses < used.lookups,
        "{used:?}"
    );
    assert!((0.05..1.0).contains(&used.hit_rate()), "{used:?}");
    assert_eq!(used.limit, Some(limit));
    // Where no shard fits, the last one stays, for the question that asks.
    let none = open(GOLDEN[0], Some(0))?;
    none.values(&endings)?;
    assert!(none.memory_use().bytes <= LARGEST);
    Ok(())
}

/// A shard that a question holds stays as it is while others come and go.
#[test]
fn what_is_held_is_not_forgotten() -> Outcome {
    let endings = endings(500, 3)?;
    let database = open(GOLDEN[0], Some(0))?;
    let level = database.level(2).ok_or("no level")?;
    let pinned = (0..level.partitions().len())
        .map(|number| level.diagram_at(number))
        .collect::<Result<Vec<_>, _>>()?;
    database.values(&endings)?;
    let all = open(GOLDEN[0], None)?;
    let level = all.level(2).ok_or("no level")?;
    for (number, pinned) in pinned.iter().enumerate() {
        let kept = level.diagram_at(number)?;
        assert_eq!(pinned.get().alone(), kept.get().alone());
    }
    assert!(database.memory_use().bytes > 4_000);
    drop(pinned);
    assert!(database.memory_use().bytes <= LARGEST);
    Ok(())
}

/// Many threads on shards that come and go: a shard in use must not be freed, nor
/// one be taken for another.
#[test]
fn threads_share_a_database_that_forgets() -> Outcome {
    // To unfold trees again and again takes long.
    for (directory, count) in GOLDEN.into_iter().zip([3_000, 200]) {
        let all = open(directory, None)?;
        for memory in [0, 2_000, 4_000] {
            let bounded = open(directory, Some(memory))?;
            let wrong = AtomicBool::new(false);
            std::thread::scope(|scope| {
                for seed in 0..8 {
                    let (all, bounded, wrong) = (&all, &bounded, &wrong);
                    scope.spawn(move || {
                        let endings = endings(count, 100 + seed).unwrap_or_default();
                        let right = endings.len() == count
                            && endings.chunks(40).all(|endings| {
                                let one_by_one = endings.iter().all(|ending| {
                                    let expected = answers(all, ending).ok();
                                    expected.is_some() && answers(bounded, ending).ok() == expected
                                });
                                let values = all.values(endings).ok();
                                one_by_one && bounded.values(endings).ok() == values
                            });
                        if !right {
                            wrong.store(true, Ordering::Relaxed);
                        }
                    });
                }
            });
            assert!(!wrong.into_inner(), "{directory} in {memory} bytes");
            let used = bounded.memory_use();
            assert!(used.bytes <= memory + LARGEST, "{used:?}");
            assert!(used.evicted > 100, "{used:?}");
        }
    }
    Ok(())
}

#[test]
fn a_search_has_its_answer_once_it_has_asked_often_enough() -> Outcome {
    let endings = endings(300, 3)?;
    for directory in GOLDEN {
        for memory in [None, Some(LARGEST)] {
            let (patient, database) = (open(directory, memory)?, open(directory, None)?);
            let mut unanswered = 0;
            for ending in &endings {
                let verdict = (0..100).find_map(|_| {
                    let verdict = patient.decide_if_worthwhile(ending, 1).transpose();
                    unanswered += u32::from(verdict.is_none());
                    verdict
                });
                let verdict = verdict.ok_or("no answer to a hundred questions")??;
                assert_eq!(verdict, database.decide(ending, 1)?);
            }
            assert!(unanswered > 0, "every answer came at once");
        }
    }
    Ok(())
}
