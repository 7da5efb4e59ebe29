//! `setrograde solve`: positions of any size, also without a database.

use clap::Args;
use setrograde::ask::Solve;
use setrograde::{Desk, Start};
use setrograde_prove::certify_position;
use std::ffi::OsString;

use super::certificates::{CertificateArgument, proved, refusal};
use crate::Outcome;
use crate::arguments::numbers::whole;
use crate::arguments::solver::SolverArguments;
use crate::questions::{Question, check_options};

/// Solve positions: tricks for the leader's side, or cards to play.
#[derive(Args)]
#[command(after_help = include_str!("../help/solve.txt"))]
pub struct SolveArguments {
    /// Show every card that may be played, with its tricks.
    #[arg(long, group = "cards")]
    all: bool,
    /// Show all cards that take the most tricks, or reach the target.
    #[arg(long, group = "cards")]
    best: bool,
    /// Show one card that takes the most tricks, or reaches the target.
    #[arg(long, group = "cards")]
    one: bool,
    /// Tricks that the side to play must take, with --best or --one; cards that reach them are
    /// shown with this number. [default: the maximum]
    #[arg(
        long,
        value_name = "N",
        requires = "cards",
        conflicts_with = "all",
        value_parser = whole::<u8>(..=13)
    )]
    tricks: Option<u8>,
    /// Print the number of deals with the same proof: those with the same suit
    /// lengths in which the top cards that it needs have the same owners. For positions at the
    /// start of a trick.
    #[arg(long, conflicts_with = "cards")]
    count: bool,
    /// Show a line of play that takes these tricks, best by both sides.
    #[arg(long, conflicts_with_all = ["cards", "count"])]
    line: bool,
    #[command(flatten)]
    certificate: CertificateArgument,
    #[command(flatten)]
    solver: SolverArguments,
    /// STRAIN LEADER DEAL, or files with one position per line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<OsString>,
}

pub fn run(arguments: &SolveArguments) -> anyhow::Result<Outcome> {
    let ask = Solve {
        all: arguments.all,
        best: arguments.best,
        one: arguments.one,
        tricks: arguments.tricks,
        count: arguments.count,
        line: arguments.line,
    };
    let solver = &arguments.solver;
    if !arguments.certificate.is_given() {
        return solver.run(&ask, &arguments.position);
    }
    check_options(&ask)?;
    let prove = |desk: &mut Desk, question: &Question<'_, Start>, threads| {
        let file = match question.ask {
            Start::Position(position, _) => {
                let proved = certify_position(position, &desk.solver_options());
                proved.map_err(refusal)?.1
            }
            Start::Deal(deal) => proved(desk, deal, threads)?.1,
        };
        Ok(Some(((), file)))
    };
    arguments.certificate.run(
        solver.questions(&arguments.position),
        solver.desk()?,
        prove,
        |desk, question, ()| desk.answer(&ask, question.ask, question.board),
    )
}
