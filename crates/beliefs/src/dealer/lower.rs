//! Conditions that hold whenever an expression is true.
//!
//! Deals are drawn by these conditions. What they leave out, an evaluation by points for shortness
//! say, is found by looking at each deal.

use std::collections::BTreeMap;

use setrograde_cards::{Seat, Suit};

use super::Script;
use super::counts::{self, USUAL};
use super::expression::{Expression, Operation, Operator, ScriptResult};
use crate::condition::{Condition, Linear, Summand, Term, count};
use crate::limits::Measure;

/// Maximum number of alternatives of a condition, and of terms in all of them.
const MOST_ALTERNATIVES: usize = 64;
const MOST_TERMS: usize = 512;

/// Maximum number of conditions.
const MOST_CONDITIONS: usize = 64;

/// Terms that all hold, each with whether it is as it says.
type AllOf = Vec<(Term, bool)>;

/// Alternatives. None at all means that nothing fits.
type AnyOf = Vec<AllOf>;

impl Script {
    /// Returns conditions that hold for all deals for which the expression is true, or false unless
    /// `wanted`. One without alternatives means that there is no such deal.
    pub fn conditions(&self, of: Expression, wanted: bool) -> Vec<Condition> {
        let mut lowering = Lowering {
            script: self,
            known: BTreeMap::new(),
            values: BTreeMap::new(),
        };
        let parts = if wanted {
            self.conjuncts(of).0
        } else {
            vec![of]
        };
        let conditions = parts.into_iter().map(|part| lowering.lower(part, wanted));
        let some = conditions.filter(|alternatives| !alternatives.iter().any(Vec::is_empty));
        let made = some.map(Condition::any).take(MOST_CONDITIONS);
        made.collect()
    }
}

/// The values that an expression may have: a sum of measures and a number from `least` to `most`.
#[derive(Clone, Debug)]
struct ValueRange {
    parts: Vec<(Seat, Measure, i64)>,
    least: i64,
    most: i64,
}

/// Ranges with numbers as great as this are not known.
const GREAT: i64 = 1 << 40;

/// An end of a range that has none.
const OPEN: i64 = 1 << 60;

impl ValueRange {
    fn new(parts: Vec<(Seat, Measure, i64)>, least: i64, most: i64) -> Option<ValueRange> {
        let mut counts = parts.iter().map(|part| part.2.abs());
        let is_known = -GREAT < least && most < GREAT && counts.all(|count| count < GREAT);
        is_known.then_some(ValueRange { parts, least, most })
    }

    fn of(seat: Seat, of: Measure) -> Option<ValueRange> {
        ValueRange::new(vec![(seat, of, 1)], 0, 0)
    }

    fn between(least: i64, most: i64) -> Option<ValueRange> {
        ValueRange::new(Vec::new(), least, most)
    }

    /// The sum with `times` another; `times` is below 1000.
    fn plus(&self, other: &ValueRange, times: i64) -> Option<ValueRange> {
        let mut parts = self.parts.clone();
        for &(seat, of, count) in &other.parts {
            let mut known = parts.iter_mut();
            match known.find(|part| (part.0, part.1) == (seat, of)) {
                Some(part) => part.2 += count * times,
                None => parts.push((seat, of, count * times)),
            }
        }
        parts.retain(|part| part.2 != 0);
        let ends = [other.least, other.most].map(|end| end * times);
        let least = self.least + ends[0].min(ends[1]);
        let most = self.most + ends[0].max(ends[1]);
        let sum = ValueRange::new(parts, least, most)?;
        if sum.parts.len() > 4 {
            sum.plain()
        } else {
            Some(sum)
        }
    }

    /// The same without measures.
    fn plain(&self) -> Option<ValueRange> {
        let (mut least, mut most) = (self.least, self.most);
        for &(_, of, count) in &self.parts {
            let end = count * i64::from(of.top());
            least += end.min(0);
            most += end.max(0);
        }
        ValueRange::between(least, most)
    }

    /// The smallest range that includes both.
    fn or(self, other: ValueRange) -> Option<ValueRange> {
        let (a, b) = if self.parts == other.parts {
            (self, other)
        } else {
            (self.plain()?, other.plain()?)
        };
        ValueRange::new(a.parts, a.least.min(b.least), a.most.max(b.most))
    }
}

struct Lowering<'a> {
    script: &'a Script,
    known: BTreeMap<(Expression, bool), AnyOf>,
    values: BTreeMap<Expression, Option<ValueRange>>,
}

/// All deals.
fn all() -> AnyOf {
    vec![Vec::new()]
}

impl Lowering<'_> {
    fn node(&self, of: Expression) -> Operation {
        self.script.nodes[of.0 as usize]
    }

    /// Returns alternatives, at least one of which holds if the expression is true; or, unless
    /// `wanted`, if it is false.
    fn lower(&mut self, of: Expression, wanted: bool) -> AnyOf {
        let one = |term: Term, holds: bool| vec![vec![(term, holds == wanted)]];
        match self.node(of) {
            Operation::Named(named) => {
                if let Some(known) = self.known.get(&(named, wanted)) {
                    return known.clone();
                }
                let found = self.lower(named, wanted);
                self.known.insert((named, wanted), found.clone());
                found
            }
            Operation::Not(part) => self.lower(part, !wanted),
            Operation::And(a, b) | Operation::Or(a, b) => {
                let (a, b) = (self.lower(a, wanted), self.lower(b, wanted));
                if wanted == matches!(self.node(of), Operation::And(..)) {
                    both(a, b)
                } else {
                    either(a, b)
                }
            }
            Operation::If(condition, then, otherwise) => {
                let then = both(self.lower(condition, true), self.lower(then, wanted));
                let otherwise = self.lower(otherwise, wanted);
                either(then, both(self.lower(condition, false), otherwise))
            }
            Operation::Shape(seat, set) => {
                let set = self.script.shapes[set as usize];
                let shapes = if wanted { set } else { set.others() };
                let alternatives = shapes.alternatives(seat).into_iter();
                let held = |terms: Vec<Term>| terms.into_iter().map(|term| (term, true)).collect();
                limited(alternatives.map(held).collect())
            }
            Operation::Holds(seat, card) => one(Term::Holds { seat, card }, true),
            Operation::Binary(operator, a, b) => {
                let both = self.bounds(a).zip(self.bounds(b));
                let difference = both.and_then(|(a, b)| a.plus(&b, -1));
                let (least, most) = match operator {
                    Operator::Equal | Operator::Unequal => (0, 0),
                    Operator::Less => (-OPEN, -1),
                    Operator::AtMost => (-OPEN, 0),
                    Operator::Greater => (1, OPEN),
                    Operator::AtLeast => (0, OPEN),
                    _ => return inside(self.bounds(of), 0, 0, !wanted),
                };
                let wanted = wanted != (operator == Operator::Unequal);
                inside(difference, least, most, wanted)
            }
            // A number is true unless it is 0.
            _ => inside(self.bounds(of), 0, 0, !wanted),
        }
    }

    /// The values of an expression, if they are known.
    fn bounds(&mut self, of: Expression) -> Option<ValueRange> {
        match self.node(of) {
            Operation::Number(number) => ValueRange::between(number, number),
            Operation::Named(named) => {
                if let Some(known) = self.values.get(&named) {
                    return known.clone();
                }
                let found = self.bounds(named);
                self.values.insert(named, found.clone());
                found
            }
            Operation::Measured(of, seat, None) => ValueRange::of(seat, of),
            // Controls or losers of a suit.
            Operation::Measured(_, _, Some(_)) => ValueRange::between(0, 3),
            Operation::Count(table, seat, suit) => self.counted(table as usize, seat, suit),
            Operation::HalfLosers(_, suit) => {
                ValueRange::between(0, if suit.is_some() { 300 } else { 1200 })
            }
            Operation::Result(ScriptResult::Tricks(..)) => ValueRange::between(0, 13),
            Operation::Shape(..)
            | Operation::Holds(..)
            | Operation::Not(_)
            | Operation::And(..)
            | Operation::Or(..) => ValueRange::between(0, 1),
            Operation::If(_, a, b) => self.bounds(a)?.or(self.bounds(b)?),
            Operation::Negative(of) => ValueRange::between(0, 0)?.plus(&self.bounds(of)?, -1),
            Operation::Binary(Operator::Plus, a, b) => self.bounds(a)?.plus(&self.bounds(b)?, 1),
            Operation::Binary(Operator::Minus, a, b) => self.bounds(a)?.plus(&self.bounds(b)?, -1),
            Operation::Binary(Operator::Times, a, b) => {
                let (a, b) = (self.bounds(a)?, self.bounds(b)?);
                let number = |of: &ValueRange| of.parts.is_empty() && of.least == of.most;
                let (times, other) = match (number(&a), number(&b)) {
                    (true, _) => (a.least, b),
                    (_, true) => (b.least, a),
                    _ => return None,
                };
                let zero = ValueRange::between(0, 0).filter(|_| times.abs() < 1000);
                zero?.plus(&other, times)
            }
            Operation::Binary(operator, ..)
                if !matches!(operator, Operator::Divide | Operator::Remainder) =>
            {
                ValueRange::between(0, 1)
            }
            _ => None,
        }
    }

    /// The bounds of a sum of a table's points.
    fn counted(&self, table: usize, seat: Seat, suit: Option<Suit>) -> Option<ValueRange> {
        let points = &self.script.tables[table];
        let usual = *points == USUAL[table];
        let of = match (table, suit) {
            (6..=9, Some(suit)) => Some(Measure::Top(suit, table as u8 - 4)),
            (_, Some(_)) => None,
            (_, None) => {
                let mut named = Measure::NAMED.iter().map(|named| named.of);
                named.find(|of| of.of_card().is_some_and(|of| counts::is_of(points, of)))
            }
        };
        if let Some(of) = of.filter(|_| usual) {
            return ValueRange::of(seat, of);
        }
        let sum = |keep: fn(&i64) -> bool| points.iter().copied().filter(keep).sum::<i64>();
        let suits = if suit.is_some() { 1 } else { 4 };
        ValueRange::between(suits * sum(|&of| of < 0), suits * sum(|&of| of > 0))
    }
}

/// Returns the alternatives that follow from a sum between `least` and `most`, or outside them unless
/// `wanted`.
fn inside(of: Option<ValueRange>, least: i64, most: i64, wanted: bool) -> AnyOf {
    match of {
        None => all(),
        Some(of) if wanted => within(&of, least, most),
        Some(of) => either(within(&of, -OPEN, least - 1), within(&of, most + 1, OPEN)),
    }
}

/// Returns the terms that follow from a sum between `least` and `most`.
fn within(of: &ValueRange, least: i64, most: i64) -> AnyOf {
    // What the measures must be, and can be.
    let (low, high) = (least - of.most, most - of.least);
    let measures = ValueRange::new(of.parts.clone(), 0, 0);
    let Some(possible) = measures.and_then(|measures| measures.plain()) else {
        return all();
    };
    let (all_low, all_high) = (possible.least, possible.most);
    if low > all_high || high < all_low {
        return Vec::new();
    }
    if low <= all_low && high >= all_high {
        return all();
    }
    let (low, high) = (low.max(all_low), high.min(all_high));
    if of.parts.iter().map(|part| part.2.abs()).sum::<i64>() > 8 {
        // One measure, many times.
        let [(seat, measure, count)] = of.parts[..] else {
            return all();
        };
        let one = ValueRange {
            parts: vec![(seat, measure, count.signum())],
            least: 0,
            most: 0,
        };
        let count = count.abs();
        let up = |number: i64| -(-number).div_euclid(count);
        return within(&one, up(low), high.div_euclid(count));
    }
    let each = of.parts.iter().flat_map(|&(seat, of, count)| {
        (0..count.abs()).map(move |_| (Some(seat), of, count.signum() as i16))
    });
    let parts: Vec<Summand> = each.collect();
    match Linear::new(&parts, (low as i16, high as i16)) {
        Some(linear) => vec![vec![(Term::Linear(linear), true)]],
        None => all(),
    }
}

/// Alternatives that are not too many; otherwise all deals.
fn limited(found: AnyOf) -> AnyOf {
    if found.len() > MOST_ALTERNATIVES || count(&found) > MOST_TERMS {
        all()
    } else {
        found
    }
}

fn either(mut a: AnyOf, b: AnyOf) -> AnyOf {
    if a.iter().chain(&b).any(Vec::is_empty) {
        return all();
    }
    for terms in b {
        if !a.contains(&terms) {
            a.push(terms);
        }
    }
    limited(a)
}

/// The alternatives of both; those of the fewer alone if there are too many.
fn both(a: AnyOf, b: AnyOf) -> AnyOf {
    if a.len() * b.len() <= MOST_ALTERNATIVES {
        let mut found = AnyOf::new();
        for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
            let mut terms = a.clone();
            let mut fits = true;
            for &(term, holds) in b {
                fits &= !terms.contains(&(term, !holds));
                if !terms.contains(&(term, holds)) {
                    terms.push((term, holds));
                }
            }
            if fits && !found.contains(&terms) {
                found.push(terms);
            }
        }
        if count(&found) <= MOST_TERMS {
            return found;
        }
    }
    if a.len() <= b.len() { a } else { b }
}
