//! The arguments of commands that build a level of a database.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use setrograde_builder::{Build, CoarseGrain, CoarseLevels, Method};

use super::database::DirectoryArgument;
use super::numbers::{cards, level};
use super::shared::ThreadsArgument;

/// The name of this program in manifests.
pub const PROGRAM: &str = concat!("setrograde ", env!("CARGO_PKG_VERSION"));

/// A level of a database, and the method that builds it.
#[derive(Args)]
pub struct LevelArguments {
    /// Maximum number of cards in an ending, all hands together: a multiple of 4.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = cards)]
    pub cards: usize,
    #[command(flatten)]
    pub db: DirectoryArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The method that finds the sets of endings: refine splits each partition from the top
    /// down; setrograde is the paper's, which generalizes one independent ending after another.
    #[arg(long, value_name = "METHOD", default_value = "refine", value_parser = method(),
        conflicts_with = "coarse_from")]
    method: Method,
    #[command(flatten)]
    coarse: CoarseArguments,
    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,
}

/// The coarse levels of a database.
#[derive(Args)]
pub struct CoarseArguments {
    /// Build the levels from N cards on coarse: sets that almost no search arrives at are not
    /// split, and have an interval instead of a value. A solver is faster with them; no answer
    /// depends on them.
    #[arg(long, value_name = "N", value_parser = level)]
    coarse_from: Option<usize>,
    /// The grain of coarse levels: the share of the questions to a level for which a set is
    /// split. "fine" is 2e-10 at 24 cards and 3e-10 at 28, for a workstation.
    #[arg(long, value_name = "SHARE", requires = "coarse_from", default_value_t = CoarseGrain::LAPTOP)]
    grain: CoarseGrain,
}

impl CoarseArguments {
    /// Returns the levels that are coarse, if any.
    pub fn levels(&self) -> Option<CoarseLevels> {
        self.coarse_from.map(|from| CoarseLevels {
            from,
            grain: self.grain,
        })
    }
}

/// Reads the name of a method.
fn method() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(["refine", "setrograde"]).map(|name| match name.as_str() {
        "setrograde" => Method::Setrograde,
        _ => Method::Refine,
    })
}

impl LevelArguments {
    /// A build as this program does it.
    pub fn build(&self) -> anyhow::Result<Build> {
        Ok(Build {
            method: self.method,
            coarse: self.coarse.levels(),
            threads: self.threads.count(),
            program: PROGRAM.to_owned(),
            ..Build::new(self.db.path()?, self.cards)
        })
    }
}
