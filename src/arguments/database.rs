//! `--db`: the database that a command uses.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use setrograde::Desk;
use setrograde::lookup::in_use::{self, InUse, NONE};
use setrograde::lookup::{Database, Error, Note};

use crate::interrupt;
use crate::output::errors::{hint, with_hint};
use crate::output::{say, suggestion};

/// `--db`, where answers come from a database or are helped by one.
#[derive(Args)]
pub struct DatabaseArgument {
    /// Directory of the endgame database, or `none` for none. [default: $SETROGRADE_DB, your own
    /// (`setrograde build`), share/setrograde next to the program, or the 12 cards compiled in]
    #[arg(long, value_name = "DIR")]
    db: Option<OsString>,
}

impl DatabaseArgument {
    /// Opens the database to use; `None` if there is none.
    pub fn open(&self) -> anyhow::Result<Option<Arc<Database>>> {
        Ok(self.in_use()?.map(|found| found.database))
    }

    /// The desk that answers from that database.
    pub fn desk(&self) -> anyhow::Result<Desk> {
        let mut desk = Desk::new(self.open()?);
        desk.set_stop(interrupt::stop());
        Ok(desk)
    }

    /// The directory of the database to use; `None` without a database, or for the one in the program.
    pub fn directory(&self) -> anyhow::Result<Option<PathBuf>> {
        let database = self.open()?;
        Ok(database.and_then(|database| database.directory().map(Path::to_owned)))
    }

    /// Returns true if a database was named.
    pub fn is_named(&self) -> bool {
        self.db.as_deref().is_some_and(|name| name != NONE)
    }

    /// Opens the database to use, for a command that needs one.
    pub fn required(&self) -> anyhow::Result<Arc<Database>> {
        let database = self.open()?;
        database.context("this command needs a database; --db or SETROGRADE_DB says none")
    }

    /// Opens the database to use, and prints its notes on standard error.
    pub fn in_use(&self) -> anyhow::Result<Option<InUse>> {
        let found = Database::in_use(self.db.as_deref())?;
        if let Some(found) = &found {
            if let Some(problem) = &found.problem {
                let mut errors = found
                    .passed_over
                    .iter()
                    .filter_map(|over| over.error.as_ref());
                let hint = errors.find_map(|error| hint(error));
                let problem = with_hint(problem.clone(), hint);
                say(format_args!("setrograde: {problem}"));
            }
            say_notes(&found.database);
        }
        Ok(found)
    }
}

/// A desk without a database.
pub fn desk() -> Desk {
    let mut desk = Desk::default();
    desk.set_stop(interrupt::stop());
    desk
}

/// Opens the database in a directory, and prints its notes on standard error.
pub fn open(directory: &Path) -> Result<Database, Error> {
    let database = Database::open(directory)?;
    say_notes(&database);
    Ok(database)
}

/// Prints the notes of opening the database on standard error.
fn say_notes(database: &Database) {
    let (mut unpacked, mut because) = (Vec::new(), None);
    let mut time = Duration::ZERO;
    for note in database.notes() {
        match note {
            Note::Unpacked {
                cards,
                took,
                reason,
                ..
            } => {
                unpacked.push(cards.to_string());
                time += *took;
                because.get_or_insert(reason);
            }
            Note::TooLarge { .. } => {
                let unpack = suggestion::command("db unpack", database.directory());
                say(format_args!("setrograde: {note}; run {unpack} first"));
            }
            note => say(format_args!("setrograde: {note}")),
        }
    }
    if let (Some(reason), Some(directory)) = (because, database.directory()) {
        say(format_args!(
            "setrograde: {} cards unpacked into memory in {:.2} s ({reason}); {} does this once for all programs",
            unpacked.join(", "),
            time.as_secs_f64(),
            suggestion::command("db unpack", Some(directory)),
        ));
    }
}

/// `--db`, where a database is built or changed.
#[derive(Args)]
pub struct DirectoryArgument {
    /// Directory of the database. [default: $SETROGRADE_DB, or your own, which all commands use]
    #[arg(long, value_name = "DIR")]
    db: Option<OsString>,
}

impl DirectoryArgument {
    /// The directory.
    pub fn path(&self) -> anyhow::Result<PathBuf> {
        Ok(in_use::directory(self.db.as_deref())?)
    }

    /// Returns true if all commands use this directory by default.
    pub fn is_usual(&self) -> bool {
        self.db.is_none()
    }

    /// ` --db DIR` as given, for a suggested command; empty if it was not given.
    pub fn as_given(&self) -> String {
        match &self.db {
            Some(name) => format!(" --db {}", suggestion::quoted(name)),
            None => String::new(),
        }
    }
}
