//! The cards of the hand to play and their tricks.

use std::ffi::c_int;

use crate::abi::{Boards, BoardsPbn, Deal, DealPbn, FutureTricks, SolvedBoards};
use crate::boundary::{Out, call, read, slice};
use crate::check::{self, Question};
use crate::code::Fault;
use crate::numbers::positive;
use crate::pbn::Parameter;
use crate::{resources, solve};

use super::{board_count, is_looked_at, thread_index, write_each};

export! {
    /// The cards of the hand to play and their tricks.
    ///
    /// # Safety
    ///
    /// `future` is null or may be written to.
    fn SolveBoard(
        deal: Deal, target: c_int, solutions: c_int, mode: c_int, future: *mut FutureTricks,
        thread: c_int,
    ) {
        solve_board(&deal, [target, solutions, mode], future, thread)
    }

    /// The same for a deal as text.
    ///
    /// # Safety
    ///
    /// `future` is null or may be written to.
    fn SolveBoardPBN(
        deal: DealPbn, target: c_int, solutions: c_int, mode: c_int, future: *mut FutureTricks,
        thread: c_int,
    ) {
        solve_board(&deal, [target, solutions, mode], future, thread)
    }

    /// Up to 200 questions of `SolveBoard`.
    ///
    /// # Safety
    ///
    /// `boards` is null or points to boards; `solved` is null or may be written to.
    fn SolveAllBoardsBin(boards: *mut Boards, solved: *mut SolvedBoards) {
        solve_boards(boards, solved, None)
    }

    /// The same for deals as text.
    ///
    /// # Safety
    ///
    /// As for [`SolveAllBoardsBin`].
    fn SolveAllBoards(boards: *mut BoardsPbn, solved: *mut SolvedBoards) {
        solve_boards(boards, solved, None)
    }

    /// `SolveAllBoardsBin` with at most `threads` threads, as in DDS 3.1; 0 means as many as are
    /// allowed.
    ///
    /// # Safety
    ///
    /// As for [`SolveAllBoardsBin`].
    fn SolveAllBoardsBinN(boards: *mut Boards, solved: *mut SolvedBoards, threads: c_int) {
        solve_boards(boards, solved, positive(threads))
    }

    /// `SolveAllBoards` with at most `threads` threads, as in DDS 3.1.
    ///
    /// # Safety
    ///
    /// As for [`SolveAllBoardsBin`].
    fn SolveAllBoardsN(boards: *mut BoardsPbn, solved: *mut SolvedBoards, threads: c_int) {
        solve_boards(boards, solved, positive(threads))
    }

    /// `SolveAllBoardsBin` in the caller's thread, as in DDS 3.1.
    ///
    /// # Safety
    ///
    /// As for [`SolveAllBoardsBin`].
    fn SolveAllBoardsBinSeq(boards: *mut Boards, solved: *mut SolvedBoards) {
        solve_boards(boards, solved, Some(1))
    }

    /// `SolveAllBoards` in the caller's thread, as in DDS 3.1.
    ///
    /// # Safety
    ///
    /// As for [`SolveAllBoardsBin`].
    fn SolveAllBoardsSeq(boards: *mut BoardsPbn, solved: *mut SolvedBoards) {
        solve_boards(boards, solved, Some(1))
    }

    /// Another name of `SolveAllBoards`.
    ///
    /// # Safety
    ///
    /// As for [`SolveAllBoardsBin`].
    fn SolveAllChunks(boards: *mut BoardsPbn, solved: *mut SolvedBoards, chunk: c_int) {
        chunk_size(chunk).and_then(|()| solve_boards(boards, solved, None))
    }

    /// Another name of `SolveAllBoards`.
    ///
    /// # Safety
    ///
    /// As for [`SolveAllBoardsBin`].
    fn SolveAllChunksPBN(boards: *mut BoardsPbn, solved: *mut SolvedBoards, chunk: c_int) {
        chunk_size(chunk).and_then(|()| solve_boards(boards, solved, None))
    }

    /// `SolveAllBoardsBin` under another name.
    ///
    /// # Safety
    ///
    /// As for [`SolveAllBoardsBin`].
    fn SolveAllChunksBin(boards: *mut Boards, solved: *mut SolvedBoards, chunk: c_int) {
        chunk_size(chunk).and_then(|()| solve_boards(boards, solved, None))
    }
}

/// Checks a chunk size, which means nothing else.
fn chunk_size(chunk: c_int) -> Result<(), Fault> {
    if chunk < 1 {
        return Err(Fault::ChunkSize);
    }
    Ok(())
}

/// Answers one question; `asked` is its target, solutions and mode.
///
/// # Safety
///
/// `future` is null or may be written to.
unsafe fn solve_board(
    deal: &impl Parameter<Read = Deal>,
    [target, solutions, mode]: [c_int; 3],
    future: *mut FutureTricks,
    thread: c_int,
) -> Result<(), Fault> {
    let deal = deal.read()?;
    // SAFETY: promised by the caller.
    let future = unsafe { Out::new(future) }?;
    let thread = thread_index(thread)?;
    let question = check::question(&deal, target, solutions, mode)?;
    future.write(resources::search(thread, |solver| {
        solve::solve(solver, &question)
    })?);
    Ok(())
}

/// Answers the questions of a batch by at most `threads` threads.
///
/// # Safety
///
/// `boards` is null or points to boards, of which only as many elements are
/// used as it says; `solved` is null or may be written to.
unsafe fn solve_boards<D: Parameter<Read = Deal>>(
    boards: *const Boards<D>,
    solved: *mut SolvedBoards,
    threads: Option<usize>,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller.
    unsafe {
        let count = board_count(boards.cast())?;
        let deals = slice((&raw const (*boards).deals).cast::<D>(), count)?;
        let question = |index: usize| {
            let number = |numbers: *const [c_int; 200]| read(numbers.cast::<c_int>().add(index));
            let target = number(&raw const (*boards).target)?;
            let solutions = number(&raw const (*boards).solutions)?;
            let mode = number(&raw const (*boards).mode)?;
            let deal = deals[index].read()?;
            let question = || check::question(&deal, target, solutions, mode);
            Ok(is_looked_at(&deal).then(question))
        };
        let questions: Result<Vec<Option<Result<Question, Fault>>>, Fault> =
            (0..count).map(question).collect();
        let questions = questions?;
        let out = Out::new(solved)?.pointer();
        let first = (&raw mut (*out).solved).cast::<FutureTricks>();
        // As DDS does before it starts.
        for index in 0..count {
            (*first.add(index)).cards = 0;
        }
        let answers = resources::search_each(&questions, threads, |solver, question| {
            question.map(|question| Ok(solve::solve(solver, &question?)?))
        });
        let faults = write_each(answers, first);
        (*out).count = read(boards.cast())?;
        faults.first().map_or(Ok(()), |fault| Err(*fault))
    }
}
