//! How a command opens a database.

use std::path::Path;
use std::time::Duration;

use setrograde_lookup::{Database, Error, Note};

use crate::output::say;

/// Opens the database in a directory, and says on standard error what was noted on the
/// way.
pub fn open(directory: &Path) -> Result<Database, Error> {
    let database = Database::open(directory)?;
    let mut unpacked = Vec::new();
    let mut time = Duration::ZERO;
    for note in database.notes() {
        match note {
            Note::Unpacked { cards, took, .. } => {
                unpacked.push(cards.to_string());
                time += *took;
            }
            note => say(format_args!("setrograde: {note}")),
        }
    }
    let first = database.notes().iter().find_map(Note::unpacked_because);
    if let Some(reason) = first {
        say(format_args!(
            "setrograde: {} cards unpacked into memory in {:.2} s ({reason}); `setrograde unpack --db {}` does that once for all",
            unpacked.join(", "),
            time.as_secs_f64(),
            directory.display(),
        ));
    }
    Ok(database)
}
