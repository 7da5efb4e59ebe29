//! The options and the work that all solving subcommands share.

use clap::Args;
use setrograde::{Ask, Desk};
use std::ffi::OsString;

use super::boards::BoardArgument;
use super::database::DatabaseArgument;
use super::shared::AnswerArguments;
use super::size::Size;
use crate::Outcome;
use crate::questions::Questions;

/// The options of commands that solve.
#[derive(Args)]
pub struct SolverArguments {
    #[command(flatten)]
    db: DatabaseArgument,
    /// Memory limit for the positions that each worker remembers, such as 64M or 2G.
    #[arg(long, value_name = "SIZE", default_value = "256M")]
    memory: Size,
    #[command(flatten)]
    board: BoardArgument,
    #[command(flatten)]
    pub answers: AnswerArguments,
}

impl SolverArguments {
    /// Answers a question about each subject.
    pub fn run<A: Ask + Sync>(&self, ask: &A, subjects: &[OsString]) -> anyhow::Result<Outcome> {
        self.questions(subjects).ask(ask, || self.desk())
    }

    /// Opens the database for a desk with the memory that was given.
    pub fn desk(&self) -> anyhow::Result<Desk> {
        let desk = self.db.desk()?;
        Ok(desk.with_memory(self.memory.addressable()))
    }

    /// How the questions are read.
    pub fn questions<'a>(&'a self, question: &'a [OsString]) -> Questions<'a> {
        Questions {
            wanted: self.board.numbers(),
            ..self.answers.questions(question, 1, true)
        }
    }
}
