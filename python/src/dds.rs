//! The functions of DDS's C interface on plain numbers, for `setrograde.dds3`. The
//! first value of every result is DDS's return code.

use std::ffi::{CStr, c_char, c_int};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dds::abi::{
    Deal, FutureTricks, ParResults, ParResultsDealer, PlayTrace, SolvedPlay, TableDeal,
    TableResults,
};
use pyo3::prelude::*;

use crate::parallel::{interruptible, side_by_side};

type DdsCards = [[u32; 4]; 4];
type DdsTable = [[i32; 4]; 5];
/// Trump, first, the suits and ranks on the table, the cards.
type DdsPosition = (i32, i32, [i32; 3], [i32; 3], DdsCards);
/// Return code, nodes, number of cards, suits, ranks, equals, scores.
type Future = (i32, i32, i32, [i32; 13], [i32; 13], [i32; 13], [i32; 13]);

fn deal((trump, first, trick_suit, trick_rank, cards): DdsPosition) -> Deal {
    Deal {
        trump,
        first,
        trick_suit,
        trick_rank,
        cards,
    }
}

/// Runs `work` for all of `items`, on several threads, without the lock. A function of DDS cannot
/// be cancelled: after Ctrl-C the running calls are abandoned.
fn each<I: Send + Sync + 'static, O: Send + 'static>(
    py: Python<'_>,
    items: Vec<I>,
    threads: usize,
    work: impl Fn(&I) -> O + Send + Sync + 'static,
) -> PyResult<Vec<O>> {
    let cancel = Arc::new(AtomicBool::new(false));
    let cancelled = Arc::clone(&cancel);
    let threads = (threads > 0).then_some(threads);
    let found = interruptible(py, move || {
        let nothing = || ();
        side_by_side(items.len(), threads, &cancelled, nothing, |(), n| {
            work(&items[n])
        })
    });
    if found.is_err() {
        cancel.store(true, Ordering::Relaxed);
    }
    found
}

/// Positions, each with target, solutions and mode.
#[pyfunction]
pub fn dds_solve(
    py: Python<'_>,
    boards: Vec<(DdsPosition, i32, i32, i32)>,
    threads: usize,
) -> PyResult<Vec<Future>> {
    each(
        py,
        boards,
        threads,
        |&(position, target, solutions, mode)| {
            let mut future = FutureTricks::EMPTY;
            // SAFETY: `future` may be written to.
            let code = unsafe {
                dds::SolveBoard(deal(position), target, solutions, mode, &raw mut future, 0)
            };
            let FutureTricks {
                nodes,
                cards,
                suit,
                rank,
                equals,
                score,
            } = future;
            (code, nodes, cards, suit, rank, equals, score)
        },
    )
}

/// Tables of deals; rows of strains with a filter other than 0 stay 0.
#[pyfunction]
pub fn dds_tables(
    py: Python<'_>,
    deals: Vec<DdsCards>,
    filter: [i32; 5],
    threads: usize,
) -> PyResult<Vec<(i32, DdsTable)>> {
    each(py, deals, threads, move |&cards| {
        let mut results = TableResults {
            tricks: [[0; 4]; 5],
        };
        let deal = TableDeal { cards };
        // SAFETY: all pointers are to values of their types; no par results are
        // asked for in mode -1.
        let code = unsafe {
            dds::CalcAllTablesX(
                1,
                &raw const deal,
                -1,
                filter.as_ptr(),
                &raw mut results,
                std::ptr::null_mut(),
                1,
            )
        };
        (code, results.tricks)
    })
}

fn text(field: &[c_char]) -> String {
    let bytes: Vec<u8> = field.iter().map(|&byte| byte as u8).collect();
    CStr::from_bytes_until_nul(&bytes)
        .map_or(String::new(), |text| text.to_string_lossy().into_owned())
}

/// Par as both sides see it: scores and contracts.
#[pyfunction]
pub fn dds_par(tricks: DdsTable, vulnerable: i32) -> (i32, [String; 2], [String; 2]) {
    let mut table = TableResults { tricks };
    let mut par = ParResults {
        score: [[0; 16]; 2],
        contracts: [[0; 128]; 2],
    };
    // SAFETY: both pointers are to values of their types.
    let code = unsafe { dds::Par(&raw mut table, &raw mut par, vulnerable) };
    let contracts = par.contracts.map(|side| text(&side));
    (code, par.score.map(|side| text(&side)), contracts)
}

/// Par as the dealer sees it: the score and the contracts.
#[pyfunction]
pub fn dds_dealer_par(tricks: DdsTable, dealer: i32, vulnerable: i32) -> (i32, i32, Vec<String>) {
    let mut table = TableResults { tricks };
    let mut par = ParResultsDealer {
        number: 0,
        score: 0,
        contracts: [[0; 10]; 10],
    };
    // SAFETY: both pointers are to values of their types.
    let code = unsafe { dds::DealerPar(&raw mut table, &raw mut par, dealer, vulnerable) };
    let count = usize::try_from(par.number).unwrap_or(0);
    let contracts = par.contracts.iter().take(count).map(|line| text(line));
    (code, par.score, contracts.collect())
}

/// The declarer's tricks at the start and after each card of each play.
#[pyfunction]
pub fn dds_analyse(
    py: Python<'_>,
    plays: Vec<(DdsPosition, Vec<(i32, i32)>)>,
) -> PyResult<Vec<(i32, Vec<i32>)>> {
    each(py, plays, 0, |(position, play)| {
        let mut trace = PlayTrace {
            number: c_int::try_from(play.len()).unwrap_or(c_int::MAX),
            suit: [0; 52],
            rank: [0; 52],
        };
        for (n, &(suit, rank)) in play.iter().take(52).enumerate() {
            trace.suit[n] = suit;
            trace.rank[n] = rank;
        }
        let mut solved = SolvedPlay {
            number: 0,
            tricks: [0; 53],
        };
        // SAFETY: `solved` may be written to.
        let code = unsafe { dds::AnalysePlayBin(deal(*position), trace, &raw mut solved, 0) };
        let count = usize::try_from(solved.number).unwrap_or(0).min(53);
        (code, solved.tricks[..count].to_vec())
    })
}
