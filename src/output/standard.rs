//! Standard input and output as files.

use std::fs::File;
use std::io::{self, Write};
#[cfg(unix)]
use std::os::fd::AsFd as AsOwn;
#[cfg(windows)]
use std::os::windows::io::AsHandle as AsOwn;

/// Returns standard output as a file. What happens to the file does not close the stream.
///
/// # Errors
///
/// If there is no such stream, or no more files may be open.
pub fn output() -> io::Result<File> {
    own(&io::stdout())
}

/// Returns standard input as a file, likewise.
///
/// # Errors
///
/// As [`output`].
pub fn input() -> io::Result<File> {
    own(&io::stdin())
}

/// Checks that standard output is open for writing: if it is not, the standard library silently
/// discards all output.
///
/// # Errors
///
/// If it is not.
pub fn check_output() -> io::Result<()> {
    match output() {
        // Nothing is written.
        Ok(mut file) if cfg!(unix) => file.write(&[]).map(drop),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn own(stream: &impl AsOwn) -> io::Result<File> {
    Ok(stream.as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn own(stream: &impl AsOwn) -> io::Result<File> {
    Ok(stream.as_handle().try_clone_to_owned()?.into())
}
