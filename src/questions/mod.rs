//! Questions, one on the command line or many in files and on standard input,
//! answered by all cores in the order in which they were asked.

pub mod boards;
mod counted;
pub mod lines;
pub mod pieces;
mod progress;
pub mod replies;
pub mod sources;
pub mod workers;

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use serde::Serialize;
use serde_json::Value;
use setrograde_beliefs::QuestionError;
use setrograde_cards::TextError;
use setrograde_records::pbn::Game;
use setrograde_records::{Board, RecordError};
use setrograde_review::heading;

use self::pieces::{Asked, Piece, Reading};
use self::progress::ReadingProgress;
use self::replies::{Output, Reply};
use self::sources::Source;
use self::workers::in_order;
use crate::Outcome;
use crate::arguments::condition::described;
use crate::interrupt::is_interrupted;
use crate::json::{self, PassedOut, Refusal};
use crate::output::errors::one_line;
use crate::output::say;
use crate::output::unfinished::Unfinished;

/// A question.
pub struct Question<'a> {
    /// The text of the question, without blanks at its end.
    pub text: &'a str,
    /// The board of a record that it is about.
    pub board: Option<&'a Board>,
    /// The game of the board, if it is to be written back.
    pub game: Option<&'a Game>,
}

impl Question<'_> {
    /// An answer of one line: after the question and a tab, or below its board's heading.
    pub fn told(&self, answer: impl Display) -> String {
        match self.board {
            Some(board) => format!("{}\n  {answer}", heading(board)),
            None => format!("{}\t{answer}", self.text),
        }
    }

    /// An answer of whole lines, below the question or its board's heading.
    pub fn told_below(&self, lines: &str) -> String {
        match self.board {
            Some(board) => format!("{}\n{lines}", heading(board)),
            None => format!("{}\n{lines}", self.text),
        }
    }

    /// Whether the board has neither a contract nor a strain, so that all 20 results are
    /// its answer.
    pub fn asks_for_table(&self) -> bool {
        self.board.is_some_and(|board| board.strain.is_none())
    }
}

/// An answer, which a line break follows unless it is bytes.
pub enum Answer {
    Text(String),
    Json(Value),
    Bytes(Vec<u8>),
}

impl Answer {
    /// An object for `--json`.
    pub fn json(object: impl Serialize) -> Answer {
        Answer::Json(json::versioned(object))
    }
}

impl From<String> for Answer {
    fn from(text: String) -> Answer {
        Answer::Text(text)
    }
}

impl From<Answer> for Reply {
    fn from(answer: Answer) -> Reply {
        match answer {
            Answer::Text(text) => Reply::line(text),
            Answer::Json(object) => Reply::line(object.to_string()),
            Answer::Bytes(bytes) => Reply::Answer(bytes),
        }
    }
}

/// The reason that a question has no answer.
pub enum NoAnswer {
    /// It is wrong at this column.
    At { column: usize, problem: String },
    /// It cannot be answered.
    Refused(String),
    /// The program was told to stop.
    Interrupted,
}

/// Any error of the libraries: one in a question's text is at its column.
impl<E: Error + 'static> From<E> for NoAnswer {
    fn from(error: E) -> NoAnswer {
        let error: &(dyn Error + 'static) = &error;
        if let Some(error) = error.downcast_ref::<TextError>() {
            return NoAnswer::At {
                column: error.column(),
                problem: error.problem().to_string(),
            };
        }
        match error.downcast_ref::<QuestionError>() {
            Some(error) if error.in_condition() => NoAnswer::Refused(described(error, true)),
            Some(error) => NoAnswer::At {
                column: error.column(),
                problem: error.problem().to_owned(),
            },
            None if is_interrupted() => NoAnswer::Interrupted,
            None => NoAnswer::Refused(one_line(error)),
        }
    }
}

impl Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoAnswer::At { column, problem } => write!(f, "column {column}: {problem}"),
            NoAnswer::Refused(problem) => f.write_str(problem),
            NoAnswer::Interrupted => f.write_str("interrupted"),
        }
    }
}

/// The failure of a command whose only question has no answer, exit status 3.
#[derive(Debug)]
pub struct Refused(String);

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Refused {}

/// The error that there is no answer to the only question.
pub fn refused(why: impl Display) -> anyhow::Error {
    Refused(why.to_string()).into()
}

/// Writes the question that a board stands for as a line, or says what it lacks.
pub type BoardLine = fn(&Board) -> Result<String, String>;

/// Questions, and the way to read and answer them.
pub struct Questions<'a> {
    /// The question's words, or the names of files; `-` is standard input.
    pub question: &'a [String],
    /// Worker threads; one for each core unless set.
    pub threads: Option<usize>,
    /// Whether refusals go to standard output, as JSON.
    pub json: bool,
    /// The file for the answers; standard output unless set.
    pub output: Option<&'a Path>,
    /// Questions that a worker takes at a time; enough of them that handing them
    /// out costs nothing.
    pub piece: usize,
    /// Writes the question that a board of a record stands for; none if only lines
    /// are asked.
    pub boards: Option<BoardLine>,
    /// Makes what follows after all answers.
    pub after: Option<&'a (dyn Fn() -> Option<Answer> + Sync)>,
}

impl Questions<'_> {
    /// Answers all questions. Each worker has a state of its own, made by `start`.
    pub fn run<S: Send, A: Into<Answer>>(
        &self,
        start: impl Fn() -> S,
        answer: impl Fn(&mut S, &Question<'_>) -> Result<A, NoAnswer> + Sync,
    ) -> anyhow::Result<Outcome> {
        let reading = Reading {
            boards: self.boards.is_some(),
            games: false,
            skipped: 0,
            piece: self.piece,
        };
        match self.output {
            None => self.run_to(&mut Output::standard(), reading, start, answer),
            Some(path) => {
                let file = Unfinished::create(path)?;
                let mut output = Output::new(file.name(), file);
                let outcome = self.run_to(&mut output, reading, start, answer)?;
                output.finish(outcome, "remove it to begin anew")?;
                Ok(outcome)
            }
        }
    }

    /// Answers all questions, read as `reading` says.
    pub fn run_to<W: Write, S: Send, A: Into<Answer>>(
        &self,
        output: &mut Output<W>,
        reading: Reading,
        start: impl Fn() -> S,
        answer: impl Fn(&mut S, &Question<'_>) -> Result<A, NoAnswer> + Sync,
    ) -> anyhow::Result<Outcome> {
        let finished = match self.sources()? {
            Some(sources) => {
                let progress = ReadingProgress::new(&sources, self.output.is_some());
                in_order(
                    reading.feed(sources),
                    (0..self.workers()).map(|_| start()).collect(),
                    |state, piece| {
                        let Piece { asked, bytes } = piece?;
                        Ok::<_, anyhow::Error>((self.replies(state, &answer, &asked), bytes))
                    },
                    |replies| {
                        let Some(replies) = replies else {
                            progress.show();
                            output.flush()?;
                            return Ok(true);
                        };
                        let (replies, bytes) = replies?;
                        for reply in &replies {
                            if !output.write(reply, &progress)? {
                                return Ok(false);
                            }
                        }
                        progress.add_bytes(bytes);
                        Ok(true)
                    },
                )?
            }
            None => {
                let text = self.question.join(" ");
                let reply = self.reply_to_line(&mut start(), &answer, &text, None);
                output.write(&reply, &ReadingProgress::hidden())?
            }
        };
        if let Some(answer) = self.after.filter(|_| finished).and_then(|after| after()) {
            output.write(&answer.into(), &ReadingProgress::hidden())?;
        }
        output.flush()?;
        Ok(match (finished, output.unanswered()) {
            (false, _) => {
                say("setrograde: cancelled");
                Outcome::Interrupted
            }
            (true, 0) => Outcome::Done,
            (true, _) => Outcome::SomeUnanswered,
        })
    }

    /// Returns the threads for each question: all if there is just one, on the command
    /// line, and one if there are many for the workers.
    pub fn threads_for_each(&self) -> usize {
        match self.sources() {
            Ok(None) => self.workers(),
            _ => 1,
        }
    }

    fn workers(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(cores)
    }

    /// The sources of questions; `None` if the words themselves are one.
    fn sources(&self) -> anyhow::Result<Option<Vec<Source>>> {
        if self.boards.is_none() {
            return Ok((self.question == ["-"]).then(|| vec![Source::StandardInput]));
        }
        let sources = Source::all(self.question);
        let missing = sources.iter().flatten().find(|source| !source.exists());
        if let Some(missing) = missing {
            if missing.name().is_empty() {
                bail!(
                    "the question is empty; expected a question, a file, or - for standard input"
                );
            }
            bail!(
                "{}: no file has this name, and it is no deal, which has a colon",
                missing.name()
            );
        }
        Ok(sources)
    }

    fn replies<S, A: Into<Answer>>(
        &self,
        state: &mut S,
        answer: &impl Fn(&mut S, &Question<'_>) -> Result<A, NoAnswer>,
        asked: &Asked,
    ) -> Vec<Reply> {
        match asked {
            Asked::Lines { file, first, text } => text
                .lines()
                .enumerate()
                .map(|(at, line)| {
                    let place = (file.as_ref(), first + at);
                    self.reply_to_line(state, answer, line, Some(place))
                })
                .collect(),
            Asked::Boards { file, boards } => boards
                .iter()
                .map(|board| self.reply_to_board(state, answer, file, board.as_ref(), None))
                .collect(),
            Asked::Game { file, game } => vec![match game.board() {
                None => Reply::Answer(game.bytes().to_vec()),
                Some(board) => self.reply_to_board(state, answer, file, board, Some(game)),
            }],
        }
    }

    fn reply_to_line<S, A: Into<Answer>>(
        &self,
        state: &mut S,
        answer: &impl Fn(&mut S, &Question<'_>) -> Result<A, NoAnswer>,
        line: &str,
        place: Option<(Option<&Arc<str>>, usize)>,
    ) -> Reply {
        let text = line.trim_end();
        if place.is_some() && (text.trim_start().is_empty() || text.trim_start().starts_with('#')) {
            return Reply::Nothing;
        }
        if is_interrupted() {
            return Reply::Interrupted;
        }
        let (file, line) = place.map_or((None, None), |(file, line)| (file, Some(line)));
        let refusal = |question: Option<&str>, column: Option<usize>, error: String| {
            let mut on_output = json::versioned(Refusal {
                error: &error,
                question,
                column,
            });
            let mut places = Vec::new();
            if let Some(file) = file {
                on_output["file"] = Value::from(file.as_ref());
                places.push(file.to_string());
            }
            if let Some(line) = line {
                on_output["line"] = Value::from(line);
                places.push(format!("line {line}"));
            }
            places.extend(column.map(|column| format!("column {column}")));
            let message = match places.is_empty() {
                true => error,
                false => format!("{}: {error}", places.join(", ")),
            };
            self.refusal(message, on_output)
        };
        if text.len() > lines::LONGEST {
            let error = format!("longer than {} bytes", lines::LONGEST);
            return refusal(None, None, error);
        }
        let text = &*with_plain_blanks(text);
        let question = Question {
            text,
            board: None,
            game: None,
        };
        match answer(state, &question).map(A::into) {
            Ok(answer) => answer.into(),
            Err(NoAnswer::Interrupted) => Reply::Interrupted,
            Err(NoAnswer::At { column, problem }) => refusal(Some(text), Some(column), problem),
            Err(NoAnswer::Refused(error)) => refusal(Some(text), None, error),
        }
    }

    fn reply_to_board<S, A: Into<Answer>>(
        &self,
        state: &mut S,
        answer: &impl Fn(&mut S, &Question<'_>) -> Result<A, NoAnswer>,
        file: &Arc<str>,
        board: Result<&Board, &RecordError>,
        game: Option<&Game>,
    ) -> Reply {
        if is_interrupted() {
            return Reply::Interrupted;
        }
        // A game that has no answer is written back as it is.
        let bytes = game.map(Game::bytes);
        let board = match board {
            Ok(board) => board,
            Err(error) => {
                let problem = error.problem.to_string();
                let on_output = json::versioned(Refusal {
                    error: &problem,
                    question: None,
                    column: None,
                });
                let on_output = placed(on_output, file, error.line, error.board);
                return self.refusal(error.to_string(), on_output).or_bytes(bytes);
            }
        };
        let about_board = |value: Value| placed(value, file, board.line, board.number);
        let refusal = |question: Option<&str>, error: String| {
            let on_output = about_board(json::versioned(Refusal {
                error: &error,
                question,
                column: None,
            }));
            self.refusal(complaint(file, board, &error), on_output)
                .or_bytes(bytes)
        };
        let line = self.boards.map_or(Ok(String::new()), |line| line(board));
        let text = match line {
            Ok(text) => text,
            Err(error) => return refusal(None, error),
        };
        if text.is_empty() && board.passed_out {
            return Reply::line(match self.json {
                true => about_board(json::versioned(PassedOut::default())).to_string(),
                false => heading(board),
            });
        }
        let question = Question {
            text: &text,
            board: Some(board),
            game,
        };
        match answer(state, &question).map(A::into) {
            Ok(Answer::Json(answer)) => Reply::line(about_board(answer).to_string()),
            Ok(answer) => answer.into(),
            Err(NoAnswer::Interrupted) => Reply::Interrupted,
            // The column would be one of a line that this program wrote.
            Err(NoAnswer::At { problem, .. }) => refusal(Some(&text), problem),
            Err(NoAnswer::Refused(error)) => refusal(Some(&text), error),
        }
    }

    fn refusal(&self, message: String, on_output: Value) -> Reply {
        Reply::Refusal {
            output: match self.json {
                true => format!("{on_output}\n").into_bytes(),
                false => Vec::new(),
            },
            message: (!self.json).then_some(message),
        }
    }
}

/// An object with the place of the board that it is about.
fn placed(mut object: Value, file: &str, line: impl Into<Value>, board: impl Into<Value>) -> Value {
    object["file"] = Value::from(file);
    object["line"] = line.into();
    object["board"] = board.into();
    object
}

/// A board's fault, with its place.
pub fn complaint(file: &str, board: &Board, error: &str) -> String {
    let number = board.number;
    let number = number.map_or(String::new(), |number| format!(", board {number}"));
    format!("{file}, line {}{number}: {error}", board.line)
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
