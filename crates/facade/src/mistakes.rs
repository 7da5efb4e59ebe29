//! A play, card by card: the cost of each card, and the right cards.

use std::fmt::Write;

use serde::{Serialize, Serializer};
use setrograde_cards::{Card, Contract, Position, Seat, Side};
use setrograde_claim::tricks;
use setrograde_solver::{SolveError, Solver};

use crate::results::best;
use crate::{Board, QuestionKind, Report, Words, cards_by_suit, outcome, shown};

/// A play and the costs of its cards.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(from = "ReviewObject<'static>", into = "ReviewObject<'static>")
)]
pub struct Review {
    /// The position before the first card.
    pub start: Position,
    /// The contract, if it is known.
    pub contract: Option<Contract>,
    /// The tricks that the declarer took, if they are known.
    pub result: Option<u8>,
    /// The declarer's tricks in the record, if they differ.
    pub recorded: Option<u8>,
    /// Double-dummy tricks of the leader's side at the start, out of those left.
    pub tricks: u8,
    /// The cards in the order of play.
    pub steps: Vec<Step>,
}

/// A played card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Step {
    /// Number of the trick, from 1.
    pub trick: usize,
    /// The hand that it came from.
    pub seat: Seat,
    /// The card.
    pub card: Card,
    /// Tricks of the side that leads first, in all, without errors after this card.
    pub tricks: u8,
    /// The cost in tricks for the side that played it.
    #[serde(rename = "gives_away")]
    pub cost: u8,
    /// The right cards, if this one was a mistake; by suit from the top.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub right: Vec<Card>,
    /// The hand that wins the trick, if this card ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winner: Option<Seat>,
}

/// The end of a play before its last card, with a result: a claim, or the rest was not
/// recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Number of cards played.
    pub cards: usize,
    /// The declarer's tricks double dummy from there, with those won before.
    pub tricks: u8,
    /// The declarer's tricks in the record.
    pub result: u8,
}

impl Review {
    /// Reviews the cards `play`, played from `start` on.
    ///
    /// # Errors
    ///
    /// If a card cannot be played, the search was cancelled, or the database fails.
    pub fn new(solver: &mut Solver, start: &Position, play: &[Card]) -> Result<Review, SolveError> {
        let analysis = solver.analyse(start, play)?;
        let tricks: Vec<u8> = analysis.tricks(start.leader()).collect();
        let mut position = *start;
        let mut steps = Vec::with_capacity(play.len());
        for (pair, (index, &card)) in tricks.windows(2).zip(play.iter().enumerate()) {
            let cost = pair[0].abs_diff(pair[1]);
            let right = if cost > 0 {
                best(solver, &position)?.cards().collect()
            } else {
                Vec::new()
            };
            let next = position
                .play(card)
                .map_err(|source| SolveError::IllegalCard { index, source })?;
            steps.push(Step {
                trick: start.tricks_left() - position.tricks_left() + 1,
                seat: position.to_play(),
                card,
                tricks: pair[1],
                cost,
                right,
                winner: next.is_trick_boundary().then(|| next.leader()),
            });
            position = next;
        }
        Ok(Review {
            start: *start,
            contract: None,
            result: None,
            recorded: None,
            tricks: tricks[0],
            steps,
        })
    }

    /// The review with the contract and the result of its board, so it takes the declarer's view.
    #[must_use]
    pub(crate) fn of_board(mut self, board: &Board) -> Review {
        let whole = self.start.tricks_left() == 13;
        let led = |contract: &Contract| contract.leader() == self.start.leader();
        self.contract = board.contract.filter(|contract| whole && led(contract));
        let finished = || Some(self.tricks_at(self.steps.len())).filter(|_| self.is_finished());
        self.result = match self.contract {
            Some(_) => finished().or(board.result),
            None => None,
        };
        self.recorded = board.result.filter(|_| self.result.is_some());
        self.recorded = self.recorded.filter(|_| self.recorded != self.result);
        self
    }

    /// Returns true if every card has been played.
    fn is_finished(&self) -> bool {
        let cards = self.start.deal().cards_left();
        self.steps.len() == cards
    }

    /// The side whose tricks are shown: declarer's, or without a contract the leader's.
    pub fn side(&self) -> Side {
        match self.contract {
            Some(contract) => contract.declarer.side(),
            None => self.start.leader().side(),
        }
    }

    /// Double-dummy tricks of the [side](Self::side), in all, after this number of cards.
    pub(crate) fn tricks_at(&self, cards: usize) -> u8 {
        let tricks = match cards.checked_sub(1) {
            Some(last) => self.steps[last].tricks,
            None => self.tricks,
        };
        self.of_side(tricks)
    }

    /// Converts the tricks of the leader's side to those of the [side](Self::side).
    fn of_side(&self, tricks: u8) -> u8 {
        if self.start.leader().side() == self.side() {
            tricks
        } else {
            self.start.tricks_left() as u8 - tricks
        }
    }

    /// The cards that cost something.
    pub fn mistakes(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(|step| step.cost > 0)
    }

    /// The end before the last card, if the play has a result without it.
    pub(crate) fn ended(&self) -> Option<Ended> {
        let result = self.result.filter(|_| !self.is_finished())?;
        Some(Ended {
            cards: self.steps.len(),
            tricks: self.tricks_at(self.steps.len()),
            result,
        })
    }

    /// The player that a card counts against: declarer plays dummy's cards.
    pub(crate) fn player(&self, step: &Step) -> Seat {
        match self.contract {
            Some(contract) if step.seat == contract.declarer.partner() => contract.declarer,
            _ => step.seat,
        }
    }

    /// Writes the mistakes, one per line, and how the play ended.
    fn write_mistakes(&self, to: &mut Words) {
        let mistakes: Vec<&Step> = self.mistakes().collect();
        if mistakes.is_empty() && !self.steps.is_empty() {
            to.line("  No card cost a trick.");
        }
        if !mistakes.is_empty() {
            to.line("  trick  hand   card  cost  leaves  right");
        }
        for step in mistakes {
            to.line(format_args!(
                "  {:5}  {:5}  {:4}  {:4}  {:6}  {}",
                step.trick,
                step.seat.name(),
                shown(step.card),
                step.cost,
                self.of_side(step.tricks),
                cards_by_suit(&step.right)
            ));
        }
        if let Some(Ended {
            cards,
            tricks,
            result,
        }) = self.ended()
        {
            let after = match cards {
                0 => "No card is recorded".to_owned(),
                1 => "The record ends after the lead".to_owned(),
                _ => format!("The record ends after {cards} cards"),
            };
            if tricks == result {
                to.line(format_args!("  {after}, with the result that was due."));
            } else {
                to.line(format_args!(
                    "  {after}: {result} tricks, double dummy {tricks}."
                ));
            }
        }
    }

    /// The start, without the cards, and its double-dummy result.
    fn begin(&self, to: &mut Words) {
        if to.asked() != QuestionKind::Board {
            to.title(self.start);
        }
        to.line(self.first_line());
    }

    fn first_line(&self) -> String {
        let (made, of) = (self.tricks_at(0), self.start.tricks_left());
        let Some(contract) = self.contract else {
            let [one, other] = self.side().seats().map(Seat::name);
            let of = tricks(of as u8);
            return format!("  Double dummy {one} and {other} take {made} of {of}.");
        };
        let mut text = format!(
            "  Double dummy {}: {}",
            tricks(made),
            outcome(contract, made)
        );
        if let Some(result) = self.result {
            let _ = write!(
                text,
                "; at the table {result}: {}",
                outcome(contract, result)
            );
        }
        if let Some(recorded) = self.recorded {
            let _ = write!(text, " (the record says {recorded})");
        }
        text + "."
    }

    /// Writes all tricks, one per line, with a mark at each mistake.
    fn write_tricks(&self, to: &mut Words) {
        to.line("  trick                                won by  leaves");
        let tricks = self.steps.chunk_by(|one, next| one.trick == next.trick);
        for trick in tricks {
            let mut line = format!("  {:5}", trick[0].trick);
            for step in trick {
                let mark = if step.cost > 0 { "?" } else { "" };
                let card = format!("{}{mark}", shown(step.card));
                let _ = write!(line, "  {} {card:4}", step.seat.letter());
            }
            let last = &trick[trick.len() - 1];
            let (winner, leaves) = (
                last.winner.map_or("", Seat::name),
                self.of_side(last.tricks),
            );
            to.line(format_args!("{line:37}  {winner:6}  {leaves:6}"));
        }
    }
}

impl Report for Review {
    fn review(&self) -> Option<&Review> {
        Some(self)
    }

    fn words(&self, to: &mut Words) {
        self.begin(to);
        if to.style().explain {
            self.write_tricks(to);
        }
        self.write_mistakes(to);
    }
}

/// A review as an object.
#[derive(Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Review")
)]
struct ReviewObject<'a> {
    /// The seat that leads to the first trick, whose side takes the tricks.
    leader: Seat,
    /// Double-dummy tricks of the leader's side at the start.
    tricks: u8,
    /// The tricks left at the start.
    tricks_left: usize,
    /// The declarer's view, if the contract is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<ReviewedContract>,
    /// The cards in the order of play.
    cards: &'a [Step],
}

/// The declarer's view of a board.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ReviewedContract {
    /// The contract with its declarer.
    contract: Contract,
    /// The declarer.
    declarer: Seat,
    /// The declarer's double-dummy tricks.
    double_dummy: u8,
    /// The tricks that the declarer took, if they are known.
    result: Option<u8>,
    /// The declarer's double-dummy tricks after the last recorded card.
    after_last_card: u8,
}

impl Serialize for Review {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        ReviewObject::from(self).serialize(to)
    }
}

impl<'a> From<&'a Review> for ReviewObject<'a> {
    fn from(review: &'a Review) -> ReviewObject<'a> {
        ReviewObject {
            leader: review.start.leader(),
            tricks: review.tricks,
            tricks_left: review.start.tricks_left(),
            contract: review.contract.map(|contract| ReviewedContract {
                contract,
                declarer: contract.declarer,
                double_dummy: review.tricks_at(0),
                result: review.result,
                after_last_card: review.tricks_at(review.steps.len()),
            }),
            cards: &review.steps,
        }
    }
}

#[cfg(test)]
mod tests {
    use setrograde_cards::{Deal, Strain};
    use setrograde_solver::Options;

    use super::*;
    use crate::words::{Style, render};

    fn explained(review: Review) -> String {
        let style = Style {
            asked: QuestionKind::Board,
            explain: true,
            ..Style::default()
        };
        String::from_utf8(render(&review, "", style)).expect("text")
    }

    /// Random deals played out at random: the costs add up to the lost tricks.
    #[test]
    fn costs_are_double_dummy_less_the_result() {
        let mut solver = Solver::new(Options::default());
        let mut random = fastrand::Rng::with_seed(29);
        for number in 0..20 {
            let deal = Deal::random_ending(13, |n| random.usize(..n));
            let bid = ["1NT", "2S", "3H", "4D", "5C"][number % 5];
            let contract: Contract = format!("{bid}{}", Seat::from_index(number % 4))
                .parse()
                .expect("a contract");
            let start = Position::new(contract.bid.strain(), contract.leader(), deal, &[])
                .expect("a position");
            let (mut position, mut play, mut won) = (start, Vec::new(), 0);
            while position.tricks_left() > 0 {
                let legal: Vec<Card> = position.legal_cards().collect();
                let card = legal[random.usize(..legal.len())];
                position = position.play(card).expect("legal");
                play.push(card);
                let ours = position.leader().side() == contract.declarer.side();
                won += u8::from(position.is_trick_boundary() && ours);
            }
            // Some plays end with a claim for another number of tricks.
            let cut = if number % 3 == 0 { 30 } else { 52 };
            play.truncate(cut);
            let result = if cut == 52 { won } else { (won + 1).min(13) };
            let board = Board {
                contract: Some(contract),
                result: Some(result),
                ..Board::default()
            };
            let review = Review::new(&mut solver, &start, &play).expect("legal");
            let review = review.of_board(&board);
            let table = solver.table(&deal).expect("a table");
            let double_dummy = table.tricks(contract.bid.strain(), contract.declarer);
            assert_eq!(review.tricks_at(0), double_dummy);
            let claim = review
                .ended()
                .map_or(0, |end| i32::from(end.tricks) - i32::from(end.result));
            let lost = |side| {
                let of_side = review.mistakes().filter(|step| step.seat.side() == side);
                of_side.map(|step| i32::from(step.cost)).sum::<i32>()
            };
            let (ours, theirs) = (
                contract.declarer.side(),
                contract.declarer.side().opponents(),
            );
            assert_eq!(
                lost(ours) - lost(theirs) + claim,
                i32::from(double_dummy) - i32::from(result)
            );
            for step in review.mistakes() {
                assert!(!step.right.is_empty() && !step.right.contains(&step.card));
            }
            let text = explained(review);
            assert!(
                text.lines().all(|line| line.chars().count() <= 80),
                "{text}"
            );
        }
    }

    #[test]
    fn winners_and_tricks_without_a_contract() {
        let mut solver = Solver::new(Options::default());
        let start: Position = "NT S N:AQ... 76... 54... K3..."
            .parse()
            .expect("a position");
        let play = ["S4", "S3", "SA", "S6", "SQ"].map(|card| card.parse().expect("a card"));
        let review = Review::new(&mut solver, &start, &play).expect("legal");
        let tricks: Vec<usize> = review.steps.iter().map(|step| step.trick).collect();
        assert_eq!(tricks, [1, 1, 1, 1, 2]);
        assert_eq!(review.steps[3].winner, Some(Seat::North));
        assert_eq!(review.start.strain(), Strain::NoTrump);
        let text = explained(review);
        assert!(
            text.starts_with("\n  Double dummy North and South take 2 of 2 tricks.\n"),
            "{text}"
        );
        assert!(text.contains("    1  S ♠4"), "{text}");
    }
}
