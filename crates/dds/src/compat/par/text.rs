//! The texts of par, as DDS 2.9 writes them.

use std::ffi::{c_char, c_int};

use super::dealer::DealerContract;
use super::{Auction, Par, sides};
use crate::abi::{
    Contract, ParResults, ParResultsDealer, ParResultsMaster, ParTextResults, TableResults,
};
use crate::boundary::{Out, write_text};
use crate::code::Fault;

const SEATS: [&str; 6] = ["N", "E", "S", "W", "NS", "EW"];
const DENOMINATIONS: [&str; 5] = ["N", "S", "H", "D", "C"];

/// An entry of a list; its index was checked on input.
fn entry<'a>(list: &[&'a str], number: c_int) -> &'a str {
    list[number as usize]
}

/// `4S*-EW-1`, as `SidesPar` and `DealerPar` write a contract.
fn dashed(contract: &Contract, star: bool) -> String {
    let seat = entry(&SEATS, contract.seats);
    let denomination = entry(&DENOMINATIONS, contract.denomination);
    let level = contract.level;
    if contract.under > 0 {
        let star = if star { "*" } else { "" };
        format!("{level}{denomination}{star}-{seat}-{}", contract.under)
    } else if contract.over > 0 {
        format!("{level}{denomination}-{seat}+{}", contract.over)
    } else {
        format!("{level}{denomination}-{seat}")
    }
}

/// `EW 4Sx-1`, as the functions that convert to text write a contract.
fn spaced(contract: &Contract, no_trump: &str) -> String {
    let seat = entry(&SEATS, contract.seats);
    let denomination = match contract.denomination {
        0 => no_trump,
        number => entry(&DENOMINATIONS, number),
    };
    let level = contract.level;
    if contract.under > 0 {
        format!("{seat} {level}{denomination}x-{}", contract.under)
    } else if contract.over > 0 {
        format!("{seat} {level}{denomination}+{}", contract.over)
    } else {
        format!("{seat} {level}{denomination}")
    }
}

/// `EW 45N`, as `Par` writes a contract: all levels that are par.
fn levels(contract: &Contract) -> String {
    let seat = entry(&SEATS, contract.seats);
    let denomination = entry(&DENOMINATIONS, contract.denomination);
    if contract.under > 0 {
        return format!("{seat} {}{denomination}x", contract.level);
    }
    let levels: String = (contract.level..=contract.level + contract.over)
        .map(|level| level.to_string())
        .collect();
    format!("{seat} {levels}{denomination}")
}

/// Writes `Par`'s answer.
///
/// # Safety
///
/// `out` is null or may be written to.
pub unsafe fn write_par(
    table: &TableResults,
    vulnerable: c_int,
    out: *mut ParResults,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller.
    let out = unsafe { Out::new(out) }?.pointer();
    let auction = Auction::new(table, vulnerable)?;
    for (at, (par, name)) in sides::par(&auction).iter().zip(["NS", "EW"]).enumerate() {
        let contracts: Vec<String> = par
            .contracts
            .iter()
            .filter(|contract| contract.level > 0)
            .map(levels)
            .collect();
        // SAFETY: promised by the caller.
        unsafe {
            write_text(&raw mut (*out).score[at], &format!("{name} {}", par.score));
            write_text(
                &raw mut (*out).contracts[at],
                &format!("{name}:{}", contracts.join(",")),
            );
        }
    }
    Ok(())
}

/// Writes contracts with dashes.
///
/// # Safety
///
/// `out` is null or may be written to.
pub unsafe fn write_dealer(
    score: c_int,
    contracts: &[String],
    out: *mut ParResultsDealer,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller.
    unsafe {
        let out = Out::new(out)?.pointer();
        (*out).number = contracts.len() as c_int;
        (*out).score = score;
        for (at, contract) in contracts.iter().enumerate().take(10) {
            write_text(&raw mut (*out).contracts[at], contract);
        }
    }
    Ok(())
}

/// `SidesPar`'s contracts of one side.
pub fn side_contracts(par: &Par) -> Vec<String> {
    let contracts = par.contracts.iter();
    contracts.map(|contract| dashed(contract, true)).collect()
}

/// `DealerPar`'s contracts.
pub fn dealer_contracts(contracts: &[DealerContract]) -> Vec<String> {
    if contracts.is_empty() {
        return vec!["pass".to_owned()];
    }
    contracts
        .iter()
        .map(|contract| dashed(&contract.contract, contract.star))
        .collect()
}

/// `ConvertToDealerTextFormat`'s line.
///
/// # Errors
///
/// If a number is out of range.
pub fn dealer_line(par: &ParResultsMaster) -> Result<String, Fault> {
    let contracts: Vec<String> = known(par)?
        .iter()
        .map(|contract| spaced(contract, "N"))
        .collect();
    Ok(format!("Par {}: {}", par.score, contracts.join(" ")))
}

/// Writes `ConvertToSidesTextFormat`'s lines.
///
/// # Safety
///
/// `out` is null or may be written to.
pub unsafe fn write_sides_lines(
    pars: &[ParResultsMaster],
    out: *mut ParTextResults,
) -> Result<(), Fault> {
    // SAFETY: promised by the caller.
    let out = unsafe { Out::new(out) }?;
    if pars[0].score == 0 {
        // DDS leaves `equal` as it is.
        // SAFETY: promised by the caller.
        unsafe {
            (*out.pointer()).text = [[0; 128]; 2];
            write_text(&raw mut (*out.pointer()).text[0], "Par 0");
        }
        return Ok(());
    }
    let sides = [known(&pars[0])?, known(&pars[1])?];
    let equal = pars[0].score == pars[1].score.wrapping_neg() && sides[0] == sides[1];
    let mut text = [[0 as c_char; 128]; 2];
    for ((text, par), contracts) in text.iter_mut().zip(pars).zip(sides) {
        let contracts: Vec<String> = contracts
            .iter()
            .map(|contract| spaced(contract, "NT"))
            .collect();
        let line = format!("Par {}: {}", par.score, contracts.join(" "));
        // SAFETY: the field is this function's own.
        unsafe { write_text(&raw mut *text, &line) };
    }
    out.write(ParTextResults {
        text,
        equal: u8::from(equal),
    });
    Ok(())
}

/// Returns the contracts of a structure that the caller may have filled in.
fn known(par: &ParResultsMaster) -> Result<&[Contract], Fault> {
    let number = usize::try_from(par.number).ok();
    let contracts = number
        .and_then(|number| par.contracts.get(..number))
        .ok_or(Fault::Unknown)?;
    let is_one = |of: &Contract| {
        (0..6).contains(&of.seats)
            && (0..5).contains(&of.denomination)
            && (0..=7).contains(&of.level)
    };
    if contracts.iter().all(is_one) {
        Ok(contracts)
    } else {
        Err(Fault::Unknown)
    }
}
