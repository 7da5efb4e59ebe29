//! Levels that were built elsewhere, fetched into a database.
//!
//! A fetch follows the rule of builds: a file is complete, checked and durable before it gets its
//! name, and only then is it added to the manifest. The next fetch continues the unfinished
//! download of an earlier one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use setrograde_endgame::card_order::DEEPEST;
use setrograde_lookup::format::manifest::{LevelRecord, MAX_BYTES, Manifest, level_path};
use setrograde_lookup::{Error, LevelFile};
use setrograde_parallel::threads;
use sha2::{Digest, Sha256};

use crate::build::{compare_checksums, pool_of};
use crate::directory::Directory;
use crate::error::BuildError;
use crate::files::{Disk, Files, WritableFile, open_to_read};
use crate::level::file::{map_fault, remove_superseded, write_map};
use crate::level::work_directory::WorkDirectory;
use crate::observer::Silent;

/// The list of checksums of the files, as written by `sha256sum`. A source need not have one.
pub const SUMS: &str = "SHA256SUMS";

/// A source of the files of a database.
pub trait Source: Sync {
    /// Opens a file from byte `from` on.
    ///
    /// # Errors
    ///
    /// Here or while it is read: [`ErrorKind::NotFound`] if there is no such file,
    /// [`ErrorKind::Unsupported`] if it cannot be read from that byte on, [`ErrorKind::TimedOut`]
    /// if no more bytes arrive.
    fn open(&self, name: &str, from: u64) -> io::Result<Box<dyn Read + '_>>;
}

/// A directory as a source of files.
#[derive(Debug, Clone)]
pub struct DirectorySource(pub PathBuf);

impl Source for DirectorySource {
    fn open(&self, name: &str, from: u64) -> io::Result<Box<dyn Read + '_>> {
        let mut file = open_to_read(&self.0.join(name))?;
        file.seek(SeekFrom::Start(from))?;
        Ok(Box::new(file))
    }
}

/// Levels to fetch.
pub struct Fetch<'a> {
    /// The database's directory; it is made if it is not there.
    pub directory: PathBuf,
    /// The largest level, in cards of all hands together. The levels below are fetched with it.
    pub cards: usize,
    /// The source of the files.
    pub source: &'a dyn Source,
    /// The name of the source in errors.
    pub source_name: String,
    /// Worker threads, at most [`MOST_THREADS`](crate::MOST_THREADS); `None` means one for each
    /// core.
    pub threads: Option<usize>,
}

/// The outcome of a fetch for each level, in cards of all hands together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fetched {
    /// The fetched levels.
    pub fetched: Vec<usize>,
    /// Levels with a sound file whose entry in the manifest or whose map was restored.
    pub mended: Vec<usize>,
    /// Sound existing levels.
    pub kept: Vec<usize>,
}

impl Fetch<'_> {
    /// Copies the levels of the source to the database: fetches missing or damaged ones, adds them
    /// to the manifest, and makes their maps. `progress` is called with the cards of a level, its
    /// bytes so far, and all its bytes.
    ///
    /// # Errors
    ///
    /// [`BuildError::Fetch`] if the source does not have the levels, or if its bytes differ from
    /// its manifest or checksums; [`BuildError::Cancelled`]; others as of a build. Received bytes
    /// are kept and continued by the next fetch, unless they were wrong.
    pub fn run(
        &self,
        progress: impl FnMut(usize, u64, u64),
        cancel: &AtomicBool,
    ) -> Result<Fetched, BuildError> {
        self.run_with(&Disk, progress, cancel)
    }

    pub(crate) fn run_with(
        &self,
        files: &dyn Files,
        mut progress: impl FnMut(usize, u64, u64),
        cancel: &AtomicBool,
    ) -> Result<Fetched, BuildError> {
        let directory = Directory {
            path: &self.directory,
            files,
        };
        let _lock = directory.lock_exclusive()?;
        let sums = self.sums(cancel)?;
        let wanted = self.records(sums.as_ref(), cancel)?;
        let mut manifest = directory.manifest(&Silent)?;
        let mut fetched = Fetched::default();
        for record in &wanted {
            let level = record.level as usize;
            directory.check_replaceable(level)?;
            let mut download = Download {
                fetch: self,
                files,
                sums: sums.as_ref(),
                record,
                progress: &mut progress,
                cancel,
            };
            let path = level_path(&self.directory, level);
            let came = !self.is_sound(&path, record)?;
            if came {
                let part = download.level()?;
                directory.move_into_place(&part, &path)?;
            }
            download.remove_rest();
            // A record made from the file lacks some fields.
            let is_recorded = |own: &LevelRecord| {
                (own.checksum, own.bytes) == (record.checksum, record.bytes)
                    && !own.program.is_empty()
            };
            let is_entered = manifest.level(level).is_some_and(is_recorded);
            if !is_entered {
                manifest.insert(record.clone());
                directory.write_manifest(&manifest)?;
            }
            // No build continues the journals of a level that exists.
            let _ = WorkDirectory::new(files, &self.directory, level).remove(|_| true);
            let has_map = map_fault(&self.directory, level, record.checksum)?.is_none();
            if has_map {
                remove_superseded(files, &self.directory, level, record.checksum);
            } else {
                let file = LevelFile::open_recorded(&path, record)?;
                write_map(files, &file, threads(self.threads), |_| {
                    !cancel.load(Ordering::Relaxed)
                })?;
            }
            let list = match (came, is_entered && has_map) {
                (true, _) => &mut fetched.fetched,
                (false, false) => &mut fetched.mended,
                (false, true) => &mut fetched.kept,
            };
            list.push(4 * level);
        }
        Ok(fetched)
    }

    fn error(&self, name: &str, why: impl Into<String>) -> BuildError {
        BuildError::Fetch {
            file: format!("{}/{name}", self.source_name),
            why: why.into(),
        }
    }

    /// Returns the checksums of the files, if the source has a list.
    fn sums(&self, cancel: &AtomicBool) -> Result<Option<BTreeMap<String, String>>, BuildError> {
        let Some(bytes) = self.small(SUMS, cancel)? else {
            return Ok(None);
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut sums = BTreeMap::new();
        for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
            if line.trim_ascii().is_empty() || line.starts_with('#') {
                continue;
            }
            let parts = line.split_once([' ', '\t']);
            let sum = parts.filter(|(sum, _)| {
                sum.len() == 64 && sum.bytes().all(|digit| digit.is_ascii_hexdigit())
            });
            let Some((sum, name)) = sum else {
                let why = format!("line {number}: not a checksum and a name");
                return Err(self.error(SUMS, why));
            };
            let name = name.trim_start_matches([' ', '*']).trim_end();
            let name = name.strip_prefix("./").unwrap_or(name);
            sums.insert(name.to_owned(), sum.to_lowercase());
        }
        Ok(Some(sums))
    }

    /// Returns the records of the levels up to the requested one.
    fn records(
        &self,
        sums: Option<&BTreeMap<String, String>>,
        cancel: &AtomicBool,
    ) -> Result<Vec<LevelRecord>, BuildError> {
        const NAME: &str = "manifest";
        let Some(bytes) = self.small(NAME, cancel)? else {
            return Err(self.error(NAME, "cannot read: there is none"));
        };
        if let Some(sums) = sums {
            let right = sums.get(NAME);
            let right = right.ok_or_else(|| self.error(SUMS, "it has no manifest"))?;
            if hexadecimal(&Sha256::digest(&bytes)) != *right {
                return Err(self.error(NAME, WRONG_SUM));
            }
        }
        let unsound = |error: Error| self.error(NAME, format!("not that of a database: {error}"));
        let manifest = Manifest::from_bytes(&bytes, Path::new(NAME)).map_err(unsound)?;
        let mut levels = manifest.levels;
        levels.retain(|record| 4 * record.level as usize <= self.cards);
        let is_whole = levels.last().map(|last| 4 * last.level as usize) == Some(self.cards);
        let is_known = |record: &LevelRecord| (1..=DEEPEST as u32).contains(&record.level);
        if !is_whole || !levels.iter().all(is_known) {
            let why = format!("it has no level of {} cards", self.cards);
            return Err(BuildError::Fetch {
                file: self.source_name.clone(),
                why,
            });
        }
        Ok(levels)
    }

    /// Reads a small file; `None` if the source does not have it.
    fn small(&self, name: &str, cancel: &AtomicBool) -> Result<Option<Vec<u8>>, BuildError> {
        let mut bytes = Vec::new();
        let reader = self.source.open(name, 0);
        let limited = reader.map(|reader| reader.take(MAX_BYTES as u64 + 1));
        match limited.and_then(|mut reader| reader.read_to_end(&mut bytes)) {
            Ok(read) if read > MAX_BYTES => Err(self.error(name, "it is too large")),
            Ok(0) => Err(self.error(name, "it is empty")),
            Ok(_) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(_) if cancel.load(Ordering::Relaxed) => Err(BuildError::Cancelled),
            Err(error) => Err(self.error(name, format!("cannot read: {error}"))),
        }
    }

    /// Returns true if the level exists and matches the record completely.
    fn is_sound(&self, path: &Path, record: &LevelRecord) -> Result<bool, BuildError> {
        let pool = pool_of(threads(self.threads))?;
        let level = LevelFile::open_recorded(path, record);
        match level.and_then(|level| compare_checksums(&level, &pool)) {
            // An unreadable file does not count as damaged.
            Err(error @ Error::Io { .. }) => Err(error.into()),
            check => Ok(check.is_ok()),
        }
    }
}

const WRONG_SUM: &str = "its SHA-256 is not the one in SHA256SUMS";

/// A level being fetched.
struct Download<'a, P> {
    fetch: &'a Fetch<'a>,
    files: &'a dyn Files,
    sums: Option<&'a BTreeMap<String, String>>,
    record: &'a LevelRecord,
    progress: &'a mut P,
    cancel: &'a AtomicBool,
}

/// The length of a file to fetch.
#[derive(Clone, Copy)]
enum Length {
    Exactly(u64),
    AtMost(u64),
}

impl<P: FnMut(usize, u64, u64)> Download<'_, P> {
    fn name(&self) -> String {
        format!("level-{:02}.sdb", 4 * self.record.level)
    }

    /// Returns the temporary file of a name.
    fn part(&self, name: &str) -> PathBuf {
        self.fetch.directory.join(format!("{name}.part"))
    }

    /// Fetches the level, in one file or in parts: `level-24.sdb`, or `level-24.sdb.001` and so on.
    /// Returns its file, which is durable and matches the record.
    fn level(&mut self) -> Result<PathBuf, BuildError> {
        let (name, bytes) = (self.name(), self.record.bytes);
        let whole = self.part(&name);
        let parts = self.parts(&name);
        if parts.is_empty() {
            self.file(&name, Length::Exactly(bytes), 0)?;
        } else if !self.fetch.is_sound(&whole, self.record)? {
            let mut before = 0;
            for part in &parts {
                before += self.file(part, Length::AtMost(bytes - before), before)?;
            }
            self.join(&parts, &whole)?;
        }
        match self.fetch.is_sound(&whole, self.record) {
            Ok(true) => Ok(whole),
            Err(error) => Err(error),
            Ok(false) => {
                let _ = self.files.remove_file(&whole);
                let why = "it does not match its manifest: a checksum or the length differs; \
                           the received bytes were removed";
                Err(self.fetch.error(&name, why))
            }
        }
    }

    /// Returns the names of the parts of a level; none if it is a single file.
    fn parts(&self, name: &str) -> Vec<String> {
        let names = self.sums.into_iter().flat_map(BTreeMap::keys);
        let prefix = format!("{name}.");
        let is_part = |other: &&String| {
            let number = other.strip_prefix(&prefix);
            number.is_some_and(|number| {
                !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
            })
        };
        let is_whole = self.sums.is_some_and(|sums| sums.contains_key(name));
        if is_whole {
            Vec::new()
        } else {
            names.filter(is_part).cloned().collect()
        }
    }

    /// Joins the parts of a level.
    fn join(&self, parts: &[String], whole: &Path) -> Result<(), BuildError> {
        let cannot = || BuildError::io(whole, "write");
        let mut out = self.open(whole)?;
        out.set_length(0).map_err(cannot())?;
        out.seek(SeekFrom::Start(0)).map_err(cannot())?;
        for part in parts {
            let path = self.part(part);
            let mut file = open_to_read(&path).map_err(BuildError::io(&path, "read"))?;
            io::copy(&mut file, &mut out).map_err(cannot())?;
        }
        out.sync().map_err(cannot())
    }

    fn open(&self, path: &Path) -> Result<Box<dyn WritableFile>, BuildError> {
        self.files
            .open_or_create(path)
            .map_err(BuildError::io(path, "open"))
    }

    /// Fetches a file, or the rest of one that was begun, and compares its checksum. Returns its
    /// length. `before` bytes of the level came before it.
    fn file(&mut self, name: &str, length: Length, before: u64) -> Result<u64, BuildError> {
        let path = self.part(name);
        let right = match self.sums {
            Some(sums) => {
                let why = || self.fetch.error(SUMS, format!("it has no {name}"));
                Some(sums.get(name).ok_or_else(why)?)
            }
            None => None,
        };
        let mut file = self.open(&path)?;
        let io = |action| BuildError::io(&path, action);
        let mut is_fresh = file.length().map_err(io("read"))? == 0;
        loop {
            let bytes = self.continued(name, &mut *file, length, before)?;
            file.sync().map_err(io("write"))?;
            let is_right = match right {
                Some(right) => sum(&mut *file).map_err(io("read"))? == *right,
                None => true,
            };
            if is_right {
                return Ok(bytes);
            }
            if is_fresh {
                drop(file);
                let _ = self.files.remove_file(&path);
                let why = format!("{WRONG_SUM}; the received bytes were removed");
                return Err(self.fetch.error(name, why));
            }
            // The begun download may belong to another file.
            is_fresh = true;
            file.set_length(0).map_err(io("write"))?;
        }
    }

    /// Appends the missing bytes of a file. Returns its length.
    fn continued(
        &mut self,
        name: &str,
        file: &mut dyn WritableFile,
        length: Length,
        before: u64,
    ) -> Result<u64, BuildError> {
        let path = self.part(name);
        let io = |action| BuildError::io(&path, action);
        let (Length::Exactly(most) | Length::AtMost(most)) = length;
        let mut at = file.length().map_err(io("read"))?;
        if at > most {
            at = 0;
        }
        let mut may_restart = true;
        loop {
            file.set_length(at).map_err(io("write"))?;
            file.seek(SeekFrom::Start(at)).map_err(io("write"))?;
            let begun = at;
            let Some(failed) = self.append(name, file, length, before, &mut at)? else {
                return Ok(at);
            };
            match failed.kind() {
                ErrorKind::Unsupported if begun > 0 && may_restart => {
                    may_restart = false;
                    at = 0;
                }
                // It continues as long as bytes arrive.
                kind if at > begun && kind != ErrorKind::TimedOut => {}
                _ => {
                    let why = format!("cannot read: {failed}");
                    return Err(self.fetch.error(name, why));
                }
            }
        }
    }

    /// Appends the source's bytes to a file of `at` bytes, until the source ends or fails. Returns
    /// the failure.
    fn append(
        &mut self,
        name: &str,
        file: &mut dyn WritableFile,
        length: Length,
        before: u64,
        at: &mut u64,
    ) -> Result<Option<io::Error>, BuildError> {
        let path = self.part(name);
        let (Length::Exactly(most) | Length::AtMost(most)) = length;
        let is_exact = matches!(length, Length::Exactly(_));
        if is_exact && *at == most {
            return Ok(None);
        }
        let mut reader = match self.fetch.source.open(name, *at) {
            Ok(reader) => reader,
            Err(error) => return Ok(Some(error)),
        };
        let mut buffer = vec![0; 1 << 16];
        loop {
            if self.cancel.load(Ordering::Relaxed) {
                return Err(BuildError::Cancelled);
            }
            let read = match reader.read(&mut buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(_) if self.cancel.load(Ordering::Relaxed) => return Err(BuildError::Cancelled),
                Err(error) => return Ok(Some(error)),
            };
            let room = usize::try_from(most - *at).unwrap_or(usize::MAX);
            if read == 0 && is_exact {
                let why = format!("it ends after {at} bytes of {most}");
                return Err(self.fetch.error(name, why));
            }
            if read == 0 {
                return Ok(None);
            }
            if read > room && !is_exact {
                let why = "the level is longer than its manifest says";
                return Err(self.fetch.error(name, why));
            }
            let taken = read.min(room);
            file.write_all(&buffer[..taken])
                .map_err(BuildError::io(&path, "write"))?;
            *at += taken as u64;
            let cards = 4 * self.record.level as usize;
            (self.progress)(cards, before + *at, self.record.bytes);
            if is_exact && *at == most {
                return Ok(None);
            }
        }
    }

    /// Removes the unfinished files of this level.
    fn remove_rest(&self) {
        let name = self.name();
        for name in self.parts(&name).into_iter().chain([name]) {
            let path = self.part(&name);
            if fs::symlink_metadata(&path).is_ok_and(|file| file.is_file()) {
                let _ = self.files.remove_file(&path);
            }
        }
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
fn sum(file: &mut dyn WritableFile) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    file.seek(SeekFrom::Start(0))?;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(hexadecimal(&hash.finalize())),
            Ok(read) => hash.update(&buffer[..read]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
