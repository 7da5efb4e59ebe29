//! Random questions, good and bad.

use std::ffi::{c_char, c_int};

use dds::abi::*;
use fastrand::Rng;

use crate::ask::{Function, Question};

/// A random question; `None` if this round does not ask the function.
pub fn question(function: Function, random: &mut Rng, round: usize) -> Option<Vec<u8>> {
    let question = Question::new(function);
    let question = match function {
        Function::SolveBoard => {
            let (deal, _) = position(random, function);
            question.with(&deal).with(&parameters(random))
        }
        Function::SolveBoardPBN => {
            let (deal, _) = position(random, function);
            question
                .with(&to_pbn(&deal, random))
                .with(&parameters(random))
        }
        Function::CalcDDtable => question.with(&TableDeal {
            cards: table_cards(random),
        }),
        Function::CalcDDtablePBN => question.with(&TableDealPbn {
            cards: table_text(random),
        }),
        Function::CalcPar => question
            .with(&TableDeal {
                cards: table_cards(random),
            })
            .with(&random.i32(0..4)),
        Function::CalcParPBN => question
            .with(&TableDealPbn {
                cards: table_text(random),
            })
            .with(&random.i32(0..4)),
        Function::CalcAllTables => {
            let deals = TableDeals {
                count: table_count(random),
                deals: std::array::from_fn(|n| TableDeal {
                    cards: if n < 4 { table_cards(random) } else { small(n) },
                }),
            };
            question
                .with(&deals)
                .with(&random.i32(-1..4))
                .with(&filter(random))
        }
        Function::CalcAllTablesPBN => {
            let deals = TableDealsPbn {
                count: table_count(random),
                deals: std::array::from_fn(|n| TableDealPbn {
                    cards: if n < 4 {
                        table_text(random)
                    } else {
                        text(&small(n), 0)
                    },
                }),
            };
            question
                .with(&deals)
                .with(&random.i32(-1..4))
                .with(&filter(random))
        }
        Function::SolveAllBoardsBin => question.with(&boards(random)),
        Function::SolveAllChunksBin => question.with(&boards(random)).with(&random.i32(-1..5)),
        Function::SolveAllBoards => question.with(&boards_pbn(random)),
        Function::SolveAllChunks | Function::SolveAllChunksPBN => {
            question.with(&boards_pbn(random)).with(&random.i32(-1..5))
        }
        Function::Par | Function::SidesPar | Function::SidesParBin => {
            question.with(&table(random)).with(&random.i32(0..4))
        }
        Function::DealerPar | Function::DealerParBin => question
            .with(&table(random))
            .with(&[random.i32(0..4), random.i32(0..4)]),
        Function::ConvertToDealerTextFormat => question.with(&par(random)),
        Function::ConvertToSidesTextFormat => {
            let first = par(random);
            let mut second = if random.u8(0..3) == 0 {
                par(random)
            } else {
                first
            };
            if random.bool() {
                second.score = -second.score;
            }
            question.with(&[first, second])
        }
        Function::AnalysePlayBin => {
            let (deal, play) = position(random, function);
            question.with(&deal).with(&play).with(&0)
        }
        Function::AnalysePlayPBN => {
            let (deal, play) = position(random, function);
            question
                .with(&to_pbn(&deal, random))
                .with(&play_text(&play, random))
                .with(&0)
        }
        Function::AnalyseAllPlaysBin => {
            let (boards, plays) = plays(random);
            question.with(&boards).with(&plays).with(&random.i32(0..3))
        }
        Function::AnalyseAllPlaysPBN => {
            let (boards, plays) = plays(random);
            let boards = BoardsPbn {
                count: boards.count,
                deals: boards.deals.map(|deal| to_pbn(&deal, random)),
                target: boards.target,
                solutions: boards.solutions,
                mode: boards.mode,
            };
            let plays = PlayTracesPbn {
                count: plays.count,
                plays: plays.plays.map(|play| play_text(&play, random)),
            };
            question.with(&boards).with(&plays).with(&random.i32(0..3))
        }
        Function::ErrorMessage => question.with(&(round as c_int % 400 - 350)),
    };
    Some(question.bytes())
}

/// A number from these, the earlier the likelier.
fn pick(random: &mut Rng, from: &[c_int]) -> c_int {
    from[random.usize(0..from.len()).min(random.usize(0..from.len()))]
}

fn parameters(random: &mut Rng) -> [c_int; 4] {
    if random.u8(0..4) > 0 {
        return [
            pick(random, &[-1, -1, 1, 2, 0, 3, 4, 5]),
            random.i32(1..4),
            random.i32(0..3),
            0,
        ];
    }
    [
        pick(random, &[-1, 0, 1, 2, 3, 5, 8, 13, 14, -2, 100, -100]),
        pick(random, &[3, 2, 1, 0, 4, -1, 77]),
        pick(random, &[1, 0, 2, 3, -1, 9]),
        pick(random, &[0, 0, 0, 0, -1, -7]),
    ]
}

/// Cards for four hands of `size`, and how they were dealt.
fn hands(random: &mut Rng, size: usize) -> [Vec<(usize, u32)>; 4] {
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

/// A position that is often right, and a play from it that is too.
fn position(random: &mut Rng, function: Function) -> (Deal, PlayTrace) {
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
            .filter(|&place| led.is_none_or(|led| hands[seat][place].0 == led))
            .collect();
        if legal.is_empty() || (revoke && n < on_table) {
            legal = (0..hands[seat].len()).collect();
        }
        let card = hands[seat].remove(legal[random.usize(0..legal.len())]);
        if n < on_table {
            deal.trick_suit[n] = card.0 as c_int;
            deal.trick_rank[n] = card.1 as c_int;
        } else {
            let place = play.number as usize;
            play.suit[place] = card.0 as c_int;
            play.rank[place] = card.1 as c_int;
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
        let place = random.usize(0..52);
        match random.u8(0..4) {
            0 => play.suit[place.min(5)] = random.i32(-1..6),
            1 => play.rank[place.min(5)] = random.i32(0..17),
            2 => play.number = pick(random, &[0, 1, 52, 53, -1, 60]),
            _ => play.suit.swap(place, place / 2),
        }
    }
    (deal, play)
}

/// Takes the hands as they are for the cards of the deal.
fn break_off(deal: &mut Deal, hands: &[Vec<(usize, u32)>; 4]) {
    for (seat, hand) in hands.iter().enumerate() {
        for &(suit, rank) in hand {
            deal.cards[seat][suit] |= 1 << rank;
        }
    }
}

fn spoil(deal: &mut Deal, random: &mut Rng) {
    let (seat, suit, place) = (random.usize(0..4), random.usize(0..4), random.usize(0..3));
    match random.u8(0..12) {
        0 => deal.trump = pick(random, &[5, -1, 4, 100]),
        1 => deal.first = pick(random, &[4, -1, 3, 100]),
        2 => deal.cards[seat][suit] ^= 1 << random.u32(2..15),
        3 => deal.cards[seat][suit] |= 1 << random.u32(2..15),
        4 => deal.cards[seat] = [0; 4],
        5 => deal.cards = [[0; 4]; 4],
        6 => deal.trick_rank[place] = pick(random, &[0, 1, 2, 14, 15, -1]),
        7 => deal.trick_suit[place] = pick(random, &[0, 3, 4, -1]),
        8 => deal.trick_rank = [random.i32(2..15); 3],
        9 => {
            deal.trick_suit[place] = random.i32(0..4);
            deal.trick_rank[place] = random.i32(2..15);
        }
        10 => deal.cards[seat][suit] ^= 3,
        _ => deal.cards[seat] = deal.cards[(seat + 1) & 3],
    }
}

/// The cards of a table deal.
fn table_cards(random: &mut Rng) -> Holdings {
    let size = if random.u8(0..60) == 0 {
        13
    } else {
        random.usize(2..7)
    };
    let mut deal = Deal {
        trump: 0,
        first: 0,
        trick_suit: [0; 3],
        trick_rank: [0; 3],
        cards: [[0; 4]; 4],
    };
    break_off(&mut deal, &hands(random, size));
    if random.u8(0..6) == 0 {
        let sound = deal.cards;
        spoil(&mut deal, random);
        // Of hands that differ in length DDS makes tables without meaning.
        let length = |hand: &[u32; 4]| hand.iter().map(|bits| bits.count_ones()).sum::<u32>();
        let first = length(&deal.cards[0]);
        if deal.cards.iter().any(|hand| length(hand) != first) {
            return sound;
        }
    }
    deal.cards
}

/// Two cards in each hand, others for each `n`.
fn small(n: usize) -> Holdings {
    std::array::from_fn(|hand| {
        std::array::from_fn(|suit| match suit ^ (n & 3) {
            0 => 1 << (2 + (hand + n) % 13),
            1 => 1 << (2 + (3 * hand + n) % 13),
            _ => 0,
        })
    })
}

fn table_count(random: &mut Rng) -> c_int {
    pick(random, &[1, 2, 3, 4, 4, 32, 33, 40, 41, 66, 100, 200, 201])
}

fn filter(random: &mut Rng) -> [c_int; 5] {
    match random.u8(0..4) {
        0 => std::array::from_fn(|_| random.i32(0..2)),
        1 => [1; 5],
        _ => [0; 5],
    }
}

fn board_count(random: &mut Rng) -> c_int {
    pick(random, &[1, 2, 3, 5, 8, 12, 0, 200, 201, -1])
}

fn boards(random: &mut Rng) -> Boards {
    let bad = random.u8(0..3) == 0;
    let mut boards = Boards {
        count: board_count(random),
        deals: [position(random, Function::SolveBoard).0; MAX_BOARDS],
        target: [-1; MAX_BOARDS],
        solutions: [3; MAX_BOARDS],
        mode: [1; MAX_BOARDS],
    };
    for n in 0..MAX_BOARDS {
        // DDS gives equal deals of a batch one answer, whatever is asked of them,
        // so those beyond the twelfth are asked the same.
        let [target, solutions, mode, _] = if n > 12 {
            [-1, 3, 1, 0]
        } else if bad {
            parameters(random)
        } else {
            [-1, random.i32(1..4), 1, 0]
        };
        (boards.target[n], boards.solutions[n], boards.mode[n]) = (target, solutions, mode);
        boards.deals[n] = if n > 12 {
            let mut deal = boards.deals[0];
            deal.cards = small(n);
            deal.trick_rank = [0; 3];
            deal
        } else {
            loop {
                let deal = position(random, Function::SolveBoard).0;
                let sound = deal.cards.iter().flatten().all(|bits| bits & !0x7ffc == 0);
                // A batch with an unknown trump suit may get one board's answer
                // for another in DDS.
                if (bad || sound) && (0..6).contains(&deal.trump) {
                    break deal;
                }
            }
        };
    }
    boards
}

fn boards_pbn(random: &mut Rng) -> BoardsPbn {
    let boards = boards(random);
    BoardsPbn {
        count: boards.count,
        deals: boards.deals.map(|deal| to_pbn(&deal, random)),
        target: boards.target,
        solutions: boards.solutions,
        mode: boards.mode,
    }
}

fn plays(random: &mut Rng) -> (Boards, PlayTraces) {
    let mut boards = boards(random);
    boards.count = pick(random, &[1, 2, 3, 5, 8, 12, 0, 201]);
    let mut plays = PlayTraces {
        count: boards.count,
        plays: [PlayTrace {
            number: 0,
            suit: [0; 52],
            rank: [0; 52],
        }; MAX_BOARDS],
    };
    for n in 0..13 {
        (boards.deals[n], plays.plays[n]) = loop {
            let (deal, play) = position(random, Function::AnalyseAllPlaysBin);
            if (0..6).contains(&deal.trump) {
                break (deal, play);
            }
        };
    }
    if random.u8(0..20) == 0 {
        plays.count += 1;
    }
    (boards, plays)
}

/// A deal's cards as text, from a seat on.
fn text(cards: &Holdings, first: usize) -> PbnText {
    let letters = |bits: u32| -> String {
        let ranks = (2..15).rev().filter(|rank| bits >> rank & 1 != 0);
        ranks
            .map(|rank| char::from(b"23456789TJQKA"[rank - 2]))
            .collect()
    };
    let hands: Vec<String> = (0..4)
        .map(|n| cards[(first + n) & 3].map(letters).join("."))
        .collect();
    chars(&format!(
        "{}:{}",
        ["N", "E", "S", "W"][first & 3],
        hands.join(" ")
    ))
}

fn chars<const N: usize>(text: &str) -> [c_char; N] {
    let mut chars = [0; N];
    for (place, byte) in text.bytes().enumerate().take(N) {
        chars[place] = byte as c_char;
    }
    chars
}

fn to_pbn(deal: &Deal, random: &mut Rng) -> DealPbn {
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

fn table_text(random: &mut Rng) -> PbnText {
    let mut cards = text(&table_cards(random), random.usize(0..4));
    if random.u8(0..5) == 0 {
        // As above: only what keeps the hands or is refused.
        match random.u8(0..4) {
            0 => cards = chars(&as_text(&cards).to_lowercase()),
            1 => cards = chars(&format!(" {}", as_text(&cards))),
            2 => cards = [0; 80],
            _ => cards = chars(&as_text(&cards)[1..]),
        }
    }
    cards
}

fn as_text(chars: &[c_char]) -> String {
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

fn play_text(play: &PlayTrace, random: &mut Rng) -> PlayTracePbn {
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

/// A table of tricks: of a deal's kind, or any numbers.
fn table(random: &mut Rng) -> TableResults {
    let kind = random.u8(0..5);
    let mut table = TableResults {
        tricks: [[0; 4]; 5],
    };
    if kind == 4 {
        // Both sides take about as many, which no deal allows.
        let most = random.i32(6..14);
        for tricks in table.tricks.as_flattened_mut() {
            *tricks = (most - random.i32(0..5) / 3).clamp(0, 13);
        }
        return table;
    }
    for row in &mut table.tricks {
        let north: c_int = (0..5).map(|_| random.i32(0..5)).sum::<c_int>().min(13);
        *row = [north, 13 - north, north, 13 - north];
        for tricks in row {
            if kind == 0 {
                *tricks = random.i32(0..14);
            } else if random.u8(0..4) < kind - 1 {
                *tricks = (*tricks + random.i32(-1..2)).clamp(0, 13);
            }
        }
    }
    table
}

fn par(random: &mut Rng) -> ParResultsMaster {
    let mut par = ParResultsMaster {
        score: pick(random, &[110, -420, 0, 1370, -50, 7600]),
        number: random.i32(1..6),
        contracts: [Contract::default(); 10],
    };
    for contract in &mut par.contracts {
        let under = random.bool();
        *contract = Contract {
            under: if under { random.i32(1..14) } else { 0 },
            over: if under { 0 } else { random.i32(0..4) },
            level: random.i32(1..8),
            denomination: random.i32(0..5),
            seats: random.i32(0..6),
        };
    }
    par
}
