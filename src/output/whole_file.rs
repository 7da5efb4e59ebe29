//! Output files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// A file under the name that it has until it is finished, FILE.unfinished.
pub struct Unfinished {
    file: File,
    unfinished: PathBuf,
    finished: PathBuf,
}

impl Unfinished {
    /// A new file.
    pub fn create(finished: &Path) -> anyhow::Result<Unfinished> {
        // It would be replaced, not written to.
        if finished.metadata().is_ok_and(|there| !there.is_file()) {
            bail!(
                "{}: cannot write: it is not a regular file; without --output the results go to standard output",
                finished.display()
            );
        }
        let unfinished = Unfinished::name_of(finished);
        let file = match File::create_new(&unfinished) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => bail!(
                "{}: an earlier run left it; continue it with --resume (`table --format pbn`), or remove it",
                unfinished.display()
            ),
            file => file.with_context(|| format!("{}: cannot create", unfinished.display()))?,
        };
        Ok(Unfinished::of(file, finished))
    }

    /// An open file as the unfinished form of another.
    pub fn of(file: File, finished: &Path) -> Unfinished {
        Unfinished {
            file,
            unfinished: Unfinished::name_of(finished),
            finished: finished.to_owned(),
        }
    }

    /// The name of a file until it is finished.
    pub fn name_of(finished: &Path) -> PathBuf {
        let mut name = finished.as_os_str().to_owned();
        name.push(".unfinished");
        name.into()
    }

    /// The name that it has now.
    pub fn name(&self) -> String {
        self.unfinished.display().to_string()
    }

    /// Gives the file its name, once it is on the disk.
    pub fn finish(self) -> anyhow::Result<()> {
        let cannot = || format!("{}: cannot write", self.finished.display());
        self.file.sync_all().with_context(cannot)?;
        fs::rename(&self.unfinished, &self.finished).with_context(cannot)
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a whole file. If that fails, no part of it is left, and a file that was
/// there before is as it was. Anything but a regular file, as `/dev/stdout`, is written
/// to directly.
pub fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let cannot = || format!("{}: cannot write", path.display());
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return fs::write(path, text).with_context(cannot);
    }
    let mut file = Unfinished::create(path)?;
    let written = file.write_all(text.as_bytes()).with_context(cannot);
    let unfinished = file.unfinished.clone();
    let finished = written.and_then(|()| file.finish());
    if finished.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(unfinished);
    }
    finished
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_whole() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.svg");
        write_file(&path, "old").expect("written");
        write_file(&path, "new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        assert_eq!(directory.path().read_dir().expect("read").count(), 1);
    }
}
