//! Set-up and information functions.

use std::ffi::{c_char, c_int};

use crate::abi::Info;
use crate::boundary::{Out, call, write_text};
use crate::code::{Fault, NO_FAULT};
use crate::numbers::positive;
use crate::{code, info, resources};

/// Sets how many workers a call may have; 0 means one for each processor. No call needs it.
#[unsafe(no_mangle)]
pub extern "system" fn SetMaxThreads(threads: c_int) {
    call(|| {
        resources::set_limits(None, positive(threads));
        Ok(())
    });
}

/// Does nothing; there is one way of threading. As in DDS built with it, 0 and 5
/// (none, and the language's own) are taken, and others are said not to be there.
#[unsafe(no_mangle)]
pub extern "system" fn SetThreading(code: c_int) -> c_int {
    match code {
        0 | 5 => NO_FAULT,
        _ => Fault::NoThreading.code(),
    }
}

/// Sets the memory of all tables together, in MiB, and how many searches may
/// run at once; 0 for as much as there is.
#[unsafe(no_mangle)]
pub extern "system" fn SetResources(megabytes: c_int, threads: c_int) {
    call(|| {
        let memory = positive(megabytes).map(|megabytes| megabytes << 20);
        resources::set_limits(memory, positive(threads));
        Ok(())
    });
}

/// Frees the memory kept for the next question.
#[unsafe(no_mangle)]
pub extern "system" fn FreeMemory() {
    call(|| {
        resources::free();
        Ok(())
    });
}

/// Does nothing: nothing needs setting up. As in DDS 3.1.
#[unsafe(no_mangle)]
pub extern "system" fn InitializeStaticMemory() {}

/// Describes the library and its settings.
///
/// # Safety
///
/// `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn GetDDSInfo(result: *mut Info) {
    call(|| {
        // SAFETY: promised by the caller.
        info::write(unsafe { Out::new(result) }?, [2, 9, 0]);
        Ok(())
    });
}

/// The text of a return code, in up to 80 bytes.
///
/// # Safety
///
/// `line` is null or has room for 80 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn ErrorMessage(code: c_int, line: *mut c_char) {
    call(|| {
        // SAFETY: promised by the caller; no text is longer than 79 bytes.
        unsafe {
            write_text(
                Out::new(line.cast::<[c_char; 80]>())?.pointer(),
                code::message(code),
            );
        };
        Ok(())
    });
}
