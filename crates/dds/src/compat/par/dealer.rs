//! Par when a hand bids first: `DealerPar` and `DealerParBin`.
//!
//! One side can make the highest contract. Each contract worth bidding is compared with the other
//! side's loss in a sacrifice over it; par is the best of these contracts, or the most expensive
//! sacrifice.

use std::ffi::c_int;

use setrograde_cards::{Bid, Seat, Side, Strain, Suit};

use super::{Auction, Par};
use crate::abi::Contract;

/// A contract as `DealerPar` writes it.
#[derive(Clone, Copy, Debug)]
pub struct DealerContract {
    /// The contract.
    pub contract: Contract,
    /// True if DDS writes the star of a doubled contract.
    pub star: bool,
}

/// A contract of the side with the highest one.
struct TopContract {
    bid: Bid,
    score: c_int,
    /// The number of tricks by which the other side's affordable penalty is below par; zero or
    /// negative if it sacrifices.
    margin: c_int,
    /// The sacrifices that cost the least: they go down by the same number of tricks.
    sacrifices: Vec<DealerContract>,
}

/// The score of North and South and the contracts, none if all pass.
pub fn par(auction: &Auction, dealer: Seat) -> (c_int, Vec<DealerContract>) {
    let Some(side) = auction.primacy(dealer) else {
        return (0, Vec::new());
    };
    let candidates = auction.candidates_of(side, dealer);
    let sign = if side == Side::NorthSouth { 1 } else { -1 };
    let made = candidates.iter().filter(|candidate| candidate.margin > 0);
    let plus = made.clone().map(|candidate| candidate.score).max();
    // The side that can make most picks the contract whose sacrifice costs most.
    let sacrificed = candidates.iter().filter(|candidate| candidate.margin <= 0);
    let down = sacrificed.clone().filter_map(TopContract::down).max();
    let sacrifice = down.map(|down| auction.penalty(down, side.opponents()));
    if sacrifice.is_none_or(|sacrifice| plus.unwrap_or(0) > sacrifice) {
        let plus = plus.unwrap_or(0);
        let contracts = made
            .filter(|candidate| candidate.score == plus)
            .map(|candidate| auction.lowered(candidate, side));
        return (sign * plus, contracts.collect());
    }
    let highest = sacrificed
        .filter(|candidate| candidate.down() == down)
        .max_by_key(|candidate| candidate.bid);
    let contracts = highest
        .into_iter()
        .flat_map(|highest| highest.sacrifices.iter().copied())
        .collect();
    (sign * sacrifice.unwrap_or(0), contracts)
}

/// Par with contracts as numbers, which DDS reads from the texts: it takes all
/// for doubled if the first is, and reads the tricks down from a fixed column.
pub fn par_in_numbers(score: c_int, contracts: &[DealerContract]) -> Par {
    let Some(first) = contracts.first() else {
        return Par::pass();
    };
    let mut contracts: Vec<Contract> = contracts
        .iter()
        .map(|&DealerContract { contract, star }| Contract {
            // Fewer than ten: more cost more than any contract scores.
            under: match (first.star, star) {
                (false, _) => 0,
                // The 0 that ends the text, where the digit should be.
                (true, false) => -c_int::from(b'0'),
                (true, true) => contract.under,
            },
            over: if first.star { 0 } else { contract.over },
            ..contract
        })
        .collect();
    contracts.sort_by_key(|contract| contract.denomination);
    Par { score, contracts }
}

impl TopContract {
    fn down(&self) -> Option<c_int> {
        self.sacrifices.first().map(|of| of.contract.under)
    }
}

/// The strains from the lowest to the highest.
fn rising() -> impl Iterator<Item = Strain> {
    Strain::ALL.into_iter().rev()
}

fn contract(bid: Bid, seats: c_int) -> Contract {
    Contract {
        under: 0,
        over: 0,
        level: c_int::from(bid.level()),
        denomination: bid.strain().index() as c_int,
        seats,
    }
}

impl Auction {
    /// The highest bid in a strain that a side makes.
    fn makes(&self, strain: Strain, side: Side) -> Option<Bid> {
        let level = u8::try_from(self.tricks(strain, side) - 6).ok()?;
        Bid::new(level, strain)
    }

    /// The side with the highest contract; of both, the one that bids it first.
    fn primacy(&self, dealer: Seat) -> Option<Side> {
        let highest = |side| {
            let bids = rising().filter_map(|strain| self.makes(strain, side));
            bids.max()
        };
        let [north, east] = Side::ALL.map(highest);
        if north != east {
            return Some(Side::ALL[usize::from(north < east)]);
        }
        let strain = north?.strain();
        let most = self.tricks(strain, Side::NorthSouth);
        (0..4)
            .map(|nth| dealer.plus(nth))
            .find(|&seat| self.row(strain)[seat] == most)
            .map(Seat::side)
    }

    /// A side's contracts from the best-scoring one upwards, the dearest and highest first.
    fn candidates_of(&self, side: Side, dealer: Seat) -> Vec<TopContract> {
        let bids = rising().filter_map(|strain| self.makes(strain, side));
        let mut scored: Vec<(c_int, Bid)> = bids
            .map(|bid| (self.score(bid, side, c_int::from(bid.tricks())), bid))
            .collect();
        scored.sort_by(|a, b| b.cmp(a));
        let dearest = scored
            .iter()
            .filter(|(score, _)| *score == scored[0].0)
            .map(|&(_, bid)| bid)
            .min();
        scored
            .iter()
            .filter(|&&(_, bid)| Some(bid) >= dearest)
            .map(|&(score, bid)| {
                let sacrifices = self.sacrifices(bid, side, dealer);
                let opponents = side.opponents();
                let affordable = (0..14)
                    .take_while(|&down| self.penalty(down, opponents) < score)
                    .last();
                let down = sacrifices.first().map_or(14, |of| of.contract.under);
                TopContract {
                    bid,
                    score,
                    margin: down - affordable.unwrap_or(0),
                    sacrifices,
                }
            })
            .collect()
    }

    /// The cheapest bids of the opponents over a contract.
    fn sacrifices(&self, over: Bid, side: Side, dealer: Seat) -> Vec<DealerContract> {
        let opponents = side.opponents();
        let mut all: Vec<DealerContract> = rising()
            .filter_map(|strain| {
                if strain == over.strain() {
                    return self.same_strain(over, side, dealer);
                }
                let mut bids = Bid::all().filter(|bid| bid.strain() == strain);
                let bid = bids.find(|&bid| bid > over)?;
                let mut contract = contract(bid, self.seats(strain, opponents));
                contract.under = c_int::from(bid.tricks()) - self.tricks(strain, opponents);
                Some(DealerContract {
                    contract,
                    star: true,
                })
            })
            .collect();
        let least = all.iter().map(|of| of.contract.under).min();
        all.retain(|of| Some(of.contract.under) == least);
        all
    }

    /// The cheapest bid of the opponents in the contract's own strain, which may
    /// be the contract itself for a hand that bids before its declarer.
    fn same_strain(&self, over: Bid, side: Side, dealer: Seat) -> Option<DealerContract> {
        let row = self.row(over.strain());
        let mut late = 0;
        let mut best: Vec<(c_int, c_int, Seat)> = Vec::new();
        for seat in (0..4).map(|nth| dealer.plus(nth)) {
            let short = c_int::from(over.tricks()) - row[seat];
            if seat.side() == side {
                late = late.max(c_int::from(short == 0));
            } else {
                best.push((short + late, late, seat));
            }
        }
        let &(down, level, seat) = best.iter().min_by_key(|&&(down, level, _)| (down, level))?;
        let least = self.tricks(over.strain(), side.opponents());
        if least + down > 13 {
            return None;
        }
        let both = best
            .iter()
            .all(|&(other, at, _)| (other, at) == (down, level));
        let seats = if both {
            4 + seat.side().index() as c_int
        } else {
            seat.index() as c_int
        };
        let bid = Bid::new(over.level() + level as u8, over.strain())?;
        let mut contract = contract(bid, seats);
        contract.under = down;
        let star = both;
        Some(DealerContract { contract, star })
    }

    /// A contract at the lowest level that keeps its bonus and leaves the
    /// opponents no cheaper sacrifice.
    fn lowered(&self, candidate: &TopContract, side: Side) -> DealerContract {
        let level = c_int::from(candidate.bid.level());
        let game = match candidate.bid.strain() {
            Strain::NoTrump => 3,
            Strain::Trump(Suit::Spades | Suit::Hearts) => 4,
            Strain::Trump(Suit::Diamonds | Suit::Clubs) => 5,
        };
        let floor = match level {
            6.. => level,
            level if level >= game => game,
            _ => 1,
        };
        let lowest = floor.max(level - (candidate.margin - 1));
        let mut contract = contract(candidate.bid, self.seats(candidate.bid.strain(), side));
        contract.level = lowest;
        contract.over = level - lowest;
        DealerContract {
            contract,
            star: false,
        }
    }
}
