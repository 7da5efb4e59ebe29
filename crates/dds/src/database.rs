//! The endgame database that `SETROGRADE_DB` names.

use std::sync::Arc;

use setrograde_lookup::Database;
use setrograde_solver::Endgames;

/// The database, if the variable is set and the directory holds one.
///
/// A wrong directory is told on standard error. The library's only other way
/// to tell would be a return code, and no answer is wrong without a database.
pub fn open() -> Option<Arc<dyn Endgames>> {
    let directory = std::env::var_os("SETROGRADE_DB").filter(|value| !value.is_empty())?;
    match Database::open(&directory) {
        Ok(database) => Some(Arc::new(database)),
        Err(error) => {
            eprintln!(
                "libdds: SETROGRADE_DB={} is not used: {error}",
                directory.display()
            );
            None
        }
    }
}
