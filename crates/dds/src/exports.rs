//! The functions that C sees.
//!
//! Names and parameters are those of DDS's `dll.h`; what they mean is told in
//! `docs/libdds.md` and, for DDS, in its own description of the interface.

#![allow(non_snake_case)]

use std::ffi::{c_char, c_int};

use setrograde_cards::{Deal as Cards, Side};
use setrograde_solver::SolveError;

use crate::abi::*;
use crate::boundary::{Out, call, read, slice, write_text};
use crate::code::{self, Fault};
use crate::{check, info, par, par_text, pbn, play, resources, solve, table};

impl From<SolveError> for Fault {
    fn from(_: SolveError) -> Fault {
        Fault::Unknown
    }
}

impl DealPbn {
    fn parse(&self) -> Result<Deal, Fault> {
        Ok(Deal {
            trump: self.trump,
            first: self.first,
            trick_suit: self.trick_suit,
            trick_rank: self.trick_rank,
            cards: pbn::deal(&self.cards)?,
        })
    }
}

/// Sets how many workers a call may have; 0 for as many as there are
/// processors. No call needs it.
#[unsafe(no_mangle)]
pub extern "system" fn SetMaxThreads(threads: c_int) {
    call(|| {
        resources::set_limits(None, usize::try_from(threads).ok().filter(|&n| n > 0));
        Ok(())
    });
}

/// Does nothing; there is one way of threading.
#[unsafe(no_mangle)]
pub extern "system" fn SetThreading(code: c_int) -> c_int {
    let _ = code;
    1
}

/// Sets the memory of all tables together, in MiB, and how many searches may
/// run at once; 0 for as much as there is.
#[unsafe(no_mangle)]
pub extern "system" fn SetResources(megabytes: c_int, threads: c_int) {
    call(|| {
        let positive = |value: c_int| usize::try_from(value).ok().filter(|&n| n > 0);
        let memory = positive(megabytes).map(|megabytes| megabytes << 20);
        resources::set_limits(memory, positive(threads));
        Ok(())
    });
}

/// Gives back the memory of all tables.
#[unsafe(no_mangle)]
pub extern "system" fn FreeMemory() {
    call(|| {
        resources::free();
        Ok(())
    });
}

/// Checks a thread index. Any that is not negative will do.
fn thread_index(index: c_int) -> Result<(), Fault> {
    if index < 0 {
        return Err(Fault::ThreadIndex);
    }
    Ok(())
}

/// The cards of the hand to play and their tricks.
///
/// # Safety
///
/// `future` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SolveBoard(
    deal: Deal,
    target: c_int,
    solutions: c_int,
    mode: c_int,
    future: *mut FutureTricks,
    thread: c_int,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller.
        let future = unsafe { Out::new(future) }?;
        thread_index(thread)?;
        let question = check::question(&deal, target, solutions, mode)?;
        future.write(resources::search(|solver| solve::solve(solver, &question))?);
        Ok(())
    })
}

/// The same for a deal as text.
///
/// # Safety
///
/// `future` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SolveBoardPBN(
    deal: DealPbn,
    target: c_int,
    solutions: c_int,
    mode: c_int,
    future: *mut FutureTricks,
    thread: c_int,
) -> c_int {
    match deal.parse() {
        // SAFETY: promised by the caller.
        Ok(deal) => unsafe { SolveBoard(deal, target, solutions, mode, future, thread) },
        Err(fault) => fault.code(),
    }
}

/// Up to 200 questions of `SolveBoard`.
///
/// # Safety
///
/// `boards` is null or points to boards; `solved` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SolveAllBoardsBin(
    boards: *mut Boards,
    solved: *mut SolvedBoards,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller; only as many elements are used as
        // there are boards.
        unsafe {
            let count = board_count(boards.cast())?;
            let deals = slice((&raw const (*boards).deals).cast::<Deal>(), count)?;
            let question = |place: usize| {
                Ok((
                    deals[place],
                    read((&raw const (*boards).target).cast::<c_int>().add(place))?,
                    read((&raw const (*boards).solutions).cast::<c_int>().add(place))?,
                    read((&raw const (*boards).mode).cast::<c_int>().add(place))?,
                ))
            };
            let questions: Result<Vec<_>, Fault> = (0..count).map(question).collect();
            solve_boards(&questions?, solved)
        }
    })
}

/// The same for deals as text.
///
/// # Safety
///
/// As for [`SolveAllBoardsBin`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SolveAllBoards(
    boards: *mut BoardsPbn,
    solved: *mut SolvedBoards,
) -> c_int {
    call(|| {
        // SAFETY: as in `SolveAllBoardsBin`.
        unsafe {
            let count = board_count(boards.cast())?;
            let deals = slice((&raw const (*boards).deals).cast::<DealPbn>(), count)?;
            let question = |place: usize| {
                Ok((
                    deals[place].parse()?,
                    read((&raw const (*boards).target).cast::<c_int>().add(place))?,
                    read((&raw const (*boards).solutions).cast::<c_int>().add(place))?,
                    read((&raw const (*boards).mode).cast::<c_int>().add(place))?,
                ))
            };
            let questions: Result<Vec<_>, Fault> = (0..count).map(question).collect();
            solve_boards(&questions?, solved)
        }
    })
}

/// The number of boards at the start of a structure.
///
/// # Safety
///
/// `count` is null or points to a number.
unsafe fn board_count(count: *const c_int) -> Result<usize, Fault> {
    // SAFETY: promised by the caller.
    let count = unsafe { read(count) }?;
    let count = usize::try_from(count).unwrap_or(0);
    if count > MAX_BOARDS {
        return Err(Fault::TooManyBoards);
    }
    Ok(count)
}

/// Answers questions and writes the answers.
///
/// # Safety
///
/// `solved` is null or may be written to.
unsafe fn solve_boards(
    questions: &[(Deal, c_int, c_int, c_int)],
    solved: *mut SolvedBoards,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller.
    let out = unsafe { Out::new(solved) }?.pointer();
    let questions: Vec<_> = questions
        .iter()
        .map(|(deal, target, solutions, mode)| check::question(deal, *target, *solutions, *mode))
        .collect();
    let answers = resources::search_each(&questions, |solver, question| {
        Ok::<_, Fault>(solve::solve(solver, &(*question)?)?)
    });
    let mut fault = None;
    for (place, answer) in answers.into_iter().enumerate() {
        match answer {
            // SAFETY: there are at most 200 questions, and room for as many.
            Ok(future) => unsafe {
                (&raw mut (*out).solved)
                    .cast::<FutureTricks>()
                    .add(place)
                    .write(future);
            },
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    // SAFETY: as above.
    unsafe { (*out).count = questions.len() as c_int };
    fault.map_or(Ok(()), Err)
}

/// `SolveAllBoards` under another name.
///
/// # Safety
///
/// As for [`SolveAllBoardsBin`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SolveAllChunks(
    boards: *mut BoardsPbn,
    solved: *mut SolvedBoards,
    chunk: c_int,
) -> c_int {
    if chunk < 1 {
        return Fault::ChunkSize.code();
    }
    // SAFETY: promised by the caller.
    unsafe { SolveAllBoards(boards, solved) }
}

/// `SolveAllBoards` under another name.
///
/// # Safety
///
/// As for [`SolveAllBoardsBin`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SolveAllChunksPBN(
    boards: *mut BoardsPbn,
    solved: *mut SolvedBoards,
    chunk: c_int,
) -> c_int {
    // SAFETY: promised by the caller.
    unsafe { SolveAllChunks(boards, solved, chunk) }
}

/// `SolveAllBoardsBin` under another name.
///
/// # Safety
///
/// As for [`SolveAllBoardsBin`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SolveAllChunksBin(
    boards: *mut Boards,
    solved: *mut SolvedBoards,
    chunk: c_int,
) -> c_int {
    if chunk < 1 {
        return Fault::ChunkSize.code();
    }
    // SAFETY: promised by the caller.
    unsafe { SolveAllBoardsBin(boards, solved) }
}

/// The 20 results of a deal.
///
/// # Safety
///
/// `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn CalcDDtable(deal: TableDeal, result: *mut TableResults) -> c_int {
    call(|| {
        // SAFETY: promised by the caller.
        let result = unsafe { Out::new(result) }?;
        let deal = table::deal(&deal.cards)?;
        let mut tricks = [[0; 4]; 5];
        for (_, strain, row) in table::tricks(&[deal], [true; 5])? {
            tricks[strain] = row;
        }
        result.write(TableResults { tricks });
        Ok(())
    })
}

/// The same for a deal as text.
///
/// # Safety
///
/// `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn CalcDDtablePBN(
    deal: TableDealPbn,
    result: *mut TableResults,
) -> c_int {
    match pbn::deal(&deal.cards) {
        // SAFETY: promised by the caller.
        Ok(cards) => unsafe { CalcDDtable(TableDeal { cards }, result) },
        Err(fault) => fault.code(),
    }
}

/// The results of many deals, and their par if `mode` is a vulnerability and
/// no strain is left out.
///
/// # Safety
///
/// `deals` is null or points to deals, `filter` is null or points to five
/// numbers, `results` is null or may be written to, and so may `pars` or it is
/// not asked for.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn CalcAllTables(
    deals: *mut TableDeals,
    mode: c_int,
    filter: *mut c_int,
    results: *mut TablesResults,
    pars: *mut AllParResults,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller.
        unsafe {
            let wanted = wanted(filter)?;
            let count = table_count(deals.cast(), wanted)?;
            let deals = slice((&raw const (*deals).deals).cast::<TableDeal>(), count)?;
            let deals: Result<Vec<Cards>, Fault> =
                deals.iter().map(|deal| table::deal(&deal.cards)).collect();
            capped_tables(&deals?, mode, wanted, results, pars)
        }
    })
}

/// The same for deals as text.
///
/// # Safety
///
/// As for [`CalcAllTables`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn CalcAllTablesPBN(
    deals: *mut TableDealsPbn,
    mode: c_int,
    filter: *mut c_int,
    results: *mut TablesResults,
    pars: *mut AllParResults,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller.
        unsafe {
            let wanted = wanted(filter)?;
            let count = table_count(deals.cast(), wanted)?;
            let deals = slice((&raw const (*deals).deals).cast::<TableDealPbn>(), count)?;
            let deals: Result<Vec<Cards>, Fault> = deals
                .iter()
                .map(|deal| table::deal(&pbn::deal(&deal.cards)?))
                .collect();
            capped_tables(&deals?, mode, wanted, results, pars)
        }
    })
}

/// The strains that a filter leaves.
///
/// # Safety
///
/// `filter` is null or points to five numbers.
unsafe fn wanted(filter: *const c_int) -> Result<[bool; 5], Fault> {
    // SAFETY: promised by the caller.
    let filter = unsafe { slice(filter, 5) }?;
    let wanted = std::array::from_fn(|strain| filter[strain] == 0);
    if wanted == [false; 5] {
        return Err(Fault::NoSuit);
    }
    Ok(wanted)
}

/// The number of tables at the start of a structure.
///
/// # Safety
///
/// `count` is null or points to a number.
unsafe fn table_count(count: *const c_int, wanted: [bool; 5]) -> Result<usize, Fault> {
    // SAFETY: promised by the caller.
    let count = unsafe { read(count) }?;
    let count = usize::try_from(count).ok().filter(|&count| count > 0);
    let count = count.ok_or(Fault::SuitOrRank)?;
    let strains = wanted.into_iter().filter(|&wanted| wanted).count();
    if count * strains > MAX_TABLE_DEALS {
        return Err(Fault::TooManyTables);
    }
    Ok(count)
}

/// Writes tables, and par if that is asked for.
///
/// # Safety
///
/// `results` and `pars` are null or may be written to.
unsafe fn capped_tables(
    deals: &[Cards],
    mode: c_int,
    wanted: [bool; 5],
    results: *mut TablesResults,
    pars: *mut AllParResults,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller; a deal has a place in both structures.
    unsafe {
        let out = Out::new(results)?.pointer();
        write_tables(
            deals,
            mode,
            wanted,
            (&raw mut (*out).results).cast(),
            pars.cast(),
        )?;
        let strains = wanted.into_iter().filter(|&wanted| wanted).count();
        (*out).count = (4 * strains * deals.len()) as c_int;
    }
    Ok(())
}

/// Writes tables, and par if that is asked for.
///
/// # Safety
///
/// `results` and `pars` are null or have room for as many results as deals.
unsafe fn write_tables(
    deals: &[Cards],
    mode: c_int,
    wanted: [bool; 5],
    results: *mut TableResults,
    pars: *mut ParResults,
) -> Result<(), Fault> {
    let with_par = mode >= 0 && wanted == [true; 5];
    // SAFETY: promised by the caller.
    unsafe {
        Out::new(results)?;
        if with_par {
            Out::new(pars)?;
        }
        // What is not asked for stays as it is.
        for (deal, strain, row) in table::tricks(deals, wanted)? {
            (*results.add(deal)).tricks[strain] = row;
        }
        if with_par {
            for place in 0..deals.len() {
                par_text::write_par(&*results.add(place), mode, pars.add(place))?;
            }
        }
    }
    Ok(())
}

/// The results of any number of deals, as in DDS 3.1.
///
/// # Safety
///
/// `deals` is null or points to `count` deals, `filter` is null or points to
/// five numbers, `results` is null or has room for as many, and so has `pars`
/// or it is not asked for.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn CalcAllTablesX(
    count: c_int,
    deals: *const TableDeal,
    mode: c_int,
    filter: *const c_int,
    results: *mut TableResults,
    pars: *mut ParResults,
    threads: c_int,
) -> c_int {
    let _ = threads;
    call(|| {
        let count = usize::try_from(count).map_err(|_| Fault::Unknown)?;
        // SAFETY: promised by the caller.
        unsafe {
            let wanted = wanted(filter)?;
            let deals = slice(deals, count)?;
            let deals: Result<Vec<Cards>, Fault> =
                deals.iter().map(|deal| table::deal(&deal.cards)).collect();
            write_tables(&deals?, mode, wanted, results, pars)
        }
    })
}

/// The same for deals as text.
///
/// # Safety
///
/// As for [`CalcAllTablesX`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn CalcAllTablesPBNX(
    count: c_int,
    deals: *const TableDealPbn,
    mode: c_int,
    filter: *const c_int,
    results: *mut TableResults,
    pars: *mut ParResults,
    threads: c_int,
) -> c_int {
    let _ = threads;
    call(|| {
        let count = usize::try_from(count).map_err(|_| Fault::Unknown)?;
        // SAFETY: promised by the caller.
        unsafe {
            let wanted = wanted(filter)?;
            let deals = slice(deals, count)?;
            let deals: Result<Vec<Cards>, Fault> = deals
                .iter()
                .map(|deal| table::deal(&pbn::deal(&deal.cards)?))
                .collect();
            write_tables(&deals?, mode, wanted, results, pars)
        }
    })
}

/// Does nothing: nothing needs setting up. As in DDS 3.1.
#[unsafe(no_mangle)]
pub extern "system" fn InitializeStaticMemory() {}

/// Par of a table, seen by both sides.
///
/// # Safety
///
/// `table` is null or points to a table; `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Par(
    table: *mut TableResults,
    result: *mut ParResults,
    vulnerable: c_int,
) -> c_int {
    // SAFETY: promised by the caller.
    call(|| unsafe { par_text::write_par(&read(table)?, vulnerable, result) })
}

/// The results of a deal and their par.
///
/// # Safety
///
/// `table` and `result` are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn CalcPar(
    deal: TableDeal,
    vulnerable: c_int,
    table: *mut TableResults,
    result: *mut ParResults,
) -> c_int {
    // SAFETY: promised by the caller.
    unsafe {
        match CalcDDtable(deal, table) {
            code::NO_FAULT => Par(table, result, vulnerable),
            code => code,
        }
    }
}

/// The same for a deal as text.
///
/// # Safety
///
/// As for [`CalcPar`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn CalcParPBN(
    deal: TableDealPbn,
    table: *mut TableResults,
    vulnerable: c_int,
    result: *mut ParResults,
) -> c_int {
    // SAFETY: promised by the caller.
    unsafe {
        match CalcDDtablePBN(deal, table) {
            code::NO_FAULT => Par(table, result, vulnerable),
            code => code,
        }
    }
}

/// Par of a table for each side, with contracts as text.
///
/// # Safety
///
/// `table` is null or points to a table; `results` is null or has room for two.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SidesPar(
    table: *mut TableResults,
    results: *mut ParResultsDealer,
    vulnerable: c_int,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller.
        unsafe {
            let auction = par::Auction::new(&read(table)?, vulnerable)?;
            Out::new(results)?;
            for side in Side::ALL {
                let par = auction.par(side);
                par_text::write_dealer(
                    par.score,
                    &par_text::sides(&par),
                    results.add(side.index()),
                )?;
            }
        }
        Ok(())
    })
}

/// Par of a table for the dealer, with contracts as text.
///
/// # Safety
///
/// `table` is null or points to a table; `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn DealerPar(
    table: *mut TableResults,
    result: *mut ParResultsDealer,
    dealer: c_int,
    vulnerable: c_int,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller.
        unsafe {
            let auction = par::Auction::new(&read(table)?, vulnerable)?;
            let (score, par) = dealer_par(&auction, dealer)?;
            par_text::write_dealer(score, &par_text::dealer(&par), result)
        }
    })
}

/// Par for a dealer, with the score of North and South.
fn dealer_par(auction: &par::Auction, dealer: c_int) -> Result<(c_int, par::Par), Fault> {
    if !(0..4).contains(&dealer) {
        return Err(Fault::Unknown);
    }
    let side = Side::from_index(dealer as usize & 1);
    let par = auction.par(side);
    let score = match side {
        Side::NorthSouth => par.score,
        Side::EastWest => -par.score,
    };
    Ok((score, par))
}

/// Par of a table for the dealer, with contracts as numbers.
///
/// # Safety
///
/// `table` is null or points to a table; `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn DealerParBin(
    table: *mut TableResults,
    result: *mut ParResultsMaster,
    dealer: c_int,
    vulnerable: c_int,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller.
        unsafe {
            let auction = par::Auction::new(&read(table)?, vulnerable)?;
            let (score, par) = dealer_par(&auction, dealer)?;
            write_master(score, &par, result)
        }
    })
}

/// Writes par with contracts as numbers; places without a contract stay.
///
/// # Safety
///
/// `result` is null or may be written to.
unsafe fn write_master(
    score: c_int,
    par: &par::Par,
    result: *mut ParResultsMaster,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller; there is room for ten contracts.
    unsafe {
        let out = Out::new(result)?.pointer();
        (*out).score = score;
        (*out).number = par.contracts().len() as c_int;
        for (place, contract) in par.contracts().iter().enumerate() {
            (&raw mut (*out).contracts)
                .cast::<Contract>()
                .add(place)
                .write(*contract);
        }
    }
    Ok(())
}

/// Par of a table for each side, with contracts as numbers.
///
/// # Safety
///
/// `table` is null or points to a table; `results` is null or has room for two.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn SidesParBin(
    table: *mut TableResults,
    results: *mut ParResultsMaster,
    vulnerable: c_int,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller.
        unsafe {
            let auction = par::Auction::new(&read(table)?, vulnerable)?;
            Out::new(results)?;
            for side in Side::ALL {
                let par = auction.par(side);
                write_master(par.score, &par, results.add(side.index()))?;
            }
        }
        Ok(())
    })
}

/// A line of text about `DealerParBin`'s answer.
///
/// # Safety
///
/// `par` is null or points to par; `text` is null or has room for the line.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn ConvertToDealerTextFormat(
    par: *mut ParResultsMaster,
    text: *mut c_char,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller. The longest line has ten contracts.
        unsafe {
            let line = par_text::dealer_line(&read(par)?);
            let text = Out::new(text)?.pointer();
            for (place, byte) in line.bytes().chain([0]).enumerate() {
                text.add(place).write(byte as c_char);
            }
        }
        Ok(())
    })
}

/// Lines of text about `SidesParBin`'s answer.
///
/// # Safety
///
/// `pars` is null or points to two pars; `text` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn ConvertToSidesTextFormat(
    pars: *mut ParResultsMaster,
    text: *mut ParTextResults,
) -> c_int {
    // SAFETY: promised by the caller.
    call(|| unsafe { par_text::write_sides_lines(slice(pars, 2)?, text) })
}

/// What declarer takes after each card of a play.
///
/// # Safety
///
/// `solved` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn AnalysePlayBin(
    deal: Deal,
    trace: PlayTrace,
    solved: *mut SolvedPlay,
    thread: c_int,
) -> c_int {
    call(|| {
        // SAFETY: promised by the caller.
        let solved = unsafe { Out::new(solved) }?;
        thread_index(thread)?;
        let position = check::question(&deal, -1, 1, 1)?.position;
        solved.write(resources::search(|solver| {
            play::analyse(solver, &position, &trace)
        })?);
        Ok(())
    })
}

/// The same for a deal and a play as text.
///
/// # Safety
///
/// `solved` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn AnalysePlayPBN(
    deal: DealPbn,
    trace: PlayTracePbn,
    solved: *mut SolvedPlay,
    thread: c_int,
) -> c_int {
    match deal.parse().and_then(|deal| Ok((deal, pbn::play(&trace)?))) {
        // SAFETY: promised by the caller.
        Ok((deal, trace)) => unsafe { AnalysePlayBin(deal, trace, solved, thread) },
        Err(fault) => fault.code(),
    }
}

/// Up to 200 questions of `AnalysePlayBin`.
///
/// # Safety
///
/// `boards` and `plays` are null or point to boards and plays; `solved` is null
/// or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn AnalyseAllPlaysBin(
    boards: *mut Boards,
    plays: *mut PlayTraces,
    solved: *mut SolvedPlays,
    chunk: c_int,
) -> c_int {
    let _ = chunk;
    call(|| {
        // SAFETY: promised by the caller.
        unsafe {
            let count = play_count(boards.cast(), plays.cast())?;
            let deals = slice((&raw const (*boards).deals).cast::<Deal>(), count)?;
            let plays = slice((&raw const (*plays).plays).cast::<PlayTrace>(), count)?;
            let questions: Vec<(Deal, PlayTrace)> =
                deals.iter().copied().zip(plays.iter().copied()).collect();
            analyse_plays(&questions, solved)
        }
    })
}

/// The same for deals and plays as text.
///
/// # Safety
///
/// As for [`AnalyseAllPlaysBin`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn AnalyseAllPlaysPBN(
    boards: *mut BoardsPbn,
    plays: *mut PlayTracesPbn,
    solved: *mut SolvedPlays,
    chunk: c_int,
) -> c_int {
    let _ = chunk;
    call(|| {
        // SAFETY: promised by the caller.
        unsafe {
            let count = play_count(boards.cast(), plays.cast())?;
            let deals = slice((&raw const (*boards).deals).cast::<DealPbn>(), count)?;
            let plays = slice((&raw const (*plays).plays).cast::<PlayTracePbn>(), count)?;
            let question =
                |(deal, play): (&DealPbn, &PlayTracePbn)| Ok((deal.parse()?, pbn::play(play)?));
            let questions: Result<Vec<_>, Fault> = deals.iter().zip(plays).map(question).collect();
            analyse_plays(&questions?, solved)
        }
    })
}

/// The number of boards, of which there must be as many as plays.
///
/// # Safety
///
/// Both are null or point to numbers.
unsafe fn play_count(boards: *const c_int, plays: *const c_int) -> Result<usize, Fault> {
    // SAFETY: promised by the caller.
    unsafe {
        let count = board_count(boards)?;
        if board_count(plays)? != count {
            return Err(Fault::Unknown);
        }
        Ok(count)
    }
}

/// Analyses plays and writes the answers.
///
/// # Safety
///
/// `solved` is null or may be written to.
unsafe fn analyse_plays(
    questions: &[(Deal, PlayTrace)],
    solved: *mut SolvedPlays,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller.
    let out = unsafe { Out::new(solved) }?.pointer();
    let answers = resources::search_each(questions, |solver, (deal, trace)| {
        let position = check::question(deal, -1, 1, 1)?.position;
        play::analyse(solver, &position, trace)
    });
    let mut fault = None;
    for (place, answer) in answers.into_iter().enumerate() {
        match answer {
            // SAFETY: there are at most 200 questions, and room for as many.
            Ok(values) => unsafe {
                (&raw mut (*out).solved)
                    .cast::<SolvedPlay>()
                    .add(place)
                    .write(values);
            },
            // Of several, DDS returns the last.
            Err(error) => fault = Some(error),
        }
    }
    // SAFETY: as above.
    unsafe { (*out).count = questions.len() as c_int };
    fault.map_or(Ok(()), Err)
}

/// What the library is and how it is set up.
///
/// # Safety
///
/// `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn GetDDSInfo(result: *mut Info) {
    call(|| {
        // SAFETY: promised by the caller.
        info::write(unsafe { Out::new(result) }?);
        Ok(())
    });
}

/// The text of a return code, in up to 80 bytes.
///
/// # Safety
///
/// `line` is null or has room for 80 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn ErrorMessage(code: c_int, line: *mut c_char) {
    call(|| {
        // SAFETY: promised by the caller; no text is longer than 79 bytes.
        unsafe {
            write_text(
                Out::new(line.cast::<[c_char; 80]>())?.pointer(),
                code::message(code),
            )
        };
        Ok(())
    });
}
