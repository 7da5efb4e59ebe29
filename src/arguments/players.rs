//! The arguments of commands in which players play.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use setrograde_games::Goal;
use setrograde_play::players::Roster;

use super::database::DatabaseMemory;
use crate::interrupt;

/// Which game is played.
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

/// What bridge players try to make large.
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

/// What players share.
#[derive(Args)]
pub struct PlayerArguments {
    /// Endgame database to consult for exact endings.
    #[arg(long, value_name = "DIR")]
    db: Option<PathBuf>,
    #[command(flatten)]
    db_memory: DatabaseMemory,
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
    /// What of them decides which cards are played.
    pub fn settings(&self) -> Value {
        json!({
            "db": self.db.is_some(),
            "worlds": self.worlds,
            "iterations": self.iterations,
            "time": self.time,
        })
    }

    /// The roster that they describe; an interrupt stops its players.
    pub fn roster(&self) -> anyhow::Result<Roster> {
        let open = |directory| self.db_memory.open(directory);
        let database = self.db.as_deref().map(open).transpose()?;
        Ok(Roster {
            database: database.map(Arc::new),
            cancel: Arc::clone(interrupt::flag()),
            worlds: self.worlds as usize,
            iterations: self.iterations as usize,
            time: self.time.map(Duration::from_millis),
            patience: Duration::from_millis(self.patience),
        })
    }

    /// Says, if that is wanted, what the roster's database had in memory.
    pub fn report(&self, roster: &Roster) {
        if let Some(database) = &roster.database {
            self.db_memory.report(database);
        }
    }
}
