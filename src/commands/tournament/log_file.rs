//! The file that a tournament is logged to.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use setrograde::lookup::patiently;
use setrograde_play::tournament::{Log, Logged};

/// A log that is written or continued. Whole lines are written at once, so a log can be
/// continued after a kill.
pub struct LogFile {
    path: PathBuf,
    file: File,
    /// The boards that were there before, by line, and the number of those that were
    /// found again.
    before: Vec<Logged>,
    found: usize,
    /// The length of the file up to them.
    length: u64,
}

impl LogFile {
    /// A log that continues what is in the file, or a new one if there is none.
    pub fn open(path: &Path, log: &Log) -> anyhow::Result<LogFile> {
        let (name, head) = (path.display(), log.head());
        let is_new = !path.exists();
        let file = if is_new {
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            file.with_context(|| format!("cannot make {name}"))?
        } else {
            // A device or a pipe may be endless.
            let metadata = fs::metadata(path).with_context(|| format!("cannot read {name}"))?;
            if !metadata.is_file() {
                bail!("{name}: not a regular file; a log can be continued in one only");
            }
            patiently(|| OpenOptions::new().read(true).write(true).open(path))
                .with_context(|| format!("cannot write {name}"))?
        };
        let mut opened = LogFile {
            path: path.to_owned(),
            file,
            before: Vec::new(),
            found: 0,
            length: head.len() as u64,
        };
        if is_new || opened.is_cut_off(&head)? {
            opened.length = 0;
            opened.write(&head)?;
            return Ok(opened);
        }
        let mut input = BufReader::new(&opened.file);
        opened.before = log.read(&mut input).with_context(|| format!("{name}"))?;
        // An earlier version may have written the same settings in other words.
        input.seek(SeekFrom::Start(0))?;
        let mut first = Vec::new();
        input.read_until(b'\n', &mut first)?;
        opened.length = first.len() as u64;
        Ok(opened)
    }

    /// Returns true if it was ended in its first line, or is a new file.
    fn is_cut_off(&self, head: &str) -> anyhow::Result<bool> {
        let mut start = Vec::new();
        let mut file = &self.file;
        file.take(head.len() as u64).read_to_end(&mut start)?;
        file.seek(SeekFrom::Start(0))?;
        Ok(start.len() < head.len() && head.as_bytes().starts_with(&start))
    }

    /// The boards that were there before.
    pub fn before(&self) -> &[Logged] {
        &self.before
    }

    /// Finds a line that was there before.
    pub fn confirm(&mut self, text: &str) -> anyhow::Result<()> {
        let logged = self.before.get(self.found).filter(|of| of.text == text);
        if logged.is_none() {
            // The first line is the head.
            let (name, line) = (self.path.display(), self.found + 2);
            bail!("{name}: line {line}: the result does not follow from the cards");
        }
        self.found += 1;
        self.length += text.len() as u64;
        Ok(())
    }

    /// Adds a line after those that were found.
    pub fn write(&mut self, text: &str) -> anyhow::Result<()> {
        let write = |file: &mut File| {
            // Tables of a last board that was cut off, and of a line that was.
            if file.metadata()?.len() > self.length {
                file.set_len(self.length)?;
            }
            file.seek(SeekFrom::End(0))?;
            file.write_all(text.as_bytes())
        };
        let name = self.path.display();
        write(&mut self.file).with_context(|| format!("cannot write {name}"))?;
        self.length += text.len() as u64;
        Ok(())
    }

    /// Makes sure that all is on disk.
    pub fn finish(self) -> anyhow::Result<()> {
        let name = self.path.display();
        let synced = self.file.sync_all();
        synced.with_context(|| format!("cannot write {name}"))
    }
}
