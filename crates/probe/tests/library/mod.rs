//! The name of a shared library that is tested, and the tools that this needs. Tests of several
//! crates include this file.

use std::path::Path;
use std::process::{Command, Output};

/// Gives a library the name under which programs look for it.
pub fn link_to(folder: &Path, library: &str) {
    // Another test may do the same.
    let _ = std::os::unix::fs::symlink(library, folder.join(format!("{library}.1")));
}

/// Runs a tool; `None`, with a line, if this machine has none.
pub fn tool(command: &mut Command) -> Option<Output> {
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            println!("skipped, no {}: {error}", command.get_program().display());
            None
        }
    }
}
