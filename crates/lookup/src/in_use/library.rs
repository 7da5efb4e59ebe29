//! Finds the files that this code runs from: a release has a database beside them.

use std::path::PathBuf;

/// Returns the shared library with this code, if it is in one, and the program.
pub fn own_files() -> Vec<PathBuf> {
    let files = [library(), std::env::current_exe().ok()];
    files.into_iter().flatten().collect()
}

/// Returns the shared library with this code, or the program if it contains the code; `None` if the
/// system does not report it.
#[cfg(unix)]
pub fn library() -> Option<PathBuf> {
    use std::ffi::{CStr, OsStr, c_void};
    use std::os::unix::ffi::OsStrExt;

    let mut found = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    let address = library as fn() -> Option<PathBuf> as *const c_void;
    // SAFETY: `found` may be written to, and is valid as all zeros, too. The address is only
    // compared with those of the loaded libraries.
    let (code, found) = unsafe {
        let code = libc::dladdr(address, found.as_mut_ptr());
        (code, found.assume_init())
    };
    if code == 0 || found.dli_fname.is_null() {
        return None;
    }
    // SAFETY: the name ends with 0, and lives as long as the library, whose code runs now.
    let name = unsafe { CStr::from_ptr(found.dli_fname) };
    // A program may be known by the first of its arguments, which is not a path.
    let is_path = name.to_bytes().contains(&b'/');
    is_path.then(|| PathBuf::from(OsStr::from_bytes(name.to_bytes())))
}

/// Returns the library with this code, or the program if it contains the code; `None` if Windows
/// does not report it.
#[cfg(windows)]
pub fn library() -> Option<PathBuf> {
    use std::os::windows::ffi::OsStringExt;
    use windows_sys::Win32::System::LibraryLoader as loader;

    let flags = loader::GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS
        | loader::GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    let address = library as fn() -> Option<PathBuf> as *const u16;
    let mut module = std::ptr::null_mut();
    // The longest path that Windows has.
    let mut name = vec![0u16; 32_768];
    // SAFETY: with these flags the address is not a text, but one of a function, and that is
    // this function; `module` and as much of `name` as its length says may be written to. The
    // library stays, since its code runs now.
    let length = unsafe {
        if loader::GetModuleHandleExW(flags, address, &raw mut module) == 0 {
            return None;
        }
        loader::GetModuleFileNameW(module, name.as_mut_ptr(), 32_768)
    };
    let name = name
        .get(..length as usize)
        .filter(|name| !name.is_empty())?;
    Some(std::ffi::OsString::from_wide(name).into())
}

/// Returns `None`: there are no libraries.
#[cfg(not(any(unix, windows)))]
pub fn library() -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(any(unix, windows))]
    fn code_of_a_program_is_in_the_program() {
        let program = std::env::current_exe().expect("a path");
        let found = super::library().expect("a path");
        assert_eq!(found.file_name(), program.file_name());
    }
}
