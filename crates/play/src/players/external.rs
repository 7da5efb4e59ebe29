//! Players that are programs: a line of JSON in, a card out.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Map, Value, json};
use setrograde_beliefs::{Game, View};
use setrograde_cards::{Card, Seat};

use super::choice::{forced, plain};
use super::roster::SpecError;
use crate::player::{Player, PlayerChoice, PlayerError};

/// A program that plays. For every card it gets a line of JSON with its seat's view
/// ([`view_json`]), and writes a line with a card, such as `SA`.
pub(super) struct External {
    command: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<std::io::Result<String>>,
    patience: Duration,
}

impl External {
    /// Starts a program: its name and its arguments, separated by spaces, with quotes around words
    /// that contain spaces. No shell is involved. On Windows the program itself splits its
    /// arguments.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub(super) fn start(command: &str, patience: Duration) -> Result<External, SpecError> {
        let failed = |problem: String| SpecError::External {
            command: command.to_owned(),
            problem,
        };
        if command.trim().is_empty() {
            return Err(failed("no command was given".to_owned()));
        }
        let unclosed = || failed("a quotation mark is not closed".to_owned());
        let mut program = program(command).ok_or_else(unclosed)?;
        program.stdin(Stdio::piped()).stdout(Stdio::piped());
        // An interrupt at the terminal is for this process: the program ends with its input.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut program, 0);
        let mut child = program.spawn().map_err(|error| failed(error.to_string()))?;
        let input = child.stdin.take();
        let output = child
            .stdout
            .take()
            .ok_or_else(|| failed("it has no output".to_owned()))?;
        let (send, lines) = mpsc::sync_channel(1);
        let read = move || {
            let mut output = BufReader::new(output);
            while let Some(line) = answer(&mut output).transpose() {
                let end = line.is_err();
                if send.send(line).is_err() || end {
                    break;
                }
            }
        };
        let external = External {
            command: command.to_owned(),
            child,
            input,
            lines,
            patience,
        };
        let reader = std::thread::Builder::new().spawn(read);
        reader.map_err(|error| failed(error.to_string()))?;
        Ok(external)
    }

    fn problem(&self, problem: impl Into<String>) -> PlayerError {
        PlayerError::External {
            command: self.command.clone(),
            problem: problem.into(),
        }
    }

    fn ask(&mut self, question: &Value) -> Result<String, PlayerError> {
        let mut line = question.to_string();
        line.push('\n');
        let written = match &mut self.input {
            Some(input) => input
                .write_all(line.as_bytes())
                .and_then(|()| input.flush()),
            None => return Err(self.problem("it has no input")),
        };
        match written {
            Ok(()) => {}
            Err(error) if has_ended(&error) => {
                // If it ended because its output was no longer read, the reason was sent before.
                return Err(self.problem(match self.lines.try_recv() {
                    Ok(Err(reason)) => reason.to_string(),
                    _ => ENDED.to_owned(),
                }));
            }
            Err(error) => return Err(self.problem(format!("it does not read: {error}"))),
        }
        match self.lines.recv_timeout(self.patience) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(error)) => Err(self.problem(error.to_string())),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.patience.as_secs_f64();
                Err(self.problem(format!("no card within {seconds} s")))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.problem(ENDED)),
        }
    }
}

/// The error for a program that has exited.
const ENDED: &str = "it has ended";

/// Returns true if the reader has gone.
fn has_ended(error: &std::io::Error) -> bool {
    // "No process is on the other end of the pipe".
    let of_windows = cfg!(windows) && error.raw_os_error() == Some(233);
    error.kind() == ErrorKind::BrokenPipe || of_windows
}

/// The program in a command, and its arguments; `None` if a quotation mark is not closed.
#[cfg(not(windows))]
fn program(command: &str) -> Option<Command> {
    let mut words = shlex::split(command)?.into_iter();
    let mut program = Command::new(words.next()?);
    program.args(words);
    Some(program)
}

#[cfg(windows)]
fn program(command: &str) -> Option<Command> {
    let command = command.trim_start();
    let (program, arguments) = match command.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => command
            .split_once(char::is_whitespace)
            .unwrap_or((command, "")),
    };
    let mut program = Command::new(program);
    std::os::windows::process::CommandExt::raw_arg(&mut program, arguments.trim_start());
    Some(program)
}

/// Maximum number of bytes of an answer.
const MOST_ANSWER: u64 = 1024;

/// The next line of a program, without its end; `None` at the end of its output.
fn answer(output: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut line = String::new();
    let read = output.take(MOST_ANSWER).read_line(&mut line)?;
    if read as u64 == MOST_ANSWER && !line.ends_with('\n') {
        let problem = format!("a line of more than {MOST_ANSWER} bytes");
        return Err(std::io::Error::new(ErrorKind::InvalidData, problem));
    }
    Ok((read > 0).then_some(line))
}

impl Drop for External {
    fn drop(&mut self) {
        // Its children end with it: they are in its group.
        self.input = None;
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<G: Game> Player<G> for External {
    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<PlayerChoice, PlayerError> {
        if let Some(choice) = forced(view)? {
            return Ok(choice);
        }
        let mut question = view_json(view);
        question["seed"] = json!(rng.u64(..) >> 11);
        let answer = self.ask(&question)?;
        let card: Card = answer
            .trim()
            .parse()
            .map_err(|_| self.problem(format!("{:?} is not a card", answer.trim())))?;
        if !view.legal().contains(card) {
            let legal = view.legal();
            return Err(self.problem(format!(
                "{card} cannot be played; the legal cards are {legal}"
            )));
        }
        plain(Some(card))
    }
}

/// A view as JSON: `game` and the terms settled before the play,
/// `seat` (who looks), `to_play`, `hands` (those that are seen), `dummy`,
/// `history` (all cards played), `trick`, `legal`, `points` and `tricks` of the
/// parties.
pub fn view_json<G: Game>(view: &View<G>) -> Value {
    let cards = |cards: &mut dyn Iterator<Item = Card>| -> Value {
        cards.map(|card| Value::String(card.to_string())).collect()
    };
    let mut hands = Map::new();
    for seat in Seat::ALL {
        if let Some(hand) = view.hand(seat) {
            hands.insert(seat.to_string(), cards(&mut hand.iter()));
        }
    }
    let mut object = json!({
        "game": G::NAME,
        "seat": view.observer().to_string(),
        "to_play": view.to_play().to_string(),
        "hands": hands,
        "dummy": view.dummy().map(|seat| seat.to_string()),
        "history": cards(&mut view.history().iter().copied()),
        "trick": cards(&mut view.trick().cards().iter().copied()),
        "legal": cards(&mut view.legal().iter()),
        "points": view.tally().points,
        "tricks": view.tally().tricks,
    });
    for (name, value) in view.game().setup() {
        object[name] = Value::String(value);
    }
    object
}
