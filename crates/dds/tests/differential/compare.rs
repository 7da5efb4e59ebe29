//! The parts of two answers that must be equal.

use std::ffi::{c_char, c_int};

use dds::abi::*;

use crate::ask::{Function, Reader, UNTOUCHED, bytes};

/// The part of an answer that both libraries must give, as text.
pub fn compared(question: &[u8], answer: &[u8]) -> String {
    if answer == b"none" {
        return "no such function".to_owned();
    }
    let mut arguments = Reader(&question[1..]);
    let mut answer = Reader(answer);
    let code: c_int = answer.take();
    if code != 1 {
        // Which of several wrong things is reported, in a deal and its play or in
        // the deals of a batch, is DDS's secret.
        let batch = matches!(
            Function::of(question),
            Function::AnalysePlayBin
                | Function::AnalysePlayPBN
                | Function::AnalyseAllPlaysBin
                | Function::AnalyseAllPlaysPBN
                | Function::CalcAllTablesPBN
                | Function::SolveAllBoards
                | Function::SolveAllBoardsBin
                | Function::SolveAllChunks
                | Function::SolveAllChunksBin
                | Function::SolveAllChunksPBN
        );
        return if batch && code < 0 {
            "refused".to_owned()
        } else {
            format!("code {code}")
        };
    }
    match Function::of(question) {
        Function::SolveBoard | Function::SolveBoardPBN => cards(&answer.take()),
        Function::CalcDDtable | Function::CalcDDtablePBN => {
            format!("{:?}", answer.take::<TableResults>())
        }
        Function::CalcPar | Function::CalcParPBN => {
            let table: TableResults = answer.take();
            format!("{table:?} {}", texts(answer.0))
        }
        Function::CalcAllTables => {
            let deals: TableDeals = arguments.take();
            tables(deals.count, arguments.take(), arguments.take(), answer)
        }
        Function::CalcAllTablesPBN => {
            let deals: TableDealsPbn = arguments.take();
            tables(deals.count, arguments.take(), arguments.take(), answer)
        }
        Function::SolveAllBoards
        | Function::SolveAllBoardsBin
        | Function::SolveAllChunks
        | Function::SolveAllChunksBin
        | Function::SolveAllChunksPBN => {
            let solved: SolvedBoards = answer.take();
            let shown = usize::try_from(solved.count).unwrap_or(0).min(MAX_BOARDS);
            let boards: Vec<String> = solved.solved[..shown].iter().map(cards).collect();
            format!("{} boards: {}", solved.count, boards.join(" | "))
        }
        Function::SidesParBin => {
            let pars: [ParResultsMaster; 2] = answer.take();
            format!("{} / {}", master(&pars[0]), master(&pars[1]))
        }
        Function::DealerParBin => master(&answer.take()),
        Function::DealerPar => {
            let mut par: ParResultsDealer = answer.take();
            // Of a passed board DDS writes no score.
            if par.contracts[0][0] == b'p' as c_char {
                par.score = 0;
            }
            format!(
                "{} of {}: {}",
                par.score,
                par.number,
                texts(bytes(&par.contracts))
            )
        }
        Function::Par
        | Function::SidesPar
        | Function::ConvertToDealerTextFormat
        | Function::ConvertToSidesTextFormat
        | Function::ErrorMessage => texts(answer.0),
        Function::AnalysePlayBin | Function::AnalysePlayPBN => values(&answer.take()),
        Function::AnalyseAllPlaysBin | Function::AnalyseAllPlaysPBN => {
            let solved: SolvedPlays = answer.take();
            let shown = usize::try_from(solved.count).unwrap_or(0).min(MAX_BOARDS);
            let plays: Vec<String> = solved.solved[..shown].iter().map(values).collect();
            format!("{} plays: {}", solved.count, plays.join(" | "))
        }
    }
}

/// The cards and their scores. Unless `DDS_ORDER` is set, equal scores may come
/// in any order, and of a single card only the score counts.
fn cards(future: &FutureTricks) -> String {
    let count = usize::try_from(future.cards).unwrap_or(0).min(13);
    let in_order = std::env::var_os("DDS_ORDER").is_some();
    let mut indices: Vec<usize> = (0..count).collect();
    if !in_order {
        indices.sort_by_key(|&n| (-future.score[n], future.suit[n], -future.rank[n]));
    }
    let mut text = format!("{} cards", future.cards);
    for n in indices {
        if count > 1 || in_order {
            let suit = usize::try_from(future.suit[n]).unwrap_or(9);
            let letter = ["S", "H", "D", "C"].get(suit).unwrap_or(&"?");
            text += &format!(" {letter}{}({:x})", future.rank[n], future.equals[n]);
        }
        text += &format!("={}", future.score[n]);
    }
    if count == 0 {
        text += &format!(" score {}", future.score[0]);
    }
    text
}

fn tables(count: c_int, mode: c_int, filter: [c_int; 5], mut answer: Reader<'_>) -> String {
    let results: TablesResults = answer.take();
    let pars: AllParResults = answer.take();
    let count = usize::try_from(count).unwrap_or(0);
    let mut text = format!("{} boards", results.count);
    for table in &results.results[..count.min(MAX_TABLE_DEALS)] {
        text += &format!(" {:?}", table.tricks);
    }
    if mode >= 0 && filter == [0; 5] {
        for par in &pars.results[..count.min(MAX_TABLES)] {
            text += &texts(bytes(par));
        }
    }
    text
}

fn master(par: &ParResultsMaster) -> String {
    // Of a passed board DDS writes no contract.
    if par.score == 0 && par.number == 1 {
        return "passed".to_owned();
    }
    let count = usize::try_from(par.number).unwrap_or(0).min(10);
    let contracts: Vec<[c_int; 5]> = par.contracts[..count]
        .iter()
        .map(|c| [c.under, c.over, c.level, c.denomination, c.seats])
        .collect();
    format!("{} of {}: {contracts:?}", par.score, par.number)
}

fn values(solved: &SolvedPlay) -> String {
    let count = usize::try_from(solved.number).unwrap_or(0).min(53);
    format!("{}: {:?}", solved.number, &solved.tricks[..count])
}

/// Bytes of a result, untouched ones and zeros run together.
fn texts(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut last = None;
    for &byte in bytes {
        if byte.is_ascii_graphic() && byte != UNTOUCHED || byte == b' ' {
            text.push(char::from(byte));
        } else if last != Some(byte) || (byte != 0 && byte != UNTOUCHED) {
            text += &match byte {
                0 => "·".to_owned(),
                UNTOUCHED => "¤".to_owned(),
                _ => format!("<{byte:x}>"),
            };
        }
        last = Some(byte);
    }
    text
}
