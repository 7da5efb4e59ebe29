//! `setrograde db`: what keeps a database in order.

use clap::{Args, Subcommand};

use super::{chunks, digest, estimate, seal, sets, stats, unpack, verify};
use crate::Outcome;

/// Manage a database: its levels, chunks, proofs and sizes.
#[derive(Args)]
#[command(after_help = include_str!("../help/db.txt"))]
pub struct DbArguments {
    #[command(subcommand)]
    command: DbCommand,
}

impl DbArguments {
    pub fn run(&self) -> anyhow::Result<Outcome> {
        self.command.run()
    }
}

/// The database's own commands, in the order of the help.
#[derive(Subcommand)]
#[command(defer = true)]
pub enum DbCommand {
    Stats(stats::StatsArguments),
    Verify(verify::VerifyArguments),
    Unpack(unpack::UnpackArguments),
    Sets(sets::SetsArguments),
    Estimate(estimate::EstimateArguments),
    Chunks(chunks::ChunksArguments),
    Seal(seal::SealArguments),
    Digest(digest::DigestArguments),
}

impl DbCommand {
    pub fn run(&self) -> anyhow::Result<Outcome> {
        match self {
            Self::Stats(arguments) => stats::run(arguments),
            Self::Verify(arguments) => verify::run(arguments),
            Self::Unpack(arguments) => unpack::run(arguments),
            Self::Sets(arguments) => sets::run(arguments),
            Self::Estimate(arguments) => estimate::run(arguments),
            Self::Chunks(arguments) => chunks::run(arguments),
            Self::Seal(arguments) => seal::run(arguments),
            Self::Digest(arguments) => digest::run(arguments),
        }
    }
}
