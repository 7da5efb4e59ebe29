//! The tricks of a position, or the cards to play.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use setrograde_beliefs::joined;
use setrograde_cards::{Card, Contract, Hand, Position, Suit};
use setrograde_solver::{SolveError, Solver, Target, Wanted};

use crate::words::kinds_of_answer;
use crate::{
    Ask, Board, CardList, Desk, Example, PositionTricks, QuestionKind, Refusal, Report, Start,
    Table, Words, shown,
};

/// Tricks for the leader's side, or cards to play, in positions of any size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Solve {
    /// Every playable card, with its tricks.
    pub all: bool,
    /// All cards that take the most tricks, or reach the target.
    pub best: bool,
    /// One card that takes the most tricks, or reaches the target.
    pub one: bool,
    /// Tricks that the side to play must take, with `best` or `one`.
    pub tricks: Option<u8>,
    /// The number of deals with the same proof, for positions at the start of a trick.
    pub count: bool,
    /// A line of play that takes the tricks, best by both sides.
    pub line: bool,
}

kinds_of_answer! {
    /// The value of a position, or the cards to play in it.
    SolveAnswer:
    /// A deal without a strain: its 20 results.
    Table(Table),
    /// The tricks of a position.
    Tricks(PositionTricks),
    /// The cards to play.
    Cards(CardList),
    /// A line of play.
    Line(LineOfPlay)
}

/// A line of play that is best by both sides, and the tricks that it takes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LineOfPlay {
    /// The tricks.
    #[serde(flatten)]
    pub tricks: PositionTricks,
    /// The cards of the play from here, in order.
    pub play: Vec<Card>,
    #[serde(skip)]
    start: Position,
}

impl LineOfPlay {
    /// Finds a line. Of the cards that give nothing away, the first hand plays the highest and each
    /// other hand the lowest, spades before hearts, diamonds and clubs.
    fn new(
        desk: &mut Desk,
        start: &Position,
        contract: Option<Contract>,
    ) -> Result<LineOfPlay, Refusal> {
        let solver = desk.solver();
        let tricks = solver.tricks(start)?;
        let side = start.leader().side();
        let (mut due, mut position, mut play) = (tricks, *start, Vec::new());
        while position.tricks_left() > 0 {
            let target = if position.to_play().side() == side {
                due
            } else {
                (position.tricks_left() as u8).saturating_sub(due)
            };
            let found = solver.solve(&position, Target::AtLeast(target), Wanted::AllBest)?;
            let cards = found.cards.iter();
            let card = if position.is_trick_boundary() {
                let highest = cards.max_by_key(|of| (of.card.rank, Reverse(of.card.suit)));
                highest.map(|of| of.card)
            } else {
                let lowest = cards.map(|of| of.equal_cards().last().unwrap_or(of.card));
                lowest.min_by_key(|card| (card.rank, card.suit))
            };
            let next = card.and_then(|card| Some((card, position.play(card).ok()?)));
            let Some((card, next)) = next else {
                // Only a database that contradicts itself says so.
                return Err(Refusal::question(format_args!(
                    "no card takes {target} of {} tricks, as the value of the position says",
                    position.tricks_left()
                )));
            };
            if next.is_trick_boundary() && next.leader().side() == side {
                due = due.saturating_sub(1);
            }
            play.push(card);
            position = next;
        }
        Ok(LineOfPlay {
            tricks: PositionTricks::new(start, tricks, None).of_contract(contract),
            play,
            start: *start,
        })
    }
}

impl Report for LineOfPlay {
    fn words(&self, to: &mut Words) {
        self.tricks.words(to);
        if to.asked() == QuestionKind::Line {
            return to.beside(format_args!(" {}", joined(&self.play, " ")));
        }
        let begun = self.start.played().len();
        let (first, rest) = self.play.split_at((4 - begun).min(self.play.len()));
        let mut position = self.start;
        for (number, trick) in std::iter::once(first).chain(rest.chunks(4)).enumerate() {
            let (number, seat) = (number + 1, position.to_play().name());
            let cards = joined(trick.iter().copied().map(shown), " ");
            to.line(format_args!("  {number:2}  {seat:5}  {cards}"));
            for &card in trick {
                position = position.play(card).expect("a line of legal cards");
            }
        }
    }
}

impl Solve {
    fn wanted(&self) -> Result<Option<Wanted>, Refusal> {
        if self.line && (self.all || self.best || self.one) {
            return Err(Refusal::one_of(&["all", "best", "one", "line"]));
        }
        Ok(match (self.all, self.best, self.one) {
            (false, false, false) => None,
            (true, false, false) => Some(Wanted::All),
            (false, true, false) => Some(Wanted::AllBest),
            (false, false, true) => Some(Wanted::One),
            _ => return Err(Refusal::one_of(&["all", "best", "one"])),
        })
    }

    fn tricks_of(&self, desk: &mut Desk, position: &Position) -> Result<PositionTricks, Refusal> {
        let solver = desk.solver();
        let tricks = solver.tricks(position)?;
        if self.count && !position.is_trick_boundary() {
            return Err(not_at_start());
        }
        let deals = self
            .count
            .then(|| deals_with_proof(solver, position, tricks));
        let deals = deals.transpose()?;
        Ok(PositionTricks::new(position, tricks, deals))
    }
}

/// Returns the number of deals with the same proof of `tricks` for a position at the start of a trick:
/// those with the same suit lengths in which the cards that mattered, and all higher ones of their
/// suits, have the same owners.
fn deals_with_proof(
    solver: &mut Solver,
    position: &Position,
    tricks: u8,
) -> Result<u128, SolveError> {
    let mut mattered = Hand::EMPTY;
    for target in [tricks, tricks + 1] {
        mattered |= solver.reaches(position, target)?.cards;
    }
    let deal = position.deal();
    let top = Suit::ALL.map(|suit| {
        let lowest = mattered.suit(suit).iter().next();
        lowest.map_or(0, |lowest| {
            let held = deal.hands().iter().flat_map(|hand| hand.suit(suit));
            held.filter(|card| *card >= lowest).count()
        })
    });
    Ok(deal.count_with_top(top))
}

/// The error of a count of deals in the middle of a trick.
pub(super) fn not_at_start() -> Refusal {
    Refusal::is("count", "is for positions at the start of a trick")
}

impl Ask for Solve {
    const NAME: &'static str = "solve";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... 76... 54... K3...", "all": true}"#,
        command: "solve --all",
    };
    type Subject = Start;
    type Answer = SolveAnswer;

    fn check(&self) -> Result<(), Refusal> {
        let wanted = self.wanted()?;
        if self.tricks.is_some() && !matches!(wanted, Some(Wanted::AllBest | Wanted::One)) {
            return Err(Refusal::needs("tricks", &["best", "one"]));
        }
        if self.count && (wanted.is_some() || self.line) {
            return Err(Refusal::is("count", "is for a position, not for cards"));
        }
        Ok(())
    }

    fn answer(
        &self,
        desk: &mut Desk,
        start: &Start,
        _: Option<&Board>,
    ) -> Result<Self::Answer, Refusal> {
        let contract = start.contract();
        let position = match start {
            Start::Position(position, _) => position,
            Start::Deal(deal) => {
                let tricks = desk.table(deal)?;
                return Ok(SolveAnswer::Table(Table { tricks }));
            }
        };
        Ok(match self.wanted()? {
            None if self.line => SolveAnswer::Line(LineOfPlay::new(desk, position, contract)?),
            None => SolveAnswer::Tricks(self.tricks_of(desk, position)?.of_contract(contract)),
            Some(wanted) => {
                let target = self.tricks.map_or(Target::Most, Target::AtLeast);
                let solution = desk.solver().solve(position, target, wanted)?;
                let with_equals = wanted != Wanted::One;
                SolveAnswer::Cards(CardList::new(position, &solution, with_equals))
            }
        })
    }
}
