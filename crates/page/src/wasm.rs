//! The functions that a browser calls. No bindings generator: bytes go in, a text
//! comes out, both in memory that the page asks for.

use std::cell::RefCell;

use crate::Engine;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Room for a question of so many bytes.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Answers the question at `start`, `WHAT\nTEXT` in UTF-8; returns where the answer
/// stands until the next one. [`length`] has its length.
///
/// # Safety
///
/// `start` came from [`room`] with this length, and is given away.
#[unsafe(no_mangle)]
unsafe extern "C" fn ask(start: *mut u8, length: usize) -> *const u8 {
    // SAFETY: `room` leaked a boxed slice of this length, and the caller hands it
    // back once.
    let bytes = unsafe { Vec::from_raw_parts(start, length, length) };
    let text = String::from_utf8_lossy(&bytes);
    let (what, text) = text.split_once('\n').unwrap_or((&text, ""));
    let answer = ENGINE.with_borrow_mut(|engine| engine.ask(what, text).to_string());
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer.into_bytes();
        kept.as_ptr()
    })
}

/// The length of the last answer.
#[unsafe(no_mangle)]
extern "C" fn length() -> usize {
    ANSWER.with_borrow(Vec::len)
}
