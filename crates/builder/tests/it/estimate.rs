//! Estimates against the truth: a level of 12 cards that was built.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use setrograde_builder::{
    Build, BuildError, Effort, Estimate, EstimateError, EstimateReport, Method, Projection, Silent,
    Stop,
};
use setrograde_lookup::Grain;
use setrograde_lookup::format::manifest::LevelRecord;
use tempfile::TempDir;

/// A database of 8 cards, and the costs and counts of the level of 12.
struct Truth {
    eight_cards: TempDir,
    level: LevelRecord,
}

static TRUTH: LazyLock<Truth> = LazyLock::new(|| {
    let build = |cards| {
        let directory = tempfile::tempdir().expect("a directory");
        let manifest = Build::new(directory.path(), cards)
            .run(&Silent, &Stop::default())
            .expect("it builds");
        (directory, manifest)
    };
    let (_, manifest) = build(12);
    Truth {
        eight_cards: build(8).0,
        level: manifest.levels[2].clone(),
    }
});

fn twelve_cards(database: &Path, draws: usize, seed: u64) -> Estimate {
    Estimate {
        database: Some(database.to_owned()),
        effort: Effort::Draws(draws),
        seed,
        threads: Some(2),
        ..Estimate::new(12)
    }
}

fn run(estimate: &Estimate) -> Result<EstimateReport, EstimateError> {
    estimate.run(|_, _| (), &Stop::default())
}

/// Counts how often the truth lies in the interval, and checks that the mean of
/// all estimates is near it.
fn check_coverage(name: &str, truth: u64, projections: &[Projection]) {
    let truth = truth as f64;
    let count = projections.len();
    let is_inside = |of: &&Projection| (of.low..=of.high).contains(&truth);
    let inside = projections.iter().filter(is_inside).count();
    assert!(
        inside * 100 >= count * 90,
        "{name}: {truth}: {inside} of {count}"
    );
    let sum: f64 = projections.iter().map(|projection| projection.value).sum();
    let mean = sum / count as f64;
    assert!(
        (mean / truth - 1.0).abs() < 0.05,
        "{name}: mean {mean}, truth {truth}"
    );
}

/// Checks the look-ups, sets and nodes of reports on a level that was built.
fn check_counts(level: &LevelRecord, reports: &[EstimateReport]) {
    let of = |field: fn(&EstimateReport) -> Projection| -> Vec<Projection> {
        reports.iter().map(field).collect()
    };
    check_coverage("look-ups", level.lookups, &of(|report| report.lookups));
    check_coverage("sets", level.sets, &of(|report| report.sets));
    check_coverage("nodes", level.nodes, &of(|report| report.nodes));
}

#[test]
fn the_truth_is_inside_nine_intervals_of_ten() -> Result<(), Box<dyn Error>> {
    let estimate = |seed| Estimate {
        run: Some(4),
        ..twelve_cards(TRUTH.eight_cards.path(), 32, seed)
    };
    let reports = (0..100).map(|seed| run(&estimate(seed)));
    check_counts(&TRUTH.level, &reports.collect::<Result<Vec<_>, _>>()?);
    Ok(())
}

#[test]
fn runs_of_a_shard_give_the_bytes() -> Result<(), Box<dyn Error>> {
    let mut bytes = Vec::new();
    for seed in 0..20 {
        bytes.push(run(&twelve_cards(TRUTH.eight_cards.path(), 24, seed))?.bytes);
    }
    check_coverage("bytes", TRUTH.level.bytes, &bytes);
    Ok(())
}

/// 12 coarse cards on 8 exact ones and on coarse ones.
#[test]
fn coarse_levels_are_estimated_as_they_are_built() -> Result<(), Box<dyn Error>> {
    for (from, grain) in [(12, 10_000_000), (8, 100_000_000)] {
        let method = Method::Coarse(Grain::new(grain));
        let directory = tempfile::tempdir()?;
        let mut build = Build::new(directory.path(), 12);
        build.methods[from / 4..].fill(method);
        let manifest = build.run(&Silent, &Stop::default())?;
        let level = &manifest.levels[2];
        assert!(level.lookups < TRUTH.level.lookups, "{}", level.lookups);
        let estimate = |seed| Estimate {
            method,
            run: Some(8),
            ..twelve_cards(directory.path(), 64, seed)
        };
        let reports = (0..80).map(|seed| run(&estimate(seed)));
        check_counts(level, &reports.collect::<Result<Vec<_>, _>>()?);
    }
    Ok(())
}

#[test]
fn the_number_of_threads_changes_nothing() -> Result<(), Box<dyn Error>> {
    let two_threads = run(&twelve_cards(TRUTH.eight_cards.path(), 16, 7))?;
    let three_threads = run(&Estimate {
        threads: Some(3),
        ..twelve_cards(TRUTH.eight_cards.path(), 16, 7)
    })?;
    let totals = |of: &EstimateReport| [of.lookups, of.sets, of.nodes, of.bytes];
    assert_eq!(totals(&two_threads), totals(&three_threads));
    Ok(())
}

#[test]
fn the_time_bounds_all_of_it_and_what_is_finished_counts() -> Result<(), Box<dyn Error>> {
    let within = |milliseconds| Estimate {
        effort: Effort::Time(Duration::from_millis(milliseconds)),
        run: Some(1),
        ..twelve_cards(TRUTH.eight_cards.path(), 0, 1)
    };
    match run(&within(0)) {
        Err(EstimateError::NothingFinished {
            cards, predicted, ..
        }) => {
            assert_eq!(cards, 12);
            assert!((5_000_000..10_000_000).contains(&predicted), "{predicted}");
        }
        other => return Err(format!("{other:?}").into()),
    }
    // Cancelled after the first run of at least two rounds.
    let cancel = Arc::new(AtomicBool::new(false));
    let stop = Stop::from(Arc::clone(&cancel));
    let once = |_, _| {
        cancel.store(true, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(100));
    };
    let report = twelve_cards(TRUTH.eight_cards.path(), 16, 1).run(once, &stop)?;
    assert!((1..16).contains(&report.draws), "{}", report.draws);
    assert!(report.rounds < 2);
    let Projection { value, low, high } = report.lookups;
    assert!(value > 0.0 && low == 0.0 && high == f64::INFINITY);
    Ok(())
}

#[test]
fn no_level_and_no_database_are_errors_and_a_stop_ends_it() {
    for cards in [0, 6, 36] {
        let estimate = Estimate {
            cards,
            ..twelve_cards(TRUTH.eight_cards.path(), 16, 1)
        };
        assert!(matches!(run(&estimate), Err(EstimateError::Cards { .. })));
    }
    let nowhere = Path::new("/nonexistent/database");
    assert!(matches!(
        run(&twelve_cards(nowhere, 16, 1)),
        Err(EstimateError::Build(BuildError::Database(_)))
    ));
    for estimate in [
        Estimate::new(8),
        Estimate {
            cards: 16,
            ..twelve_cards(TRUTH.eight_cards.path(), 16, 1)
        },
    ] {
        let Err(EstimateError::NoLevelBelow { cards }) = run(&estimate) else {
            panic!("{} cards need the level below", estimate.cards);
        };
        assert_eq!(cards, estimate.cards);
    }
    assert!(run(&Estimate::new(4)).is_ok());
    let stop = Stop::default().by(Instant::now());
    let stopped = twelve_cards(TRUTH.eight_cards.path(), 16, 1).run(|_, _| (), &stop);
    assert!(matches!(
        stopped,
        Ok(_) | Err(EstimateError::NothingFinished { .. })
    ));
}
