//! The functions that a browser calls. No bindings generator: bytes go in, a text
//! comes out, both in memory that the page asks for.

use std::cell::RefCell;

use crate::Engine;

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Allocates memory for a question of this size in bytes.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Answers the question at `start`, `WHAT\nTEXT` in UTF-8; returns where the answer
/// is valid until the next one. [`length`] has its length.
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
    kept(ENGINE.with_borrow_mut(|engine| engine.ask(what, text)))
}

/// Answers a question in JSON, or a list of them, as the desk does; as [`ask`].
///
/// # Safety
///
/// As for [`ask`].
#[cfg(feature = "npm")]
#[unsafe(no_mangle)]
unsafe extern "C" fn ask_desk(start: *mut u8, length: usize) -> *const u8 {
    // SAFETY: `room` leaked a boxed slice of this length, and the caller hands it
    // back once.
    let bytes = unsafe { Vec::from_raw_parts(start, length, length) };
    let text = String::from_utf8_lossy(&bytes);
    kept(ENGINE.with_borrow_mut(|engine| engine.ask_desk(&text)))
}

/// Keeps an answer until the next one, and returns where it is.
fn kept(answer: String) -> *const u8 {
    ANSWER.with_borrow_mut(|kept| {
        *kept = answer.into_bytes();
        kept.as_ptr()
    })
}

/// Opens an endgame database, and uses it from now on: for each level its length in bytes,
/// 32 bits, little-endian, and the bytes of its map or `level-NN.sdb`. Answers
/// with the `cards` of the levels, or an `error`, as [`ask`].
///
/// # Safety
///
/// As for [`ask`].
#[cfg(feature = "npm")]
#[unsafe(no_mangle)]
unsafe extern "C" fn levels(start: *mut u8, length: usize) -> *const u8 {
    use std::collections::BTreeMap;

    use setrograde_lookup::Database;

    // SAFETY: `room` leaked a boxed slice of this length, and the caller hands it
    // back once.
    let bytes = unsafe { Vec::from_raw_parts(start, length, length) };
    let (mut rest, mut levels) = (bytes.as_slice(), Vec::new());
    while let Some((length, after)) = rest.split_first_chunk() {
        let length = u32::from_le_bytes(*length) as usize;
        let (level, after) = after.split_at(length.min(after.len()));
        levels.push(level.to_vec());
        rest = after;
    }
    let answer = match Database::from_bytes(levels) {
        Ok(database) => {
            let cards: Vec<_> = database.levels().map(|level| 4 * level.level()).collect();
            ENGINE.with_borrow_mut(|engine| engine.use_database(std::sync::Arc::new(database)));
            crate::json(&BTreeMap::from([("cards", cards)]))
        }
        Err(error) => {
            let error = setrograde::causes(&error);
            crate::json(&crate::ErrorText { error })
        }
    };
    kept(answer)
}

/// The length of the last answer.
#[unsafe(no_mangle)]
extern "C" fn length() -> usize {
    ANSWER.with_borrow(Vec::len)
}
