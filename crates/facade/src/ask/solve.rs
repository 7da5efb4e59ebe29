//! The tricks of a position, or the cards to play.

use serde::{Deserialize, Serialize};
use setrograde_cards::Position;
use setrograde_records::Board;
use setrograde_solver::{Target, Wanted};

use crate::desk::{Ask, Desk};
use crate::refusal::Refusal;
use crate::subjects::Start;
use crate::tables::{CardList, PositionTricks, Table};
use crate::words::kinds_of_answer;

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
}

kinds_of_answer! {
    /// The value of a position, or the cards to play in it.
    SolveAnswer:
    /// A deal without a strain: its 20 results.
    Table(Table),
    /// The tricks of a position.
    Tricks(PositionTricks),
    /// The cards to play.
    Cards(CardList)
}

impl Solve {
    fn wanted(&self) -> Result<Option<Wanted>, Refusal> {
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
        let deals = match self.count {
            true if !position.is_trick_boundary() => return Err(not_at_start()),
            true => Some(solver.deals_with_proof(position, tricks)?),
            false => None,
        };
        Ok(PositionTricks::new(position, tricks, deals))
    }
}

/// The error of a count of deals in the middle of a trick.
pub(super) fn not_at_start() -> Refusal {
    Refusal::is("count", "is for positions at the start of a trick")
}

impl Ask for Solve {
    const NAME: &'static str = "solve";
    type Subject = Start;
    type Answer = SolveAnswer;

    fn check(&self) -> Result<(), Refusal> {
        let wanted = self.wanted()?;
        if self.tricks.is_some() && !matches!(wanted, Some(Wanted::AllBest | Wanted::One)) {
            return Err(Refusal::needs("tricks", &["best", "one"]));
        }
        if self.count && wanted.is_some() {
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
        let position = match start {
            Start::Position(position) => position,
            Start::Deal(deal) => {
                let tricks = desk.table(deal)?;
                return Ok(SolveAnswer::Table(Table { tricks }));
            }
        };
        Ok(match self.wanted()? {
            None => SolveAnswer::Tricks(self.tricks_of(desk, position)?),
            Some(wanted) => {
                let target = self.tricks.map_or(Target::Most, Target::AtLeast);
                let solution = desk.solver().solve(position, target, wanted)?;
                let with_equals = wanted != Wanted::One;
                SolveAnswer::Cards(CardList::new(position, &solution, with_equals))
            }
        })
    }
}
