//! Questions and answers in JSON, the same through every interface.

use std::borrow::Cow;
use std::io::BufRead;
use std::ops::ControlFlow;

use serde::Serialize;
use serde_json::{Map, Value};
use setrograde_cards::quote;
use setrograde_solver::Stop;

use crate::reader::{found, read_options};
use crate::source::{
    Answered, Answerer, Answering, AnyAsk, PieceQuestions, Pieces, QuestionLocation, SourceOptions,
    Stoppable, boards_of, nothing_found, versioned,
};
use crate::unique::read_json;
use crate::{
    Ask, AskEntry, Board, DESK, Desk, JsonQuestion, JsonReply, QuestionKind, Refusal, Report,
    Spelling, Style, Summary, Words,
};

/// The version of the interface: within a version, names keep their meaning; names may be added.
pub const VERSION: u64 = 1;

/// Maximum number of questions in a list.
const MOST: usize = 10_000;

/// Maximum size of the answers to a list, in bytes. Questions after it stay unanswered.
const MOST_BYTES: usize = 64 << 20;

/// The names of all questions.
pub const QUESTIONS: &[&str] = &names_of::<{ DESK.len() }>();

const fn names_of<const N: usize>() -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = DESK[at].name;
        at += 1;
    }
    names
}

impl Desk {
    /// Answers a question in JSON, an object; or questions, a list of them.
    ///
    /// `ask` is the name of the question, `question` is its line, or `board` the record of one
    /// board in any format; the remaining names are its options. With `text` the answer has its
    /// words, too. A question without an answer has an object with `error`.
    ///
    /// ```
    /// use setrograde::Desk;
    ///
    /// let mut desk = Desk::default();
    /// let answer = desk.ask(r#"{"ask": "solve", "question": "NT S N:AQ... 76... 54... K3..."}"#);
    /// let expected = r#"{"version":1,"question":"NT S N:AQ... 76... 54... K3...",
    ///     "leader":"S","tricks":2,"tricks_left":2}"#;
    /// assert_eq!(answer, expected.replace("\n    ", ""));
    /// ```
    pub fn ask(&mut self, json: &str) -> String {
        self.reply_among(&[DESK], json).object
    }

    /// Answers a question in JSON, or a list of them, of these kinds, and returns the refusal as
    /// data, too.
    #[doc(hidden)]
    pub fn reply_among(&mut self, known: &[&[AskEntry]], json: &str) -> JsonReply {
        let refused = |refusal| JsonRequest::default().refused(refusal);
        match read_json(json.as_bytes()) {
            Ok(Value::Array(all)) if all.len() > MOST => refused(Refusal::request(format_args!(
                "{} questions; at most {MOST}",
                all.len()
            ))),
            Ok(Value::Array(all)) => {
                let mut text = String::from("[");
                for (number, one) in all.into_iter().enumerate() {
                    text += if number > 0 { "," } else { "" };
                    let reply = if text.len() > MOST_BYTES {
                        refused(Refusal::request(format_args!(
                            "the answers before are longer than {MOST_BYTES} bytes"
                        )))
                    } else if self.is_cancelled() {
                        // Even to read a question takes a while.
                        refused(Refusal::interrupted())
                    } else {
                        self.reply_to_value(known, one)
                    };
                    text += &reply.object;
                }
                JsonReply::answer(text + "]")
            }
            Ok(one) => self.reply_to_value(known, one),
            Err(refusal) => refused(refusal),
        }
    }

    fn reply_to_value(&mut self, known: &[&[AskEntry]], question: Value) -> JsonReply {
        match question {
            Value::Object(fields) => {
                let flat = false;
                self.reply_of(known, JsonQuestion { fields, flat })
            }
            _ => {
                let refusal = Refusal::request("expected an object with `ask`");
                JsonRequest::default().refused(refusal)
            }
        }
    }

    /// Answers a question.
    pub fn reply(&mut self, question: JsonQuestion) -> JsonReply {
        self.reply_of(&[DESK], question)
    }

    fn reply_of(&mut self, known: &[&[AskEntry]], question: JsonQuestion) -> JsonReply {
        match JsonRequest::read(known, question) {
            Ok((entry, mut request)) => match (entry.read)(&mut request) {
                Ok(ask) => request.answer(&*ask, self),
                Err(refusal) => request.refused(refusal),
            },
            Err(refusal) => JsonRequest::default().refused(refusal),
        }
    }

    /// Answers the same question about each line or board of a stream in any format, in order,
    /// until `to` breaks. An object has the location of its question.
    ///
    /// # Errors
    ///
    /// If the options are wrong, or the question consists only of options.
    pub fn reply_to_each(
        &mut self,
        question: JsonQuestion,
        stream: &mut dyn BufRead,
        to: &mut dyn FnMut(JsonReply) -> ControlFlow<()>,
    ) -> Result<(), Refusal> {
        let (entry, mut request) = JsonRequest::read(&[DESK], question)?;
        let ask = (entry.read)(&mut request)?;
        ask.check_options()?;
        for (name, subject) in [("question", &request.question), ("board", &request.board)] {
            if subject.is_some() {
                return Err(Refusal::is(name, "is given together with a file").into_request());
            }
        }
        let stop = self.stop().clone();
        let answering = &mut *ask.at(self);
        if !answering.needs_subject() {
            let name = entry.name;
            let problem = format_args!("{name} takes no file; its options say everything");
            return Err(Refusal::request(problem));
        }
        request.answer_each(answering, &stop, stream, to)
    }
}

/// A question in JSON, without its name.
#[derive(Debug, Default)]
pub(crate) struct JsonRequest {
    question: Option<String>,
    board: Option<String>,
    text: bool,
    style: Style,
    options: Map<String, Value>,
    /// True if all values are texts.
    flat: bool,
}

/// The name of a stream.
const STREAM: &str = "standard input";

impl JsonRequest {
    /// Reads all but the options, which the entry of the question reads.
    fn read<'e>(
        known: &[&'e [AskEntry]],
        question: JsonQuestion,
    ) -> Result<(&'e AskEntry, JsonRequest), Refusal> {
        let JsonQuestion {
            fields: mut options,
            flat,
        } = question;
        let mut text_of = |name: &'static str| match options.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Refusal::option(name, "expected a text").into_request()),
        };
        let name = text_of("ask")?;
        let name = name.ok_or_else(|| Refusal::missing("ask"))?;
        let (question, board) = (text_of("question")?, text_of("board")?);
        let text = flag("text", options.remove("text"), flat)?;
        if text && !cfg!(feature = "text") {
            return Err(Refusal::option("text", "there are no texts here").into_request());
        }
        let request = JsonRequest {
            question,
            board,
            text,
            options,
            flat,
            ..JsonRequest::default()
        };
        let mut all = known.iter().copied().flatten();
        match all.find(|entry| entry.name == name) {
            Some(entry) => Ok((entry, request)),
            None => {
                let mut names: Vec<&str> = Vec::new();
                for entry in known.iter().copied().flatten() {
                    if !names.contains(&entry.name) {
                        names.push(entry.name);
                    }
                }
                let (names, name) = (names.join(", "), quote(&name));
                let problem = format_args!("expected one of {names}, found {name:?}");
                Err(Refusal::option("ask", problem).into_request())
            }
        }
    }

    /// Reads the options.
    pub(crate) fn options<A: Ask>(&mut self) -> Result<A, Refusal> {
        for option in A::STYLES {
            let set = flag(option.name, self.options.remove(option.name), self.flat)?;
            (option.set)(&mut self.style, set);
        }
        let has_time = self.options.get("time").is_some_and(|of| !of.is_null());
        if cfg!(target_family = "wasm") && has_time {
            let problem = "there is no clock here; end the worker instead";
            return Err(Refusal::option("time", problem).into_request());
        }
        read_options(A::NAME, A::STYLES, &self.options, self.flat)
    }

    /// Answers the only question.
    fn answer(&self, ask: &dyn AnyAsk, desk: &mut Desk) -> JsonReply {
        let location = QuestionLocation::default();
        let question = self.question.as_deref().map(str::trim);
        let refused = |question: Option<&str>, refusal| {
            self.reply(&Answered::new(
                location,
                question.map(Cow::from),
                Err(refusal),
            ))
        };
        if let Err(refusal) = ask.check_options() {
            return refused(question, refusal);
        }
        let stop = desk.stop().clone();
        let answering = &mut *ask.at(desk);
        match (question, &self.board) {
            (Some(_), Some(_)) => {
                let refusal = Refusal::one_of(&["board", "question"]);
                refused(question, refusal.into_request())
            }
            (None, Some(text)) => match only_board(text, &stop) {
                Ok(board) => {
                    let mut answerer = Answerer::new(answering, &stop);
                    self.reply(&answerer.board(location, &board, None))
                }
                Err(refusal) => refused(None, refusal),
            },
            (None, None) if answering.needs_subject() => {
                refused(None, Refusal::missing("question"))
            }
            (question, None) => {
                let mut answerer = Answerer::new(answering, &stop);
                self.reply(&answerer.line(location, question))
            }
        }
    }

    /// Answers each question of a stream, and adds a summary of its reviews.
    fn answer_each(
        &self,
        answering: &mut dyn Answering,
        stop: &Stop,
        stream: &mut dyn BufRead,
        to: &mut dyn FnMut(JsonReply) -> ControlFlow<()>,
    ) -> Result<(), Refusal> {
        let options = SourceOptions {
            boards: answering.takes_boards(),
            every_line: true,
            ..SourceOptions::default()
        };
        let boards = options.boards;
        let unreadable = |error| {
            let refusal = Refusal::question(format_args!("{STREAM}: cannot read: {error}"));
            refusal.unless_due(stop)
        };
        let stream = Stoppable::new(stream, stop);
        let mut summary = Summary::default();
        let mut each = |answered: Answered<'_>| {
            if let (Some(board), Ok(answer)) = (answered.board, &answered.found)
                && let Some(review) = answer.review()
            {
                summary.add(board, review);
            }
            to(self.reply(&answered))
        };
        let mut answerer = Answerer::new(answering, stop);
        for piece in Pieces::new(STREAM, stream, options).map_err(unreadable)? {
            let flow = match piece.map_err(unreadable)?.asked {
                PieceQuestions::Nothing { file, .. } => {
                    each(Answered::of_source(&file, nothing_found(boards)))
                }
                asked => answerer.piece(&asked, &mut each),
            };
            if flow.is_break() {
                return Ok(());
            }
        }
        if summary.boards() > 0 {
            let _ = to(JsonReply::answer(versioned(&summary)));
        }
        Ok(())
    }

    /// Writes an answer, or a refusal.
    fn reply(&self, answered: &Answered<'_>) -> JsonReply {
        let text = (cfg!(feature = "text") && self.text).then_some(self.style);
        let object = answered.json(text, &|refusal| refusal.object(Spelling::Json));
        let refused = answered.found.as_ref().err();
        JsonReply {
            object,
            refused: refused.map(|refusal| refusal.clone().at_location(&answered.location)),
        }
    }

    /// Writes the refusal of a request that names no question.
    fn refused(&self, refusal: Refusal) -> JsonReply {
        self.reply(&Answered::new(
            QuestionLocation::default(),
            None,
            Err(refusal),
        ))
    }
}

/// Reads a flag of a request; of a flat one it is a text.
fn flag(name: &'static str, value: Option<Value>, flat: bool) -> Result<bool, Refusal> {
    match value {
        None | Some(Value::Bool(false)) => Ok(false),
        Some(Value::Bool(true)) => Ok(true),
        Some(Value::String(text)) if flat && matches!(&*text, "" | "true") => Ok(true),
        Some(Value::String(text)) if flat && text == "false" => Ok(false),
        Some(value) => {
            let problem = format_args!("expected true or false, found {}", found(&value));
            Err(Refusal::option(name, problem).into_request())
        }
    }
}

/// Reads the only board of a record.
fn only_board(text: &str, stop: &Stop) -> Result<Board, Refusal> {
    let mut boards = boards_of("board", text, stop)?;
    let only = match (boards.next(), boards.next()) {
        (Some(Ok(board)), None) => return Ok(board),
        (None, _) => Refusal::option("board", "there is none"),
        (Some(Err(error)), _) => Refusal::option("board", error),
        (Some(Ok(_)), Some(_)) => Refusal::option("board", "expected one; there are more"),
    };
    Err(only.unless_due(stop))
}

/// A board that all four players passed.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct PassedOut {
    /// True.
    pub passed_out: bool,
}

impl Report for PassedOut {
    fn words(&self, to: &mut Words) {
        // The heading of a board says so, too.
        if to.asked() == QuestionKind::Single {
            to.beside("passed out");
        }
    }
}

#[cfg(test)]
mod tests;
