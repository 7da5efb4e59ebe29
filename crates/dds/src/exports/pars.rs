//! Par of a table.

use std::ffi::{c_char, c_int};

use setrograde_cards::Seat;

use crate::abi::*;
use crate::boundary::{Out, call, read, slice};
use crate::code::Fault;
use crate::compat::par::{self, Auction, dealer, sides, text};

export! {
    /// Par of a table, seen by both sides.
    ///
    /// # Safety
    ///
    /// `table` is null or points to a table; `result` is null or may be written to.
    fn Par(table: *mut TableResults, result: *mut ParResults, vulnerable: c_int) {
        text::write_par(&read(table)?, vulnerable, result)
    }

    /// Par of a table for each side, with contracts as text.
    ///
    /// # Safety
    ///
    /// `table` is null or points to a table; `results` is null or has room for two.
    fn SidesPar(table: *mut TableResults, results: *mut ParResultsDealer, vulnerable: c_int) {
        let auction = Auction::new(&read(table)?, vulnerable)?;
        Out::new(results)?;
        for (index, par) in sides::par(&auction).iter().enumerate() {
            text::write_dealer(par.score, &text::side_contracts(par), results.add(index))?;
        }
        Ok(())
    }

    /// Par of a table for each side, with contracts as numbers.
    ///
    /// # Safety
    ///
    /// `table` is null or points to a table; `results` is null or has room for two.
    fn SidesParBin(table: *mut TableResults, results: *mut ParResultsMaster, vulnerable: c_int) {
        let auction = Auction::new(&read(table)?, vulnerable)?;
        Out::new(results)?;
        for (index, par) in sides::par(&auction).iter().enumerate() {
            write_master(par, results.add(index))?;
        }
        Ok(())
    }

    /// Par of a table for the dealer, with contracts as text.
    ///
    /// # Safety
    ///
    /// `table` is null or points to a table; `result` is null or may be written to.
    fn DealerPar(
        table: *mut TableResults, result: *mut ParResultsDealer, dealer: c_int,
        vulnerable: c_int,
    ) {
        let auction = Auction::new(&read(table)?, vulnerable)?;
        let (score, contracts) = dealer::par(&auction, seat(dealer)?);
        text::write_dealer(score, &text::dealer_contracts(&contracts), result)
    }

    /// Par of a table for the dealer, with contracts as numbers.
    ///
    /// # Safety
    ///
    /// `table` is null or points to a table; `result` is null or may be written to.
    fn DealerParBin(
        table: *mut TableResults, result: *mut ParResultsMaster, dealer: c_int,
        vulnerable: c_int,
    ) {
        let auction = Auction::new(&read(table)?, vulnerable)?;
        let (score, contracts) = dealer::par(&auction, seat(dealer)?);
        write_master(&dealer::par_in_numbers(score, &contracts), result)
    }

    /// A line of text about `DealerParBin`'s answer.
    ///
    /// # Safety
    ///
    /// `par` is null or points to par; `text` is null or has room for the line.
    fn ConvertToDealerTextFormat(par: *mut ParResultsMaster, text: *mut c_char) {
        let line = text::dealer_line(&read(par)?)?;
        let text = Out::new(text)?.pointer();
        for (index, byte) in line.bytes().chain([0]).enumerate() {
            text.add(index).write(byte as c_char);
        }
        Ok(())
    }

    /// Lines of text about `SidesParBin`'s answer.
    ///
    /// # Safety
    ///
    /// `pars` is null or points to two pars; `text` is null or may be written to.
    fn ConvertToSidesTextFormat(pars: *mut ParResultsMaster, text: *mut ParTextResults) {
        text::write_sides_lines(slice(pars, 2)?, text)
    }
}

/// The dealer of DDS's number.
fn seat(dealer: c_int) -> Result<Seat, Fault> {
    match dealer {
        0..4 => Ok(Seat::from_index(dealer as usize)),
        _ => Err(Fault::Unknown),
    }
}

/// Writes par with contracts as numbers; elements without a contract stay.
///
/// # Safety
///
/// `result` is null or may be written to.
unsafe fn write_master(par: &par::Par, result: *mut ParResultsMaster) -> Result<(), Fault> {
    // SAFETY: promised by the caller; there is room for ten contracts.
    unsafe {
        let out = Out::new(result)?.pointer();
        (*out).score = par.score;
        (*out).number = par.contracts.len() as c_int;
        let first = (&raw mut (*out).contracts).cast::<Contract>();
        for (index, contract) in par.contracts.iter().enumerate().take(10) {
            first.add(index).write(*contract);
        }
    }
    Ok(())
}
