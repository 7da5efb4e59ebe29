//! Players by their names and parameters, such as `pimc:worlds=20`.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use setrograde_beliefs::{Game, Strengths};
use setrograde_lookup::Database;
use setrograde_solver::{Endgames, Options};
use thiserror::Error;

use super::choice::Clock;
use super::exact::Exact;
use super::external::External;
use super::ismcts::{Ismcts, Rollout};
use super::mu::Mu;
use super::pimc::{KeptLayouts, Pimc};
use super::simple::{Random, Relay, Simple};
use crate::player::Player;

/// The resources that players share.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    /// An endgame database, for exact endings.
    pub database: Option<Arc<Database>>,
    /// Set to true to make players stop with
    /// [`PlayerError::Cancelled`](crate::players::PlayerError::Cancelled).
    pub cancel: Arc<AtomicBool>,
    /// The time for a card: players stop early when it is over. Results then
    /// depend on the machine. An external program has 10 s unless it is set.
    pub time: Option<Duration>,
}

impl Roster {
    /// The player of this name and with these parameters.
    ///
    /// # Errors
    ///
    /// If a parameter has an invalid value, if the player does not play this game, or if a program
    /// cannot be started.
    pub fn player<G: Game>(&self, spec: &Spec) -> Result<Box<dyn Player<G>>, SpecError> {
        let milliseconds: u64 = spec.read("time", 0, (0, 3_600_000))?;
        let time = match milliseconds {
            0 => self.time,
            milliseconds => Some(Duration::from_millis(milliseconds)),
        };
        let clock = Clock {
            time,
            cancel: self.cancel.clone(),
        };
        let rules = rules::<G>(spec)?;
        let player: Box<dyn Player<G>> = match spec.kind() {
            "random" => Box::new(Random),
            "simple" => Box::new(Simple),
            "mu" => Box::new(Mu {
                iterations: spec.iterations()?,
                exploration: spec.read("c", std::f64::consts::SQRT_2, (0.0, 100.0))?,
                clock: clock.clone(),
            }),
            "ismcts" => Box::new(self.ismcts(spec, &rules, &clock)?),
            "pimc" => Box::new(self.pimc(spec, &rules, &clock)?),
            "exact" => Box::new(Exact {
                pimc: self.pimc(spec, &rules, &clock)?,
                tricks: spec.read("tricks", 6, (1, MOST_TRICKS))?,
                layouts: spec.read("layouts", 64, (1, setrograde_single_dummy::MOST_LAYOUTS))?,
                visits: spec.read("visits", 200_000, (1, MOST as u64))?,
            }),
            "external" => {
                let command = spec.parameter("command").unwrap_or("");
                Box::new(External::start(command, time.unwrap_or(PATIENCE))?)
            }
            kind => return Err(SpecError::Kind(kind.to_owned())),
        };
        let from = spec.read("from", MOST_TRICKS, (1, MOST_TRICKS))?;
        Ok(match from {
            MOST_TRICKS => player,
            _ => Box::new(Relay {
                first: self.ismcts(spec, &rules, &clock)?,
                second: player,
                from,
            }),
        })
    }

    fn ismcts(&self, spec: &Spec, rules: &Strengths, clock: &Clock) -> Result<Ismcts, SpecError> {
        Ok(Ismcts {
            iterations: spec.iterations()?,
            exploration: spec.read("c", 0.7, (0.0, 100.0))?,
            rollout: match spec.parameter("rollout") {
                None | Some("random") => Rollout::Random,
                Some("simple") => Rollout::Simple,
                Some(_) => return Err(spec.wrong_value("rollout", "random or simple")),
            },
            rules: rules.clone(),
            database: self.database.clone(),
            clock: clock.clone(),
        })
    }

    fn pimc(&self, spec: &Spec, rules: &Strengths, clock: &Clock) -> Result<Pimc, SpecError> {
        let worlds = spec.read("worlds", 20, (1, MOST_WORLDS))?;
        let memory = spec.read("memory", 8, (1, 65_536))? << 20;
        let database = self.database.clone();
        let solver = Options {
            memory: match spec.parameter("memory") {
                Some(_) => memory,
                None => memory.min(ALL_SOLVERS / worlds),
            },
            endgames: database.map(|database| database as Arc<dyn Endgames>),
            stop: clock.cancel.clone().into(),
        };
        Ok(Pimc {
            layouts: KeptLayouts::new(worlds, solver),
            exact: spec.read("exact", 5, (1, 9))?,
            rules: rules.clone(),
            database: self.database.clone(),
            clock: clock.clone(),
        })
    }
}

/// The time that an external program has for a card unless another is set.
const PATIENCE: Duration = Duration::from_secs(10);

/// Maximum number of iterations.
const MOST: usize = 10_000_000;

/// Maximum number of layouts, each of which has a solver.
const MOST_WORLDS: usize = 10_000;

/// Default memory of all solvers of a player together, in bytes.
const ALL_SOLVERS: usize = 1 << 30;

/// Maximum number of tricks of a board.
const MOST_TRICKS: usize = 13;

/// The strengths of the rules of thumb that a player assumes.
fn rules<G: Game>(spec: &Spec) -> Result<Strengths, SpecError> {
    match spec.parameter("rules") {
        None | Some("none") => Ok(Strengths::NONE),
        Some("mu") => Ok(Strengths::as_published(G::RULES)),
        Some("fitted") => Ok(Strengths::fitted(G::RULES)),
        Some(_) => Err(spec.wrong_value("rules", "none, mu or fitted")),
    }
}

/// A player's name and parameters, such as `pimc:worlds=20,time=100`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Spec {
    kind: String,
    parameters: Vec<(String, String)>,
}

/// A player that does not exist or cannot play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// An unknown player.
    #[error("there is no player {0:?}; there are {KINDS}")]
    Kind(String),
    /// An unknown parameter.
    #[error("{kind} has no parameter {name:?}; it has {known}")]
    Parameter {
        /// The player.
        kind: String,
        /// The parameter.
        name: String,
        /// The player's parameters.
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
    /// An invalid value.
    #[error("{name}={value} of {kind}: expected {expected}")]
    Value {
        /// The player.
        kind: String,
        /// The parameter.
        name: String,
        /// Its value.
        value: String,
        /// The values that it may have.
        expected: String,
    },
    /// A program that cannot be started.
    #[error("player {command:?} cannot be started: {problem}")]
    External {
        /// Its command.
        command: String,
        /// The problem.
        problem: String,
    },
}

const KINDS: &str = "random, simple, mu, ismcts, pimc, exact and external:COMMAND";

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
            "exact",
            "from",
            "iterations",
        ],
        "exact" => &[
            "worlds",
            "tricks",
            "layouts",
            "visits",
            "time",
            "memory",
            "rules",
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
        let value = text.parse().ok().filter(within);
        value.ok_or_else(|| self.wrong_value(name, format_args!("{low} to {high}")))
    }

    /// The number of iterations of `mu` and `ismcts`.
    fn iterations(&self) -> Result<usize, SpecError> {
        self.read("iterations", 1_000, (1, MOST))
    }

    /// The error of a parameter with an unexpected value.
    pub(super) fn wrong_value(&self, name: &str, expected: impl fmt::Display) -> SpecError {
        SpecError::Value {
            kind: self.kind.clone(),
            name: name.to_owned(),
            value: self.parameter(name).unwrap_or("").to_owned(),
            expected: expected.to_string(),
        }
    }
}
