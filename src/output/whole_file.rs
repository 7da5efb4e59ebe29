//! Output files that appear complete or not at all.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, bail};
use setrograde::lookup::patiently;
use setrograde_parallel::lock;
use tempfile::{Builder, NamedTempFile};

use super::say;
use super::suggestion::directory_of;

/// The files being written, under their temporary names.
static BEGUN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that gets its name once it is complete. Until then it has another name in the same
/// directory, and an existing file is not changed. It is removed if it is dropped.
pub struct WholeFile {
    file: NamedTempFile,
    /// The name as given.
    name: PathBuf,
    /// The file that it becomes: where the name is a link, the one that it leads to.
    path: PathBuf,
}

impl WholeFile {
    /// A new file, which is to become `name`.
    pub fn create(name: &Path) -> anyhow::Result<WholeFile> {
        // A name that cannot be given at the end is refused before the work.
        let (there, refused) = match name.metadata() {
            Ok(there) => (Some(there), None),
            Err(error) if error.kind() == ErrorKind::NotFound => (None, None),
            Err(error) => (None, Some(error)),
        };
        // It would be replaced, not written to.
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            bail!(
                "{}: cannot write: it is not a regular file; without --output the results go to standard output",
                name.display()
            );
        }
        let path = destination(name);
        let directory = directory_of(&path);
        let mut builder = Builder::new();
        builder.prefix(".setrograde-");
        if let Some(permissions) = new_permissions() {
            builder.permissions(permissions);
        }
        let cannot = || format!("{}: cannot create", name.display());
        if !directory.is_dir() {
            bail!(
                "{}: there is no directory {}",
                cannot(),
                directory.display()
            );
        }
        if let Some(refused) = refused {
            bail!("{}: {refused}", cannot());
        }
        // The full error names the temporary file.
        let file = builder.tempfile_in(directory);
        let file = file.map_err(|error| io::Error::from(error.kind()));
        let file = file.with_context(cannot)?;
        if let Some(there) = there {
            let kept = patiently(|| fs::set_permissions(file.path(), there.permissions()));
            kept.with_context(cannot)?;
        }
        lock(&BEGUN).push(file.path().to_owned());
        Ok(WholeFile {
            file,
            name: name.to_owned(),
            path,
        })
    }

    /// The name as it was given.
    pub fn name(&self) -> String {
        self.name.display().to_string()
    }

    /// Gives the file its name if it is wanted; otherwise an earlier file stays, and no new one is
    /// made.
    pub fn finish_if(self, wanted: bool) -> anyhow::Result<()> {
        if wanted {
            return self.finish();
        }
        let left = if self.path.exists() {
            "left unchanged"
        } else {
            "not written"
        };
        say(format_args!("setrograde: {}: {left}", self.name()));
        Ok(())
    }

    /// Gives the file its name, once it is on the disk.
    pub fn finish(self) -> anyhow::Result<()> {
        let cannot = || format!("{}: cannot write", self.name.display());
        match self.file.as_file().sync_all() {
            // Some file systems of user space cannot make single files durable.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::InvalidInput | ErrorKind::Unsupported
                ) => {}
            synced => synced.with_context(cannot)?,
        }
        let mut file = Some(self.file);
        let named = patiently(|| {
            let complete = file.take().expect("an attempt that failed gives it back");
            complete.persist(&self.path).map_err(|error| {
                file = Some(error.file);
                error.error
            })
        });
        named.with_context(cannot)?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file().flush()
    }
}

/// Writes a complete file. If that fails, nothing is left of it, and an existing file is not
/// changed. Anything but a regular file, such as `/dev/stdout`, is written to directly.
pub fn write_file(path: &Path, text: &str) -> anyhow::Result<()> {
    let cannot = || format!("{}: cannot write", path.display());
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        return fs::write(path, text).with_context(cannot);
    }
    let mut file = WholeFile::create(path)?;
    file.write_all(text.as_bytes()).with_context(cannot)?;
    file.finish()
}

/// The file that a name means: where it is a link, the one that it leads to, which need not exist.
fn destination(name: &Path) -> PathBuf {
    /// Systems follow no more links than this.
    const MOST: usize = 40;
    let mut path = name.to_owned();
    for _ in 0..MOST {
        let Ok(to) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(to);
    }
    path
}

/// Removes incomplete files, when the process is about to end.
pub fn remove_begun() {
    for path in lock(&BEGUN).drain(..) {
        // Those that are whole have other names.
        let _ = fs::remove_file(path);
    }
}

/// The permissions of new files, which the user's mask cuts down; otherwise a file would
/// be its owner's alone.
fn new_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    return None;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_whole() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("a.html");
        let count = || directory.path().read_dir().expect("read").count();
        write_file(&path, "old").expect("written");
        write_file(&path, "new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        let mut file = WholeFile::create(&path).expect("created");
        file.write_all(b"part").expect("written");
        assert_eq!(count(), 2);
        drop(file);
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        assert_eq!(count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_are_kept() {
        use std::os::unix::fs::PermissionsExt;

        let directory = tempfile::tempdir().expect("a directory");
        let at = |name: &str| directory.path().join(name);
        let mode = |name: &str| {
            let there = fs::metadata(at(name)).expect("there");
            there.permissions().mode() & 0o777
        };
        fs::write(at("plain"), "").expect("written");
        write_file(&at("a"), "old").expect("written");
        assert_eq!(mode("a"), mode("plain"));
        fs::set_permissions(at("a"), Permissions::from_mode(0o640)).expect("set");
        std::os::unix::fs::symlink("a", at("link")).expect("linked");
        write_file(&at("link"), "new").expect("written");
        assert_eq!(fs::read_to_string(at("a")).expect("read"), "new");
        assert_eq!(mode("a"), 0o640);
        assert!(at("link").is_symlink());
        // Where nothing is yet.
        std::os::unix::fs::symlink("later", at("soon")).expect("linked");
        std::os::unix::fs::symlink(at("soon"), at("sooner")).expect("linked");
        write_file(&at("sooner"), "first").expect("written");
        assert_eq!(fs::read_to_string(at("later")).expect("read"), "first");
        assert!(at("soon").is_symlink() && at("sooner").is_symlink());
        for target in ["away/later", "round"] {
            std::os::unix::fs::symlink(target, at("round")).expect("linked");
            assert!(write_file(&at("round"), "").is_err(), "{target}");
            fs::remove_file(at("round")).expect("removed");
        }
    }
}
