//! A number of tricks that any of several threads may find.

use std::sync::atomic::{AtomicU8, Ordering};

/// A result, set by the thread that finds it.
#[derive(Debug)]
pub(crate) struct SharedResult(AtomicU8);

const UNKNOWN: u8 = u8::MAX;

impl Default for SharedResult {
    fn default() -> SharedResult {
        SharedResult(AtomicU8::new(UNKNOWN))
    }
}

impl SharedResult {
    /// Returns the number of tricks once a thread has found it.
    pub(crate) fn get(&self) -> Option<u8> {
        let tricks = self.0.load(Ordering::Relaxed);
        (tricks != UNKNOWN).then_some(tricks)
    }

    /// Returns true if a thread has found it.
    pub(crate) fn is_known(&self) -> bool {
        self.get().is_some()
    }

    /// Publishes the number of tricks.
    pub(crate) fn set(&self, tricks: u8) {
        self.0.store(tricks, Ordering::Relaxed);
    }
}
