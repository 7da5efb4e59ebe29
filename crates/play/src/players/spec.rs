//! Names of players with their parameters, as `pimc:worlds=20`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A player's name and parameters, as `pimc:worlds=20,time=100`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    kind: String,
    parameters: Vec<(String, String)>,
}

/// Why there is no such player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A name that no player has.
    #[error("there is no player {0:?}; there are {KINDS}")]
    Kind(String),
    /// A parameter that the player does not have.
    #[error("{kind} has no parameter {name:?}; it has {known}")]
    Parameter {
        /// The player.
        kind: String,
        /// The parameter.
        name: String,
        /// Those that it has.
        known: String,
    },
    /// A parameter that is given twice. A number without a name is the first one.
    #[error("{kind} has {name} twice: {value} after {first}")]
    Twice {
        /// The player.
        kind: String,
        /// The parameter.
        name: String,
        /// Its first value.
        first: String,
        /// Its second.
        value: String,
    },
    /// A value that the parameter cannot have.
    #[error("{name}={value} of {kind}: expected {expected}")]
    Value {
        /// The player.
        kind: String,
        /// The parameter.
        name: String,
        /// Its value.
        value: String,
        /// What it should be.
        expected: String,
    },
    /// A game that the player does not play.
    #[error("{kind} does not play {game}")]
    Game {
        /// The player.
        kind: String,
        /// The game.
        game: &'static str,
    },
    /// A program that cannot be started.
    #[error("player {command:?} cannot be started: {problem}")]
    External {
        /// Its command.
        command: String,
        /// What is wrong.
        problem: String,
    },
}

const KINDS: &str = "random, simple, mu, ismcts, pimc and external:COMMAND";

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
        let kind = kind.trim().to_owned();
        if kind == "external" {
            let parameters = vec![("command".to_owned(), rest.trim().to_owned())];
            return Ok(Spec { kind, parameters });
        }
        let known = known_parameters(&kind).ok_or_else(|| SpecError::Kind(kind.clone()))?;
        let mut parameters = Vec::<(String, String)>::new();
        for part in rest
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            // A bare number is the first parameter: mu:1000, pimc:20.
            let (name, value) = part
                .split_once('=')
                .unwrap_or((known.first().copied().unwrap_or(""), part));
            if !known.contains(&name) {
                return Err(SpecError::Parameter {
                    kind,
                    name: name.to_owned(),
                    known: match known {
                        [] => "none".to_owned(),
                        known => known.join(", "),
                    },
                });
            }
            if let Some((name, first)) = parameters.iter().find(|(key, _)| key == name) {
                return Err(SpecError::Twice {
                    name: name.clone(),
                    first: first.clone(),
                    value: value.to_owned(),
                    kind,
                });
            }
            parameters.push((name.to_owned(), value.to_owned()));
        }
        Ok(Spec { kind, parameters })
    }
}

fn known_parameters(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "random" | "simple" => &[],
        "mu" => &["iterations", "c", "time"],
        "ismcts" => &["iterations", "c", "rollout", "time", "rules"],
        "pimc" => &[
            "worlds",
            "time",
            "memory",
            "rules",
            "inference",
            "exact",
            "from",
            "iterations",
        ],
        _ => return None,
    })
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        if self.kind == "external" {
            return write!(f, ":{}", self.parameter("command").unwrap_or(""));
        }
        let mut before = ':';
        for (name, value) in &self.parameters {
            write!(f, "{before}{name}={value}")?;
            before = ',';
        }
        Ok(())
    }
}

impl Spec {
    /// The player's name, without parameters.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The text of a parameter, if it is given.
    pub(super) fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// A number within bounds, or `default` if it is not given.
    pub(super) fn read<T: FromStr + PartialOrd + fmt::Display>(
        &self,
        name: &str,
        default: T,
        (low, high): (T, T),
    ) -> Result<T, SpecError> {
        let Some(text) = self.parameter(name) else {
            return Ok(default);
        };
        let within = |value: &T| (&low..=&high).contains(&value);
        text.parse()
            .ok()
            .filter(within)
            .ok_or_else(|| SpecError::Value {
                kind: self.kind.clone(),
                name: name.to_owned(),
                value: text.to_owned(),
                expected: format!("{low} to {high}"),
            })
    }

    /// The error that a parameter should have been something else.
    pub(super) fn wrong_value(&self, name: &str, expected: impl fmt::Display) -> SpecError {
        SpecError::Value {
            kind: self.kind.clone(),
            name: name.to_owned(),
            value: self.parameter(name).unwrap_or("").to_owned(),
            expected: expected.to_string(),
        }
    }
}
