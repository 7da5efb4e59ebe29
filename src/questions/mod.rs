//! Questions, one on the command line or many in files and on standard input,
//! answered by all cores in the order in which they were asked.

mod no_answer;
pub mod pieces;
pub mod progress;
pub mod raw_bytes;
pub mod replies;
pub mod sources;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, bail};
use same_file::Handle;
use setrograde::source::{
    Answered, AnsweredBy, Answerer, Answering, Found, PieceQuestions, QuestionLocation,
    QuestionPiece, nothing_found,
};
use setrograde::{
    AnyReport, Ask, ClaimProgress, Desk, QuestionKind, Refusal, RefusalKind, RefusalObject, Report,
    Spelling, Style, Subject, cores,
};
use setrograde_parallel::in_order;
use setrograde_records::pbn::Game;
use setrograde_records::{Board, Format};

pub use self::no_answer::{Refused, check_options, refused, refused_request};
use self::pieces::ReadOptions;
use self::progress::{ReadingProgress, while_it_lasts};
use self::replies::{Doubted, Output, Replies, Reply};
use self::sources::{InputSource, is_path, question};
use crate::Outcome;
use crate::arguments::boards::{self, BoardNumbers};
use crate::interrupt::{self, is_interrupted};
use crate::output::errors::hinted;
use crate::output::whole_file::WholeFile;
use crate::output::{say, standard};

/// A question, and its board.
pub struct Question<'a, A> {
    pub ask: &'a A,
    /// The board of the record from which it was made.
    pub board: Option<&'a Board>,
    /// The game of the board, if it is to be written back.
    pub game: Option<&'a Game>,
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
#[derive(Default)]
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
    /// The results so far of the only question, shown until it is answered.
    pub so_far: Option<ClaimProgress>,
}

impl Questions<'_> {
    /// Answers a question about each subject, at desks that are made of one, which is opened after
    /// the check of the options.
    pub fn ask<A: Ask + Sync>(
        &self,
        ask: &A,
        desk: impl FnOnce() -> anyhow::Result<Desk>,
    ) -> anyhow::Result<Outcome> {
        check_options(ask)?;
        let desk = desk()?.with_threads(self.threads_for_each());
        self.run(&desk, |desk, question| {
            desk.answer(ask, question.ask, question.board)
        })
    }

    /// Answers all questions. Each worker has its own desk, made of this one.
    pub fn run<A: Subject, R: Report + 'static>(
        &self,
        desk: &Desk,
        answer: impl Fn(&mut Desk, &Question<'_, A>) -> Result<R, Refusal> + Sync,
    ) -> anyhow::Result<Outcome> {
        self.run_then(desk, answer, || None::<R>)
    }

    /// Answers all questions, and writes what `after` makes once all are answered.
    pub fn run_then<A: Subject, R: Report + 'static, T: Report + 'static>(
        &self,
        desk: &Desk,
        answer: impl Fn(&mut Desk, &Question<'_, A>) -> Result<R, Refusal> + Sync,
        after: impl Fn() -> Option<T>,
    ) -> anyhow::Result<Outcome> {
        let answer = &answer;
        let begin = || {
            let mut desk = desk.another();
            let answer = move |ask: &A, board: Option<&Board>, game: Option<&Game>| -> Found {
                if let Some(unclosed) = game.and_then(Game::unclosed) {
                    let problem = "nothing can be written into this game";
                    return Err(Refusal::question(format_args!("{unclosed}; {problem}")));
                }
                Ok(Box::new(answer(&mut desk, &Question { ask, board, game })?))
            };
            Box::new(AnsweredBy::new(answer)) as Box<dyn Answering + '_>
        };
        let after = || after().map(|last| Box::new(last) as Box<dyn AnyReport>);
        self.run_each(&begin, &after)
    }

    /// Answers all questions. `start` makes what answers them, once for each worker.
    fn run_each<'a>(
        &self,
        start: &(dyn Fn() -> Box<dyn Answering + 'a> + Sync),
        after: &dyn Fn() -> Option<Box<dyn AnyReport>>,
    ) -> anyhow::Result<Outcome> {
        let sources = self.sources()?;
        let Some(path) = self.output else {
            let sources_read = sources.as_deref().unwrap_or_default();
            let standard = standard::output().and_then(Handle::from_file);
            refuse_input(standard.ok(), "standard output", sources_read)?;
            let mut output = Output::new("standard output", io::stdout().lock());
            return self.run_to(&mut output, sources, start, after);
        };
        if !self.replaces_input(sources.as_deref())? {
            refuse_as_output(path, sources.as_deref().unwrap_or_default())?;
        }
        let file = WholeFile::create(path)?;
        let mut output = Output::new(file.name(), file);
        let outcome = self.run_to(&mut output, sources, start, after)?;
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

    fn run_to<'a, W: Write>(
        &self,
        output: &mut Output<W>,
        sources: Option<Vec<InputSource>>,
        start: &(dyn Fn() -> Box<dyn Answering + 'a> + Sync),
        after: &dyn Fn() -> Option<Box<dyn AnyReport>>,
    ) -> anyhow::Result<Outcome> {
        let finished = match sources {
            Some(sources) => {
                output.progress = ReadingProgress::new(&sources, self.output.is_some());
                let reading = ReadOptions {
                    boards: self.boards,
                    games: self.games,
                    wanted: self.wanted.cloned(),
                    piece: self.piece,
                    every_line: self.json,
                };
                let mut feed = reading.feed(sources, interrupt::stop());
                let work = |answering: &mut Box<dyn Answering + 'a>, piece| {
                    let QuestionPiece { asked, bytes } = piece?;
                    anyhow::Ok(self.replies(&mut **answering, &asked, bytes))
                };
                let end = in_order(
                    &mut feed,
                    self.workers(),
                    start,
                    work,
                    |replies| match output.write_all(replies) {
                        Ok(true) => ControlFlow::Continue(()),
                        end => ControlFlow::Break(end),
                    },
                );
                output.begin(None);
                output.progress = ReadingProgress::hidden();
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
                let stop = interrupt::stop();
                let reply = || {
                    let mut answering = start();
                    let mut answerer = Answerer::new(&mut *answering, &stop);
                    let answered = answerer.line(QuestionLocation::default(), Some(&text));
                    if !self.json {
                        say_notes(&answered);
                    }
                    self.reply(&answered)
                };
                let reply = while_it_lasts(self.so_far.as_ref(), reply);
                output.write(&reply)?
            }
        };
        if let Some(last) = finished.then(after).flatten() {
            let last = Answered::of_options(Ok(last));
            let style = QuestionKind::Single.into();
            let bytes = written(&last, self.json, style).expect("it is an answer");
            output.write(&Reply::Answer(bytes))?;
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

    /// Returns the number of threads that answer questions together.
    pub fn workers(&self) -> usize {
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
            let name = missing.name();
            match missing {
                _ if name.is_empty() => bail!(
                    "the question is empty; expected a question, a file, or - for standard input"
                ),
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

    /// Answers the questions of a piece, which represents this number of bytes.
    fn replies(
        &self,
        answering: &mut dyn Answering,
        asked: &PieceQuestions,
        bytes: u64,
    ) -> Replies {
        let mut to = Replies {
            replies: Vec::new(),
            notes: Vec::new(),
            file: asked.file().cloned(),
            bytes,
        };
        let stop = interrupt::stop();
        let mut answerer = Answerer::new(answering, &stop);
        match asked {
            PieceQuestions::Game { file, game, wanted } => match game.board() {
                // A game without an answer is written back unchanged.
                Some(board) if *wanted => {
                    let answered = answerer.board_of(file, board, Some(game));
                    self.add_notes(&answered, &mut to.notes);
                    let reply = self.reply(&answered).or_bytes(game.bytes());
                    to.replies.push(reply);
                }
                _ => to.replies.push(Reply::Copy(game.bytes().to_vec())),
            },
            PieceQuestions::Nothing { file, others } => {
                let why = match self.wanted {
                    None => nothing_found(self.boards),
                    Some(wanted) => {
                        let has = boards::in_words(others.clone());
                        format!("no board {wanted}; it has {has}")
                    }
                };
                to.replies.push(self.reply(&Answered::of_source(file, why)));
            }
            PieceQuestions::Text { file, line } => {
                let location = QuestionLocation {
                    file: Some(file),
                    line: Some(*line),
                    ..QuestionLocation::default()
                };
                to.notes.push(Doubted {
                    location: location.in_words(None),
                    doubt: "text outside of boards is ignored".to_owned(),
                });
            }
            PieceQuestions::Lines { .. } | PieceQuestions::Boards { .. } => {
                let _ = answerer.piece(asked, &mut |answered| {
                    self.add_notes(&answered, &mut to.notes);
                    to.replies.push(self.reply(&answered));
                    ControlFlow::Continue(())
                });
            }
        }
        to
    }

    /// Adds the warnings for standard error; objects have their own.
    fn add_notes(&self, answered: &Answered<'_>, to: &mut Vec<Doubted>) {
        if self.json {
            return;
        }
        to.extend(answered.notes.iter().map(|note| {
            Doubted {
                location: QuestionLocation {
                    line: Some(note.line),
                    ..answered.location
                }
                .in_words(None),
                doubt: note.to_string(),
            }
        }));
    }

    fn reply(&self, answered: &Answered<'_>) -> Reply {
        match &answered.found {
            Ok(_) => Reply::Answer(written(answered, self.json, self.style).unwrap_or_default()),
            // An interrupt may be the cause of any.
            Err(_) if is_interrupted() => Reply::Interrupted,
            Err(refusal) => {
                let column = refusal
                    .column()
                    .filter(|_| answered.location.board.is_none());
                let problem = hinted(refusal, refusal.fault(Spelling::CommandLine));
                Reply::Refusal {
                    message: answered.location.complaint(column, &problem),
                    output: if self.json {
                        object(answered).into_bytes()
                    } else {
                        Vec::new()
                    },
                    reported: self.json,
                }
            }
        }
    }
}

/// The bytes of an answer, none if it is left out; `None` for a refusal.
fn written(answered: &Answered<'_>, json: bool, style: Style) -> Option<Vec<u8>> {
    let answer = answered.found.as_ref().ok()?;
    Some(if answer.is_left_out() {
        Vec::new()
    } else if json {
        object(answered).into_bytes()
    } else {
        answered.words(&**answer, style)
    })
}

/// An answer or a refusal as a line with its object.
fn object(answered: &Answered<'_>) -> String {
    let refused = |refusal: &Refusal| RefusalObject {
        error: hinted(refusal, refusal.fault(Spelling::CommandLine)),
        because: None,
        ..refusal.object(Spelling::CommandLine)
    };
    answered.json(None, &refused) + "\n"
}

/// Prints the warnings about the only question.
fn say_notes(answered: &Answered<'_>) {
    for note in answered.notes.iter() {
        say(format_args!("setrograde: {note}"));
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
    check_options(ask)?;
    let answer = |subject: &A::Subject, board: Option<&Board>, _: Option<&Game>| -> Found {
        Ok(Box::new(desk.answer(ask, subject, board)?))
    };
    let (mut answering, stop) = (AnsweredBy::new(answer), interrupt::stop());
    let answered = Answerer::new(&mut answering, &stop).line(QuestionLocation::default(), text);
    if !json {
        say_notes(&answered);
    }
    match &answered.found {
        Err(_) if is_interrupted() => Ok(Outcome::Interrupted),
        Err(limit) if limit.kind == RefusalKind::Limit => {
            let limit = limit.sentence(Spelling::CommandLine);
            say(format_args!("setrograde: {limit}"));
            Ok(Outcome::Unknown)
        }
        Err(refusal) => Err(refused(refusal.clone())),
        Ok(_) => {
            let style = QuestionKind::Single.into();
            let bytes = written(&answered, json, style).expect("it is an answer");
            io::stdout().write_all(&bytes)?;
            Ok(Outcome::Done)
        }
    }
}
