//! Questions and answers in JSON, the same through every interface.

use serde::Serialize;
use serde_json::{Map, Value};
use setrograde_beliefs::Whist;
use setrograde_records::{Board, Records};

use crate::ask::{
    Adjudicate, Analyse, BestLine, Claim, Compare, Deal, Layouts, Leads, Lesson, Line, Matter,
    Odds, Par, Query, SingleDummy, Solve, Suit, Table,
};
use crate::desk::{Ask, Desk};
use crate::no_answer::NoAnswer;
use crate::subjects::Subject;
use crate::words::{QuestionKind, Report, Words};

/// The version of the interface: within a version, names keep their meaning; names may be added.
pub const VERSION: u64 = 1;

/// Maximum length of a line, in bytes. Questions have a few hundred.
const LONGEST: usize = 64 << 10;

/// Maximum number of questions in a list.
const MOST: usize = 10_000;

/// Maximum size of the answers to a list, in bytes. Questions after it stay unanswered.
const MOST_BYTES: usize = 64 << 20;

macro_rules! questions {
    ($($ask:ty),* $(,)?) => {
        /// The names of all questions.
        pub const QUESTIONS: &[&str] = &[$(<$ask as Ask>::NAME),*];

        /// Calls a visitor with each question.
        #[cfg(feature = "schema")]
        pub(crate) fn visit_all(visitor: &mut impl crate::schema::Visitor) {
            $(visitor.visit::<$ask>();)*
        }

        /// Answers the question with a name, as text.
        fn named(name: &str, request: JsonRequest, desk: &mut Desk) -> String {
            match name {
                $(<$ask as Ask>::NAME => request.answered::<$ask>(desk),)*
                _ => {
                    let names = QUESTIONS.join(", ");
                    let problem = format_args!("ask: expected one of {names}, found {name:?}");
                    request.refused(None, NoAnswer::request(problem))
                }
            }
        }
    };
}

questions!(
    Solve,
    Table,
    Par,
    Analyse,
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
    Layouts<Whist>,
    Deal,
);

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
        let wrong = |problem: &dyn std::fmt::Display| {
            JsonRequest::default().refused(None, NoAnswer::request(problem))
        };
        match serde_json::from_str(json) {
            Ok(Value::Array(all)) if all.len() > MOST => {
                wrong(&format_args!("{} questions; at most {MOST}", all.len()))
            }
            Ok(Value::Array(all)) => {
                let mut text = String::from("[");
                for (number, one) in all.into_iter().enumerate() {
                    text += if number > 0 { "," } else { "" };
                    text += &match () {
                        () if text.len() > MOST_BYTES => wrong(&format_args!(
                            "the answers before are longer than {MOST_BYTES} bytes"
                        )),
                        // Even to read a question takes a while.
                        () if self.is_cancelled() => {
                            JsonRequest::default().refused(None, NoAnswer::Interrupted)
                        }
                        () => self.ask_one(one),
                    };
                }
                text + "]"
            }
            Ok(one) => self.ask_one(one),
            Err(error) => wrong(&format_args!("this is not JSON: {error}")),
        }
    }

    fn ask_one(&mut self, question: Value) -> String {
        match JsonRequest::read(question) {
            Ok((name, request)) => named(&name, request, self),
            Err(error) => JsonRequest::default().refused(None, error),
        }
    }
}

/// Maximum number of options among which a wrong one is sought.
const MOST_OPTIONS: usize = 64;

/// Reads the options of a question. An error names the wrong one.
fn read_options<A: Ask>(options: &Map<String, Value>) -> Result<A, NoAnswer> {
    let read = |options: &Map<String, Value>| A::deserialize(options);
    let fault = |options: &Map<String, Value>| Some(read(options).err()?.to_string());
    read(options).map_err(|error| options_fault(A::NAME, options, &error.to_string(), &fault))
}

/// The error of the options of a question, whose `fault` is that of other options.
fn options_fault(
    question: &str,
    options: &Map<String, Value>,
    error: &str,
    fault: &dyn Fn(&Map<String, Value>) -> Option<String>,
) -> NoAnswer {
    let named = |start: &str| error.strip_prefix(start)?.split('`').next();
    if let Some(name) = named("unknown field `").filter(|&name| options.contains_key(name)) {
        return NoAnswer::request(unknown_option(question, name, error));
    }
    if let Some(name) = named("missing field `") {
        // A value may lack a name, too.
        let mut more = options.clone();
        more.insert(name.to_owned(), Value::Null);
        if fault(&more).as_deref() != Some(error) {
            return NoAnswer::request(missing(name));
        }
    }
    let is_wrong = |name: &&String| {
        let mut others = options.clone();
        others.remove(*name);
        fault(&others).as_deref() != Some(error)
    };
    let mut names = options.keys().take(MOST_OPTIONS);
    match names.find(is_wrong) {
        Some(name) => NoAnswer::request(format_args!("{name}: {}", in_words(error))),
        None => NoAnswer::request(error),
    }
}

/// The error of a name that a request must have.
fn missing(name: &str) -> String {
    format!("`{name}` is missing")
}

/// The error of an option that a question does not have. The error of serde lists those that it
/// has.
fn unknown_option(question: &str, name: &str, error: &str) -> String {
    // The name itself is the first.
    let known: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
    match known.is_empty() {
        true => format!("{question} has no option `{name}`; it has none"),
        false => format!(
            "{question} has no option `{name}`; it has {}",
            known.join(", ")
        ),
    }
}

/// The error of a value in the terms of JSON, without Rust's names of types.
fn in_words(error: &str) -> String {
    let Some((found, expected)) = error.split_once(", expected ") else {
        return error.to_owned();
    };
    let kinds = [
        "invalid type: ",
        "invalid value: ",
        "invalid length ",
        "unknown variant ",
    ];
    let Some(found) = kinds.iter().find_map(|kind| found.strip_prefix(kind)) else {
        return error.to_owned();
    };
    let expected = match expected {
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "u64" | "usize" => format!("a whole number from 0 to {}", u64::MAX),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" => "a text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        expected => match expected.strip_prefix("an array of length ") {
            Some(length) => format!("a list of {length}"),
            None => expected.replace('`', ""),
        },
    };
    let found = match found {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        "unit value" => "null".to_owned(),
        length if error.starts_with("invalid length ") => length.to_owned(),
        text if error.starts_with("unknown variant ") => text.replace('`', "\""),
        value => {
            let kinds = ["integer ", "floating point ", "boolean ", "string "];
            let value = kinds.iter().find_map(|kind| value.strip_prefix(kind));
            value.unwrap_or(found).trim_matches('`').to_owned()
        }
    };
    format!("expected {expected}, found {found}")
}

/// A question in JSON, without its name.
#[derive(Default)]
struct JsonRequest {
    question: Option<String>,
    board: Option<String>,
    text: bool,
    options: Map<String, Value>,
}

/// The subject of a question, and its board.
type About<A> = (<A as Ask>::Subject, Option<Board>);

impl JsonRequest {
    fn read(question: Value) -> Result<(String, JsonRequest), NoAnswer> {
        let Value::Object(mut options) = question else {
            return Err(NoAnswer::request("expected an object with `ask`"));
        };
        let mut text_of = |name: &'static str| match options.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(NoAnswer::request(format_args!("{name}: expected a text"))),
        };
        let name = text_of("ask")?;
        let name = name.ok_or_else(|| NoAnswer::request(missing("ask")))?;
        let (question, board) = (text_of("question")?, text_of("board")?);
        let text = match options.remove("text") {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(_) => return Err(NoAnswer::request("text: expected true or false")),
        };
        let request = JsonRequest {
            question,
            board,
            text,
            options,
        };
        Ok((name, request))
    }

    fn answered<A: Ask>(self, desk: &mut Desk) -> String {
        if cfg!(target_family = "wasm") && self.options.get("time").is_some_and(|of| !of.is_null())
        {
            let problem = "time: there is no clock here; end the worker instead";
            return self.refused(None, NoAnswer::request(problem));
        }
        let ask = match read_options::<A>(&self.options) {
            Ok(ask) => ask,
            Err(error) => return self.refused(None, error),
        };
        match self.subject::<A>(&ask) {
            Ok(Some((subject, board))) => {
                let line = self.line(&subject.to_string());
                match ask.answer(desk, &subject, board.as_ref()) {
                    _ if desk.is_cancelled() => self.refused(line, NoAnswer::Interrupted),
                    Ok(answer) => self.object(line, &answer, board.as_ref()),
                    Err(error) => self.refused(line, error),
                }
            }
            Ok(None) => self.object(None, &PassedOut { passed_out: true }, None),
            Err(error) => self.refused(self.question.clone(), error),
        }
    }

    /// The line of the subject; `None` if there is nothing to show.
    fn line(&self, subject: &str) -> Option<String> {
        match &self.question {
            Some(text) => Some(text.trim().to_owned()),
            None => (!subject.is_empty()).then(|| subject.to_owned()),
        }
    }

    /// Returns the subject of the question, and its board; `None` if all four players passed.
    fn subject<A: Ask>(&self, ask: &A) -> Result<Option<About<A>>, NoAnswer> {
        ask.check().map_err(NoAnswer::into_request)?;
        let Some(text) = &self.board else {
            let line = self.question.as_deref().unwrap_or_default();
            if self.question.is_none() && A::Subject::line("").is_err() {
                return Err(NoAnswer::request(missing("question")));
            }
            if line.len() > LONGEST {
                let problem = format_args!("longer than {LONGEST} bytes");
                return Err(NoAnswer::refused(problem));
            }
            let subject = A::Subject::line(line.trim()).map_err(Into::into)?;
            return Ok(Some((subject, None)));
        };
        if self.question.is_some() {
            let problem = "board is given together with `question`; expected one of them";
            return Err(NoAnswer::request(problem));
        }
        let board = only_board(text)?;
        let wrong = |problem| NoAnswer::option("board", format_args!(": {problem}"));
        let subject = A::Subject::board(&board).map_err(|lacks| wrong(lacks.to_string()))?;
        Ok(subject.map(|subject| (subject, Some(board))))
    }

    /// An answer as an object.
    fn object<T: Report>(
        &self,
        question: Option<String>,
        answer: &T,
        board: Option<&Board>,
    ) -> String {
        let notes = board.map_or(&[][..], |board| &board.notes);
        let text = self.text.then(|| {
            let mut words = Words::new(QuestionKind::Single);
            answer.words(&mut words);
            let bytes = words.under(question.as_deref().unwrap_or_default());
            String::from_utf8_lossy(&bytes).into_owned()
        });
        text_of(&Answered {
            version: VERSION,
            question: question.as_deref(),
            answer,
            notes: notes.iter().map(ToString::to_string).collect(),
            text,
        })
    }

    fn refused(&self, question: Option<String>, error: NoAnswer) -> String {
        let because = match error {
            NoAnswer::Limit { .. } => "limit",
            NoAnswer::Interrupted => "interrupted",
            NoAnswer::Request(_) | NoAnswer::TooMany { .. } => "request",
            _ => "question",
        };
        let (column, error) = error.parts("");
        text_of(&Answered {
            version: VERSION,
            question: question.as_deref(),
            answer: &Refusal {
                error: &error,
                column: column.filter(|_| self.board.is_none()),
                because: Some(because),
            },
            notes: Vec::new(),
            text: None,
        })
    }
}

/// Reads the only board of a record.
fn only_board(text: &str) -> Result<Board, NoAnswer> {
    let wrong = |problem: String| NoAnswer::option("board", format_args!(": {problem}"));
    let records = Records::new(text.as_bytes(), "board");
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

/// An answer with its question.
#[derive(Serialize)]
struct Answered<'a, T> {
    version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    #[serde(flatten)]
    answer: &'a T,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
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

/// A refusal: the reason, and the column of the fault if it is in the line.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal<'a> {
    /// The reason.
    pub error: &'a str,
    /// The column, counted from 1.
    pub column: Option<usize>,
    /// The kind of reason: `request` if an option or the form of the request is wrong, `question`,
    /// `limit` or `interrupted`; on a command line the exit status.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<&'static str>,
}

fn text_of(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("names are text")
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
        ] {
            let answer: Value =
                serde_json::from_str(&desk.ask(&format!("{{{options}}}"))).expect("JSON");
            let error = answer["error"].as_str().expect("an error");
            assert!(error.starts_with(expected), "{options}: {error}");
            assert_eq!(answer["because"], "request", "{options}");
        }
    }
}
