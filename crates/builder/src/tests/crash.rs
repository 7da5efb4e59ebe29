//! Builds that fail at every call to the file system in turn, and continue.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{fs, io};

use setrograde_lookup::Database;
use setrograde_lookup::format::manifest::{self, Manifest};

use super::faulty::{Fault, Faulty, files_below};
use setrograde_parallel::Stop;

use crate::files::Files;
use crate::{Build, BuildError, Silent};

fn build(directory: &Path, cards: usize, files: &dyn Files) -> Result<Manifest, BuildError> {
    let build = Build {
        threads: Some(1),
        ..Build::new(directory, cards)
    };
    build.run_with(files, &Silent, &Stop::default())
}

/// The files of a database, without the manifest, which has times in it.
fn levels(directory: &Path) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let manifest = manifest::path_in(directory);
    let mut levels = BTreeMap::new();
    for path in files_below(directory)? {
        if path != manifest {
            let name = path.strip_prefix(directory).unwrap_or(&path).to_owned();
            levels.insert(name, fs::read(path)?);
        }
    }
    Ok(levels)
}

/// Fails a build after `calls` calls, and continues it with another build. Returns false if the
/// build ended before that call.
fn fails_and_goes_on(
    cards: usize,
    fault: Fault,
    calls: usize,
    right: &BTreeMap<PathBuf, Vec<u8>>,
) -> Result<bool, Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let directory = directory.path();
    let files = Faulty::new(directory, fault, calls)?;
    let result = build(directory, cards, &files);
    if !files.has_failed() {
        result?;
        return Ok(false);
    }
    // The next build removes what this one cannot.
    if result.is_ok() && !files.has_failed_to_remove() {
        return Err("a failure passed unnoticed".into());
    }
    files.aftermath()?;
    // Every level of the manifest exists and is sound.
    match Database::open(directory) {
        Ok(database) => {
            for level in database.levels() {
                level.check()?;
            }
        }
        Err(setrograde_lookup::Error::NoDatabase { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    // No fault; this file system only avoids syncing, and is faster.
    let files = Faulty::new(directory, Fault::Error, usize::MAX)?;
    build(directory, cards, &files)?;
    if levels(directory)? != *right {
        return Err("the files are not the same".into());
    }
    let records = Manifest::read_file(directory)?.levels;
    if records.iter().any(|record| record.program.is_empty()) {
        return Err("the manifest has forgotten the work".into());
    }
    Ok(true)
}

/// Every `step`-th call of a build fails, with each fault.
fn every(step: usize, cards: usize) -> Result<(), Box<dyn Error>> {
    let reference = tempfile::tempdir()?;
    let files = Faulty::new(reference.path(), Fault::Error, usize::MAX)?;
    build(reference.path(), cards, &files)?;
    let right = levels(reference.path())?;
    for fault in Fault::ALL {
        let mut calls = 0;
        while fails_and_goes_on(cards, fault, calls, &right)
            .map_err(|error| format!("{fault:?} after {calls} calls: {error}"))?
        {
            calls += step;
        }
    }
    Ok(())
}

#[test]
fn what_is_finished_survives_a_power_cut() -> Result<(), Box<dyn Error>> {
    let directory = tempfile::tempdir()?;
    let directory = directory.path();
    let files = Faulty::new(directory, Fault::PowerCut, usize::MAX)?;
    let manifest = build(directory, 8, &files)?;
    let before = levels(directory)?;
    files.aftermath()?;
    assert_eq!(Manifest::read(directory)?, manifest);
    let after = levels(directory)?;
    for (name, bytes) in before {
        // Locks are empty, and never made durable.
        let is_kept = bytes.is_empty() || after.get(&name) == Some(&bytes);
        assert!(is_kept, "{}", name.display());
    }
    Ok(())
}

#[test]
fn every_failing_call_in_a_build_of_8_cards_leaves_what_goes_on() -> Result<(), Box<dyn Error>> {
    every(1, 8)
}

#[test]
fn some_failing_calls_in_a_build_of_12_cards_leave_what_goes_on() -> Result<(), Box<dyn Error>> {
    every(131, 12)
}

/// Takes some minutes. Run it with
/// `cargo test --release -p setrograde-builder -- --ignored of_12`.
#[test]
#[ignore = "takes long"]
fn every_failing_call_in_a_build_of_12_cards_leaves_what_goes_on() -> Result<(), Box<dyn Error>> {
    every(1, 12)
}
