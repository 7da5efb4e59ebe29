//! Deals and plays as text, some of them spoiled.

use std::ffi::c_char;

use dds::abi::*;
use fastrand::Rng;

/// The letters of the ranks of a holding.
pub fn letters(bits: u32) -> String {
    let ranks = (2..15).rev().filter(|rank| bits >> rank & 1 != 0);
    let letters = ranks.map(|rank| char::from(b"23456789TJQKA"[rank - 2]));
    letters.collect()
}

/// A deal's cards as text, from a seat on.
pub fn text(cards: &Holdings, first: usize) -> PbnText {
    let hands: Vec<String> = (0..4)
        .map(|n| cards[(first + n) & 3].map(letters).join("."))
        .collect();
    chars(&format!(
        "{}:{}",
        ["N", "E", "S", "W"][first & 3],
        hands.join(" ")
    ))
}

pub fn chars<const N: usize>(text: &str) -> [c_char; N] {
    let mut chars = [0; N];
    for (index, byte) in text.bytes().enumerate().take(N) {
        chars[index] = byte as c_char;
    }
    chars
}

pub fn to_pbn(deal: &Deal, random: &mut Rng) -> DealPbn {
    let mut cards = text(&deal.cards, random.usize(0..4));
    if random.u8(0..8) == 0 {
        spoil_text(&mut cards, random);
    }
    DealPbn {
        trump: deal.trump,
        first: deal.first,
        trick_suit: deal.trick_suit,
        trick_rank: deal.trick_rank,
        cards,
    }
}

pub fn as_text(chars: &[c_char]) -> String {
    let bytes = chars.iter().map(|&c| c as u8).take_while(|&c| c != 0);
    String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned()
}

fn spoil_text(cards: &mut PbnText, random: &mut Rng) {
    let mut text = as_text(cards);
    let at = random.usize(0..text.len());
    match random.u8(0..12) {
        0 => text = text.to_lowercase(),
        1 => text.insert(0, ' '),
        2 => text = text.replace('T', "10"),
        3 => text.truncate(at),
        4 => text.push_str(" and more"),
        5 => text = text.replacen(' ', "  ", 1),
        6 => text = text[1..].to_owned(),
        7 => text.insert(at, char::from(b"N:.AKQxyz-*\t"[random.usize(0..12)])),
        8 => text = String::new(),
        9 => text.insert_str(0, "  "),
        10 => {
            text.remove(at);
        }
        _ => {
            // All 80 bytes, and no 0 among them.
            *cards = [b'A' as c_char; 80];
            return;
        }
    }
    *cards = chars(&text);
}

pub fn play_text(play: &PlayTrace, random: &mut Rng) -> PlayTracePbn {
    let shown = usize::try_from(play.number).unwrap_or(0).min(52);
    let mut text = String::new();
    for n in 0..shown {
        let suit = b"SHDC".get(play.suit[n] as usize).copied().unwrap_or(b'x');
        let rank = b"..23456789TJQKA"
            .get(play.rank[n] as usize)
            .copied()
            .unwrap_or(b'y');
        text.push(char::from(suit));
        text.push(char::from(rank));
    }
    if random.u8(0..12) == 0 {
        text = text.to_lowercase();
    }
    PlayTracePbn {
        number: play.number,
        cards: chars(&text),
    }
}
