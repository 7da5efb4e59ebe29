//! Why an ending has its value: the proving set, in masks and in words.

use std::fmt::Write;

use setrograde_cards::{Card, Position, Seat, Strain, Suit};
use setrograde_lookup::{Ending, EndingSet};

/// The order of the hands in a written mask: partners together, as in the
/// paper.
const MASK_ORDER: [Seat; 4] = [Seat::North, Seat::South, Seat::East, Seat::West];

/// The value of a position, and what proves it.
pub struct Answered {
    /// Tricks for the side that led to the current trick.
    pub value: u8,
    /// The ending and the set that proves its value; `None` in the middle of a
    /// trick.
    pub proof: Option<(Ending, EndingSet)>,
}

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
        if position.is_trick_boundary() {
            "leads"
        } else {
            "has led"
        },
        leader.name(),
        leader.partner().name(),
        answered.value,
        position.tricks_left(),
    );
    if let Some((_, set)) = &answered.proof {
        explain_set(position, set, &mut text);
    } else {
        text.push_str(if position.is_trick_boundary() {
            "This ending is not in the database yet: its first trick was searched, and the \
             rest looked up.\n"
        } else {
            "The current trick was searched, and the rest looked up.\n"
        });
    }
    text
}

fn explain_set(position: &Position, set: &EndingSet, text: &mut String) {
    let suits = || {
        Suit::ALL
            .into_iter()
            .map(|suit| (suit, cards_of(position, suit)))
    };
    text.push_str("\nThe same holds for every ending of these suit lengths with (N S E W):\n");
    for (suit, cards) in suits().filter(|(_, cards)| !cards.is_empty()) {
        let _ = writeln!(text, "  {}", suit_masks(suit, cards.len(), set));
    }
    text.push_str("In words:\n");
    let mut cards_matter = false;
    for (suit, cards) in suits() {
        for (place, card) in cards.iter().enumerate().take(set.known(suit.index())) {
            let mask = set.mask(suit.index(), place);
            if mask != 15 {
                let rank = card.rank.letter();
                let _ = writeln!(text, "  {}{rank} with {}", suit.symbol(), seats(mask));
                cards_matter = true;
            }
        }
    }
    text.push_str(if cards_matter {
        "  all other cards anywhere\n"
    } else {
        "  any cards anywhere\n"
    });
}

/// The cards that all hands hold of a suit, from the top.
pub fn cards_of(position: &Position, suit: Suit) -> Vec<Card> {
    let holdings = Seat::ALL.map(|seat| position.deal().hand(seat).holding(suit));
    let all = holdings
        .into_iter()
        .fold(holdings[0], |all, holding| all.union(holding));
    all.iter().map(|rank| Card::new(suit, rank)).collect()
}

fn mask_text(mask: u8) -> String {
    MASK_ORDER
        .map(|seat| {
            if mask >> seat.index() & 1 == 1 {
                '1'
            } else {
                '0'
            }
        })
        .iter()
        .collect()
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
    let suits: Vec<String> = Suit::ALL
        .into_iter()
        .map(|suit| (suit, ending.lengths(suit).total() as usize))
        .filter(|&(_, cards)| cards > 0)
        .map(|(suit, cards)| suit_masks(suit, cards, set))
        .collect();
    suits.join(" ")
}

fn suit_masks(suit: Suit, cards: usize, set: &EndingSet) -> String {
    let mut text = suit.symbol().to_string();
    for place in 0..cards {
        text.push(' ');
        if place < set.known(suit.index()) {
            text.push_str(&mask_text(set.mask(suit.index(), place)));
        } else {
            text.push_str("xxxx");
        }
    }
    text
}
