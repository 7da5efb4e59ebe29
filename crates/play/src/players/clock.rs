//! The time for a card, and the flag that cancels.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::player::PlayerError;

/// The time that a player has, and the flag that cancels it.
#[derive(Clone, Debug)]
pub struct Clock {
    pub(super) time: Option<Duration>,
    pub(super) cancel: Arc<AtomicBool>,
}

impl Clock {
    pub(super) fn start(&self) -> Running<'_> {
        Running {
            deadline: self.time.map(|time| Instant::now() + time),
            cancel: &self.cancel,
        }
    }
}

pub(super) struct Running<'a> {
    deadline: Option<Instant>,
    cancel: &'a AtomicBool,
}

impl Running<'_> {
    pub(super) fn is_over(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    pub(super) fn check_cancelled(&self) -> Result<(), PlayerError> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(PlayerError::Cancelled),
            false => Ok(()),
        }
    }
}
