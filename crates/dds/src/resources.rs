//! The number of searches at once, and the memory and database that they may use.
//!
//! No thread and no table outlives the call that needed it, so that the library
//! can be unloaded and a process can end or fork at any time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use setrograde_solver::{Endgames, Options, Solver};

use crate::database;

/// Bytes that a worker's table may take if the caller sets no limit. Few need
/// as much.
const USUAL_TABLE: usize = 256 << 20;

pub struct State {
    limits: Limits,
    /// Searches under way.
    busy: usize,
    /// Whether this process was forked with the library loaded.
    is_forked: bool,
    /// The endgame database; `None` before it was looked for.
    endgames: Option<Option<Arc<dyn Endgames>>>,
}

/// The limits that the caller has set; `None` stands for no limit.
#[derive(Clone, Copy)]
struct Limits {
    /// Bytes for all tables together.
    memory: Option<usize>,
    /// Workers of one call.
    workers: Option<usize>,
    /// Whether `workers` also holds for the caller's own threads.
    strict: bool,
}

static STATE: Mutex<State> = Mutex::new(State {
    limits: Limits {
        memory: None,
        workers: None,
        strict: false,
    },
    busy: 0,
    is_forked: false,
    endgames: None,
});

/// Tells those who wait for their turn that a search has ended.
static ENDED: Condvar = Condvar::new();

fn state() -> MutexGuard<'static, State> {
    // Nothing that can panic leaves the state half changed.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state, locked; see `fork`.
#[cfg(target_os = "linux")]
pub struct Locked(MutexGuard<'static, State>);

/// Locks the state.
#[cfg(target_os = "linux")]
pub fn lock() -> Locked {
    Locked(state())
}

#[cfg(target_os = "linux")]
impl Locked {
    /// Takes all searches for ended: their threads are not in this process. From now on
    /// each call searches in its caller's thread: a new thread would be given the stack of
    /// one that was ending when the process was forked, and the C library (glibc 2.36) may
    /// free its thread-local memory twice.
    pub fn forget_searches(&mut self) {
        self.0.busy = 0;
        self.0.is_forked = true;
    }
}

/// The number of processors; 0 before it was looked for, which takes longer than
/// a small search.
static PROCESSORS: AtomicUsize = AtomicUsize::new(0);

/// The number of processors.
pub fn processors() -> usize {
    match PROCESSORS.load(Ordering::Relaxed) {
        0 => {
            let number = thread::available_parallelism().map_or(1, usize::from);
            PROCESSORS.store(number, Ordering::Relaxed);
            number
        }
        number => number,
    }
}

impl Limits {
    fn workers(&self) -> usize {
        let most = processors();
        self.workers.map_or(most, |workers| workers.min(most))
    }

    fn at_once(&self) -> usize {
        if self.strict {
            self.workers()
        } else {
            processors()
        }
    }

    /// Bytes for one table.
    fn table(&self) -> usize {
        self.memory
            .map_or(USUAL_TABLE, |memory| memory / self.at_once())
    }
}

/// Workers of one call at most.
pub fn workers() -> usize {
    let state = state();
    if state.is_forked {
        1
    } else {
        state.limits.workers()
    }
}

/// Sets the limits; `None` stands for as much as there is. With `memory` set
/// no more than `workers` searches run at once, in the whole process.
pub fn set_limits(memory: Option<usize>, workers: Option<usize>) {
    let mut state = state();
    state.limits = Limits {
        memory,
        workers,
        strict: memory.is_some() && workers.is_some(),
    };
    drop(state);
    ENDED.notify_all();
}

/// Runs a search with a solver that knows nothing, when it is its turn.
pub fn search<Answer>(question: impl FnOnce(&mut Solver) -> Answer) -> Answer {
    question(&mut Searcher::wait().solver)
}

/// A solver with the right to search.
struct Searcher {
    // Freed before the turn ends.
    solver: Solver,
    _turn: Turn,
}

impl Searcher {
    fn wait() -> Searcher {
        let (turn, options) = Turn::wait();
        Searcher {
            solver: Solver::new(options),
            _turn: turn,
        }
    }
}

/// The right to search.
struct Turn;

impl Turn {
    fn wait() -> (Turn, Options) {
        let mut state = state();
        while state.busy >= state.limits.at_once() {
            state = ENDED.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy += 1;
        let options = Options {
            memory: state.limits.table(),
            endgames: state.endgames.get_or_insert_with(database::open).clone(),
            ..Options::default()
        };
        (Turn, options)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = state();
        state.busy = state.busy.saturating_sub(1);
        drop(state);
        ENDED.notify_one();
    }
}

/// Answers questions side by side, in their order, by as many workers as the
/// caller allows in general and by at most `threads`. What a worker's solver has
/// learned serves its next question, if that is about the same deal.
pub fn search_each<Question: Sync, Answer: Send>(
    questions: &[Question],
    threads: Option<usize>,
    answer: impl Fn(&mut Solver, &Question) -> Answer + Sync,
) -> Vec<Answer> {
    let threads = workers().min(threads.unwrap_or(usize::MAX));
    setrograde_ordered::each(questions.len(), threads, Searcher::wait, |searcher, n| {
        answer(&mut searcher.solver, &questions[n])
    })
}
