//! Retries for files that another program has open for a moment, such as virus scanners, backups
//! and sync clients.

use std::io;
use std::time::Duration;

/// The pauses between attempts grow by half each time, from the first of these to the last: five
/// seconds in all.
const FIRST: Duration = Duration::from_millis(if cfg!(test) { 1 } else { 5 });
const LAST: Duration = Duration::from_millis(if cfg!(test) { 2 } else { 640 });
const ATTEMPTS: usize = 18;

/// Tries an action on a file, and retries it for some seconds while another program has the file
/// open.
///
/// # Errors
///
/// The error of the last attempt, which says so if the file is in use.
pub fn patiently<T>(mut action: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    let mut pause = FIRST;
    for _ in 1..ATTEMPTS {
        match action() {
            Err(error) if is_busy(&error) => {
                std::thread::sleep(pause);
                pause = LAST.min(pause * 3 / 2);
            }
            done => return done,
        }
    }
    action().map_err(|error| {
        if is_busy(&error) {
            io::Error::new(error.kind(), FileInUse(error))
        } else {
            error
        }
    })
}

/// The error of a file that stays in use.
#[derive(Debug, thiserror::Error)]
#[error("another program has it in use: {0}")]
struct FileInUse(io::Error);

/// Returns true if an action failed because another program has the file.
fn is_busy(error: &io::Error) -> bool {
    match error.raw_os_error() {
        // Access denied, which a file that is about to be removed answers, too; the violations of
        // sharing and of locks; and a pending removal.
        Some(code) if cfg!(windows) => matches!(code, 5 | 32 | 33 | 303),
        _ => matches!(
            error.kind(),
            io::ErrorKind::ResourceBusy
                | io::ErrorKind::ExecutableFileBusy
                | io::ErrorKind::Interrupted
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn busy() -> io::Error {
        io::ErrorKind::ResourceBusy.into()
    }

    #[test]
    fn a_busy_file_is_waited_for_and_other_errors_are_not() {
        let mut left = 10;
        let opened = patiently(|| {
            left -= 1;
            if left > 0 { Err(busy()) } else { Ok(7) }
        });
        assert_eq!(opened.expect("it is free in the end"), 7);

        let mut attempts = 0;
        let refused: io::Result<()> = patiently(|| {
            attempts += 1;
            Err(io::ErrorKind::NotFound.into())
        });
        assert!(refused.is_err() && attempts == 1);
    }

    #[test]
    fn a_file_that_stays_busy_is_said_to_be_in_use() {
        let mut attempts = 0;
        let error = patiently::<()>(|| {
            attempts += 1;
            Err(busy())
        })
        .expect_err("it is never free");
        assert_eq!(attempts, ATTEMPTS);
        assert_eq!(error.kind(), io::ErrorKind::ResourceBusy);
        assert!(error.to_string().contains("in use"), "{error}");
    }
}
