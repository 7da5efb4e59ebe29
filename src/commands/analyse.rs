//! `setrograde analyse`: the mistakes of a play.

use std::sync::{Mutex, PoisonError};

use clap::Args;
use setrograde_cards::{Card, Position, TextError};
use setrograde_review::{Review, ReviewObject, Summary, SummaryObject, play_line};
use setrograde_solver::{SolveError, Solver};

use crate::Outcome;
use crate::arguments::solver::{SolverArguments, table_of_board};
use crate::output::errors::one_line;
use crate::questions::{Answer, NoAnswer, Question};

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

pub fn run(arguments: &AnalyseArguments) -> anyhow::Result<Outcome> {
    let json = arguments.solver.answers.json;
    let summary = Mutex::new(Summary::default());
    let summary = || summary.lock().unwrap_or_else(PoisonError::into_inner);
    let after = || {
        let summary = summary();
        let shown = summary.boards() > 0 && (json || summary.boards() > 1);
        shown.then(|| match json {
            true => Answer::json(SummaryObject::from(&*summary)),
            false => Answer::Text(format!("\n{}", summary.in_words().trim_end())),
        })
    };
    let solver = &arguments.solver;
    solver.run_then(&arguments.play, play_line, &after, |solver, question| {
        if question.asks_for_table() {
            return table_of_board(solver, question, json);
        }
        let review = review(solver, question)?;
        if let Some(board) = question.board {
            summary().add(board, &review);
        }
        if json {
            return Ok(Answer::json(ReviewObject::new(question.text, &review)));
        }
        let words = match arguments.explain {
            true => review.explained(),
            false => review.in_words(),
        };
        Ok(Answer::Text(match question.board {
            Some(_) => question.told_below(&words),
            None => format!("{}\n{words}", review.start),
        }))
    })
}

fn review(solver: &mut Solver, question: &Question<'_>) -> Result<Review, NoAnswer> {
    let text = question.text;
    let (start, cards) = split(text);
    let start: Position = start.parse()?;
    let (columns, cards) = read_cards(text, cards)?;
    let review = Review::new(solver, &start, &cards).map_err(|error| match error {
        SolveError::IllegalCard { place, .. } => NoAnswer::At {
            column: columns[place],
            problem: one_line(&error),
        },
        error => error.into(),
    })?;
    Ok(match question.board {
        Some(board) => review.of_board(board),
        None => review,
    })
}

/// The position, and where the cards begin: after the last hand or the cards on
/// the table, which alone have dots or an equals sign in them.
fn split(text: &str) -> (&str, usize) {
    let position_end = text.rfind(['.', '=']).map_or(text.len(), |last| {
        text[last..]
            .find(char::is_whitespace)
            .map_or(text.len(), |blank| last + blank)
    });
    (&text[..position_end], position_end)
}

/// The cards from the byte `start` of a text on, and their columns.
fn read_cards(text: &str, start: usize) -> Result<(Vec<usize>, Vec<Card>), TextError> {
    let mut columns = Vec::new();
    let mut cards = Vec::new();
    let mut at = start;
    for piece in text[start..].split_inclusive(|c: char| c.is_whitespace() || c == ',') {
        let word = piece.trim_end_matches(|c: char| c.is_whitespace() || c == ',');
        if !word.is_empty() {
            let before = text[..at].chars().count();
            cards.push(
                word.parse()
                    .map_err(|error: TextError| error.shifted(before))?,
            );
            columns.push(before + 1);
        }
        at += piece.len();
    }
    Ok((columns, cards))
}
