//! `libsetrograde_ask`: all questions of the command, for C.
//!
//! `include/setrograde_ask.h` is the interface.

use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use setrograde::lookup::Database;
use setrograde::lookup::in_use::own_files;
use setrograde::solver::Stop;
use setrograde::{Desk, lock};

/// The input is wrong: the text says how.
const WRONG: c_int = -2;

/// The time of a call unless it says otherwise.
const TIME: f64 = 2.0;

/// The longest time: a day.
const MOST_TIME: f64 = 86_400.0;

/// Stack of an answer in bytes. The deepest searches take 450 KB, and more without optimization;
/// threads of C programs may have 128 KB.
const STACK: usize = 4 << 20;

/// A desk of a C program.
pub struct CDesk(Mutex<Desk>);

/// Answers a question in JSON, as JSON: an object with `error` if there is no answer.
///
/// # Safety
///
/// `question` is null or a text that ends in 0; `answer` is null or has room for `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_ask(
    question: *const c_char,
    seconds: f64,
    answer: *mut c_char,
    room: usize,
) -> c_int {
    // SAFETY: promised by the caller.
    let text = unsafe { read(question) };
    let found = answered(text, |text| {
        let mut desk = Desk::new(database_in_use());
        desk.set_stop(stop_after(seconds));
        desk.ask(text)
    });
    // SAFETY: promised by the caller.
    unsafe { write(found, answer, room) }
}

/// Makes a desk, which [`sg_desk_free`] frees; null if there is no database in the directory. For a
/// null pointer the database is the one in use.
///
/// # Safety
///
/// `directory` is null or a text that ends in 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_desk_new(directory: *const c_char) -> *mut CDesk {
    let made = catch_unwind(|| {
        let database = if directory.is_null() {
            database_in_use()
        } else {
            // SAFETY: promised by the caller.
            let directory = unsafe { read(directory) }.ok()?;
            Some(Arc::new(Database::open(directory).ok()?))
        };
        Some(CDesk(Mutex::new(Desk::new(database))))
    });
    match made {
        Ok(Some(desk)) => Box::into_raw(Box::new(desk)),
        _ => std::ptr::null_mut(),
    }
}

/// Answers a question in JSON at a desk, like [`sg_ask`].
///
/// # Safety
///
/// `desk` is null or comes from [`sg_desk_new`] and was not freed; `question` is null or a text that
/// ends in 0; `answer` is null or has room for `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_desk_ask(
    desk: *mut CDesk,
    question: *const c_char,
    seconds: f64,
    answer: *mut c_char,
    room: usize,
) -> c_int {
    // SAFETY: promised by the caller. Threads share the desk, which has a lock.
    let (desk, text) = unsafe { (desk.as_ref(), read(question)) };
    let found = desk.ok_or("the desk is missing").and_then(|CDesk(desk)| {
        answered(text, |text| {
            let stop = stop_after(seconds);
            // A panic leaves at most a table of sound entries behind.
            let mut desk = lock(desk);
            desk.set_stop(stop);
            desk.ask(text)
        })
    });
    // SAFETY: promised by the caller.
    unsafe { write(found, answer, room) }
}

/// Frees a desk.
///
/// # Safety
///
/// `desk` is null, or comes from [`sg_desk_new`], was not freed, and no call uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_desk_free(desk: *mut CDesk) {
    if !desk.is_null() {
        // SAFETY: promised by the caller; the pointer was a box.
        let desk = unsafe { Box::from_raw(desk) };
        // Nothing in it panics when it is dropped, and no panic may reach C.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(desk)));
    }
}

/// The database in use, opened once.
fn database_in_use() -> Option<Arc<Database>> {
    static IN_USE: OnceLock<Option<Arc<Database>>> = OnceLock::new();
    let in_use = IN_USE.get_or_init(|| {
        let found = Database::in_use_beside(None, &own_files()).ok().flatten();
        found.map(|found| found.database)
    });
    in_use.clone()
}

/// The end of a call.
fn stop_after(seconds: f64) -> Stop {
    let seconds = if seconds > 0.0 {
        seconds.min(MOST_TIME)
    } else {
        TIME
    };
    Stop::default().by(Instant::now() + Duration::from_secs_f64(seconds))
}

/// Answers a text on a thread with enough stack; a panic becomes a refusal.
fn answered(
    text: Result<&str, &'static str>,
    answer: impl FnOnce(&str) -> String + Send,
) -> Result<String, &'static str> {
    let text = text?;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let answering = thread
            .spawn_scoped(scope, || answer(text))
            .map_err(|_| "no thread can be started")?;
        let found = answering.join();
        found.map_err(|_| "this is a fault of the library; please report it")
    })
}

/// Returns a text of the caller, or what is wrong with it.
///
/// # Safety
///
/// `text` is null or points to a text that ends in 0 and outlives the result.
unsafe fn read<'a>(text: *const c_char) -> Result<&'a str, &'static str> {
    if text.is_null() {
        return Err("the question is missing");
    }
    // SAFETY: it is not null, and promised by the caller.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| "a text is not UTF-8")
}

/// Writes an answer, or the reason that there is none, cut to fit, with a 0 at its end. Returns the
/// number of bytes that an answer has without it, or [`WRONG`].
///
/// # Safety
///
/// `answer` is null or has room for `room` bytes.
unsafe fn write(found: Result<String, &'static str>, answer: *mut c_char, room: usize) -> c_int {
    let (code, text) = match &found {
        Ok(text) => (c_int::try_from(text.len()).unwrap_or(c_int::MAX), &**text),
        Err(text) => (WRONG, *text),
    };
    if !answer.is_null() && room > 0 {
        let length = text.len().min(room - 1);
        // SAFETY: `length` is less than `room`, and the text is not in the caller's memory.
        unsafe {
            std::ptr::copy_nonoverlapping(text.as_ptr().cast::<c_char>(), answer, length);
            answer.add(length).write(0);
        }
    }
    code
}
