//! From a C deal to a position, with DDS's checks in DDS's order.

use std::ffi::c_int;

use setrograde_cards::{Card, Deal, Hand, Holding, Position, Rank, Seat, Strain, Suit};

use crate::abi::{self, Holdings};
use crate::code::Fault;

/// What a board is asked for, checked.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The position.
    pub position: Position,
    /// -1 for as many tricks as can be had, or 0 to 13.
    pub target: i8,
    /// 1 for one card, 2 for all of the best, 3 for all.
    pub solutions: u8,
    /// Whether a single card gets -2 in place of its tricks.
    pub skip_single: bool,
}

/// Checks a board as `SolveBoard` does.
pub fn question(
    deal: &abi::Deal,
    target: c_int,
    solutions: c_int,
    mode: c_int,
) -> Result<Question, Fault> {
    let refusals = [
        (target < -1, Fault::TargetTooLow),
        (target > 13, Fault::TargetAbove13),
        (solutions < 1, Fault::SolutionsTooLow),
        (solutions > 3, Fault::SolutionsTooHigh),
        (mode < 0, Fault::ModeTooLow),
        (mode > 2, Fault::ModeTooHigh),
    ];
    if let Some((_, fault)) = refusals.into_iter().find(|(refused, _)| *refused) {
        return Err(fault);
    }
    let position = position(deal, target)?;
    Ok(Question {
        position,
        target: target as i8,
        solutions: solutions as u8,
        skip_single: mode == 0,
    })
}

/// The strain of a trump suit's number.
pub fn strain(trump: c_int) -> Result<Strain, Fault> {
    match trump {
        0..4 => Ok(Strain::Trump(Suit::from_index(trump as usize))),
        4 => Ok(Strain::NoTrump),
        _ => Err(Fault::Trump),
    }
}

/// The hands of a table of holdings, of which bits 2 to 14 count.
pub fn hands(cards: &Holdings) -> [Hand; 4] {
    cards.map(|hand| Hand::new(hand.map(|bits| Holding::from_bits((bits >> 2) as u16))))
}

/// The position of a deal, `target` tricks being asked for.
fn position(deal: &abi::Deal, target: c_int) -> Result<Position, Fault> {
    let strain = strain(deal.trump)?;
    if !(0..4).contains(&deal.first) {
        return Err(Fault::First);
    }
    let leader = Seat::from_index(deal.first as usize);
    let hands = hands(&deal.cards);
    let played = played(deal);
    let cards: usize = hands.iter().map(Hand::len).sum::<usize>() + played.len();
    if cards == 0 {
        return Err(Fault::ZeroCards);
    }
    if target > (cards as c_int + 3) / 4 {
        return Err(Fault::TargetTooHigh);
    }
    let held = Deal::new(hands).map_err(|_| Fault::DuplicateCards)?;
    let played = played
        .into_iter()
        .map(|(suit, rank)| card(suit, rank).ok_or(Fault::SuitOrRank))
        .collect::<Result<Vec<Card>, Fault>>()?;
    if played.iter().any(|&card| held.owner(card).is_some()) {
        return Err(Fault::PlayedCard);
    }
    Position::new(strain, leader, held, &played).map_err(|_| Fault::CardCount)
}

/// The cards on the table, up to the first rank of 0.
fn played(deal: &abi::Deal) -> Vec<(c_int, c_int)> {
    let cards = deal.trick_suit.into_iter().zip(deal.trick_rank);
    cards.take_while(|&(_, rank)| rank != 0).collect()
}

/// A card from DDS's numbers.
pub fn card(suit: c_int, rank: c_int) -> Option<Card> {
    let suit = (0..4)
        .contains(&suit)
        .then(|| Suit::from_index(suit as usize))?;
    Some(Card::new(suit, Rank::new(u8::try_from(rank).ok()?)?))
}
