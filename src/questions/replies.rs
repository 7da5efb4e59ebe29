//! The output for each question, and the complaints on standard error.

use std::io::{self, BufWriter, StdoutLock, Write};

use anyhow::Context;

use super::progress::ReadingProgress;
use crate::Outcome;
use crate::output::say;
use crate::output::unfinished::Unfinished;

/// The reply to one question.
pub enum Reply {
    /// To a blank line or a comment.
    Nothing,
    /// Bytes for the output.
    Answer(Vec<u8>),
    /// A complaint for standard error, and bytes for the output.
    Refusal {
        message: Option<String>,
        output: Vec<u8>,
    },
    /// Nothing either, nor for any later question.
    Interrupted,
}

impl Reply {
    /// An answer of one line or several.
    pub fn line(mut text: String) -> Reply {
        text.push('\n');
        Reply::Answer(text.into_bytes())
    }

    /// A refusal with these bytes for the output.
    pub fn or_bytes(mut self, bytes: &[u8]) -> Reply {
        if let Reply::Refusal { output, .. } = &mut self {
            *output = bytes.to_vec();
        }
        self
    }
}

/// The destination of replies.
pub struct Output<W: Write> {
    name: String,
    out: BufWriter<W>,
    unanswered: usize,
}

impl Output<StdoutLock<'static>> {
    pub fn standard() -> Self {
        Output::new("standard output", io::stdout().lock())
    }
}

impl Output<Unfinished> {
    /// Gives the file its name, unless the work was interrupted: then says that the
    /// unfinished file is kept, and what can be done with it.
    pub fn finish(self, outcome: Outcome, next: &str) -> anyhow::Result<()> {
        let file = self.into_inner()?;
        if outcome == Outcome::Interrupted {
            let name = file.name();
            say(format_args!(
                "setrograde: {name} keeps what is done; {next}"
            ));
            return Ok(());
        }
        file.finish()
    }
}

impl<W: Write> Output<W> {
    /// `name` is what errors call it.
    pub fn new(name: impl ToString, out: W) -> Output<W> {
        Output {
            name: name.to_string(),
            out: BufWriter::new(out),
            unanswered: 0,
        }
    }

    /// The number of questions that had no answer.
    pub fn unanswered(&self) -> usize {
        self.unanswered
    }

    /// Counts questions that had no answer in an earlier run.
    pub fn add_unanswered(&mut self, count: usize) {
        self.unanswered += count;
    }

    /// Writes the replies to a piece of so many bytes; says whether all are replies, not
    /// an interrupt. Without replies for now, shows what there is.
    pub fn write_all(
        &mut self,
        replies: Option<anyhow::Result<(Vec<Reply>, u64)>>,
        progress: &ReadingProgress,
    ) -> anyhow::Result<bool> {
        let Some(replies) = replies else {
            progress.show();
            if !self.out.buffer().is_empty() {
                progress.make_way(|| self.flush())?;
            }
            return Ok(true);
        };
        let (replies, bytes) = replies?;
        for reply in &replies {
            if !self.write(reply, progress)? {
                return Ok(false);
            }
        }
        progress.add_bytes(bytes);
        Ok(true)
    }

    /// Writes a reply; says whether it was one, not an interrupt.
    pub fn write(&mut self, reply: &Reply, progress: &ReadingProgress) -> anyhow::Result<bool> {
        match reply {
            Reply::Nothing => {}
            Reply::Answer(output) => {
                progress.add();
                progress.make_way(|| self.write_bytes(output))?;
            }
            Reply::Refusal { message, output } => {
                progress.add();
                self.unanswered += 1;
                progress.make_way(|| self.write_bytes(output))?;
                if let Some(message) = message {
                    progress.say(format_args!("setrograde: {message}"));
                }
            }
            Reply::Interrupted => return Ok(false),
        }
        Ok(true)
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let cannot = || format!("{}: cannot write", self.name);
        self.out.write_all(bytes).with_context(cannot)
    }

    pub fn flush(&mut self) -> anyhow::Result<()> {
        let cannot = || format!("{}: cannot write", self.name);
        self.out.flush().with_context(cannot)
    }

    fn into_inner(self) -> anyhow::Result<W> {
        let written = self
            .out
            .into_inner()
            .map_err(io::IntoInnerError::into_error);
        written.with_context(|| format!("{}: cannot write", self.name))
    }
}
