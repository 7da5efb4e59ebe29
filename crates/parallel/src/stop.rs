//! [`Stop`]: when work ends before it is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When to end work: once a flag is set, at a deadline, at whichever comes first, or never.
///
/// Every loop that can run longer than 10 ms looks at it.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
/// use std::time::{Duration, Instant};
///
/// use setrograde_parallel::Stop;
///
/// let flag = Arc::new(AtomicBool::new(false));
/// let stop = Stop::from(flag.clone()).by(Instant::now() + Duration::from_secs(3600));
/// assert!(!stop.is_due());
/// flag.store(true, Ordering::Relaxed);
/// assert!(stop.is_due());
/// assert!(Stop::default().by(Instant::now()).is_due());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Option<Arc<AtomicBool>>,
    deadline: Option<Instant>,
}

impl Stop {
    /// Returns the same with a deadline; the earlier one if there was one before.
    #[must_use]
    pub fn by(mut self, deadline: Instant) -> Stop {
        let before = self.deadline.unwrap_or(deadline);
        self.deadline = Some(deadline.min(before));
        self
    }

    /// Returns true once the work is to end. Without a deadline this reads the flag alone.
    pub fn is_due(&self) -> bool {
        self.flag
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed))
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// The end once `flag` is set.
impl From<Arc<AtomicBool>> for Stop {
    fn from(flag: Arc<AtomicBool>) -> Stop {
        Stop {
            flag: Some(flag),
            deadline: None,
        }
    }
}
