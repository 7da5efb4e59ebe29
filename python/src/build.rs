//! Building databases.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use setrograde::causes;
use setrograde_builder::{Build, BuildError, BuildObserver, Method, Portion, Stop};
use setrograde_lookup::Error;

use crate::input::{os_error, value_error};
use crate::parallel::reporting;

/// Counts the partitions of the level being built.
#[derive(Default)]
struct PartitionCounter {
    cards: AtomicUsize,
    done: AtomicUsize,
    all: AtomicUsize,
}

impl BuildObserver for PartitionCounter {
    fn begun(&self, cards: usize, all: Portion) {
        self.cards.store(cards, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all.partitions as usize, Ordering::Relaxed);
    }

    fn resumed(&self, part: Portion) {
        self.advanced(part);
    }

    fn advanced(&self, part: Portion) {
        self.done
            .fetch_add(part.partitions as usize, Ordering::Relaxed);
    }
}

/// Builds all levels up to `cards` that the directory lacks. `progress` is
/// called with the cards of the level, and its partitions done and in all.
#[pyfunction]
pub fn build(
    py: Python<'_>,
    cards: usize,
    path: PathBuf,
    method: &str,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let mut build = Build::new(path, cards);
    build.methods.fill(match method {
        "refine" => Method::Refine,
        "setrograde" => Method::Setrograde,
        _ => {
            return Err(value_error(format_args!(
                "method: {method:?} is none of 'refine', 'setrograde'"
            )));
        }
    });
    build.threads = threads;
    let (counter, cancel) = (
        PartitionCounter::default(),
        Arc::new(AtomicBool::new(false)),
    );
    let stop = Stop::from(Arc::clone(&cancel));
    let count = |counter: &AtomicUsize| counter.load(Ordering::Relaxed);
    let progress_report = |py: Python<'_>| {
        if let Some(progress) = &progress {
            let state = (
                count(&counter.cards),
                count(&counter.done),
                count(&counter.all),
            );
            progress.call1(py, state)?;
        }
        Ok(())
    };
    reporting(py, &cancel, progress_report, || build.run(&counter, &stop))?
        .map(drop)
        .map_err(|error| match &error {
            BuildError::Cards { .. } => value_error(format_args!("cards: {error}")),
            BuildError::Database(Error::Io { path, .. }) => os_error(&error, path),
            _ => PyRuntimeError::new_err(causes(&error)),
        })
}
