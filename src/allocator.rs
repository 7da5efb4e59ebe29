//! The end of a program whose memory runs out.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::{self, Write};
use std::process::exit;

/// Allocations of at least this size in bytes may fail; smaller ones abort.
const LARGE: usize = 128 << 10;

/// The allocator of the system. If it has no memory for something small, nothing can go on: the
/// program says so and ends with an error, not by a signal.
pub struct Allocator;

// SAFETY: every call goes to the allocator of the system unchanged, and so does every result that is
// returned.
#[expect(unsafe_code, reason = "the trait is unsafe")]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the trait.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(pointer, layout, size) }, size)
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[inline]
fn checked(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if pointer.is_null() && bytes < LARGE {
        end();
    }
    pointer
}

#[cold]
fn end() -> ! {
    // Nothing here allocates.
    let _ = io::stderr().write_all(b"setrograde: no memory is left\n");
    exit(1)
}
