//! `setrograde par`: the score when both sides bid as well as the cards allow.

use clap::Args;
use setrograde::{OnePar, Pars};
use setrograde_cards::{Deal, Seat, Vulnerability};

use crate::Outcome;
use crate::arguments::shared::sides;
use crate::arguments::solver::SolverArguments;
use crate::questions::Question;
use crate::session::Session;

/// Find par scores and contracts.
#[derive(Args)]
#[command(after_help = include_str!("../help/par.txt"))]
pub struct ParArguments {
    /// The vulnerable sides: none, NS, EW or both. [default: as the board says, or
    /// else all four cases]
    #[arg(long, value_name = "SIDES", value_parser = sides)]
    vulnerable: Option<Vulnerability>,
    /// The dealer. [default: as the board says, or else each in turn]
    #[arg(long, value_name = "SEAT")]
    dealer: Option<Seat>,
    #[command(flatten)]
    solver: SolverArguments,
    /// A deal in PBN, or files with one deal a line or with boards; `-` is
    /// standard input.
    #[arg(required = true, value_name = "DEAL")]
    deal: Vec<String>,
}

pub fn run(arguments: &ParArguments, session: &Session) -> anyhow::Result<Outcome> {
    let solver = &arguments.solver;
    let threads = solver
        .questions(session, &arguments.deal)
        .threads_for_each();
    solver.run(
        session,
        &arguments.deal,
        |solver, question: &Question<'_, Deal>| {
            let table = solver.table_on(threads, question.ask)?;
            let board = question.board;
            let vulnerabilities = arguments
                .vulnerable
                .or(board.and_then(|board| board.vulnerability))
                .map_or(Vulnerability::ALL.to_vec(), |one| vec![one]);
            let dealers = arguments
                .dealer
                .or(board.and_then(|board| board.dealer))
                .map_or(Seat::ALL.to_vec(), |one| vec![one]);
            let (table, dealers) = (&table, &dealers);
            let par = vulnerabilities.iter().flat_map(|&sides| {
                let dealers = dealers.iter();
                dealers.map(move |&dealer| OnePar::new(table, sides, dealer))
            });
            Ok(Pars { par: par.collect() })
        },
    )
}
