//! The order in which DDS lists equally good cards.
//!
//! DDS lists cards of equal score in the order in which its search tries them at the
//! root: by weight, sorted by a network.

use setrograde_cards::{Card, Position};
use setrograde_solver::{CardTricks, Choice};

use super::network;
use super::weights::Table;

/// Sorts cards by falling tricks, and equal ones as DDS does. `legal` has all
/// cards that may be played, one of each run, by suit and falling rank.
pub fn sort(position: &Position, legal: &[Choice], cards: &mut [CardTricks]) {
    let order = of(position, legal);
    let rank = |card: Card| order.iter().position(|&other| other == card);
    cards.sort_by_key(|card| (std::cmp::Reverse(card.tricks), rank(card.card)));
}

/// The cards of `legal` in DDS's order.
pub fn of(position: &Position, legal: &[Choice]) -> Vec<Card> {
    let table = Table::new(position, legal);
    let mut order: Vec<(i32, Card)> = legal
        .iter()
        .map(|card| (table.weight(card), card.card))
        .collect();
    network::sort(&mut order);
    order.into_iter().map(|(_, card)| card).collect()
}
