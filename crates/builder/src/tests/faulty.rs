//! A file system that fails at a chosen call.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use setrograde_parallel::lock;

use crate::files::{Disk, Files, WritableFile};

/// The failure at the chosen call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It fails, and a write has written half. The calls after it work.
    Error,
    /// The process is killed: the call does nothing, or half of a write, and no later call does
    /// anything.
    Kill,
    /// The same, and everything that was not durable is lost.
    PowerCut,
    /// The same, but files keep their lengths, with zeros for the lost bytes.
    PowerCutWithZeros,
}

impl Fault {
    pub(crate) const ALL: [Fault; 4] = [
        Fault::Error,
        Fault::Kill,
        Fault::PowerCut,
        Fault::PowerCutWithZeros,
    ];
}

/// The files in a directory. Every call that changes one counts.
pub(crate) struct Faulty {
    root: PathBuf,
    fault: Fault,
    state: Arc<Mutex<DiskState>>,
}

#[derive(Default)]
struct DiskState {
    /// Calls until the fault.
    left: usize,
    /// No call does anything any more.
    gone: bool,
    failed: bool,
    /// The failed call was to remove something.
    failed_to_remove: bool,
    next_file: u64,
    /// The existing files, and those that would exist after a power failure.
    live: BTreeMap<PathBuf, u64>,
    durable: BTreeMap<PathBuf, u64>,
    /// The contents and length of each file after a power cut.
    contents: BTreeMap<u64, Vec<u8>>,
    lengths: BTreeMap<u64, u64>,
}

/// The outcome of a call.
enum Call {
    Works,
    FailsHalfway,
    Fails,
}

impl Faulty {
    /// The files in `root`, all of them durable. The call after `left` others
    /// fails.
    pub(crate) fn new(root: &Path, fault: Fault, left: usize) -> io::Result<Faulty> {
        let mut state = DiskState {
            left,
            ..DiskState::default()
        };
        for path in files_below(root)? {
            let file = state.enter(&path);
            state.durable.insert(path.clone(), file);
            state.contents.insert(file, fs::read(&path)?);
        }
        Ok(Faulty {
            root: root.to_owned(),
            fault,
            state: Arc::new(Mutex::new(state)),
        })
    }

    /// Returns true if the fault has happened.
    pub(crate) fn has_failed(&self) -> bool {
        self.state().failed
    }

    /// Returns true if the fault has happened to a removal.
    pub(crate) fn has_failed_to_remove(&self) -> bool {
        self.state().failed_to_remove
    }

    /// Counts a call that removes something.
    fn removal(&self) -> io::Result<()> {
        let had_failed = self.has_failed();
        let called = self.call();
        if !had_failed && called.is_err() {
            self.state().failed_to_remove = true;
        }
        called
    }

    /// Leaves the directory as the fault does.
    pub(crate) fn aftermath(&self) -> io::Result<()> {
        if matches!(self.fault, Fault::Error | Fault::Kill) {
            return Ok(());
        }
        let state = self.state();
        for path in files_below(&self.root)? {
            fs::remove_file(path)?;
        }
        for (path, file) in &state.durable {
            let mut contents = state.contents.get(file).cloned().unwrap_or_default();
            if self.fault == Fault::PowerCutWithZeros {
                let length = state.lengths.get(file).copied().unwrap_or(0) as usize;
                contents.resize(length.max(contents.len()), 0);
            }
            if let Some(directory) = path.parent() {
                fs::create_dir_all(directory)?;
            }
            fs::write(path, contents)?;
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, DiskState> {
        lock(&self.state)
    }

    /// Counts a call that fails atomically.
    fn call(&self) -> io::Result<()> {
        call(&self.state, self.fault)
    }
}

fn call(state: &Mutex<DiskState>, fault: Fault) -> io::Result<()> {
    match lock(state).call(fault) {
        Call::Works => Ok(()),
        Call::Fails | Call::FailsHalfway => Err(failure()),
    }
}

fn failure() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "a fault was injected")
}

impl DiskState {
    fn call(&mut self, fault: Fault) -> Call {
        if self.gone {
            return Call::Fails;
        }
        if self.failed {
            return Call::Works;
        }
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                Call::Works
            }
            None => {
                self.failed = true;
                self.gone = fault != Fault::Error;
                Call::FailsHalfway
            }
        }
    }

    /// The number of the file of that name, a new one if there was none.
    fn enter(&mut self, path: &Path) -> u64 {
        let next = self.next_file;
        let file = *self.live.entry(path.to_owned()).or_insert(next);
        self.next_file += u64::from(file == next);
        file
    }
}

impl Files for Faulty {
    fn open_or_create(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        self.call()?;
        let mut state = self.state();
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        Ok(Box::new(FaultyFile {
            file,
            number: state.enter(path),
            fault: self.fault,
            state: Arc::clone(&self.state),
        }))
    }

    fn create_new(&self, path: &Path) -> io::Result<Box<dyn WritableFile>> {
        assert!(!path.exists(), "{}", path.display());
        self.open_or_create(path)
    }

    fn create_directory(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        Disk.create_directory(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        let mut state = self.state();
        let file = state.enter(from);
        state.live.remove(from);
        state.live.insert(to.to_owned(), file);
        Disk.rename(from, to)
    }

    fn set_aside(&self, path: &Path, aside: &Path) -> io::Result<()> {
        self.call()?;
        let mut state = self.state();
        let file = state.enter(path);
        state.live.insert(aside.to_owned(), file);
        Disk.set_aside(path, aside)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.removal()?;
        self.state().live.remove(path);
        Disk.remove_file(path)
    }

    fn remove_directory(&self, path: &Path) -> io::Result<()> {
        self.removal()?;
        Disk.remove_directory(path)
    }

    fn sync_directory(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        let mut state = self.state();
        state.durable.retain(|file, _| file.parent() != Some(path));
        let here: Vec<(PathBuf, u64)> = state
            .live
            .iter()
            .filter(|(file, _)| file.parent() == Some(path))
            .map(|(path, &file)| (path.clone(), file))
            .collect();
        state.durable.extend(here);
        Ok(())
    }
}

struct FaultyFile {
    file: File,
    number: u64,
    fault: Fault,
    state: Arc<Mutex<DiskState>>,
}

impl FaultyFile {
    fn note_length(&self) -> io::Result<()> {
        let length = self.length()?;
        lock(&self.state).lengths.insert(self.number, length);
        Ok(())
    }
}

impl Read for FaultyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Seek for FaultyFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let called = lock(&self.state).call(self.fault);
        let written = match called {
            Call::Works => self.file.write(bytes),
            Call::FailsHalfway => {
                self.file.write_all(&bytes[..bytes.len() / 2])?;
                Err(failure())
            }
            Call::Fails => Err(failure()),
        };
        self.note_length()?;
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl WritableFile for FaultyFile {
    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        call(&self.state, self.fault)?;
        self.file.set_len(bytes)?;
        self.note_length()
    }

    fn sync(&mut self) -> io::Result<()> {
        call(&self.state, self.fault)?;
        let mut contents = vec![0; self.length()? as usize];
        self.file.read_exact_at(&mut contents, 0)?;
        lock(&self.state).contents.insert(self.number, contents);
        Ok(())
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        self.file.try_lock()
    }

    fn try_lock_shared(&self) -> Result<(), TryLockError> {
        self.file.try_lock_shared()
    }

    fn is_at(&self, path: &Path) -> bool {
        self.file.is_at(path)
    }
}

/// All files below a directory.
pub(crate) fn files_below(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files.extend(files_below(&entry.path())?);
        } else {
            files.push(entry.path());
        }
    }
    Ok(files)
}
