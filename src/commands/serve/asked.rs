//! From a request to a command line, and from its outcome to an answer.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use clap::{Arg, ArgAction, Command, FromArgMatches};
use hyper::StatusCode;
use setrograde_lookup::Database;
use setrograde_ordered::Stop;

use crate::Outcome;
use crate::arguments::size::Size;
use crate::commands::CommandLine;
use crate::json::versioned;
use crate::output::errors::one_line;
use crate::questions::Refused;
use crate::session::{Request, Session};
use setrograde::Refusal;

/// A command that requests may run.
pub struct Endpoint {
    /// Its name.
    pub name: &'static str,
    /// The names in requests of the words that it takes.
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

/// One JSON object.
pub const OBJECT: &str = "application/json";
/// A JSON object a line.
pub const LINES_OF_OBJECTS: &str = "application/x-ndjson";

/// An answer before it is sent.
pub struct Answer {
    pub status: StatusCode,
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn object(bytes: impl Into<Vec<u8>>) -> Answer {
        Answer {
            status: StatusCode::OK,
            kind: OBJECT,
            bytes: bytes.into(),
        }
    }

    /// A request without an answer, as an object with the reason.
    pub fn refused(status: StatusCode, error: &str) -> Answer {
        let column = None;
        Answer {
            status,
            ..Answer::object(versioned(&Refusal {
                error,
                column,
                because: None,
            }))
        }
    }
}

/// The way to answer requests.
pub struct Asking {
    /// The command line as it is read; reading takes it for a moment.
    command: Mutex<Command>,
    database: Option<Arc<Database>>,
    /// `--cache` of the commands.
    cache: String,
    longest: usize,
}

impl Asking {
    pub fn new(
        mut command: Command,
        database: Option<Arc<Database>>,
        cache: Size,
        longest: usize,
    ) -> Asking {
        command.build();
        Asking {
            command: Mutex::new(command),
            database,
            cache: format!("{}K", cache.bytes().div_ceil(1 << 10)),
            longest,
        }
    }

    /// Returns the maximum number of cards of the endings in use.
    pub fn cards(&self) -> usize {
        let database = self.database.as_ref();
        database.map_or(0, |database| 4 * database.max_level())
    }

    /// The definition of the command line.
    pub fn with_command<T>(&self, with: impl FnOnce(&mut Command) -> T) -> T {
        with(&mut self.command.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Answers a request with this query, and perhaps a file.
    pub fn answer(
        &self,
        endpoint: &Endpoint,
        query: &str,
        body: Option<Arc<[u8]>>,
        stop: Stop,
    ) -> Answer {
        let many = body.is_some();
        let read = self.with_command(|command| {
            let words = self.words(command, endpoint, query, many)?;
            let matches = command.try_get_matches_from_mut(words);
            matches
                .and_then(|matches| CommandLine::from_arg_matches(&matches))
                .map_err(|error| first_line(&error))
        });
        let subcommand = match read {
            Ok(command_line) => command_line.subcommand,
            Err(error) => return Answer::refused(StatusCode::BAD_REQUEST, &error),
        };
        let session = Session::of_request(
            Request {
                database: self.database.clone(),
                body,
                answer: Mutex::default(),
                longest: self.longest,
            },
            stop,
        );
        let outcome = subcommand.run(&session);
        let bytes = session.into_answer();
        match outcome {
            Ok(Outcome::Interrupted) => {
                Answer::refused(StatusCode::SERVICE_UNAVAILABLE, "interrupted")
            }
            Ok(_) if many => Answer {
                kind: LINES_OF_OBJECTS,
                ..Answer::object(bytes)
            },
            Ok(Outcome::SomeUnanswered) => Answer {
                status: StatusCode::UNPROCESSABLE_ENTITY,
                ..Answer::object(bytes)
            },
            Ok(_) => Answer::object(bytes),
            Err(error) if is_too_long(&error) => {
                let problem = format!("the answer is longer than {} bytes", self.longest);
                Answer::refused(StatusCode::PAYLOAD_TOO_LARGE, &problem)
            }
            Err(error) => {
                let status = match error.is::<Refused>() {
                    true => StatusCode::UNPROCESSABLE_ENTITY,
                    false => StatusCode::BAD_REQUEST,
                };
                Answer::refused(status, &one_line(error.as_ref()))
            }
        }
    }

    /// The words of the command line equivalent to a request.
    fn words(
        &self,
        command: &Command,
        endpoint: &Endpoint,
        query: &str,
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
        for (name, value) in [("threads", "1".to_owned()), ("cache", self.cache.clone())] {
            words.extend(option(name).map(|_| format!("--{name}={value}")));
        }
        let mut asked = vec![many.then(|| "-".to_owned()); endpoint.words.len()];
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if let Some(place) = endpoint.words.iter().position(|&word| word == name) {
                if asked[place].replace(value.into_owned()).is_some() {
                    return Err(match many {
                        true => format!("`{name}` beside a file: one or the other"),
                        false => format!("`{name}` is given twice"),
                    });
                }
                continue;
            }
            let known = endpoint.options.contains(&&*name);
            let Some(option) = known.then(|| option(&name)).flatten() else {
                let all = endpoint.words.iter().chain(endpoint.options);
                let all: Vec<&str> = all.copied().collect();
                let path = endpoint.name;
                return Err(format!(
                    "/{path} does not know `{name}`; it knows {}",
                    all.join(", ")
                ));
            };
            words.extend(given(option, &name, &value)?);
        }
        words.push("--".to_owned());
        for (word, name) in asked.into_iter().zip(endpoint.words) {
            words.push(word.ok_or_else(|| format!("`{name}` is missing"))?);
        }
        Ok(words)
    }
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
        false => Err(format!("`{name}` cannot be `{value}`")),
    }
}

/// The fault of a command line, without its usage.
fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

/// Returns true if the answer had no place.
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
}
