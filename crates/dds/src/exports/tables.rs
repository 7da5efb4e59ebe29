//! The tricks of every declarer in every strain.

use std::ffi::c_int;

use setrograde_cards::Deal as Cards;

use crate::abi::*;
use crate::boundary::{Out, call, read, slice};
use crate::code::Fault;
use crate::compat::par::{text, vulnerability};
use crate::numbers::positive;
use crate::pbn::Parameter;
use crate::table;

export! {
    /// The 20 results of a deal.
    ///
    /// # Safety
    ///
    /// `result` is null or may be written to.
    fn CalcDDtable(deal: TableDeal, result: *mut TableResults) {
        table_of(&deal, result, None)
    }

    /// The same for a deal as text.
    ///
    /// # Safety
    ///
    /// `result` is null or may be written to.
    fn CalcDDtablePBN(deal: TableDealPbn, result: *mut TableResults) {
        table_of(&deal, result, None)
    }

    /// The results of a deal and their par.
    ///
    /// # Safety
    ///
    /// `table` and `result` are null or may be written to.
    fn CalcPar(
        deal: TableDeal, vulnerable: c_int, table: *mut TableResults, result: *mut ParResults,
    ) {
        par_of(&deal, vulnerable, table, result)
    }

    /// The same for a deal as text.
    ///
    /// # Safety
    ///
    /// As for [`CalcPar`].
    fn CalcParPBN(
        deal: TableDealPbn, table: *mut TableResults, vulnerable: c_int,
        result: *mut ParResults,
    ) {
        par_of(&deal, vulnerable, table, result)
    }

    /// The results of many deals, and their par if `mode` is a vulnerability and
    /// no strain is left out.
    ///
    /// # Safety
    ///
    /// `deals` is null or points to deals, `filter` is null or points to five
    /// numbers, `results` is null or may be written to, and so may `pars` or it is
    /// not asked for.
    fn CalcAllTables(
        deals: *mut TableDeals, mode: c_int, filter: *mut c_int, results: *mut TablesResults,
        pars: *mut AllParResults,
    ) {
        capped_tables(deals, mode, filter, results, pars, 0)
    }

    /// The same for deals as text.
    ///
    /// # Safety
    ///
    /// As for [`CalcAllTables`].
    fn CalcAllTablesPBN(
        deals: *mut TableDealsPbn, mode: c_int, filter: *mut c_int, results: *mut TablesResults,
        pars: *mut AllParResults,
    ) {
        capped_tables(deals, mode, filter, results, pars, 0)
    }

    /// `CalcDDtable` with at most `threads` threads, as in DDS 3.1; 0 means as many as are allowed.
    ///
    /// # Safety
    ///
    /// `result` is null or may be written to.
    fn CalcDDtableN(deal: TableDeal, result: *mut TableResults, threads: c_int) {
        table_of(&deal, result, positive(threads))
    }

    /// The same for a deal as text.
    ///
    /// # Safety
    ///
    /// `result` is null or may be written to.
    fn CalcDDtablePBNN(deal: TableDealPbn, result: *mut TableResults, threads: c_int) {
        table_of(&deal, result, positive(threads))
    }

    /// `CalcAllTables` with at most `threads` threads, as in DDS 3.1.
    ///
    /// # Safety
    ///
    /// As for [`CalcAllTables`].
    fn CalcAllTablesN(
        deals: *mut TableDeals, mode: c_int, filter: *mut c_int, results: *mut TablesResults,
        pars: *mut AllParResults, threads: c_int,
    ) {
        capped_tables(deals, mode, filter, results, pars, threads)
    }

    /// The same for deals as text.
    ///
    /// # Safety
    ///
    /// As for [`CalcAllTables`].
    fn CalcAllTablesPBNN(
        deals: *mut TableDealsPbn, mode: c_int, filter: *mut c_int, results: *mut TablesResults,
        pars: *mut AllParResults, threads: c_int,
    ) {
        capped_tables(deals, mode, filter, results, pars, threads)
    }

    /// The results of any number of deals by at most `threads` threads, as in DDS 3.1; 0 means as
    /// many as are allowed.
    ///
    /// # Safety
    ///
    /// `deals` is null or points to `count` deals, `filter` is null or points to
    /// five numbers, `results` is null or has room for as many, and so has `pars`
    /// or it is not asked for.
    fn CalcAllTablesX(
        count: c_int, deals: *const TableDeal, mode: c_int, filter: *const c_int,
        results: *mut TableResults, pars: *mut ParResults, threads: c_int,
    ) {
        TableRequest::new(count, deals, mode, filter)?.write(results, pars, threads)
    }

    /// The same for deals as text.
    ///
    /// # Safety
    ///
    /// As for [`CalcAllTablesX`].
    fn CalcAllTablesPBNX(
        count: c_int, deals: *const TableDealPbn, mode: c_int, filter: *const c_int,
        results: *mut TableResults, pars: *mut ParResults, threads: c_int,
    ) {
        TableRequest::new(count, deals, mode, filter)?.write(results, pars, threads)
    }
}

/// Writes the results of a deal.
///
/// # Safety
///
/// `result` is null or may be written to.
unsafe fn table_of(
    deal: &impl Parameter<Read = Holdings>,
    result: *mut TableResults,
    threads: Option<usize>,
) -> Result<(), Fault> {
    let deal = deal.read()?;
    // SAFETY: promised by the caller.
    let result = unsafe { Out::new(result) }?;
    let deal = table::deal(&deal)?;
    let mut tricks = [[0; 4]; 5];
    for (_, strain, row) in table::tricks(&[deal], [true; 5], threads)? {
        tricks[strain] = row;
    }
    result.write(TableResults { tricks });
    Ok(())
}

/// Writes the results of a deal and their par.
///
/// # Safety
///
/// `table` and `result` are null or may be written to.
unsafe fn par_of(
    deal: &impl Parameter<Read = Holdings>,
    vulnerable: c_int,
    table: *mut TableResults,
    result: *mut ParResults,
) -> Result<(), Fault> {
    // Before the work.
    vulnerability(vulnerable)?;
    // SAFETY: promised by the caller.
    unsafe {
        table_of(deal, table, None)?;
        text::write_par(&read(table)?, vulnerable, result)
    }
}

/// Deals to make tables of.
struct TableRequest {
    deals: Vec<Cards>,
    wanted: [bool; 5],
    mode: c_int,
}

impl TableRequest {
    /// Reads the deals and the filter.
    ///
    /// # Safety
    ///
    /// `deals` is null or points to `count` deals; `filter` is null or points to
    /// five numbers.
    unsafe fn new<D: Parameter<Read = Holdings>>(
        count: c_int,
        deals: *const D,
        mode: c_int,
        filter: *const c_int,
    ) -> Result<TableRequest, Fault> {
        let count = usize::try_from(count).map_err(|_| Fault::Unknown)?;
        // A vulnerability, or -1 for no par.
        if mode != -1 {
            vulnerability(mode)?;
        }
        // SAFETY: promised by the caller.
        let (wanted, deals) = unsafe { (wanted(filter)?, slice(deals, count)?) };
        let deal = |deal: &D| table::deal(&deal.read()?);
        Ok(TableRequest {
            deals: deals.iter().map(deal).collect::<Result<_, _>>()?,
            wanted,
            mode,
        })
    }

    /// Writes the tables, and par if requested.
    ///
    /// # Safety
    ///
    /// `results` and `pars` are null or have room for as many results as deals.
    unsafe fn write(
        &self,
        results: *mut TableResults,
        pars: *mut ParResults,
        threads: c_int,
    ) -> Result<(), Fault> {
        let with_par = self.mode >= 0 && self.wanted == [true; 5];
        // SAFETY: promised by the caller.
        unsafe {
            Out::new(results)?;
            if with_par {
                Out::new(pars)?;
            }
            // Fields that were not requested stay unchanged.
            for (deal, strain, row) in table::tricks(&self.deals, self.wanted, positive(threads))? {
                (*results.add(deal)).tricks[strain] = row;
            }
            if with_par {
                for index in 0..self.deals.len() {
                    text::write_par(&*results.add(index), self.mode, pars.add(index))?;
                }
            }
        }
        Ok(())
    }
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

/// Writes the tables of a structure with room for 40 of five strains each.
///
/// # Safety
///
/// `deals` is null or points to deals, `filter` is null or points to five
/// numbers, `results` and `pars` are null or may be written to.
unsafe fn capped_tables<D: Parameter<Read = Holdings>>(
    deals: *const TableDeals<D>,
    mode: c_int,
    filter: *const c_int,
    results: *mut TablesResults,
    pars: *mut AllParResults,
    threads: c_int,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller; a deal has an element in every structure.
    unsafe {
        let wanted = wanted(filter)?;
        let strains = wanted.into_iter().filter(|&wanted| wanted).count();
        let count = read(deals.cast::<c_int>())?;
        let number = usize::try_from(count)
            .ok()
            .filter(|&count| count > 0)
            .ok_or(Fault::SuitOrRank)?;
        if number > MAX_TABLE_DEALS / strains {
            return Err(Fault::TooManyTables);
        }
        let first = (&raw const (*deals).deals).cast::<D>();
        let question = TableRequest::new(count, first, mode, filter)?;
        let out = Out::new(results)?.pointer();
        question.write((&raw mut (*out).results).cast(), pars.cast(), threads)?;
        (*out).count = (4 * strains * number) as c_int;
    }
    Ok(())
}
