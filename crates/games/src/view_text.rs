//! What one seat sees, written in a line.
//!
//! `STRAIN LEADER DEAL`, as elsewhere, with `?` or `-` for hidden hands: all hands as
//! they were dealt, `LEADER` the seat that led to the first trick. Then, as far
//! as needed, `out=` or `hidden=` with the cards of the hidden hands together (without it, the
//! rest of the pack) and the cards played since, in order. The seat written first
//! that is not hidden is the one that looks; a second hand that is not hidden is
//! dummy's.

use setrograde_beliefs::{CardSet, Limits};
use setrograde_cards::{Card, Hand, Seat, Strain};
use thiserror::Error;

use crate::error::TableError;
use crate::game::Game;
use crate::view::View;
use crate::whist::Whist;

/// Why a text is not a view.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {problem}")]
pub struct ViewTextError {
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: String,
}

struct Fields<'a> {
    fields: std::vec::IntoIter<(usize, &'a str)>,
    end: usize,
}

impl<'a> Fields<'a> {
    fn new(text: &'a str) -> Fields<'a> {
        let mut fields = Vec::new();
        let mut start = None;
        let all = text.char_indices().chain([(text.len(), ' ')]);
        for (column, (offset, letter)) in all.enumerate() {
            match (letter.is_whitespace(), start) {
                (false, None) => start = Some((column, offset)),
                (true, Some((column, from))) => {
                    fields.push((column + 1, &text[from..offset]));
                    start = None;
                }
                _ => {}
            }
        }
        Fields {
            fields: fields.into_iter(),
            end: text.trim_end().chars().count() + 1,
        }
    }

    fn next(&mut self, expected: &str) -> Result<(usize, &'a str), ViewTextError> {
        self.fields.next().ok_or_else(|| ViewTextError {
            column: self.end,
            problem: format!("expected {expected}, found nothing"),
        })
    }
}

fn at<T, E: ToString>(column: usize, result: Result<T, E>) -> Result<T, ViewTextError> {
    result.map_err(|error| {
        let text = error.to_string();
        // Errors of parts begin with their own column.
        let inner = text
            .strip_prefix("column ")
            .and_then(|rest| rest.split_once(": "));
        match inner.and_then(|(n, rest)| Some((n.parse::<usize>().ok()?, rest))) {
            Some((inner, rest)) => ViewTextError {
                column: column + inner - 1,
                problem: rest.to_owned(),
            },
            None => ViewTextError {
                column,
                problem: text,
            },
        }
    })
}

impl View<Whist> {
    /// Reads a view of the play of bridge, which begins with a strain and the
    /// seat to the left of the declarer.
    ///
    /// # Errors
    ///
    /// With the column in which something is wrong.
    pub fn read_bridge(text: &str, limits: [Limits; 4]) -> Result<View<Whist>, ViewTextError> {
        View::read(text, limits, |strain, leader| {
            let strain = strain.parse::<Strain>();
            strain.map(|strain| Whist::new(strain, leader.plus(3), 13))
        })
    }
}

impl<G: Game> View<G> {
    /// Reads a view. `game` makes the rules from what stands for the strain and
    /// the seat that led to the first trick.
    ///
    /// # Errors
    ///
    /// With the column in which something is wrong.
    pub fn read<E: ToString>(
        text: &str,
        limits: [Limits; 4],
        game: impl FnOnce(&str, Seat) -> Result<G, E>,
    ) -> Result<View<G>, ViewTextError> {
        let mut fields = Fields::new(text);
        let (strain_column, strain) = fields.next("what is trump")?;
        let (column, leader) = fields.next("the seat that led first")?;
        let leader: Seat = at(column, leader.parse())?;
        let game = at(strain_column, game(strain, leader))?;
        let (column, start) = fields.next("the first seat and a colon, as N:")?;
        let wrong = |problem: &str| ViewTextError {
            column,
            problem: problem.to_owned(),
        };
        let (first, hand) = start
            .split_once(':')
            .ok_or_else(|| wrong("expected the first seat and a colon, as N:"))?;
        let first: Seat = at(column, first.parse())?;
        let mut written = vec![(column + start.len() - hand.len(), hand)];
        if hand.is_empty() {
            written[0] = fields.next("a hand, or ?")?;
        }
        while written.len() < 4 {
            written.push(fields.next("a hand, or ?")?);
        }
        let mut hands = [CardSet::EMPTY; 4];
        let mut seen = Vec::new();
        for (n, &(column, hand)) in written.iter().enumerate() {
            if hand != "?" && hand != "-" {
                let hand: Hand = at(column, hand.parse())?;
                let seat = first.plus(n);
                hands[seat.index()] = hand.into();
                seen.push(seat);
            }
        }
        let (observer, dummy) = match seen[..] {
            [observer] => (observer, None),
            [observer, dummy] => (observer, Some(dummy)),
            _ => return Err(wrong("expected one or two hands, and ? for the others")),
        };
        let known: CardSet = hands.into_iter().collect();
        let mut told = None;
        let mut cards: Vec<Card> = Vec::new();
        let mut columns = Vec::new();
        for (column, field) in fields.fields {
            let out = ["out=", "hidden="].into_iter().find_map(|key| {
                let out = field.strip_prefix(key)?;
                Some((column + key.len(), out))
            });
            match out {
                Some((column, out)) => {
                    let hand: Hand = at(column, out.parse())?;
                    if told.replace(CardSet::from(hand)).is_some() {
                        let problem = "the hidden cards are given twice".to_owned();
                        return Err(ViewTextError { column, problem });
                    }
                }
                None => {
                    cards.push(at(column, field.parse())?);
                    columns.push(column);
                }
            }
        }
        let unseen = told.unwrap_or_else(|| game.pack() - known);
        let seats = (observer, dummy);
        View::from_seen(game, seats, hands, unseen, &[], limits)
            .and_then(|_| View::from_seen(game, seats, hands, unseen, &cards, limits))
            .map_err(|error| {
                let bad = |count: &usize| {
                    View::from_seen(game, seats, hands, unseen, &cards[..*count], limits).is_err()
                };
                let column = match error {
                    TableError::UnequalHands(_) | TableError::SharedCard(_) => column,
                    // The first card that cannot be played.
                    _ => (1..=cards.len())
                        .find(bad)
                        .map_or(column, |n| columns[n - 1]),
                };
                ViewTextError {
                    column,
                    problem: error.to_string(),
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clues::Strengths;

    fn read(text: &str) -> Result<View<Whist>, ViewTextError> {
        View::read_bridge(text, [Limits::default(); 4])
    }

    #[test]
    fn views_are_read() {
        let view = read("NT W N:AQ4... ? 532... ? out=KJT987... SK").expect("a view");
        assert_eq!(view.observer(), Seat::North);
        assert_eq!(view.dummy(), Some(Seat::South));
        assert_eq!(view.to_play(), Seat::North);
        assert_eq!(view.unseen().len(), 5);
        let beliefs = view.beliefs(&Strengths::NONE).expect("layouts");
        assert_eq!(beliefs.count(), 10);
        let whole = read("S N N:AKQJT98765432... ? ? ?").expect("a view");
        assert_eq!(whole.unseen().len(), 39);
    }

    #[test]
    fn errors_name_their_column() {
        let error = |text: &str| read(text).expect_err("refused").to_string();
        assert_eq!(error(""), "column 1: expected what is trump, found nothing");
        assert!(error("X W N:A... ? ? ?").starts_with("column 1: \"X\" is not a strain"));
        assert!(error("NT Q N:A... ? ? ?").starts_with("column 4: \"Q\" is not a seat"));
        assert_eq!(
            error("NT W N:A... ? ?"),
            "column 16: expected a hand, or ?, found nothing"
        );
        assert!(error("NT W N:A... ? K.X.. ?").starts_with("column 17: 'X' is not a rank"));
        assert!(error("NT W N:A... ? K... ? out=QJ... SX").starts_with("column 33: 'X'"));
        assert_eq!(
            error("NT W N:A... ? K... ? out=QJ... S4"),
            "column 32: West is to play and does not hold S4"
        );
        assert_eq!(
            error("NT N N:A.2.. ? K.3.. ? out=QJT9... SA SQ H3"),
            "column 42: South may not play H3; it must play one of K..."
        );
        assert_eq!(
            error("NT N N:A... ? K... ? out=QJ... hidden=T9..."),
            "column 39: the hidden cards are given twice"
        );
        assert_eq!(
            error("NT N N:A... ? A... ? out=QJ..."),
            "column 6: SA is in two hands"
        );
        assert!(error("NT N N:A... ? K... ?").starts_with("column 6: the hands hold"));
        assert!(error("NT N N:? ? ? ?").starts_with("column 6: expected one or two hands"));
    }
}
