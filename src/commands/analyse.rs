//! `setrograde analyse`: the mistakes of a play.

use std::ffi::OsString;
use std::fmt::{self, Display};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use clap::{Args, ValueEnum};
use setrograde::ask::{Analyse, AnalyseAnswer, Table};
use setrograde::cards::Deal;
use setrograde::{
    Desk, Lacks, Play, Refusal, Standings, Start, Style, Subject, Summary, table_deal,
};
use setrograde_parallel::lock;
use setrograde_records::{Board, DoubleDummy, pbn};

use crate::Outcome;
use crate::arguments::solver::SolverArguments;
use crate::output::say;
use crate::questions::raw_bytes::RawBytes;
use crate::questions::{Question, Questions};

/// Find the mistakes of a play: what each card cost, and which were right.
#[derive(Args)]
#[command(after_help = include_str!("../help/analyse.txt"))]
pub struct AnalyseArguments {
    /// Show all tricks as well, with their winners.
    #[arg(long, conflicts_with = "json")]
    explain: bool,
    /// Form of the answers. [default: text]
    #[arg(long, value_enum, conflicts_with = "explain")]
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
    /// The results of an evening, as text or with --json: the ranking, and each board at all its
    /// tables with double dummy and par.
    Results,
}

pub fn run(arguments: &AnalyseArguments) -> anyhow::Result<Outcome> {
    match arguments.format {
        Some(AnalyseFormat::Results) => return results(arguments),
        Some(_) if arguments.solver.answers.json => {
            bail!("--format and --json: expected one of them");
        }
        Some(AnalyseFormat::Pbn) => return write(arguments),
        Some(AnalyseFormat::Text) | None => {}
    }
    let solver = &arguments.solver;
    let summary = Mutex::new(Summary::default());
    let has_scores = AtomicBool::new(false);
    let after = || {
        if has_scores.load(Ordering::Relaxed) {
            say("setrograde: the results at the tables: `setrograde analyse --format results`");
        }
        let summary = lock(&summary);
        let shown = summary.boards() > 0 && (solver.answers.json || summary.boards() > 1);
        shown.then(|| summary.clone())
    };
    let answer = |desk: &mut Desk, question: &Question<'_, Play>| {
        if question.board.is_some_and(|board| board.scores.is_some()) {
            has_scores.store(true, Ordering::Relaxed);
        }
        let found = desk.answer(&Analyse {}, question.ask, question.board)?;
        if let (Some(board), AnalyseAnswer::Play(review)) = (question.board, &found) {
            lock(&summary).add(board, review);
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
    questions.run_then(&desk, answer, after)
}

/// Shows the results of the evening once all its deals are solved.
fn results(arguments: &AnalyseArguments) -> anyhow::Result<Outcome> {
    let solver = &arguments.solver;
    let played = Mutex::new(Vec::new());
    let answer = |desk: &mut Desk, question: &Question<'_, OptionalDeal>| {
        let Some(board) = question.board else {
            return Err(Refusal::question(
                "--format results is for boards of records",
            ));
        };
        let table = match &question.ask.0 {
            Some(deal) => Some(desk.answer(&Table {}, deal, Some(board))?.tricks),
            None => None,
        };
        lock(&played).push((board.clone(), table));
        // It comes with all others.
        Ok(None::<RawBytes>)
    };
    let after = || {
        let mut played = std::mem::take(&mut *lock(&played));
        // The workers finish in any order.
        played.sort_by(|(a, _), (b, _)| {
            (a.line, &a.table, &a.pairs).cmp(&(b.line, &b.table, &b.pairs))
        });
        let mut standings = Standings::default();
        for (board, table) in &played {
            let index = standings.add(board);
            if let Some(table) = table {
                standings.solved(index, *table);
            }
        }
        (standings.boards() > 0).then(|| standings.session())
    };
    let desk = solver.desk()?;
    let questions = solver.questions(&arguments.play);
    questions.run_then(&desk, answer, after)
}

/// The hands of a board, or none: travellers alone have results, too.
struct OptionalDeal(Option<Deal>);

impl Display for OptionalDeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |deal| deal.fmt(f))
    }
}

impl Subject for OptionalDeal {
    fn line(text: &str) -> Result<OptionalDeal, Refusal> {
        Deal::line(text).map(|deal| OptionalDeal(Some(deal)))
    }

    fn board(board: &Board) -> Result<Option<OptionalDeal>, Lacks> {
        Ok(Some(OptionalDeal(table_deal(board).ok())))
    }
}

/// Writes boards with the best cards at each card of the play.
fn write(arguments: &AnalyseArguments) -> anyhow::Result<Outcome> {
    let solver = &arguments.solver;
    let answer = |desk: &mut Desk, question: &Question<'_, Play>| {
        let Some(board) = question.board else {
            return Err(Refusal::question("--format pbn is for boards of records"));
        };
        let play = match &question.ask.start {
            Start::Position(start, _) if !question.ask.cards.is_empty() => {
                Some(desk.best_cards(start, &question.ask.cards)?)
            }
            _ => None,
        };
        let results = DoubleDummy {
            play,
            ..DoubleDummy::default()
        };
        Ok(RawBytes(match question.game {
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
    questions.run(&desk, answer)
}
