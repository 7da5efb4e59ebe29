//! Questions, one on the command line or many on standard input, answered by
//! all cores in the order in which they were asked.

use std::borrow::Cow;
use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;
use setrograde_cards::TextError;

use super::lines::{self, Batch, read_input};
use crate::Outcome;
use crate::interrupt::is_interrupted;
use crate::output::errors::one_line;
use crate::output::say;

/// How often a wait for input looks whether there was an interrupt.
const WAIT: Duration = Duration::from_millis(50);

/// Why a question has no answer.
pub enum NoAnswer {
    /// It is wrong, at the column that the message begins with.
    Text(String),
    /// It cannot be answered.
    Refused(String),
    /// The program was told to stop.
    Interrupted,
}

impl NoAnswer {
    /// A question that cannot be answered, for this reason.
    pub fn refused(error: &(dyn Error + 'static)) -> NoAnswer {
        NoAnswer::Refused(one_line(error))
    }
}

impl From<TextError> for NoAnswer {
    fn from(error: TextError) -> NoAnswer {
        NoAnswer::Text(error.to_string())
    }
}

/// How questions are read and answered.
pub struct Questions<'a> {
    /// The question's words, or `-` for one question a line on standard input.
    pub question: &'a [String],
    /// Worker threads; one for each core unless set.
    pub threads: Option<usize>,
    /// Whether refusals go to standard output, as JSON.
    pub json: bool,
    /// Questions that a worker takes at a time; enough of them that handing them
    /// out costs nothing.
    pub piece: usize,
}

impl Questions<'_> {
    /// Answers all questions. Each worker has a state of its own, made by
    /// `start`; `answer` sees a question without the blanks at its end.
    pub fn run<S: Send>(
        &self,
        start: impl Fn() -> S,
        answer: impl Fn(&mut S, &str) -> Result<String, NoAnswer> + Sync,
    ) -> anyhow::Result<Outcome> {
        let mut output = Output {
            out: BufWriter::new(io::stdout().lock()),
            unanswered: 0,
        };
        let finished = if self.question == ["-"] {
            self.answer_input(&start, &answer, &mut output)?
        } else {
            let question = self.question.join(" ");
            let reply = self.reply(&mut start(), &answer, &question, None);
            output.write(&reply)?
        };
        output.out.flush()?;
        Ok(match (finished, output.unanswered) {
            (false, _) => {
                say("setrograde: cancelled");
                Outcome::Interrupted
            }
            (true, 0) => Outcome::Done,
            (true, _) => Outcome::SomeUnanswered,
        })
    }

    /// Whether it came to the end of the input.
    fn answer_input<S: Send, W: Write>(
        &self,
        start: &impl Fn() -> S,
        answer: &(impl Fn(&mut S, &str) -> Result<String, NoAnswer> + Sync),
        output: &mut Output<W>,
    ) -> anyhow::Result<bool> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build()?;
        let states: Vec<Mutex<S>> = (0..pool.current_num_threads())
            .map(|_| Mutex::new(start()))
            .collect();
        let input = read_input();
        loop {
            let Batch { first, text } = match input.recv_timeout(WAIT) {
                Ok(batch) => batch?,
                Err(RecvTimeoutError::Disconnected) => return Ok(true),
                Err(RecvTimeoutError::Timeout) if is_interrupted() => return Ok(false),
                Err(RecvTimeoutError::Timeout) => continue,
            };
            let lines: Vec<&str> = text.lines().collect();
            let given_up = AtomicBool::new(false);
            let finished = pool.in_place_scope(|scope| {
                let (done, pieces) = mpsc::channel();
                for (at, piece) in lines.chunks(self.piece).enumerate() {
                    let (done, states, given_up) = (done.clone(), &states, &given_up);
                    scope.spawn(move |_| {
                        if given_up.load(Ordering::Relaxed) {
                            return;
                        }
                        let worker = rayon::current_thread_index().unwrap_or(0);
                        let mut state = states[worker]
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner);
                        let first = first + at * self.piece;
                        let number = |(at, line): (usize, &&str)| {
                            self.reply(&mut *state, answer, line, Some(first + at))
                        };
                        let replies: Vec<Reply> = piece.iter().enumerate().map(number).collect();
                        // Nobody listens once the output has failed.
                        let _ = done.send((at, replies));
                    });
                }
                drop(done);
                let finished = output.write_in_order(&pieces);
                given_up.store(true, Ordering::Relaxed);
                finished
            })?;
            if !finished {
                return Ok(false);
            }
        }
    }

    fn reply<S>(
        &self,
        state: &mut S,
        answer: &impl Fn(&mut S, &str) -> Result<String, NoAnswer>,
        question: &str,
        line: Option<usize>,
    ) -> Reply {
        let text = question.trim_end();
        if line.is_some() && (text.trim_start().is_empty() || text.trim_start().starts_with('#')) {
            return Reply::Nothing;
        }
        if is_interrupted() {
            return Reply::Interrupted;
        }
        if text.len() > lines::LONGEST {
            let error = format!("longer than {} bytes", lines::LONGEST);
            return self.refusal(None, line, ":", error);
        }
        let text = &*with_plain_blanks(text);
        match answer(state, text) {
            Ok(answer) => Reply::Answer(answer),
            Err(NoAnswer::Interrupted) => Reply::Interrupted,
            Err(NoAnswer::Text(error)) => self.refusal(Some(text), line, ",", error),
            Err(NoAnswer::Refused(error)) => self.refusal(Some(text), line, ":", error),
        }
    }

    fn refusal(
        &self,
        text: Option<&str>,
        line: Option<usize>,
        separator: &str,
        error: String,
    ) -> Reply {
        let on_output = self
            .json
            .then(|| json!({ "question": text, "line": line, "error": error }).to_string());
        let message = match line {
            None => error,
            Some(line) => format!("line {line}{separator} {error}"),
        };
        Reply::Refusal { message, on_output }
    }
}

/// A question with a blank for every other separator and control character, so
/// that tabs and line breaks in the output are always the program's own. Columns
/// stay as they are.
fn with_plain_blanks(text: &str) -> Cow<'_, str> {
    let is_foreign = |c: char| c != ' ' && (c.is_whitespace() || c.is_control());
    if text.contains(is_foreign) {
        Cow::Owned(text.replace(is_foreign, " "))
    } else {
        Cow::Borrowed(text)
    }
}

/// What goes to standard output or standard error for one question.
enum Reply {
    /// A blank line or a comment.
    Nothing,
    Answer(String),
    Refusal {
        message: String,
        on_output: Option<String>,
    },
    /// Nothing either, nor for any later question.
    Interrupted,
}

struct Output<W: Write> {
    out: BufWriter<W>,
    unanswered: usize,
}

impl<W: Write> Output<W> {
    /// Writes pieces as soon as all before them are written. Says whether there
    /// was no interrupt.
    fn write_in_order(&mut self, pieces: &Receiver<(usize, Vec<Reply>)>) -> io::Result<bool> {
        let mut waiting = std::collections::BTreeMap::new();
        let mut next = 0;
        for (at, replies) in pieces {
            waiting.insert(at, replies);
            while let Some(replies) = waiting.remove(&next) {
                next += 1;
                for reply in &replies {
                    if !self.write(reply)? {
                        return Ok(false);
                    }
                }
            }
            self.out.flush()?;
        }
        Ok(true)
    }

    /// Writes a reply; says whether it was one, not an interrupt.
    fn write(&mut self, reply: &Reply) -> io::Result<bool> {
        match reply {
            Reply::Nothing => {}
            Reply::Answer(text) => writeln!(self.out, "{text}")?,
            Reply::Refusal { message, on_output } => {
                self.unanswered += 1;
                match on_output {
                    Some(text) => writeln!(self.out, "{text}")?,
                    None => say(format_args!("setrograde: {message}")),
                }
            }
            Reply::Interrupted => return Ok(false),
        }
        Ok(true)
    }
}
