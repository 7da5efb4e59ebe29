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

pub fn run(arguments: &DbArguments) -> anyhow::Result<Outcome> {
    match &arguments.command {
        DbCommand::Stats(arguments) => stats::run(arguments),
        DbCommand::Verify(arguments) => verify::run(arguments),
        DbCommand::Unpack(arguments) => unpack::run(arguments),
        DbCommand::Sets(arguments) => sets::run(arguments),
        DbCommand::Estimate(arguments) => estimate::run(arguments),
        DbCommand::Chunks(arguments) => chunks::run(arguments),
        DbCommand::Seal(arguments) => seal::run(arguments),
        DbCommand::Digest(arguments) => digest::run(arguments),
    }
}
