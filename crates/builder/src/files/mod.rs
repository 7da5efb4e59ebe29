//! The file operations of a build.
//!
//! Builds write only through [`Files`], so tests can make each operation fail in turn. [`Disk`] is
//! the real file system.
//!
//! A build writes only to regular files and never through a symbolic link: an attacker with write
//! access to the directory cannot redirect a build to another file.

pub(crate) mod temporary;

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

use setrograde_lookup::patiently;

/// The file-system operations of a build.
pub(crate) trait Files: Sync {
    /// Opens a file for reading and writing without truncating it; creates an empty one if it is
    /// missing.
    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>>;
    /// Creates a file; it is an error if it exists.
    fn create_new(&self, path: &Path) -> io::Result<Box<dyn WritableFile>>;
    /// Creates a directory and its parents; an existing directory is no error.
    fn create_directory(&self, path: &Path) -> io::Result<()>;
    /// Renames a file, replacing any file of that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file that is about to be replaced another name, which is new, so programs that have
    /// it mapped keep it. It may keep its old name, too.
    fn set_aside(&self, path: &Path, aside: &Path) -> io::Result<()>;
    /// Removes a file, or a link itself.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty directory.
    fn remove_directory(&self, path: &Path) -> io::Result<()>;
    /// Makes the entries of a directory durable.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
}

/// A file that a build writes.
pub(crate) trait WritableFile: Read + Write + Seek + Send {
    /// Its length in bytes.
    fn length(&self) -> io::Result<u64>;
    /// Truncates it, or extends it with zeros.
    fn set_length(&mut self, bytes: u64) -> io::Result<()>;
    /// Makes written bytes durable.
    fn sync(&mut self) -> io::Result<()>;
    /// Takes the exclusive lock.
    fn try_lock(&self) -> Result<(), TryLockError>;
    /// Takes a shared lock.
    fn try_lock_shared(&self) -> Result<(), TryLockError>;
    /// Returns true if `path` still names this file.
    fn is_at(&self, path: &Path) -> bool;
}

/// The real file system.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disk;

impl Files for Disk {
    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        // The system's error for a link, "too many levels of symbolic links", is not helpful. The
        // flag is set all the same, in case a link replaces the file in the meantime.
        match patiently(|| fs::symlink_metadata(path)) {
            Ok(metadata) => check_regular(&metadata)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let mut options = options();
        never_through_a_link(&mut options)
            .create(true)
            .truncate(false);
        let file = patiently(|| options.open(path))?;
        check_regular(&file.metadata()?)?;
        Ok(Box::new(file))
    }

    fn create_new(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        Ok(Box::new(patiently(|| {
            options().create_new(true).open(path)
        })?))
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        patiently(|| fs::create_dir_all(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        patiently(|| fs::rename(from, to))
    }

    fn set_aside(&self, path: &Path, aside: &Path) -> io::Result<()> {
        // Windows replaces no file that a program has mapped, but renames it.
        if cfg!(windows) {
            return self.rename(path, aside);
        }
        match patiently(|| fs::hard_link(path, aside)) {
            // Not every file system has hard links. Without them a program may find no file of the
            // name until the new one has it.
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => self.rename(path, aside),
            linked => linked,
        }
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        patiently(|| fs::remove_file(path))
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        patiently(|| fs::remove_dir(path))
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        // Some systems can neither open nor sync a directory; nothing more can be done there.
        let Ok(directory) = File::open(path) else {
            return Ok(());
        };
        match directory.sync_all() {
            Err(error) if cannot_sync_directories(&error) => Ok(()),
            synced => synced,
        }
    }
}

impl WritableFile for File {
    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        self.set_len(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        match self.sync_data() {
            // Some file systems of user space cannot make single files durable.
            Err(error) if cannot_sync(&error) => Ok(()),
            synced => synced,
        }
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        File::try_lock(self)
    }

    fn try_lock_shared(&self) -> Result<(), TryLockError> {
        File::try_lock_shared(self)
    }

    fn is_at(&self, path: &Path) -> bool {
        let Ok(found) = fs::symlink_metadata(path) else {
            return false;
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let number = |metadata: &Metadata| (metadata.dev(), metadata.ino());
            self.metadata()
                .is_ok_and(|file| number(&file) == number(&found))
        }
        // The name of a removed file stays taken there until all handles are closed.
        #[cfg(not(unix))]
        found.is_file()
    }
}

/// Opens a regular file for reading and follows links. Does not wait for the other end of a pipe.
pub(crate) fn open_to_read(path: &Path) -> io::Result<File> {
    check_regular(&patiently(|| fs::metadata(path))?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = patiently(|| options.open(path))?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

fn check_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_symlink() {
        Err(io::Error::other(
            "it is a symbolic link; builds do not write through links",
        ))
    } else if metadata.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    options
}

#[cfg(unix)]
fn never_through_a_link(options: &mut OpenOptions) -> &mut OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;
    options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32)
}

#[cfg(not(unix))]
fn never_through_a_link(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

fn cannot_sync(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
    )
}

fn cannot_sync_directories(error: &io::Error) -> bool {
    cannot_sync(error)
        || matches!(
            error.kind(),
            io::ErrorKind::PermissionDenied | io::ErrorKind::IsADirectory
        )
}

/// Returns the free bytes on the disk of a directory; `None` if the system does not report them.
pub(crate) fn free_space(directory: &Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let found = rustix::fs::statvfs(directory).ok()?;
        found.f_bavail.checked_mul(found.f_frsize)
    }
    #[cfg(not(unix))]
    {
        let _ = directory;
        None
    }
}

/// Returns the paths in a directory that are accepted, in order of their names.
pub(crate) fn paths_in(
    directory: &Path,
    accept: impl Fn(&Path) -> bool,
) -> io::Result<Vec<PathBuf>> {
    let entries = patiently(|| fs::read_dir(directory))?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| accept(path));
    paths.sort();
    Ok(paths)
}

/// The first bytes of levels, manifests and journals of any version.
const MAGIC: [u8; 6] = *b"setrog";

/// Returns true if another process holds the lock. On file systems without locks, as on some
/// clusters, the result is false.
pub(crate) fn is_taken(tried: Result<(), TryLockError>) -> bool {
    matches!(tried, Err(TryLockError::WouldBlock))
}

/// Returns true if no program holds a lock on a file, as far as the system reports.
pub(crate) fn is_unused(path: &Path) -> bool {
    // Some file systems lock only files that are open for writing.
    let file = options().open(path).or_else(|_| open_to_read(path));
    !file.is_ok_and(|file| is_taken(file.try_lock()))
}

/// Returns true if a file may be overwritten: it has one of this project's formats, is missing or
/// empty, or begins with zeros, as a level under construction does.
///
/// # Errors
///
/// If it cannot be read, or is not a regular file.
pub fn is_ours(path: &Path) -> io::Result<bool> {
    let start = beginning(path, 8)?;
    Ok(start.starts_with(&MAGIC) || is_blank(&start))
}

/// Returns the first bytes of a file, at most this many; none if there is no file.
pub(crate) fn beginning(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = match open_to_read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        file => file?,
    };
    let mut start = Vec::new();
    file.take(most).read_to_end(&mut start)?;
    Ok(start)
}

/// Returns true if the first bytes of a file are those of a missing or an empty one, or zeros, as
/// after a power failure.
pub(crate) fn is_blank(start: &[u8]) -> bool {
    start.iter().all(|&byte| byte == 0)
}
