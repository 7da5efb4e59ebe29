//! Deals and plays as text, read as DDS 2.9 reads them.

use std::ffi::{c_char, c_int};

use setrograde_cards::{Rank, Suit};

use crate::abi::{Deal, DealPbn, Holdings, PlayTrace, PlayTracePbn, TableDeal, TableDealPbn};
use crate::code::Fault;

/// A parameter that callers may give as numbers or as text.
pub trait Parameter {
    /// Its form as numbers.
    type Read;

    /// Reads it.
    fn read(&self) -> Result<Self::Read, Fault>;
}

impl Parameter for Deal {
    type Read = Deal;

    fn read(&self) -> Result<Deal, Fault> {
        Ok(*self)
    }
}

impl Parameter for DealPbn {
    type Read = Deal;

    fn read(&self) -> Result<Deal, Fault> {
        Ok(Deal {
            trump: self.trump,
            first: self.first,
            trick_suit: self.trick_suit,
            trick_rank: self.trick_rank,
            cards: from_text(&self.cards)?,
        })
    }
}

impl Parameter for TableDeal {
    type Read = Holdings;

    fn read(&self) -> Result<Holdings, Fault> {
        Ok(self.cards)
    }
}

impl Parameter for TableDealPbn {
    type Read = Holdings;

    fn read(&self) -> Result<Holdings, Fault> {
        from_text(&self.cards)
    }
}

impl Parameter for PlayTrace {
    type Read = PlayTrace;

    fn read(&self) -> Result<PlayTrace, Fault> {
        Ok(*self)
    }
}

impl Parameter for PlayTracePbn {
    type Read = PlayTrace;

    fn read(&self) -> Result<PlayTrace, Fault> {
        play(self)
    }
}

/// The bytes before the first 0.
fn text(chars: &[c_char]) -> Vec<u8> {
    let bytes = chars.iter().map(|&byte| byte as u8);
    bytes.take_while(|&byte| byte != 0).collect()
}

/// The holdings of a deal: a seat, then four hands clockwise from it.
pub fn from_text(chars: &[c_char]) -> Result<Holdings, Fault> {
    let text = text(chars);
    let start = text
        .iter()
        .take(3)
        .position(|byte| b"NESWnesw".contains(byte))
        .ok_or(Fault::Pbn)?;
    let seat = b"NESW"
        .iter()
        .position(|&seat| seat == text[start].to_ascii_uppercase())
        .ok_or(Fault::Pbn)?;
    let mut cards = Holdings::default();
    let flat = cards.as_flattened_mut();
    let (mut hand, mut suit) = (0, 0);
    let hands = text.get(start + 2..).unwrap_or_default();
    if hands.split(|&byte| byte == b' ').skip(4).any(is_a_hand) {
        return Err(Fault::Pbn);
    }
    let mut last = 0;
    for &byte in hands {
        if let Some(rank) = rank(byte) {
            if suit == 4 {
                return Err(Fault::Pbn);
            }
            let owner = owner(seat, hand);
            if let Some(holding) = owner.and_then(|owner| flat.get_mut(4 * owner + suit)) {
                *holding |= 1 << rank;
            }
        } else if byte == b'.' {
            suit += 1;
        } else if byte == b' ' {
            hand += 1;
            suit = 0;
        }
        if byte == b' ' && last == b' ' {
            return Err(Fault::Pbn);
        }
        last = byte;
    }
    Ok(cards)
}

/// The same as in DDS 3.1, which also refuses a seat without a colon, a second seat, and more
/// than four hands or suits.
pub fn from_text_strictly(chars: &[c_char]) -> Result<Holdings, Fault> {
    let text = text(chars);
    let is_seat = |byte: &u8| b"NESWnesw".contains(byte);
    let seat = text.iter().take(3).position(is_seat);
    let hands = seat.and_then(|at| text[at + 1..].strip_prefix(b":"));
    let is_sound = |hands: &[u8]| {
        let mut parts = hands.split(|&byte| byte == b' ');
        let few = parts.clone().count() <= 4;
        let dots = |part: &[u8]| part.iter().filter(|&&byte| byte == b'.').count();
        few && parts.all(|part| dots(part) <= 3) && !hands.iter().any(is_seat)
    };
    if hands.is_some_and(is_sound) {
        from_text(chars)
    } else {
        Err(Fault::Pbn)
    }
}

/// Returns true if a part of a text is a hand, not a remark after one.
fn is_a_hand(part: &[u8]) -> bool {
    let is_rank = |&byte: &u8| rank(byte).is_some();
    part.iter().any(is_rank) && part.iter().all(|byte| *byte == b'.' || is_rank(byte))
}

/// The owner of a hand of the text, which starts with `first`. DDS gives parts of
/// the text after the fourth hand to the last seats again and loses the rest.
fn owner(first: usize, hand: usize) -> Option<usize> {
    let owner = match (first, hand) {
        (_, 0..4) => (first + hand) & 3,
        (2, _) => hand - 2,
        (3, _) => hand - 1,
        _ => return None,
    };
    (owner < 4).then_some(owner)
}

/// A rank's number, from its letter in either case.
fn rank(byte: u8) -> Option<u8> {
    Rank::from_letter(byte.into()).map(Rank::value)
}

/// A play: a suit and a rank for each card.
fn play(trace: &PlayTracePbn) -> Result<PlayTrace, Fault> {
    let number = usize::try_from(trace.number).map_err(|_| Fault::Play)?;
    if number > 52 {
        return Err(Fault::Play);
    }
    let text = text(&trace.cards);
    let mut play = PlayTrace {
        number: trace.number,
        suit: [0; 52],
        rank: [0; 52],
    };
    for (index, card) in text.chunks(2).enumerate().take(number) {
        let suit = Suit::from_letter(card[0].into());
        let rank = card.get(1).and_then(|&byte| rank(byte));
        let (Some(suit), Some(rank)) = (suit, rank) else {
            return Err(Fault::Play);
        };
        play.suit[index] = suit.index() as c_int;
        play.rank[index] = rank.into();
    }
    Ok(play)
}
