//! The arguments of commands that build a level of a database.

use clap::{Args, ValueEnum};
use setrograde_builder::{Build, Method};

use super::database::DirectoryArgument;
use super::shared::ThreadsArgument;

/// A level of a database, and the method that builds it.
#[derive(Args)]
pub struct LevelArguments {
    /// Most cards in an ending, all hands together: a multiple of 4.
    #[arg(long, value_name = "N", default_value_t = 16)]
    pub cards: usize,
    #[command(flatten)]
    pub db: DirectoryArgument,
    #[command(flatten)]
    threads: ThreadsArgument,
    /// The method that finds the sets of endings.
    #[arg(long, value_enum, value_name = "METHOD", default_value_t = MethodName::Refine)]
    method: MethodName,
    /// Print the summary as JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum MethodName {
    /// Split each partition from the top down.
    Refine,
    /// The paper's method: generalize one independent ending after another.
    Setrograde,
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Method {
        match name {
            MethodName::Refine => Method::Refine,
            MethodName::Setrograde => Method::Setrograde,
        }
    }
}

impl LevelArguments {
    /// A build as this program does it.
    pub fn build(&self) -> anyhow::Result<Build> {
        Ok(Build {
            method: self.method.into(),
            threads: self.threads.count(),
            program: concat!("setrograde ", env!("CARGO_PKG_VERSION")).to_owned(),
            ..Build::new(self.db.path()?, self.cards)
        })
    }
}
