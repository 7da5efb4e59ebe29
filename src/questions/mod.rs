//! Questions, one on the command line or many in files and on standard input,
//! answered by all cores in the order in which they were asked.

pub mod filtered;
mod no_answer;
pub mod pieces;
pub mod progress;
pub mod replies;
pub mod sources;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, bail};
use same_file::Handle;
use serde::Serialize;
use setrograde::source::{
    Envelope, LONGEST_LINE, PieceQuestions, QuestionPiece, is_question, nothing_found, read_line,
    with_plain_spaces,
};
use setrograde::{
    Ask, Desk, PassedOut, QuestionKind, Refusal, RefusalKind, RefusalObject, Report, Spelling,
    Style, Subject, Words, heading, render,
};
use setrograde_parallel::{cores, in_order};
use setrograde_records::pbn::Game;
use setrograde_records::{Board, Format, Note, RecordError};

pub use self::no_answer::{Refused, check_options, refused};
use self::pieces::ReadOptions;
use self::progress::{ReadingProgress, while_it_lasts};
use self::replies::{Doubted, Output, Replies, Reply};
use self::sources::{InputSource, is_path, question};
use crate::Outcome;
use crate::arguments::boards::{self, BoardNumbers};
use crate::interrupt::{self, is_interrupted};
use crate::json::{text_of, versioned};
use crate::output::errors::hinted;
use crate::output::whole_file::WholeFile;
use crate::output::{say, standard};
pub use setrograde::source::QuestionLocation;

/// A question, and its board.
pub struct Question<'a, A> {
    pub ask: &'a A,
    /// The board of the record from which it was made.
    pub board: Option<&'a Board>,
    /// The game of the board, if it is to be written back.
    pub game: Option<&'a Game>,
}

/// Returns a board's error message with its location.
pub fn complaint(file: &str, board: &Board, error: &str) -> String {
    QuestionLocation::of_board(file, board).complaint(None, error)
}

/// Refuses an output file that is one of the sources, under any name.
pub fn refuse_as_output(path: &Path, sources: &[InputSource]) -> anyhow::Result<()> {
    let there = path.is_file().then(|| Handle::from_path(path).ok());
    refuse_input(there.flatten(), path.display(), sources)
}

/// Refuses a destination, which is open, that is one of the sources.
fn refuse_input(
    destination: Option<Handle>,
    name: impl Display,
    sources: &[InputSource],
) -> anyhow::Result<()> {
    let Some(destination) = destination else {
        return Ok(());
    };
    match sources.iter().find(|source| source.is(&destination)) {
        Some(source) => bail!(
            "{name}: this is {}, which is an input; nothing is written; name another file",
            source.name()
        ),
        None => Ok(()),
    }
}

/// Questions, and the way to read and answer them.
pub struct Questions<'a> {
    /// The question's words, or the names of files; `-` is standard input.
    pub question: &'a [OsString],
    /// Worker threads; one for each core unless set.
    pub threads: Option<usize>,
    /// True if refusals go to standard output, as JSON.
    pub json: bool,
    /// The file for the answers; standard output unless set.
    pub output: Option<&'a Path>,
    /// Questions that a worker takes at a time; enough of them that handing them
    /// out costs nothing.
    pub piece: usize,
    /// True if files are read, and boards of records asked about; else only lines are.
    pub boards: bool,
    /// The boards that are wanted; all unless set.
    pub wanted: Option<&'a BoardNumbers>,
    /// True if PBN files are written back game by game, with the answers in them.
    pub games: bool,
    /// True if boards may be left out of the output, which then replaces no input.
    pub filtered: bool,
    /// The style of the answers' text.
    pub style: Style,
}

/// No answer that follows after all answers.
#[derive(Serialize)]
enum NoLastAnswer {}

impl Report for NoLastAnswer {
    fn words(&self, _: &mut Words) {
        match *self {}
    }
}

impl Questions<'_> {
    /// Answers a question about each subject, at desks that are made of one.
    pub fn ask<A: Ask + Sync>(&self, ask: &A, desk: Desk) -> anyhow::Result<Outcome> {
        let desk = desk.with_threads(self.threads_for_each());
        self.run(
            || desk.another(),
            |desk, question| desk.answer(ask, question.ask, question.board),
        )
    }

    /// Answers all questions. Each worker has its own state, made by `start`.
    pub fn run<S, A: Subject, R: Report>(
        &self,
        start: impl Fn() -> S + Sync,
        answer: impl Fn(&mut S, &Question<'_, A>) -> Result<R, Refusal> + Sync,
    ) -> anyhow::Result<Outcome> {
        self.run_then(start, answer, || None::<NoLastAnswer>)
    }

    /// Answers all questions, and writes what `after` makes once all are answered.
    pub fn run_then<S, A: Subject, R: Report, T: Report>(
        &self,
        start: impl Fn() -> S + Sync,
        answer: impl Fn(&mut S, &Question<'_, A>) -> Result<R, Refusal> + Sync,
        after: impl Fn() -> Option<T>,
    ) -> anyhow::Result<Outcome> {
        let sources = self.sources()?;
        let Some(path) = self.output else {
            let sources_read = sources.as_deref().unwrap_or_default();
            let standard = standard::output().and_then(Handle::from_file);
            refuse_input(standard.ok(), "standard output", sources_read)?;
            let mut output = Output::new("standard output", io::stdout().lock());
            return self.run_to(&mut output, sources, start, answer, after);
        };
        if !self.replaces_input(sources.as_deref())? {
            refuse_as_output(path, sources.as_deref().unwrap_or_default())?;
        }
        let file = WholeFile::create(path)?;
        let mut output = Output::new(file.name(), file);
        let outcome = self.run_to(&mut output, sources, start, answer, after)?;
        output.finish(outcome)?;
        Ok(outcome)
    }

    /// Returns whether the output may replace the input because it contains all of it.
    fn replaces_input(&self, sources: Option<&[InputSource]>) -> anyhow::Result<bool> {
        let contains_all = self.games && !self.filtered;
        let Some([source @ InputSource::File(path)]) = sources.filter(|_| contains_all) else {
            return Ok(false);
        };
        // A compressed file is not written back.
        if path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
        {
            return Ok(false);
        }
        let detected = Format::detect(source.open()?);
        let (format, _) = detected.with_context(|| format!("{}: cannot read", source.name()))?;
        Ok(format == Format::Pbn)
    }

    /// Answers all questions.
    fn run_to<W: Write, S, A: Subject, R: Report, T: Report>(
        &self,
        output: &mut Output<W>,
        sources: Option<Vec<InputSource>>,
        start: impl Fn() -> S + Sync,
        answer: impl Fn(&mut S, &Question<'_, A>) -> Result<R, Refusal> + Sync,
        after: impl Fn() -> Option<T>,
    ) -> anyhow::Result<Outcome> {
        let finished = match sources {
            Some(sources) => {
                let progress = ReadingProgress::new(&sources, self.output.is_some());
                let reading = ReadOptions {
                    boards: self.boards,
                    games: self.games,
                    wanted: self.wanted.cloned(),
                    piece: self.piece,
                    every_line: self.json,
                };
                let mut feed = reading.feed(sources, interrupt::stop());
                let work = |state: &mut S, piece: anyhow::Result<QuestionPiece>| {
                    let QuestionPiece { asked, bytes } = piece?;
                    anyhow::Ok(Replies {
                        replies: self.replies(state, &answer, &asked),
                        notes: self.notes::<A>(&asked),
                        file: asked.file().cloned(),
                        bytes,
                    })
                };
                let end = in_order(
                    &mut feed,
                    self.workers(),
                    start,
                    work,
                    |replies| match output.write_all(replies, &progress) {
                        Ok(true) => ControlFlow::Continue(()),
                        end => ControlFlow::Break(end),
                    },
                );
                output.begin(None, &progress);
                match end {
                    ControlFlow::Break(end) => end?,
                    ControlFlow::Continue(()) => !feed.interrupted,
                }
            }
            None => {
                if let Some(wanted) = self.wanted {
                    bail!("--board {wanted} is for files of boards, and this is one question");
                }
                let text = question(self.question);
                let reply = || {
                    self.reply_to_line(&mut start(), &answer, &text, &QuestionLocation::default())
                };
                let reply = while_it_lasts(reply);
                output.write(&reply, &ReadingProgress::hidden())?
            }
        };
        if let Some(last) = finished.then(after).flatten() {
            let bytes = if self.json {
                versioned(&last).into_bytes()
            } else {
                render(&last, "", QuestionKind::Single)
            };
            output.write(&Reply::Answer(bytes), &ReadingProgress::hidden())?;
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

    /// Refuses another output file that is the destination of the answers or one of the sources.
    pub fn refuse_output(&self, path: &Path) -> anyhow::Result<()> {
        if self.output == Some(path) {
            bail!(
                "{}: the answers go there; name another file",
                path.display()
            );
        }
        refuse_as_output(path, self.sources()?.as_deref().unwrap_or_default())
    }

    /// Returns true if the words of the command line are the only question.
    pub fn is_one(&self) -> bool {
        matches!(self.sources(), Ok(None))
    }

    /// Returns true if the questions are on the command line, not in files.
    pub fn are_asked_directly(&self) -> bool {
        InputSource::all(self.question).is_none()
    }

    /// Returns the threads for each question, as [`Desk::with_threads`] takes them: all if there is
    /// just one, on the command line, and one if there are many for the workers.
    pub fn threads_for_each(&self) -> usize {
        if self.is_one() {
            self.threads.unwrap_or(0)
        } else {
            1
        }
    }

    fn workers(&self) -> usize {
        self.threads.unwrap_or_else(cores)
    }

    /// The sources of questions; `None` if the words themselves are one.
    fn sources(&self) -> anyhow::Result<Option<Vec<InputSource>>> {
        if let Some(questions) = InputSource::questions(self.question) {
            return Ok(Some(vec![questions]));
        }
        if !self.boards {
            return Ok((self.question == ["-"]).then(|| vec![InputSource::StandardInput]));
        }
        let sources = InputSource::all(self.question);
        let missing = sources.iter().flatten().find(|source| !source.exists());
        if let Some(missing) = missing {
            if missing.name().is_empty() {
                bail!(
                    "the question is empty; expected a question, a file, or - for standard input"
                );
            }
            let name = missing.name();
            match missing {
                InputSource::File(path) if is_path(path.as_os_str()) => {
                    bail!("{name}: no file has this name")
                }
                _ if &*name == "help" => bail!("`--help` explains the command"),
                _ => {
                    bail!("{name}: no file has this name, and it is not a deal, which has a colon")
                }
            }
        }
        Ok(sources)
    }

    fn replies<S, A: Subject, R: Report>(
        &self,
        state: &mut S,
        answer: &impl Fn(&mut S, &Question<'_, A>) -> Result<R, Refusal>,
        asked: &PieceQuestions,
    ) -> Vec<Reply> {
        let mut to_board =
            |file, board, game| self.reply_to_board(state, answer, file, board, game);
        match asked {
            PieceQuestions::Lines { file, first, text } => (*first..)
                .zip(text.lines())
                .filter(|(_, text)| is_question(text))
                .map(|(line, text)| {
                    let location = QuestionLocation {
                        file: file.as_deref(),
                        line: Some(line as u64),
                        ..QuestionLocation::default()
                    };
                    self.reply_to_line(state, answer, text.trim_start(), &location)
                })
                .collect(),
            PieceQuestions::Boards { file, boards } => boards
                .iter()
                .map(|board| to_board(file, board.as_ref(), None))
                .collect(),
            PieceQuestions::Game { file, game, wanted } => vec![match game.board() {
                // A game without an answer is written back unchanged.
                Some(board) if *wanted => to_board(file, board, Some(game)).or_bytes(game.bytes()),
                _ => Reply::Copy(game.bytes().to_vec()),
            }],
            PieceQuestions::Nothing { file, others } => {
                let why = match self.wanted {
                    None => nothing_found(self.boards).to_owned(),
                    Some(wanted) => {
                        let has = boards::in_words(others.clone());
                        format!("no board {wanted}; it has {has}")
                    }
                };
                let location = QuestionLocation {
                    file: Some(file),
                    ..QuestionLocation::default()
                };
                vec![self.refuse(&location, None, Refusal::question(why))]
            }
            PieceQuestions::Text { .. } => Vec::new(),
        }
    }

    /// The warnings about the boards of a piece, for standard error; objects have their own.
    fn notes<A: Subject>(&self, asked: &PieceQuestions) -> Vec<Doubted> {
        let boards: Vec<&Board> = match asked {
            PieceQuestions::Text { file, line } => {
                let location = QuestionLocation {
                    file: Some(file),
                    line: Some(*line),
                    ..QuestionLocation::default()
                };
                return vec![Doubted {
                    location: location.in_words(None),
                    doubt: "text outside of boards is ignored".to_owned(),
                }];
            }
            _ if self.json => Vec::new(),
            PieceQuestions::Lines { file, first, text } => {
                let doubted = |(number, line): (usize, &str)| {
                    let text = with_plain_spaces(line.trim());
                    let (_, note) = read_line::<A>(&text, number as u64).ok()?;
                    let location = QuestionLocation {
                        file: file.as_deref(),
                        line: Some(number as u64),
                        ..QuestionLocation::default()
                    };
                    Some(Doubted {
                        location: location.in_words(None),
                        doubt: note?.to_string(),
                    })
                };
                let lines = (*first..).zip(text.lines());
                let lines =
                    lines.filter(|(_, line)| is_question(line) && line.len() <= LONGEST_LINE);
                return lines.filter_map(doubted).collect();
            }
            PieceQuestions::Boards { boards, .. } => boards.iter().flatten().collect(),
            PieceQuestions::Game { game, wanted, .. } if *wanted => {
                game.board().and_then(Result::ok).into_iter().collect()
            }
            _ => Vec::new(),
        };
        let file = asked.file().map_or("", |file| file);
        let notes = boards.into_iter().flat_map(|board| {
            let location = QuestionLocation::of_board(file, board);
            board.notes.iter().map(move |note| Doubted {
                location: QuestionLocation {
                    line: Some(note.line),
                    ..location
                }
                .in_words(None),
                doubt: note.to_string(),
            })
        });
        notes.collect()
    }

    fn reply_to_line<S, A: Subject, R: Report>(
        &self,
        state: &mut S,
        answer: &impl Fn(&mut S, &Question<'_, A>) -> Result<R, Refusal>,
        line: &str,
        location: &QuestionLocation<'_>,
    ) -> Reply {
        let text = line.trim_end();
        if text.len() > LONGEST_LINE {
            let error = Refusal::question(format_args!("longer than {LONGEST_LINE} bytes"));
            return self.refuse(location, None, error);
        }
        if is_interrupted() {
            return Reply::Interrupted;
        }
        let text = &*with_plain_spaces(text);
        let read = read_line::<A>(text, location.line.unwrap_or(1));
        let answered = read.and_then(|(ask, note)| {
            let question = Question {
                ask: &ask,
                board: None,
                game: None,
            };
            Ok((answer(state, &question)?, note))
        });
        let asked = match location.line {
            Some(_) => QuestionKind::Line,
            None => QuestionKind::Single,
        };
        match answered {
            Ok((answer, _)) if answer.is_left_out() => Reply::Answer(Vec::new()),
            Ok((answer, note)) if self.json => {
                self.object(location, Some(text), &answer, note.as_slice())
            }
            Ok((answer, note)) => {
                // Notes about the lines of a piece are printed with it.
                if let (None, Some(note)) = (location.line, note) {
                    say(format_args!("setrograde: {note}"));
                }
                Reply::Answer(render(&answer, text, self.style_of(asked)))
            }
            // The search reports its cancellation.
            Err(_) if is_interrupted() => Reply::Interrupted,
            Err(error) => self.refuse(location, Some(text), error),
        }
    }

    fn reply_to_board<S, A: Subject, R: Report>(
        &self,
        state: &mut S,
        answer: &impl Fn(&mut S, &Question<'_, A>) -> Result<R, Refusal>,
        file: &str,
        board: Result<&Board, &RecordError>,
        game: Option<&Game>,
    ) -> Reply {
        let location = QuestionLocation::of(file, board);
        let refuse = |error: &dyn Display| self.refuse(&location, None, Refusal::question(error));
        let board = match board {
            _ if is_interrupted() => return Reply::Interrupted,
            Ok(board) => board,
            Err(error) => return refuse(&error.problem),
        };
        let ask = match A::board(board) {
            Ok(Some(ask)) => ask,
            Ok(None) if self.json => {
                return self.object(&location, None, &PassedOut { passed_out: true }, &[]);
            }
            Ok(None) => return Reply::Answer(format!("{}\n", heading(board)).into_bytes()),
            Err(lacks) => return refuse(&lacks),
        };
        if let Some(unclosed) = game.and_then(Game::unclosed) {
            let problem = format_args!("{unclosed}; nothing can be written into this game");
            return refuse(&problem);
        }
        let question = Question {
            ask: &ask,
            board: Some(board),
            game,
        };
        match answer(state, &question) {
            Ok(answer) if answer.is_left_out() => Reply::Answer(Vec::new()),
            Ok(answer) if self.json => {
                let text = ask.to_string();
                self.object(&location, Some(&text), &answer, &board.notes)
            }
            Ok(answer) => {
                let style = self.style_of(QuestionKind::Board);
                Reply::Answer(render(&answer, &heading(board), style))
            }
            Err(_) if is_interrupted() => Reply::Interrupted,
            Err(error) => self.refuse(&location, Some(&ask.to_string()), error),
        }
    }

    /// The style of the text of an answer.
    fn style_of(&self, asked: QuestionKind) -> Style {
        Style {
            asked,
            ..self.style
        }
    }

    /// An answer as an object.
    fn object(
        &self,
        location: &QuestionLocation<'_>,
        question: Option<&str>,
        answer: &impl Serialize,
        notes: &[Note],
    ) -> Reply {
        let object = Envelope::new(location, question, answer, notes);
        Reply::Answer(text_of(&object).into_bytes())
    }

    /// The refusal of the question `text` at `location`.
    fn refuse(&self, location: &QuestionLocation<'_>, text: Option<&str>, error: Refusal) -> Reply {
        // An interrupt may be the cause of any.
        if is_interrupted() {
            return Reply::Interrupted;
        }
        // Of a board the column would be one of a line that this program wrote.
        let column = error.column().filter(|_| location.board.is_none());
        let problem = hinted(&error, error.fault(Spelling::CommandLine));
        let message = location.complaint(column, &problem);
        let refusal = RefusalObject {
            error: problem,
            column,
            because: None,
            ..error.object(Spelling::CommandLine)
        };
        let object = Envelope::new(location, text, &refusal, &[]);
        Reply::Refusal {
            output: if self.json {
                text_of(&object).into_bytes()
            } else {
                Vec::new()
            },
            message,
            reported: self.json,
        }
    }
}

/// Prints the answer to the only question of a command. The object has the question, unless the
/// options say everything.
pub fn answer_only<A: Ask>(
    ask: &A,
    desk: &mut Desk,
    text: Option<&str>,
    json: bool,
) -> anyhow::Result<Outcome> {
    let (subject, note) = read_line::<A::Subject>(text.unwrap_or_default(), 1).map_err(refused)?;
    if let Some(note) = note.as_ref().filter(|_| !json) {
        say(format_args!("setrograde: {note}"));
    }
    let answer = match desk.answer(ask, &subject, None) {
        _ if is_interrupted() => return Ok(Outcome::Interrupted),
        Err(limit) if limit.kind == RefusalKind::Limit => {
            let limit = limit.sentence(Spelling::CommandLine);
            say(format_args!("setrograde: {limit}"));
            return Ok(Outcome::Unknown);
        }
        answer => answer.map_err(refused)?,
    };
    let bytes = match (json, text) {
        (true, None) => versioned(&answer).into_bytes(),
        (true, text) => text_of(&Envelope::new(
            &QuestionLocation::default(),
            text,
            &answer,
            note.as_slice(),
        ))
        .into_bytes(),
        (false, text) => render(&answer, text.unwrap_or_default(), QuestionKind::Single),
    };
    io::stdout().write_all(&bytes)?;
    Ok(Outcome::Done)
}
