//! The output for each question, and the complaints on standard error.

use std::collections::HashSet;
use std::io::{BufWriter, Write};
use std::sync::Arc;

use anyhow::Context;
use setrograde::grouped;

use super::progress::ReadingProgress;
use crate::Outcome;
use crate::output::say;
use crate::output::whole_file::WholeFile;

/// The reply to one question.
pub enum Reply {
    /// Bytes for the output.
    Answer(Vec<u8>),
    /// Bytes of a file that is written back, which ask nothing.
    Copy(Vec<u8>),
    /// The fault of a question, and bytes for the output.
    Refusal {
        message: String,
        output: Vec<u8>,
        /// True if the output has the fault.
        reported: bool,
    },
    /// Nothing either, nor for any later question.
    Interrupted,
}

impl Reply {
    /// A refusal with these bytes for the output.
    pub fn or_bytes(mut self, bytes: &[u8]) -> Reply {
        if let Reply::Refusal { output, .. } = &mut self {
            *output = bytes.to_vec();
        }
        self
    }
}

/// The replies to a piece of a source.
pub struct Replies {
    /// The source, if it has a name.
    pub file: Option<Arc<str>>,
    pub replies: Vec<Reply>,
    /// Warnings about the boards, each with its location.
    pub notes: Vec<Doubted>,
    /// The bytes of the source that they stand for.
    pub bytes: u64,
}

/// A warning about a board or a text.
pub struct Doubted {
    pub location: String,
    pub doubt: String,
}

/// The destination of replies.
pub struct Output<W: Write> {
    name: String,
    out: BufWriter<W>,
    /// The bar of the questions that are read.
    pub progress: ReadingProgress,
    /// The questions answered or refused, and those of them that have an answer in the output, and
    /// that have none.
    done: u64,
    answered: usize,
    unanswered: usize,
    /// The first fault that only the output has.
    first_reported: Option<String>,
    faults: Faults,
}

/// The faults of the source that is being read.
#[derive(Default)]
struct Faults {
    file: Option<Arc<str>>,
    /// True if any question of it had an answer.
    answered: bool,
    said: usize,
    /// Messages held back because no question had an answer.
    unsaid: usize,
    /// The warnings that were printed, each once: a program writes all boards in the same way.
    doubts: HashSet<String>,
}

impl Faults {
    /// Number of faults that are listed if a source has no answers, such as one that is not text.
    const MOST: usize = 10;

    /// Maximum number of printed warnings that are remembered.
    const MOST_DOUBTS: usize = 1_000;

    /// Returns true if one more should be printed.
    fn say(&mut self) -> bool {
        let says = self.answered || self.file.is_none() || self.said < Faults::MOST;
        if says {
            self.said += 1;
        } else {
            self.unsaid += 1;
        }
        says
    }

    /// Begins with another source; returns the line about the one before.
    fn begin(&mut self, file: Option<&Arc<str>>) -> Option<String> {
        if self.file.as_ref() == file {
            return None;
        }
        let before = std::mem::take(self);
        self.file = file.cloned();
        let name = before.file.filter(|_| before.unsaid > 0)?;
        let unsaid = grouped(before.unsaid as u64);
        Some(format!(
            "{name}: {unsaid} more like these; nothing in it could be read so far"
        ))
    }
}

impl Output<WholeFile> {
    /// Gives the file its name, unless the work was interrupted or nothing had an answer:
    /// then an earlier file stays, and no new one is made.
    pub fn finish(mut self, outcome: Outcome) -> anyhow::Result<()> {
        self.flush()?;
        let wanted = outcome != Outcome::Interrupted && self.answered > 0;
        if let Some(reported) = self.first_reported.filter(|_| !wanted) {
            say(format_args!("setrograde: {reported}"));
        }
        let (file, _) = self.out.into_parts();
        file.finish_if(wanted)
    }
}

impl<W: Write> Output<W> {
    /// `name` is what errors call it.
    pub fn new(name: impl ToString, out: W) -> Output<W> {
        Output {
            name: name.to_string(),
            out: BufWriter::new(out),
            progress: ReadingProgress::hidden(),
            done: 0,
            answered: 0,
            unanswered: 0,
            first_reported: None,
            faults: Faults::default(),
        }
    }

    /// Returns the number of questions that had no answer.
    pub fn unanswered(&self) -> usize {
        self.unanswered
    }

    /// Writes the replies to a piece; says whether all are replies, not an interrupt.
    /// Shows the progress so far if there are none.
    pub fn write_all(&mut self, replies: Option<anyhow::Result<Replies>>) -> anyhow::Result<bool> {
        let Some(replies) = replies else {
            self.progress.show(self.done);
            if !self.out.buffer().is_empty() {
                self.flush()?;
            }
            return Ok(true);
        };
        let Replies {
            file,
            replies,
            notes,
            bytes,
        } = replies?;
        self.begin(file.as_ref());
        for Doubted { location, doubt } in notes {
            if !self.faults.doubts.contains(&doubt) {
                self.progress
                    .say(format_args!("setrograde: {location}: {doubt}"));
                if self.faults.doubts.len() < Faults::MOST_DOUBTS {
                    self.faults.doubts.insert(doubt);
                }
            }
        }
        for reply in &replies {
            if !self.write(reply)? {
                return Ok(false);
            }
        }
        self.progress.add_bytes(bytes);
        Ok(true)
    }

    /// Begins with the replies to another source, or to none.
    pub fn begin(&mut self, file: Option<&Arc<str>>) {
        if let Some(before) = self.faults.begin(file) {
            self.progress.say(format_args!("setrograde: {before}"));
        }
    }

    /// Writes a reply; says whether it was one, not an interrupt.
    pub fn write(&mut self, reply: &Reply) -> anyhow::Result<bool> {
        match reply {
            Reply::Answer(output) => {
                self.done += 1;
                // A board that no condition fits is left out.
                self.answered += usize::from(!output.is_empty());
                self.faults.answered = true;
                self.write_bytes(output)?;
            }
            Reply::Copy(output) => self.write_bytes(output)?,
            Reply::Refusal {
                message,
                output,
                reported,
            } => {
                self.done += 1;
                self.unanswered += 1;
                self.write_bytes(output)?;
                if *reported {
                    self.first_reported.get_or_insert_with(|| message.clone());
                } else if self.faults.say() {
                    self.progress.say(format_args!("setrograde: {message}"));
                }
            }
            Reply::Interrupted => return Ok(false),
        }
        Ok(true)
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = self.progress.make_way(|| self.out.write_all(bytes));
        written.with_context(|| format!("{}: cannot write", self.name))
    }

    pub fn flush(&mut self) -> anyhow::Result<()> {
        let written = self.progress.make_way(|| self.out.flush());
        written.with_context(|| format!("{}: cannot write", self.name))
    }
}
