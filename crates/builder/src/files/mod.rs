//! The file operations of a build.
//!
//! Everything that a build writes goes through [`Files`], so that a test can
//! make each operation fail in turn. [`Disk`] is the real one.
//!
//! What is written is never written through a symbolic link, and only to
//! regular files: a stranger who may write into the directory cannot point a
//! build at a file elsewhere.

mod disk;
#[cfg(all(test, unix))]
pub(crate) mod faulty;
mod ours;

use std::fs::TryLockError;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

pub(crate) use disk::{Disk, open_to_read};
pub(crate) use ours::is_ours;

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
