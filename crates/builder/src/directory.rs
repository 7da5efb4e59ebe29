//! The directory of a database: locks between builds, the files that may be replaced, and the
//! manifest.

use std::fs::{self, Metadata, TryLockError};
use std::path::Path;
use std::thread;
use std::time::Duration;

use setrograde_lookup::format::manifest::{self, Manifest};
use setrograde_lookup::{Error, patiently};

use crate::error::{AtPath, BuildError};
use crate::files::temporary::{TEMPORARY_PREFIX, check_ours, write_whole};
use crate::files::{Files, WritableFile, is_ours, is_taken, is_unused};
use crate::observer::BuildObserver;

/// The directory of a database. All writing to it goes through `files`.
#[derive(Clone, Copy)]
pub(crate) struct Directory<'a> {
    pub(crate) path: &'a Path,
    pub(crate) files: &'a dyn Files,
}

/// A lock on a directory, held until it is dropped.
pub(crate) type Lock = Box<dyn WritableFile>;

impl Directory<'_> {
    /// Takes the exclusive lock of the directory, and removes the leftovers of a killed build.
    /// Without the lock, two builds would remove each other's temporary files.
    pub(crate) fn lock_exclusive(&self) -> Result<Lock, BuildError> {
        let lock = self.lock(|file| file.try_lock())?;
        self.remove_leftovers()?;
        Ok(lock)
    }

    /// Takes a shared lock: other processes may build chunks, but not write levels.
    pub(crate) fn lock_shared(&self) -> Result<Lock, BuildError> {
        self.lock(|file| file.try_lock_shared())
    }

    /// Takes a shared lock, which keeps builds from removing the temporary files of this process; a
    /// running build did so at its start. Removes the leftovers of killed processes if no other
    /// process has the directory locked.
    pub(crate) fn lock_to_unpack(&self) -> Result<Option<Lock>, BuildError> {
        match self.lock_exclusive() {
            Ok(_) | Err(BuildError::Busy { .. }) => {}
            Err(error) => return Err(error),
        }
        // Another process that unpacks has the exclusive lock only for a moment.
        for _ in 0..20 {
            match self.lock_shared() {
                Ok(lock) => return Ok(Some(lock)),
                Err(BuildError::Busy { .. }) => thread::sleep(Duration::from_millis(50)),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    fn lock(
        &self,
        lock: impl Fn(&dyn WritableFile) -> Result<(), TryLockError>,
    ) -> Result<Lock, BuildError> {
        self.check_own()?;
        self.files
            .create_directory(self.path)
            .at(self.path, "make the directory")?;
        let path = self.path.join("build.lock");
        let file = self.files.open_or_create(&path).at(&path, "open")?;
        // Without locks a single process may write levels safely.
        if is_taken(lock(&*file)) {
            return Err(BuildError::Busy {
                path: self.path.to_owned(),
            });
        }
        Ok(file)
    }

    /// Checks that the directory is new, empty or that of a database, so nothing is written among
    /// other files. Hidden files do not count.
    fn check_own(&self) -> Result<(), BuildError> {
        // Whatever cannot be listed is an error of the next step.
        let entries = fs::read_dir(self.path).into_iter().flatten().flatten();
        let mut is_empty = true;
        for entry in entries {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_ours = name == "manifest"
                || name.starts_with("level-")
                || name.starts_with(TEMPORARY_PREFIX)
                || name.ends_with(".lock");
            if is_ours {
                return Ok(());
            }
            is_empty &= name.starts_with('.') || name == "lost+found";
        }
        if !is_empty {
            return Err(BuildError::NoDatabaseHere {
                path: self.path.to_owned(),
            });
        }
        Ok(())
    }

    /// Removes the temporary files of a killed build.
    fn remove_leftovers(&self) -> Result<(), BuildError> {
        for entry in patiently(|| fs::read_dir(self.path)).at(self.path, "read")? {
            let entry = entry.at(self.path, "read")?;
            let named_so = entry
                .file_name()
                .to_string_lossy()
                .starts_with(TEMPORARY_PREFIX);
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            let path = entry.path();
            if named_so && is_file && is_ours(&path).unwrap_or(false) && is_unused(&path) {
                // The next build removes what this one cannot.
                let _ = self.files.remove_file(&path);
            }
        }
        Ok(())
    }

    /// Checks, before the work begins, that an existing file with the name of a level may be
    /// replaced. A file of the size in the manifest is that level, even if its first bytes are
    /// damaged.
    pub(crate) fn check_replaceable(&self, level: usize) -> Result<(), BuildError> {
        let path = manifest::level_path(self.path, level);
        let manifest = Manifest::read_file(self.path).unwrap_or_default();
        let recorded = manifest.level(level).map(|record| record.bytes);
        let metadata = fs::symlink_metadata(&path).ok();
        let found = metadata.filter(Metadata::is_file).map(|file| file.len());
        if found.is_some() && found == recorded {
            return Ok(());
        }
        check_ours(&path, "it is not a level of a database")
    }

    /// The manifest. A missing or damaged manifest is made again from the levels; it is empty
    /// without levels.
    pub(crate) fn manifest(&self, observer: &dyn BuildObserver) -> Result<Manifest, BuildError> {
        let path = manifest::path_in(self.path);
        let damage = match Manifest::read_file(self.path) {
            Ok(manifest) => return Ok(manifest),
            Err(Error::NoDatabase { .. }) => None,
            Err(error @ Error::Damaged { .. }) => {
                check_ours(&path, "it is not a manifest")?;
                Some(error.to_string())
            }
            // Of another version, say: it is not this program's to replace.
            Err(error) => return Err(error.into()),
        };
        let manifest = Manifest::of_levels(self.path)?;
        if damage.is_some() || !manifest.levels.is_empty() {
            self.write_manifest(&manifest)?;
            let missing = || format!("{}: it is missing", path.display());
            observer.recovered(&path, &damage.unwrap_or_else(missing));
        }
        Ok(manifest)
    }

    /// Writes the manifest atomically.
    pub(crate) fn write_manifest(&self, manifest: &Manifest) -> Result<(), BuildError> {
        let path = manifest::path_in(self.path);
        let bytes = manifest.to_bytes().at(&path, "lay out")?;
        write_whole(self.files, &path, &bytes)
    }
}
