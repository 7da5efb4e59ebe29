//! `libsetrograde_ask`: questions about hidden cards, and all questions of the command, for C.
//!
//! `include/setrograde_ask.h` is the interface.

#[path = "../../dds/src/location.rs"]
mod location;

use std::ffi::{CStr, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use setrograde::Desk;
use setrograde_beliefs::{Question, View};
use setrograde_lookup::Database;
use setrograde_parallel::Stop;
use setrograde_single_dummy::{
    LineOptions, Objective, SuitHolding, best_line, layouts_of, read_layouts,
};

/// The input is wrong: the text says how.
const WRONG: c_int = -2;

/// The time was too short.
const TOO_LONG: c_int = -4;

/// The time of a call unless it says otherwise.
const TIME: f64 = 2.0;

/// The longest time: a day.
const MOST_TIME: f64 = 86_400.0;

/// The reason why there is no answer.
type ErrorReply = (c_int, String);

fn wrong(error: impl std::fmt::Display) -> ErrorReply {
    (WRONG, error.to_string())
}

/// The best line over layouts that are given, as JSON.
///
/// # Safety
///
/// `question` and `layouts` are texts that end in 0; so is `objective`, or it is null; `answer` has
/// room for `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_single_dummy(
    question: *const c_char,
    layouts: *const c_char,
    objective: *const c_char,
    seconds: f64,
    answer: *mut c_char,
    room: usize,
) -> c_int {
    // SAFETY: promised by the caller.
    let texts = unsafe { [read(question), read(layouts), read(objective)] };
    let found = answered(|| {
        let [question, layouts, objective] = texts.clone();
        let question = question?.ok_or_else(|| wrong("the question is missing"))?;
        let layouts = layouts?.ok_or_else(|| wrong("the layouts are missing"))?;
        let objective = objective?.unwrap_or_default();
        single_dummy(&question, &layouts, &objective, time(seconds))
    });
    // SAFETY: promised by the caller.
    unsafe { write(found, answer, room) }
}

/// The best play of one suit, as JSON.
///
/// # Safety
///
/// `north` and `south` are texts that end in 0; so is `gone`, or it is null; `answer` has
/// room for `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_suit(
    north: *const c_char,
    south: *const c_char,
    gone: *const c_char,
    vacant_east: c_int,
    vacant_west: c_int,
    entries_north: c_int,
    entries_south: c_int,
    tricks: c_int,
    seconds: f64,
    answer: *mut c_char,
    room: usize,
) -> c_int {
    // SAFETY: promised by the caller.
    let texts = unsafe { [read(north), read(south), read(gone)] };
    let found = answered(|| {
        let [north, south, gone] = texts.clone();
        let north = north?.ok_or_else(|| wrong("North's cards are missing"))?;
        let south = south?.ok_or_else(|| wrong("South's cards are missing"))?;
        let gone = gone?.unwrap_or_else(|| "-".to_owned());
        let vacant = |indices: c_int| {
            let indices = usize::try_from(indices);
            indices.map_err(|_| wrong("vacant places: expected 0 to 13"))
        };
        let vacant = [vacant(vacant_east)?, vacant(vacant_west)?];
        let holding = SuitHolding::read([&north, &south], &gone, vacant).map_err(wrong)?;
        // More than a hand has cards is enough; so is a negative number.
        let entries = |entries: c_int| u8::try_from(entries).ok();
        let holding = holding.with_entries([entries_north, entries_south].map(entries));
        suit(&holding, tricks, Instant::now() + time(seconds))
    });
    // SAFETY: promised by the caller.
    unsafe { write(found, answer, room) }
}

/// The answer to a question in JSON, as JSON: an object with `error` if there is none.
///
/// # Safety
///
/// `question` is a text that ends in 0; `answer` has room for `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sg_ask(
    question: *const c_char,
    seconds: f64,
    answer: *mut c_char,
    room: usize,
) -> c_int {
    // SAFETY: promised by the caller.
    let text = unsafe { read(question) };
    let found = answered(|| {
        let question = text
            .clone()?
            .ok_or_else(|| wrong("the question is missing"))?;
        let stop = Stop::default().by(Instant::now() + time(seconds));
        Ok(Desk::new(database()).with_stop(stop).ask(&question))
    });
    // SAFETY: promised by the caller.
    unsafe { write(found, answer, room) }
}

fn single_dummy(
    question: &str,
    layouts: &str,
    objective: &str,
    time: Duration,
) -> Result<String, ErrorReply> {
    let question: Question = question.trim().parse().map_err(wrong)?;
    let view = View::of_bridge(&question).map_err(wrong)?;
    let (deals, weights) = read_layouts(layouts).map_err(wrong)?;
    let layouts = layouts_of(&view, &deals).map_err(wrong)?;
    let options = LineOptions {
        database: database(),
        time: Some(time),
        all_cards: true,
        line: true,
        ..LineOptions::default()
    };
    let objective = read_objective(objective)?;
    let found = best_line(&view, &layouts, &weights, &objective, &options).map_err(wrong)?;
    let found = serde_json::to_value(found).map_err(wrong)?;
    Ok(found.to_string())
}

/// `tricks` or nothing, `target N`, or `score CONTRACT VULNERABLE WON`.
fn read_objective(text: &str) -> Result<Objective, ErrorReply> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [] | ["tricks"] => Ok(Objective::Mean),
        ["target", tricks] => tricks.parse().map(Objective::Target).map_err(wrong),
        ["score", contract, vulnerable, won] => Ok(Objective::Score {
            contract: contract.parse().map_err(wrong)?,
            vulnerability: vulnerable.parse().map_err(wrong)?,
            won: won.parse().map_err(wrong)?,
        }),
        _ => Err(wrong(
            "the objective: expected `tricks`, `target N` or `score CONTRACT VULNERABLE WON`, as `score 3NTS None 8`",
        )),
    }
}

fn suit(holding: &SuitHolding, tricks: c_int, deadline: Instant) -> Result<String, ErrorReply> {
    let tricks = usize::try_from(tricks).ok();
    let found = holding.answer_by(tricks, Some(deadline)).map_err(wrong)?;
    let found = found.ok_or_else(|| (TOO_LONG, "no answer within the time".to_owned()))?;
    let found = serde_json::to_value(found).map_err(wrong)?;
    Ok(found.to_string())
}

/// The database in use, opened once.
fn database() -> Option<Arc<setrograde_lookup::Database>> {
    static IN_USE: OnceLock<Option<Arc<setrograde_lookup::Database>>> = OnceLock::new();
    let in_use = IN_USE.get_or_init(|| {
        let files = [location::library(), std::env::current_exe().ok()];
        let files: Vec<_> = files.into_iter().flatten().collect();
        let found = Database::in_use_beside(None, &files).ok().flatten();
        found.map(|found| found.database)
    });
    in_use.clone()
}

fn time(seconds: f64) -> Duration {
    let seconds = if seconds > 0.0 {
        seconds.min(MOST_TIME)
    } else {
        TIME
    };
    Duration::from_secs_f64(seconds)
}

/// Runs the work of a call; a panic becomes a refusal.
fn answered(work: impl FnOnce() -> Result<String, ErrorReply>) -> Result<String, ErrorReply> {
    let found = catch_unwind(AssertUnwindSafe(work));
    found.unwrap_or_else(|_| Err(wrong("this is a fault of the library; please report it")))
}

/// A text; `None` for a null pointer.
///
/// # Safety
///
/// `text` is null or points to a text that ends in 0.
unsafe fn read(text: *const c_char) -> Result<Option<String>, ErrorReply> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not null, and promised by the caller.
    let text = unsafe { CStr::from_ptr(text) };
    let read = text.to_str().map_err(|_| wrong("a text is not UTF-8"))?;
    Ok(Some(read.to_owned()))
}

/// Writes an answer, or the reason that there is none, cut to fit, with a 0 at its end. Returns the
/// number of bytes that an answer has without it, or the reason's code.
///
/// # Safety
///
/// `answer` is null or has room for `room` bytes.
unsafe fn write(found: Result<String, ErrorReply>, answer: *mut c_char, room: usize) -> c_int {
    let (code, text) = match found {
        Ok(text) => (c_int::try_from(text.len()).unwrap_or(c_int::MAX), text),
        Err((code, text)) => (code, text),
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
