//! Questions and answers in JSON, the same through every interface.

use std::fmt::Display;
use std::io::BufRead;
use std::ops::ControlFlow;

use serde::Serialize;
use serde_json::{Map, Value};
use setrograde_cards::quote;
use setrograde_records::{Board, Note, Options, Records};

use crate::ask::{
    Adjudicate, Analyse, BestLine, Claim, Compare, Deal, Layouts, Leads, Lesson, Line, Matter,
    Odds, Par, Positioned, Query, Results, SingleDummy, Solve, Suit, Table,
};
use crate::desk::{Ask, Desk};
use crate::reader::{found, read_options};
use crate::refusal::{Refusal, Spelling};
use crate::reply::{JsonQuestion, JsonReply};
use crate::source::{Each, LONGEST_LINE, escaped, read_line};
use crate::subjects::{Lacks, Subject};
use crate::unique::read_json;
use crate::words::{Report, Style, Words, render};

/// The version of the interface: within a version, names keep their meaning; names may be added.
pub const VERSION: u64 = 1;

/// Maximum number of questions in a list.
const MOST: usize = 10_000;

/// Maximum size of the answers to a list, in bytes. Questions after it stay unanswered.
const MOST_BYTES: usize = 64 << 20;

/// Defines the questions of an interface: their names, and the function that answers them.
#[doc(hidden)]
#[macro_export]
macro_rules! questions {
    ($($ask:ty),* $(,)?) => {
        /// The names of all questions.
        pub const QUESTIONS: &[&str] = &[$(<$ask as $crate::Ask>::NAME),*];

        /// Calls a visitor with each question.
        #[cfg(feature = "schema")]
        pub(crate) fn visit_all(visitor: &mut impl $crate::schema::Visitor) {
            $(visitor.visit::<$ask>();)*
        }

        /// Answers the question with a name.
        #[doc(hidden)]
        pub fn named(
            name: &str,
            request: $crate::JsonRequest<'_>,
            desk: &mut $crate::Desk,
        ) -> $crate::JsonReply {
            match name {
                $(<$ask as $crate::Ask>::NAME => request.answered::<$ask>(desk),)*
                _ => request.unknown(name, QUESTIONS),
            }
        }
    };
}

/// Answers the question with a name about each line or board of a stream.
macro_rules! each_named {
    ($($ask:ty),* $(,)?) => {
        fn each_named(
            name: &str,
            request: JsonRequest<'_>,
            desk: &mut Desk,
            stream: &mut dyn BufRead,
            to: &mut dyn FnMut(JsonReply) -> ControlFlow<()>,
        ) -> Result<(), Refusal> {
            match name {
                $(<$ask as Ask>::NAME => request.answered_each::<$ask>(desk, stream, to),)*
                _ => Err(unknown(name, QUESTIONS)),
            }
        }
    };
}

/// Passes the questions of the desk to a macro.
macro_rules! of_desk {
    ($to:ident) => {
        $to!(
            Solve,
            Table,
            Par,
            Positioned,
            Analyse,
            Results,
            Lesson,
            Query,
            Matter,
            Claim,
            Line,
            Adjudicate,
            Odds,
            Leads,
            Compare,
            SingleDummy,
            BestLine,
            Suit,
            Layouts,
            Deal,
        );
    };
}

of_desk!(questions);
of_desk!(each_named);

/// Answers the question with a name, one of an interface's own.
#[doc(hidden)]
pub type Named = fn(&str, JsonRequest<'_>, &mut Desk) -> JsonReply;

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
        self.ask_spelled(json, Spelling::Json)
    }

    /// Does the same; refusals spell the names of options in this way.
    pub fn ask_spelled(&mut self, json: &str, spelling: Spelling<'_>) -> String {
        self.reply_to_json(json, spelling).object
    }

    /// Answers a question in JSON, or a list of them, and returns the refusal as data, too.
    pub fn reply_to_json(&mut self, json: &str, spelling: Spelling<'_>) -> JsonReply {
        JsonRequest::reply_among(self, json, spelling, named)
    }

    fn reply_to_value(
        &mut self,
        question: Value,
        spelling: Spelling<'_>,
        named: Named,
    ) -> JsonReply {
        let Value::Object(fields) = question else {
            let refusal = Refusal::request("expected an object with `ask`");
            return JsonRequest::new(spelling).refused(None, refusal);
        };
        let flat = false;
        self.reply_by(JsonQuestion { fields, flat }, spelling, named)
    }

    /// Answers a question.
    pub fn reply(&mut self, question: JsonQuestion, spelling: Spelling<'_>) -> JsonReply {
        self.reply_by(question, spelling, named)
    }

    fn reply_by(
        &mut self,
        question: JsonQuestion,
        spelling: Spelling<'_>,
        named: Named,
    ) -> JsonReply {
        match JsonRequest::read(question, spelling) {
            Ok((name, request)) => named(&name, request, self),
            Err(error) => JsonRequest::new(spelling).refused(None, error),
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
        spelling: Spelling<'_>,
        stream: &mut dyn BufRead,
        to: &mut dyn FnMut(JsonReply) -> ControlFlow<()>,
    ) -> Result<(), Refusal> {
        let (name, request) = JsonRequest::read(question, spelling)?;
        each_named(&name, request, self, stream, to)
    }
}

/// The refusal of a question whose name is not in the list.
fn unknown(name: &str, known: &[&str]) -> Refusal {
    let (names, name) = (known.join(", "), quote(name));
    let problem = format_args!("expected one of {names}, found {name:?}");
    Refusal::option("ask", problem).into_request()
}

/// A question in JSON, without its name.
#[doc(hidden)]
#[derive(Debug)]
pub struct JsonRequest<'a> {
    /// The spelling of options in refusals.
    spelling: Spelling<'a>,
    question: Option<String>,
    board: Option<String>,
    text: bool,
    style: Style,
    options: Map<String, Value>,
    /// True if all values are texts.
    flat: bool,
    /// The line that the answer shows.
    shown: Option<String>,
    /// True if the search was cancelled.
    is_stopped: bool,
}

/// The text of a subject.
enum SubjectText {
    Line(String),
    Board(Box<Board>),
}

/// An answer as an object, with its words.
struct WrittenAnswer {
    object: String,
    notes: Vec<Note>,
    text: Option<String>,
}

impl<'a> JsonRequest<'a> {
    /// Answers a question in JSON at a desk, or a list of them; `named` answers each.
    pub fn reply_among(
        desk: &mut Desk,
        json: &str,
        spelling: Spelling<'_>,
        named: Named,
    ) -> JsonReply {
        let refused = |refusal| JsonRequest::new(spelling).refused(None, refusal);
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
                    } else if desk.is_cancelled() {
                        // Even to read a question takes a while.
                        refused(Refusal::interrupted())
                    } else {
                        desk.reply_to_value(one, spelling, named)
                    };
                    text += &reply.object;
                }
                JsonReply::answer(text + "]")
            }
            Ok(one) => desk.reply_to_value(one, spelling, named),
            Err(refusal) => refused(refusal),
        }
    }

    /// Returns a request without a question.
    fn new(spelling: Spelling<'a>) -> JsonRequest<'a> {
        JsonRequest {
            spelling,
            question: None,
            board: None,
            text: false,
            style: Style::default(),
            options: Map::new(),
            flat: false,
            shown: None,
            is_stopped: false,
        }
    }

    fn read(
        question: JsonQuestion,
        spelling: Spelling<'a>,
    ) -> Result<(String, JsonRequest<'a>), Refusal> {
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
            ..JsonRequest::new(spelling)
        };
        Ok((name, request))
    }

    /// Reads the options.
    fn options<A: Ask>(&mut self) -> Result<A, Refusal> {
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

    fn answered_each<A: Ask>(
        mut self,
        desk: &mut Desk,
        stream: &mut dyn BufRead,
        to: &mut dyn FnMut(JsonReply) -> ControlFlow<()>,
    ) -> Result<(), Refusal> {
        let ask = self.options::<A>()?;
        ask.check().map_err(Refusal::into_request)?;
        for (name, subject) in [("question", &self.question), ("board", &self.board)] {
            if subject.is_some() {
                return Err(Refusal::is(name, "is given together with a file").into_request());
            }
        }
        let each = Each {
            ask: &ask,
            spelling: self.spelling,
            text: self.text.then_some(self.style),
            desk,
            to,
        };
        each.answer(stream)
    }

    /// Refuses a question with a name that is not `known`.
    #[doc(hidden)]
    #[must_use]
    pub fn unknown(self, name: &str, known: &[&str]) -> JsonReply {
        self.refused(None, unknown(name, known))
    }

    /// Answers the question of this kind.
    #[doc(hidden)]
    pub fn answered<A: Ask>(mut self, desk: &mut Desk) -> JsonReply {
        let found = self.answer::<A>(desk);
        self.reply(found)
    }

    /// A copy of this is made for each kind of question, so it does little else.
    fn answer<A: Ask>(&mut self, desk: &mut Desk) -> Result<WrittenAnswer, Refusal> {
        let ask = self.options::<A>()?;
        self.shown.clone_from(&self.question);
        ask.check().map_err(Refusal::into_request)?;
        let needs_line = || A::Subject::line("").is_err();
        let (subject, mut board, mut notes) = match self.subject(&needs_line)? {
            SubjectText::Line(text) => {
                let (subject, doubt) = read_line(&text, 1)?;
                (Some(subject), None, Vec::from_iter(doubt))
            }
            SubjectText::Board(board) => {
                let subject = A::Subject::board(&board).map_err(lacks)?;
                (subject, Some(board), Vec::new())
            }
        };
        let Some(subject) = subject else {
            self.shown = None;
            return Ok(self.written(&PassedOut { passed_out: true }, notes));
        };
        self.show(&subject);
        let answer = desk.answer(&ask, &subject, board.as_deref());
        self.is_stopped = desk.is_cancelled();
        if let Some(board) = &mut board {
            notes.append(&mut board.notes);
        }
        Ok(self.written(&answer?, notes))
    }

    /// Shows the line of the subject; nothing if there is nothing to show.
    fn show(&mut self, subject: &dyn Display) {
        self.shown = match &self.question {
            Some(text) => Some(text.trim().to_owned()),
            None => Some(subject.to_string()).filter(|text| !text.is_empty()),
        };
    }

    /// Returns the text of the subject of the question.
    fn subject(&self, needs_line: &dyn Fn() -> bool) -> Result<SubjectText, Refusal> {
        let line = self.question.as_deref();
        match &self.board {
            Some(_) if line.is_some() => {
                Err(Refusal::one_of(&["board", "question"]).into_request())
            }
            Some(text) => Ok(SubjectText::Board(Box::new(only_board(text)?))),
            None if line.is_none() && needs_line() => Err(Refusal::missing("question")),
            None if line.is_some_and(|line| line.len() > LONGEST_LINE) => {
                let problem = format_args!("longer than {LONGEST_LINE} bytes");
                Err(Refusal::question(problem))
            }
            None => Ok(SubjectText::Line(
                line.unwrap_or_default().trim().to_owned(),
            )),
        }
    }

    /// Writes an answer.
    fn written<T: Report>(&self, answer: &T, notes: Vec<Note>) -> WrittenAnswer {
        let text = (cfg!(feature = "text") && self.text).then(|| {
            let line = self.shown.as_deref().unwrap_or_default();
            String::from_utf8_lossy(&render(answer, line, self.style)).into_owned()
        });
        WrittenAnswer {
            object: serde_json::to_string(answer).expect("names are text"),
            notes,
            text,
        }
    }

    fn reply(mut self, found: Result<WrittenAnswer, Refusal>) -> JsonReply {
        let found = match found {
            _ if self.is_stopped => Err(Refusal::interrupted()),
            found => found,
        };
        let line = self.shown.take();
        match found {
            Ok(WrittenAnswer {
                object,
                notes,
                text,
            }) => {
                let object = answered(line.as_deref(), &object, &notes, text.as_deref());
                JsonReply::answer(object)
            }
            Err(error) => self.refused(line, error),
        }
    }

    fn refused(&self, question: Option<String>, error: Refusal) -> JsonReply {
        let mut object = error.object(self.spelling);
        object.column = object.column.filter(|_| self.board.is_none());
        let object = serde_json::to_string(&object).expect("names are text");
        let object = answered(question.as_deref(), &object, &[], None);
        JsonReply {
            object,
            refused: Some(error),
        }
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

/// The refusal of a board.
fn lacks(lacks: Lacks) -> Refusal {
    Refusal::option("board", lacks.to_string())
}

/// Reads the only board of a record.
fn only_board(text: &str) -> Result<Board, Refusal> {
    let wrong = |problem: String| Refusal::option("board", problem);
    let options = Options::default().keep_names(true);
    let records = Records::with_options(text.as_bytes(), "board", options);
    let mut records = records.map_err(|error| wrong(error.to_string()))?;
    let board = records
        .next()
        .ok_or_else(|| wrong("there is none".to_owned()))?;
    let board = board.map_err(|error| wrong(error.to_string()))?;
    match records.next() {
        Some(_) => Err(wrong("expected one; there are more".to_owned())),
        None => Ok(board),
    }
}

/// Adds the version, the question, notes and the text to the object of an answer.
///
/// Serde's `flatten` does the same, with a copy of the code that writes each answer.
fn answered(question: Option<&str>, answer: &str, notes: &[Note], text: Option<&str>) -> String {
    let mut object = format!("{{\"version\":{VERSION}");
    let text_of = |text: &str| serde_json::to_string(text).expect("a text");
    if let Some(question) = question {
        object += &format!(",\"question\":{}", text_of(question));
    }
    let names = answer.strip_prefix('{').and_then(|of| of.strip_suffix('}'));
    let names = names.expect("an answer is an object");
    if !names.is_empty() {
        object.push(',');
        object += names;
    }
    if !notes.is_empty() {
        let notes: Vec<String> = notes.iter().map(|of| text_of(&of.to_string())).collect();
        object += &format!(",\"notes\":[{}]", notes.join(","));
    }
    if let Some(text) = text {
        object += &format!(",\"text\":{}", text_of(text));
    }
    object.push('}');
    escaped(object)
}

/// A board that all four players passed.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassedOut {
    /// True.
    pub passed_out: bool,
}

impl Report for PassedOut {
    fn words(&self, to: &mut Words) {
        to.beside("passed out");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wrong option is named, whatever its type and whatever is beside it.
    #[test]
    fn errors_name_the_option() {
        let mut desk = Desk::default();
        for (options, expected) in [
            (
                r#""ask": "deal", "count": -1"#,
                "count: expected a whole number from 0 to 4294967295, found -1",
            ),
            (
                r#""ask": "deal", "count": 1, "seed": "x""#,
                "seed: expected a whole number from 0 to 18446744073709551615, found \"x\"",
            ),
            (
                r#""ask": "odds", "all": true, "draw": 1.5"#,
                "draw: expected a whole number from 0 to 4294967295, found 1.5",
            ),
            (
                r#""ask": "solve", "all": 7"#,
                "all: expected true or false, found 7",
            ),
            (
                r#""ask": "table", "nonsense": 7"#,
                "table has no option `nonsense`; it has none",
            ),
            (
                r#""ask": "par", "nonsense": 7"#,
                "par has no option `nonsense`; it has vulnerable, dealer",
            ),
            (r#""ask": "suit", "north": "AQ""#, "`south` is missing"),
            (r#""ask": "compare", "draw": 3"#, "`contracts` is missing"),
            (r#""ask": "table""#, "`question` is missing"),
            (r#""north": "AQ""#, "`ask` is missing"),
            (
                r#""ask": "odds", "question": "x", "rules": "y""#,
                "rules: expected one of none, mu, fitted, found \"y\"",
            ),
            (
                r#""ask": "odds", "question": "x", "if": 5"#,
                "if: expected a text or a list of texts",
            ),
            (
                r#""ask": "odds", "question": "x", "until": 1"#,
                "until: 1; expected a share below one half, as 0.01",
            ),
            (
                r#""ask": "suit", "north": "AQ", "south": "2", "vacant": [1]"#,
                "vacant: expected a list of 2, found 1",
            ),
            (
                r#""ask": "suit", "north": "AQ", "south": "2", "entries": {}"#,
                "entries: expected a list of 2, found an object",
            ),
            (
                r#""ask": "suit", "north": "AQ", "south": "2", "vacant": [14, 2]"#,
                "vacant: expected a whole number from 0 to 13, found 14",
            ),
            (
                r#""ask": "compare", "question": "x", "contracts": []"#,
                "contracts: expected at least one contract, found none",
            ),
            (
                r#""ask": "compare", "question": "x", "contracts": ["3NT", "9S"]"#,
                "contracts: \"9S\": column 1: ",
            ),
            (r#""ask": "layouts", "draw": [[]], "if": 3"#, "draw: "),
            (
                r#""ask": "suit", "north": "AQ", "south": "2", "vacant": [1, null]"#,
                "vacant: expected a whole number from 0 to 255, found null",
            ),
            (
                r#""ask": "solve", "question": "x", "all": true, "one": true"#,
                "all, best and one: expected one of them",
            ),
            (
                r#""ask": "solve", "question": "x", "tricks": 3"#,
                "tricks needs best or one",
            ),
            (
                r#""ask": "odds", "question": "x", "rules": "0123456789012345678901234567890""#,
                "rules: expected one of none, mu, fitted, found \"01234567890123456789…\"",
            ),
        ] {
            let answer: Value =
                serde_json::from_str(&desk.ask(&format!("{{{options}}}"))).expect("JSON");
            let error = answer["error"].as_str().expect("an error");
            assert!(error.starts_with(expected), "{options}: {error}");
            assert_eq!(answer["because"], "request", "{options}");
        }
    }

    /// What sets the style of a text is no option of the question, and changes no object.
    #[test]
    fn styles_change_the_text_alone() {
        let mut desk = Desk::default();
        let mut asked = |options: &str| -> Value {
            let play = r#""ask": "analyse", "question": "NT S N:AQ... 76... 54... K3... S4","#;
            serde_json::from_str(&desk.ask(&format!("{{{play} {options}}}"))).expect("JSON")
        };
        let plain = asked(r#""text": true"#);
        let mut explained = asked(r#""text": true, "explain": true"#);
        let text = |answer: &Value| answer["text"].as_str().expect("a text").to_owned();
        assert!(text(&explained).contains("won by"), "{explained}");
        assert!(!text(&plain).contains("won by"), "{plain}");
        explained["text"] = plain["text"].clone();
        assert_eq!(plain, explained);
        let wrong = asked(r#""explain": 1"#);
        assert_eq!(wrong["error"], "explain: expected true or false, found 1");
        let error = asked(r#""nonsense": 1"#)["error"].clone();
        assert_eq!(error, "analyse has no option `nonsense`; it has explain");
    }

    /// A question that is written as an object reads back.
    #[test]
    fn questions_are_objects_that_read_back() {
        fn check<A: Ask + Serialize + PartialEq + std::fmt::Debug>(options: &str) {
            let ask: A = serde_json::from_str(options).expect(options);
            let written = serde_json::to_value(&ask).expect("an object");
            let Value::Object(fields) = &written else {
                panic!("{written}");
            };
            let read = read_options::<A>(A::NAME, A::STYLES, fields, false);
            assert_eq!(read.expect(options), ask, "{written}");
        }
        check::<Solve>(r#"{"best": true, "tricks": 3}"#);
        check::<Table>("{}");
        check::<Par>(r#"{"vulnerable": "NS", "dealer": "E"}"#);
        check::<Analyse>("{}");
        check::<Lesson>(r#"{"draw": 7}"#);
        check::<Query>(r#"{"count": true}"#);
        check::<Matter>("{}");
        check::<Claim>(r#"{"tricks": "all", "by": "S", "if": ["E+HK", "W.S=0-2"]}"#);
        check::<Claim>(r#"{"tricks": 5, "explain": true}"#);
        check::<Line>(r#"{"line": "SA, rest"}"#);
        check::<Adjudicate>(r#"{"by": "S", "dummy": "N"}"#);
        check::<Odds>(r#"{"rules": "mu", "until": 0.01, "if": "E+HK"}"#);
        check::<Leads>(r#"{"contract": "3NTXN", "draw": 20, "seed": 3}"#);
        check::<Leads>(r#"{"contract": "4S"}"#);
        check::<Compare>(r#"{"contracts": "3NT,4SXS", "vulnerable": "both"}"#);
        check::<SingleDummy>(r#"{"tricks": 3, "plan": true}"#);
        check::<BestLine>(r#"{"layouts": ["a", "b"], "score": "3NTS", "time": 1.5}"#);
        check::<Suit>(r#"{"north": "AQ", "south": "2", "entries": [null, 1]}"#);
        check::<Layouts>(r#"{"draw": 3}"#);
        check::<Deal>(r#"{"count": 3, "where": "tricks(S,NT)>=9", "hands": "?"}"#);
    }

    /// The option with the fault is data, beside the sentence.
    #[test]
    fn the_option_with_a_fault_is_data() {
        let mut desk = Desk::default();
        let mut asked = |options: &str| -> Value {
            serde_json::from_str(&desk.ask(&format!("{{{options}}}"))).expect("JSON")
        };
        for (options, option) in [
            (r#""ask": "deal", "count": -1"#, "count"),
            (r#""ask": "odds", "question": "x", "if": "E+"#, "if"),
            (r#""ask": "odds", "question": "x", "until": 1"#, "until"),
            (r#""ask": "nothing""#, "ask"),
            (r#""ask": "table", "nonsense": 7"#, "nonsense"),
            (r#""ask": "table", "board": "x""#, "board"),
            (r#""ask": "suit", "north": "AQ""#, "south"),
        ] {
            let options = options.replace("\"E+", "\"E+\"");
            assert_eq!(asked(&options)["option"], option, "{options}");
        }
        // The fault of a line is in no option.
        let answer = asked(r#""ask": "table", "question": "N:A""#);
        assert_eq!(answer["option"], Value::Null, "{answer}");
        assert!(answer["column"].is_number(), "{answer}");
    }

    /// Each interface spells the names of options as its users write them.
    #[test]
    fn refusals_are_spelled_by_the_interface() {
        let line = "3NT";
        let ask: Odds = serde_json::from_str(r#"{"if": "E+"}"#).expect("options");
        let refusal = ask.check().expect_err(line);
        let keyword = |name: &str| format!("{name}_");
        for (spelling, name) in [
            (Spelling::CommandLine, "--if"),
            (Spelling::Json, "if"),
            (Spelling::Keywords(&keyword), "if_"),
        ] {
            let said = refusal.sentence(spelling);
            assert!(said.starts_with(&format!("{name}: column ")), "{said}");
        }
        let refusal = Refusal::is("by_split", "is for a test");
        assert_eq!(
            refusal.sentence(Spelling::CommandLine),
            "--by-split is for a test"
        );
        let mut refusal = Refusal::in_line(7, "it is not a card");
        refusal.at.file = Some("a.pbn".to_owned());
        refusal.at.line = Some(3);
        refusal.at.board = Some(2);
        assert_eq!(
            refusal.to_string(),
            "a.pbn, line 3, board 2, column 7: it is not a card"
        );
    }
}
