//! Par as DDS 2.9 finds it.

use std::ffi::c_int;

use setrograde_cards::{Bid, Doubling, Side, Strain, Suit, Vulnerability};

use crate::abi::{Contract, TableResults};
use crate::code::Fault;
use crate::table;

/// The strains in the order of `Contract::denomination`.
const DENOMINATIONS: [Strain; 5] = [
    Strain::NoTrump,
    Strain::Trump(Suit::Spades),
    Strain::Trump(Suit::Hearts),
    Strain::Trump(Suit::Diamonds),
    Strain::Trump(Suit::Clubs),
];

/// What each bid is worth, and which seats of a side bid it best.
#[derive(Debug)]
pub struct Auction {
    table: TableResults,
    /// By bid and side: the score of North and South if the bidding ends there.
    scores: [[i32; 2]; Bid::COUNT],
}

/// Par as one side sees it that bids first.
#[derive(Clone, Copy, Debug)]
pub struct Par {
    /// The score of the side that bids first.
    pub score: i32,
    /// The contracts; one of level 0 if all pass.
    pub contracts: [Contract; 10],
    /// How many.
    pub number: usize,
}

/// The vulnerability of DDS's number.
pub fn vulnerability(number: c_int) -> Vulnerability {
    match number {
        1 => Vulnerability::Both,
        2 => Vulnerability::NorthSouth,
        3 => Vulnerability::EastWest,
        _ => Vulnerability::None,
    }
}

impl Auction {
    /// The bids of a table.
    ///
    /// # Errors
    ///
    /// If a number of tricks is none.
    pub fn new(table: &TableResults, vulnerable: c_int) -> Result<Auction, Fault> {
        if table
            .tricks
            .iter()
            .flatten()
            .any(|tricks| !(0..=13).contains(tricks))
        {
            return Err(Fault::Unknown);
        }
        let vulnerability = vulnerability(vulnerable);
        let mut auction = Auction {
            table: *table,
            scores: [[0; 2]; Bid::COUNT],
        };
        for bid in Bid::all() {
            for side in Side::ALL {
                let tricks = auction.tricks(bid.strain(), side);
                let doubling = if tricks < c_int::from(bid.tricks()) {
                    Doubling::Doubled
                } else {
                    Doubling::Undoubled
                };
                let score = bid.score(tricks as u8, doubling, vulnerability.includes(side));
                auction.scores[bid.index()][side.index()] = if side == Side::NorthSouth {
                    score
                } else {
                    -score
                };
            }
        }
        Ok(auction)
    }

    /// The tricks of a side's better declarer.
    fn tricks(&self, strain: Strain, side: Side) -> c_int {
        let row = self.row(strain);
        side.seats()
            .map(|seat| row[seat.index()])
            .into_iter()
            .max()
            .unwrap_or(0)
    }

    fn row(&self, strain: Strain) -> [c_int; 4] {
        let place = table::STRAINS.iter().position(|&other| other == strain);
        self.table.tricks[place.unwrap_or(0)]
    }

    /// The declarers of a side that take the most tricks.
    fn seats(&self, strain: Strain, side: Side) -> c_int {
        let row = self.row(strain);
        let [first, second] = side.seats();
        match row[first.index()].cmp(&row[second.index()]) {
            std::cmp::Ordering::Greater => first.index() as c_int,
            std::cmp::Ordering::Less => second.index() as c_int,
            std::cmp::Ordering::Equal => 4 + side.index() as c_int,
        }
    }

    /// A bid's score as a side counts it.
    fn worth(&self, bid: usize, by: Side, to: Side) -> i32 {
        let score = self.scores[bid][by.index()];
        if to == Side::NorthSouth {
            score
        } else {
            -score
        }
    }

    /// The bidding when `first` starts: each side in turn makes the bid that is
    /// worth the most to it, the highest of these, as long as that gains
    /// something.
    fn bidding(&self, first: Side) -> Vec<(usize, Side)> {
        let mut bids: Vec<(usize, Side)> = Vec::new();
        let mut side = first;
        let mut passes = 0;
        while passes < 2 {
            let (from, score) = match bids.last() {
                Some(&(bid, by)) => (bid + 1, self.worth(bid, by, side)),
                None => (0, 0),
            };
            let best = (from..Bid::COUNT).max_by_key(|&bid| self.worth(bid, side, side));
            match best.filter(|&bid| self.worth(bid, side, side) > score) {
                Some(bid) => {
                    bids.push((bid, side));
                    passes = 0;
                }
                None => passes += 1,
            }
            side = side.opponents();
        }
        bids
    }

    /// Par when `first` starts the bidding.
    pub fn par(&self, first: Side) -> Par {
        let mut par = Par {
            score: 0,
            contracts: [Contract::default(); 10],
            number: 1,
        };
        let bids = self.bidding(first);
        let Some(&(last, side)) = bids.last() else {
            return par;
        };
        par.score = self.worth(last, side, first);
        par.number = 0;
        let outbid = bids.len().checked_sub(2).map(|place| bids[place].0);
        for (denomination, strain) in DENOMINATIONS.into_iter().enumerate() {
            let bid = Bid::all().filter(|bid| bid.strain() == strain).find(|bid| {
                let place = bid.index();
                self.worth(place, side, first) == par.score
                    && outbid.is_none_or(|outbid| place > outbid)
                    && self.stands(*bid, side, first, self.worth(last, side, side))
            });
            if let Some(bid) = bid {
                let over = self.tricks(strain, side) - c_int::from(bid.tricks());
                par.contracts[par.number] = Contract {
                    under: (-over).max(0),
                    over: over.max(0),
                    level: c_int::from(bid.level()),
                    denomination: denomination as c_int,
                    seats: self.seats(strain, side),
                };
                par.number += 1;
            }
        }
        par
    }

    /// Whether the opponents have nothing better than to let a bid stand.
    ///
    /// Bids below the highest that makes must stand against the opponents' same
    /// bid too if they start. The highest need not stand against bids that are
    /// par for its own side as well.
    fn stands(&self, bid: Bid, side: Side, first: Side, score: i32) -> bool {
        let place = bid.index();
        let highest = self.tricks(bid.strain(), side) <= c_int::from(bid.tricks());
        let from = place + usize::from(highest || first == side);
        !(from..Bid::COUNT).any(|higher| {
            let own = highest
                && self.worth(higher, side, side) == score
                && (score < 0 || higher / 5 == place / 5);
            self.worth(higher, side.opponents(), side) < score && !own
        })
    }
}

impl Par {
    /// The contracts.
    pub fn contracts(&self) -> &[Contract] {
        &self.contracts[..self.number]
    }
}
