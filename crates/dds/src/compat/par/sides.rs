//! Par when a side bids first: `SidesPar`, `SidesParBin` and `Par`.
//!
//! The sides bid in turn, each its most valuable bid, until neither gains. Contracts of the same
//! score are found by bidding again without the strain of the last one found.

use std::ffi::c_int;

use setrograde_cards::{Bid, Side, Strain};

use super::{Auction, Par};
use crate::abi::Contract;

/// The end of a bidding.
#[derive(Clone, Copy, Debug)]
struct BiddingEnd {
    bid: Bid,
    side: Side,
    /// The bid before it.
    before: Option<Bid>,
}

/// A bid that a side may make next.
struct NextBid {
    bid: Bid,
    /// The number by which DDS sorts.
    estimate: c_int,
    worth: c_int,
}

/// Par for the side that bids first: North and South, East and West.
pub fn par(auction: &Auction) -> [Par; 2] {
    let ends = Side::ALL.map(|first| auction.bidding(first, &[]));
    // The side that bids the contract first has it: DDS lists no other.
    let race = match ends {
        [Some(north), Some(east)] => {
            north.bid == east.bid && north.side == Side::NorthSouth && east.side == Side::EastWest
        }
        _ => false,
    };
    Side::ALL.map(|first| match ends[first] {
        Some(end) => auction.contracts(first, end, race),
        None => Par::pass(),
    })
}

impl Auction {
    /// The value of a contract for a side.
    fn worth(&self, bid: Bid, by: Side, to: Side) -> c_int {
        let score = self.score(bid, by, self.tricks(bid.strain(), by));
        if by == to { score } else { -score }
    }

    /// The bidding when `first` starts and no side bids the strains `without`; `None` if all pass.
    fn bidding(&self, first: Side, without: &[Strain]) -> Option<BiddingEnd> {
        let mut end: Option<BiddingEnd> = None;
        let mut side = first;
        let mut passes = 0;
        while passes < 2 {
            let score = end.map_or(0, |end| self.worth(end.bid, end.side, side));
            let mut candidates = self.candidates(side, end.map(|end| end.bid), without);
            candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.estimate));
            let mut best: Option<NextBid> = None;
            for candidate in candidates {
                if candidate.worth > best.as_ref().map_or(score, |best| best.worth) {
                    best = Some(candidate);
                }
            }
            if let Some(NextBid { bid, .. }) = best {
                let before = end.map(|end| end.bid);
                end = Some(BiddingEnd { bid, side, before });
                passes = 0;
            } else {
                passes += 1;
            }
            side = side.opponents();
        }
        end
    }

    /// One bid in each strain: the highest that makes or else the lowest above
    /// the last.
    fn candidates(&self, side: Side, last: Option<Bid>, without: &[Strain]) -> Vec<NextBid> {
        let strains = Strain::ALL
            .into_iter()
            .filter(|strain| !without.contains(strain));
        let candidate = |strain: Strain| {
            let tricks = self.tricks(strain, side);
            let level = u8::try_from(tricks - 6).ok();
            let highest = level.and_then(|level| Bid::new(level, strain));
            if let Some(bid) = highest.filter(|&bid| last.is_none_or(|last| bid > last)) {
                let worth = self.score(bid, side, tricks);
                let estimate = worth;
                return Some(NextBid {
                    bid,
                    estimate,
                    worth,
                });
            }
            let mut bids = Bid::all().filter(|bid| bid.strain() == strain);
            let bid = bids.find(|&bid| last.is_none_or(|last| bid > last))?;
            // DDS takes the tricks of the last bid, one short for lower strains.
            let down = last.map_or(6, |last| c_int::from(last.tricks())) - tricks;
            let estimate = if down > 0 {
                -self.penalty(down, side)
            } else {
                100
            };
            let worth = self.score(bid, side, tricks);
            Some(NextBid {
                bid,
                estimate,
                worth,
            })
        };
        strains.filter_map(candidate).collect()
    }

    /// All contracts that are par for `first`, the first of which is known.
    fn contracts(&self, first: Side, end: BiddingEnd, alone: bool) -> Par {
        let score = self.worth(end.bid, end.side, first);
        let mut contracts = Vec::new();
        let mut without = Vec::new();
        let mut next = Some(end);
        while let Some(end) = next.filter(|end| self.worth(end.bid, end.side, first) == score) {
            contracts.push(self.contract(first, end));
            without.push(end.bid.strain());
            next = (!alone).then(|| self.bidding(first, &without)).flatten();
        }
        if contracts[0].under > 0 {
            contracts.sort_by_key(|contract| contract.denomination);
        }
        Par { score, contracts }
    }

    /// The contract at its lowest level.
    fn contract(&self, first: Side, end: BiddingEnd) -> Contract {
        let strain = end.bid.strain();
        let tricks = self.tricks(strain, end.side);
        let score = self.worth(end.bid, end.side, end.side);
        let mut bid = end.bid;
        if tricks >= c_int::from(bid.tricks()) {
            let lower = Bid::all().rev().filter(|other| other.strain() == strain);
            for other in lower.filter(|&other| other < end.bid) {
                let same = self.worth(other, end.side, end.side) == score
                    && end.before.is_none_or(|before| other >= before);
                if !same || !self.is_final(other, end.side, first, score) {
                    break;
                }
                bid = other;
            }
        }
        let over = tricks - c_int::from(bid.tricks());
        Contract {
            under: (-over).max(0),
            over: over.max(0),
            level: c_int::from(bid.level()),
            denomination: strain.index() as c_int,
            seats: self.seats(strain, end.side),
        }
    }

    /// Returns true if the opponents can do no better than pass a bid, including their own
    /// identical bid if they start.
    fn is_final(&self, bid: Bid, side: Side, first: Side, score: c_int) -> bool {
        let opponents = side.opponents();
        !Bid::all()
            .filter(|&other| other > bid || (other == bid && first == opponents))
            .any(|other| self.worth(other, opponents, side) < score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::TableResults;

    /// 6NT and 7H both cost 300 as sacrifices. DDS tries them in the order of its estimates, so of
    /// two equal ones it finds the second only after the first.
    #[test]
    fn of_equal_sacrifices_the_one_with_the_better_estimate_is_bid() {
        let tricks = [
            [3, 1, 9, 5],
            [12, 6, 6, 11],
            [9, 11, 8, 9],
            [1, 1, 8, 2],
            [1, 10, 1, 5],
        ];
        let auction = Auction::new(&TableResults { tricks }, 0).expect("numbers of tricks");
        for (par, score) in par(&auction).iter().zip([300, -300]) {
            let contracts = par.contracts.iter();
            let contracts: Vec<[c_int; 4]> = contracts
                .map(|par| [par.level, par.denomination, par.under, par.seats])
                .collect();
            assert_eq!((par.score, &contracts[..]), (score, &[[7, 2, 2, 3]][..]));
        }
    }
}
