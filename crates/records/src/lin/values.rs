//! The values of a board's fields.

use setrograde_cards::{Hand, Rank, Seat, Suit, Vulnerability};

use crate::Board;
use crate::board::{Room, complete};
use crate::error::Problem;
use crate::lines::{first_digits, may_precede_number, number};

/// The order in which players and hands are written.
pub(super) const SEATS: [Seat; 4] = [Seat::South, Seat::West, Seat::North, Seat::East];

/// The players, those of the open room first, and whether their seats are certain.
///
/// A comma may be part of a name: then a space follows it, and four or eight names remain.
pub(super) fn names(value: &str) -> (Vec<String>, bool) {
    let mut names: Vec<&str> = value.split(',').collect();
    while names.len() > 4 && names.len() != 8 && names.last() == Some(&"") {
        names.pop();
    }
    let plain = |names: &[&str]| names.iter().take(8).map(|n| n.trim().to_owned()).collect();
    let mut joined: Vec<String> = Vec::new();
    for name in &names {
        match joined.last_mut() {
            Some(last) if name.starts_with(' ') && name.trim() != "" => {
                *last = format!("{},{}", last.trim_start(), name.trim_end());
            }
            _ => joined.push(name.trim().to_owned()),
        }
    }
    if joined.len() < names.len() && matches!(joined.len(), 4 | 8) {
        return (joined, true);
    }
    (plain(&names), matches!(names.len(), 0..=4 | 8))
}

/// `o5` is board 5 in the open room, `c5` in the closed.
pub(super) fn room_and_number(value: &str) -> (Option<Room>, Option<u32>) {
    let room = match value.chars().next() {
        Some('o' | 'O') => Some(Room::Open),
        Some('c' | 'C') => Some(Room::Closed),
        _ => None,
    };
    let number = || {
        let (before, digits, after) = first_digits(value)?;
        let is_sure = may_precede_number(before) && !after.starts_with(char::is_alphanumeric);
        number(digits).filter(|_| is_sure)
    };
    (room, number())
}

/// The last number of a heading such as `Round 2 Board 7`.
pub(super) fn last_number(value: &str) -> Result<Option<u32>, Problem> {
    let is_digit = |c: char| c.is_ascii_digit();
    let behind = value.trim_end_matches(|c| !is_digit(c));
    let before = behind.trim_end_matches(is_digit);
    // Of two numbers beside each other neither is sure, nor is one beside a letter.
    let is_sure = may_precede_number(before)
        && !before.trim_end().ends_with(is_digit)
        && !value[behind.len()..].starts_with(char::is_alphanumeric);
    if !behind.is_empty() && !is_sure {
        return Err(Problem::expected("ah", value, "the number of the board"));
    }
    Ok(number(&behind[before.len()..]))
}

/// `o`, `n`, `e` or `b`, or a word for them.
pub(super) fn vulnerability(value: &str) -> Result<Option<Vulnerability>, Problem> {
    match value.trim() {
        "" => Ok(None),
        "n" | "N" => Ok(Some(Vulnerability::NorthSouth)),
        word => match word.parse() {
            Ok(sides) => Ok(Some(sides)),
            Err(_) => Err(Problem::expected("sv", value, "one of o n e b")),
        },
    }
}

/// `3S…H…D…C…,…,…,…`: the dealer (1 South, 2 West, 3 North, 4 East) and the
/// hands of South, West, North and East. The last is often left out.
pub(super) fn read_deal(value: &str, line: u64, board: &mut Board) -> Result<(), Problem> {
    let Some(dealer) = value.chars().next() else {
        return Ok(());
    };
    let (digit, hands) = value.split_at(dealer.len_utf8());
    board.dealer = match dealer {
        '0' => None,
        '1'..='4' => number(digit).map(|nth: usize| SEATS[nth - 1]),
        _ => {
            let dealer = Problem::expected("md", value, "a dealer, 1 to 4, and hands");
            board.doubt(line, dealer);
            None
        }
    };
    // Without a dealer the hands begin at once.
    let hands = if dealer.is_ascii_digit() {
        hands
    } else {
        value
    };
    let mut known = [None; 4];
    for (nth, text) in hands.split(',').enumerate() {
        let text = text.trim();
        // The comma after the fourth hand.
        let is_end = nth == 4 && known.iter().all(Option::is_some);
        if text.is_empty() && (nth < 4 || is_end) {
            continue;
        }
        let Some(seat) = SEATS.get(nth) else {
            return Err(Problem::expected("md", value, "at most four hands"));
        };
        // A small letter among capital ones is a slip.
        let has = |letters: &[u8; 5]| text.bytes().any(|byte| letters.contains(&byte));
        if has(b"akqjt") && has(b"AKQJT") {
            return Err(Problem::expected(
                "md",
                text,
                "cards in capital letters, or in small ones",
            ));
        }
        let hand = text.parse::<Hand>();
        known[*seat] = Some(hand.map_err(|error| Problem::text("md", text, error))?);
    }
    // Two commas in the middle are a slip.
    let is_left_out = |seat: Seat| known[seat].is_none();
    let is_in_middle = [Seat::West, Seat::North].into_iter().any(is_left_out);
    let is_deduced = known.iter().flatten().count() == 3;
    if is_deduced && !hands.split(',').all(|hand| is_tidy(hand.trim())) {
        let expected = "each suit of a hand once, with its cards in their order";
        return Err(Problem::expected("md", value, expected));
    }
    if is_deduced && is_in_middle {
        return Err(Problem::expected(
            "md",
            value,
            "the hands of South, West and North, with or without East's",
        ));
    }
    board.hands = complete(known)?;
    Ok(())
}

/// Returns true if a hand has each suit once and their cards in order, as programs write them: then
/// no sign is missing.
fn is_tidy(hand: &str) -> bool {
    let is_suit = |c: char| Suit::from_letter(c).is_some();
    let suits = hand.chars().filter_map(Suit::from_letter);
    let in_order = |cards: &str| {
        let cards = cards.replace("10", "T");
        let ranks: Option<Vec<Rank>> = cards.chars().map(Rank::from_letter).collect();
        let down = |ranks: &[Rank]| ranks.is_sorted_by(|a, b| a > b);
        ranks.is_some_and(|ranks| down(&ranks) || ranks.is_sorted_by(|a, b| a < b))
    };
    let is_whole = hand
        .chars()
        .filter(|&c| Rank::from_letter(c).is_some())
        .count()
        == 13;
    suits.clone().is_sorted_by(|a, b| a < b)
        && (suits.count() == 4 || !is_whole)
        && hand.split(is_suit).all(in_order)
}
