//! Par: the score with best bidding by both sides.

use std::cmp::Ordering;
use std::fmt;

use setrograde_cards::{Bid, Contract, Doubling, Seat, Side, Vulnerability};

use crate::table::TrickTable;

/// A contract at which the bidding can end at par.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct ParContract {
    /// Level and strain.
    pub bid: Bid,
    /// The declaring side.
    pub side: Side,
    /// The seat of that side that takes the most tricks; `None` if both take
    /// the same number.
    pub declarer: Option<Seat>,
    /// Tricks above the contract, or below it (negative); then it is doubled.
    pub over: i8,
}

/// The par result of a deal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Par {
    /// The score of North and South.
    pub score: i32,
    /// The contracts that give it; none if all pass.
    ///
    /// Those over which no bid gains come first, the lowest first: the usual par contracts. Over
    /// the rest a bid gains, but is outbid in turn, with the same score.
    pub contracts: Vec<ParContract>,
}

impl Par {
    /// The par result when `dealer` may bid first.
    ///
    /// A failing contract is doubled, a making one is not. Each side bids on while that gains,
    /// knowing that the other side does the same.
    pub fn new(table: &TrickTable, vulnerability: Vulnerability, dealer: Seat) -> Par {
        let scores = BidScores::new(table, vulnerability);
        let score = scores.score(dealer.side());
        let (mut contracts, mut unsettled) = (Vec::new(), Vec::new());
        if score != 0 {
            for (number, &bid) in scores.bids.iter().enumerate() {
                for side in Side::ALL {
                    if !scores.is_par(score, number, side) {
                        continue;
                    }
                    let list = if scores.is_settled(score, number, side) {
                        &mut contracts
                    } else {
                        &mut unsettled
                    };
                    list.push(contract(table, bid, side));
                }
            }
        }
        contracts.append(&mut unsettled);
        Par { score, contracts }
    }
}

/// The scores of North and South by bid, the lowest first, and by side.
struct BidScores {
    bids: Vec<Bid>,
    /// The scores if the bidding ends at the bid.
    ends: Vec<[i32; 2]>,
    /// The scores with best bidding by both sides from the bid on.
    best: Vec<[i32; 2]>,
}

impl BidScores {
    fn new(table: &TrickTable, vulnerability: Vulnerability) -> BidScores {
        let bids: Vec<Bid> = Bid::all().collect();
        let ends: Vec<[i32; 2]> = bids
            .iter()
            .map(|&bid| Side::ALL.map(|side| final_score(table, vulnerability, bid, side)))
            .collect();
        let mut best = ends.clone();
        for bid in (0..bids.len()).rev() {
            for side in Side::ALL {
                let opponents = side.opponents();
                let higher = best[bid + 1..].iter().map(|best| best[opponents]);
                best[bid][side] = higher.fold(ends[bid][side], |a, b| better(opponents, a, b));
            }
        }
        BidScores { bids, ends, best }
    }

    /// Returns par if `first` may bid first.
    fn score(&self, first: Side) -> i32 {
        self.after_pass(first, self.after_pass(first.opponents(), 0))
    }

    /// The best score for a side that may bid, or pass for the score `pass`.
    fn after_pass(&self, side: Side, pass: i32) -> i32 {
        let scores = self.best.iter().map(|best| best[side]);
        scores.fold(pass, |a, b| better(side, a, b))
    }

    /// Returns true if the bidding can end at a bid of a side with the score of par.
    fn is_par(&self, score: i32, bid: usize, side: Side) -> bool {
        let gains = better(side, score, 0) != 0;
        self.ends[bid][side] == score
            && self.best[bid][side] == score
            && (gains || self.outbids(score, bid, side))
    }

    /// Returns true if a bid outbids a contract that would be better for the opponents: a sacrifice
    /// must be higher than the contract that it prevents.
    fn outbids(&self, score: i32, bid: usize, side: Side) -> bool {
        self.ends[..bid]
            .iter()
            .any(|end| is_better(side.opponents(), end, score))
    }

    /// Returns true if no bid of the opponents gains over a bid of a side; otherwise one gains, and
    /// is outbid in turn.
    fn is_settled(&self, score: i32, bid: usize, side: Side) -> bool {
        !self.ends[bid + 1..]
            .iter()
            .any(|end| is_better(side.opponents(), end, score))
    }
}

/// Returns true if the bid of a side with these scores is better for it than `score`.
fn is_better(side: Side, scores: &[i32; 2], score: i32) -> bool {
    better(side, score, scores[side]) != score
}

/// The better of two scores of North and South for `side`.
fn better(side: Side, a: i32, b: i32) -> i32 {
    match side {
        Side::NorthSouth => a.max(b),
        Side::EastWest => a.min(b),
    }
}

/// Returns the maximum number of tricks that a seat of `side` takes as declarer.
fn most_tricks(table: &TrickTable, bid: Bid, side: Side) -> u8 {
    let [a, b] = side.seats().map(|seat| table.tricks(bid.strain(), seat));
    a.max(b)
}

/// The score of North and South if `side` plays at `bid`.
fn final_score(table: &TrickTable, vulnerability: Vulnerability, bid: Bid, side: Side) -> i32 {
    let tricks = most_tricks(table, bid, side);
    let doubling = if tricks < bid.tricks() {
        Doubling::Doubled
    } else {
        Doubling::Undoubled
    };
    let contract = Contract {
        bid,
        doubling,
        declarer: side.seats()[0],
    };
    contract.score(tricks, vulnerability, Side::NorthSouth)
}

fn contract(table: &TrickTable, bid: Bid, side: Side) -> ParContract {
    let [a, b] = side.seats();
    let declarer = match table
        .tricks(bid.strain(), a)
        .cmp(&table.tricks(bid.strain(), b))
    {
        Ordering::Greater => Some(a),
        Ordering::Less => Some(b),
        Ordering::Equal => None,
    };
    ParContract {
        bid,
        side,
        declarer,
        over: most_tricks(table, bid, side) as i8 - bid.tricks() as i8,
    }
}

impl ParContract {
    /// The seats that can declare it.
    pub fn declarers(&self) -> impl Iterator<Item = Seat> + use<> {
        let declarer = self.declarer;
        let seats = self.side.seats().into_iter();
        seats.filter(move |&seat| declarer.is_none_or(|declarer| declarer == seat))
    }
}

/// Writes it as in `4S* NS -1`: the bid, `*` if it is doubled, the possible declarers, and the
/// tricks over or under.
impl fmt::Display for ParContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.bid)?;
        f.write_str(if self.over < 0 { "* " } else { " " })?;
        self.declarers()
            .try_for_each(|seat| write!(f, "{}", seat.letter()))?;
        if self.over == 0 {
            f.write_str(" =")
        } else {
            write!(f, " {:+}", self.over)
        }
    }
}
