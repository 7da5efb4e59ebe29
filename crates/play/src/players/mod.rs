//! Players: a view in, a card with its reasons out.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fastrand::Rng;
use setrograde_beliefs::BeliefsError;
use setrograde_cards::Card;
use setrograde_lookup::{Database, ProbeError};
use setrograde_solver::SolveError;
use thiserror::Error;

use crate::clues::Strengths;
use crate::games::Game;
use crate::view::View;

mod alphamu;
pub(crate) mod endings;
mod external;
mod ismcts;
mod mu;
mod pimc;
pub mod thumb;
mod tree;

pub use alphamu::AlphaMuPlayer;
pub use external::{External, view_json};
pub use ismcts::{Ismcts, Rollout};
pub use mu::{Determinizer, Mu};
pub use pimc::Pimc;

/// Somebody who plays cards. A player sits in one seat, for one board after the
/// other; as declarer it plays dummy's cards too.
pub trait Player<G: Game>: Send {
    /// Forgets what was kept of an earlier board.
    fn new_board(&mut self) {}

    /// Chooses one of the cards that the view's [`legal`](View::legal) has.
    /// Everything random comes from `rng`.
    ///
    /// # Errors
    ///
    /// If the view cannot be, the player was cancelled, or what it relies on
    /// failed.
    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<Choice, PlayerError>;
}

/// A card, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The card.
    pub card: Card,
    /// What each card is worth to the player, best first; empty where it does
    /// not compare cards.
    pub worth: Vec<CardWorth>,
    /// How many layouts of the hidden hands it looked at.
    pub worlds: usize,
}

/// What a card is worth to a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardWorth {
    /// The card.
    pub card: Card,
    /// The mean of what the player tries to make large.
    pub value: f64,
    /// How often it was tried.
    pub visits: usize,
}

/// Why a player has no card.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// Nothing may be played: it is not the observer's turn.
    #[error("there is no card to choose")]
    NothingToPlay,
    /// It was told to stop.
    #[error("the player was cancelled")]
    Cancelled,
    /// No layout of the hidden hands fits.
    #[error(transparent)]
    Beliefs(#[from] BeliefsError),
    /// The solver failed.
    #[error(transparent)]
    Solve(SolveError),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] ProbeError),
    /// An external program failed.
    #[error("player {command:?}: {problem}")]
    External {
        /// Its command.
        command: String,
        /// What is wrong.
        problem: String,
    },
}

impl From<SolveError> for PlayerError {
    fn from(error: SolveError) -> PlayerError {
        match error {
            SolveError::Cancelled => PlayerError::Cancelled,
            error => PlayerError::Solve(error),
        }
    }
}

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

const KINDS: &str = "random, simple, mu, ismcts, pimc, alphamu and external:COMMAND";

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
        let mut parameters = Vec::new();
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
        "pimc" => &["worlds", "time", "memory", "rules", "exact"],
        "alphamu" => &["m", "worlds", "time", "memory", "rules", "visits"],
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
    fn parameter(&self, name: &str) -> Option<&str> {
        let found = self.parameters.iter().rev().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    fn read<T: FromStr + PartialOrd + fmt::Display>(
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

    fn wrong_value(&self, name: &str, expected: impl fmt::Display) -> SpecError {
        SpecError::Value {
            kind: self.kind.clone(),
            name: name.to_owned(),
            value: self.parameter(name).unwrap_or("").to_owned(),
            expected: expected.to_string(),
        }
    }
}

/// What players share, and the defaults of their parameters.
#[derive(Clone, Debug)]
pub struct Roster {
    /// An endgame database, for exact endings.
    pub database: Option<Arc<Database>>,
    /// Set to true to make players stop with [`PlayerError::Cancelled`].
    pub cancel: Arc<AtomicBool>,
    /// Layouts that `pimc` looks at.
    pub worlds: usize,
    /// Iterations of `mu` and `ismcts`.
    pub iterations: usize,
    /// The time for a card: players stop early when it is over. Results then
    /// depend on the machine.
    pub time: Option<Duration>,
    /// How long an external program may take for a card.
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
        let most = 10_000_000;
        let milliseconds: u64 = spec.read("time", 0, (0, 3_600_000))?;
        let time = match milliseconds {
            0 => self.time,
            milliseconds => Some(Duration::from_millis(milliseconds)),
        };
        let clock = Clock {
            time,
            cancel: self.cancel.clone(),
        };
        let rules = match spec.parameter("rules") {
            None | Some("none") => Strengths::NONE,
            Some("mu") => Strengths::as_published::<G>(),
            Some("fitted") => Strengths::fitted::<G>(),
            Some(_) => return Err(spec.wrong_value("rules", "none, mu or fitted")),
        };
        Ok(match spec.kind.as_str() {
            "random" => Box::new(Random),
            "simple" => Box::new(Simple),
            "mu" => Box::new(Mu {
                iterations: spec.read("iterations", self.iterations, (1, most))?,
                exploration: spec.read("c", std::f64::consts::SQRT_2, (0.0, 100.0))?,
                clock,
                dead_ends: 0,
            }),
            "ismcts" => Box::new(Ismcts {
                iterations: spec.read("iterations", self.iterations, (1, most))?,
                exploration: spec.read("c", 0.7, (0.0, 100.0))?,
                rollout: match spec.parameter("rollout") {
                    None | Some("random") => Rollout::Random,
                    Some("simple") => Rollout::Simple,
                    Some(_) => return Err(spec.wrong_value("rollout", "random or simple")),
                },
                rules,
                database: self.database.clone(),
                clock,
            }),
            kind @ ("pimc" | "alphamu") => {
                if !G::PARTNERS {
                    return Err(SpecError::Game {
                        kind: spec.kind.clone(),
                        game: G::NAME,
                    });
                }
                let pimc = Pimc::new(
                    spec.read("worlds", self.worlds, (1, most))?,
                    spec.read("memory", 8, (1, 65_536))? << 20,
                    spec.read("exact", 5, (1, 9))?,
                    rules,
                    self.database.clone(),
                    clock,
                );
                match kind {
                    "pimc" => Box::new(pimc),
                    _ => Box::new(AlphaMuPlayer::new(
                        pimc,
                        spec.read("m", 2, (1, 20))?,
                        spec.read("visits", 20_000, (1, u64::MAX))?,
                    )),
                }
            }
            "external" => {
                let command = spec.parameter("command").unwrap_or("");
                Box::new(External::start(command, self.patience)?)
            }
            kind => return Err(SpecError::Kind(kind.to_owned())),
        })
    }
}

/// When a player must have decided.
#[derive(Clone, Debug)]
pub struct Clock {
    time: Option<Duration>,
    cancel: Arc<AtomicBool>,
}

impl Clock {
    fn start(&self) -> Running<'_> {
        Running {
            deadline: self.time.map(|time| Instant::now() + time),
            cancel: &self.cancel,
        }
    }
}

struct Running<'a> {
    deadline: Option<Instant>,
    cancel: &'a AtomicBool,
}

impl Running<'_> {
    fn is_over(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn check_cancelled(&self) -> Result<(), PlayerError> {
        match self.cancel.load(Ordering::Relaxed) {
            true => Err(PlayerError::Cancelled),
            false => Ok(()),
        }
    }
}

/// Any legal card, all equally likely.
struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<Choice, PlayerError> {
        let legal = view.legal();
        let at = rng.usize(0..legal.len().max(1));
        plain(legal.nth(at))
    }
}

/// The [rules of thumb](thumb).
struct Simple;

impl<G: Game> Player<G> for Simple {
    fn choose(&mut self, view: &View<G>, _: &mut Rng) -> Result<Choice, PlayerError> {
        let legal = view.legal();
        if legal.is_empty() {
            return Err(PlayerError::NothingToPlay);
        }
        let hand = view.hand(view.to_play()).unwrap_or(legal);
        let partner = Some(view.to_play().partner());
        // Cards of the partner's hand, where it is seen, are not out.
        let seen_partner = partner
            .filter(|_| view.dummy().is_some())
            .and_then(|p| view.hand(p));
        let mut out = view.unseen();
        for seat in setrograde_cards::Seat::ALL {
            if seat != view.to_play() && Some(seat) != partner {
                out |= view.hand(seat).unwrap_or_default();
            }
        }
        out -= seen_partner.unwrap_or_default();
        plain(Some(thumb::card(
            view.game(),
            hand,
            legal,
            view.trick(),
            out,
        )))
    }
}

fn plain(card: Option<Card>) -> Result<Choice, PlayerError> {
    Ok(Choice {
        card: card.ok_or(PlayerError::NothingToPlay)?,
        worth: Vec::new(),
        worlds: 0,
    })
}

/// The only card that may be played, if there is but one.
fn forced<G: Game>(view: &View<G>) -> Result<Option<Choice>, PlayerError> {
    let legal = view.legal();
    match legal.len() {
        0 => Err(PlayerError::NothingToPlay),
        1 => plain(legal.first()).map(Some),
        _ => Ok(None),
    }
}

/// Sorts what cards are worth: most first; of equals the lowest rank, then the
/// earlier suit.
fn sort_worth(worth: &mut [CardWorth], by: impl Fn(&CardWorth) -> f64) {
    worth.sort_by(|a, b| {
        by(b)
            .total_cmp(&by(a))
            .then(a.card.rank.cmp(&b.card.rank))
            .then(a.card.suit.cmp(&b.card.suit))
    });
}
