//! `setrograde par`: the score when both sides bid as well as the cards allow.

use clap::Args;
use setrograde::ask::Par;
use setrograde::cards::{Deal, Seat, Vulnerability};
use std::ffi::OsString;

use super::certificates::{CertificateArgument, proved};
use crate::Outcome;
use crate::arguments::shared::sides;
use crate::arguments::solver::SolverArguments;
use crate::questions::{Question, check_options};

/// Find par scores and contracts.
#[derive(Args)]
#[command(after_help = include_str!("../help/par.txt"))]
pub struct ParArguments {
    /// The vulnerable sides: none, NS, EW or both. [default: those of the board, or all four cases]
    #[arg(long, value_name = "SIDES", value_parser = sides)]
    vulnerable: Option<Vulnerability>,
    /// The dealer. [default: as the board says, or else each in turn]
    #[arg(long, value_name = "SEAT")]
    dealer: Option<Seat>,
    #[command(flatten)]
    certificate: CertificateArgument,
    #[command(flatten)]
    solver: SolverArguments,
    /// A deal in PBN, or files with one deal per line or with boards; `-` is
    /// standard input.
    #[arg(required = true, value_name = "DEAL")]
    deal: Vec<OsString>,
}

pub fn run(arguments: &ParArguments) -> anyhow::Result<Outcome> {
    let ask = Par {
        vulnerable: arguments.vulnerable,
        dealer: arguments.dealer,
        recorded: false,
    };
    let solver = &arguments.solver;
    if !arguments.certificate.is_given() {
        return solver.run(&ask, &arguments.deal);
    }
    check_options(&ask)?;
    arguments.certificate.run(
        solver.questions(&arguments.deal),
        solver.desk()?,
        |desk, question: &Question<'_, Deal>, threads| {
            proved(desk, question.ask, threads).map(Some)
        },
        |desk, question, _| desk.answer(&ask, question.ask, question.board),
    )
}
