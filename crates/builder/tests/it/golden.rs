//! Builds make the same levels as before, with the same work.

use std::error::Error;
use std::fs;
use std::path::Path;

use setrograde_builder::{Build, Method, Silent, Stop};
use setrograde_lookup::format::manifest::{AnalysisRecord, LevelRecord, Manifest, level_path};

use crate::build_by;

/// Builds all levels up to 12 cards, and compares the bytes of the first two with those in
/// `golden`, whatever the threads.
fn build(method: Method, threads: usize, golden: &str) -> Result<Vec<LevelRecord>, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let build = Build {
        threads: Some(threads),
        ..build_by(method, directory.path(), 12)
    };
    let manifest = build.run(&Silent, &Stop::default())?;
    let golden = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(golden);
    for (built, record) in manifest.levels.iter().zip(Manifest::read(&golden)?.levels) {
        let bytes = |directory| fs::read(level_path(directory, record.level as usize));
        assert!(bytes(directory.path())? == bytes(&golden)?);
        // Builders of other versions did other work.
        let expected = LevelRecord {
            program: built.program.clone(),
            cpu_milliseconds: built.cpu_milliseconds,
            proofs: built.proofs,
            lookups: built.lookups,
            details: built.details,
            ..record
        };
        assert_eq!(*built, expected);
    }
    Ok(manifest.levels)
}

/// Partitions, sets, nodes, those of the largest diagram or tree, proofs and look-ups.
fn figures(record: &LevelRecord) -> [u64; 6] {
    [
        record.partitions,
        record.sets,
        record.nodes,
        record.largest,
        record.proofs,
        record.lookups,
    ]
}

#[test]
fn refine_makes_the_same_levels_with_the_same_work() -> Result<(), Box<dyn Error>> {
    let levels = build(Method::Refine, 1, "golden")?;
    assert_eq!(
        levels.iter().map(figures).collect::<Vec<_>>(),
        [
            [52, 73, 21, 1, 128, 157],
            [2_054, 6_203, 3_397, 15, 21_479, 64_280],
            [32_641, 366_034, 198_208, 120, 1_660_630, 7_087_550],
        ]
    );
    assert_eq!(levels[2].content, 14_304_424_368_817_402_831);
    // The header has the checksums of all shards. More threads have written the built-in level.
    assert_eq!(levels[2].checksum, 18_165_457_170_508_864_723);
    assert!(levels.iter().all(|record| record.analysis().is_none()));
    Ok(())
}

#[test]
fn setrograde_analysis_makes_the_same_levels_with_the_same_work() -> Result<(), Box<dyn Error>> {
    let levels = build(Method::Setrograde, 3, "golden-trees")?;
    assert_eq!(
        levels.iter().map(figures).collect::<Vec<_>>(),
        [
            [52, 73, 73, 2, 178, 188],
            [2_054, 5_959, 6_573, 40, 36_684, 89_469],
            [32_641, 317_549, 448_177, 554, 3_493_040, 12_878_006],
        ]
    );
    assert_eq!(levels[2].content, 16_789_435_378_372_569_374);
    let analysis = levels[2].analysis().ok_or("no analysis")?;
    assert!(analysis.solving_milliseconds <= analysis.elapsed_milliseconds);
    let expected = AnalysisRecord {
        generated: 557_431,
        independent: 468_067,
        longest_open_list: 226,
        candidates: 1_854_389,
        uncompacted: 468_067,
        ..analysis
    };
    assert_eq!(analysis, expected);
    Ok(())
}

/// An environment variable asks for reproducible files. The same test runs in a process with the
/// variable.
#[test]
fn a_manifest_has_times_unless_it_is_to_be_the_same_each_time() -> Result<(), Box<dyn Error>> {
    const VARIABLE: &str = "SOURCE_DATE_EPOCH";
    let directory = tempfile::tempdir()?;
    let build = build_by(Method::Setrograde, directory.path(), 8);
    let manifest = build.run(&Silent, &Stop::default())?;
    let record = &manifest.levels[1];
    let analysis = record.analysis().ok_or("no analysis")?;
    let times = [
        record.cpu_milliseconds,
        analysis.solving_milliseconds,
        analysis.elapsed_milliseconds,
    ];
    if std::env::var_os(VARIABLE).is_some() {
        assert_eq!(times, [0; 3]);
        return Ok(());
    }
    // Windows counts processor time in steps that are longer than a shard takes.
    let counted = &times[usize::from(cfg!(windows))..];
    assert!(counted.iter().all(|&time| time > 0), "{times:?}");
    let same = std::process::Command::new(std::env::current_exe()?)
        .args([
            "--exact",
            "a_manifest_has_times_unless_it_is_to_be_the_same_each_time",
        ])
        .env(VARIABLE, "0")
        .output()?;
    assert!(
        same.status.success(),
        "{}",
        String::from_utf8_lossy(&same.stdout)
    );
    Ok(())
}
