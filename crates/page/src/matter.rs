//! The cards on which a result depends: the set of positions that share it.

use serde_json::json;
use setrograde_cards::{Card, Hand, Position, Rank, Seat, Suit};
use setrograde_solver::{SolveError, Solver};

use crate::Answer;
use crate::position::{Play, names, whole};

/// A play as for `cards`: the tricks of the side that led or leads to the trick, the most of the
/// side to play, the declarer's in all, the cards that matter, and how many positions share the
/// result.
///
/// Every position with the same suit lengths in each hand in which these cards lie
/// alike has the result: two proofs, that the tricks can be taken and that no more
/// can, need no other card's rank.
pub(crate) fn matter(solver: &mut Solver, text: &str) -> Answer {
    let play = Play::read(text)?;
    let position = &play.end;
    if position.is_finished() {
        return Err("all cards have been played".into());
    }
    let tricks = solver.tricks(position)?;
    let cards = cards(solver, position)?;
    let (same, all) = count(position, &cards);
    let leads = position.leader().side().includes(position.to_play());
    let most = match leads {
        true => tricks,
        false => position.tricks_left() as u8 - tricks,
    };
    Ok(json!({
        "leader": position.leader().to_string(),
        "tricks": tricks,
        "tricks_left": position.tricks_left(),
        "most": most,
        "takes": play.takes(most),
        "matter": names(cards.cards()),
        "same": whole(same),
        "all": whole(all),
    }))
}

/// The cards that matter: those, in hands and on the table, that are at or above the
/// lowest card of their suit that a proof needs.
pub(crate) fn cards(solver: &mut Solver, position: &Position) -> Result<Hand, SolveError> {
    let tricks = solver.tricks(position)?;
    let mut lowest: [Option<Rank>; 4] = [None; 4];
    for need in [tricks, tricks + 1] {
        for card in solver.reaches(position, need)?.cards.cards() {
            let lowest = &mut lowest[card.suit.index()];
            *lowest = Some(lowest.map_or(card.rank, |rank| rank.min(card.rank)));
        }
    }
    let held = Seat::ALL.into_iter();
    let held = held.flat_map(|seat| position.deal().hand(seat).cards());
    let all = held.chain(position.played().iter().copied());
    let matters = |card: &Card| lowest[card.suit.index()].is_some_and(|rank| card.rank >= rank);
    Ok(all.filter(matters).collect())
}

/// The number of positions with the same lengths and these cards in the same hands; and
/// how many have the same lengths at all.
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

/// In how many ways cards can be dealt to hands of these lengths.
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
