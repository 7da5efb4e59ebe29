//! How a command opens a database: how much memory it may take.

use std::path::Path;

use clap::Args;
use setrograde_builder::free_memory;
use setrograde_lookup::{Access, Database, Error, Options};

use super::size::Size;
use crate::output::say;
use crate::output::tables::grouped;

/// How much memory a database may take.
#[derive(Args)]
pub struct DatabaseMemory {
    /// Most memory for what is unpacked of the database, as in 64M or 2G; less is
    /// slower, with the same answers.
    /// [default: half of the memory that is free]
    #[arg(long, value_name = "SIZE", requires = "db")]
    db_memory: Option<Size>,
    /// At the end, say on standard error what the database had in memory.
    #[arg(long, requires = "db")]
    verbose: bool,
}

impl DatabaseMemory {
    /// Opens the database in a directory.
    pub fn open(&self, directory: &Path) -> Result<Database, Error> {
        let options = match self.db_memory {
            // Mapped files would take memory beyond what was asked for.
            Some(size) => Options {
                access: Access::Read,
                memory: Some(size.bytes()),
            },
            None => Options {
                access: Access::Mapped,
                memory: Some(free_memory() / 2),
            },
        };
        Database::open_with(directory, options)
    }

    /// Says, if that is wanted, what a database had in memory.
    pub fn report(&self, database: &Database) {
        if !self.verbose {
            return;
        }
        let used = database.memory_use();
        let limit = used
            .limit
            .map_or(String::new(), |limit| format!(" of {}", Size::new(limit)));
        let mut line = format!(
            "setrograde: database: {}{limit} in use; {} shards unpacked, {} forgotten",
            Size::new(used.bytes),
            grouped(used.unpacked),
            grouped(used.evicted),
        );
        if used.lookups > 0 {
            line += &format!(
                "; of {} look-ups in levels that may not fit, {:.2} % found their shard",
                grouped(used.lookups),
                100.0 * used.hit_rate(),
            );
        }
        say(line);
    }
}
