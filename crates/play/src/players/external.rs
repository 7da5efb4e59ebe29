//! Players that are programs: a line of JSON in, a card out.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use fastrand::Rng;
use serde_json::{Map, Value, json};
use setrograde_cards::{Card, Seat};
use setrograde_games::{Game, View};

use super::choice::{forced, plain};
use super::roster::SpecError;
use crate::player::{Choice, Player, PlayerError};

/// A program that plays. For every card it gets a line of JSON that says what
/// its seat sees ([`view_json`]), and writes a line with a card, as `SA`.
pub struct External {
    command: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<std::io::Result<String>>,
    patience: Duration,
}

impl External {
    /// Starts a program, by the shell.
    ///
    /// # Errors
    ///
    /// If it cannot be started.
    pub fn start(command: &str, patience: Duration) -> Result<External, SpecError> {
        let failed = |problem: String| SpecError::External {
            command: command.to_owned(),
            problem,
        };
        if command.is_empty() {
            return Err(failed("no command was given".to_owned()));
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", command]);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped());
        // An interrupt at the terminal is for us: the program ends with its input.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child = shell.spawn().map_err(|error| failed(error.to_string()))?;
        let input = child.stdin.take();
        let output = child
            .stdout
            .take()
            .ok_or_else(|| failed("it has no output".to_owned()))?;
        let (send, lines) = mpsc::sync_channel(1);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(line) = answer(&mut output).transpose() {
                let end = line.is_err();
                if send.send(line).is_err() || end {
                    break;
                }
            }
        });
        Ok(External {
            command: command.to_owned(),
            child,
            input,
            lines,
            patience,
        })
    }

    fn problem(&self, problem: impl Into<String>) -> PlayerError {
        PlayerError::External {
            command: self.command.clone(),
            problem: problem.into(),
        }
    }

    /// The program has ended: the error that says why.
    fn ended(&mut self) -> PlayerError {
        for _ in 0..50 {
            match self.child.try_wait() {
                // The shell's answer to a command that it cannot run.
                Ok(Some(status)) if matches!(status.code(), Some(126 | 127)) => {
                    return PlayerError::NotStarted {
                        command: self.command.clone(),
                        problem: format!("the shell ended with {status}"),
                    };
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(10)),
                _ => break,
            }
        }
        self.problem("it has ended")
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
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Err(self.ended()),
            Err(error) => return Err(self.problem(format!("it does not read: {error}"))),
        }
        match self.lines.recv_timeout(self.patience) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(error)) => Err(self.problem(error.to_string())),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.patience.as_secs_f64();
                Err(self.problem(format!("no card within {seconds} s")))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }
}

/// The most bytes of an answer.
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
        // The shell's children end with it: they are in its group.
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
    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<Choice, PlayerError> {
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
            return Err(self.problem(format!("{card} may not be played; one of {legal} may")));
        }
        plain(Some(card))
    }
}

/// A view as JSON: `game` and the terms settled before the play,
/// `seat` (who looks), `to_play`, `hands` (those that are seen), `dummy`,
/// `history` (all cards played), `trick`, `legal`, `points` and `tricks` of the
/// parties.
#[must_use]
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
