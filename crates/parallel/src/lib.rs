//! Work on items by several threads, with the results in the order of the items.
//!
//! [`in_order`] takes items from an iterator, which may wait for more and need not end;
//! [`each`] is for a known number of items. [`Stop`] ends work early.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! let squares = setrograde_parallel::each(4, 2, || (), |(), n| n * n);
//! assert_eq!(squares, [0, 1, 4, 9]);
//!
//! let first = setrograde_parallel::in_order(1.., 2, || (), |(), n: u32| n * n, |square| {
//!     match square.filter(|square| square % 7 == 2) {
//!         Some(square) => ControlFlow::Break(square),
//!         None => ControlFlow::Continue(()),
//!     }
//! });
//! assert_eq!(first, ControlFlow::Break(9));
//! ```

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod stop;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

pub use self::stop::Stop;

/// Maximum number of items that are begun and whose results are not taken yet.
const WINDOW: usize = 256;

/// Maximum number of threads that commands start, far more than are useful.
pub const MOST_THREADS: usize = 1024;

/// How often a wait for results checks for a panic.
const WAIT: Duration = Duration::from_millis(50);

/// Returns the number of threads that this machine runs at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the number of threads to use if `asked` are wanted, from 1 to [`MOST_THREADS`]; one for
/// each core if the caller does not say.
pub fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(cores).clamp(1, MOST_THREADS)
}

/// Locks a mutex. After a panic of another thread it holds what that thread left there.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Items, and a permit for each that may be begun.
struct ItemSource<I> {
    items: I,
    permits: Receiver<()>,
}

/// Does `work` on each item on one of `threads` threads, and hands the results to `take` in the
/// order of the items, each as soon as all before it are done. `None` means that there is no result
/// yet. Each thread has its own state, made by `start`.
///
/// Ends early once `take` breaks: then no further item is begun. A panic of `work` panics
/// here. The calling thread does the work itself if `threads` is 1 or no thread can be
/// started.
pub fn in_order<T: Send, S, R: Send, B>(
    items: impl Iterator<Item = T> + Send,
    threads: usize,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
    mut take: impl FnMut(Option<R>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    // No thread starts there, and the code below would only make the page larger.
    if cfg!(target_family = "wasm") {
        let mut state = start();
        for item in items {
            take(Some(work(&mut state, item)))?;
            take(None)?;
        }
        return ControlFlow::Continue(());
    }
    let (permit, permits) = mpsc::channel();
    let items = items.enumerate();
    let source = Mutex::new(ItemSource { items, permits });
    let stop = AtomicBool::new(false);
    let next = || {
        let mut source = lock(&source);
        source.permits.recv().ok()?;
        let item = (!stop.load(Ordering::Relaxed)).then(|| source.items.next());
        item.flatten()
    };
    for _ in 0..WINDOW {
        permit.send(()).expect("the other end is above");
    }
    let run = |done: mpsc::Sender<(usize, R)>| {
        let _stop = StopOnPanic(&stop);
        let mut state = start();
        while let Some((at, item)) = next() {
            if done.send((at, work(&mut state, item))).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        // When taking ends, for whatever reason, no thread waits for a permit.
        let (permit, _stop) = (permit, SetOnDrop(&stop));
        let (done, results) = mpsc::channel();
        let mut running = 0;
        for _ in 0..if threads > 1 { threads } else { 0 } {
            let (done, run) = (done.clone(), &run);
            let thread = thread::Builder::new().spawn_scoped(scope, move || run(done));
            running += usize::from(thread.is_ok());
        }
        drop(done);
        if running == 0 {
            let mut state = start();
            while let Some((_, item)) = next() {
                take(Some(work(&mut state, item)))?;
                take(None)?;
                let _ = permit.send(());
            }
            return ControlFlow::Continue(());
        }
        let (mut waiting, mut turn) = (BTreeMap::new(), 0);
        loop {
            let result = match results.try_recv() {
                Err(TryRecvError::Empty) => {
                    take(None)?;
                    results.recv_timeout(WAIT)
                }
                result => result.map_err(|_| RecvTimeoutError::Disconnected),
            };
            match result {
                Ok((at, result)) => drop(waiting.insert(at, result)),
                Err(RecvTimeoutError::Timeout) if !stop.load(Ordering::Relaxed) => {}
                Err(_) => return ControlFlow::Continue(()),
            }
            while let Some(result) = waiting.remove(&turn) {
                turn += 1;
                take(Some(result))?;
                // No permits are needed after the last item.
                let _ = permit.send(());
            }
        }
    })
}

/// The results of `work` for 0 to `count`, in order, by [`in_order`].
pub fn each<S, R: Send>(
    count: usize,
    threads: usize,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> R + Sync,
) -> Vec<R> {
    let mut all = Vec::with_capacity(count);
    let _: ControlFlow<()> = in_order(0..count, threads.min(count), start, work, |result| {
        all.extend(result);
        ControlFlow::Continue(())
    });
    all
}

/// Ends all once a thread panics; the scope then passes the panic on.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn results_come_in_order_and_a_slow_one_bounds_what_is_begun() {
        let read = AtomicUsize::new(0);
        let items = (0..2_000_usize).inspect(|_| {
            read.fetch_add(1, Ordering::Relaxed);
        });
        let (mut taken, read_before_first) = (0, AtomicUsize::new(0));
        let work = |(): &mut (), n: usize| {
            if n == 0 {
                thread::sleep(Duration::from_millis(200));
                read_before_first.store(read.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            n
        };
        let end: ControlFlow<()> = in_order(
            items,
            3,
            || (),
            work,
            |n| {
                if let Some(n) = n {
                    assert_eq!(n, taken);
                    taken += 1;
                }
                ControlFlow::Continue(())
            },
        );
        assert!(end.is_continue());
        assert_eq!(taken, 2_000);
        assert_eq!(read_before_first.into_inner(), WINDOW);
    }

    #[test]
    fn taking_may_end_it() {
        for threads in [1, 2, 7] {
            let mut left = 10;
            let end = in_order(
                std::iter::repeat(()),
                threads,
                || (),
                |(), ()| (),
                |taken| {
                    left -= usize::from(taken.is_some());
                    match left {
                        0 => ControlFlow::Break(threads),
                        _ => ControlFlow::Continue(()),
                    }
                },
            );
            assert_eq!((end, left), (ControlFlow::Break(threads), 0));
        }
    }

    #[test]
    fn every_thread_has_a_state_of_its_own() {
        let states = AtomicUsize::new(0);
        let start = || (states.fetch_add(1, Ordering::Relaxed), 0);
        let results = each(500, 4, start, |(state, done), n| {
            *done += 1;
            (*state, *done, n)
        });
        assert!(states.into_inner() <= 4);
        let mut last = [0; 4];
        for (at, &(state, done, n)) in results.iter().enumerate() {
            assert_eq!(at, n);
            assert_eq!(done, last[state] + 1);
            last[state] = done;
        }
        assert_eq!(each(0, 4, || (), |(), n| n), []);
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_is_passed_on() {
        each(10_000, 2, || (), |(), n| assert_ne!(n, 3));
    }
}
