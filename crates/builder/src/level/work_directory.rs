//! The directory of a level's journals.

use std::path::{Path, PathBuf};
use std::{fs, io};

use setrograde_lookup::format::manifest::level_path;

use crate::error::{AtPath, BuildError};
use crate::files::{Files, WritableFile, paths_in};
use crate::level::journal::{self, LOCK_PREFIX, Recipe, Segment};
use crate::plan::Chunk;

/// The directory `level-NN.work` of a database.
pub(crate) struct WorkDirectory<'a> {
    pub(crate) files: &'a dyn Files,
    path: PathBuf,
}

impl<'a> WorkDirectory<'a> {
    /// The directory for a level of the database in `database`.
    pub(crate) fn new(files: &'a dyn Files, database: &Path, level: usize) -> WorkDirectory<'a> {
        WorkDirectory {
            files,
            path: level_path(database, level).with_extension("work"),
        }
    }

    /// The directory of the database.
    pub(crate) fn database(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("."))
    }

    /// Creates the directory if it is missing.
    ///
    /// # Errors
    ///
    /// If it cannot be created, or is a link to another directory.
    pub(crate) fn create(&self) -> Result<(), BuildError> {
        let created = match fs::symlink_metadata(&self.path) {
            Ok(metadata) if metadata.is_dir() => return Ok(()),
            Ok(metadata) if metadata.is_symlink() => Err(io::Error::other(
                "it is a symbolic link; builds do not write through links",
            )),
            Ok(_) => Err(io::Error::other("there is a file of that name")),
            Err(_) => self.files.create_directory(&self.path),
        };
        created.at(&self.path, "make the directory")?;
        let synced = self.files.sync_directory(self.database());
        synced.at(self.database(), "write")
    }

    /// Returns the journal of a chunk on this host. Its name has the chunk and the host, so hosts
    /// that share a directory without locks do not write to the same file.
    pub(crate) fn own_journal(&self, chunk: Chunk) -> PathBuf {
        let host = host_name();
        let host = host.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        let (number, of) = (chunk.number(), chunk.of());
        self.path.join(format!("chunk-{number}-of-{of}.{host}"))
    }

    /// The journals of a chunk, or of all, in order of their names.
    pub(crate) fn journals(&self, of: Option<Chunk>) -> Result<Vec<PathBuf>, BuildError> {
        self.files_with(|path| chunk_of(path).is_some_and(|chunk| of.is_none_or(|of| of == chunk)))
    }

    /// Returns the files whose names are accepted, in order of their names.
    fn files_with(&self, accept: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, BuildError> {
        match paths_in(&self.path, accept) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            paths => paths.at(&self.path, "read"),
        }
    }

    /// Returns the usable journals with their recipes, in order of their names.
    ///
    /// # Errors
    ///
    /// If a journal cannot be read.
    pub(crate) fn recipes(&self) -> Result<Vec<(PathBuf, Recipe)>, BuildError> {
        let mut recipes = Vec::new();
        for path in self.journals(None)? {
            if let Segment::Sound(recipe) = journal::segment_kind(&path)? {
                recipes.push((path, recipe));
            }
        }
        Ok(recipes)
    }

    /// Removes the journals of a chunk, its lock, and then the directory and that of the database
    /// if they are empty. No file of them may be open but the lock: Windows removes an open file
    /// only when it is closed, and no directory before that.
    pub(crate) fn remove_chunk(&self, chunk: Chunk, lock: Box<dyn WritableFile>) {
        // What cannot be removed costs some disk, and is a chunk that is finished.
        for path in self.journals(Some(chunk)).unwrap_or_default() {
            let _ = self.files.remove_file(&path);
        }
        self.remove_useless_locks();
        // Only now, so no other process continues a journal that is about to be removed.
        drop(lock);
        let _ = self.files.remove_directory(&self.path);
        let _ = self.files.remove_directory(self.database());
    }

    /// Removes unusable journals and those whose recipe `superseded` accepts, then the directory if
    /// it is empty. Other files stay.
    ///
    /// # Errors
    ///
    /// If a journal cannot be removed. The next build removes the remaining files.
    pub(crate) fn remove(&self, superseded: impl Fn(&Recipe) -> bool) -> Result<(), BuildError> {
        if !fs::symlink_metadata(&self.path).is_ok_and(|metadata| metadata.is_dir()) {
            return Ok(());
        }
        for path in self.journals(None)? {
            let goes = match journal::segment_kind(&path)? {
                Segment::Sound(recipe) => superseded(&recipe),
                Segment::Worthless => true,
                Segment::Foreign => false,
            };
            if goes {
                self.files.remove_file(&path).at(&path, "remove")?;
            }
        }
        self.remove_useless_locks();
        let _ = self.files.remove_directory(&self.path);
        Ok(())
    }

    /// Removes the locks of journals that are gone.
    fn remove_useless_locks(&self) {
        for path in self.files_with(is_lock_without_journal).unwrap_or_default() {
            let _ = self.files.remove_file(&path);
        }
    }
}

/// Returns the name of this machine, or an empty text if it has none.
fn host_name() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    name
}

/// Returns true if a file is the lock of a missing journal.
fn is_lock_without_journal(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let journal = name
        .and_then(|name| name.strip_prefix(LOCK_PREFIX))
        .map(|name| path.with_file_name(name));
    journal.is_some_and(|journal| chunk_of(&journal).is_some() && !journal.exists())
        && fs::symlink_metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0)
}

/// The host in a journal's name.
pub(crate) fn host_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let host = name.split('.').nth(1).unwrap_or_default();
    host.to_owned()
}

/// The chunk in a journal's name.
pub(crate) fn chunk_of(path: &Path) -> Option<Chunk> {
    let name = path.file_name()?.to_str()?.strip_prefix("chunk-")?;
    let (number, of) = name.split_once('.')?.0.split_once("-of-")?;
    Chunk::new(number.parse().ok()?, of.parse().ok()?)
}
