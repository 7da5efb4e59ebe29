//! Estimates against the truth: a level of 12 cards that was built.

use std::error::Error;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use setrograde_builder::{
    Build, CoarseLevels, Effort, Estimate, EstimateError, EstimateObserver, EstimateReport,
    Projection, Silent,
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
            .run(&Silent, &AtomicBool::new(false))
            .expect("it builds");
        (directory, manifest)
    };
    let (_, manifest) = build(12);
    Truth {
        eight_cards: build(8).0,
        level: manifest.levels[2].clone(),
    }
});

fn twelve_cards(database: Option<&Path>, draws: usize, seed: u64) -> Estimate {
    Estimate {
        cards: 12,
        database: database.map(Path::to_owned),
        coarse: None,
        effort: Effort::Draws(draws),
        seed,
        run: None,
        threads: Some(2),
    }
}

fn run(estimate: &Estimate) -> Result<EstimateReport, EstimateError> {
    estimate.run(&Silent, &AtomicBool::new(false))
}

/// Counts how often the truth lies in the interval, and checks that the mean of
/// all estimates is near it.
fn check_coverage(name: &str, truth: u64, projections: &[Projection]) {
    let truth = truth as f64;
    let count = projections.len();
    let inside = projections
        .iter()
        .filter(|projection| (projection.low..=projection.high).contains(&truth))
        .count();
    assert!(
        inside * 100 >= count * 90,
        "{name}: {truth} is inside {inside} of {count} intervals"
    );
    let mean = projections
        .iter()
        .map(|projection| projection.value)
        .sum::<f64>()
        / count as f64;
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
    let level = &TRUTH.level;
    let mut reports = Vec::new();
    for seed in 0..100 {
        reports.push(run(&Estimate {
            run: Some(16),
            ..twelve_cards(Some(TRUTH.eight_cards.path()), 32, seed)
        })?);
    }
    check_counts(level, &reports);
    Ok(())
}

#[test]
fn runs_of_a_shard_give_the_bytes() -> Result<(), Box<dyn Error>> {
    let mut bytes = Vec::new();
    for seed in 0..20 {
        bytes.push(run(&twelve_cards(Some(TRUTH.eight_cards.path()), 24, seed))?.bytes);
    }
    check_coverage("bytes", TRUTH.level.bytes, &bytes);
    Ok(())
}

/// 12 coarse cards on 8 exact ones and on coarse ones, which are not in the database.
#[test]
fn coarse_levels_are_estimated_as_they_are_built() -> Result<(), Box<dyn Error>> {
    for (from, grain) in [(12, 10_000_000), (8, 100_000_000)] {
        let coarse = Some(CoarseLevels {
            from,
            grain: Grain::new(grain).into(),
        });
        let directory = tempfile::tempdir()?;
        let build = Build {
            coarse,
            ..Build::new(directory.path(), 12)
        };
        let manifest = build.run(&Silent, &AtomicBool::new(false))?;
        let level = &manifest.levels[2];
        assert!(level.lookups < TRUTH.level.lookups, "{}", level.lookups);
        let mut reports = Vec::new();
        for seed in 0..80 {
            reports.push(run(&Estimate {
                coarse,
                run: Some(32),
                ..twelve_cards(None, 64, seed)
            })?);
        }
        check_counts(level, &reports);
    }
    Ok(())
}

#[test]
fn levels_built_on_the_fly_give_the_same_as_those_of_a_database() -> Result<(), Box<dyn Error>> {
    let stored = run(&twelve_cards(Some(TRUTH.eight_cards.path()), 16, 7))?;
    let on_the_fly = run(&twelve_cards(None, 16, 7))?;
    let three_threads = run(&Estimate {
        threads: Some(3),
        ..twelve_cards(None, 16, 7)
    })?;
    assert!(stored.on_the_fly.is_empty());
    assert_eq!(on_the_fly.on_the_fly.len(), 2);
    assert_eq!(on_the_fly.on_the_fly, three_threads.on_the_fly);
    let totals = |report: &EstimateReport| {
        let EstimateReport {
            lookups,
            sets,
            nodes,
            bytes,
            ..
        } = *report;
        [lookups, sets, nodes, bytes]
    };
    assert_eq!(totals(&stored), totals(&on_the_fly));
    assert_eq!(totals(&on_the_fly), totals(&three_threads));
    Ok(())
}

#[test]
fn the_time_bounds_all_of_it_and_what_is_finished_counts() -> Result<(), Box<dyn Error>> {
    let within = |milliseconds| Estimate {
        effort: Effort::Time(Duration::from_millis(milliseconds)),
        run: Some(1),
        ..twelve_cards(None, 0, 1)
    };
    match run(&within(0)) {
        Err(EstimateError::NothingFinished {
            cards,
            predicted,
            missing,
            ..
        }) => {
            assert_eq!(cards, 12);
            assert!((5_000_000..10_000_000).contains(&predicted), "{predicted}");
            let levels: Vec<_> = missing
                .iter()
                .map(|level| (level.cards, level.all))
                .collect();
            assert_eq!(levels, [(8, 2_054), (4, 52)]);
        }
        other => return Err(format!("{other:?}").into()),
    }
    // Cancelled after the first run of at least two rounds.
    struct Once<'a>(&'a AtomicBool);
    impl EstimateObserver for Once<'_> {
        fn drawn(&self, _: usize, _: Duration) {
            self.0.store(true, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(100));
        }
    }
    let cancel = AtomicBool::new(false);
    let report = twelve_cards(None, 16, 1).run(&Once(&cancel), &cancel)?;
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
            ..twelve_cards(None, 16, 1)
        };
        assert!(matches!(run(&estimate), Err(EstimateError::Cards { .. })));
    }
    let nowhere = Path::new("/nonexistent/database");
    assert!(matches!(
        run(&twelve_cards(Some(nowhere), 16, 1)),
        Err(EstimateError::Database(_))
    ));
    let stopped = twelve_cards(None, 16, 1).run(&Silent, &AtomicBool::new(true));
    assert!(matches!(
        stopped,
        Ok(_) | Err(EstimateError::NothingFinished { .. })
    ));
}
