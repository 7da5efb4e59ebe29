//! The file that a tournament is logged to.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use setrograde_play::tournament::{Log, Logged};

/// A log being written, or gone on with. Whole records are written at once, so
/// that what is there after a kill can be gone on with.
pub struct LogFile {
    path: PathBuf,
    file: Option<File>,
    /// The earlier contents, and the part that is confirmed.
    before: String,
    confirmed: usize,
}

impl LogFile {
    /// The log to `resume` and what it holds already, or a `new` one; none if
    /// neither is asked for.
    pub fn open(
        resume: Option<&Path>,
        new: Option<&Path>,
        log: &Log,
    ) -> anyhow::Result<(LogFile, Vec<Logged>)> {
        let mut opened = LogFile {
            path: PathBuf::new(),
            file: None,
            before: String::new(),
            confirmed: 0,
        };
        if let Some(path) = resume {
            opened.path = path.to_owned();
            let place = path.display();
            let text = std::fs::read_to_string(path);
            opened.before = text.with_context(|| format!("cannot read {place}"))?;
            let logged = log
                .read(&opened.before)
                .with_context(|| format!("{place}"))?;
            let file = OpenOptions::new().write(true).open(path);
            opened.file = Some(file.with_context(|| format!("cannot write {place}"))?);
            // An earlier version may have written the same settings in other words.
            let head = log.head().lines().count();
            let lines = opened.before.split_inclusive('\n').take(head);
            opened.confirmed = lines.map(str::len).sum();
            return Ok((opened, logged));
        }
        if let Some(path) = new {
            opened.path = path.to_owned();
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            let file = file.with_context(|| {
                format!(
                    "cannot make {}; --resume goes on with a log",
                    path.display()
                )
            })?;
            opened.file = Some(file);
            opened.write(&log.head(), false)?;
        }
        Ok((opened, Vec::new()))
    }

    /// Adds a record, or finds it there if it `was_there`.
    pub fn write(&mut self, text: &str, was_there: bool) -> anyhow::Result<()> {
        let Some(file) = &mut self.file else {
            return Ok(());
        };
        let place = self.path.display();
        if was_there {
            if !self.before[self.confirmed..].starts_with(text) {
                let line = self.before[..self.confirmed].lines().count() + 1;
                bail!("{place}: line {line}: this is not what its own cards come to");
            }
            self.confirmed += text.len();
            return Ok(());
        }
        let write = |file: &mut File| {
            if self.confirmed < self.before.len() {
                file.set_len(self.confirmed as u64)?;
            }
            file.seek(SeekFrom::End(0))?;
            file.write_all(text.as_bytes())
        };
        write(file).with_context(|| format!("cannot write {place}"))?;
        self.before.clear();
        self.confirmed = 0;
        Ok(())
    }

    /// Makes sure that all is on disk.
    pub fn finish(self) -> anyhow::Result<()> {
        match self.file {
            Some(file) => file
                .sync_all()
                .with_context(|| format!("cannot write {}", self.path.display())),
            None => Ok(()),
        }
    }
}
