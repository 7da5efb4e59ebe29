//! The lines that `--json` prints. docs/json.md describes all objects, with examples.

use std::io::{self, Write};

use serde::Serialize;
use setrograde::source;

/// An object that answers no question, as a line with the version.
pub fn versioned(object: &impl Serialize) -> String {
    source::versioned(object) + "\n"
}

/// Prints an object on standard output, on its own line.
pub fn print(object: impl Serialize) -> io::Result<()> {
    io::stdout().write_all(versioned(&object).as_bytes())
}
