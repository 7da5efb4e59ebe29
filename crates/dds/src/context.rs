//! Contexts: solvers that callers keep from call to call, as in DDS 3.

use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard};

use setrograde_parallel::lock;
use setrograde_solver::Solver;

use crate::numbers::positive;
use crate::resources::SearchPermit;

/// A solver for one caller. Threads that share it take turns.
pub struct Context(Mutex<CallerSolver>);

struct CallerSolver {
    /// `None` before the first question, and while one is answered.
    solver: Option<Solver>,
    /// Bytes for its table, if the caller sets a limit.
    memory: Option<usize>,
}

impl Context {
    /// A context with a limit in MiB, if it is positive.
    pub fn new(megabytes: c_int) -> Context {
        Context(Mutex::new(CallerSolver {
            solver: None,
            memory: bytes(megabytes),
        }))
    }

    /// Sets the limit in MiB, if it is positive, or takes it away. A new limit makes the
    /// solver forget.
    pub fn set_memory(&self, megabytes: c_int) {
        let mut kept = self.kept();
        if kept.memory != bytes(megabytes) {
            kept.memory = bytes(megabytes);
            kept.solver = None;
        }
    }

    /// Clears the table and frees its memory.
    pub fn clear(&self) {
        self.kept().solver = None;
    }

    /// Runs a search when it is its turn.
    pub fn search<Answer>(&self, question: impl FnOnce(&mut Solver) -> Answer) -> Answer {
        let mut kept = self.kept();
        let turn = SearchPermit::wait();
        // A solver that panics is not put back.
        let mut solver = match kept.solver.take() {
            Some(solver) => solver,
            None => Solver::new(turn.options(kept.memory)),
        };
        let answer = question(&mut solver);
        kept.solver = Some(solver);
        answer
    }

    fn kept(&self) -> MutexGuard<'_, CallerSolver> {
        lock(&self.0)
    }
}

fn bytes(megabytes: c_int) -> Option<usize> {
    positive(megabytes).map(|megabytes| megabytes << 20)
}
