//! The files of `--output`.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

/// Returns the file that `--output` names; `None` if it is `-`, standard output, where the results
/// go without it.
pub fn file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|path| !is_standard(path))
}

/// Returns true if a name means standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the reader of a file's name where standard output cannot be the file.
pub fn only_file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if is_standard(&path) {
            Err("expected a file, not standard output (./- is a file of this name)")
        } else {
            Ok(path)
        }
    })
}
