//! Files that appear complete or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::{Files, WritableFile, is_ours};
use crate::error::{AtPath, BuildError};

/// The prefix of temporary files. A killed build leaves them behind, and the next one removes them.
pub(crate) const TEMPORARY_PREFIX: &str = ".setrograde-";

/// Checks that a file may be replaced: it is one of ours, or not there.
pub(crate) fn check_ours(path: &Path, why: &str) -> Result<(), BuildError> {
    if is_ours(path).at(path, "replace")? {
        return Ok(());
    }
    Err(BuildError::NotOurs {
        path: path.to_owned(),
        why: why.to_owned(),
        choose: "another directory",
    })
}

/// Writes a small file atomically.
pub(crate) fn write_whole(files: &dyn Files, path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let (temporary, mut file) = Temporary::beside(files, path)?;
    file.write_all(bytes).at(path, "write")?;
    file.sync().at(path, "write")?;
    temporary.put_in_place(path)
}

/// A temporary file, which is removed unless it gets its final name.
pub(crate) struct Temporary<'a> {
    pub(crate) files: &'a dyn Files,
    pub(crate) path: PathBuf,
    is_placed: bool,
}

impl<'a> Temporary<'a> {
    pub(crate) fn beside(
        files: &'a dyn Files,
        path: &Path,
    ) -> Result<(Temporary<'a>, Box<dyn WritableFile>), BuildError> {
        let directory = path.parent().unwrap_or(Path::new("."));
        let create = || {
            let (file, name) = tempfile::Builder::new()
                .prefix(TEMPORARY_PREFIX)
                .make_in(directory, |path| files.create_new(path))?
                .into_parts();
            let temporary = Temporary {
                files,
                path: name.keep()?,
                is_placed: false,
            };
            Ok((temporary, file))
        };
        create().at(directory, "create a file in")
    }

    /// Gives the file its final name, and makes that durable.
    pub(crate) fn put_in_place(mut self, path: &Path) -> Result<(), BuildError> {
        let renamed = self.files.rename(&self.path, path);
        renamed.at(path, "move into place")?;
        self.is_placed = true;
        let directory = path.parent().unwrap_or(Path::new("."));
        self.files.sync_directory(directory).at(directory, "write")
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.is_placed {
            // The next build removes it if this fails.
            let _ = self.files.remove_file(&self.path);
        }
    }
}
