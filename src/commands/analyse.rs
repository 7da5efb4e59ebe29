//! `setrograde analyse`: the mistakes of a play.

use std::sync::{Mutex, PoisonError};

use clap::Args;
use setrograde::{Either, Explained, Play, Review, Start, Summary, Table};
use setrograde_solver::{SolveError, Solver};

use crate::Outcome;
use crate::arguments::solver::SolverArguments;
use crate::output::errors::one_line;
use crate::questions::{NoAnswer, Question};
use crate::session::Session;

/// Find the mistakes of a play: what each card cost, and which were right.
#[derive(Args)]
#[command(after_help = include_str!("../help/analyse.txt"))]
pub struct AnalyseArguments {
    /// Show all tricks as well, with their winners.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    #[command(flatten)]
    solver: SolverArguments,
    /// STRAIN LEADER DEAL CARDS, or files with one play a line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "PLAY")]
    play: Vec<String>,
}

pub fn run(arguments: &AnalyseArguments, session: &Session) -> anyhow::Result<Outcome> {
    let solver = &arguments.solver;
    let summary = Mutex::new(Summary::default());
    let summary = || summary.lock().unwrap_or_else(PoisonError::into_inner);
    let after = || {
        let summary = summary();
        let shown = summary.boards() > 0 && (solver.answers.json || summary.boards() > 1);
        shown.then(|| summary.clone())
    };
    let answer = |solver: &mut Solver, question: &Question<'_, Play>| {
        let start = match &question.ask.start {
            Start::Position(start) => start,
            Start::Deal(deal) => {
                let tricks = solver.table(deal)?;
                return Ok(Either::One(Table { tricks }));
            }
        };
        let play = question.ask;
        let review = Review::new(solver, start, &play.cards).map_err(|error| match error {
            SolveError::IllegalCard { place, .. } if question.board.is_none() => NoAnswer::At {
                column: play.columns[place],
                problem: one_line(&error),
            },
            error => error.into(),
        })?;
        let review = match question.board {
            Some(board) => review.of_board(board),
            None => review,
        };
        if let Some(board) = question.board {
            summary().add(board, &review);
        }
        Ok(Either::Other(match arguments.explain {
            true => Either::One(Explained(review)),
            false => Either::Other(review),
        }))
    };
    solver.with_options(session, |options| {
        let questions = solver.questions(session, &arguments.play);
        questions.run_then(|| Solver::new(options.clone()), answer, after)
    })
}
