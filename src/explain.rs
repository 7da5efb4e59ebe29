//! Why an ending has its value: the proving set, in masks and in words.

use std::fmt::Write;

use setrograde_cards::{Card, Position, Seat, Strain, Suit};
use setrograde_lookup::{Ending, EndingSet};

use crate::answer::Answered;

/// The order of the hands in a written mask: partners together, as in the
/// paper.
const MASK_ORDER: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

/// The diagram of the deal, the value, and the set that proves it.
pub fn explain(position: &Position, answered: &Answered) -> String {
    let leader = position.leader();
    let mut text = format!("{}\n\n", position.deal().compass().leader(leader));
    let strain = match position.strain() {
        Strain::NoTrump => "at no trump".to_owned(),
        Strain::Trump(suit) => format!("with {} as trumps", suit.name()),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{} {} {strain}: {} and {} take {} of the {} tricks left.",
        leader.name(),
        if position.is_trick_boundary() { "leads" } else { "has led" },
        leader.name(),
        leader.partner().name(),
        answered.value,
        position.tricks_left(),
    );
    if let Some((_, set)) = &answered.proof {
        explain_set(position, set, &mut text);
    } else {
        text.push_str("The trick under way was searched, what follows it looked up.\n");
    }
    text
}

fn explain_set(position: &Position, set: &EndingSet, text: &mut String) {
    let suits = || Suit::ALL.into_iter().map(|suit| (suit, cards_of(position, suit)));
    text.push_str("\nSo it is in every ending of these suit lengths that fits (N S E W):\n");
    for (suit, cards) in suits().filter(|(_, cards)| !cards.is_empty()) {
        let _ = write!(text, "  {}", suit.symbol());
        for place in 0..cards.len() {
            if place < set.known(suit.index()) {
                let _ = write!(text, " {}", mask_text(set.mask(suit.index(), place)));
            } else {
                text.push_str(" xxxx");
            }
        }
        text.push('\n');
    }
    text.push_str("In words:\n");
    let mut all_free = true;
    for (suit, cards) in suits() {
        for (place, card) in cards.iter().enumerate().take(set.known(suit.index())) {
            let mask = set.mask(suit.index(), place);
            if mask != 15 {
                let _ = writeln!(text, "  {} {card} is with {}.", ordinal(place, suit), seats(mask));
                all_free = false;
            }
        }
    }
    text.push_str(if all_free {
        "  it does not matter who holds which cards.\n"
    } else {
        "  All other cards may lie anywhere.\n"
    });
}

fn cards_of(position: &Position, suit: Suit) -> Vec<Card> {
    let holdings = Seat::ALL.map(|seat| position.deal().hand(seat).holding(suit));
    let all = holdings.into_iter().fold(holdings[0], |all, holding| all.union(holding));
    all.iter().map(|rank| Card::new(suit, rank)).collect()
}

fn mask_text(mask: u8) -> String {
    MASK_ORDER.map(|seat| if mask >> seat.index() & 1 == 1 { '1' } else { '0' }).iter().collect()
}

fn ordinal(place: usize, suit: Suit) -> String {
    let place = match place {
        0 => "top".to_owned(),
        1 => "2nd".to_owned(),
        2 => "3rd".to_owned(),
        n => format!("{}th", n + 1),
    };
    format!("The {place} card of the {},", suit.name())
}

fn seats(mask: u8) -> String {
    let names: Vec<&str> = MASK_ORDER
        .into_iter()
        .filter(|seat| mask >> seat.index() & 1 == 1)
        .map(Seat::name)
        .collect();
    names.join(" or ")
}

/// The set as one line: `♠ 1100 xxxx ♥ xxxx`, hands in the order N S E W.
pub fn set_line(ending: &Ending, set: &EndingSet) -> String {
    let mut text = String::new();
    for suit in Suit::ALL {
        let cards = ending.lengths(suit).total() as usize;
        if cards == 0 {
            continue;
        }
        let _ = write!(text, "{}{}", if text.is_empty() { "" } else { " " }, suit.symbol());
        for place in 0..cards {
            let mask = if place < set.known(suit.index()) {
                mask_text(set.mask(suit.index(), place))
            } else {
                "xxxx".to_owned()
            };
            let _ = write!(text, " {mask}");
        }
    }
    text
}
