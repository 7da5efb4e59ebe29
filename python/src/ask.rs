//! Questions in JSON, answered at a desk.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use setrograde_parallel::{cores, lock};

use crate::database::Database;
use crate::parallel::watched;

/// Answers questions, and keeps the tables of its searches.
#[pyclass(frozen, module = "setrograde._native")]
pub struct Desk(Mutex<setrograde::Desk>);

#[pymethods]
impl Desk {
    #[new]
    fn new(threads: Option<usize>, db: Option<&Bound<'_, Database>>) -> Desk {
        let desk = setrograde::Desk::new(db.map(|db| Arc::clone(&db.get().database)));
        Desk(Mutex::new(desk.with_threads(threads.unwrap_or_else(cores))))
    }

    /// The answer to a question in JSON, in JSON. Ctrl-C ends the search soon.
    fn ask(&self, py: Python<'_>, question: &str) -> PyResult<String> {
        let cancel = Arc::new(AtomicBool::new(false));
        watched(py, &cancel, || {
            // A panic leaves at most a table of sound entries behind.
            let mut desk = lock(&self.0);
            desk.set_stop(Arc::clone(&cancel).into());
            desk.ask(question)
        })
    }
}
