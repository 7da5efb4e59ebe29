//! Random questions, good and bad.

use std::ffi::c_int;

use dds::abi::*;
use fastrand::Rng;

use crate::ask::{Function, Question};
use crate::positions::{break_off, hands, position, spoil};
use crate::text::{as_text, chars, play_text, text, to_pbn};

/// A random question to a function.
pub fn question(function: Function, random: &mut Rng, round: usize) -> Question {
    let question = Question::new(function);
    match function {
        Function::SolveBoard => {
            let (deal, _) = position(random, function);
            question.with(&deal).with(&parameters(random))
        }
        Function::SolveBoardPBN => {
            let (deal, _) = position(random, function);
            let deal = to_pbn(&deal, random);
            question.with(&deal).with(&parameters(random))
        }
        Function::CalcDDtable => question.with(&table_deal(random)),
        Function::CalcDDtablePBN => question.with(&table_text(random)),
        Function::CalcPar => question.with(&table_deal(random)).with(&random.i32(0..4)),
        Function::CalcParPBN => question.with(&table_text(random)).with(&random.i32(0..4)),
        Function::CalcAllTables => {
            let mut deals = TableDeals {
                count: table_count(random),
                deals: std::array::from_fn(|n| TableDeal { cards: small(n) }),
            };
            deals.deals[..4].fill_with(|| table_deal(random));
            let question = question.with(&deals).with(&random.i32(-1..4));
            question.with(&filter(random))
        }
        Function::CalcAllTablesPBN => {
            let cards = |n| text(&small(n), 0);
            let mut deals = TableDealsPbn {
                count: table_count(random),
                deals: std::array::from_fn(|n| TableDealPbn { cards: cards(n) }),
            };
            deals.deals[..4].fill_with(|| table_text(random));
            let question = question.with(&deals).with(&random.i32(-1..4));
            question.with(&filter(random))
        }
        Function::SolveAllBoardsBin => question.with(&boards(random)),
        Function::SolveAllChunksBin => question.with(&boards(random)).with(&random.i32(-1..5)),
        Function::SolveAllBoards => {
            let boards = boards(random);
            question.with(&in_text(&boards, random))
        }
        Function::SolveAllChunks | Function::SolveAllChunksPBN => {
            let boards = boards(random);
            let question = question.with(&in_text(&boards, random));
            question.with(&random.i32(-1..5))
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
            let boards = in_text(&boards, random);
            let plays = PlayTracesPbn {
                count: plays.count,
                plays: plays.plays.map(|play| play_text(&play, random)),
            };
            question.with(&boards).with(&plays).with(&random.i32(0..3))
        }
        Function::ErrorMessage => question.with(&(round as c_int % 400 - 350)),
    }
}

/// A number from these, the earlier the likelier.
pub fn pick(random: &mut Rng, from: &[c_int]) -> c_int {
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

/// A deal to make a table of.
fn table_deal(random: &mut Rng) -> TableDeal {
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
            return TableDeal { cards: sound };
        }
    }
    TableDeal { cards: deal.cards }
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
        // DDS gives equal deals of a batch the same answer, whatever the questions, so deals beyond
        // the twelfth get equal questions.
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

/// The same boards with their deals as text.
fn in_text(boards: &Boards, random: &mut Rng) -> BoardsPbn {
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

fn table_text(random: &mut Rng) -> TableDealPbn {
    let cards = table_deal(random).cards;
    let cards: PbnText = text(&cards, random.usize(0..4));
    let cards = match random.u8(0..5) {
        // As above: only what keeps the hands or is refused.
        0 => match random.u8(0..4) {
            0 => chars(&as_text(&cards).to_lowercase()),
            1 => chars(&format!(" {}", as_text(&cards))),
            2 => [0; 80],
            _ => chars(&as_text(&cards)[1..]),
        },
        _ => cards,
    };
    TableDealPbn { cards }
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
