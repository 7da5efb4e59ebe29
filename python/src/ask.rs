//! Questions in JSON, answered at a desk.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use setrograde::Spelling;
use setrograde_parallel::cores;

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

    /// The answer to a question in JSON, in JSON; `names` are those of arguments by those of
    /// options. Ctrl-C ends the search soon.
    fn ask(
        &self,
        py: Python<'_>,
        question: &str,
        names: HashMap<String, String>,
    ) -> PyResult<String> {
        let cancel = Arc::new(AtomicBool::new(false));
        watched(py, &cancel, || {
            let name = |option: &str| names.get(option).map_or(option, |name| name).to_owned();
            // A panic leaves at most a table of sound entries behind.
            let mut desk = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            desk.set_stop(Arc::clone(&cancel).into());
            desk.ask_spelled(question, Spelling::Keywords(&name))
        })
    }
}
