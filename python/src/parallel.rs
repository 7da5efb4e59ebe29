//! Many questions side by side, with signals and progress.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use setrograde::causes;
use setrograde_parallel::{cores, each, in_order, lock};
use setrograde_solver::{Endgames, Options, SolveError, Solver};

use crate::database::Database;

/// The period of checking for signals and reporting progress.
const PERIOD: Duration = Duration::from_millis(50);

/// The resources that searches may use: threads, one a core if `None`; a database; and what is
/// called with the number of answers so far.
#[derive(FromPyObject)]
pub struct Means(
    pub Option<usize>,
    pub Option<Py<Database>>,
    pub Option<Py<PyAny>>,
);

/// The answers to `count` questions, in their order. A signal such as Ctrl-C
/// ends the searches soon. `name` is the argument with the questions, for errors.
pub fn answers<T: Clone + Send>(
    py: Python<'_>,
    name: &str,
    count: usize,
    means: &Means,
    answer: impl Fn(&mut Solver, usize) -> Result<T, SolveError> + Sync,
) -> PyResult<Vec<T>> {
    each_answer(
        py,
        name,
        count,
        means,
        answer,
        None::<fn(Python<'_>, usize, T) -> PyResult<()>>,
    )
}

/// [`answers`], of which each is handed to `take` with its number as soon as all before it are
/// there. An error, a signal or an error of `take` loses no answer before it.
pub fn each_answer<T: Clone + Send>(
    py: Python<'_>,
    name: &str,
    count: usize,
    means: &Means,
    answer: impl Fn(&mut Solver, usize) -> Result<T, SolveError> + Sync,
    take: Option<impl Fn(Python<'_>, usize, T) -> PyResult<()> + Send + Sync>,
) -> PyResult<Vec<T>> {
    let Means(threads, db, progress) = means;
    let db = db.as_ref();
    let cancel = Arc::new(AtomicBool::new(false));
    let done = AtomicUsize::new(0);
    let solver = || {
        Solver::new(Options {
            endgames: db.map(|db| Arc::clone(&db.get().database) as Arc<dyn Endgames>),
            stop: Arc::clone(&cancel).into(),
            ..Options::default()
        })
    };
    let found = Mutex::new(Vec::with_capacity(count));
    let taken = AtomicUsize::new(0);
    let progress_report = |py: Python<'_>| {
        if let Some(take) = &take {
            // `take` is Python code, which may last, so the answers are copied.
            let first = taken.load(Ordering::Relaxed);
            let new = lock(&found)[first..].to_vec();
            for (number, answer) in (first..).zip(new) {
                taken.store(number + 1, Ordering::Relaxed);
                take(py, number, answer)?;
            }
        }
        report(py, progress.as_ref(), &done)
    };
    let end = reporting(py, &cancel, progress_report, || {
        in_order(
            0..count,
            threads.unwrap_or_else(cores).min(count),
            solver,
            |solver, n| {
                let outcome = answer(solver, n);
                done.fetch_add(usize::from(outcome.is_ok()), Ordering::Relaxed);
                outcome
            },
            |outcome| match outcome {
                None => ControlFlow::Continue(()),
                Some(Ok(answer)) => {
                    lock(&found).push(answer);
                    ControlFlow::Continue(())
                }
                Some(Err(error)) => {
                    cancel.store(true, Ordering::Relaxed);
                    ControlFlow::Break(error)
                }
            },
        )
    })?;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    match end {
        ControlFlow::Continue(()) => Ok(found),
        ControlFlow::Break(error) => {
            let error = match count {
                1 => causes(&error),
                _ => format!("{name}[{}]: {}", found.len(), causes(&error)),
            };
            Err(PyRuntimeError::new_err(error))
        }
    }
}

/// Calls `progress` with the number that is done.
pub fn report(py: Python<'_>, progress: Option<&Py<PyAny>>, done: &AtomicUsize) -> PyResult<()> {
    match progress {
        Some(progress) => progress
            .call1(py, (done.load(Ordering::Relaxed),))
            .map(drop),
        None => Ok(()),
    }
}

/// The results of `work` for 0 to `count`, in order, on one thread a core unless `threads` says how
/// many. Each thread has its own state, made by `start`. Once `cancel` is set, nothing more is
/// begun.
pub fn side_by_side<S, T: Send>(
    count: usize,
    threads: Option<usize>,
    cancel: &AtomicBool,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let threads = threads.unwrap_or_else(cores);
    let results = each(count, threads, start, |state, n| {
        let cancelled = cancel.load(Ordering::Relaxed);
        (!cancelled).then(|| work(state, n))
    });
    results.into_iter().flatten().collect()
}

/// The items of an argument that are read before a signal is looked for.
const ITEMS: usize = 1 << 10;

/// Looks for a signal such as Ctrl-C at each so many items of an argument that is read.
pub fn listen(py: Python<'_>, item: usize) -> PyResult<()> {
    match item % ITEMS {
        0 => py.check_signals(),
        _ => Ok(()),
    }
}

/// Runs `work` in another thread, without the interpreter lock. A signal such as
/// Ctrl-C sets `cancel` and is returned as an error once `work` has ended.
pub fn watched<T: Send>(
    py: Python<'_>,
    cancel: &AtomicBool,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    reporting(py, cancel, |_| Ok(()), work)
}

/// Runs `work` that cannot be ended, without the interpreter lock. After a signal such as Ctrl-C no
/// caller waits for it any more.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = channel();
    std::thread::Builder::new().spawn(move || drop(sender.send(work())))?;
    py.detach(move || {
        loop {
            match receiver.recv_timeout(PERIOD) {
                Ok(found) => return Ok(found),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the work failed"));
                }
            }
        }
    })
}

/// [`watched`] work that calls `progress_report` meanwhile and at the end; an error of `progress_report` ends it
/// as a signal does.
pub fn reporting<T: Send>(
    py: Python<'_>,
    cancel: &AtomicBool,
    progress_report: impl Fn(Python<'_>) -> PyResult<()> + Send + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let listen = || {
        Python::attach(|py| {
            py.check_signals()?;
            progress_report(py)
        })
    };
    py.detach(|| {
        std::thread::scope(|scope| {
            let (alive, ended) = channel::<()>();
            let work = move || {
                let outcome = work();
                drop(alive);
                outcome
            };
            let worker = std::thread::Builder::new().spawn_scoped(scope, work)?;
            let mut heard = Ok(());
            while heard.is_ok() && ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                heard = listen();
            }
            if heard.is_err() {
                cancel.store(true, Ordering::Relaxed);
            }
            let outcome = worker.join();
            heard.and_then(|()| listen())?;
            outcome.map_err(|_| PyRuntimeError::new_err("the work failed"))
        })
    })
}
