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
    drop(state);
    ENDED.notify_all();
}

/// Runs a search with a solver that knows nothing, when it is its turn.
pub fn search<Answer>(question: impl FnOnce(&mut Solver) -> Answer) -> Answer {
    let (_turn, options) = Turn::wait();
    // Freed before the turn ends.
    let mut solver = Solver::new(options);
    question(&mut solver)
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
        // If a thread cannot be started, continue with fewer.
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
