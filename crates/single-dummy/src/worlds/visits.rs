//! How long a search may go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::SearchError;

/// Why a search has no answer.
pub(crate) enum Stop {
    TooLong,
    Failed(SearchError),
}

impl From<SearchError> for Stop {
    fn from(error: SearchError) -> Stop {
        Stop::Failed(error)
    }
}

impl Stop {
    /// `None` if the search gave up.
    pub fn answer<T>(found: Result<T, Stop>) -> Result<Option<T>, SearchError> {
        match found {
            Ok(found) => Ok(Some(found)),
            Err(Stop::TooLong) => Ok(None),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}

/// Counts visits of positions.
pub(crate) struct Visits {
    pub made: u64,
    most: u64,
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Visits {
    pub const fn at_most(most: u64) -> Visits {
        Visits {
            made: 0,
            most,
            cancel: None,
        }
    }

    /// Counts visits, as long as there may be more.
    pub fn count(&mut self, visits: u64) -> Result<(), Stop> {
        self.made = self.made.saturating_add(visits);
        if self.made > self.most {
            return Err(Stop::TooLong);
        }
        if let Some(cancel) = &self.cancel
            && cancel.load(Ordering::Relaxed)
        {
            return Err(Stop::Failed(SearchError::Cancelled));
        }
        Ok(())
    }
}
