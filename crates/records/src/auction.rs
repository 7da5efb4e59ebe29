//! Calls, cards, and the contract that an auction ends in.

use std::borrow::Cow;

use setrograde_cards::{Bid, Call, Card, Contract, Doubling, Seat, TextError};

/// The call that a word of an auction is. Alert marks and remarks after it are ignored.
pub(crate) fn read_call(word: &str) -> Option<Call> {
    let plain = word.trim_end_matches(['!', '?', '*']);
    plain.parse().ok()
}

/// The text without the selectors that phones write after suit symbols.
pub(crate) fn without_selectors(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.replace(['\u{fe0e}', '\u{fe0f}'], ""))
    }
}

/// The cards of a text with or without separators, such as `C2CAC3C4`, `♣2 A♣` or `C-2, C-10`.
pub(crate) fn cards(text: &str) -> impl Iterator<Item = Result<Card, TextError>> {
    let text = without_selectors(text).replace("10", "T");
    let means_nothing = |c: &char| c.is_whitespace() || ",.;:-–—".contains(*c);
    let letters: Vec<char> = text.chars().filter(|c| !means_nothing(c)).collect();
    let pairs: Vec<String> = letters
        .chunks(2)
        .map(|pair| pair.iter().collect())
        .collect();
    pairs.into_iter().map(|pair| pair.parse())
}

/// Divides `4SN=`, `3NT W -2` or `+1` into the contract and its overtricks or undertricks.
pub(crate) fn with_result(text: &str) -> (&str, Option<i8>) {
    if let Some(contract) = text.strip_suffix('=') {
        return (contract.trim_end(), Some(0));
    }
    let contract = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let signed = contract.len() < text.len() && contract.ends_with(['+', '-']);
    match signed.then(|| text.split_at(contract.len() - 1)) {
        Some((contract, over)) => (contract.trim_end(), over.parse().ok()),
        None => (text, None),
    }
}

/// The words for the passes that end an auction, or for a board without a bid.
const ALL_PASS: [&str; 11] = [
    "AP",
    "AllPass",
    "All Pass",
    "All-Pass",
    "Passed",
    "Passed out",
    "Passed-out",
    "Passout",
    "Pass out",
    "PO",
    "P.O.",
];

/// The length of the words for "all pass" that `text` begins with, in bytes.
pub(crate) fn all_pass_at_start(text: &str) -> Option<usize> {
    let begins = |word: &&str| {
        let start = text.get(..word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    ALL_PASS.into_iter().filter(begins).map(str::len).max()
}

/// Returns true if a contract is a word for passes, perhaps with other words behind it.
pub(crate) fn is_passed_out(contract: &str) -> bool {
    contract.parse() == Ok(Call::Pass) || all_pass_at_start(contract).is_some()
}

/// The tricks that are `over` those of a bid, if a hand can take so many.
pub(crate) fn tricks(bid: Bid, over: i8) -> Option<u8> {
    let tricks = bid.tricks().checked_add_signed(over);
    tricks.filter(|&tricks| tricks <= 13)
}

/// A part of an auction written without a field or a word for each call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Call(Call),
    /// The passes that end the auction.
    AllPass,
    /// An alert of the call before it, perhaps with its explanation.
    Alert(String),
    /// No call.
    Unread(String),
}

/// Divides an auction such as `p1n(15-17)p3nppp` or `1S 2H {jump} X AP` into its parts.
///
/// Text in brackets or braces explains the call before it; an exclamation mark or a star is an
/// alert. Spaces, commas, hyphens and question marks mean nothing.
pub(crate) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let text = without_selectors(text);
    let mut rest = &*text;
    // Two crosses after a bid are a double, and after a double a redouble.
    let mut doubled = false;
    while let Some(letter) = rest.chars().next() {
        let close = match letter {
            '(' => Some(')'),
            '{' => Some('}'),
            _ => None,
        };
        let after = &rest[letter.len_utf8()..];
        if let Some(close) = close {
            let (inside, end) = after.split_once(close).unwrap_or((after, ""));
            parts.push(Part::Alert(inside.trim().to_owned()));
            rest = end;
        } else if matches!(letter, '!' | '*') {
            parts.push(Part::Alert(String::new()));
            rest = after;
        } else if letter.is_whitespace() || ",-;?/.".contains(letter) {
            rest = after;
        } else if let Some(length) = all_pass_at_start(rest) {
            parts.push(Part::AllPass);
            rest = &rest[length..];
        } else if let Some((mut call, mut length)) = Call::at_start(rest) {
            if call == Call::Redouble && !doubled && rest.starts_with(['x', 'X']) {
                (call, length) = (Call::Double, 1);
            }
            doubled = call == Call::Double || doubled && call == Call::Pass;
            parts.push(Part::Call(call));
            rest = &rest[length..];
        } else {
            let end = rest.find([' ', '(', '{', '!']).unwrap_or(rest.len());
            parts.push(Part::Unread(rest[..end].to_owned()));
            rest = &rest[end..];
        }
    }
    parts
}

/// Adds the calls of a text, without alerts, to those of an auction; `over` becomes true if the text
/// ends it.
///
/// # Errors
///
/// The first word that is no call.
pub(crate) fn add(text: &str, calls: &mut Vec<Call>, over: &mut bool) -> Result<(), String> {
    for part in parts(text) {
        match part {
            Part::Call(call) => calls.push(call),
            Part::AllPass => {
                *over = true;
                all_pass(calls);
            }
            Part::Alert(_) => {}
            Part::Unread(word) => return Err(word),
        }
    }
    Ok(())
}

/// Adds the passes that end an auction.
pub(crate) fn all_pass(calls: &mut Vec<Call>) {
    let bid = calls.iter().any(|call| matches!(call, Call::Bid(_)));
    let passes = if bid { 3 } else { 4 };
    calls.extend((last_passes(calls)..passes).map(|_| Call::Pass));
}

/// The number of passes at the end of an auction.
fn last_passes(calls: &[Call]) -> usize {
    let calls = calls.iter().rev();
    calls.take_while(|&&call| call == Call::Pass).count()
}

/// The calls as text, separated by spaces.
pub(crate) fn text(calls: &[Call]) -> String {
    let calls: Vec<String> = calls.iter().map(Call::to_string).collect();
    calls.join(" ")
}

/// Adds an explanation of a call to the earlier ones; explanations of one call form one text.
pub(crate) fn explain(alerts: &mut Vec<(usize, String)>, call: usize, text: &str) {
    match alerts.last_mut() {
        Some((last, before)) if *last == call => {
            if !text.is_empty() && before.is_empty() {
                text.clone_into(before);
            } else if !text.is_empty() {
                before.push_str("; ");
                before.push_str(text);
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
/// Three passes end it. If `over`, the auction is known to have ended, so passes omitted at its end
/// do not matter.
pub(crate) fn end(dealer: Seat, calls: &[Call], over: bool) -> AuctionEnd {
    let passes = last_passes(calls);
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
    AuctionEnd::Contract(Contract {
        bid,
        doubling,
        declarer,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pass_in_any_word() {
        for (text, length) in [("ap", 2), ("P.O.", 4), ("All Pass.", 8)] {
            assert_eq!(all_pass_at_start(text), Some(length), "{text}");
        }
        assert_eq!(all_pass_at_start("p"), None);
    }

    fn ends(dealer: Seat, calls: &str) -> String {
        let calls: Vec<Call> = calls
            .split(' ')
            .map(|call| read_call(call).unwrap())
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
