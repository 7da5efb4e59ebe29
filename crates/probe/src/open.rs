//! Opening a database for C.

use std::ffi::{CStr, OsString, c_char, c_int, c_void};
use std::path::PathBuf;
use std::slice;

use setrograde_lookup::in_use::{NONE, VARIABLE, directory_in_use, own_files};
use setrograde_lookup::{Bytes, Database, DiskReads, Error};

use crate::Db;

/// The reason that there is no database, in a line.
pub struct Failure(pub String);

impl From<&str> for Failure {
    fn from(reason: &str) -> Failure {
        Failure(reason.to_owned())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let cause = std::error::Error::source(&error);
        let cause = cause.map(|cause| format!(": {cause}"));
        Failure(format!("{error}{}", cause.unwrap_or_default()))
    }
}

/// Opens the database in a directory, or the deepest that is found where the path is NULL.
pub fn from_path(path: *const c_char, max_cards: c_int, flags: c_int) -> Result<Db, Failure> {
    let reads = match flags {
        0 => DiskReads::BySize,
        1 => DiskReads::Wait,
        2 => DiskReads::Never,
        3 => DiskReads::Ahead,
        _ => {
            return Err(
                "flags: expected one of SG_BY_SIZE, SG_WAIT, SG_NEVER_WAIT, SG_READ_AHEAD".into(),
            );
        }
    };
    let max_cards = match usize::try_from(max_cards) {
        Ok(0) => usize::MAX,
        Ok(cards) => cards,
        Err(_) => return Err("max_cards: expected 0 or more".into()),
    };
    let directory = if path.is_null() {
        in_use()?
    } else {
        // SAFETY: the caller of `sg_open` promises a text that ends with 0.
        PathBuf::from(text(unsafe { CStr::from_ptr(path) })?)
    };
    answering(Database::open_reading(&directory, reads)?, max_cards)
}

/// Opens the levels in memory.
pub(crate) fn from_levels(
    levels: *const *const c_void,
    sizes: *const usize,
    n: usize,
) -> Result<Db, Failure> {
    if n == 0 || n > 13 {
        return Err("n: expected 1 to 13 levels".into());
    }
    if levels.is_null() || sizes.is_null() {
        return Err("levels, sizes: expected arrays, found NULL".into());
    }
    // SAFETY: the caller of `sg_open_memory` promises `n` entries in both.
    let (levels, sizes) = unsafe {
        (
            slice::from_raw_parts(levels, n),
            slice::from_raw_parts(sizes, n),
        )
    };
    if levels.iter().any(|level| level.is_null()) {
        return Err("levels: expected the bytes of a level, found NULL".into());
    }
    let bytes = levels.iter().zip(sizes).map(|(&level, &size)| {
        // SAFETY: the caller promises these bytes until the database is closed, and nothing
        // that is made of them lives longer.
        let bytes: &'static [u8] = unsafe { slice::from_raw_parts(level.cast(), size) };
        Bytes::from(bytes)
    });
    answering(Database::from_bytes(bytes)?, usize::MAX)
}

/// Returns the database, which answers up to the last level below which no level is missing.
fn answering(database: Database, max_cards: usize) -> Result<Db, Failure> {
    let deepest = (1..14)
        .take_while(|&level| 4 * level <= max_cards && database.level(level).is_some())
        .count();
    match deepest {
        0 => Err("the database has no level of 4 cards, or max_cards is less".into()),
        deepest => Ok(Db { database, deepest }),
    }
}

/// Returns the path as the system has it.
fn text(path: &CStr) -> Result<OsString, Failure> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Ok(std::ffi::OsStr::from_bytes(path.to_bytes()).to_owned())
    }
    #[cfg(not(unix))]
    match path.to_str() {
        Ok(path) => Ok(path.into()),
        Err(_) => Err("path: expected UTF-8".into()),
    }
}

/// Returns the directory of the database that programs use by default.
fn in_use() -> Result<PathBuf, Failure> {
    directory_in_use(&own_files()).ok_or_else(|| {
        let problem = if std::env::var_os(VARIABLE).is_some_and(|name| name == NONE) {
            "SETROGRADE_DB is \"none\""
        } else {
            "no database was found; `setrograde build` makes one in the user's data directory"
        };
        problem.into()
    })
}
