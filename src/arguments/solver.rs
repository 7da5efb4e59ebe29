//! The options and the work that all solving subcommands share.

use std::sync::Arc;

use clap::Args;
use setrograde::{Ask, Report};
use setrograde_solver::{Endgames, Options, Solver};

use super::boards::BoardArgument;
use super::database::DatabaseArgument;
use super::shared::AnswerArguments;
use super::size::Size;
use crate::Outcome;
use crate::questions::{NoAnswer, Question, Questions};
use crate::session::Session;

/// The options of commands that solve.
#[derive(Args)]
pub struct SolverArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Most memory for the positions that each worker remembers, as in 64M or 2G.
    #[arg(long, alias = "memory", value_name = "SIZE", default_value = "256M")]
    cache: Size,
    #[command(flatten)]
    board: BoardArgument,
    #[command(flatten)]
    pub answers: AnswerArguments,
}

impl SolverArguments {
    /// Answers questions with a solver for each worker.
    pub fn run<A: Ask<Error: Into<NoAnswer>>, R: Report>(
        &self,
        session: &Session,
        question: &[String],
        answer: impl Fn(&mut Solver, &Question<'_, A>) -> Result<R, NoAnswer> + Sync,
    ) -> anyhow::Result<Outcome> {
        self.with_options(session, |options| {
            let questions = self.questions(session, question);
            questions.run(|| Solver::new(options.clone()), answer)
        })
    }

    /// Opens the database, and does some work with the options of each solver.
    pub fn with_options(
        &self,
        session: &Session,
        work: impl FnOnce(&Options) -> anyhow::Result<Outcome>,
    ) -> anyhow::Result<Outcome> {
        let database = self.db.open(session)?;
        work(&Options {
            memory: self.cache.addressable(),
            endgames: database.map(|database| database as Arc<dyn Endgames>),
            stop: session.stop().clone(),
        })
    }

    /// The questions as they are to be read.
    pub fn questions<'a>(&'a self, session: &'a Session, question: &'a [String]) -> Questions<'a> {
        Questions {
            wanted: self.board.numbers(),
            session,
            ..self.answers.questions(question, 1, true)
        }
    }
}
