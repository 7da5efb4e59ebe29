//! The values of a board's fields.

use setrograde_cards::{Card, Hand, Rank, Seat, Suit, Vulnerability};

use crate::Board;
use crate::board::{Room, check_hands, complete};
use crate::error::Problem;

/// The order in which players and hands are written.
pub(super) const SEATS: [Seat; 4] = [Seat::South, Seat::West, Seat::North, Seat::East];

/// The players, those of the open room first.
pub(super) fn names(value: &str) -> Vec<String> {
    let names = value.split(',').map(|name| name.trim().to_owned());
    names.take(8).collect()
}

/// `o5` is board 5 in the open room, `c5` in the closed.
pub(super) fn room_and_number(value: &str) -> (Option<Room>, Option<u32>) {
    let room = match value.chars().next() {
        Some('o' | 'O') => Some(Room::Open),
        Some('c' | 'C') => Some(Room::Closed),
        _ => None,
    };
    let number: String = value
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    (room, number.parse().ok())
}

/// `o`, `n`, `e` or `b`.
pub(super) fn vulnerability(value: &str) -> Result<Option<Vulnerability>, Problem> {
    match value.to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "o" | "0" | "-" => Ok(Some(Vulnerability::None)),
        "n" => Ok(Some(Vulnerability::NorthSouth)),
        "e" => Ok(Some(Vulnerability::EastWest)),
        "b" => Ok(Some(Vulnerability::Both)),
        _ => Err(Problem::expected("sv", value, "one of o n e b")),
    }
}

/// `3S…H…D…C…,…,…,…`: the dealer (1 South, 2 West, 3 North, 4 East) and the
/// hands of South, West, North and East. The last is often left out.
pub(super) fn read_deal(value: &str, board: &mut Board) -> Result<(), Problem> {
    let mut chars = value.chars();
    board.dealer = match chars.next() {
        None => return Ok(()),
        Some('0') => None,
        Some(digit @ '1'..='4') => Some(SEATS[(digit as usize - '1' as usize) % 4]),
        Some(_) => {
            return Err(Problem::expected(
                "md",
                value,
                "a dealer, 1 to 4, and hands",
            ));
        }
    };
    let hands = chars.as_str();
    let mut known: [Option<Hand>; 4] = [None; 4];
    for (place, text) in hands.split(',').enumerate() {
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let Some(seat) = SEATS.get(place) else {
            return Err(Problem::expected("md", value, "at most four hands"));
        };
        known[seat.index()] = Some(read_hand(text)?);
    }
    complete(&mut known);
    check_hands(&known).map_err(Problem::Deal)?;
    board.hands = known;
    Ok(())
}

/// `SAK2HQ…`: the suits in any order, each with its letter before its ranks.
fn read_hand(text: &str) -> Result<Hand, Problem> {
    let bad = || Problem::expected("md", text, "suit letters and ranks, as SAK2HQ");
    let mut hand = Hand::EMPTY;
    let mut suit = None;
    let mut chars = text.chars().peekable();
    while let Some(letter) = chars.next() {
        if let Some(found) = Suit::from_letter(letter) {
            suit = Some(found);
            continue;
        }
        let rank = if letter == '1' && chars.next_if_eq(&'0').is_some() {
            'T'
        } else {
            letter
        };
        let rank = Rank::from_letter(rank).ok_or_else(bad)?;
        if !hand.insert(Card::new(suit.ok_or_else(bad)?, rank)) {
            return Err(bad());
        }
    }
    Ok(hand)
}
