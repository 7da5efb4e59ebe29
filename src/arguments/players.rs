//! The arguments of commands in which players play.

use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use setrograde_games::Goal;
use setrograde_play::players::Roster;

use super::database::DatabaseArgument;
use crate::interrupt;

/// The game.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GameName {
    /// Whist: nobody sees a hand but their own.
    Whist,
    /// The play of a bridge contract.
    Bridge,
    /// Schieber jass, without melds.
    Jass,
    /// Hearts, without passing.
    Hearts,
}

/// The aim of bridge players.
#[derive(Clone, Copy, ValueEnum)]
pub enum GoalName {
    Tricks,
    Contract,
    Score,
    Imps,
}

impl From<GoalName> for Goal {
    fn from(name: GoalName) -> Goal {
        match name {
            GoalName::Tricks => Goal::Tricks,
            GoalName::Contract => Goal::Contract,
            GoalName::Score => Goal::Score,
            GoalName::Imps => Goal::Imps,
        }
    }
}

/// The options that players share.
#[derive(Args)]
pub struct PlayerArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Layouts that `pimc` samples, unless its name says how many.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    worlds: u32,
    /// Iterations of `mu` and `ismcts`, unless their names say how many.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    iterations: u32,
    /// Time for a card, in milliseconds; results then depend on the machine.
    #[arg(long, value_name = "MS")]
    time: Option<u64>,
    /// Time for a card of an external program, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    patience: u64,
}

impl PlayerArguments {
    /// The options that decide which cards are played.
    pub fn settings(&self) -> Value {
        json!({
            "db": self.db.is_named(),
            "worlds": self.worlds,
            "iterations": self.iterations,
            "time": self.time,
        })
    }

    /// The roster that they describe; an interrupt stops its players.
    pub fn roster(&self) -> anyhow::Result<Roster> {
        Ok(Roster {
            database: self.db.open()?,
            cancel: Arc::clone(interrupt::flag()),
            worlds: self.worlds as usize,
            iterations: self.iterations as usize,
            time: self.time.map(Duration::from_millis),
            patience: Duration::from_millis(self.patience),
        })
    }
}
