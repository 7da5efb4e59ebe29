//! The commands, asked by requests: what `setrograde-serve` answers.
//!
//! A request is a command line with `--json`, and its answer what the command prints.

mod openapi;

use std::borrow::Cow;
use std::error::Error;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, Command, FromArgMatches};
use serde::Deserialize;
use setrograde::{Desk, RefusalObject};
use setrograde_lookup::Database;
use setrograde_parallel::Stop;

pub use crate::arguments::database::DatabaseArgument;
pub use crate::arguments::numbers::whole;
pub use crate::arguments::size::Size;
use crate::commands::CommandLine;
pub use crate::commands::generate::{FORMS, print as generate};
pub use crate::commands::shell::arguments;
pub use crate::json::versioned;
use crate::output::errors::one_line;
use crate::questions::Refused;
use crate::session::{Request, Session};
use crate::{Outcome, output};

/// A command that requests may run.
pub struct Endpoint {
    /// Its name, which is its path.
    pub name: &'static str,
    /// The names of its words in requests.
    pub words: &'static [&'static str],
    /// Its options that requests may have.
    pub options: &'static [&'static str],
    /// The content of a file of questions that may be posted, if any may.
    pub file: Option<&'static str>,
}

const BOARDS: Option<&str> = Some("Boards in PBN, LIN or another format, or a question a line");
const LINES: Option<&str> = Some("A question a line");

/// All commands that requests may run.
#[rustfmt::skip]
pub const ENDPOINTS: [Endpoint; 9] = [
    Endpoint { name: "table", words: &["question"], options: &["board"], file: BOARDS },
    Endpoint { name: "solve", words: &["question"], options: &["all", "best", "one", "tricks", "count", "board"], file: BOARDS },
    Endpoint { name: "par", words: &["question"], options: &["vulnerable", "dealer", "board"], file: BOARDS },
    Endpoint { name: "analyse", words: &["question"], options: &["board"], file: BOARDS },
    Endpoint { name: "lesson", words: &["question"], options: &["draw", "until", "seed", "limit", "board"], file: BOARDS },
    Endpoint { name: "query", words: &["question"], options: &["count", "board"], file: BOARDS },
    Endpoint { name: "claim", words: &["question"], options: &["tricks", "by", "if", "all", "explain", "assume", "limit", "board"], file: BOARDS },
    Endpoint { name: "odds", words: &["question"], options: &["if", "rules", "all", "by-split", "draw", "until", "seed"], file: LINES },
    Endpoint { name: "suit", words: &["north", "south"], options: &["tricks", "all", "gone", "vacant", "entries"], file: None },
];

/// Any question in JSON, answered at the desk as through all other doors.
pub const ASK: Endpoint = Endpoint {
    name: "ask",
    words: &[],
    options: &[],
    file: Some("A question in JSON, or a list of them"),
};

/// Maximum number of deals or layouts in an answer of the desk.
const LONGEST_LIST: u32 = 10_000;

/// Maximum number of layouts that a request may have drawn.
pub const MOST_DRAWN: u32 = 1_000_000;

/// One JSON object.
pub const OBJECT: &str = "application/json";
/// A JSON object a line.
pub const LINES_OF_OBJECTS: &str = "application/x-ndjson";

/// The page, if it is in this program.
pub const PAGE: Option<&str> = crate::commands::page::BUILT;

/// The names and values of a request, in their order.
pub type Parameters = Vec<(String, String)>;

/// An answer before it is sent.
pub struct RemoteAnswer {
    /// The status of HTTP.
    pub status: u16,
    /// The type of its content.
    pub kind: &'static str,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl RemoteAnswer {
    /// An answer with an object as its content.
    pub fn object(bytes: impl Into<Vec<u8>>) -> RemoteAnswer {
        RemoteAnswer {
            status: 200,
            kind: OBJECT,
            bytes: bytes.into(),
        }
    }

    /// A request without an answer, as an object with the reason.
    pub fn refused(status: u16, error: &str) -> RemoteAnswer {
        let column = None;
        RemoteAnswer {
            status,
            ..RemoteAnswer::object(versioned(&RefusalObject {
                error: error.to_owned(),
                column,
                option: None,
                because: None,
            }))
        }
    }
}

/// Prepares this process for serving: no progress is shown.
pub fn prepare() {
    output::set_quiet(true);
}

/// The way to answer requests.
pub struct Asking {
    /// The parser of command lines. A parse locks it.
    command: Mutex<Command>,
    database: Option<Arc<Database>>,
    /// `--memory` of the commands.
    cache: String,
    /// The same in bytes, for the desk.
    memory: usize,
    longest: usize,
}

impl Asking {
    /// Opens the database in use. A request may use `cache` bytes for its transposition table, and
    /// an answer may have `longest` bytes.
    ///
    /// # Errors
    ///
    /// If a database was named, and cannot be opened.
    pub fn new(db: &DatabaseArgument, cache: Size, longest: usize) -> anyhow::Result<Asking> {
        let mut command = crate::commands::command();
        command.build();
        Ok(Asking {
            command: Mutex::new(command),
            database: db.open(Session::terminal())?,
            cache: format!("{}K", cache.bytes().div_ceil(1 << 10)),
            memory: cache.addressable(),
            longest,
        })
    }

    /// Returns the maximum number of cards of the endings in use.
    pub fn cards(&self) -> usize {
        let database = self.database.as_ref();
        database.map_or(0, |database| 4 * database.max_tricks())
    }

    /// The OpenAPI document of a server at an address.
    pub fn openapi(&self, address: &str) -> String {
        self.with_command(|command| openapi::document(command, address).to_string() + "\n")
    }

    fn with_command<T>(&self, with: impl FnOnce(&mut Command) -> T) -> T {
        with(&mut self.command.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Answers a request with these parameters, and perhaps a file; `None` if `stop` was due
    /// first.
    pub fn answer(
        &self,
        endpoint: &Endpoint,
        parameters: &Parameters,
        file: Option<Arc<[u8]>>,
        stop: &Stop,
    ) -> Option<RemoteAnswer> {
        if endpoint.name == ASK.name {
            return self.at_desk(parameters, file.as_deref(), stop);
        }
        let many = file.is_some();
        let read = self.with_command(|command| {
            let words = self.words(command, endpoint, parameters, many)?;
            let matches = command.try_get_matches_from_mut(words);
            matches
                .and_then(|matches| CommandLine::from_arg_matches(&matches))
                .map_err(|error| in_short(&error))
        });
        let refused = |status: u16, problem: &str| {
            Some(RemoteAnswer::refused(
                status,
                &endpoint.in_its_words(problem),
            ))
        };
        let subcommand = match read {
            Ok(command_line) => command_line.subcommand,
            Err(error) => return refused(400, &error),
        };
        let session = Session::of_request(
            Request {
                database: self.database.clone(),
                body: file,
                answer: Mutex::default(),
                longest: self.longest,
            },
            stop.clone(),
        );
        let outcome = subcommand.run(&session);
        let bytes = session.into_answer();
        match outcome {
            Ok(Outcome::Interrupted) => None,
            Err(_) if stop.is_due() => None,
            Ok(Outcome::SomeUnanswered) if many => match none_answered(&bytes) {
                Some(problem) => refused(422, &problem),
                None => Some(lines(bytes)),
            },
            Ok(_) if many && bytes.is_empty() => refused(422, "the file has no question"),
            Ok(_) if many => Some(lines(bytes)),
            Ok(Outcome::SomeUnanswered) => Some(RemoteAnswer {
                status: 422,
                ..RemoteAnswer::object(endpoint.with_its_words(bytes))
            }),
            Ok(_) => Some(RemoteAnswer::object(bytes)),
            Err(error) if is_too_long(&error) => {
                let problem = format!("the answer is longer than {} bytes", self.longest);
                refused(413, &problem)
            }
            Err(error) => {
                let status = match error.downcast_ref() {
                    Some(refused) if !Refused::by_option(refused) => 422,
                    _ => 400,
                };
                refused(status, &one_line(error.as_ref()))
            }
        }
    }

    /// Answers a question in JSON; `None` if `stop` was due first.
    fn at_desk(
        &self,
        parameters: &Parameters,
        question: Option<&[u8]>,
        stop: &Stop,
    ) -> Option<RemoteAnswer> {
        let Some(question) = question.filter(|_| parameters.is_empty()) else {
            let problem = "POST a question in JSON, or a list of them, without a query";
            return Some(RemoteAnswer::refused(400, problem));
        };
        let mut desk = Desk::new(self.database.clone())
            .with_memory(self.memory)
            .with_longest(LONGEST_LIST)
            .with_most_drawn(MOST_DRAWN)
            .with_stop(stop.clone());
        let answer = desk.ask(&String::from_utf8_lossy(question)) + "\n";
        if stop.is_due() {
            return None;
        }
        if answer.len() > self.longest {
            let problem = format!("the answer is longer than {} bytes", self.longest);
            return Some(RemoteAnswer::refused(413, &problem));
        }
        let status = match serde_json::from_str(&answer) {
            Ok(DeskRefusal { because: "request" }) => 400,
            Ok(_) => 422,
            Err(_) => 200,
        };
        Some(RemoteAnswer {
            status,
            ..RemoteAnswer::object(answer)
        })
    }

    /// The words of the command line equivalent to a request.
    fn words(
        &self,
        command: &Command,
        endpoint: &Endpoint,
        parameters: &Parameters,
        many: bool,
    ) -> Result<Vec<String>, String> {
        let command = command
            .find_subcommand(endpoint.name)
            .expect("a test finds each endpoint among the commands");
        let option = |name: &str| {
            let mut all = command.get_arguments();
            all.find(|option| option.get_long() == Some(name))
        };
        let mut words: Vec<String> = ["setrograde", endpoint.name, "--json"]
            .map(Into::into)
            .into();
        for (name, value) in [("threads", "1".to_owned()), ("memory", self.cache.clone())] {
            words.extend(option(name).map(|_| format!("--{name}={value}")));
        }
        let mut asked = vec![many.then(|| "-".to_owned()); endpoint.words.len()];
        for (name, value) in &joined(parameters, &option) {
            if let Some(index) = endpoint.words.iter().position(|word| word == name) {
                if asked[index].replace(value.clone()).is_some() {
                    return Err(match many {
                        true => {
                            format!("`{name}` is given together with a file; expected one of them")
                        }
                        false => format!("`{name}` is given twice"),
                    });
                }
                continue;
            }
            let known = endpoint.options.contains(&name.as_str());
            let Some(option) = known.then(|| option(name)).flatten() else {
                let all = endpoint.words.iter().chain(endpoint.options);
                let all: Vec<&str> = all.copied().collect();
                let path = endpoint.name;
                let name = shortened(name);
                return Err(format!(
                    "/{path} does not know `{name}`; it knows {}",
                    all.join(", ")
                ));
            };
            if name == "draw"
                && value
                    .parse()
                    .is_ok_and(|drawn: u64| drawn > MOST_DRAWN.into())
            {
                return Err(format!("`draw` is at most {MOST_DRAWN}; found {value}"));
            }
            words.extend(given(option, name, value)?);
        }
        words.push("--".to_owned());
        for (word, name) in asked.into_iter().zip(endpoint.words) {
            words.push(word.ok_or_else(|| format!("`{name}` is missing"))?);
        }
        Ok(words)
    }
}

impl Endpoint {
    /// A refusal of the command whose error is in the words of a request.
    fn with_its_words(&self, object: Vec<u8>) -> Vec<u8> {
        let Ok(RefusalLine { error: Some(error) }) = serde_json::from_slice(&object) else {
            return object;
        };
        let said = self.in_its_words(&error);
        let as_json = |text: &str| serde_json::to_string(text).expect("a text");
        let text = String::from_utf8_lossy(&object);
        text.replacen(&as_json(&error), &as_json(&said), 1)
            .into_bytes()
    }

    /// A text of the command, in which options have the names of a request: `--draw <N>` is
    /// `draw`.
    fn in_its_words(&self, text: &str) -> String {
        let text = &*cut(text, LONGEST_REFUSAL);
        let mut words = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find("--") {
            let name = &rest[at + 2..];
            let end = name.find(|c: char| !c.is_ascii_lowercase() && c != '-');
            let (name, mut after) = name.split_at(end.unwrap_or(name.len()));
            let mut before = &rest[..at];
            if self.options.contains(&name) {
                while let Some((_, more)) =
                    (after.strip_prefix(" <")).and_then(|of| of.split_once('>'))
                {
                    after = more;
                }
                if let (Some(short), Some(more)) =
                    (before.strip_suffix('\''), after.strip_prefix('\''))
                {
                    (before, after) = (short, more);
                }
                words += &format!("{before}`{name}`");
            } else {
                words += &format!("{before}--{name}");
            }
            rest = after;
        }
        words + rest
    }
}

fn lines(bytes: Vec<u8>) -> RemoteAnswer {
    RemoteAnswer {
        kind: LINES_OF_OBJECTS,
        ..RemoteAnswer::object(bytes)
    }
}

/// The contents of a line that is a refusal.
#[derive(Deserialize)]
struct RefusalLine {
    error: Option<String>,
}

/// The kind of a refusal of the desk, which no other answer has.
#[derive(Deserialize)]
struct DeskRefusal<'a> {
    because: &'a str,
}

/// Maximum length of the error of a wrong request, in characters.
const LONGEST_REFUSAL: usize = 2_000;

/// A value in an error, cut short.
pub fn shortened(value: &str) -> Cow<'_, str> {
    cut(value, 20)
}

/// A text of at most so many characters.
fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// The first refusal, if no question of a file has an answer.
fn none_answered(bytes: &[u8]) -> Option<String> {
    let lines = bytes.split(|&byte| byte == b'\n');
    let mut lines = lines.filter(|line| !line.is_empty());
    let error = |line: &[u8]| serde_json::from_slice::<RefusalLine>(line).ok()?.error;
    let first = error(lines.next()?)?;
    let mut count = 1;
    for line in lines {
        error(line)?;
        count += 1;
    }
    Some(match count {
        1 => first,
        _ => format!("none of the {count} questions has an answer; the first: {first}"),
    })
}

/// The parameters, in which values of an option that takes several are one: clients repeat its
/// name, or put a comma between them.
fn joined<'a>(parameters: &Parameters, option: &impl Fn(&str) -> Option<&'a Arg>) -> Parameters {
    let mut joined = Parameters::new();
    for (name, value) in parameters {
        let values = option(name).and_then(Arg::get_num_args);
        let several = values.is_some_and(|range| range.max_values() > 1);
        match joined
            .iter_mut()
            .find(|(other, _)| several && other == name)
        {
            Some((_, values)) => *values += &format!(",{value}"),
            None => joined.push((name.clone(), value.clone())),
        }
    }
    joined
}

/// The option with its value, as words of a command line.
fn given(option: &Arg, name: &str, value: &str) -> Result<Vec<String>, String> {
    if matches!(option.get_action(), ArgAction::SetTrue) {
        return match value {
            "" | "true" => Ok(vec![format!("--{name}")]),
            "false" => Ok(Vec::new()),
            _ => Err(format!("`{name}` is `true` or `false`")),
        };
    }
    let values = option.get_num_args().map_or(1, |range| range.max_values());
    if values == 1 {
        return Ok(vec![format!("--{name}={value}")]);
    }
    // A value that looks like an option would be one.
    let values: Vec<&str> = value.split([',', ' ']).collect();
    match values
        .iter()
        .all(|value| *value == "-" || !value.starts_with('-'))
    {
        true => {
            let values = values.into_iter().map(str::to_owned);
            Ok([format!("--{name}")].into_iter().chain(values).collect())
        }
        false => Err(format!("`{name}` cannot be `{}`", shortened(value))),
    }
}

/// The fault of a command line, without its usage.
fn in_short(error: &clap::Error) -> String {
    let context = |kind| error.get(kind).map(ToString::to_string);
    let value = context(ContextKind::InvalidValue);
    if let (ErrorKind::InvalidValue | ErrorKind::ValueValidation, Some(option), Some(value)) =
        (error.kind(), context(ContextKind::InvalidArg), value)
    {
        let expected = match (error.get(ContextKind::ValidValue), error.source()) {
            (Some(ContextValue::Strings(all)), _) if !all.is_empty() => {
                format!("expected one of {}", all.join(", "))
            }
            (_, Some(cause)) => cause.to_string(),
            _ => "invalid value".to_owned(),
        };
        if value.is_empty() {
            return format!("{option} cannot be empty: {expected}");
        }
        return format!("{option} cannot be `{}`: {expected}", shortened(&value));
    }
    if let (ErrorKind::MissingRequiredArgument, Some(ContextValue::Strings(all))) =
        (error.kind(), error.get(ContextKind::InvalidArg))
    {
        let all = all
            .iter()
            .map(|one| one.trim_matches(['<', '>']).replace('|', " or "));
        return format!("{} is missing", all.collect::<Vec<_>>().join(", "));
    }
    if let (
        ErrorKind::WrongNumberOfValues,
        Some(option),
        Some(ContextValue::Number(expected)),
        Some(ContextValue::Number(found)),
    ) = (
        error.kind(),
        context(ContextKind::InvalidArg),
        error.get(ContextKind::ExpectedNumValues),
        error.get(ContextKind::ActualNumValues),
    ) {
        return format!("{option}: expected {expected} values, found {found}");
    }
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// Returns true if there was no room for the answer.
fn is_too_long(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|error| error.kind() == io::ErrorKind::FileTooLarge)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_commands_and_their_options() {
        let command = crate::commands::command();
        for Endpoint { name, options, .. } in &ENDPOINTS {
            let command = command.find_subcommand(name).expect(name);
            for option in *options {
                let mut all = command.get_arguments();
                assert!(
                    all.any(|arg| arg.get_long() == Some(option)),
                    "{name} {option}"
                );
            }
        }
    }

    #[test]
    fn values_that_are_no_numbers_are_in_its_words_too() {
        for (value, problem) in [
            ("", "--draw <N> cannot be empty"),
            ("x", "--draw <N> cannot be `x`"),
            ("-1", "--draw <N> cannot be `-1`"),
        ] {
            let problem = format!("{problem}: expected a whole number of at least 1");
            let words = ["setrograde", "odds", &format!("--draw={value}")].map(str::to_owned);
            let error = crate::commands::command().try_get_matches_from(words);
            assert_eq!(in_short(&error.expect_err("refused")), problem);
        }
    }

    #[test]
    fn texts_speak_of_the_names_of_requests() {
        let [.., odds, _] = &ENDPOINTS;
        for (said, expected) in [
            ("--draw <N> cannot be `x`", "`draw` cannot be `x`"),
            ("--if <EAST> <WEST>: expected 2", "`if`: expected 2"),
            ("the argument '--all' is", "the argument `all` is"),
            ("--by-split is for", "`by-split` is for"),
            (
                "`setrograde build --cards 4`; a -- b",
                "`setrograde build --cards 4`; a -- b",
            ),
            ("--if: column 3: --", "`if`: column 3: --"),
        ] {
            assert_eq!(odds.in_its_words(said), expected);
        }
    }
}
