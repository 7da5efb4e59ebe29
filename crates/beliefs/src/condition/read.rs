//! One statement of a condition, read as players write it.

use std::fmt;

use setrograde_cards::{Card, Holding, Seat, Suit, quote};

use super::words::{
    bounds, cards_of, digits, holding, measure, numbers, read_shapes, seats, split,
};
use super::{Linear, Placed, Statement, Summand, Term};
use crate::limits::{Measure, MeasureKind};
use crate::question_error::QuestionError;

impl Statement for Placed {
    fn read(text: &str, inside: Option<Seat>, column: usize) -> Result<Vec<Placed>, QuestionError> {
        let reader = ConditionReader {
            text,
            inside,
            column,
        };
        let mut terms = reader.terms()?;
        terms.iter_mut().for_each(|placed| placed.column = column);
        Ok(terms)
    }

    /// The opposite, without `not` where there are other words for it.
    fn denied(&self) -> Placed {
        let linear = self.term.linear().filter(|_| self.holds);
        match linear.and_then(Linear::outside) {
            Some(outside) => Placed {
                term: Term::Linear(outside),
                ..*self
            },
            None => Placed {
                holds: !self.holds,
                ..*self
            },
        }
    }
}

/// Terms, still without their column.
type Terms = Vec<Placed>;

const EXPECTED: &str = "W.S=0-2, S=3-2, S<=3, E.hcp=11-15, N 15-17, N.S+S.S>=8, N.S>N.H, \
                        N.balanced, E+HK or W-HA (`setrograde help conditions`)";

struct ConditionReader<'a> {
    text: &'a str,
    inside: Option<Seat>,
    column: usize,
}

/// One side of a relation, with its text for errors.
#[derive(Debug, Default)]
struct Operand<'a> {
    text: &'a str,
    parts: Vec<Summand>,
    number: i16,
    /// The end of a range of numbers, or none if it is open.
    range: Option<Option<i16>>,
}

impl Operand<'_> {
    fn is_number(&self) -> bool {
        self.parts.is_empty()
    }

    /// The measure of each hidden hand.
    fn of_each(&self) -> Option<Measure> {
        let mut parts = self.parts.iter();
        parts.find(|(seat, ..)| seat.is_none()).map(|part| part.1)
    }
}

impl<'a> ConditionReader<'a> {
    /// A problem with a part of the text.
    fn fault<T>(&self, part: &str, problem: impl fmt::Display) -> Result<T, QuestionError> {
        let start = (part.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize);
        let before = start.and_then(|start| self.text.get(..start));
        let before = before.map_or(0, |before| before.chars().count());
        Err(QuestionError::new(self.column + before, problem))
    }

    /// A part of the text that is not a condition.
    fn not_a_condition<T>(&self, part: &str) -> Result<T, QuestionError> {
        let found = quote(part);
        let problem = format_args!("{found:?} is not a condition; expected one as {EXPECTED}");
        self.fault(part, problem)
    }

    fn terms(&self) -> Result<Terms, QuestionError> {
        let text = self.text.trim();
        if text.is_empty() {
            let problem = format_args!("expected a condition as {EXPECTED}, found nothing");
            return self.fault(self.text, problem);
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
                    return self.fault(middle, problem);
                }
                let mut found = self.compared(low, one, middle)?;
                found.extend(self.compared(middle, other, high)?);
                Ok(merged(found))
            }
            _ => self.fault(sides[3], "more than two relations"),
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
            return Some(self.fault(text, problem));
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
        let term = |card| Placed::from((Term::Holds { seat, card }, held));
        Some(match read() {
            Some(cards) => Ok(cards.into_iter().map(term).collect()),
            None => {
                let found = quote(cards);
                let problem = format_args!(
                    "{found:?} is not a card; expected a suit and ranks, as HK or HKQ"
                );
                self.fault(cards, problem)
            }
        })
    }

    /// `N.5=3=3=2`: lengths from spades to clubs.
    fn lengths_in_order(&self, text: &'a str) -> Option<Result<Terms, QuestionError>> {
        let lengths = self
            .hand_of(text)
            .map_or(text, |(_, lengths)| lengths)
            .trim();
        if lengths.matches('=').count() != 3 || lengths.contains(|c: char| c.is_alphabetic()) {
            return None;
        }
        let seats = match self.subject(text) {
            Ok((seats, _)) => seats,
            Err(error) => return Some(Err(error)),
        };
        let numbers: Option<Vec<u8>> = lengths.split('=').map(digits).collect();
        let is_hand = |of: &Vec<u8>| of.iter().copied().map(u32::from).sum::<u32>() == 13;
        let Some(numbers) = numbers.filter(is_hand) else {
            let problem = format_args!(
                "{:?}: expected the four lengths of a hand of 13 cards, spades first, as 5=3=3=2",
                quote(lengths)
            );
            return Some(self.fault(lengths, problem));
        };
        let of_seat = |seat: Option<Seat>| {
            let each = Suit::ALL.into_iter().zip(&numbers);
            each.map(move |(suit, &length)| {
                Placed::from(Term::range(seat, Measure::Length(suit), (length, length)))
            })
        };
        Some(Ok(seats.into_iter().flat_map(of_seat).collect()))
    }

    /// The hands that a text begins with, behind which is a dot or a space, and what follows.
    fn hand_of(&self, text: &'a str) -> Option<(Vec<Option<Seat>>, &'a str)> {
        let end = text.find(|c: char| c == '.' || c.is_whitespace())?;
        let seats = seats(&text[..end])?;
        let rest = text[end..].trim_start();
        let rest = rest.strip_prefix('.').unwrap_or(rest).trim_start();
        // `S.top3` is about the spades, not about South.
        let of_suit = rest
            .get(..3)
            .is_some_and(|top| top.eq_ignore_ascii_case("top"));
        (!of_suit && !rest.is_empty()).then_some((seats.into_iter().map(Some).collect(), rest))
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
                self.fault(text, problem)
            }
            (Some(found), None) => Ok(found),
            (None, inside) => Ok((vec![inside], text)),
        }
    }

    /// `N.balanced`, `N.5-4-3-1`, `N.void`, or `N 15-17` and `N.hcp 15-17`.
    fn without_relation(&self, text: &'a str) -> Result<Terms, QuestionError> {
        let (seats, rest) = self.subject(text)?;
        if let Some((shapes, holds)) = read_shapes(rest) {
            if !holds && seats.len() > 1 {
                let problem = "say it of each hand, as N.unbalanced,S.unbalanced";
                return self.fault(rest, problem);
            }
            let shaped = |&seat| (Term::Shape { seat, shapes }, holds).into();
            return Ok(seats.iter().map(shaped).collect());
        }
        if rest.starts_with(|c: char| c.is_ascii_digit()) && rest.matches('-').count() == 3 {
            let problem = format_args!(
                "{:?}: expected four lengths that add up to 13, as 5-3-3-2",
                quote(rest)
            );
            return self.fault(rest, problem);
        }
        if rest.starts_with(|c: char| c.is_ascii_digit()) && seats[0].is_some() {
            // `N 15-17`.
            let points = seats.iter().map(|&seat| (seat, Measure::Points, 1));
            let left = Operand {
                text,
                parts: points.collect(),
                ..Operand::default()
            };
            return self.related(&left, "=", &self.side(rest)?);
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
            return self.fault(text, problem);
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
            return self.fault(text, problem);
        }
        if rest.len() == text.len() {
            return self.not_a_condition(rest);
        }
        let found = quote(rest);
        let problem = format_args!(
            "{found:?} says nothing about a hand; expected {}, with a number, balanced, \
             semibalanced, void, singleton or a shape, as 5-3-3-2",
            Measure::list()
        );
        self.fault(rest, problem)
    }

    /// The term of a comparison.
    fn compared(
        &self,
        left: &'a str,
        relation: &str,
        right: &'a str,
    ) -> Result<Terms, QuestionError> {
        let left = self.side(left)?;
        if relation == "="
            && let [(Some(seat), Measure::Length(suit), 1)] = left.parts[..]
            && left.number == 0
            && let Some((ranks, length)) = holding(right)
        {
            return self.holding(right, (seat, suit), ranks, length);
        }
        let right = self.side(right)?;
        if left.is_number() {
            let turned = match relation {
                "<=" => ">=",
                ">=" => "<=",
                "<" => ">",
                ">" => "<",
                same => same,
            };
            self.related(&right, turned, &left)
        } else {
            self.related(&left, relation, &right)
        }
    }

    /// The term that `left` is related to `right`.
    fn related(
        &self,
        left: &Operand<'_>,
        relation: &str,
        right: &Operand<'_>,
    ) -> Result<Terms, QuestionError> {
        let relation = if relation == "==" { "=" } else { relation };
        if left.is_number() {
            let problem = "two numbers; expected a hand and what is counted, as N.hcp";
            return self.fault(left.text, problem);
        }
        if left.range.is_some() || right.range.is_some() && relation != "=" {
            let side = if left.range.is_some() { left } else { right };
            let problem = "a range; expected one number here, or `=` before it";
            return self.fault(side.text, problem);
        }
        if let Some(of) = left.of_each() {
            return self.of_each(of, left, relation, right);
        }
        if right.of_each().is_some() {
            let problem = format_args!(
                "{:?} is not a number, and no hand is named",
                quote(right.text.trim())
            );
            return self.fault(right.text, problem);
        }
        let number = right.number - left.number;
        let end = right.range.map(|end| end.map(|end| end - left.number));
        let mut bounds = bounds(relation, number, end);
        let turned = right
            .parts
            .iter()
            .map(|&(seat, of, sign)| (seat, of, -sign));
        let mut parts: Vec<Summand> = left.parts.iter().copied().chain(turned).collect();
        if parts.iter().all(|part| part.2 < 0) {
            parts.iter_mut().for_each(|part| part.2 = 1);
            bounds = (bounds.1.saturating_neg(), bounds.0.saturating_neg());
        }
        let Some(linear) = Linear::new(&parts, bounds) else {
            return self.fault(left.text, "more than four measures in a sum");
        };
        if linear.is_sum() {
            self.check_range(&linear, bounds, relation, right.text)?;
        }
        Ok(vec![(Term::Linear(linear), relation != "!=").into()])
    }

    /// Checks the numbers, `least` to `most`, that a sum is compared with.
    fn check_range(
        &self,
        of: &Linear,
        (least, most): (i16, i16),
        relation: &str,
        text: &str,
    ) -> Result<(), QuestionError> {
        let (_, top) = of.range();
        if least > most && relation == "=" {
            let problem = format_args!(
                "{:?}: the range {least}-{most} is reversed; expected {most}-{least}",
                quote(self.text)
            );
            return Err(QuestionError::new(self.column, problem));
        }
        let is_beyond = relation == "=" && most > top && most < i16::MAX;
        if least <= most && least <= top && most >= 0 && !is_beyond {
            return Ok(());
        }
        let what = match of.single().map(|(_, of)| (of, of.kind())) {
            None => format!("these are 0 to {top} together"),
            Some((_, MeasureKind::Length(_))) => "a hand has 13 cards".to_owned(),
            Some((_, MeasureKind::Top(..))) => format!("there are {top} of these cards"),
            Some((of, _)) => format!("a hand has 0 to {top} {}", of.things(2)),
        };
        self.fault(text, format_args!("{:?}: {what}", quote(text.trim())))
    }

    /// The terms that a measure of each hidden hand is within bounds, or a split.
    fn of_each(
        &self,
        of: Measure,
        left: &Operand<'_>,
        relation: &str,
        right: &Operand<'_>,
    ) -> Result<Terms, QuestionError> {
        let single = [(None, of, 1)];
        if !right.is_number() || left.number != 0 || left.parts != single {
            let problem = format_args!(
                "{:?} names no hand; expected one, as N.{of}",
                quote(left.text.trim())
            );
            return self.fault(left.text, problem);
        }
        if let (Measure::Length(suit), Some(Some(end))) = (of, right.range) {
            let fits = |number: i16| (0..=13).contains(&number);
            if !fits(end) || !fits(right.number) {
                return self.fault(right.text, "a suit has 13 cards");
            }
            let split = Term::Split {
                suit,
                first: right.number as u8,
                second: end as u8,
            };
            return Ok(vec![split.into()]);
        }
        if relation == "=" && right.range.is_none() || relation == "!=" {
            let problem = format_args!(
                "{:?} names no hand; expected W.{of}={}, or for both hidden hands {of}<={}",
                quote(left.text.trim()),
                right.number,
                right.number
            );
            return self.fault(left.text, problem);
        }
        let within = |bounds| Linear::new(&single, bounds).expect("one part");
        let (least, most) = bounds(relation, right.number, right.range);
        let both = within((least, most));
        self.check_range(&both, (least, most), relation, right.text)?;
        let has_two = least > 0 && most < i16::from(of.top());
        let terms = if has_two {
            // As it is written.
            vec![within((least, i16::MAX)), within((0, most))]
        } else {
            vec![both]
        };
        let placed = |of| Term::Linear(of).into();
        Ok(terms.into_iter().map(placed).collect())
    }

    /// Returns the terms of a suit of a hand that is written as `AKT9x`.
    fn holding(
        &self,
        text: &str,
        (seat, suit): (Seat, Suit),
        ranks: Holding,
        length: u8,
    ) -> Result<Terms, QuestionError> {
        if length > 13 {
            return self.fault(text, "a hand has 13 cards");
        }
        let range = |of, number| Term::range(Some(seat), of, (number, number));
        let high = ranks.iter().filter(|rank| rank.value() >= 10).count();
        let holds = ranks.iter().map(|rank| {
            let card = Card::new(suit, rank);
            Term::Holds { seat, card }
        });
        // The others are below the ten.
        let counts = [
            range(Measure::Top(suit, 5), high as u8),
            range(Measure::Length(suit), length),
        ];
        Ok(holds.chain(counts).map(Placed::from).collect())
    }

    /// A sum of measures and numbers, or a range of numbers.
    fn side(&self, text: &'a str) -> Result<Operand<'a>, QuestionError> {
        let all = text.trim();
        let mut side = Operand {
            text,
            ..Operand::default()
        };
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
                return self.fault(text, "more than four measures in a sum");
            }
        }
    }

    /// Adds a measure of one or more hands, or a number.
    fn add(&self, side: &mut Operand<'_>, text: &'a str, sign: i16) -> Result<(), QuestionError> {
        let part = text.trim();
        if part.is_empty() {
            return self.fault(text, "expected a number, or a hand and what is counted");
        }
        if let Some(number) = digits(part) {
            side.number = side.number.saturating_add(sign * i16::from(number));
            return Ok(());
        }
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            let problem = format_args!("{:?} is too large a number", quote(part));
            return self.fault(part, problem);
        }
        let (seats, rest) = self.subject(part)?;
        let rest = rest.trim();
        let Some(of) = measure(rest) else {
            if rest.len() == part.len() && self.inside.is_none() {
                return self.not_a_condition(rest);
            }
            let problem = format_args!(
                "{:?} is not counted; expected {}, as in N.hcp",
                quote(rest),
                Measure::list()
            );
            return self.fault(rest, problem);
        };
        if seats.contains(&None) && (!side.parts.is_empty() || sign < 0) {
            let problem = format_args!("{:?} names no hand", quote(part));
            return self.fault(part, problem);
        }
        side.parts
            .extend(seats.into_iter().map(|seat| (seat, of, sign)));
        Ok(())
    }
}

/// Two bounds of the same sum as one term.
fn merged(terms: Terms) -> Terms {
    if let [one, other] = &terms[..]
        && (one.holds && other.holds)
        && let (Some(one), Some(other)) = (one.term.linear(), other.term.linear())
        && let Some(both) = one.and(other)
    {
        vec![Term::Linear(both).into()]
    } else {
        terms
    }
}
