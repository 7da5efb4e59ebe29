//! Memory and processor time of one input.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

use cpu_time::ThreadTime;

/// Counts the bytes that each thread holds.
pub struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn add(bytes: isize) {
    // Nothing is counted while a thread ends.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: every call goes to the system's allocator unchanged; the counters
// are plain cells of the thread and allocate nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size as isize - layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        add(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// The time and memory that an input took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Bytes that this thread held at most, beyond those it held before.
    pub memory: usize,
    /// Processor time of this thread.
    pub time: Duration,
}

/// Runs `work` and returns its cost.
pub fn measure(work: impl FnOnce()) -> Cost {
    let before = HELD.get();
    PEAK.set(before);
    let start = ThreadTime::now();
    work();
    Cost {
        memory: usize::try_from(PEAK.get() - before).unwrap_or(0),
        time: start.elapsed(),
    }
}
