//! Par: the score when both sides bid as well as the cards allow.

use std::fmt;

use setrograde_cards::{Seat, Strain, Suit};

use crate::table::TrickTable;

/// Which sides are vulnerable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vulnerability {
    /// Neither.
    None,
    /// North and South.
    NorthSouth,
    /// East and West.
    EastWest,
    /// Both.
    Both,
}

impl Vulnerability {
    /// All four.
    pub const ALL: [Vulnerability; 4] = [
        Vulnerability::None,
        Vulnerability::NorthSouth,
        Vulnerability::EastWest,
        Vulnerability::Both,
    ];

    /// Whether the side of `seat` is vulnerable.
    #[must_use]
    pub const fn includes(self, seat: Seat) -> bool {
        match self {
            Vulnerability::None => false,
            Vulnerability::NorthSouth => seat.index().is_multiple_of(2),
            Vulnerability::EastWest => seat.index() % 2 == 1,
            Vulnerability::Both => true,
        }
    }
}

/// A contract at which the bidding can end at par.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParContract {
    /// 1 to 7.
    pub level: u8,
    /// What is trump.
    pub strain: Strain,
    /// The declarers of the side who take the most tricks, one or both.
    pub north_or_east: bool,
    /// See [`north_or_east`](Self::north_or_east).
    pub south_or_west: bool,
    /// Whether the declaring side is North and South.
    pub north_south: bool,
    /// Tricks above the contract, or below it (negative); then it is doubled.
    pub over: i8,
}

/// The par result of a deal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Par {
    /// The score of North and South.
    pub score: i32,
    /// The contracts that give it, the lowest first; none if all pass.
    pub contracts: Vec<ParContract>,
}

/// The 35 bids, from 1 club to 7 no trump.
const BIDS: usize = 35;

/// From the lowest strain to the highest.
const RISING: [Strain; 5] = [
    Strain::Trump(Suit::Clubs),
    Strain::Trump(Suit::Diamonds),
    Strain::Trump(Suit::Hearts),
    Strain::Trump(Suit::Spades),
    Strain::NoTrump,
];

impl Par {
    /// The par result when `dealer` may bid first.
    ///
    /// A contract that fails is doubled, one that makes is not. Each side bids
    /// on as long as that gains something, knowing that the other does too.
    #[must_use]
    pub fn new(table: &TrickTable, vulnerability: Vulnerability, dealer: Seat) -> Par {
        // By bid and side (0 for North and South): the score of North and South
        // if the bidding ends there, and if both go on as well as they can.
        let ends: [[i32; 2]; BIDS] = std::array::from_fn(|bid| {
            std::array::from_fn(|side| final_score(table, vulnerability, bid, side))
        });
        let mut best = ends;
        for bid in (0..BIDS).rev() {
            for side in 0..2 {
                let higher = (bid + 1..BIDS).map(|higher| best[higher][1 - side]);
                best[bid][side] = higher.fold(ends[bid][side], |a, b| better(1 - side, a, b));
            }
        }
        let choose = |side: usize, pass: i32| {
            (0..BIDS).fold(pass, |score, bid| better(side, score, best[bid][side]))
        };
        let first = dealer.index() % 2;
        let score = choose(first, choose(1 - first, 0));
        let mut contracts = Vec::new();
        if score != 0 {
            for (bid, scores) in ends.iter().enumerate() {
                for side in 0..2 {
                    let declared = if side == 0 { score } else { -score };
                    // A sacrifice is one only above what it is to prevent.
                    let outbids = (0..bid)
                        .any(|lower| better(1 - side, score, ends[lower][1 - side]) != score);
                    if scores[side] == score
                        && best[bid][side] == score
                        && (declared > 0 || outbids)
                    {
                        contracts.push(contract(table, bid, side));
                    }
                }
            }
        }
        Par { score, contracts }
    }

    /// The par results of all vulnerabilities, as in [`Vulnerability::ALL`], and
    /// in each of all dealers from North.
    #[must_use]
    pub fn all(table: &TrickTable) -> [[Par; 4]; 4] {
        Vulnerability::ALL
            .map(|vulnerability| Seat::ALL.map(|dealer| Par::new(table, vulnerability, dealer)))
    }
}

/// Of two scores of North and South, the one that a side (0 for them) likes
/// better.
fn better(side: usize, a: i32, b: i32) -> i32 {
    if side == 0 { a.max(b) } else { a.min(b) }
}

fn strain_of(bid: usize) -> Strain {
    RISING[bid % 5]
}

fn level_of(bid: usize) -> i32 {
    bid as i32 / 5 + 1
}

/// The most tricks of a side's two declarers.
fn side_tricks(table: &TrickTable, strain: Strain, side: usize) -> i32 {
    let tricks = |seat: usize| i32::from(table.tricks(strain, Seat::from_index(seat)));
    tricks(side).max(tricks(side + 2))
}

fn final_score(table: &TrickTable, vulnerability: Vulnerability, bid: usize, side: usize) -> i32 {
    let strain = strain_of(bid);
    let over = side_tricks(table, strain, side) - 6 - level_of(bid);
    let vulnerable = vulnerability.includes(Seat::from_index(side));
    let score = if over >= 0 {
        made(level_of(bid), strain, over, vulnerable)
    } else {
        -penalty(-over, vulnerable)
    };
    if side == 0 { score } else { -score }
}

/// The score of a contract made with so many overtricks, not doubled.
fn made(level: i32, strain: Strain, over: i32, vulnerable: bool) -> i32 {
    let (each, first) = match strain {
        Strain::NoTrump => (30, 10),
        Strain::Trump(Suit::Spades | Suit::Hearts) => (30, 0),
        Strain::Trump(Suit::Diamonds | Suit::Clubs) => (20, 0),
    };
    let tricks = each * level + first;
    let game = if tricks < 100 {
        50
    } else if vulnerable {
        500
    } else {
        300
    };
    let slam = match (level, vulnerable) {
        (6, false) => 500,
        (6, true) => 750,
        (7, false) => 1000,
        (7, true) => 1500,
        _ => 0,
    };
    tricks + game + slam + over * each
}

/// The penalty for so many undertricks, doubled.
fn penalty(under: i32, vulnerable: bool) -> i32 {
    if vulnerable {
        300 * under - 100
    } else if under <= 3 {
        200 * under - 100
    } else {
        300 * under - 400
    }
}

fn contract(table: &TrickTable, bid: usize, side: usize) -> ParContract {
    let strain = strain_of(bid);
    let most = side_tricks(table, strain, side);
    let takes_most = |seat: usize| i32::from(table.tricks(strain, Seat::from_index(seat))) == most;
    ParContract {
        level: level_of(bid) as u8,
        strain,
        north_or_east: takes_most(side),
        south_or_west: takes_most(side + 2),
        north_south: side == 0,
        over: (most - 6 - level_of(bid)) as i8,
    }
}

impl ParContract {
    /// The seats that can declare it.
    pub fn declarers(&self) -> impl Iterator<Item = Seat> + use<> {
        let seats = if self.north_south {
            [Seat::North, Seat::South]
        } else {
            [Seat::East, Seat::West]
        };
        let can = [self.north_or_east, self.south_or_west];
        seats
            .into_iter()
            .zip(can)
            .filter_map(|(seat, can)| can.then_some(seat))
    }
}

/// Writes it as `4S*-NS`: level, strain, `*` if it is doubled, declarers, and
/// the tricks over or under.
impl fmt::Display for ParContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.level, self.strain)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores() {
        let hearts = Strain::Trump(Suit::Hearts);
        let clubs = Strain::Trump(Suit::Clubs);
        assert_eq!(made(4, hearts, 0, true), 620);
        assert_eq!(made(2, hearts, 2, false), 170);
        assert_eq!(made(3, Strain::NoTrump, 1, false), 430);
        assert_eq!(made(5, clubs, 0, false), 400);
        assert_eq!(made(6, Strain::NoTrump, 1, true), 1470);
        assert_eq!(made(7, clubs, 0, true), 2140);
        assert_eq!(
            [1, 2, 3, 4].map(|under| penalty(under, false)),
            [100, 300, 500, 800]
        );
        assert_eq!([1, 2, 3].map(|under| penalty(under, true)), [200, 500, 800]);
    }
}
