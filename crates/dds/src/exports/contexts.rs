//! The functions of DDS 3 that are given a context, and their companions without one.

use std::ffi::{c_char, c_int};

use crate::abi::*;
use crate::boundary::{Out, call, read};
use crate::check;
use crate::code::Fault;
use crate::compat::par::{text, vulnerability};
use crate::context::Context;
use crate::info;
use crate::pbn::{Parameter, from_text_strictly};
use crate::{solve, table};

use super::pars::{
    ConvertToDealerTextFormat, ConvertToSidesTextFormat, DealerPar, DealerParBin, Par, SidesPar,
    SidesParBin,
};

/// A new context with the usual limits.
#[unsafe(no_mangle)]
pub extern "C" fn dds_c_create_solvercontext_default() -> *mut Context {
    dds_c_create_solvercontext(0, 0, 0)
}

/// A new context whose table may take `most` MiB, if that is positive.
#[unsafe(no_mangle)]
pub extern "C" fn dds_c_create_solvercontext(
    _kind: c_int,
    _usual: c_int,
    most: c_int,
) -> *mut Context {
    Box::into_raw(Box::new(Context::new(most)))
}

/// Frees a context.
///
/// # Safety
///
/// `context` is null or a context that is not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dds_c_destroy_solvercontext(context: *mut Context) {
    call(|| {
        if !context.is_null() {
            // SAFETY: promised by the caller.
            drop(unsafe { Box::from_raw(context) });
        }
        Ok(())
    });
}

/// The context behind a pointer.
///
/// # Safety
///
/// `context` is null or a context that lives as long as the reference.
unsafe fn of<'a>(context: *mut Context) -> Result<&'a Context, Fault> {
    // SAFETY: promised by the caller.
    unsafe { context.as_ref() }.ok_or(Fault::Unknown)
}

export! {
    /// `SolveBoard` with a context, but a single card gets its tricks in mode 0, too.
    ///
    /// # Safety
    ///
    /// `context` is null or a context; `deal` is null or points to a deal; `future` is null
    /// or may be written to.
    fn dds_c_solve_board(
        context: *mut Context, deal: *const Deal, target: c_int, solutions: c_int, mode: c_int,
        future: *mut FutureTricks,
    ) {
        let (context, deal, future) = (of(context)?, read(deal)?, Out::new(future)?);
        let mut question = check::question(&deal, target, solutions, mode)?;
        question.skip_single = false;
        future.write(context.search(|solver| solve::solve(solver, &question))?);
        Ok(())
    }

    /// The 20 results of a deal with any number of tricks.
    ///
    /// # Safety
    ///
    /// As for [`dds_c_solve_board`].
    fn dds_c_calc_dd_table(
        context: *mut Context, deal: *const TableDeal, results: *mut TableResults,
    ) {
        table_of(of(context)?, &read(deal)?, results)
    }

    /// The same for a deal as text.
    ///
    /// # Safety
    ///
    /// As for [`dds_c_solve_board`].
    fn dds_c_calc_dd_table_pbn(
        context: *mut Context, deal: *const TableDealPbn, results: *mut TableResults,
    ) {
        table_of(of(context)?, &read(deal)?, results)
    }

    /// The results of a deal and their par.
    ///
    /// # Safety
    ///
    /// As for [`dds_c_solve_board`].
    fn dds_c_calc_par(
        context: *mut Context, deal: *const TableDeal, vulnerable: c_int,
        results: *mut TableResults, par: *mut ParResults,
    ) {
        let context = of(context)?;
        vulnerability(vulnerable)?;
        table_of(context, &read(deal)?, results)?;
        text::write_par(&read(results)?, vulnerable, par)
    }

    /// The holdings of a deal as text, of which up to 80 bytes are read.
    ///
    /// # Safety
    ///
    /// `text` is null or points to a text that ends with 0 or has 80 bytes; `cards` is null
    /// or may be written to.
    fn dds_c_convert_from_pbn(text: *const c_char, cards: *mut Holdings) {
        let cards = Out::new(cards)?;
        if text.is_null() {
            return Err(Fault::Unknown);
        }
        let mut copy = [0; 80];
        let mut index = 0;
        while index < copy.len() && *text.add(index) != 0 {
            copy[index] = *text.add(index);
            index += 1;
        }
        cards.write(Holdings::default());
        if index == copy.len() {
            return Err(Fault::Pbn);
        }
        cards.write(from_text_strictly(&copy)?);
        Ok(())
    }
}

/// Writes the results of a deal.
///
/// # Safety
///
/// `results` is null or may be written to.
unsafe fn table_of(
    context: &Context,
    deal: &impl Parameter<Read = Holdings>,
    results: *mut TableResults,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller.
    let results = unsafe { Out::new(results) }?;
    let deal = table::deal(&deal.read()?)?;
    let tricks = context.search(|solver| table::all(solver, &deal))?;
    results.write(TableResults { tricks });
    Ok(())
}

/// Defines functions that do something to a context and return nothing.
macro_rules! change {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($context:ident $(, $parameter:ident: $type:ty)*) { $($body:tt)* }
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        ///
        /// `context` is null or a context.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(context: *mut Context $(, $parameter: $type)*) {
            call(|| {
                // SAFETY: promised by the caller.
                let $context = unsafe { of(context) }?;
                $($body)*
                Ok(())
            });
        }
    )*};
}

change! {
    /// Sets the MiB of a context's table, if `most` is positive.
    fn dds_c_configure_tt(context, _kind: c_int, _usual: c_int, most: c_int) {
        context.set_memory(most);
    }

    /// Sets the MiB of a context's table, if `most` is positive.
    fn dds_c_resize_tt(context, _usual: c_int, most: c_int) { context.set_memory(most); }

    /// Clears the table of a context.
    fn dds_c_clear_tt(context) { context.clear(); }

    /// Does nothing: no call leaves anything that could disturb the next one.
    fn dds_c_reset_for_solve(_context) {}

    /// Does nothing: no call leaves anything that could disturb the next one.
    fn dds_c_reset_best_moves_lite(_context) {}

    /// Does nothing: there is no log, and no function to read one.
    fn dds_c_log_append(_context, _message: *const c_char) {}

    /// Does nothing: there is no log.
    fn dds_c_log_clear(_context) {}
}

/// `GetDDSInfo` with the version of DDS that has contexts.
///
/// # Safety
///
/// `result` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dds_c_get_dds_info(result: *mut Info) {
    call(|| {
        // SAFETY: promised by the caller.
        info::write(unsafe { Out::new(result) }?, [3, 1, 0]);
        Ok(())
    });
}

/// `ErrorMessage` under another name.
///
/// # Safety
///
/// As for `ErrorMessage`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dds_c_error_message(code: c_int, line: *mut c_char) {
    // SAFETY: promised by the caller.
    unsafe { super::ErrorMessage(code, line) }
}

/// Defines functions that have another name, too.
macro_rules! rename {
    ($($name:ident is $of:ident($($parameter:ident: $type:ty),*);)*) => {$(
        #[doc = concat!("`", stringify!($of), "` under another name.")]
        ///
        /// # Safety
        ///
        #[doc = concat!("As for [`", stringify!($of), "`].")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($parameter: $type),*) -> c_int {
            // SAFETY: promised by the caller.
            unsafe { $of($($parameter),*) }
        }
    )*};
}

rename! {
    dds_c_sides_par is SidesPar(
        table: *mut TableResults, results: *mut ParResultsDealer, vulnerable: c_int);
    dds_c_sides_par_bin is SidesParBin(
        table: *mut TableResults, results: *mut ParResultsMaster, vulnerable: c_int);
    dds_c_dealer_par is DealerPar(
        table: *mut TableResults, result: *mut ParResultsDealer, dealer: c_int,
        vulnerable: c_int);
    dds_c_dealer_par_bin is DealerParBin(
        table: *mut TableResults, result: *mut ParResultsMaster, dealer: c_int,
        vulnerable: c_int);
    dds_c_convert_to_dealer_text_format is ConvertToDealerTextFormat(
        par: *mut ParResultsMaster, text: *mut c_char);
    dds_c_convert_to_sides_text_format is ConvertToSidesTextFormat(
        pars: *mut ParResultsMaster, text: *mut ParTextResults);
}

/// `Par` with its parameters in another order.
///
/// # Safety
///
/// As for [`Par`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dds_c_par_from_table(
    table: *mut TableResults,
    vulnerable: c_int,
    result: *mut ParResults,
) -> c_int {
    // SAFETY: promised by the caller.
    unsafe { Par(table, result, vulnerable) }
}
