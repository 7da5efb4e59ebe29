//! The order in which DDS lists cards that are worth the same.

use setrograde_cards::Position;
use setrograde_solver::CardTricks;

/// Sorts cards by falling tricks, and equal ones as DDS does.
pub fn sort(_position: &Position, cards: &mut [CardTricks]) {
    cards.sort_by_key(|card| std::cmp::Reverse(card.tricks));
}
