//! The answers to the questions of a source, one after another.

use std::borrow::Cow;
use std::ops::ControlFlow;

use setrograde_records::pbn::Game;
use setrograde_records::{Board, Note, Problem, RecordError};
use setrograde_solver::Stop;

use super::{Answered, Found, LONGEST_LINE, PieceQuestions, QuestionLocation, is_question};
use crate::json::PassedOut;
use crate::{AnyReport, Ask, Desk, Lacks, Refusal, Subject};

/// Returns a question with a space for every other separator and control character, so tabs and
/// line breaks in the output are always the program's own. Columns stay as they are.
fn with_plain_spaces(text: &str) -> Cow<'_, str> {
    let is_foreign = |c: char| c != ' ' && (c.is_whitespace() || c.is_control());
    if text.contains(is_foreign) {
        Cow::Owned(text.replace(is_foreign, " "))
    } else {
        Cow::Borrowed(text)
    }
}

/// Reads the subject of a line, and the warning about other text beside it or about the language of
/// its cards.
fn read_line<A: Subject>(text: &str, line: u64) -> Result<(A, Option<Note>), Refusal> {
    let error = match A::line(text) {
        Ok(subject) => return Ok((subject, None)),
        Err(error) => error,
    };
    let doubted = A::beside(text).map(Ok).or_else(|| {
        let read = |text: &str| A::line(text).ok().map(|read| (read.to_string(), read));
        setrograde_records::in_another_language(text, read)
    });
    let (subject, doubt) = doubted
        .ok_or(error)?
        .map_err(|problem: Problem| Refusal::question(problem))?;
    Ok((subject, Some(Note { line, doubt })))
}

/// A question without its subject, and the state that answers it.
pub trait Answering {
    /// True if it has a subject, so options alone do not say everything.
    fn needs_subject(&self) -> bool;

    /// True if boards have such subjects.
    fn takes_boards(&self) -> bool;

    /// Answers a line with this number. The warning is about the line, whatever its answer.
    fn line(&mut self, text: &str, line: u64) -> (Option<Note>, Found);

    /// Answers a board, which may be that of a game; with the line that asks the same. Returns `None`
    /// if all four players passed.
    ///
    /// # Errors
    ///
    /// If the board lacks a field.
    fn board(
        &mut self,
        board: &Board,
        game: Option<&Game>,
    ) -> Result<Option<(String, Found)>, Lacks>;
}

/// Answers subjects by a function.
pub struct AnsweredBy<S, F>(F, std::marker::PhantomData<fn(&S)>);

impl<S: Subject, F: FnMut(&S, Option<&Board>, Option<&Game>) -> Found> AnsweredBy<S, F> {
    /// Answers each subject by `answer`, which gets its board and its game, too.
    pub fn new(answer: F) -> AnsweredBy<S, F> {
        AnsweredBy(answer, std::marker::PhantomData)
    }
}

impl<S: Subject, F: FnMut(&S, Option<&Board>, Option<&Game>) -> Found> Answering
    for AnsweredBy<S, F>
{
    fn needs_subject(&self) -> bool {
        S::line("").is_err()
    }

    fn takes_boards(&self) -> bool {
        !matches!(S::board(&Board::default()), Err(Lacks::Line))
    }

    fn line(&mut self, text: &str, line: u64) -> (Option<Note>, Found) {
        match read_line::<S>(text, line) {
            Ok((subject, note)) => (note, self.0(&subject, None, None)),
            Err(refusal) => (None, Err(refusal)),
        }
    }

    fn board(
        &mut self,
        board: &Board,
        game: Option<&Game>,
    ) -> Result<Option<(String, Found)>, Lacks> {
        let Some(subject) = S::board(board)? else {
            return Ok(None);
        };
        let found = self.0(&subject, Some(board), game);
        Ok(Some((subject.to_string(), found)))
    }
}

/// A question with its options, whatever its type.
pub(crate) trait AnyAsk {
    /// Checks the options.
    ///
    /// # Errors
    ///
    /// If one is invalid.
    fn check_options(&self) -> Result<(), Refusal>;

    /// Returns the question at a desk.
    fn at<'a>(&'a self, desk: &'a mut Desk) -> Box<dyn Answering + 'a>;
}

impl<A: Ask> AnyAsk for A {
    fn check_options(&self) -> Result<(), Refusal> {
        self.check().map_err(Refusal::into_request)
    }

    fn at<'a>(&'a self, desk: &'a mut Desk) -> Box<dyn Answering + 'a> {
        let answer = |subject: &A::Subject, board: Option<&Board>, _: Option<&Game>| {
            let answer = desk.answer(self, subject, board)?;
            Ok(Box::new(answer) as Box<dyn AnyReport>)
        };
        Box::new(AnsweredBy::new(answer))
    }
}

/// Answers questions, each at its location.
pub struct Answerer<'a> {
    answering: &'a mut dyn Answering,
    stop: &'a Stop,
}

impl<'a> Answerer<'a> {
    /// Returns an answerer whose questions are refused once `stop` is due.
    pub fn new(answering: &'a mut dyn Answering, stop: &'a Stop) -> Answerer<'a> {
        Answerer { answering, stop }
    }

    /// Answers the lines or the boards of a piece, in order, until `to` breaks; nothing in other
    /// pieces.
    pub fn piece(
        &mut self,
        asked: &PieceQuestions,
        to: &mut dyn FnMut(Answered<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match asked {
            PieceQuestions::Lines { file, first, text } => {
                let lines = (*first as u64..).zip(text.lines());
                for (line, text) in lines.filter(|(_, text)| is_question(text)) {
                    let location = QuestionLocation {
                        file: file.as_deref(),
                        line: Some(line),
                        ..QuestionLocation::default()
                    };
                    to(self.line(location, Some(text)))?;
                }
            }
            PieceQuestions::Boards { file, boards } => {
                for board in boards {
                    to(self.board_of(file, board.as_ref(), None))?;
                }
            }
            PieceQuestions::Nothing { .. }
            | PieceQuestions::Game { .. }
            | PieceQuestions::Text { .. } => {}
        }
        ControlFlow::Continue(())
    }

    /// Answers a line; `None` if the options say everything.
    pub fn line<'q>(
        &mut self,
        location: QuestionLocation<'q>,
        text: Option<&'q str>,
    ) -> Answered<'q> {
        let text = text.map(str::trim);
        if text.is_some_and(|text| text.len() > LONGEST_LINE) {
            let problem = format_args!("longer than {LONGEST_LINE} bytes");
            return Answered::new(location, None, Err(Refusal::question(problem)));
        }
        let question = text.map(with_plain_spaces);
        let (note, found) = if self.stop.is_due() {
            (None, Err(Refusal::interrupted()))
        } else {
            let line = location.line.unwrap_or(1);
            let text = question.as_deref().unwrap_or_default();
            self.answering.line(text, line)
        };
        let found = self.unless_stopped(found);
        Answered {
            notes: Vec::from_iter(note).into(),
            ..Answered::new(location, question, found)
        }
    }

    /// Answers a board of a file, which may be that of a game.
    pub fn board_of<'q>(
        &mut self,
        file: &'q str,
        board: Result<&'q Board, &RecordError>,
        game: Option<&Game>,
    ) -> Answered<'q> {
        let location = QuestionLocation::of(file, board);
        match board {
            Ok(board) => self.board(location, board, game),
            Err(error) => {
                let refused = Err(Refusal::question(&error.problem));
                Answered::new(location, None, self.unless_stopped(refused))
            }
        }
    }

    /// Answers a board.
    pub fn board<'q>(
        &mut self,
        location: QuestionLocation<'q>,
        board: &'q Board,
        game: Option<&Game>,
    ) -> Answered<'q> {
        let answered = if self.stop.is_due() {
            Ok(Some((None, Err(Refusal::interrupted()))))
        } else {
            let answered = self.answering.board(board, game);
            answered.map(|found| found.map(|(question, found)| (Some(question), found)))
        };
        let (question, found) = match answered {
            Ok(Some(answered)) => answered,
            Ok(None) => {
                let passed: Box<dyn AnyReport> = Box::new(PassedOut { passed_out: true });
                (None, Ok(passed))
            }
            // The board of the only question is an option.
            Err(lacks) if location == QuestionLocation::default() => {
                (None, Err(Refusal::option("board", lacks)))
            }
            Err(lacks) => (None, Err(Refusal::question(lacks))),
        };
        Answered {
            location,
            board: Some(board),
            question: question.map(Cow::Owned),
            notes: Cow::Borrowed(&board.notes),
            found: self.unless_stopped(found),
        }
    }

    /// What is found too late may be incomplete.
    fn unless_stopped(&self, found: Found) -> Found {
        if self.stop.is_due() {
            Err(Refusal::interrupted())
        } else {
            found
        }
    }
}
