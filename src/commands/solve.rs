//! `setrograde solve`: positions of any size, also without a database.

use clap::Args;
use setrograde::{CardList, Either, PositionTricks, Start, Table};
use setrograde_cards::Position;
use setrograde_solver::{Solver, Target, Wanted};

use crate::Outcome;
use crate::arguments::solver::SolverArguments;
use crate::questions::NoAnswer;
use crate::session::Session;

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
    /// Tricks that the side to play must take, with --best or --one; cards that
    /// reach them are shown with this number. [default: as many as it can]
    #[arg(
        long,
        alias = "target",
        value_name = "N",
        requires = "cards",
        conflicts_with = "all"
    )]
    tricks: Option<u8>,
    /// Print the number of deals with the same proof: those with the same suit
    /// lengths in which the top cards that it needs lie alike. For positions at the
    /// start of a trick.
    #[arg(long, conflicts_with = "cards")]
    count: bool,
    #[command(flatten)]
    solver: SolverArguments,
    /// STRAIN LEADER DEAL, or files with one position a line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
}

pub fn run(arguments: &SolveArguments, session: &Session) -> anyhow::Result<Outcome> {
    let target = arguments.tricks.map_or(Target::Most, Target::AtLeast);
    let wanted = match arguments {
        SolveArguments { all: true, .. } => Some(Wanted::All),
        SolveArguments { best: true, .. } => Some(Wanted::AllBest),
        SolveArguments { one: true, .. } => Some(Wanted::One),
        _ => None,
    };
    let solver = &arguments.solver;
    solver.run(session, &arguments.position, |solver, question| {
        let position = match question.ask {
            Start::Position(position) => position,
            Start::Deal(deal) => {
                let tricks = solver.table(deal)?;
                return Ok(Either::One(Table { tricks }));
            }
        };
        Ok(Either::Other(match wanted {
            None => Either::One(tricks(solver, position, arguments.count)?),
            Some(wanted) => {
                let solution = solver.solve(position, target, wanted)?;
                let with_equals = wanted != Wanted::One;
                Either::Other(CardList::new(position, &solution, with_equals))
            }
        }))
    })
}

fn tricks(
    solver: &mut Solver,
    position: &Position,
    count: bool,
) -> Result<PositionTricks, NoAnswer> {
    let tricks = solver.tricks(position)?;
    let deals = match count {
        true if !position.is_trick_boundary() => {
            let problem = "--count is for positions at the start of a trick";
            return Err(NoAnswer::refused(problem));
        }
        true => Some(solver.deals_with_proof(position, tricks)?),
        false => None,
    };
    Ok(PositionTricks::new(position, tricks, deals))
}
