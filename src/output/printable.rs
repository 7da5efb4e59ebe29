//! Texts from files, names of files and arguments, as they may be printed.

use std::path::Path;

pub use setrograde::source::{acts, printable};

/// Returns a path as it may be printed.
pub fn path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}
