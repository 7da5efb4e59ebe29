//! The subcommands, one file each. A new one is a module with its arguments and
//! a function `run`, a variant of [`Subcommand`] and a line in its `run`.

mod analyse;
mod beliefs;
mod build;
mod claim;
mod digest;
mod estimate;
mod odds;
mod par;
mod plan;
mod play;
mod query;
mod seal;
mod single;
mod solve;
mod stats;
mod table;
mod tournament;
mod verify;

use crate::Outcome;

#[derive(clap::Subcommand)]
pub enum Subcommand {
    Build(build::BuildArguments),
    Estimate(estimate::EstimateArguments),
    Plan(plan::PlanArguments),
    Seal(seal::SealArguments),
    Digest(digest::DigestArguments),
    Query(query::QueryArguments),
    Solve(solve::SolveArguments),
    Table(table::TableArguments),
    Par(par::ParArguments),
    Analyse(analyse::AnalyseArguments),
    Claim(claim::ClaimArguments),
    Odds(odds::OddsArguments),
    Single(single::SingleArguments),
    Beliefs(beliefs::BeliefsArguments),
    Play(play::PlayArguments),
    Tournament(tournament::TournamentArguments),
    Stats(stats::StatsArguments),
    Verify(verify::VerifyArguments),
}

impl Subcommand {
    /// Does what the command line says.
    pub fn run(&self) -> anyhow::Result<Outcome> {
        match self {
            Self::Build(arguments) => build::run(arguments),
            Self::Estimate(arguments) => estimate::run(arguments),
            Self::Plan(arguments) => plan::run(arguments),
            Self::Seal(arguments) => seal::run(arguments),
            Self::Digest(arguments) => digest::run(arguments),
            Self::Query(arguments) => query::run(arguments),
            Self::Solve(arguments) => solve::run(arguments),
            Self::Table(arguments) => table::run(arguments),
            Self::Par(arguments) => par::run(arguments),
            Self::Analyse(arguments) => analyse::run(arguments),
            Self::Claim(arguments) => claim::run(arguments),
            Self::Odds(arguments) => odds::run(arguments),
            Self::Single(arguments) => single::run(arguments),
            Self::Beliefs(arguments) => beliefs::run(arguments),
            Self::Play(arguments) => play::run(arguments),
            Self::Tournament(arguments) => tournament::run(arguments),
            Self::Stats(arguments) => stats::run(arguments),
            Self::Verify(arguments) => verify::run(arguments),
        }
    }
}
