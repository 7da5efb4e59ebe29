//! Integration tests: each file keeps one promise about builds.

mod both_methods;
mod chunks;
mod estimate;
mod golden;
mod strangers;
mod unpack;

use std::path::{Path, PathBuf};
use std::{fs, io};

use setrograde_builder::{Build, BuildError, DEEPEST, Method, Silent, Stop};
use tempfile::TempDir;

/// A build of two threads.
fn build(directory: &Path, cards: usize) -> Build {
    Build {
        threads: Some(2),
        ..Build::new(directory, cards)
    }
}

/// The same, with all levels by one method.
fn build_by(method: Method, directory: &Path, cards: usize) -> Build {
    Build {
        methods: [method; DEEPEST + 1],
        ..build(directory, cards)
    }
}

/// A database up to this number of cards.
fn built(cards: usize) -> Result<TempDir, BuildError> {
    let directory = tempfile::tempdir().expect("a directory");
    build(directory.path(), cards).run(&Silent, &Stop::default())?;
    Ok(directory)
}

/// The journals of a level, without their locks.
fn journals(directory: &Path, cards: usize) -> io::Result<Vec<PathBuf>> {
    let work = directory.join(format!("level-{cards:02}.work"));
    let entries = fs::read_dir(work)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| !path.display().to_string().contains("lock."));
    paths.sort();
    Ok(paths)
}
