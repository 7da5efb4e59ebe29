//! Questions as text, to show where the libraries differ.

use std::ffi::{c_char, c_int};

use dds::abi::*;

use crate::ask::{Function, Reader};
use crate::compare::master;

/// A question as text.
pub fn describe(question: &[u8]) -> String {
    let mut arguments = Reader(&question[1..]);
    let function = Function::of(question);
    let what = match function {
        Function::SolveBoard => {
            let deal: Deal = arguments.take();
            format!("{} {:?}", deal_text(&deal), arguments.take::<[c_int; 4]>())
        }
        Function::SolveBoardPBN => {
            let deal: DealPbn = arguments.take();
            format!(
                "trump {} first {} {:?} {:?} {} {:?}",
                deal.trump,
                deal.first,
                deal.trick_suit,
                deal.trick_rank,
                pbn_text(&deal.cards),
                arguments.take::<[c_int; 4]>()
            )
        }
        Function::CalcDDtable | Function::CalcPar => {
            hands_text(&arguments.take::<TableDeal>().cards)
        }
        Function::CalcDDtablePBN | Function::CalcParPBN => {
            pbn_text(&arguments.take::<TableDealPbn>().cards)
        }
        Function::CalcAllTables => {
            let deals: TableDeals = arguments.take();
            format!(
                "{} deals, mode {} filter {:?}, first {}",
                deals.count,
                arguments.take::<c_int>(),
                arguments.take::<[c_int; 5]>(),
                hands_text(&deals.deals[0].cards)
            )
        }
        Function::CalcAllTablesPBN => {
            let deals: TableDealsPbn = arguments.take();
            format!(
                "{} deals, mode {} filter {:?}, first {}",
                deals.count,
                arguments.take::<c_int>(),
                arguments.take::<[c_int; 5]>(),
                pbn_text(&deals.deals[0].cards)
            )
        }
        Function::SolveAllBoardsBin | Function::SolveAllChunksBin => {
            let boards: Boards = arguments.take();
            let shown = usize::try_from(boards.count).unwrap_or(0).min(13);
            let deals: Vec<String> = (0..shown)
                .map(|n| {
                    format!(
                        "{} [{}, {}, {}]",
                        deal_text(&boards.deals[n]),
                        boards.target[n],
                        boards.solutions[n],
                        boards.mode[n]
                    )
                })
                .collect();
            format!("{} boards {}", boards.count, deals.join(" | "))
        }
        Function::SolveAllBoards | Function::SolveAllChunks | Function::SolveAllChunksPBN => {
            let boards: BoardsPbn = arguments.take();
            let shown = usize::try_from(boards.count).unwrap_or(0).min(13);
            let deals: Vec<String> = (0..shown)
                .map(|n| {
                    format!(
                        "trump {} first {} {} [{}, {}, {}]",
                        boards.deals[n].trump,
                        boards.deals[n].first,
                        pbn_text(&boards.deals[n].cards),
                        boards.target[n],
                        boards.solutions[n],
                        boards.mode[n]
                    )
                })
                .collect();
            format!("{} boards {}", boards.count, deals.join(" | "))
        }
        Function::Par
        | Function::SidesPar
        | Function::SidesParBin
        | Function::DealerPar
        | Function::DealerParBin => format!(
            "{:?} {:?}",
            arguments.take::<TableResults>().tricks,
            arguments
                .0
                .chunks_exact(4)
                .map(|n| i32::from_le_bytes([n[0], n[1], n[2], n[3]]))
                .collect::<Vec<_>>()
        ),
        Function::ConvertToDealerTextFormat => {
            format!("{:?}", arguments.take::<ParResultsMaster>())
        }
        Function::ConvertToSidesTextFormat => {
            let pars: [ParResultsMaster; 2] = arguments.take();
            format!("{} / {}", master(&pars[0]), master(&pars[1]))
        }
        Function::AnalysePlayBin => {
            let deal: Deal = arguments.take();
            let play: PlayTrace = arguments.take();
            format!("{} {}", deal_text(&deal), play_text(&play))
        }
        Function::AnalyseAllPlaysBin => {
            let boards: Boards = arguments.take();
            let plays: PlayTraces = arguments.take();
            let shown = usize::try_from(boards.count).unwrap_or(0).min(13);
            let played: Vec<String> = (0..shown)
                .map(|n| {
                    let (deal, play) = (&boards.deals[n], &plays.plays[n]);
                    format!("{} {}", deal_text(deal), play_text(play))
                })
                .collect();
            format!(
                "{} boards, {} plays {}",
                boards.count,
                plays.count,
                played.join(" | ")
            )
        }
        Function::AnalysePlayPBN => {
            let deal: DealPbn = arguments.take();
            let play: PlayTracePbn = arguments.take();
            format!(
                "trump {} first {} {:?} {:?} {} play of {} {}",
                deal.trump,
                deal.first,
                deal.trick_suit,
                deal.trick_rank,
                pbn_text(&deal.cards),
                play.number,
                pbn_text(&play.cards)
            )
        }
        _ => String::new(),
    };
    format!("{function:?} {what}")
}

fn deal_text(deal: &Deal) -> String {
    format!(
        "trump {} first {} trick {:?} {:?} {}",
        deal.trump,
        deal.first,
        deal.trick_suit,
        deal.trick_rank,
        hands_text(&deal.cards)
    )
}

fn play_text(play: &PlayTrace) -> String {
    let shown = usize::try_from(play.number).unwrap_or(0).min(52);
    let cards: Vec<(c_int, c_int)> = (0..shown).map(|n| (play.suit[n], play.rank[n])).collect();
    format!("play of {} {cards:?}", play.number)
}

fn hands_text(cards: &Holdings) -> String {
    let hands = cards.map(|hand| hand.map(holding).join("."));
    hands.join(" ")
}

fn holding(bits: u32) -> String {
    let mut text: String = (2..15)
        .rev()
        .filter(|rank| bits >> rank & 1 != 0)
        .map(|rank| char::from(b"23456789TJQKA"[rank - 2]))
        .collect();
    if bits & !0x7ffc != 0 {
        text += &format!("<{bits:x}>");
    }
    text
}

fn pbn_text(chars: &[c_char]) -> String {
    let bytes: Vec<u8> = chars
        .iter()
        .map(|&c| c as u8)
        .take_while(|&c| c != 0)
        .collect();
    format!("{:?}", String::from_utf8_lossy(&bytes))
}
