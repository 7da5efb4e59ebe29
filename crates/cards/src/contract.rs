//! Bids and contracts.

use std::fmt;
use std::str::FromStr;

use crate::suit::strain_at_start;
use crate::text::{TextError, TextProblem, longest, missing, quote, without_selectors};
use crate::{Seat, Strain, Suit};

/// The strains from the lowest to the highest.
const RISING: [Strain; 5] = [
    Strain::Trump(Suit::Clubs),
    Strain::Trump(Suit::Diamonds),
    Strain::Trump(Suit::Hearts),
    Strain::Trump(Suit::Spades),
    Strain::NoTrump,
];

/// A level and a strain: one of the 35 bids from 1 club to 7 no trump.
///
/// `Ord` is the order of the auction: a higher bid is greater.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bid(u8);

impl Bid {
    /// Number of bids.
    const COUNT: u8 = 35;

    /// The bid at `level` in `strain`; `None` unless the level is 1 to 7.
    pub const fn new(level: u8, strain: Strain) -> Option<Bid> {
        let rank = match strain {
            Strain::NoTrump => 4,
            Strain::Trump(suit) => 3 - suit.index() as u8,
        };
        match level {
            1..=7 => Some(Bid(5 * (level - 1) + rank)),
            _ => None,
        }
    }

    /// All bids, from 1 club up.
    pub fn all() -> impl DoubleEndedIterator<Item = Bid> + ExactSizeIterator {
        (0..Bid::COUNT).map(Bid)
    }

    /// 1 to 7.
    pub const fn level(self) -> u8 {
        self.0 / 5 + 1
    }

    /// Returns the strain.
    pub const fn strain(self) -> Strain {
        RISING[self.0 as usize % 5]
    }

    /// Returns the number of tricks that a contract at this bid needs, 7 to 13.
    pub const fn tricks(self) -> u8 {
        self.level() + 6
    }
}

impl fmt::Debug for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bid({self})")
    }
}

/// Writes the level and the strain, as in `4S` or `3NT`.
impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.level(), self.strain())
    }
}

/// Undoubled, doubled or redoubled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Doubling {
    /// Neither.
    #[default]
    Undoubled,
    /// Doubled.
    Doubled,
    /// Redoubled.
    Redoubled,
}

impl Doubling {
    /// Returns the factor of trick scores: 1, 2 or 4.
    pub(crate) const fn factor(self) -> i32 {
        match self {
            Doubling::Undoubled => 1,
            Doubling::Doubled => 2,
            Doubling::Redoubled => 4,
        }
    }
}

/// Writes nothing, `X` or `XX`.
impl fmt::Display for Doubling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Doubling::Undoubled => "",
            Doubling::Doubled => "X",
            Doubling::Redoubled => "XX",
        })
    }
}

/// A final contract: the last bid, whether it is doubled, and who declares.
///
/// `Ord` compares bids first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Contract {
    /// Level and strain.
    pub bid: Bid,
    /// Undoubled, doubled or redoubled.
    pub doubling: Doubling,
    /// The seat that plays it. The seat to the left leads.
    pub declarer: Seat,
}

impl Contract {
    /// Returns the seat that leads to the first trick.
    pub const fn leader(self) -> Seat {
        self.declarer.next()
    }
}

/// A contract in text, perhaps without its declarer: `4S`, `4SX` or `4SXN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartialContract {
    /// Level and strain.
    pub bid: Bid,
    /// Undoubled, doubled or redoubled.
    pub doubling: Doubling,
    /// The seat that plays it, if it is written.
    pub declarer: Option<Seat>,
}

impl PartialContract {
    /// The contract; `seat` declares it if no declarer is written.
    pub fn or_by(self, seat: Seat) -> Contract {
        Contract {
            bid: self.bid,
            doubling: self.doubling,
            declarer: self.declarer.unwrap_or(seat),
        }
    }
}

/// Writes bid, doubling and declarer, as in `4SXN` or `3NTW`.
impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.bid, self.doubling, self.declarer)
    }
}

/// Writes bid, doubling and declarer as [`Contract`] does, without a declarer that is unknown.
impl fmt::Display for PartialContract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.bid, self.doubling)?;
        self.declarer.map_or(Ok(()), |seat| seat.fmt(f))
    }
}

/// The words for doublings of a contract.
const DOUBLINGS: [(&str, Doubling); 13] = {
    use Doubling::{Doubled, Redoubled};
    [
        ("X", Doubled),
        ("*", Doubled),
        ("×", Doubled),
        ("D", Doubled),
        ("Dbl", Doubled),
        ("Doubled", Doubled),
        ("XX", Redoubled),
        ("**", Redoubled),
        ("××", Redoubled),
        ("R", Redoubled),
        ("Rdbl", Redoubled),
        ("Redbl", Redoubled),
        ("Redoubled", Redoubled),
    ]
};

/// Reads a level and a strain, as in `4S`, `3NT`, `3n`, `4♠` or `4 spades`.
impl FromStr for Bid {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        without_selectors(text, |text| match read_bid(text)? {
            (bid, "") => Ok(bid),
            (_, rest) => Err(left_over(text, rest, "the bid")),
        })
    }
}

/// Reads the bid at the start of `text`; returns it and the rest.
pub(crate) fn read_bid(text: &str) -> Result<(Bid, &str), TextError> {
    let mut letters = text.chars();
    let Some(level) = letters.next() else {
        return Err(missing(text, "a bid, as 4S or 3NT"));
    };
    let strain = letters.as_str().trim_start();
    let bid = level.to_digit(10).zip(strain_at_start(strain));
    let bid =
        bid.and_then(|(level, (of, length))| Some((Bid::new(level as u8, of)?, &strain[length..])));
    bid.ok_or_else(|| {
        let found = quote(text);
        TextError::new(1, TextProblem::NotABid { found })
    })
}

fn left_over(text: &str, rest: &str, after: &'static str) -> TextError {
    TextError::left_over(column(text, rest), rest, after)
}

/// The column of `rest`, the end of `text`.
fn column(text: &str, rest: &str) -> usize {
    text[..text.len() - rest.len()].chars().count() + 1
}

/// Reads an empty text, `X` or `XX`, or another word for them, in upper or lower case.
impl FromStr for Doubling {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        match read_doubling(text) {
            (doubling, "") => Ok(doubling),
            (_, rest) => Err(left_over(text, rest, "the doubling")),
        }
    }
}

/// Reads the doubling at the start of `text`, if there is one; returns the rest, too.
fn read_doubling(text: &str) -> (Doubling, &str) {
    let (doubling, length) = longest(text, &DOUBLINGS).unwrap_or_default();
    (doubling, &text[length..])
}

/// Reads bid, doubling and perhaps a declarer, as in `4SX`, `4♠ by North` or `3NT* W`.
impl FromStr for PartialContract {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        without_selectors(text, read_contract)
    }
}

fn read_contract(text: &str) -> Result<PartialContract, TextError> {
    let text = text.trim_end();
    let (bid, rest) = read_bid(text)?;
    let (doubling, rest) = read_doubling(rest.trim_start());
    let after = rest.trim_start_matches(|c: char| c.is_whitespace() || "-,/".contains(c));
    let by = after.get(..2).filter(|by| by.eq_ignore_ascii_case("by"));
    let seat = by.map_or(after, |_| after[2..].trim_start());
    let column = column(text, seat);
    if let (Some(declarer), Ok(crosses)) = (seat.get(..1), seat.get(1..).unwrap_or("").parse())
        && let (Ok(declarer), true) = (declarer.parse(), crosses != Doubling::Undoubled)
    {
        let right = Contract {
            bid,
            doubling: crosses,
            declarer,
        };
        let problem = TextProblem::DeclarerLast { right };
        return Err(TextError::new(column, problem));
    }
    let declarer = match seat {
        "" => None,
        seat => Some(seat.parse().map_err(|e: TextError| e.shifted(column - 1))?),
    };
    Ok(PartialContract {
        bid,
        doubling,
        declarer,
    })
}

/// Reads bid, doubling and declarer, as in `4SXN`, `3NTW`, `3nw` or `4♠ by North`.
impl FromStr for Contract {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let partial: PartialContract = text.parse()?;
        let declarer = match partial.declarer {
            Some(declarer) => declarer,
            None => "".parse().map_err(|e: TextError| {
                let end = text.trim_end().chars().count();
                e.shifted(end)
            })?,
        };
        Ok(partial.or_by(declarer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::assert_errors;

    #[test]
    fn bids_rise_and_survive_text() {
        let written: Vec<String> = Bid::all().map(|bid| bid.to_string()).collect();
        assert_eq!(written.len(), 35);
        assert_eq!(written[..6], ["1C", "1D", "1H", "1S", "1NT", "2C"]);
        assert_eq!(written[34], "7NT");
        for (index, bid) in Bid::all().enumerate() {
            assert_eq!(Bid::new(bid.level(), bid.strain()), Some(bid));
            assert_eq!(written[index].to_lowercase().parse(), Ok(bid));
            assert_eq!(bid.tricks(), bid.level() + 6);
        }
        assert!(Bid::all().is_sorted());
        assert_eq!(Bid::new(0, Strain::NoTrump), None);
        assert_eq!(Bid::new(8, Strain::NoTrump), None);
    }

    #[test]
    fn contracts_survive_text() {
        for bid in Bid::all() {
            for doubling in [Doubling::Undoubled, Doubling::Doubled, Doubling::Redoubled] {
                assert_eq!(doubling.to_string().parse(), Ok(doubling));
                for declarer in Seat::ALL {
                    let contract = Contract {
                        bid,
                        doubling,
                        declarer,
                    };
                    let written = contract.to_string();
                    assert_eq!(written.parse(), Ok(contract));
                    assert_eq!(written.to_lowercase().parse(), Ok(contract));
                    assert_eq!(contract.leader().side(), declarer.side().opponents());
                }
            }
        }
        for (text, declarer) in [("3nx", None), ("3NTXW", Some(Seat::West))] {
            let partial: PartialContract = text.parse().unwrap();
            assert_eq!(partial.declarer, declarer);
            let full = partial.or_by(Seat::East);
            let by = declarer.unwrap_or(Seat::East);
            assert_eq!(full.to_string(), format!("3NTX{by}"));
        }
        // One letter for no trump; the seat comes last.
        let contract: Contract = "3NN".parse().unwrap();
        assert_eq!(contract.to_string(), "3NTN");
        assert_eq!("3NSouth".parse::<Contract>().unwrap().to_string(), "3NTS");
    }

    #[test]
    fn errors_name_their_column() {
        assert_errors::<Contract>(
            r#"
            || column 1: expected a bid, as 4S or 3NT, found nothing
            |8SN| column 1: "8SN" is not a bid; expected a level and a strain, as 4S or 3NT
            |é| column 1: …
            |4| column 1: …
            |4é| column 1: …
            |S4| column 1: …
            |0N| column 1: …
            |4SX| column 4: expected a seat (N E S W), found nothing
            |4SXXXN| column 5: "XN" is not a seat…
            |4SNXX| column 3: the declarer comes last, as 4SXXN
            "#,
        );
        assert_errors::<Bid>("|4SX| column 3: \"X\" is left over after the bid");
        assert_errors::<Doubling>("|xxx| column 3: …");
    }
}
