//! The file operations of a build.
//!
//! Everything that a build writes goes through [`Files`], so that a test can
//! make each operation fail in turn. [`Disk`] is the real one.
//!
//! What is written is never written through a symbolic link, and only to
//! regular files: a stranger who may write into the directory cannot point a
//! build at a file elsewhere.

use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::{fs, io};

use setrograde_lookup::patiently;

/// A file system, as far as a build needs it.
pub(crate) trait Files: Sync {
    /// Opens a file for reading and writing, as it is; makes an empty one if
    /// there is none.
    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>>;
    /// Makes a file; it is an error if there is one.
    fn create_new(&self, path: &Path) -> io::Result<Box<dyn WritableFile>>;
    /// Makes a directory and those above it; one that is there is no error.
    fn create_directory(&self, path: &Path) -> io::Result<()>;
    /// Gives a file another name, in place of the file of that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Gives a file another name; it is an error if there is a file of that name.
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file; of a link, the link.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes a directory, which must be empty.
    fn remove_directory(&self, path: &Path) -> io::Result<()>;
    /// Makes durable which files a directory has.
    fn sync_directory(&self, path: &Path) -> io::Result<()>;
}

/// A file that a build writes.
pub(crate) trait WritableFile: Read + Write + Seek + Send {
    /// Its length in bytes.
    fn length(&self) -> io::Result<u64>;
    /// Cuts it off, or fills it up with zeros.
    fn set_length(&mut self, bytes: u64) -> io::Result<()>;
    /// Makes durable what was written.
    fn sync(&mut self) -> io::Result<()>;
    /// Keeps out all others.
    fn try_lock(&self) -> Result<(), TryLockError>;
    /// Keeps out those who would keep out all others.
    fn try_lock_shared(&self) -> Result<(), TryLockError>;
}

/// The real file system.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disk;

impl Files for Disk {
    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        // What the system says of a link, "too many levels of symbolic links",
        // helps nobody. It is asked all the same, in case a link takes the
        // file's place meanwhile.
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

    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        match patiently(|| fs::hard_link(from, to)) {
            // Of a leftover the next build takes care.
            Ok(()) => {
                let _ = self.remove_file(from);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // Not every file system has hard links. There two that choose a name in the same
            // moment may choose the same one.
            Err(_) if fs::symlink_metadata(to).is_ok() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => self.rename(from, to),
        }
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        patiently(|| fs::remove_file(path))
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        patiently(|| fs::remove_dir(path))
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        // Not every system can open a directory, or sync it: there nothing
        // more can be done.
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
        self.sync_data()
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        File::try_lock(self)
    }

    fn try_lock_shared(&self) -> Result<(), TryLockError> {
        File::try_lock_shared(self)
    }
}

/// Opens a regular file for reading, through links too. Does not wait for the
/// other end of a pipe.
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
            "it is a symbolic link, and a build writes through none",
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

fn cannot_sync_directories(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::InvalidInput
            | io::ErrorKind::Unsupported
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::IsADirectory
    )
}

/// Returns the bytes that are free on the disk of a directory; `None` where the system does not
/// report them.
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

/// The first bytes of levels, manifests and journals of any version.
const MAGIC: [u8; 6] = *b"setrog";

/// Returns true if another has the lock that was tried. Not every file system, of a cluster
/// say, has locks: there nobody has.
pub(crate) fn is_taken(tried: Result<(), TryLockError>) -> bool {
    matches!(tried, Err(TryLockError::WouldBlock))
}

/// Returns true if no program has a file locked that is to be removed, as far as the system
/// tells.
pub(crate) fn is_unused(path: &Path) -> bool {
    // Some file systems lock only what is open for writing.
    let file = options().open(path).or_else(|_| open_to_read(path));
    !file.is_ok_and(|file| is_taken(file.try_lock()))
}

/// Returns whether a file may be overwritten: it is ours, missing or empty, or it
/// begins with zeros, as a level under construction does.
///
/// # Errors
///
/// It cannot be read, or is not a regular file.
pub(crate) fn is_ours(path: &Path) -> io::Result<bool> {
    let mut file = match open_to_read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        file => file?,
    };
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(8).read_to_end(&mut start)?;
    Ok(start.starts_with(&MAGIC) || start.iter().all(|&byte| byte == 0))
}
