//! Right databases pass; wrong ones are found out, and what is wrong is named.

mod damage;
mod diagrams;
mod logic;
mod rewrite;

use std::error::Error;
use std::sync::atomic::AtomicBool;

use setrograde_lookup::Database;
use tempfile::TempDir;

use crate::check::Workers;
use crate::{Check, CheckReport, Part, Silent, Verify, VerifyError};

type Outcome = Result<(), Box<dyn Error>>;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A copy of the golden database, of 4 and 8 cards.
fn golden() -> Result<TempDir, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/golden");
    for entry in std::fs::read_dir(golden)? {
        let entry = entry?;
        std::fs::copy(entry.path(), directory.path().join(entry.file_name()))?;
    }
    Ok(directory)
}

fn workers() -> Result<Workers<'static, Silent>, VerifyError> {
    Workers::start(Some(2), &Silent, &GO_ON)
}

#[test]
fn a_right_database_passes_every_check() -> Outcome {
    let directory = golden()?;
    let database = Database::open(directory.path())?;
    let verify = Verify {
        sample: 500,
        exhaustive: true,
        ..Verify::default()
    };
    let report = verify.run(&database, &Silent, &GO_ON)?;
    let checks: Vec<_> = report
        .checks
        .iter()
        .map(|check| (check.cards, check.check, check.units))
        .collect();
    assert_eq!(
        checks,
        [
            (4, Check::Checksums, 1),
            (4, Check::Sets, 52),
            (4, Check::Sample, 500),
            (4, Check::Exhaustive, 209),
            (8, Check::Checksums, 9),
            (8, Check::Sets, 2_054),
            (8, Check::Sample, 500),
            (8, Check::Exhaustive, 87_921),
        ]
    );
    let sets = |level| database.manifest().level(level).map(|record| record.sets);
    assert_eq!(Some(report.checks[1].sets), sets(1));
    assert_eq!(Some(report.checks[5].sets), sets(2));
    Ok(())
}

#[test]
fn a_part_of_the_deepest_level_is_proved_and_the_rest_is_not() -> Outcome {
    let directory = golden()?;
    let database = Database::open(directory.path())?;
    let sets = |share, largest, seed| {
        let verify = Verify {
            seed,
            part: Some(Part { share, largest }),
            ..Verify::default()
        };
        let report = verify.run(&database, &Silent, &GO_ON)?;
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
fn a_level_not_held_and_an_interruption_are_errors() -> Outcome {
    let directory = golden()?;
    let database = Database::open(directory.path())?;
    let verify = Verify {
        levels: Some(3..=3),
        ..Verify::default()
    };
    let found = verify.run(&database, &Silent, &GO_ON);
    assert!(matches!(
        found,
        Err(VerifyError::LevelNotHeld { cards: 12 })
    ));
    let found = Verify::default().run(&database, &Silent, &AtomicBool::new(true));
    assert!(matches!(found, Err(VerifyError::Cancelled)));
    Ok(())
}
