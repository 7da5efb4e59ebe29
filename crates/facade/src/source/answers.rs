//! The answers to all questions of a source.

use std::borrow::Cow;
use std::io::BufRead;
use std::ops::ControlFlow;

use setrograde_records::{Board, Note, Problem, RecordError};

use super::{
    Envelope, LONGEST_LINE, PieceQuestions, Pieces, QuestionLocation, SourceOptions, is_question,
    nothing_found, object_text, versioned,
};
use crate::desk::{Ask, Desk};
use crate::heading::heading;
use crate::json::PassedOut;
use crate::refusal::{Refusal, Spelling};
use crate::reply::JsonReply;
use crate::subjects::{Lacks, Subject};
use crate::summary::Summary;
use crate::words::{QuestionKind, Report, Style, render};

/// The name of a source that has none.
const NAME: &str = "standard input";

/// Returns a question with a space for every other separator and control character, so tabs and
/// line breaks in the output are always the program's own. Columns stay as they are.
#[must_use]
pub fn with_plain_spaces(text: &str) -> Cow<'_, str> {
    let is_foreign = |c: char| c != ' ' && (c.is_whitespace() || c.is_control());
    if text.contains(is_foreign) {
        Cow::Owned(text.replace(is_foreign, " "))
    } else {
        Cow::Borrowed(text)
    }
}

/// Reads the subject of a line, and the warning about other text beside it or about the language of
/// its cards.
///
/// # Errors
///
/// If the line has no subject.
pub fn read_line<A: Subject>(text: &str, line: u64) -> Result<(A, Option<Note>), Refusal> {
    let error = match A::line(text) {
        Ok(subject) => return Ok((subject, None)),
        Err(error) => error,
    };
    let doubted = A::beside(text).map(Ok);
    #[cfg(not(target_family = "wasm"))]
    let doubted = doubted.or_else(|| {
        let read = |text: &str| A::line(text).ok().map(|read| (read.to_string(), read));
        setrograde_records::in_another_language(text, read)
    });
    let (subject, doubt) = doubted
        .ok_or(error)?
        .map_err(|problem: Problem| Refusal::question(problem))?;
    Ok((subject, Some(Note { line, doubt })))
}

/// The way to answer the same question about each subject of a source.
pub(crate) struct Each<'a, A> {
    pub(crate) ask: &'a A,
    pub(crate) spelling: Spelling<'a>,
    /// The style of the words of each answer, if they are wanted.
    pub(crate) text: Option<Style>,
    pub(crate) desk: &'a mut Desk,
    pub(crate) to: &'a mut dyn FnMut(JsonReply) -> ControlFlow<()>,
}

impl<A: Ask> Each<'_, A> {
    /// Answers all questions of a source.
    pub(crate) fn answer(mut self, stream: &mut dyn BufRead) -> Result<(), Refusal> {
        if A::Subject::line("").is_ok() {
            let problem = format_args!("{} takes no file; its options say everything", A::NAME);
            return Err(Refusal::request(problem));
        }
        let boards = !matches!(A::Subject::board(&Board::default()), Err(Lacks::Line));
        let options = SourceOptions {
            boards,
            every_line: true,
            ..SourceOptions::default()
        };
        let unreadable = |error| Refusal::question(format_args!("{NAME}: cannot read: {error}"));
        let mut summary = Summary::default();
        for piece in Pieces::new(NAME, stream, options).map_err(unreadable)? {
            let flow = match piece.map_err(unreadable)?.asked {
                PieceQuestions::Lines { first, text, .. } => {
                    let mut lines = (first as u64..).zip(text.lines());
                    lines.try_for_each(|(line, text)| {
                        if is_question(text) {
                            self.line(line, text)
                        } else {
                            ControlFlow::Continue(())
                        }
                    })
                }
                PieceQuestions::Boards { boards, .. } => boards
                    .iter()
                    .try_for_each(|board| self.board(board, &mut summary)),
                PieceQuestions::Nothing { .. } => {
                    let location = QuestionLocation {
                        file: Some(NAME),
                        ..QuestionLocation::default()
                    };
                    self.refuse(&location, None, Refusal::question(nothing_found(boards)))
                }
                PieceQuestions::Game { .. } | PieceQuestions::Text { .. } => {
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() {
                return Ok(());
            }
        }
        if summary.boards() > 0 {
            let object = versioned(&summary);
            let _ = (self.to)(JsonReply::answer(object));
        }
        Ok(())
    }

    fn line(&mut self, line: u64, text: &str) -> ControlFlow<()> {
        let location = QuestionLocation {
            line: Some(line),
            ..QuestionLocation::default()
        };
        let text = text.trim();
        if text.len() > LONGEST_LINE {
            let problem = format_args!("longer than {LONGEST_LINE} bytes");
            return self.refuse(&location, None, Refusal::question(problem));
        }
        let text = &*with_plain_spaces(text);
        let answered = read_line::<A::Subject>(text, line)
            .and_then(|(subject, note)| Ok((self.desk.answer(self.ask, &subject, None)?, note)));
        match answered {
            Ok((answer, note)) => {
                let words = self.words(&answer, QuestionKind::Line, text);
                self.reply(&location, Some(text), &answer, note.as_slice(), words)
            }
            Err(refusal) => self.refuse(&location, Some(text), refusal),
        }
    }

    fn board(
        &mut self,
        board: &Result<Board, RecordError>,
        summary: &mut Summary,
    ) -> ControlFlow<()> {
        let location = QuestionLocation::of(NAME, board.as_ref());
        let board = match board {
            Ok(board) => board,
            Err(error) => {
                return self.refuse(&location, None, Refusal::question(&error.problem));
            }
        };
        let subject = match A::Subject::board(board) {
            Ok(Some(subject)) => subject,
            Ok(None) => {
                let passed = PassedOut { passed_out: true };
                return self.reply(&location, None, &passed, &[], None);
            }
            Err(lacks) => return self.refuse(&location, None, Refusal::question(lacks)),
        };
        let text = subject.to_string();
        match self.desk.answer(self.ask, &subject, Some(board)) {
            Ok(answer) => {
                if let Some(review) = answer.review() {
                    summary.add(board, review);
                }
                let words = self.words(&answer, QuestionKind::Board, &heading(board));
                self.reply(&location, Some(&text), &answer, &board.notes, words)
            }
            Err(refusal) => self.refuse(&location, Some(&text), refusal),
        }
    }

    /// The words of an answer, if they are wanted.
    fn words(&self, answer: &A::Answer, asked: QuestionKind, question: &str) -> Option<String> {
        self.text.map(|style| {
            let words = render(answer, question, Style { asked, ..style });
            String::from_utf8_lossy(&words).into_owned()
        })
    }

    fn reply<T: Report>(
        &mut self,
        location: &QuestionLocation<'_>,
        question: Option<&str>,
        answer: &T,
        notes: &[Note],
        words: Option<String>,
    ) -> ControlFlow<()> {
        // What is found too late may be incomplete.
        if self.desk.is_cancelled() {
            return self.refuse(location, question, Refusal::interrupted());
        }
        let object = Envelope::new(location, question, answer, notes).with_text(words);
        (self.to)(JsonReply::answer(object_text(&object)))
    }

    fn refuse(
        &mut self,
        location: &QuestionLocation<'_>,
        question: Option<&str>,
        refusal: Refusal,
    ) -> ControlFlow<()> {
        let refusal = if self.desk.is_cancelled() {
            Refusal::interrupted()
        } else {
            refusal
        };
        let mut object = refusal.object(self.spelling);
        // Of a board the column would be one of a line that this program wrote.
        object.column = object.column.filter(|_| location.board.is_none());
        let object = object_text(&Envelope::new(location, question, &object, &[]));
        (self.to)(JsonReply {
            object,
            refused: Some(refusal.at_location(location)),
        })
    }
}
