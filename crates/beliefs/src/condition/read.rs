//! One statement of a condition, read as players write it.

use setrograde_cards::{Card, Holding, Seat, Sorting, Suit, quote};

use super::term::Kind;
use super::{Placed, Relation, Sum, Term};
use crate::limits::{Measure, MeasureKind};
use crate::question_error::QuestionError;

/// Reads the terms of a text without brackets, which hold together; those that name no hand are
/// about `inside`. The text begins in `column`.
pub(super) fn read_terms(
    text: &str,
    inside: Option<Seat>,
    column: usize,
) -> Result<Vec<Placed>, QuestionError> {
    let reader = ConditionReader {
        text,
        inside,
        column,
    };
    let terms = reader.terms()?;
    let placed = terms.into_iter().map(|(term, holds)| Placed {
        term,
        holds,
        column,
    });
    Ok(placed.collect())
}

/// Terms, and whether they hold.
type Terms = Vec<(Term, bool)>;

/// The relations, the longer ones first.
const RELATIONS: [&str; 7] = ["<=", ">=", "!=", "==", "<", ">", "="];

const EXPECTED: &str = "W.S=0-2, S=3-2, S<=3, E.hcp=11-15, N 15-17, N.S+S.S>=8, N.S>N.H, \
                        N.balanced, E+HK or W-HA (`setrograde help conditions`)";

struct ConditionReader<'a> {
    text: &'a str,
    inside: Option<Seat>,
    column: usize,
}

/// One side of a relation.
#[derive(Debug, Default)]
struct Operand {
    /// Measures of hands that are named, each with its sign.
    parts: Vec<(Seat, Measure, i16)>,
    /// A measure of each hidden hand.
    of_each: Option<Measure>,
    number: i16,
    /// The end of a range of numbers, or none if it is open.
    range: Option<Option<i16>>,
}

impl Operand {
    fn is_number(&self) -> bool {
        self.parts.is_empty() && self.of_each.is_none()
    }
}

impl<'a> ConditionReader<'a> {
    /// A problem with a part of the text.
    fn fault(&self, part: &str, problem: impl std::fmt::Display) -> QuestionError {
        let start = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        let before = start.and_then(|start| self.text.get(..start));
        let before = before.map_or(0, |before| before.chars().count());
        QuestionError::new(self.column + before, problem)
    }

    fn terms(&self) -> Result<Terms, QuestionError> {
        let text = self.text.trim();
        if text.is_empty() {
            let problem = format_args!("expected a condition as {EXPECTED}, found nothing");
            return Err(self.fault(self.text, problem));
        }
        if let Some(found) = self.cards(text) {
            return found;
        }
        if let Some(found) = self.lengths_in_order(text) {
            return found;
        }
        let (sides, relations) = split(text);
        match (&sides[..], &relations[..]) {
            (&[text], []) => self.without_relation(text),
            (&[left, right], &[relation]) => self.compared(left, relation, right),
            (&[low, middle, high], &[one, other]) => {
                let same = |sign: char| one.starts_with(sign) && other.starts_with(sign);
                if !same('<') && !same('>') {
                    let problem = "expected two relations of one direction, as 15<=N.hcp<=17";
                    return Err(self.fault(middle, problem));
                }
                let mut found = self.compared(low, one, middle)?;
                found.extend(self.compared(middle, other, high)?);
                Ok(merged(found))
            }
            _ => Err(self.fault(sides[3], "more than two relations")),
        }
    }

    /// `E+HK`, `W-HA` or `E+SAK`.
    fn cards(&self, text: &'a str) -> Option<Result<Terms, QuestionError>> {
        let (seat, cards) = text.split_at(text.find(['+', '-'])?);
        let seat: Seat = seat.trim().parse().ok()?;
        if text.contains(['<', '>', '=']) {
            return None;
        }
        let held = cards.starts_with('+');
        let cards = cards[1..].trim();
        if self.inside.is_some() {
            let problem = "a card in the brackets of a hand; write it outside, as W+HK";
            return Some(Err(self.fault(text, problem)));
        }
        let read = || -> Option<Vec<Card>> {
            if let Ok(card) = cards.parse() {
                return Some(vec![card]);
            }
            let suit = cards.get(..cards.chars().next()?.len_utf8())?;
            let ranks: Holding = cards[suit.len()..].trim_start().parse().ok()?;
            let suit: Suit = suit.parse().ok()?;
            let cards = ranks.iter().map(|rank| Card::new(suit, rank));
            Some(cards.collect()).filter(|cards: &Vec<Card>| !cards.is_empty())
        };
        let term = |card| {
            if held {
                (Term::Holds { seat, card }, true)
            } else {
                (Term::Lack { seat, card }, true)
            }
        };
        Some(match read() {
            Some(cards) => Ok(cards.into_iter().map(term).collect()),
            None => {
                let found = quote(cards);
                let problem = format_args!(
                    "{found:?} is not a card; expected a suit and ranks, as HK or HKQ"
                );
                Err(self.fault(cards, problem))
            }
        })
    }

    /// `N.5=3=3=2`: lengths from spades to clubs.
    fn lengths_in_order(&self, text: &'a str) -> Option<Result<Terms, QuestionError>> {
        let (hand, lengths) = self.hand_of(text).unwrap_or((None, text));
        let lengths = lengths.trim();
        if lengths.matches('=').count() != 3 || lengths.contains(|c: char| c.is_alphabetic()) {
            return None;
        }
        let numbers: Option<Vec<u8>> = lengths.split('=').map(digits).collect();
        let sum = numbers
            .as_ref()
            .map(|all| all.iter().map(|&n| u32::from(n)).sum());
        if sum != Some(13) {
            let problem = format_args!(
                "{:?}: expected the four lengths of a hand of 13 cards, spades first, as 5=3=3=2",
                quote(lengths)
            );
            return Some(Err(self.fault(lengths, problem)));
        }
        let ranges = |seat: Option<Seat>| {
            let all = Suit::ALL
                .into_iter()
                .zip(numbers.clone().unwrap_or_default());
            all.map(move |(suit, length)| {
                let of = Measure::Length(suit);
                let range = Term::Range {
                    seat,
                    of,
                    least: length,
                    most: length,
                };
                (range, true)
            })
        };
        Some(match hand {
            Some(seats) => Ok(seats.iter().flat_map(|&seat| ranges(Some(seat))).collect()),
            None => Ok(ranges(self.inside).collect()),
        })
    }

    /// The hands that a text begins with, behind which is a dot or a space, and what follows.
    fn hand_of(&self, text: &'a str) -> Option<(Option<Vec<Seat>>, &'a str)> {
        let end = text.find(|c: char| c == '.' || c.is_whitespace())?;
        let seats = seats(&text[..end])?;
        let rest = text[end..].trim_start();
        let rest = rest.strip_prefix('.').unwrap_or(rest).trim_start();
        // `S.top3` is about the spades, not about South.
        let of_suit = rest
            .get(..3)
            .is_some_and(|top| top.eq_ignore_ascii_case("top"));
        (!of_suit && !rest.is_empty()).then_some((Some(seats), rest))
    }

    /// The hands that a text is about, none for each hidden one, and what follows.
    fn subject(&self, text: &'a str) -> Result<(Vec<Option<Seat>>, &'a str), QuestionError> {
        match (self.hand_of(text), self.inside) {
            (Some(_), Some(inside)) => {
                let problem = format_args!(
                    "{:?} names a hand in the brackets of {}",
                    quote(text),
                    inside.name()
                );
                Err(self.fault(text, problem))
            }
            (Some((seats, rest)), None) => {
                let seats = seats.unwrap_or_default();
                Ok((seats.into_iter().map(Some).collect(), rest))
            }
            (None, inside) => Ok((vec![inside], text)),
        }
    }

    /// `N.balanced`, `N.5-4-3-1`, `N.void`, or `N 15-17` and `N.hcp 15-17`.
    fn without_relation(&self, text: &'a str) -> Result<Terms, QuestionError> {
        let (seats, rest) = self.subject(text)?;
        let each = |term: &dyn Fn(Option<Seat>) -> (Term, bool)| {
            Ok(seats.iter().map(|&seat| term(seat)).collect())
        };
        if let Some((kind, holds)) = kind(rest) {
            if !holds && seats.len() > 1 {
                let problem = "say it of each hand, as N.unbalanced,S.unbalanced";
                return Err(self.fault(rest, problem));
            }
            return each(&|seat| (Term::Kind { seat, kind }, holds));
        }
        if let Some(lengths) = read_shape(rest) {
            return each(&|seat| (Term::Shape { seat, lengths }, true));
        }
        if rest.starts_with(|c: char| c.is_ascii_digit()) && rest.matches('-').count() == 3 {
            let problem = format_args!(
                "{:?}: expected four lengths that add up to 13, as 5-3-3-2",
                quote(rest)
            );
            return Err(self.fault(rest, problem));
        }
        if rest.starts_with(|c: char| c.is_ascii_digit()) && self.names_hand(text) {
            // `N 15-17`.
            let points = |&seat: &Option<Seat>| Some((seat?, Measure::Points, 1));
            let left = Operand {
                parts: seats.iter().filter_map(points).collect(),
                ..Operand::default()
            };
            return self.related(text, left, "=", self.side(rest)?, rest);
        }
        let number = rest.find(|c: char| c.is_ascii_digit());
        let spaced = number.filter(|&at| rest[..at].ends_with(char::is_whitespace));
        if let Some(at) = spaced {
            let all = text.len() - rest.len() + at;
            return self.compared(&text[..all], "=", &text[all..]);
        }
        if self.side(text).is_ok() {
            let found = quote(text);
            let problem = format_args!("{found:?} is a number; compare it, as {found}=4");
            return Err(self.fault(text, problem));
        }
        if let [Some(seat)] = seats[..]
            && rest.len() < text.len()
            && cards_of(rest)
        {
            let problem = format_args!(
                "{:?} is not a condition; write {seat}+{} if {} has it",
                quote(text),
                quote(rest),
                seat.name()
            );
            return Err(self.fault(text, problem));
        }
        let found = quote(rest);
        Err(if rest.len() < text.len() {
            let expected = format!(
                "{found:?} says nothing about a hand; expected {}, with a number, \
                     balanced, semibalanced, void, singleton or a shape, as 5-3-3-2",
                Measure::list()
            );
            self.fault(rest, expected)
        } else {
            let problem = format_args!("{found:?} is not a condition; expected one as {EXPECTED}");
            self.fault(rest, problem)
        })
    }

    /// Returns true if the text begins with the name of a hand.
    fn names_hand(&self, text: &'a str) -> bool {
        self.inside.is_some() || self.hand_of(text).is_some()
    }

    /// The term of a comparison.
    fn compared(
        &self,
        left: &'a str,
        relation: &str,
        right: &'a str,
    ) -> Result<Terms, QuestionError> {
        let left_side = self.side(left)?;
        if relation == "="
            && let [(seat, Measure::Length(suit), 1)] = left_side.parts[..]
            && left_side.number == 0
            && let Some(held) = Held::read(right)
        {
            return self.holding(right, seat, suit, held);
        }
        let right_side = self.side(right)?;
        if left_side.is_number() {
            let turned = match relation {
                "<=" => ">=",
                ">=" => "<=",
                "<" => ">",
                ">" => "<",
                same => same,
            };
            self.related(right, right_side, turned, left_side, left)
        } else {
            self.related(left, left_side, relation, right_side, right)
        }
    }

    /// The term that `left` is related to `right`; their texts are for errors.
    fn related(
        &self,
        left_text: &'a str,
        left: Operand,
        relation: &str,
        right: Operand,
        right_text: &'a str,
    ) -> Result<Terms, QuestionError> {
        let relation = if relation == "==" { "=" } else { relation };
        if left.is_number() {
            let problem = "two numbers; expected a hand and what is counted, as N.hcp";
            return Err(self.fault(left_text, problem));
        }
        if left.range.is_some() || right.range.is_some() && relation != "=" {
            let text = if left.range.is_some() {
                left_text
            } else {
                right_text
            };
            return Err(self.fault(text, "a range; expected one number here, or `=` before it"));
        }
        if let Some(of) = left.of_each {
            return self.of_each(of, &left, relation, &right, (left_text, right_text));
        }
        if right.of_each.is_some() {
            let problem = format_args!(
                "{:?} is not a number, and no hand is named",
                quote(right_text.trim())
            );
            return Err(self.fault(right_text, problem));
        }
        let turned = right
            .parts
            .iter()
            .map(|&(seat, of, sign)| (seat, of, -sign));
        let parts: Vec<_> = left.parts.iter().copied().chain(turned).collect();
        let number = right.number - left.number;
        let end = right.range.map(|end| end.map(|end| end - left.number));
        let bounds = bounds(relation, number, end);
        let of_sign = |sign: i16| {
            let parts = parts.iter().filter(move |part| part.2 == sign);
            parts.map(|&(seat, of, _)| (seat, of)).collect::<Vec<_>>()
        };
        let (plus, minus) = (of_sign(1), of_sign(-1));
        let sum = |parts: &[(Seat, Measure)]| {
            Sum::new(parts).ok_or_else(|| self.fault(left_text, "more than four measures in a sum"))
        };
        if !plus.is_empty() && !minus.is_empty() {
            return Ok(differences(sum(&plus)?, sum(&minus)?, relation, bounds));
        }
        // Only one sign: a sum, which may be on the right or negative.
        let (of, (least, most)) = if minus.is_empty() {
            (plus, bounds)
        } else {
            (
                minus,
                (bounds.1.saturating_neg(), bounds.0.saturating_neg()),
            )
        };
        let (term, top) = match of[..] {
            [(seat, of)] => (None::<Sum>, (Some((seat, of)), i16::from(of.top()))),
            _ => {
                let sum = sum(&of)?;
                let top = i16::from(sum.top());
                (Some(sum), (None, top))
            }
        };
        let (one, top) = top;
        self.check_range(
            (least, most),
            top,
            of[0].1,
            of.len(),
            (relation, right_text),
        )?;
        let (least, most) = (least.max(0) as u8, most.min(top) as u8);
        let holds = relation != "!=";
        let term = match (one, term) {
            (Some((seat, of)), _) => Term::Range {
                seat: Some(seat),
                of,
                least,
                most,
            },
            (None, Some(of)) => Term::Sum { of, least, most },
            (None, None) => unreachable!("one measure or a sum"),
        };
        Ok(vec![(term, holds)])
    }

    /// Checks the numbers that measures are compared with.
    fn check_range(
        &self,
        (least, most): (i16, i16),
        top: i16,
        of: Measure,
        count: usize,
        (relation, text): (&str, &str),
    ) -> Result<(), QuestionError> {
        if least > most {
            if relation == "=" {
                let problem = format_args!(
                    "{:?}: the range {least}-{most} is reversed; expected {most}-{least}",
                    quote(self.text)
                );
                return Err(QuestionError::new(self.column, problem));
            }
        } else if least <= top && most >= 0 {
            let beyond = relation == "=" && most > top && most < i16::MAX;
            if !beyond {
                return Ok(());
            }
        }
        let what = match of.kind() {
            _ if count > 1 => format!("these are 0 to {top} together"),
            MeasureKind::Length(_) => "a hand has 13 cards".to_owned(),
            MeasureKind::Top(..) => format!("there are {top} of these cards"),
            MeasureKind::Points | MeasureKind::SumOfCards(_) | MeasureKind::SumOfSuits(_) => {
                format!("a hand has 0 to {top} {}", of.things(2))
            }
        };
        Err(self.fault(text, format_args!("{:?}: {what}", quote(text.trim()))))
    }

    /// The term that a measure of each hidden hand is within bounds, or a split.
    fn of_each(
        &self,
        of: Measure,
        left: &Operand,
        relation: &str,
        right: &Operand,
        (left_text, right_text): (&str, &str),
    ) -> Result<Terms, QuestionError> {
        if !right.is_number() || left.number != 0 || !left.parts.is_empty() {
            let problem = format_args!(
                "{:?} names no hand; expected one, as N.{of}",
                quote(left_text.trim())
            );
            return Err(self.fault(left_text, problem));
        }
        let top = i16::from(of.top());
        let (least, most) = bounds(relation, right.number, right.range);
        let seat = None;
        if let (Measure::Length(suit), Some(Some(end))) = (of, right.range) {
            let fits = |number: i16| (0..=13).contains(&number);
            if !fits(end) || !fits(right.number) {
                return Err(self.fault(right_text, "a suit has 13 cards"));
            }
            let split = Term::Split {
                suit,
                first: right.number as u8,
                second: end as u8,
            };
            return Ok(vec![(split, true)]);
        }
        if relation == "=" && right.range.is_none() || relation == "!=" {
            let problem = format_args!(
                "{:?} names no hand; expected W.{of}={}, or for both hidden hands {of}<={}",
                quote(left_text.trim()),
                right.number,
                right.number
            );
            return Err(self.fault(left_text, problem));
        }
        self.check_range((least, most), top, of, 1, (relation, right_text))?;
        let (least, most) = (least.max(0) as u8, most.min(top) as u8);
        let range = |least, most| {
            let range = Term::Range {
                seat,
                of,
                least,
                most,
            };
            (range, true)
        };
        Ok(match (least, i16::from(most) == top) {
            (0, _) | (_, true) => vec![range(least, most)],
            // As it is written.
            _ => vec![range(least, of.top()), range(0, most)],
        })
    }

    /// Returns the terms of a suit of a hand that is written as `AKT9x`.
    fn holding(
        &self,
        text: &str,
        seat: Seat,
        suit: Suit,
        held: Held,
    ) -> Result<Terms, QuestionError> {
        if held.length > 13 {
            return Err(self.fault(text, "a hand has 13 cards"));
        }
        let range = |of: Measure, number: u8| {
            let range = Term::Range {
                seat: Some(seat),
                of,
                least: number,
                most: number,
            };
            (range, true)
        };
        let high = held.ranks.iter().filter(|rank| rank.value() >= 10).count();
        let holds = held.ranks.iter().map(|rank| {
            let card = Card::new(suit, rank);
            (Term::Holds { seat, card }, true)
        });
        // The others are below the ten.
        let counts = [
            range(Measure::Top(suit, 5), high as u8),
            range(Measure::Length(suit), held.length),
        ];
        Ok(holds.chain(counts).collect())
    }

    /// A sum of measures and numbers, or a range of numbers.
    fn side(&self, text: &'a str) -> Result<Operand, QuestionError> {
        let all = text.trim();
        let mut side = Operand::default();
        if all.is_empty() {
            return Err(self.fault(text, "expected a number, or a hand and what is counted"));
        }
        if let Some((first, end)) = numbers(all) {
            side.number = first;
            side.range = end;
            return Ok(side);
        }
        let (mut rest, mut sign) = (all, 1);
        loop {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            self.add(&mut side, &rest[..end], sign)?;
            match rest[end..].chars().next() {
                None => return Ok(side),
                Some(mark) => sign = if mark == '+' { 1 } else { -1 },
            }
            rest = &rest[end + 1..];
            if side.parts.len() > 64 {
                return Err(self.fault(text, "more than four measures in a sum"));
            }
        }
    }

    /// Adds a measure of one or more hands, or a number.
    fn add(&self, side: &mut Operand, text: &'a str, sign: i16) -> Result<(), QuestionError> {
        let part = text.trim();
        if part.is_empty() {
            return Err(self.fault(text, "expected a number, or a hand and what is counted"));
        }
        if let Some(number) = digits(part) {
            side.number = side.number.saturating_add(sign * i16::from(number));
            return Ok(());
        }
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            let problem = format_args!("{:?} is too large a number", quote(part));
            return Err(self.fault(part, problem));
        }
        let (seats, rest) = self.subject(part)?;
        let rest = rest.trim();
        let of = measure(rest).ok_or_else(|| {
            let found = quote(rest);
            if rest.len() < part.len() || self.inside.is_some() {
                let problem = format!(
                    "{found:?} is not counted; expected {}, as in N.hcp",
                    Measure::list()
                );
                self.fault(rest, problem)
            } else {
                let problem =
                    format_args!("{found:?} is not a condition; expected one as {EXPECTED}");
                self.fault(rest, problem)
            }
        })?;
        for seat in seats {
            match seat {
                Some(seat) => side.parts.push((seat, of, sign)),
                None if side.of_each.is_none() && side.parts.is_empty() && sign == 1 => {
                    side.of_each = Some(of);
                }
                None => {
                    let problem = format_args!("{:?} names no hand", quote(part));
                    return Err(self.fault(part, problem));
                }
            }
        }
        Ok(())
    }
}

/// Returns true if the text is a suit and ranks.
fn cards_of(text: &str) -> bool {
    let mut chars = text.chars();
    let suit = chars.next().and_then(Suit::from_letter);
    let ranks = chars.as_str().parse::<Holding>();
    suit.is_some() && ranks.is_ok_and(|of| !of.is_empty())
}

/// The texts between relations, and these.
fn split(text: &str) -> (Vec<&str>, Vec<&str>) {
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
fn bounds(relation: &str, number: i16, end: Option<Option<i16>>) -> (i16, i16) {
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

/// The terms that the difference of two sums is within bounds.
fn differences(left: Sum, right: Sum, relation: &str, (least, most): (i16, i16)) -> Terms {
    let far = |number: i16| number.clamp(-1000, 1000);
    let compare = |left, relation, right, plus: i16| {
        let compare = Term::Compare {
            left,
            relation,
            right,
            plus,
        };
        (compare, true)
    };
    let (low, high) = (far(least), far(most));
    match relation {
        "!=" => {
            let (equal, _) = compare(left, Relation::Equal, right, low);
            vec![(equal, false)]
        }
        _ if least == most => vec![compare(left, Relation::Equal, right, low)],
        ">" => vec![compare(left, Relation::Greater, right, low - 1)],
        "<" => vec![compare(right, Relation::Greater, left, -high - 1)],
        _ => {
            let mut terms = Vec::new();
            if least > i16::MIN {
                terms.push(compare(left, Relation::AtLeast, right, low));
            }
            if most < i16::MAX {
                terms.push(compare(right, Relation::AtLeast, left, -high));
            }
            terms
        }
    }
}

/// Two ranges of the same measure as one.
fn merged(terms: Terms) -> Terms {
    match terms[..] {
        [
            (
                Term::Range {
                    seat,
                    of,
                    least,
                    most,
                },
                true,
            ),
            (
                Term::Range {
                    seat: other,
                    of: same,
                    least: low,
                    most: high,
                },
                true,
            ),
        ] if seat.is_some() && (seat, of) == (other, same) && least.max(low) <= most.min(high) => {
            let (least, most) = (least.max(low), most.min(high));
            let range = Term::Range {
                seat,
                of,
                least,
                most,
            };
            vec![(range, true)]
        }
        [
            (Term::Sum { of, least, most }, true),
            (
                Term::Sum {
                    of: same,
                    least: low,
                    most: high,
                },
                true,
            ),
        ] if of == same && least.max(low) <= most.min(high) => {
            let (least, most) = (least.max(low), most.min(high));
            vec![(Term::Sum { of, least, most }, true)]
        }
        _ => terms,
    }
}

/// The cards of a suit, such as `AKT9x`.
struct Held {
    ranks: Holding,
    length: u8,
}

impl Held {
    /// Reads cards of which one at least is named, or that are all low.
    fn read(text: &str) -> Option<Held> {
        let text = text.trim();
        let low = |c: char| c.eq_ignore_ascii_case(&'x');
        if text.len() > 40 || !text.contains(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let named = text.trim_end_matches(low);
        let low = text.len() - named.len();
        let ranks: Holding = match named {
            "" => Holding::EMPTY,
            named => named.parse().ok()?,
        };
        Some(Held {
            ranks,
            length: ranks.len() as u8 + low as u8,
        })
    }
}

/// A number of no more than two digits.
fn digits(text: &str) -> Option<u8> {
    let text = text.trim();
    let digits = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// A number, and the end of its range, which `15+` has not: `15`, `15-17`, `15..17`, `15 to 17`.
fn numbers(text: &str) -> Option<(i16, Option<Option<i16>>)> {
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
fn seats(text: &str) -> Option<Vec<Seat>> {
    if let Ok(seat) = text.parse() {
        return Some(vec![seat]);
    }
    if !(2..=4).contains(&text.len()) {
        return None;
    }
    let mut seats: Vec<Seat> = Vec::new();
    for letter in text.split_inclusive(|_: char| true) {
        let seat = letter.parse().ok()?;
        if seats.contains(&seat) {
            return None;
        }
        seats.push(seat);
    }
    Some(seats)
}

/// What is counted, by its names.
fn measure(text: &str) -> Option<Measure> {
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

/// The kind of a hand by its name, and whether it is of this kind.
fn kind(text: &str) -> Option<(Kind, bool)> {
    let is = |names: &[&str]| names.iter().any(|name| text.eq_ignore_ascii_case(name));
    if is(&["unbalanced"]) {
        return Some((Kind::Balanced, false));
    }
    if is(&["bal"]) {
        return Some((Kind::Balanced, true));
    }
    if is(&["semi-balanced", "semibal"]) {
        return Some((Kind::Semibalanced, true));
    }
    let named = |kind: &Kind| text.eq_ignore_ascii_case(kind.name());
    Some((Kind::ALL.into_iter().find(named)?, true))
}

/// A shape as `5-3-3-2` or `5332`, the longest suit first.
fn read_shape(text: &str) -> Option<[u8; 4]> {
    let parts: Vec<&str> = if text.contains('-') && text.len() < 20 {
        text.split('-').map(str::trim).collect()
    } else if text.len() == 4 && text.is_ascii() {
        (0..4).map(|at| &text[at..=at]).collect()
    } else {
        return None;
    };
    let lengths = parts.into_iter().map(digits).collect::<Option<Vec<u8>>>()?;
    let mut lengths: [u8; 4] = lengths.try_into().ok()?;
    lengths.in_any_order_by(|a, b| b.cmp(a));
    let sum: u32 = lengths.iter().map(|&length| u32::from(length)).sum();
    (sum == 13).then_some(lengths)
}
