//! The cards on which a result depends: the set of positions that share it.

use serde::Serialize;
use setrograde_cards::{Card, Hand, LargeCount, Position, Seat, Suit};
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
    let (same, all) = count(position, &cards);
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

/// The number of positions with the same lengths and these cards in the same hands; and the number
/// with the same lengths.
fn count(position: &Position, cards: &Hand) -> (u128, u128) {
    let mut same = 1;
    let mut all = 1;
    for suit in Suit::ALL {
        let lengths = Seat::ALL.map(|seat| position.deal().hand(seat).holding(suit));
        all *= ways(lengths.map(|held| held.len()));
        same *= ways(lengths.map(|held| {
            let free = |rank: &_| !cards.holding(suit).iter().any(|known| known == *rank);
            held.iter().filter(free).count()
        }));
    }
    (same, all)
}

/// The number of ways to deal cards to hands of these lengths.
fn ways(lengths: [usize; 4]) -> u128 {
    let mut ways = 1;
    let mut cards = 0;
    for length in lengths {
        for taken in 1..=length as u128 {
            cards += 1;
            ways = ways * cards / taken;
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::ways;

    #[test]
    fn ways_to_deal_a_suit() {
        assert_eq!(ways([0; 4]), 1);
        assert_eq!(ways([13, 0, 0, 0]), 1);
        assert_eq!(ways([1, 1, 1, 1]), 24);
        assert_eq!(ways([3, 4, 3, 3]), 1_201_200);
    }
}
