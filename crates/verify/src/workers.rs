//! Handing the units of a check to all threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::check::{CheckPortion, VerifyObserver};
use crate::error::VerifyError;

/// The threads of a verification.
pub(crate) struct Workers<'a, O> {
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) observer: &'a O,
    pub(crate) cancel: &'a AtomicBool,
}

impl<'a, O: VerifyObserver> Workers<'a, O> {
    /// Starts threads: as many as asked for, or one for each core.
    pub(crate) fn start(
        threads: Option<usize>,
        observer: &'a O,
        cancel: &'a AtomicBool,
    ) -> Result<Workers<'a, O>, VerifyError> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(setrograde_parallel::threads(threads))
            .build()?;
        Ok(Workers {
            pool,
            observer,
            cancel,
        })
    }

    /// Does `work` on the items `0..count`, all threads together, each with its own state; `work`
    /// returns the part of the check that the item was. Returns the processor time.
    ///
    /// # Errors
    ///
    /// That of the lowest item with an error, whichever thread is first, so a wrong database always
    /// gets the same answer.
    pub(crate) fn each<S>(
        &self,
        count: usize,
        state: impl Fn() -> S + Sync + Send,
        work: impl Fn(&mut S, usize) -> Result<CheckPortion, VerifyError> + Sync + Send,
    ) -> Result<Duration, VerifyError> {
        let sum = AtomicU64::new(0);
        let failed = self.pool.install(|| {
            (0..count)
                .into_par_iter()
                // Items differ a thousandfold in size, so none should wait for the previous one.
                .with_max_len(1)
                .map_init(state, |state, item| {
                    self.check_cancel()?;
                    let start = ThreadTime::now();
                    let done = work(state, item)?;
                    let nanoseconds = start.elapsed().as_nanos() as u64;
                    sum.fetch_add(nanoseconds, Ordering::Relaxed);
                    self.observer.advanced(done);
                    Ok(())
                })
                .find_map_first(Result::err)
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(Duration::from_nanos(sum.into_inner())),
        }
    }

    /// Checks whether the caller has cancelled.
    ///
    /// # Errors
    ///
    /// [`VerifyError::Cancelled`] once the caller has cancelled.
    pub(crate) fn check_cancel(&self) -> Result<(), VerifyError> {
        if self.cancel.load(Ordering::Relaxed) {
            Err(VerifyError::Cancelled)
        } else {
            Ok(())
        }
    }
}
