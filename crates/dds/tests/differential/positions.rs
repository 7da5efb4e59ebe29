//! Random positions and plays, good and bad.

use std::ffi::c_int;

use dds::abi::*;
use fastrand::Rng;

use crate::ask::Function;
use crate::generate::pick;

/// Cards for four hands of `size`, and how they were dealt.
pub fn hands(random: &mut Rng, size: usize) -> [Vec<(usize, u32)>; 4] {
    let mut pack: Vec<(usize, u32)> = (0..4)
        .flat_map(|suit| (2..15).map(move |rank| (suit, rank)))
        .collect();
    // Sometimes few suits or the low cards only, so that hands are void.
    match random.u8(0..6) {
        0 if size <= 6 => pack.retain(|card| card.0 < 2),
        1 if size <= 9 => pack.retain(|card| card.0 < 3),
        2 if size <= 6 => pack.retain(|card| card.1 < 9),
        _ => {}
    }
    random.shuffle(&mut pack);
    std::array::from_fn(|hand| pack[hand * size..(hand + 1) * size].to_vec())
}

fn size(random: &mut Rng) -> usize {
    match random.u8(0..100) {
        0 => 13,
        1..4 => random.usize(8..13),
        _ => random.usize(1..8),
    }
}

/// A position that is usually valid, and a play from it that usually is, too.
pub fn position(random: &mut Rng, function: Function) -> (Deal, PlayTrace) {
    let with_play = matches!(
        function,
        Function::AnalysePlayBin
            | Function::AnalysePlayPBN
            | Function::AnalyseAllPlaysBin
            | Function::AnalyseAllPlaysPBN
    );
    let size = size(random);
    let mut hands = hands(random, size);
    let (trump, first) = (random.usize(0..5), random.usize(0..4));
    let mut deal = Deal {
        trump: trump as c_int,
        first: first as c_int,
        trick_suit: [0; 3],
        trick_rank: [0; 3],
        cards: [[0; 4]; 4],
    };
    let revoke = random.u8(0..40) == 0;
    let on_table = random.usize(0..4);
    let mut trick: Vec<(usize, (usize, u32))> = Vec::new();
    let mut play = PlayTrace {
        number: 0,
        suit: [0; 52],
        rank: [0; 52],
    };
    let mut seat = first;
    for n in 0..if with_play { 4 * size } else { on_table } {
        if n == on_table {
            break_off(&mut deal, &hands);
        }
        let led = trick.first().map(|(_, card)| card.0);
        let mut legal: Vec<usize> = (0..hands[seat].len())
            .filter(|&index| led.is_none_or(|led| hands[seat][index].0 == led))
            .collect();
        if legal.is_empty() || (revoke && n < on_table) {
            legal = (0..hands[seat].len()).collect();
        }
        let card = hands[seat].remove(legal[random.usize(0..legal.len())]);
        if n < on_table {
            deal.trick_suit[n] = card.0 as c_int;
            deal.trick_rank[n] = card.1 as c_int;
        } else {
            let index = play.number as usize;
            play.suit[index] = card.0 as c_int;
            play.rank[index] = card.1 as c_int;
            play.number += 1;
        }
        trick.push((seat, card));
        seat = (seat + 1) & 3;
        if trick.len() == 4 {
            let value = |card: (usize, u32)| match card.0 {
                suit if suit == trump => 100 + card.1,
                suit if suit == trick[0].1.0 => card.1,
                _ => 0,
            };
            let best = trick.iter().max_by_key(|(_, card)| value(*card));
            seat = best.map_or(seat, |(seat, _)| *seat);
            trick.clear();
        }
    }
    if deal.cards == [[0; 4]; 4] {
        break_off(&mut deal, &hands);
    }
    if with_play && random.bool() {
        play.number = random.i32(0..play.number + 1);
    }
    if random.u8(0..5) == 0 {
        spoil(&mut deal, random);
    }
    if with_play && random.u8(0..8) == 0 {
        let index = random.usize(0..52);
        match random.u8(0..4) {
            0 => play.suit[index.min(5)] = random.i32(-1..6),
            // Of ranks above 15 DDS takes some: it reads past the end of a list.
            1 => play.rank[index.min(5)] = random.i32(0..16),
            2 => play.number = pick(random, &[0, 1, 52, 53, -1, 60]),
            _ => play.suit.swap(index, index / 2),
        }
    }
    (deal, play)
}

/// Uses the hands unchanged as the cards of the deal.
pub fn break_off(deal: &mut Deal, hands: &[Vec<(usize, u32)>; 4]) {
    for (seat, hand) in hands.iter().enumerate() {
        for &(suit, rank) in hand {
            deal.cards[seat][suit] |= 1 << rank;
        }
    }
}

pub fn spoil(deal: &mut Deal, random: &mut Rng) {
    let (seat, suit, index) = (random.usize(0..4), random.usize(0..4), random.usize(0..3));
    match random.u8(0..12) {
        0 => deal.trump = pick(random, &[5, -1, 4, 100]),
        1 => deal.first = pick(random, &[4, -1, 3, 100]),
        2 => deal.cards[seat][suit] ^= 1 << random.u32(2..15),
        3 => deal.cards[seat][suit] |= 1 << random.u32(2..15),
        4 => deal.cards[seat] = [0; 4],
        5 => deal.cards = [[0; 4]; 4],
        6 => deal.trick_rank[index] = pick(random, &[0, 1, 2, 14, 15, -1]),
        7 => deal.trick_suit[index] = pick(random, &[0, 3, 4, -1]),
        8 => deal.trick_rank = [random.i32(2..15); 3],
        9 => {
            deal.trick_suit[index] = random.i32(0..4);
            deal.trick_rank[index] = random.i32(2..15);
        }
        10 => deal.cards[seat][suit] ^= 3,
        _ => deal.cards[seat] = deal.cards[(seat + 1) & 3],
    }
}
