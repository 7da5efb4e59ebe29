//! From a C deal to a position, with DDS's checks in DDS's order.

use std::ffi::c_int;

use setrograde_cards::{Card, Deal, Hand, Holding, Position, Seat};

use crate::abi::{self, Holdings};
use crate::code::Fault;
use crate::numbers::{ALL_RANKS, STRAINS, card};
use crate::unlisted::{Raised, deuce, harmless};

/// A checked question about a board.
#[derive(Clone, Copy, Debug)]
pub struct Question {
    /// The position.
    pub position: Position,
    /// Cards that have another rank in the position than in the deal.
    pub raised: Raised,
    /// -1 for the maximum number of tricks, or 0 to 13.
    pub target: i8,
    /// 1 for one card, 2 for all of the best, 3 for all.
    pub solutions: u8,
    /// True if a single card gets -2 instead of its tricks.
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
    let (position, raised) = position(deal, target)?;
    Ok(Question {
        position,
        raised,
        target: target as i8,
        solutions: solutions as u8,
        skip_single: mode == 0,
    })
}

/// The hands of a table of holdings, of which bits 2 to 14 count.
pub fn hands(cards: &Holdings) -> [Hand; 4] {
    cards.map(|hand| Hand::new(hand.map(|bits| Holding::from_bits((bits >> 2) as u16))))
}

/// The position of a deal, with a target of `target` tricks.
///
/// The number of cards on the table follows from the number of cards in the hands; further listed
/// cards are ignored, as in DDS.
fn position(deal: &abi::Deal, target: c_int) -> Result<(Position, Raised), Fault> {
    let strain = usize::try_from(deal.trump).ok();
    let strain = *strain
        .and_then(|number| STRAINS.get(number))
        .ok_or(Fault::Trump)?;
    if !(0..4).contains(&deal.first) {
        return Err(Fault::First);
    }
    let leader = Seat::from_index(deal.first as usize);
    let bits = || deal.cards.iter().flatten();
    let cards: u32 = bits().map(|bits| (bits & ALL_RANKS).count_ones()).sum();
    if cards == 0 {
        return Err(Fault::ZeroCards);
    }
    let gap = deal
        .trick_rank
        .windows(2)
        .any(|pair| pair[0] == 0 && pair[1] != 0);
    let listed = deal.trick_suit.iter().zip(&deal.trick_rank);
    let strange = listed
        .filter(|&(_, &rank)| rank != 0)
        .any(|(&suit, &rank)| card(suit, rank).is_none());
    let no_cards = |&bits: &u32| bits != 0 && !(4..=ALL_RANKS).contains(&bits);
    if gap || strange || bits().any(no_cards) {
        return Err(Fault::SuitOrRank);
    }
    if target > (cards as c_int + 3) / 4 {
        return Err(Fault::TargetTooHigh);
    }
    if cards > 52 {
        return Err(Fault::TooManyCards);
    }
    let on_table = (4 - cards as usize % 4) % 4;
    let hands = hands(&deal.cards);
    let left = (cards as usize).div_ceil(4);
    for (index, hand) in (0..4).map(|index| (index, leader.plus(index))) {
        if hands[hand].len() != left - usize::from(index < on_table) {
            return Err(Fault::CardCount);
        }
    }
    let owned = |card: Card| hands.iter().any(|hand| hand.contains(card));
    let listed = deal.trick_suit.iter().zip(&deal.trick_rank).take(on_table);
    if listed
        .filter_map(|(&suit, &rank)| card(suit, rank))
        .any(owned)
    {
        return Err(Fault::PlayedCard);
    }
    let raised = Raised::for_lead(deal, on_table);
    let held =
        Deal::new(self::hands(&raised.cards(&deal.cards))).map_err(|_| Fault::DuplicateCards)?;
    let mut played = Vec::with_capacity(on_table);
    for (&suit, &rank) in deal.trick_suit.iter().zip(&deal.trick_rank).take(on_table) {
        let card = match card(suit, rank) {
            Some(card) if !played.contains(&card) => Some(card),
            None if played.is_empty() => deuce(&held, suit),
            _ => harmless(&held, strain, &played),
        };
        played.push(card.ok_or(Fault::CardCount)?);
    }
    let position = Position::with_revokes(strain, leader, held, &played);
    Ok((position.map_err(|_| Fault::CardCount)?, raised))
}
