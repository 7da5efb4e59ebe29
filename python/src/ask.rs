//! Questions in JSON, answered at the desk.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use pyo3::prelude::*;
use setrograde::{Desk, Spelling};
use setrograde_parallel::cores;

use crate::database::Database;
use crate::parallel::watched;

/// The answer to a question in JSON, in JSON; `names` are those of arguments by those of options.
/// Ctrl-C ends the search soon.
#[pyfunction]
pub fn ask(
    py: Python<'_>,
    question: &str,
    names: HashMap<String, String>,
    threads: Option<usize>,
    db: Option<&Bound<'_, Database>>,
) -> PyResult<String> {
    let cancel = Arc::new(AtomicBool::new(false));
    let mut desk = Desk::new(db.map(|db| Arc::clone(&db.get().database)))
        .with_threads(threads.unwrap_or_else(cores))
        .with_stop(Arc::clone(&cancel).into());
    watched(py, &cancel, || {
        let name = |option: &str| names.get(option).map_or(option, |name| name).to_owned();
        desk.ask_spelled(question, Spelling::Keywords(&name))
    })
}
