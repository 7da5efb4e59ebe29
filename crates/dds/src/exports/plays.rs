//! The declarer's tricks after each card of a play.

use std::ffi::c_int;

use crate::abi::*;
use crate::boundary::{Out, call, read, slice};
use crate::code::Fault;
use crate::pbn::Parameter;
use crate::{check, play, resources};

use super::{board_count, is_looked_at, thread_index, write_each};

export! {
    /// The declarer's tricks after each card of a play.
    ///
    /// # Safety
    ///
    /// `solved` is null or may be written to.
    fn AnalysePlayBin(deal: Deal, trace: PlayTrace, solved: *mut SolvedPlay, thread: c_int) {
        analyse(&deal, &trace, solved, thread)
    }

    /// The same for a deal and a play as text.
    ///
    /// # Safety
    ///
    /// `solved` is null or may be written to.
    fn AnalysePlayPBN(deal: DealPbn, trace: PlayTracePbn, solved: *mut SolvedPlay, thread: c_int) {
        analyse(&deal, &trace, solved, thread)
    }

    /// Up to 200 questions of `AnalysePlayBin`.
    ///
    /// # Safety
    ///
    /// `boards` and `plays` are null or point to boards and plays; `solved` is null
    /// or may be written to.
    fn AnalyseAllPlaysBin(
        boards: *mut Boards, plays: *mut PlayTraces, solved: *mut SolvedPlays, _chunk: c_int,
    ) {
        analyse_all(boards, plays, solved)
    }

    /// The same for deals and plays as text.
    ///
    /// # Safety
    ///
    /// As for [`AnalyseAllPlaysBin`].
    fn AnalyseAllPlaysPBN(
        boards: *mut BoardsPbn, plays: *mut PlayTracesPbn, solved: *mut SolvedPlays,
        _chunk: c_int,
    ) {
        analyse_all(boards, plays, solved)
    }
}

/// Analyses one play.
///
/// # Safety
///
/// `solved` is null or may be written to.
unsafe fn analyse(
    deal: &impl Parameter<Read = Deal>,
    trace: &impl Parameter<Read = PlayTrace>,
    solved: *mut SolvedPlay,
    thread: c_int,
) -> Result<(), Fault> {
    let (deal, trace) = (deal.read()?, trace.read()?);
    // SAFETY: promised by the caller.
    let solved = unsafe { Out::new(solved) }?;
    let thread = thread_index(thread)?;
    let question = check::question(&deal, -1, 1, 1)?;
    solved.write(resources::search(thread, |solver| {
        play::analyse(solver, &question, &trace)
    })?);
    Ok(())
}

/// Analyses the plays of a batch.
///
/// # Safety
///
/// `boards` and `plays` are null or point to boards and plays, of which only as
/// many elements are used as they say; `solved` is null or may be written to.
unsafe fn analyse_all<D: Parameter<Read = Deal>, P: Parameter<Read = PlayTrace>>(
    boards: *const Boards<D>,
    plays: *const PlayTraces<P>,
    solved: *mut SolvedPlays,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller.
    unsafe {
        let count = board_count(boards.cast())?;
        if board_count(plays.cast())? != count {
            return Err(Fault::Unknown);
        }
        let deals = slice((&raw const (*boards).deals).cast::<D>(), count)?;
        let plays = slice((&raw const (*plays).plays).cast::<P>(), count)?;
        let question = |(deal, play): (&D, &P)| Ok((deal.read()?, play.read()?));
        let questions: Result<Vec<(Deal, PlayTrace)>, Fault> =
            deals.iter().zip(plays).map(question).collect();
        let out = Out::new(solved)?.pointer();
        let answers = resources::search_each(&questions?, None, |solver, (deal, trace)| {
            let analyse = || play::analyse(solver, &check::question(deal, -1, 1, 1)?, trace);
            is_looked_at(deal).then(analyse)
        });
        let faults = write_each(answers, (&raw mut (*out).solved).cast::<SolvedPlay>());
        (*out).count = read(boards.cast())?;
        faults.last().map_or(Ok(()), |fault| Err(*fault))
    }
}
