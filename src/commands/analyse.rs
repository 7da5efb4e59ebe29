//! `setrograde analyse`: the mistakes of a play.

use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

use clap::Args;
use setrograde::ask::Analyse;
use setrograde::{Ask, Desk, Either, Explained, Play, Summary};

use crate::Outcome;
use crate::arguments::solver::SolverArguments;
use crate::questions::Question;
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
    play: Vec<OsString>,
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
    let ask = Analyse {
        explain: arguments.explain,
    };
    let answer = |desk: &mut Desk, question: &Question<'_, Play>| {
        let found = ask.answer(desk, question.ask, question.board)?;
        if let (Some(board), Either::Other(review)) = (question.board, &found) {
            let (Either::One(Explained(review)) | Either::Other(review)) = review;
            summary().add(board, review);
        }
        Ok(found)
    };
    let desk = solver.desk(session)?;
    let questions = solver.questions(session, &arguments.play);
    questions.run_then(|| desk.another(), answer, after)
}
