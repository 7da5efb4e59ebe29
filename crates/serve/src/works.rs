//! The work under way, and what of it does not end when it should.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use setrograde::lock;

/// Work that continues this long after its client has disconnected counts as stuck.
const PATIENCE: Duration = Duration::from_secs(2);

/// All work under way.
#[derive(Default)]
pub struct Works(Mutex<Vec<Arc<RequestWork>>>);

/// The work for a request.
#[derive(Default)]
pub struct RequestWork {
    /// Set once no client waits for it.
    pub given_up: Arc<AtomicBool>,
    since: Mutex<Option<Instant>>,
}

/// Work that is under way until this is dropped.
pub struct UnderWay {
    works: Arc<Works>,
    work: Arc<RequestWork>,
}

/// Cancels the work when it is dropped.
pub struct GiveUp(pub Arc<RequestWork>);

impl Works {
    fn all(&self) -> MutexGuard<'_, Vec<Arc<RequestWork>>> {
        lock(&self.0)
    }

    /// Notes that work begins.
    pub fn begin(self: &Arc<Works>, work: &Arc<RequestWork>) -> UnderWay {
        self.all().push(Arc::clone(work));
        UnderWay {
            works: Arc::clone(self),
            work: Arc::clone(work),
        }
    }

    /// The number of works under way.
    pub fn count(&self) -> usize {
        self.all().len()
    }

    /// The number of those that continue although no client waits for them.
    pub fn stuck(&self) -> usize {
        let is_stuck = |work: &&Arc<RequestWork>| {
            let since = *lock(&work.since);
            since.is_some_and(|since| since.elapsed() >= PATIENCE)
        };
        self.all().iter().filter(is_stuck).count()
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut all = self.works.all();
        if let Some(at) = all.iter().position(|work| Arc::ptr_eq(work, &self.work)) {
            all.swap_remove(at);
        }
    }
}

impl Drop for GiveUp {
    fn drop(&mut self) {
        self.0.given_up.store(true, Ordering::Relaxed);
        let mut since = lock(&self.0.since);
        since.get_or_insert_with(Instant::now);
    }
}
