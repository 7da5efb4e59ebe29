//! The functions that a browser calls. No bindings generator: bytes go in, a text
//! comes out, both in memory that the page asks for.

use std::cell::RefCell;

use setrograde::Desk;

use crate::Engine;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Takes a part of an answer, an object in UTF-8.
    safe fn part(start: *const u8, length: usize);
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new(in_parts(Desk::default())));
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Passes the parts of answers on.
fn in_parts(desk: Desk) -> Desk {
    desk.with_parts(|text| part(text.as_ptr(), text.len()))
}

/// Allocates memory for a question of this size in bytes.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Answers the question at `start`, an object of JSON or a list of them; returns where the answer is
/// valid until the next one. [`length`] has its length. [`part`] gets its parts before.
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
    kept(ENGINE.with_borrow_mut(|engine| engine.ask(&text)))
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
    use std::sync::Arc;

    use serde_json::json;
    use setrograde::lookup::Database;

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
            let desk = in_parts(Desk::new(Some(Arc::new(database))));
            ENGINE.set(Engine::new(desk));
            json!({ "cards": cards })
        }
        Err(error) => json!({ "error": setrograde::causes(&error) }),
    };
    kept(answer.to_string())
}

/// The length of the last answer.
#[unsafe(no_mangle)]
extern "C" fn length() -> usize {
    ANSWER.with_borrow(Vec::len)
}
