//! Correct databases pass; wrong ones are detected, and the error names the fault.

mod coarse;
mod damage;
mod diagrams;
mod rewrite;

use std::collections::HashSet;
use std::error::Error;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use setrograde_cards::Seat;
use setrograde_endgame::states::states_of_partition;
use setrograde_lookup::{Database, Ending, Level};
use setrograde_parallel::Stop;
use tempfile::TempDir;

use crate::exhaustive::endings_of;
use crate::minimax::Minimax;
use crate::path_set::PathSet;
use crate::three_valued::{Evaluator, Truth};
use crate::workers::Workers;
use crate::{
    Check, CheckPortion, CheckReport, LevelSample, SilentCheck, Verify, VerifyError, VerifyObserver,
};

static GO_ON: LazyLock<Stop> = LazyLock::new(Stop::default);

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");

/// The golden database, of 4 and 8 cards.
static DATABASE: LazyLock<Database> =
    LazyLock::new(|| Database::open(GOLDEN).expect("a sound database"));

/// A level of the golden database.
fn level(number: usize) -> &'static Level {
    DATABASE.level(number).expect("it has two levels")
}

/// An evaluator of the sets of 8 cards.
fn evaluator() -> Evaluator<'static> {
    Evaluator::new(level(2), Some(level(1)), &GO_ON)
}

/// A copy of the golden database.
fn golden() -> Result<TempDir, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    for entry in std::fs::read_dir(GOLDEN)? {
        let entry = entry?;
        std::fs::copy(entry.path(), directory.path().join(entry.file_name()))?;
    }
    Ok(directory)
}

fn workers() -> Workers<'static, SilentCheck> {
    Workers {
        threads: 2,
        observer: &SilentCheck,
        stop: &GO_ON,
    }
}

/// The checks that a database passes: the cards, the units and the proved sets of each.
fn passed(
    database: &Database,
    sample: usize,
) -> Result<Vec<(usize, Check, u64, u64)>, VerifyError> {
    let verify = Verify {
        sample,
        exhaustive: true,
        ..Verify::default()
    };
    let report = verify.run(database, &SilentCheck, &GO_ON)?;
    let checks = report.checks.iter();
    let row = |of: &CheckReport| (of.cards, of.check, of.units, of.sets);
    Ok(checks.map(row).collect())
}

#[test]
fn a_right_database_passes_every_check() -> Result<(), Box<dyn Error>> {
    let expected = [
        (4, Check::Checksums, 1, 0),
        (4, Check::Sets, 52, 73),
        (4, Check::Sample, 500, 0),
        (4, Check::Exhaustive, 209, 0),
        (8, Check::Checksums, 9, 0),
        (8, Check::Sets, 2_054, 6_203),
        (8, Check::Sample, 500, 0),
        (8, Check::Exhaustive, 87_921, 0),
    ];
    assert_eq!(passed(&DATABASE, 500)?, expected);
    let sets = DATABASE.manifest().levels.iter().map(|record| record.sets);
    assert!(sets.eq([73, 6_203]));
    // The diagram that a tree is unfolded into has more sets than the tree: 6,239, and not 5,959.
    let trees = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden-trees");
    let expected = [
        (4, Check::Checksums, 1, 0),
        (4, Check::Sets, 52, 73),
        (4, Check::Exhaustive, 209, 0),
        (8, Check::Checksums, 9, 0),
        (8, Check::Sets, 2_054, 6_239),
        (8, Check::Exhaustive, 87_921, 0),
    ];
    assert_eq!(passed(&Database::open(trees)?, 0)?, expected);
    Ok(())
}

/// A check that has begun: its size, what of it is done, and its report.
struct LoggedCheck {
    begun: (usize, Check, CheckPortion),
    done: CheckPortion,
    report: Option<CheckReport>,
}

#[derive(Default)]
struct CheckLog(Mutex<Vec<LoggedCheck>>);

impl CheckLog {
    /// Notes something about the last check.
    fn note(&self, note: impl FnOnce(&mut LoggedCheck)) {
        let mut checks = self.0.lock().expect("no other thread has panicked");
        note(checks.last_mut().expect("a check has begun"));
    }
}

impl VerifyObserver for CheckLog {
    fn begun(&self, cards: usize, check: Check, all: CheckPortion) {
        let mut checks = self.0.lock().expect("no other thread has panicked");
        checks.push(LoggedCheck {
            begun: (cards, check, all),
            done: CheckPortion::default(),
            report: None,
        });
    }

    fn advanced(&self, part: CheckPortion) {
        self.note(|check| {
            check.done.units += part.units;
            check.done.cost += part.cost;
        });
    }

    fn finished(&self, report: &CheckReport) {
        self.note(|check| check.report = Some(*report));
    }
}

#[test]
fn reported_progress_sums_to_the_total() -> Result<(), Box<dyn Error>> {
    let verify = Verify {
        sample: 100,
        exhaustive: true,
        threads: Some(2),
        ..Verify::default()
    };
    for part in [
        None,
        Some(LevelSample {
            share: 0.1,
            largest: 300,
        }),
    ] {
        let log = CheckLog::default();
        let verify = Verify {
            part,
            ..verify.clone()
        };
        let report = verify.run(&DATABASE, &log, &GO_ON)?;
        let checks = log.0.into_inner()?;
        assert_eq!(checks.len(), report.checks.len());
        for (logged, report) in checks.into_iter().zip(report.checks) {
            assert_eq!(logged.report, Some(report));
            let (cards, check, all) = logged.begun;
            let expected = (report.cards, report.check, report.units);
            assert_eq!((cards, check, all.units), expected);
            assert_eq!(logged.done, all, "{cards} cards, {check}");
            assert!(all.cost >= all.units);
            assert!(report.wall > Duration::ZERO);
            // Windows counts processor time in steps that are longer than a check takes.
            assert!(cfg!(windows) || report.cpu > Duration::ZERO);
        }
    }
    Ok(())
}

#[test]
fn a_part_of_the_deepest_level_is_proved_and_the_rest_is_not() -> Result<(), Box<dyn Error>> {
    let sets = |share, largest, seed| {
        let verify = Verify {
            seed,
            part: Some(LevelSample { share, largest }),
            ..Verify::default()
        };
        let report = verify.run(&DATABASE, &SilentCheck, &GO_ON)?;
        let check = |cards, check| {
            let is_it = |found: &&CheckReport| (found.cards, found.check) == (cards, check);
            report
                .checks
                .iter()
                .find(is_it)
                .map(|found| (found.units, found.of, found.sets))
        };
        assert_eq!(check(8, Check::Checksums).map(|found| found.0), Some(9));
        assert_eq!(check(4, Check::Sets).map(|found| found.0), Some(52));
        check(8, Check::Sets).ok_or::<Box<dyn Error>>("no such check".into())
    };
    assert_eq!(sets(1.0, 0, 1)?, (2_054, 2_054, 6_203));
    assert_eq!(sets(0.0, 0, 1)?, (0, 2_054, 0));
    // Whole shards: of 256 partitions each.
    assert_eq!(sets(0.0, 257, 1)?.0, 512);
    let (tenth, _, some) = sets(0.1, 0, 1)?;
    assert!(
        (150..260).contains(&tenth) && (300..1_000).contains(&some),
        "{tenth}, {some}"
    );
    assert_eq!(sets(0.1, 0, 1)?.0, tenth);
    assert_ne!(sets(0.1, 0, 2)?.2, some);
    Ok(())
}

#[test]
fn a_level_not_held_and_an_interruption_are_errors() {
    let verify = Verify {
        levels: Some(3..=3),
        ..Verify::default()
    };
    let found = verify.run(&DATABASE, &SilentCheck, &GO_ON);
    assert!(matches!(
        found,
        Err(VerifyError::LevelNotHeld { cards: 12 })
    ));
    let found = Verify::default().run(&DATABASE, &SilentCheck, &Stop::default().by(Instant::now()));
    assert!(matches!(found, Err(VerifyError::Cancelled)));
}

#[test]
fn every_ending_of_a_partition_comes_once() {
    for (number, partition) in level(2).partitions().iter().enumerate() {
        let leader = Seat::from_index(number % 4);
        let endings: HashSet<String> = endings_of(partition, leader)
            .map(|ending| ending.to_position().to_string())
            .collect();
        assert_eq!(
            endings.len() as u128,
            states_of_partition(partition),
            "{partition}"
        );
    }
}

// The logic of sets against the values of all their endings.

#[test]
fn what_three_valued_logic_says_is_so() -> Result<(), Box<dyn Error>> {
    let mut evaluator = evaluator();
    let (mut known, mut unknown) = (0, 0);
    for partition in level(2).partitions().iter() {
        evaluator.enter(partition);
        let value = |ending: Ending| {
            let value = Minimax::new(&ending.to_position(), &GO_ON).tricks(0);
            (ending, value)
        };
        let endings: Vec<_> = endings_of(partition, Seat::North).map(value).collect();
        let mut sets = vec![PathSet::nothing(partition.shape)];
        for (suit, suit_lengths) in partition.shape.lengths.iter().enumerate() {
            let owners = (0..4).filter(|&owner| suit_lengths.length(owner) > 0);
            sets.extend(owners.map(|owner| PathSet::nothing(partition.shape).learn(suit, owner)));
        }
        // A single ending, on which nothing may be left open.
        sets.push(sets[0].any_ending());
        for (at, set) in sets.iter().enumerate() {
            let of_set = endings.iter().filter(|(ending, _)| set.holds(ending));
            for tricks in 1..=2 {
                let (truth, learn) = evaluator.truth(set, tricks)?;
                for hoped in [true, false] {
                    let wanted = if hoped { Truth::True } else { Truth::False };
                    assert_eq!(evaluator.holds(set, tricks, hoped)?, truth == wanted);
                }
                match truth {
                    Truth::True => assert!(of_set.clone().all(|ending| ending.1 >= tricks)),
                    Truth::False => assert!(of_set.clone().all(|ending| ending.1 < tricks)),
                    Truth::Unknown => {
                        assert!(at + 1 < sets.len());
                        let suit = learn.ok_or("nothing to learn")?;
                        assert!(set.hidden(suit).holders() > 1);
                        unknown += 1;
                        continue;
                    }
                }
                known += 1;
            }
        }
    }
    assert!(known > 10_000 && unknown > 1_000, "{known} {unknown}");
    Ok(())
}
