//! Par as DDS 2.9 finds it, including tables that no real deal can produce.

use std::ffi::c_int;

use setrograde_cards::{Bid, Doubling, Side, Strain, Vulnerability};

use crate::abi::{Contract, TableResults};
use crate::code::Fault;

pub mod dealer;
pub mod sides;
pub mod text;

/// The tricks of each side, and the vulnerability that prices them.
#[derive(Debug)]
pub struct Auction {
    table: TableResults,
    vulnerability: Vulnerability,
}

/// Par as one side sees it.
#[derive(Clone, Debug)]
pub struct Par {
    /// The score of that side, or of North and South if `dealer` found it.
    pub score: c_int,
    /// At most one for each strain.
    pub contracts: Vec<Contract>,
}

impl Par {
    /// All pass: a contract of level 0.
    fn pass() -> Par {
        Par {
            score: 0,
            contracts: vec![Contract::default()],
        }
    }
}

/// The vulnerability of DDS's number.
///
/// # Errors
///
/// If it is not 0 to 3. DDS 2.9 takes any other number for 0.
pub fn vulnerability(number: c_int) -> Result<Vulnerability, Fault> {
    match number {
        0 => Ok(Vulnerability::None),
        1 => Ok(Vulnerability::Both),
        2 => Ok(Vulnerability::NorthSouth),
        3 => Ok(Vulnerability::EastWest),
        _ => Err(Fault::Unknown),
    }
}

impl Auction {
    /// The results of a table.
    ///
    /// # Errors
    ///
    /// If a number of tricks or the vulnerability is invalid.
    pub fn new(table: &TableResults, vulnerable: c_int) -> Result<Auction, Fault> {
        let tricks = || table.tricks.iter().flatten();
        if tricks().any(|tricks| !(0..=13).contains(tricks)) {
            return Err(Fault::Unknown);
        }
        Ok(Auction {
            table: *table,
            vulnerability: vulnerability(vulnerable)?,
        })
    }

    /// The tricks of each declarer.
    fn row(&self, strain: Strain) -> [c_int; 4] {
        self.table.tricks[strain.dds_index()]
    }

    /// The tricks of a side's better declarer.
    fn tricks(&self, strain: Strain, side: Side) -> c_int {
        let [first, second] = side.seats().map(|seat| self.row(strain)[seat]);
        first.max(second)
    }

    /// The declarers of a side that take the most tricks.
    fn seats(&self, strain: Strain, side: Side) -> c_int {
        let row = self.row(strain);
        let [first, second] = side.seats();
        match row[first].cmp(&row[second]) {
            std::cmp::Ordering::Greater => first.index() as c_int,
            std::cmp::Ordering::Less => second.index() as c_int,
            std::cmp::Ordering::Equal => 4 + side.index() as c_int,
        }
    }

    /// The score of a side in a contract with `tricks` tricks; doubled if it goes
    /// down.
    fn score(&self, bid: Bid, side: Side, tricks: c_int) -> c_int {
        let doubling = if tricks < c_int::from(bid.tricks()) {
            Doubling::Doubled
        } else {
            Doubling::Undoubled
        };
        bid.score(tricks as u8, doubling, self.vulnerability.includes(side))
    }

    /// The loss of a side that goes down `down` tricks, doubled: the same in all contracts.
    fn penalty(&self, down: c_int, side: Side) -> c_int {
        match Bid::new(7, Strain::NoTrump) {
            Some(bid) if down > 0 => -self.score(bid, side, 13 - down),
            _ => 0,
        }
    }
}
