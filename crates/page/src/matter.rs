//! The cards on which a result depends: the set of positions that share it.

use serde::Serialize;
use setrograde::same_lengths;
use setrograde_cards::{Card, LargeCount, Seat};
use setrograde_solver::Solver;

use crate::EngineAnswer;
use crate::position::Play;

/// The cards on which a result depends.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct MatterCounts {
    /// The seat that leads, or led, to the trick.
    leader: Seat,
    /// The tricks of its side.
    tricks: u8,
    tricks_left: usize,
    /// The tricks of the side to play.
    most: u8,
    /// The tricks of the declarer's side in all.
    takes: u8,
    /// The cards that matter.
    matter: Vec<Card>,
    /// The number of positions with the same lengths and these cards in the same hands.
    same: LargeCount,
    /// The number of positions with the same lengths.
    all: LargeCount,
}

/// A play as for `cards`: the tricks of the side that led or leads to the trick, the most of the
/// side to play, the declarer's in all, the cards that matter, and the number of positions that
/// share the result.
///
/// Every position with the same suit lengths in each hand in which these cards lie
/// alike has the result: two proofs, that the tricks can be taken and that no more
/// can, need no other card's rank.
pub(crate) fn matter(solver: &mut Solver, text: &str) -> EngineAnswer<MatterCounts> {
    let play = Play::read(text)?;
    let position = &play.end;
    if position.is_finished() {
        return Err("all cards have been played".into());
    }
    let tricks = solver.tricks(position)?;
    let cards = setrograde::matter(solver, position)?;
    let (same, all) = same_lengths(position, cards);
    let leads = position.leader().side().includes(position.to_play());
    let most = if leads {
        tricks
    } else {
        position.tricks_left() as u8 - tricks
    };
    Ok(MatterCounts {
        leader: position.leader(),
        tricks,
        tricks_left: position.tricks_left(),
        most,
        takes: play.takes(most),
        matter: cards.cards().collect(),
        same: LargeCount(same),
        all: LargeCount(all),
    })
}
