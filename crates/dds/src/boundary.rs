//! The edge between C and Rust: pointers in, return codes out.

use std::ffi::{c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::code::{Fault, NO_FAULT};

/// Runs the body of an exported function; a panic becomes a return code.
pub fn call(body: impl FnOnce() -> Result<(), Fault>) -> c_int {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => NO_FAULT,
        Ok(Err(fault)) => fault.code(),
        Err(_) => Fault::Unknown.code(),
    }
}

/// Refuses pointers that no C program can have meant.
fn usable<T>(pointer: *const T) -> Result<(), Fault> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(Fault::Unknown);
    }
    Ok(())
}

/// The `count` elements from `pointer` on.
///
/// # Safety
///
/// `pointer` is null, misaligned, or points to this number of elements, which do not change while
/// the slice is in use.
pub unsafe fn slice<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], Fault> {
    usable(pointer)?;
    // SAFETY: checked above, and promised by the caller.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Reads the value that `pointer` points to.
///
/// # Safety
///
/// As for [`slice()`], with one element.
pub unsafe fn read<T: Copy>(pointer: *const T) -> Result<T, Fault> {
    usable(pointer)?;
    // SAFETY: checked above, and promised by the caller.
    Ok(unsafe { pointer.read() })
}

/// Memory for results: a pointer that is neither null nor misaligned.
#[derive(Debug)]
pub struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Out<T> {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Out<T> {
    /// Refuses pointers that cannot be written to.
    ///
    /// # Safety
    ///
    /// `pointer` is null, misaligned, or may be written to as long as this
    /// value lives.
    pub unsafe fn new(pointer: *mut T) -> Result<Out<T>, Fault> {
        usable(pointer)?;
        Ok(Out(pointer))
    }

    /// Writes the result.
    pub fn write(self, value: T) {
        // SAFETY: `new` promised that this memory may be written to.
        unsafe { self.0.write(value) }
    }

    /// The pointer, to reach a part of its target.
    pub fn pointer(self) -> *mut T {
        self.0
    }
}

/// Writes a text and a 0 into a field, cut to fit; the bytes after it stay.
///
/// # Safety
///
/// `field` may be written to.
pub unsafe fn write_text<const N: usize>(field: *mut [c_char; N], text: &str) {
    let length = text.len().min(N - 1);
    for (index, byte) in text.bytes().take(length).chain([0]).enumerate() {
        // SAFETY: at most N bytes are written, to a field of N.
        unsafe { field.cast::<c_char>().add(index).write(byte as c_char) };
    }
}
