//! The file that a tournament is logged to.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
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
        let name = path.display();
        let begun = |mut file: File| {
            let head = log.head();
            let written = file
                .set_len(0)
                .and_then(|()| file.write_all(head.as_bytes()));
            written.with_context(|| format!("cannot write {name}"))?;
            Ok(LogFile {
                path: path.to_owned(),
                file,
                before: Vec::new(),
                found: 0,
                length: head.len() as u64,
            })
        };
        if !path.exists() {
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            return begun(file.with_context(|| format!("cannot make {name}"))?);
        }
        // A device or a pipe may be endless.
        let metadata = std::fs::metadata(path).with_context(|| format!("cannot read {name}"))?;
        if !metadata.is_file() {
            bail!("{name}: not a regular file; a log can be continued in one only");
        }
        let file = patiently(|| OpenOptions::new().read(true).write(true).open(path))
            .with_context(|| format!("cannot write {name}"))?;
        if (metadata.len() as usize) < log.head().len() {
            let mut start = Vec::new();
            (&file).read_to_end(&mut start)?;
            (&file).seek(SeekFrom::Start(0))?;
            // It was ended in its first line, or is a new file.
            if log.head().as_bytes().starts_with(&start) {
                return begun(file);
            }
        }
        let mut input = BufReader::new(&file);
        let before = log.read(&mut input).with_context(|| format!("{name}"))?;
        // An earlier version may have written the same settings in other words.
        input.seek(SeekFrom::Start(0))?;
        let mut head = Vec::new();
        std::io::BufRead::read_until(&mut input, b'\n', &mut head)?;
        Ok(LogFile {
            path: path.to_owned(),
            file,
            before,
            found: 0,
            length: head.len() as u64,
        })
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
