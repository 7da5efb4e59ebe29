//! `setrograde analyse`: the mistakes of a play.

use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

use clap::{Args, ValueEnum};
use serde::Serialize;
use setrograde::ask::{Analyse, AnalyseAnswer};
use setrograde::{Desk, Play, Refusal, Report, Start, Style, Summary, Words};
use setrograde_records::{DoubleDummy, pbn};

use crate::Outcome;
use crate::arguments::solver::SolverArguments;
use crate::questions::{Question, Questions};

/// Find the mistakes of a play: what each card cost, and which were right.
#[derive(Args)]
#[command(after_help = include_str!("../help/analyse.txt"))]
pub struct AnalyseArguments {
    /// Show all tricks as well, with their winners.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Form of the answers. [default: text]
    #[arg(long, value_enum, conflicts_with_all = ["json", "explain"])]
    format: Option<AnalyseFormat>,
    #[command(flatten)]
    solver: SolverArguments,
    /// STRAIN LEADER DEAL CARDS, or files with one play per line or with boards;
    /// `-` is standard input.
    #[arg(required = true, value_name = "PLAY")]
    play: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AnalyseFormat {
    Text,
    /// PBN: the boards with the best cards at each point of the play, in an OptimumPlayTable.
    Pbn,
}

pub fn run(arguments: &AnalyseArguments) -> anyhow::Result<Outcome> {
    if arguments.format == Some(AnalyseFormat::Pbn) {
        return write(arguments);
    }
    let solver = &arguments.solver;
    let summary = Mutex::new(Summary::default());
    let summary = || summary.lock().unwrap_or_else(PoisonError::into_inner);
    let after = || {
        let summary = summary();
        let shown = summary.boards() > 0 && (solver.answers.json || summary.boards() > 1);
        shown.then(|| summary.clone())
    };
    let answer = |desk: &mut Desk, question: &Question<'_, Play>| {
        let found = desk.answer(&Analyse {}, question.ask, question.board)?;
        if let (Some(board), AnalyseAnswer::Play(review)) = (question.board, &found) {
            summary().add(board, review);
        }
        Ok(found)
    };
    let desk = solver.desk()?;
    let questions = Questions {
        style: Style {
            explain: arguments.explain,
            ..Style::default()
        },
        ..solver.questions(&arguments.play)
    };
    questions.run_then(|| desk.another(), answer, after)
}

/// Writes boards with the best cards at each card of the play.
fn write(arguments: &AnalyseArguments) -> anyhow::Result<Outcome> {
    let solver = &arguments.solver;
    let answer = |desk: &mut Desk, question: &Question<'_, Play>| {
        let Some(board) = question.board else {
            return Err(Refusal::question("--format pbn is for boards of records"));
        };
        let play = match &question.ask.start {
            Start::Position(start) if !question.ask.cards.is_empty() => {
                Some(desk.best_cards(start, &question.ask.cards)?)
            }
            _ => None,
        };
        let results = DoubleDummy {
            play,
            ..DoubleDummy::default()
        };
        Ok(GameWithCards(match question.game {
            Some(game) => game.with_double_dummy(&results),
            None => {
                let mut board = board.clone();
                board.double_dummy.play = results.play;
                pbn::write(&board).into_bytes()
            }
        }))
    };
    let desk = solver.desk()?;
    let questions = Questions {
        games: true,
        ..solver.questions(&arguments.play)
    };
    questions.run(|| desk.another(), answer)
}

/// A board as PBN.
#[derive(Serialize)]
struct GameWithCards(Vec<u8>);

impl Report for GameWithCards {
    fn words(&self, to: &mut Words) {
        to.only(&self.0[..]);
    }
}
