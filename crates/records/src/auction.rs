//! Calls, and the contract that an auction ends in.

use std::fmt;

use setrograde_cards::{Bid, Contract, Doubling, Seat};

/// A call of the auction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
    Pass,
    Double,
    Redouble,
    Bid(Bid),
}

impl Call {
    /// The call in the words of PBN or LIN, whatever case it is written in.
    pub fn read(text: &str) -> Option<Call> {
        let text = text.trim_end_matches(['!', '?']);
        match text.to_ascii_lowercase().as_str() {
            "p" | "pass" => Some(Call::Pass),
            "d" | "x" | "dbl" | "double" => Some(Call::Double),
            "r" | "xx" | "rdbl" | "redouble" => Some(Call::Redouble),
            _ => text.parse().ok().map(Call::Bid),
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Pass => f.write_str("Pass"),
            Call::Double => f.write_str("X"),
            Call::Redouble => f.write_str("XX"),
            Call::Bid(bid) => bid.fmt(f),
        }
    }
}

/// The calls as text, separated by blanks.
pub(crate) fn text(calls: &[Call]) -> String {
    let calls: Vec<String> = calls.iter().map(Call::to_string).collect();
    calls.join(" ")
}

/// Adds an explanation of a call to those of the calls before; several of one call stand
/// in one text.
pub(crate) fn explain(alerts: &mut Vec<(usize, String)>, call: usize, text: &str) {
    match alerts.last_mut() {
        Some((last, before)) if *last == call => {
            if !text.is_empty() && before.is_empty() {
                *before = text.to_owned();
            } else if !text.is_empty() {
                *before = format!("{before}; {text}");
            }
        }
        _ => alerts.push((call, text.to_owned())),
    }
}

/// The end of an auction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuctionEnd {
    /// Not yet.
    Open,
    PassedOut,
    Contract(Contract),
}

/// The end of the auction that `dealer` began.
///
/// Three passes end it. `over` says that it is known to have ended, so that
/// passes left out at its end do not matter.
pub(crate) fn end(dealer: Seat, calls: &[Call], over: bool) -> AuctionEnd {
    let passes = calls
        .iter()
        .rev()
        .take_while(|&&call| call == Call::Pass)
        .count();
    let bids = || {
        calls
            .iter()
            .enumerate()
            .filter_map(|(at, call)| match call {
                Call::Bid(bid) => Some((at, *bid)),
                _ => None,
            })
    };
    let Some((at, bid)) = bids().next_back() else {
        return if passes >= 4 {
            AuctionEnd::PassedOut
        } else {
            AuctionEnd::Open
        };
    };
    if passes < 3 && !over {
        return AuctionEnd::Open;
    }
    let doubling = calls[at..]
        .iter()
        .fold(Doubling::Undoubled, |was, call| match call {
            Call::Double => Doubling::Doubled,
            Call::Redouble => Doubling::Redoubled,
            _ => was,
        });
    let side = dealer.plus(at).side();
    let first = bids()
        .find(|&(at, first)| first.strain() == bid.strain() && dealer.plus(at).side() == side);
    let declarer = dealer.plus(first.map_or(at, |(at, _)| at));
    AuctionEnd::Contract(Contract::new(bid, doubling, declarer))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(dealer: Seat, calls: &str) -> String {
        let calls: Vec<Call> = calls
            .split(' ')
            .map(|call| Call::read(call).unwrap())
            .collect();
        match end(dealer, &calls, false) {
            AuctionEnd::Open => "open".to_owned(),
            AuctionEnd::PassedOut => "passed out".to_owned(),
            AuctionEnd::Contract(contract) => contract.to_string(),
        }
    }

    #[test]
    fn contracts() {
        assert_eq!(ends(Seat::North, "1S p 2S p 4S p p p"), "4SN");
        assert_eq!(ends(Seat::North, "1H p 1S p 4S p p p"), "4SS");
        // East bid hearts first, but for the other side.
        assert_eq!(ends(Seat::East, "1H p p 1S 2H X p 3H p p p"), "3HN");
        assert_eq!(ends(Seat::West, "1N d r p p p"), "1NTXXW");
        assert_eq!(ends(Seat::West, "1N d 2C! p p p"), "2CE");
        assert_eq!(ends(Seat::South, "p p p p"), "passed out");
        assert_eq!(ends(Seat::South, "p p p"), "open");
        assert_eq!(ends(Seat::South, "p 1C p p"), "open");
        assert_eq!(ends(Seat::South, "p p p 1C p p p"), "1CE");
    }
}
