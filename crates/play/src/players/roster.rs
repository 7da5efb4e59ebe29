//! Players by their names.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use setrograde_lookup::Database;

use super::clock::Clock;
use super::external::External;
use super::ismcts::{Ismcts, Rollout};
use super::mu::Mu;
use super::pimc::{Pimc, Sampling};
use super::relay::Relay;
use super::simple::{Random, Simple};
use super::spec::{Spec, SpecError};
use crate::inference::Inferring;
use crate::player::Player;
use setrograde_games::{Game, Strengths};

/// The resources that players share, and the defaults of their parameters.
#[derive(Clone, Debug)]
pub struct Roster {
    /// An endgame database, for exact endings.
    pub database: Option<Arc<Database>>,
    /// Set to true to make players stop with [`PlayerError::Cancelled`](crate::players::PlayerError::Cancelled).
    pub cancel: Arc<AtomicBool>,
    /// Layouts that `pimc` looks at.
    pub worlds: usize,
    /// Iterations of `mu` and `ismcts`.
    pub iterations: usize,
    /// The time for a card: players stop early when it is over. Results then
    /// depend on the machine.
    pub time: Option<Duration>,
    /// The time that an external program has for a card.
    pub patience: Duration,
}

impl Default for Roster {
    fn default() -> Roster {
        Roster {
            database: None,
            cancel: Arc::new(AtomicBool::new(false)),
            worlds: 20,
            iterations: 1_000,
            time: None,
            patience: Duration::from_secs(10),
        }
    }
}

impl Roster {
    /// The player of this name and with these parameters.
    ///
    /// # Errors
    ///
    /// If a parameter has a value that it cannot have, the player does not play
    /// this game, or a program cannot be started.
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
                iterations: self.iterations(spec)?,
                exploration: spec.read("c", std::f64::consts::SQRT_2, (0.0, 100.0))?,
                clock: clock.clone(),
                dead_ends: 0,
            }),
            "ismcts" => Box::new(self.ismcts(spec, &rules, &clock)?),
            "pimc" => Box::new(self.pimc::<G>(spec, &rules, &clock)?),
            "external" => {
                let command = spec.parameter("command").unwrap_or("");
                Box::new(External::start(command, self.patience)?)
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

    fn iterations(&self, spec: &Spec) -> Result<usize, SpecError> {
        spec.read("iterations", self.iterations, (1, MOST))
    }

    fn ismcts(&self, spec: &Spec, rules: &Strengths, clock: &Clock) -> Result<Ismcts, SpecError> {
        Ok(Ismcts {
            iterations: self.iterations(spec)?,
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

    fn pimc<G: Game>(
        &self,
        spec: &Spec,
        rules: &Strengths,
        clock: &Clock,
    ) -> Result<Pimc, SpecError> {
        if !G::PARTNERS {
            return Err(SpecError::Game {
                kind: spec.kind().to_owned(),
                game: G::NAME,
            });
        }
        let worlds = spec.read("worlds", self.worlds, (1, MOST_WORLDS))?;
        let memory = spec.read("memory", 8, (1, 65_536))? << 20;
        let sampling = Sampling {
            worlds,
            memory: match spec.parameter("memory") {
                Some(_) => memory,
                None => memory.min(ALL_SOLVERS / worlds),
            },
            exact: spec.read("exact", 5, (1, 9))?,
            rules: rules.clone(),
            inference: inference(spec)?,
        };
        Ok(Pimc::new(sampling, self.database.clone(), clock.clone()))
    }
}

/// The most iterations that can be asked for.
const MOST: usize = 10_000_000;

/// The most layouts that can be asked for: each has a solver.
const MOST_WORLDS: usize = 10_000;

/// The bytes of all solvers of a player together, unless a size is asked for.
const ALL_SOLVERS: usize = 1 << 30;

/// The most tricks of a board.
const MOST_TRICKS: usize = 13;

/// The strengths of the rules of thumb that a player is to believe in.
fn rules<G: Game>(spec: &Spec) -> Result<Strengths, SpecError> {
    match spec.parameter("rules") {
        None | Some("none") => Ok(Strengths::NONE),
        Some("mu") => Ok(Strengths::as_published(G::RULES)),
        Some("fitted") => Ok(Strengths::fitted(G::RULES)),
        Some(_) => Err(spec.wrong_value("rules", "none, mu or fitted")),
    }
}

/// Reads the inference from the play of others.
fn inference(spec: &Spec) -> Result<Option<Inferring>, SpecError> {
    match spec.parameter("inference") {
        None | Some("none") => Ok(None),
        Some("fitted") => Ok(Some(Inferring::Fitted)),
        Some(text) => match text.parse() {
            Ok(temperature) if (0.01..=100.0).contains(&temperature) => {
                Ok(Some(Inferring::At(temperature)))
            }
            _ => {
                let expected = "none, fitted or a temperature from 0.01 to 100";
                Err(spec.wrong_value("inference", expected))
            }
        },
    }
}
