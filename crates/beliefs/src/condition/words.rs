//! The words of a statement: numbers, hands, measures, shapes, cards and relations.

use setrograde_cards::{Holding, Seat, Suit};

use super::Shapes;
use crate::limits::Measure;
use crate::text::number;

/// The relations, the longer ones first.
const RELATIONS: [&str; 7] = ["<=", ">=", "!=", "==", "<", ">", "="];

/// Returns true if the text is a suit and ranks.
pub(super) fn cards_of(text: &str) -> bool {
    let mut chars = text.chars();
    let suit = chars.next().and_then(Suit::from_letter);
    let ranks = chars.as_str().parse::<Holding>();
    suit.is_some() && ranks.is_ok_and(|of| !of.is_empty())
}

/// The texts between relations, and these.
pub(super) fn split(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut sides, mut relations) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '>', '=', '!']) {
        let relation = RELATIONS
            .into_iter()
            .find(|&mark| rest[at..].starts_with(mark));
        let Some(relation) = relation else { break };
        sides.push(&rest[..at]);
        relations.push(relation);
        rest = &rest[at + relation.len()..];
        if relations.len() > 3 {
            break;
        }
    }
    sides.push(rest);
    (sides, relations)
}

/// The bounds that a relation to a number sets; `end` is that of a range, none if it is open.
pub(super) fn bounds(relation: &str, number: i16, end: Option<Option<i16>>) -> (i16, i16) {
    match (relation, end) {
        ("<=", _) => (i16::MIN, number),
        ("<", _) => (i16::MIN, number - 1),
        (">=", _) => (number, i16::MAX),
        (">", _) => (number + 1, i16::MAX),
        (_, Some(Some(end))) => (number, end),
        (_, Some(None)) => (number, i16::MAX),
        _ => (number, number),
    }
}

/// The cards of a suit, such as `AKT9x`: those that are named, and how many all are. One at least is
/// named, or all are low.
pub(super) fn holding(text: &str) -> Option<(Holding, u8)> {
    let text = text.trim();
    if text.len() > 40 || !text.contains(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let named = text.trim_end_matches(['x', 'X']);
    let ranks: Holding = named.parse().ok()?;
    Some((ranks, (ranks.len() + text.len() - named.len()) as u8))
}

/// A number of no more than two digits.
pub(super) fn digits(text: &str) -> Option<u8> {
    let text = text.trim();
    number(text).filter(|_| text.len() <= 2)
}

/// A number, and the end of its range, which `15+` has not: `15`, `15-17`, `15..17`, `15 to 17`.
pub(super) fn numbers(text: &str) -> Option<(i16, Option<Option<i16>>)> {
    let number = |text: &str| digits(text).map(i16::from);
    if let Some(first) = number(text) {
        return Some((first, None));
    }
    if let Some(first) = text.strip_suffix('+') {
        return Some((number(first)?, Some(None)));
    }
    let marks = ["-", "...", "..", "to", "TO"];
    marks.into_iter().find_map(|mark| {
        let (first, end) = text.split_once(mark)?;
        Some((number(first)?, Some(Some(number(end)?))))
    })
}

/// One hand, or several by their letters: `NS`.
pub(super) fn seats(text: &str) -> Option<Vec<Seat>> {
    if let Ok(seat) = text.parse() {
        return Some(vec![seat]);
    }
    if !(2..=4).contains(&text.len()) {
        return None;
    }
    let letters = text.split_inclusive(|_: char| true);
    let seats: Vec<Seat> = letters
        .map(|letter| letter.parse().ok())
        .collect::<Option<_>>()?;
    let is_new = |(at, seat): (usize, &Seat)| !seats[..at].contains(seat);
    let are_new = seats.iter().enumerate().all(is_new);
    are_new.then_some(seats)
}

/// What is counted, by its names.
pub(super) fn measure(text: &str) -> Option<Measure> {
    let is = |names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
    if let Some(named) = Measure::NAMED.iter().find(|named| is(named.names)) {
        return Some(named.of);
    }
    let Some((suit, top)) = text.split_once('.') else {
        return text.parse().ok().map(Measure::Length);
    };
    let suit = suit.trim().parse().ok()?;
    let tops = (2..=5).find(|number| top.trim().eq_ignore_ascii_case(&format!("top{number}")));
    tops.map(|number| Measure::Top(suit, number))
}

/// The shapes of a hand by their name, or as `5-3-3-2` or `5332`, and whether it has one of them.
pub(super) fn read_shapes(text: &str) -> Option<(Shapes, bool)> {
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    if is("unbalanced") {
        return Some((Shapes::BALANCED, false));
    }
    let mut named = Shapes::NAMED.into_iter();
    if let Some((shapes, _)) = named.find(|(_, names)| names.iter().any(|name| is(name))) {
        return Some((shapes, true));
    }
    let parts: Vec<&str> = if text.contains('-') && text.len() < 20 {
        text.split('-').map(str::trim).collect()
    } else if text.len() == 4 && text.is_ascii() {
        (0..4).map(|at| &text[at..=at]).collect()
    } else {
        return None;
    };
    let lengths = parts.into_iter().map(digits).collect::<Option<Vec<u8>>>()?;
    let lengths: [u8; 4] = lengths.try_into().ok()?;
    let shapes = Shapes::of(lengths);
    (shapes != Shapes::Of(0)).then_some((shapes, true))
}
