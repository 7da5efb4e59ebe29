//! The arguments of commands in which players play.

use std::error::Error;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use setrograde_beliefs::{Game, Jass, Whist};
use setrograde_play::players::Roster;
use setrograde_play::{Bridge, Goal};

use super::database::DatabaseArgument;
use super::numbers::whole;
use crate::interrupt;

/// The game.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GameName {
    /// Whist: players see only their own hands.
    Whist,
    /// The play of a bridge contract.
    Bridge,
    /// Schieber jass, without melds.
    Jass,
}

/// The game and its options.
#[derive(Args)]
pub struct GameArguments {
    /// The game.
    #[arg(long, value_enum, default_value_t = GameName::Bridge)]
    pub game: GameName,
    /// Random seed of deals and players. [default: 1; at a terminal `play` uses a new one each
    /// time]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(..))]
    pub seed: Option<u64>,
    /// The contract at bridge with its declarer, such as 4SN or 3NTXS. [default: the par
    /// contract; in a tournament, with probability ½ one higher]
    #[arg(long, value_name = "CONTRACT")]
    pub contract: Option<String>,
    /// The aim of bridge players: tricks, contract, score or imps. [default: score]
    #[arg(long, value_name = "GOAL")]
    pub goal: Option<Goal>,
    /// The trump: NT S H D C at whist; D H S C, O (Obe-Abe) or U (Une-Ufe) at jass.
    /// [default: NT and O; each in turn in a tournament]
    #[arg(long, value_name = "TRUMP")]
    pub trump: Option<String>,
}

impl GameArguments {
    /// Refuses options of other games, these and `others`: each has a name, whether it
    /// is given, and whether the game has it.
    pub fn check(&self, others: &[(&str, bool, bool)]) -> anyhow::Result<()> {
        let is_bridge = self.game == GameName::Bridge;
        let own = [
            ("--contract", self.contract.is_some(), is_bridge),
            ("--goal", self.goal.is_some(), is_bridge),
            ("--trump", self.trump.is_some(), !is_bridge),
        ];
        for &(option, is_given, fits) in own.iter().chain(others) {
            let name = self.name();
            ensure!(!is_given || fits, "{option} is not an option of {name}");
        }
        Ok(())
    }

    /// The name of the game.
    pub fn name(&self) -> &'static str {
        match self.game {
            GameName::Whist => Whist::NAME,
            GameName::Bridge => Bridge::NAME,
            GameName::Jass => Jass::NAME,
        }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// The goal of bridge players.
    pub fn goal(&self) -> Goal {
        self.goal.unwrap_or(Goal::Score)
    }

    /// The trump, if it is given.
    pub fn trump<T: FromStr<Err: Error + Send + Sync + 'static>>(
        &self,
    ) -> anyhow::Result<Option<T>> {
        read("--trump", self.trump.as_ref())
    }

    /// The contract, if it is given.
    pub fn contract<T: FromStr<Err: Error + Send + Sync + 'static>>(
        &self,
    ) -> anyhow::Result<Option<T>> {
        read("--contract", self.contract.as_ref())
    }
}

/// Reads the value of an option.
fn read<T: FromStr<Err: Error + Send + Sync + 'static>>(
    option: &str,
    text: Option<&String>,
) -> anyhow::Result<Option<T>> {
    let read = |text: &String| text.parse().with_context(|| format!("{option} {text}"));
    text.map(read).transpose()
}

/// The unit of results, or at bridge of a player's goal.
pub fn unit(game: &str, goal: Goal) -> &'static str {
    match (game, goal) {
        (Bridge::NAME, Goal::Contract) => "chance to make or beat the contract",
        (Bridge::NAME, Goal::Score) => "score",
        (Bridge::NAME, Goal::Imps) => "IMPs",
        (Bridge::NAME, Goal::Tricks) | (Whist::NAME, _) => "tricks",
        _ => "points",
    }
}

/// The options that players share.
#[derive(Args)]
pub struct PlayerArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Time for a card, in milliseconds; results then depend on the machine. [default: none; 10 s
    /// for an external program]
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(..))]
    time: Option<u64>,
}

impl PlayerArguments {
    /// The options that decide which cards are played.
    pub fn settings(&self) -> Value {
        json!({
            "db": self.db.is_named(),
            "time": self.time,
        })
    }

    /// The roster that they describe; an interrupt stops its players.
    pub fn roster(&self) -> anyhow::Result<Roster> {
        Ok(Roster {
            database: self.db.open()?,
            cancel: Arc::clone(interrupt::flag()),
            time: self.time.map(Duration::from_millis),
        })
    }
}
