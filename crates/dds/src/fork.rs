//! The locks that a fork must leave in order.
//!
//! A process may fork while another of its threads is inside the library. The
//! child has only the thread that forked, so a lock that another one holds would
//! stay locked, and its search would count for ever. So a fork waits for the
//! lock, and the child starts with no search under way.

use std::cell::UnsafeCell;

use crate::resources::{self, Locked};

/// The lock, while a fork is under way.
struct ForkLock(UnsafeCell<Option<Locked>>);

// SAFETY: only a thread that holds the lock touches the cell.
unsafe impl Sync for ForkLock {}

static LOCK: ForkLock = ForkLock(UnsafeCell::new(None));

extern "C" fn before() {
    let locked = resources::lock();
    // SAFETY: this thread holds the lock.
    unsafe { *LOCK.0.get() = Some(locked) };
}

extern "C" fn after_in_parent() {
    // SAFETY: this thread has held the lock since `before`.
    drop(unsafe { (*LOCK.0.get()).take() });
}

extern "C" fn after_in_child() {
    // SAFETY: the child's only thread is the one that took the lock.
    if let Some(mut locked) = unsafe { (*LOCK.0.get()).take() } {
        locked.forget_searches();
    }
}

extern "C" fn register() {
    // SAFETY: the handlers take no arguments and do not panic. The C library
    // drops them when this library is unloaded.
    unsafe { libc::pthread_atfork(Some(before), Some(after_in_parent), Some(after_in_child)) };
}

/// Runs when the library is loaded: before anything could have been locked.
#[used]
#[unsafe(link_section = ".init_array")]
static ON_LOAD: extern "C" fn() = register;
