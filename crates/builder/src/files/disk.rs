//! The file system of the operating system.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use super::{Files, WritableFile};

/// The real file system.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disk;

impl Files for Disk {
    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        // What the system says of a link, "too many levels of symbolic links",
        // helps nobody. It is asked all the same, in case a link takes the
        // file's place meanwhile.
        match fs::symlink_metadata(path) {
            Ok(metadata) => check_regular(&metadata)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        let file = never_through_a_link(&mut options())
            .create(true)
            .truncate(false)
            .open(path)?;
        check_regular(&file.metadata()?)?;
        Ok(Box::new(file))
    }

    fn create_new(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        Ok(Box::new(options().create_new(true).open(path)?))
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
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
    check_regular(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path)?;
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
