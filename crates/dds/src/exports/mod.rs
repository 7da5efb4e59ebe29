//! The functions that C sees.
//!
//! Names and parameters are those of DDS's `dll.h`; `docs/libdds.md` and DDS's own
//! description of the interface define their meaning.

#![allow(non_snake_case)]

use std::ffi::c_int;

use setrograde_solver::SolveError;

use crate::abi::{Deal, MAX_BOARDS};
use crate::boundary::read;
use crate::code::Fault;

/// Defines C functions that return a code. They catch panics, and their bodies may
/// rely on what their documentation demands of the caller's pointers.
macro_rules! export {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($parameter:ident: $type:ty),* $(,)?) { $($body:tt)* }
    )*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "system" fn $name($($parameter: $type),*) -> c_int {
            // SAFETY: promised by the caller.
            call(|| unsafe { $($body)* })
        }
    )*};
}

mod boards;
mod contexts;
mod pars;
mod plays;
mod setup;
mod tables;

pub use boards::*;
pub use contexts::*;
pub use pars::*;
pub use plays::*;
pub use setup::*;
pub use tables::*;

impl From<SolveError> for Fault {
    fn from(_: SolveError) -> Fault {
        Fault::Unknown
    }
}

/// Checks a thread index. Any non-negative value is allowed.
fn thread_index(index: c_int) -> Result<usize, Fault> {
    usize::try_from(index).map_err(|_| Fault::ThreadIndex)
}

/// The number of boards at the start of a structure. A negative number is refused like one that is
/// too large; DDS does not return from it.
///
/// # Safety
///
/// `count` is null or points to a number.
unsafe fn board_count(count: *const c_int) -> Result<usize, Fault> {
    // SAFETY: promised by the caller.
    let count = unsafe { read(count) }?;
    let count = usize::try_from(count).map_err(|_| Fault::TooManyBoards)?;
    if count > MAX_BOARDS {
        return Err(Fault::TooManyBoards);
    }
    Ok(count)
}

/// Returns true if DDS processes a board of a batch: it sorts boards by trump suit, and skips those
/// with an unknown one.
fn is_looked_at(deal: &Deal) -> bool {
    (0..6).contains(&deal.trump)
}

/// Writes the answers of a batch and returns the faults of the others.
///
/// # Safety
///
/// There is room for all from `first` on.
unsafe fn write_each<T>(answers: Vec<Option<Result<T, Fault>>>, first: *mut T) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (nth, answer) in answers.into_iter().enumerate() {
        match answer {
            // SAFETY: promised by the caller.
            Some(Ok(answer)) => unsafe { first.add(nth).write(answer) },
            Some(Err(fault)) => faults.push(fault),
            None => {}
        }
    }
    faults
}
