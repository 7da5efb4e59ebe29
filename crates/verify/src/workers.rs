//! Handing the units of a check to all threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;
use setrograde_parallel::{Stop, in_order};

use crate::check::{CheckPortion, VerifyObserver};
use crate::error::VerifyError;

/// The threads of a verification.
pub(crate) struct Workers<'a, O> {
    pub(crate) threads: usize,
    pub(crate) observer: &'a O,
    pub(crate) stop: &'a Stop,
}

impl<O: VerifyObserver> Workers<'_, O> {
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
        state: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, usize) -> Result<CheckPortion, VerifyError> + Sync,
    ) -> Result<Duration, VerifyError> {
        let sum = AtomicU64::new(0);
        let work = |state: &mut S, item| {
            self.check_stop()?;
            let start = ThreadTime::now();
            let done = work(state, item)?;
            let nanoseconds = start.elapsed().as_nanos() as u64;
            sum.fetch_add(nanoseconds, Ordering::Relaxed);
            self.observer.advanced(done);
            Ok(())
        };
        let threads = self.threads.min(count);
        let end = in_order(0..count, threads, state, work, |done| match done {
            Some(Err(error)) => ControlFlow::Break(error),
            _ => ControlFlow::Continue(()),
        });
        match end {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(Duration::from_nanos(sum.into_inner())),
        }
    }

    /// Checks whether the verification is to end.
    ///
    /// # Errors
    ///
    /// [`VerifyError::Cancelled`] once it is.
    pub(crate) fn check_stop(&self) -> Result<(), VerifyError> {
        if self.stop.is_due() {
            Err(VerifyError::Cancelled)
        } else {
            Ok(())
        }
    }
}
