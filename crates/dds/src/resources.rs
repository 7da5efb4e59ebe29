//! The solvers, how many may search at once, and what they may use.
//!
//! No thread outlives the call that needed it, so that the library can be
//! unloaded and a process can end or fork at any time. What stays from call to
//! call is a list of idle solvers, kept for their memory.

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
    /// Solvers not in use, made under the present limits.
    idle: Vec<Solver>,
    /// Raised when the limits change.
    generation: u64,
    /// The endgame database; `None` before it was looked for.
    endgames: Option<Option<Arc<dyn Endgames>>>,
}

/// What the caller has allowed; `None` for as much as there is.
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
    idle: Vec::new(),
    generation: 0,
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
    /// Takes all searches for ended: their threads are not in this process.
    pub fn forget_searches(&mut self) {
        self.0.busy = 0;
    }
}

/// The number of processors.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
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
    state().limits.workers()
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
    state.generation += 1;
    state.idle = Vec::new();
    drop(state);
    ENDED.notify_all();
}

/// Gives back the memory of all solvers that are not in use.
pub fn free() {
    let mut state = state();
    state.generation += 1;
    state.idle = Vec::new();
}

/// Runs a search, when it is its turn.
pub fn search<Answer>(question: impl FnOnce(&mut Solver) -> Answer) -> Answer {
    let mut turn = Turn::wait();
    question(&mut turn.solver)
}

/// The right to search, with a solver that knows nothing.
struct Turn {
    solver: Solver,
    generation: u64,
}

impl Turn {
    fn wait() -> Turn {
        let mut state = state();
        while state.busy >= state.limits.at_once() {
            state = ENDED.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.busy += 1;
        let generation = state.generation;
        let solver = state.idle.pop();
        let memory = state.limits.table();
        let endgames = state.endgames.get_or_insert_with(database::open).clone();
        drop(state);
        let solver = solver.unwrap_or_else(|| {
            Solver::new(Options {
                memory,
                endgames,
                ..Options::default()
            })
        });
        Turn { solver, generation }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut solver = Solver::new(Options::default());
        std::mem::swap(&mut solver, &mut self.solver);
        let mut state = state();
        state.busy = state.busy.saturating_sub(1);
        if state.generation == self.generation && !thread::panicking() {
            solver.clear();
            state.idle.push(solver);
        }
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
    let next = AtomicUsize::new(0);
    let work = || {
        let mut answers = Vec::new();
        search(|solver| {
            while let Some((place, question)) = {
                let place = next.fetch_add(1, Ordering::Relaxed);
                questions.get(place).map(|question| (place, question))
            } {
                answers.push((place, answer(solver, question)));
            }
        });
        answers
    };
    let workers = workers().min(threads.unwrap_or(usize::MAX));
    let others = workers.min(questions.len()).saturating_sub(1);
    let mut answers = thread::scope(|scope| {
        // A thread that cannot be started is done without.
        let others: Vec<_> = (0..others)
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut answers = work();
        for other in others {
            match other.join() {
                Ok(more) => answers.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        answers
    });
    answers.sort_unstable_by_key(|(place, _)| *place);
    answers.into_iter().map(|(_, answer)| answer).collect()
}
