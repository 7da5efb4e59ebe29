//! The number of searches at once, and the memory and database that they may use.
//!
//! No thread outlives the call that needed it, so the library can be unloaded and a process can end
//! or fork at any time. Solvers do: the next question may be about the same deal, and their memory
//! need not be fetched again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use setrograde_solver::{Endgames, Options, Solver};

use crate::database;

/// Bytes that a worker's table may take if the caller sets no limit. Few need
/// as much.
const USUAL_TABLE: usize = 256 << 20;

/// Bytes that an idle solver may keep.
const IDLE_TABLE: usize = 40 << 20;

pub struct State {
    limits: CallLimits,
    /// Number of times that they were changed.
    changes: usize,
    /// Searches under way.
    busy: usize,
    /// True if this process was forked with the library loaded.
    is_forked: bool,
    /// The endgame database; `None` before the first search for it.
    endgames: Option<Option<Arc<dyn Endgames>>>,
    /// Unused solvers, each with the thread index of the call that used it last.
    idle: Vec<(usize, Solver)>,
}

/// The limits that the caller has set; `None` means no limit.
#[derive(Clone, Copy)]
struct CallLimits {
    /// Bytes for all tables together.
    memory: Option<usize>,
    /// Workers of one call.
    workers: Option<usize>,
    /// True if `workers` also holds for the caller's own threads.
    strict: bool,
}

static STATE: Mutex<State> = Mutex::new(State {
    limits: CallLimits {
        memory: None,
        workers: None,
        strict: false,
    },
    changes: 0,
    busy: 0,
    is_forked: false,
    endgames: None,
    idle: Vec::new(),
});

/// Wakes waiting searches after one has ended.
static ENDED: Condvar = Condvar::new();

fn state() -> MutexGuard<'static, State> {
    // Nothing that can panic leaves the state half changed.
    setrograde_parallel::lock(&STATE)
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
    /// Counts all searches as ended, because their threads are not in this process. From now on
    /// each call searches in its caller's thread: a new thread could reuse the stack of a thread
    /// that was ending at the fork, and the C library (glibc 2.36) may free its thread-local memory
    /// twice.
    pub fn forget_searches(&mut self) {
        self.0.busy = 0;
        self.0.is_forked = true;
    }
}

/// Number of processors; 0 until it is determined, which takes longer than a small search.
static PROCESSORS: AtomicUsize = AtomicUsize::new(0);

/// Returns the number of processors.
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

impl CallLimits {
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

/// Sets the limits; `None` means the machine's own. With `memory` set
/// no more than `workers` searches run at once, in the whole process.
pub fn set_limits(memory: Option<usize>, workers: Option<usize>) {
    let mut state = state();
    state.limits = CallLimits {
        memory,
        workers,
        strict: memory.is_some() && workers.is_some(),
    };
    state.changes += 1;
    // Theirs are the old limits.
    let idle = std::mem::take(&mut state.idle);
    drop(state);
    drop(idle);
    ENDED.notify_all();
}

/// Frees the idle solvers.
pub fn free() {
    let idle = std::mem::take(&mut state().idle);
    drop(idle);
}

/// Runs a search when it is its turn, with the solver that the last call with this thread
/// index in use, if there is one.
pub fn search<Answer>(thread: usize, question: impl FnOnce(&mut Solver) -> Answer) -> Answer {
    question(Searcher::wait(thread).solver())
}

/// A solver with the right to search.
struct Searcher {
    /// `None` once it is given back.
    solver: Option<Solver>,
    thread: usize,
    /// Number of changes of the limits before its own.
    limits: usize,
    _turn: SearchPermit,
}

impl Searcher {
    fn wait(thread: usize) -> Searcher {
        let turn = SearchPermit::wait();
        let mut state = state();
        let of_thread = state.idle.iter().position(|&(last, _)| last == thread);
        let limits = state.changes;
        let nth = of_thread.or(state.idle.len().checked_sub(1));
        let solver = match nth {
            Some(nth) => state.idle.swap_remove(nth).1,
            None => {
                let options = state.options();
                drop(state);
                Solver::new(options)
            }
        };
        Searcher {
            solver: Some(solver),
            thread,
            limits,
            _turn: turn,
        }
    }

    fn solver(&mut self) -> &mut Solver {
        self.solver.as_mut().expect("it is given back last")
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        let Some(mut solver) = self.solver.take() else {
            return;
        };
        if solver.memory() > IDLE_TABLE {
            solver.clear();
        }
        let mut state = state();
        // After a panic its memory may be half changed.
        let kept = !std::thread::panicking()
            && self.limits == state.changes
            && state.idle.len() < state.limits.at_once();
        let rest = if kept {
            state.idle.push((self.thread, solver));
            None
        } else {
            Some(solver)
        };
        drop(state);
        drop(rest);
    }
}

impl State {
    /// The options of a new solver.
    fn options(&mut self) -> Options {
        Options {
            memory: self.limits.table(),
            endgames: self.endgames.get_or_insert_with(database::open).clone(),
            ..Options::default()
        }
    }
}

/// The right to search.
pub struct SearchPermit;

impl SearchPermit {
    /// Waits for it.
    pub fn wait() -> SearchPermit {
        let mut state = state();
        while state.busy >= state.limits.at_once() {
            state = ENDED.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy += 1;
        SearchPermit
    }

    /// The options of a new solver, which may be limited further.
    pub fn options(&self, memory: Option<usize>) -> Options {
        let mut options = state().options();
        options.memory = options.memory.min(memory.unwrap_or(usize::MAX));
        options
    }
}

impl Drop for SearchPermit {
    fn drop(&mut self) {
        let mut state = state();
        state.busy = state.busy.saturating_sub(1);
        drop(state);
        ENDED.notify_one();
    }
}

/// Answers questions side by side, in their order, by as many workers as the caller allows in
/// general and by at most `threads`. A worker's solver reuses its table for the next question, if
/// that is about the same deal.
pub fn search_each<Question: Sync, Answer: Send>(
    questions: &[Question],
    threads: Option<usize>,
    answer: impl Fn(&mut Solver, &Question) -> Answer + Sync,
) -> Vec<Answer> {
    let threads = workers().min(threads.unwrap_or(usize::MAX));
    let searcher = || Searcher::wait(0);
    setrograde_parallel::each(questions.len(), threads, searcher, |searcher, n| {
        answer(searcher.solver(), &questions[n])
    })
}
