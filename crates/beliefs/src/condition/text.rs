//! The text of conditions: read, written, and in words.

use std::fmt;
use std::str::FromStr;

use setrograde_cards::{Card, Holding, Seat, Suit};

use super::joined::{Statement, joined};
use super::{Condition, Placed, Relation, Sum, Term};
use crate::limits::Measure;
use crate::question_error::QuestionError;

impl Condition {
    /// The condition as a sentence without its end: `East has the king of hearts, or the
    /// spades are split 3-2`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let all = |terms: &Vec<Placed>| {
            let words: Vec<String> = terms.iter().map(Placed::in_words).collect();
            words.join(" and ")
        };
        let each: Vec<String> = self.alternatives.iter().map(all).collect();
        each.join(", or ")
    }
}

impl Placed {
    fn in_words(&self) -> String {
        let words = self.term.in_words();
        if self.holds {
            return words;
        }
        if words.starts_with("each ") {
            return format!("not {words}");
        }
        let denials = [
            (" is ", " is not "),
            (" are ", " are not "),
            (" has ", " does not have "),
            (" have ", " do not have "),
        ];
        let denial = denials.iter().find(|(verb, _)| words.contains(verb));
        denial.map_or(words.clone(), |(verb, not)| words.replacen(verb, not, 1))
    }
}

/// The name of the things that a measure counts.
fn things(of: Measure, count: u8) -> String {
    match (of, count) {
        (Measure::Length(suit), 1) => suit.name().trim_end_matches('s').to_owned(),
        (Measure::Length(suit), _) => suit.name().to_owned(),
        (Measure::Points, 1) => "point".to_owned(),
        (Measure::Points, _) => "points".to_owned(),
        (Measure::Controls, 1) => "control".to_owned(),
        (Measure::Controls, _) => "controls".to_owned(),
        (Measure::Losers, 1) => "loser".to_owned(),
        (Measure::Losers, _) => "losers".to_owned(),
        (Measure::Top(suit, top), _) => format!("of the top {top} {}", suit.name()),
    }
}

/// The amount of a measure in words; `top` is its maximum.
fn amount(of: Measure, (least, most): (u8, u8), top: u8) -> String {
    let things = |count| things(of, count);
    match (least, most) {
        (0, 0) => format!("no {}", things(2)),
        (least, most) if least == most => format!("{least} {}", things(least)),
        (0, most) => format!("at most {most} {}", things(most)),
        (least, most) if most == top => format!("at least {least} {}", things(least)),
        (least, most) => format!("{least} to {most} {}", things(2)),
    }
}

impl Sum {
    /// The measures by name: `North's spades and South's spades`.
    fn in_words(&self) -> String {
        let each = self
            .parts()
            .map(|(seat, of)| format!("{}'s {}", seat.name(), things(of, 2)));
        each.collect::<Vec<_>>().join(" and ")
    }

    /// The only measure of all parts, if there is one.
    fn measure(&self) -> Option<Measure> {
        let mut measures = self.parts().map(|(_, of)| of);
        let first = measures.next()?;
        measures.all(|of| of == first).then_some(first)
    }
}

impl Term {
    fn in_words(self) -> String {
        let who = match self.seat() {
            Some(seat) => seat.name(),
            None => "each hidden hand",
        };
        match self {
            Term::Range {
                of, least, most, ..
            } => format!("{who} has {}", amount(of, (least, most), of.top())),
            Term::Sum {
                of: sum,
                least,
                most,
            } => match sum.measure() {
                Some(of) => {
                    let seats: Vec<&str> = sum.parts().map(|(seat, _)| seat.name()).collect();
                    let amount = amount(of, (least, most), sum.top());
                    format!("{} have {amount} together", seats.join(" and "))
                }
                None => {
                    let bounds = match (least, most) {
                        (least, most) if least == most => least.to_string(),
                        (0, most) => format!("at most {most}"),
                        (least, most) if most == sum.top() => format!("at least {least}"),
                        (least, most) => format!("{least} to {most}"),
                    };
                    format!("{} are {bounds} together", sum.in_words())
                }
            },
            Term::Compare {
                left,
                relation,
                right,
            } => {
                let relation = match relation {
                    Relation::Greater => "more than",
                    Relation::AtLeast => "at least as many as",
                    Relation::Equal => "as many as",
                };
                format!("{} are {relation} {}", left.in_words(), right.in_words())
            }
            Term::Split {
                suit,
                first,
                second,
            } => format!("the {} are split {first}-{second}", suit.name()),
            Term::Holds { card, .. } => format!("{who} has the {}", full_name(card)),
            Term::Lack { card, .. } => format!("{who} does not have the {}", full_name(card)),
            Term::Shape {
                lengths: [a, b, c, d],
                ..
            } => format!("{who} is {a}-{b}-{c}-{d}"),
            Term::Balanced { .. } => format!("{who} is balanced"),
        }
    }
}

fn full_name(card: Card) -> String {
    format!("{} of {}", card.rank.name(), card.suit.name())
}

/// Writes the term in the syntax of its text.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Range {
                seat,
                of,
                least,
                most,
            } => {
                let hand = before(seat);
                match (least, most) {
                    (least, most) if least == most && seat.is_some() => {
                        write!(f, "{hand}{of}={least}")
                    }
                    (0, most) => write!(f, "{hand}{of}<={most}"),
                    (least, most) if most == of.top() => write!(f, "{hand}{of}>={least}"),
                    (least, most) if seat.is_none() => write!(f, "{of}>={least},{of}<={most}"),
                    (least, most) => write!(f, "{hand}{of}={least}-{most}"),
                }
            }
            Term::Split {
                suit,
                first,
                second,
            } => write!(f, "{suit}={first}-{second}"),
            Term::Holds { seat, card } => write!(f, "{seat}+{card}"),
            Term::Lack { seat, card } => write!(f, "{seat}-{card}"),
            Term::Shape {
                seat,
                lengths: [a, b, c, d],
            } => write!(f, "{}{a}-{b}-{c}-{d}", before(seat)),
            Term::Balanced { seat } => write!(f, "{}balanced", before(seat)),
            Term::Sum { of, least, most } => match (least, most) {
                (least, most) if least == most => write!(f, "{of}={least}"),
                (0, most) => write!(f, "{of}<={most}"),
                (least, most) if most == of.top() => write!(f, "{of}>={least}"),
                (least, most) => write!(f, "{of}={least}-{most}"),
            },
            Term::Compare {
                left,
                relation,
                right,
            } => write!(f, "{left}{relation}{right}"),
        }
    }
}

/// Writes the sum in the syntax of its text: `N.S+S.S`.
impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (seat, of)) in self.parts().enumerate() {
            let plus = if at == 0 { "" } else { "+" };
            write!(f, "{plus}{seat}.{of}")?;
        }
        Ok(())
    }
}

/// Writes `>`, `>=` or `=`.
impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Greater => ">",
            Relation::AtLeast => ">=",
            Relation::Equal => "=",
        })
    }
}

/// The seat and a dot, if there is a seat.
fn before(seat: Option<Seat>) -> String {
    seat.map_or(String::new(), |seat| format!("{seat}."))
}

/// Writes the term in the syntax of its text, after `not` if it must not hold.
impl fmt::Display for Placed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.holds {
            f.write_str("not ")?;
        }
        self.term.fmt(f)
    }
}

/// Writes the condition in the syntax of its text.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, terms) in self.alternatives.iter().enumerate() {
            if n > 0 {
                f.write_str("|")?;
            }
            for (m, placed) in terms.iter().enumerate() {
                if m > 0 {
                    f.write_str(",")?;
                }
                placed.fmt(f)?;
            }
        }
        Ok(())
    }
}

/// Reads terms joined by `,` or `and`, and by `|` or `or`, with brackets and `not`.
impl FromStr for Condition {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Condition, QuestionError> {
        Ok(Condition {
            alternatives: joined(text)?,
        })
    }
}

impl Statement for Placed {
    fn read(text: &str, inside: Option<Seat>, column: usize) -> Result<Vec<Placed>, QuestionError> {
        let terms = read_terms(text, inside).ok_or_else(|| not_a_term(column, text))?;
        for term in &terms {
            if let Term::Range { least, most, .. } | Term::Sum { least, most, .. } = term
                && least > most
            {
                let problem = format!(
                    "{text:?}: the range {least}-{most} is reversed; expected {most}-{least}"
                );
                return Err(QuestionError::new(column, problem));
            }
        }
        let placed = terms.into_iter().map(|term| Placed {
            term,
            holds: true,
            column,
        });
        Ok(placed.collect())
    }

    fn denied(&self) -> Placed {
        (*self).opposite()
    }
}

fn not_a_term(column: usize, text: &str) -> QuestionError {
    let found: String = text.chars().take(20).collect();
    let problem = format!(
        "{found:?} is not a condition; expected one as W.S=0-2, S=3-2, S<=3, E.hcp=11-15, \
         N.S+S.S>=8, N.S>N.H, N.balanced, E+HK or W-HA (`setrograde help conditions`)"
    );
    QuestionError::new(column, problem)
}

/// The terms of a text without brackets; those that name no hand are about `inside`.
fn read_terms(text: &str, inside: Option<Seat>) -> Option<Vec<Term>> {
    if let Some(term) = read_sums(text, inside) {
        return Some(vec![term]);
    }
    if let Some(found) = read_cards(text) {
        return found.filter(|_| inside.is_none());
    }
    let named = text.split_once('.').and_then(|(seat, rest)| {
        // `S.top3` is about the spades, not about South.
        let of_suit = rest
            .get(..3)
            .is_some_and(|top| top.eq_ignore_ascii_case("top"));
        let seat = seat.trim().parse::<Seat>().ok().filter(|_| !of_suit)?;
        Some((seat, rest.trim()))
    });
    let (seat, text) = match (named, inside) {
        (Some(_), Some(_)) => return None,
        (Some((seat, rest)), None) => (Some(seat), rest),
        (None, inside) => (inside, text),
    };
    if text.eq_ignore_ascii_case("balanced") {
        return Some(vec![Term::Balanced { seat }]);
    }
    if let Some(lengths) = read_shape(text) {
        return Some(vec![Term::Shape { seat, lengths }]);
    }
    let (subject, rest) = text.split_at(text.find(['=', '<', '>'])?);
    let of = read_measure(subject.trim())?;
    let number = |text: &str| {
        let text = text.trim();
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok();
        number.filter(|&number: &u8| digits && number <= of.top())
    };
    let range = |least, most| {
        Some(vec![Term::Range {
            seat,
            of,
            least,
            most,
        }])
    };
    if let Some(most) = rest.strip_prefix("<=") {
        return range(0, number(most)?);
    }
    if let Some(least) = rest.strip_prefix(">=") {
        return range(number(least)?, of.top());
    }
    if let Some(above) = rest.strip_prefix('<') {
        return range(0, number(above)?.checked_sub(1)?);
    }
    if let Some(below) = rest.strip_prefix('>') {
        let least = number(below)? + 1;
        return (least <= of.top()).then(|| range(least, of.top()))?;
    }
    let rest = rest.strip_prefix('=')?;
    if let Some(least) = rest.trim_end().strip_suffix('+') {
        return range(number(least)?, of.top());
    }
    match (rest.split_once('-'), seat) {
        (Some((first, second)), None) => match of {
            Measure::Length(suit) => Some(vec![Term::Split {
                suit,
                first: number(first)?,
                second: number(second)?,
            }]),
            _ => None,
        },
        (Some((least, most)), Some(_)) => range(number(least)?, number(most)?),
        (None, Some(_)) => range(number(rest)?, number(rest)?),
        (None, None) => None,
    }
}

/// The term of a text as `N.S+S.S>=8` or `N.S>N.H`, if it is of this form.
fn read_sums(text: &str, inside: Option<Seat>) -> Option<Term> {
    let (left, rest) = text.split_at(text.find(['=', '<', '>'])?);
    let relation = ["<=", ">=", "<", ">", "="];
    let relation = relation.into_iter().find(|&mark| rest.starts_with(mark))?;
    let right = rest[relation.len()..].trim();
    let left = read_sum(left, inside)?;
    if let Some(right) = read_sum(right, inside) {
        let (left, relation, right) = match relation {
            "<" => (right, Relation::Greater, left),
            "<=" => (right, Relation::AtLeast, left),
            ">" => (left, Relation::Greater, right),
            ">=" => (left, Relation::AtLeast, right),
            _ => (left, Relation::Equal, right),
        };
        return Some(Term::Compare {
            left,
            relation,
            right,
        });
    }
    if left.parts().count() < 2 {
        return None;
    }
    let top = left.top();
    let number = |text: &str| {
        let text = text.trim();
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|&number: &u8| digits && number <= top)
    };
    let (least, most) = match (relation, right.split_once('-'), right.strip_suffix('+')) {
        ("=", Some((least, most)), _) => (number(least)?, number(most)?),
        ("=", _, Some(least)) => (number(least)?, top),
        ("=", ..) => (number(right)?, number(right)?),
        ("<=", ..) => (0, number(right)?),
        (">=", ..) => (number(right)?, top),
        ("<", ..) => (0, number(right)?.checked_sub(1)?),
        _ => (
            number(right)?
                .checked_add(1)
                .filter(|&least| least <= top)?,
            top,
        ),
    };
    Some(Term::Sum {
        of: left,
        least,
        most,
    })
}

/// One to four measures, each of a named hand or of the hand in whose brackets (`inside`) they are.
fn read_sum(text: &str, inside: Option<Seat>) -> Option<Sum> {
    let part = |text: &str| {
        let text = text.trim();
        match inside {
            Some(seat) => Some((seat, read_measure(text)?)),
            None => {
                let (seat, of) = text.split_once('.')?;
                Some((seat.trim().parse().ok()?, read_measure(of.trim())?))
            }
        }
    };
    Sum::new(&text.split('+').map(part).collect::<Option<Vec<_>>>()?)
}

/// The terms of a text as `E+HK`, `W-HA` or `E+SAK`, if it is of this form.
fn read_cards(text: &str) -> Option<Option<Vec<Term>>> {
    let (seat, cards) = text.split_at(text.find(['+', '-'])?);
    let seat: Seat = seat.trim().parse().ok()?;
    let held = cards.starts_with('+');
    let read = || {
        let cards = cards[1..].trim();
        let cards: Vec<Card> = match cards.parse() {
            Ok(card) => vec![card],
            Err(_) => {
                let suit = cards.get(..cards.chars().next()?.len_utf8())?;
                let ranks: Holding = cards[suit.len()..].parse().ok()?;
                let suit: Suit = suit.parse().ok()?;
                ranks.iter().map(|rank| Card::new(suit, rank)).collect()
            }
        };
        let term = |card| match held {
            true => Term::Holds { seat, card },
            false => Term::Lack { seat, card },
        };
        (!cards.is_empty()).then(|| cards.into_iter().map(term).collect())
    };
    Some(read())
}

/// A shape as `5-3-3-2` or `5332`, the longest suit first.
fn read_shape(text: &str) -> Option<[u8; 4]> {
    let parts: Vec<&str> = match text.contains('-') {
        true => text.split('-').map(str::trim).collect(),
        false if text.len() == 4 && text.is_ascii() => (0..4).map(|at| &text[at..=at]).collect(),
        false => return None,
    };
    let read = |part: &&str| {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse()
            .ok()
            .filter(|&length: &u8| digits && length <= 13)
    };
    let lengths = parts.iter().map(read).collect::<Option<Vec<u8>>>()?;
    let mut lengths: [u8; 4] = lengths.try_into().ok()?;
    lengths.sort_unstable_by(|a, b| b.cmp(a));
    (lengths.iter().sum::<u8>() == 13).then_some(lengths)
}

fn read_measure(text: &str) -> Option<Measure> {
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    if is("hcp") {
        return Some(Measure::Points);
    }
    if is("controls") {
        return Some(Measure::Controls);
    }
    if is("losers") {
        return Some(Measure::Losers);
    }
    let Some((suit, top)) = text.split_once('.') else {
        return text.parse().ok().map(Measure::Length);
    };
    let suit = suit.trim().parse().ok()?;
    match top.trim() {
        top if top.eq_ignore_ascii_case("top3") => Some(Measure::Top(suit, 3)),
        top if top.eq_ignore_ascii_case("top5") => Some(Measure::Top(suit, 5)),
        _ => None,
    }
}
