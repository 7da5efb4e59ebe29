//! `setrograde analyse`: the tricks after each card of a play.

use clap::Args;
use setrograde_cards::{Card, Position, TextError};
use setrograde_solver::SolveError;

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
        let tricks: Vec<u8> = analysis.tricks(start.leader()).collect();
        let played = played(start, &cards, &tricks);
        let leader = start.leader();
        let (at_start, left) = (tricks[0], start.tricks_left());
        if arguments.solver.answers.json {
            return Ok(Answer::json(Play {
                question: text,
                leader: leader.to_string(),
                tricks: at_start,
                tricks_left: left,
                cards: played,
            }));
        }
        if !arguments.explain {
            let tricks: Vec<String> = tricks.iter().map(u8::to_string).collect();
            return Ok(Answer::Text(format!("{text}\t{}", tricks.join(" "))));
        }
        let (name, partner) = (leader.name(), leader.partner().name());
        let mut lines = format!("{text}\n{name} and {partner} take {at_start} of {left} tricks\n");
        for card in played {
            lines += &format!("  {} {} {:3}", card.seat, card.card, card.tricks);
            if card.gives_away > 0 {
                lines += &format!("  gives away {}", card.gives_away);
            }
            lines.push('\n');
        }
        Ok(Answer::Text(lines))
    })
}

/// Each card with the seat that played it, the tricks of the leader's side after it, and
/// how many it cost the side that played it.
fn played(start: Position, cards: &[Card], tricks: &[u8]) -> Vec<PlayedCard> {
    let mut position = start;
    let mut played = Vec::new();
    for (pair, &card) in tricks.windows(2).zip(cards) {
        played.push(PlayedCard {
            seat: position.to_play().to_string(),
            card: card.to_string(),
            tricks: pair[1],
            gives_away: pair[0].abs_diff(pair[1]),
        });
        let next = position.play(card);
        position = next.expect("the analysis has played the same cards");
    }
    played
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
