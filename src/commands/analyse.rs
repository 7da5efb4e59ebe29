//! `setrograde analyse`: the tricks after each card of a play.

use std::fmt::Write;

use clap::Args;
use setrograde_cards::{Card, Position, Seat, TextError};
use setrograde_solver::{Analysis, SolveError};

use crate::Outcome;
use crate::arguments::solver::SolverArguments;
use crate::json::{Play, PlayedCard};
use crate::output::errors::one_line;
use crate::questions::boards::play_line;
use crate::questions::{Answer, NoAnswer};

/// Count the tricks after every card of a play.
#[derive(Args)]
#[command(after_help = include_str!("../help/analyse.txt"))]
pub struct AnalyseArguments {
    /// Show a line for every card, with the tricks that it gave away.
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
    let solver = &arguments.solver;
    solver.run(&arguments.play, play_line, |solver, question| {
        let text = question.text;
        let (start, cards) = split(text);
        let start: Position = start.parse()?;
        let (columns, cards) = read_cards(text, cards)?;
        let analysis = solver
            .analyse(&start, &cards)
            .map_err(|error| match error {
                SolveError::IllegalCard { place, .. } => NoAnswer::At {
                    column: columns[place],
                    problem: one_line(&error),
                },
                error => error.into(),
            })?;
        let played = Played {
            start,
            cards,
            analysis,
        };
        Ok(if arguments.solver.answers.json {
            played.json(text)
        } else if arguments.explain {
            Answer::Text(format!("{text}\n{}", played.readable()))
        } else {
            let tricks: Vec<String> = played
                .analysis
                .tricks(start.leader())
                .map(|tricks| tricks.to_string())
                .collect();
            Answer::Text(format!("{text}\t{}", tricks.join(" ")))
        })
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

/// A play and its trick counts.
struct Played {
    start: Position,
    cards: Vec<Card>,
    analysis: Analysis,
}

impl Played {
    /// For each card: who played it, the tricks of the leader's side after it,
    /// and how many it cost the side that played it.
    fn steps(&self) -> Vec<(Seat, Card, u8, u8)> {
        let leader = self.start.leader();
        let tricks: Vec<u8> = self.analysis.tricks(leader).collect();
        let mut position = self.start;
        let mut steps = Vec::new();
        for (pair, &card) in tricks.windows(2).zip(&self.cards) {
            let seat = position.to_play();
            steps.push((seat, card, pair[1], pair[0].abs_diff(pair[1])));
            position = position
                .play(card)
                .expect("the analysis has played the same cards");
        }
        steps
    }

    fn readable(&self) -> String {
        let leader = self.start.leader();
        let at_start = self.tricks_at_start();
        let mut text = format!(
            "{} and {} take {at_start} of {} tricks\n",
            leader.name(),
            leader.partner().name(),
            self.start.tricks_left()
        );
        for (seat, card, tricks, lost) in self.steps() {
            let _ = write!(text, "  {} {card} {tricks:3}", seat.letter());
            if lost > 0 {
                let _ = write!(text, "  gives away {lost}");
            }
            text.push('\n');
        }
        text
    }

    fn json(&self, question: &str) -> Answer {
        let cards = self.steps().into_iter();
        let cards = cards.map(|(seat, card, tricks, gives_away)| PlayedCard {
            seat: seat.to_string(),
            card: card.to_string(),
            tricks,
            gives_away,
        });
        Answer::json(Play {
            question,
            leader: self.start.leader().to_string(),
            tricks: self.tricks_at_start(),
            tricks_left: self.start.tricks_left(),
            cards: cards.collect(),
        })
    }

    fn tricks_at_start(&self) -> u8 {
        let mut tricks = self.analysis.tricks(self.start.leader());
        tricks.next().expect("an analysis begins with the start")
    }
}
